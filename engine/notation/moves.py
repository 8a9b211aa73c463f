"""A move as text, and which move a text means.

A move is all that one player decides in one go: the notation says which decisions go on with what was written before (`{before}`). It is
written in the first way that no other move shares, so what is written can be read again. Who reads tries every way, and those that are
only read (`also`): as they are, then without the signs that may be missing (`separators`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...dsl.game.notation_config import BEFORE, MoveSpelling, Notation
from ...dsl.types.types import MemberOf
from ..position.options import Option
from ..position.position import Decision, Game, Position
from ..position.visibility import visible_names
from .value_spelling import NamedValues, NotationError, ValueSpeller

MAX_COMPARED_MOVES = 5_000                         # moves, and parts of moves, that are compared with one another
MAX_MOVE_CHARS = 2_000                 # characters of a move as it is written
JUDGEMENT_SIGNS = "!?"                        # what commentators write behind a move


@dataclass(frozen=True)
class SpelledMove:
    """An option, how it is written in each way together with what came before it in the same move, and the names in sight then."""

    option: Option
    texts: tuple[str, ...]
    names: NamedValues


class MoveNotation:
    """Writes and reads the moves of a game."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation, self.speller = game, notation, ValueSpeller(game, notation)
        self.ways = max(len(move.ways) for move in notation.moves.values())
        self.forms = self.ways + max(len(move.also) for move in notation.moves.values())     # ways to write, and ways that are only read
        self.parts = re.compile(rf"\d+|[^\d\s{re.escape(''.join(notation.separators))}]")
        later = [move for move in notation.moves.values() if move.continues_move]
        # Ways in which what goes on is written behind what was: then it is enough to compare options of one decision.
        self.behind = [all("{" + BEFORE + "}" in spelling_template(move, way, self.ways) for move in later) for way in range(self.forms)]

    # ------------------------------------------------------------ one decision

    def find_spelling(self, decision: Decision, option: Option) -> MoveSpelling:
        """How an option is written. Raises NotationFault where nothing says it."""
        moves = self.notation.moves
        found = moves.get(f"{decision.key}.{option.entry}") or moves.get(decision.key)
        if found is None or option.declines:
            raise NotationError("notation.unwritten", key=decision.key)
        return found

    def is_continuation(self, decision: Decision | None, seat: int) -> bool:
        """Whether what is asked now is still the same move of this seat."""
        return (
            decision is not None
            and decision.seat == seat
            and any(
                move.continues_move and (key == decision.key or key.startswith(f"{decision.key}."))
                for key, move in self.notation.moves.items()
            )
        )

    def spell_options(self, position: Position, decision: Decision, before: SpelledMove | None) -> list[SpelledMove]:
        """Every option of a decision."""
        sight: NamedValues = {**(before.names if before is not None else {}), **visible_names(decision)}
        return [self.spell_option(position, decision, option, sight, before) for option in decision.options]

    def spell_option(
        self, position: Position, decision: Decision, option: Option, sight: NamedValues, before: SpelledMove | None
    ) -> SpelledMove:
        move = self.find_spelling(decision, option)
        names: NamedValues = {**sight, **{name: (kind, value) for name, kind, value in option.values}}
        fields = {name: self.speller.field_text(one, position, names) for name, one in move.fields.items()}
        case = next((case for case in move.instead if self.speller.is_case_true(case, position, names)), None)
        texts = []
        for way in range(self.forms):
            fields[BEFORE] = before.texts[way] if before is not None else ""
            template = case.text if case is not None and way < self.ways else spelling_template(move, way, self.ways)
            texts.append(self.speller.fill_template(template, names, fields))
            if len(texts[-1]) > MAX_MOVE_CHARS:
                raise NotationError("notation.long_move", most=MAX_MOVE_CHARS)
        return SpelledMove(option, tuple(texts), names)

    # ------------------------------------------------------------ writing

    def write(self, position: Position, options: list[str]) -> tuple[str, int, Position]:
        """The move that begins at a position: its text, how many of these options belong to it, and the position after it. Raises
        NotationFault."""
        decision = position.decision
        assert decision is not None
        seat, here, before = decision.seat, position.copy(), None
        alone = [True] * self.ways
        taken = 0
        while True:
            offered = self.spell_options(here, decision, before)
            mine = next(one for one in offered if one.option.spelling == options[taken])
            alone = [yes and sum(one.texts[way] == mine.texts[way] for one in offered) == 1 for way, yes in enumerate(alone)]
            here.play(seat, mine.option)
            before, taken = mine, taken + 1
            decision = here.decision
            if decision is None or not self.is_continuation(decision, seat) or taken == len(options):
                break
        if not all(self.behind[: self.ways]):
            rest = list(self.iter_moves(position))
            alone = [yes if behind else sum(one.texts[way] == before.texts[way] for _, one in rest) == 1
                     for way, (yes, behind) in enumerate(zip(alone, self.behind[: self.ways]))]
        way = alone.index(True) if True in alone else self.ways - 1
        return before.texts[way] + self.find_mark(here, seat), taken, here

    def find_mark(self, position: Position, seat: int) -> str:
        """What stands behind a move, by the position after it."""
        names: NamedValues = {"player": (MemberOf("Player"), seat)}
        return next((case.text for case in self.notation.marks if self.speller.is_case_true(case, position, names)), "")

    def iter_moves(self, position: Position, wanted: str | None = None) -> Iterator[tuple[list[str], SpelledMove]]:
        """Every move from a position: its options and how it is written; of a text that is `wanted`, those that may be it. Raises
        NotationFault where there are too many."""
        decision = position.decision
        assert decision is not None
        count = 0
        parts = self.split_parts(wanted) if wanted is not None and all(self.behind) else None
        left: list[tuple[Position, Decision, list[str], SpelledMove | None]] = [(position, decision, [], None)]
        while left:
            here, asked, taken, before = left.pop()
            for one in self.spell_options(here, asked, before):
                if parts is not None and not any(is_prefix(self.split_parts(text), parts) for text in one.texts):
                    continue
                count += 1
                if count > MAX_COMPARED_MOVES:
                    raise NotationError("notation.too_many", most=MAX_COMPARED_MOVES)
                after = here.copy()
                after.play(asked.seat, one.option)
                then = after.decision
                if then is not None and self.is_continuation(then, asked.seat):
                    left.append((after, then, [*taken, one.option.spelling], one))
                else:
                    yield [*taken, one.option.spelling], one

    # ------------------------------------------------------------ reading

    def strip_annotations(self, text: str) -> str:
        """A move without what others write on it: marks, judgements, other signs for the same thing. Empty where nothing else is there."""
        for theirs, ours in self.notation.reads.items():
            text = text.replace(theirs, ours)
        signs = [*JUDGEMENT_SIGNS, *(case.text for case in self.notation.marks if case.text)]
        while (sign := next((sign for sign in signs if text.endswith(sign)), None)) is not None:
            text = text.removesuffix(sign)
        return text

    def read(self, position: Position, text: str) -> list[str]:
        """The options of the move that a text means. Raises NotationFault: there is none, or there are several."""
        wanted = self.strip_annotations(text)
        found = list(self.iter_moves(position, wanted)) if wanted or not text else []     # a mere "!" is no move without a text
        for way in range(self.forms):
            fitting = [taken for taken, one in found if one.texts[way] == wanted]
            if len(fitting) == 1:
                return fitting[0]
        parts = self.split_parts(wanted) if self.notation.separators else []
        for alike in (list[str].__eq__, is_same_but_case) if parts else ():
            for way in range(self.forms):
                fitting = [taken for taken, one in found if alike(self.split_parts(one.texts[way]), parts)]
                if len(fitting) == 1:
                    return fitting[0]
        several = any(wanted in one.texts or parts and parts in map(self.split_parts, one.texts) for _, one in found)
        raise NotationError("notation.several" if several else "notation.no_move", text=text)

    def split_parts(self, text: str) -> list[str]:
        """The numbers and letters of a text one by one, without the signs that may be missing."""
        return self.parts.findall(text)


def is_prefix(parts: list[str], wanted: list[str]) -> bool:
    """Whether a move may begin so, apart from large and small letters."""
    return [part.casefold() for part in wanted[: len(parts)]] == [part.casefold() for part in parts]


def is_same_but_case(parts: list[str], wanted: list[str]) -> bool:
    """Whether two moves begin alike and differ at most in large and small letters behind: `e8=q`. A first letter tells a piece from a
    column."""
    return parts[:1] == wanted[:1] and [part.casefold() for part in parts] == [part.casefold() for part in wanted]


def spelling_template(move: MoveSpelling, way: int, ways: int) -> str:
    """The text of one way, of which the first ones are written; a move that has fewer is written in its last."""
    if way >= ways and move.also:
        return move.also[min(way - ways, len(move.also) - 1)]
    return move.ways[min(way, len(move.ways) - 1)]
