"""Writes a move as text, and finds the move that a text means.

A move covers all consecutive decisions of one player that the notation joins with `{before}`. It is written
in the first format that no other move shares, so the text can be read again. The reader tries each format,
including those that are only read (`also`): first exactly, then without the optional signs (`separators`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...dsl.game.notation_config import BEFORE, MoveSpelling, Notation
from ...dsl.types.types import MemberOf
from ..position.answer_index import AnswerIndex, IndexEntry
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision, Game, Position
from .movetext import DASHES
from .value_spelling import NamedValues, NotationError, ValueSpeller

MAX_COMPARED_MOVES = 5_000                         # moves and parts of moves
MAX_MOVE_CHARS = 2_000                 # characters
TRAILING_SIGNS = "!?.,*"                      # annotations and punctuation after a move


@dataclass(frozen=True)
class SpelledMove:
    """An option with its text in each format, including the earlier decisions of the same move, and the visible
    names."""

    option: Option
    texts: tuple[str, ...]
    names: NamedValues


class MoveNotation:
    """Writes and reads the moves of a game."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation, self.speller = game, notation, ValueSpeller(game, notation)
        self.ways = max(len(move.ways) for move in notation.moves.values())
        self.forms = self.ways + max(len(move.also) for move in notation.moves.values())     # also those that are only read
        self.parts = re.compile(rf"\d+|[^\d\s{re.escape(notation.optional_signs)}]")
        later = [move for move in notation.moves.values() if move.continues_move]
        # Formats in which a continuation begins with the earlier text: comparing the options of one decision is enough.
        self.behind = [all("{" + BEFORE + "}" in spelling_template(move, way, self.ways) for move in later) for way in range(self.forms)]

    # ------------------------------------------------------------ one decision

    def find_spelling(self, decision: Decision, option: Option) -> MoveSpelling:
        """Returns the format of an option. Raises NotationError if the notation has none."""
        moves = self.notation.moves
        found = moves.get(f"{decision.key}.{option.entry}") or moves.get(decision.key)
        if found is None or option.declines:
            raise NotationError("notation.unwritten", key=decision.key)
        return found

    def is_continuation(self, decision: Decision | None, seat: int) -> bool:
        """Whether this decision continues the move of the seat."""
        return (
            decision is not None
            and decision.seat == seat
            and any(
                move.continues_move and (key == decision.key or key.startswith(f"{decision.key}."))
                for key, move in self.notation.moves.items()
            )
        )

    def spell_options(self, position: Position, decision: Decision, before: SpelledMove | None) -> list[SpelledMove]:
        """Returns every option of a decision with its texts."""
        sight: NamedValues = {**(before.names if before is not None else {}), **visible_names(decision)}
        return [self.spell_option(position, decision, option, sight, before) for option in decision.options]

    def spell_option(
        self, position: Position, decision: Decision, option: Option, sight: NamedValues, before: SpelledMove | None
    ) -> SpelledMove:
        """Returns an option with its texts."""
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
        """Returns the text of the move that begins at a position, the number of options it uses,
        and the position after it. Raises NotationError."""
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
        """Returns the mark after a move, such as a sign for a threat, which depends on the position after it."""
        names: NamedValues = {"player": (MemberOf("Player"), seat)}
        return next((case.text for case in self.notation.marks if self.speller.is_case_true(case, position, names)), "")

    def iter_moves(self, position: Position, wanted: str | None = None) -> Iterator[tuple[list[str], SpelledMove]]:
        """Yields every move from a position: its options and its texts. With `wanted`, only moves that this text may
        mean.

        Raises NotationError if there are too many."""
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
        """Returns a move without annotations and with the signs of this notation. The result is empty if nothing else is
        left."""
        if "-" in self.notation.separators:
            text = text.translate(DASHES)
        for theirs, ours in self.notation.reads.items():
            text = text.replace(theirs, ours)
        signs = [*TRAILING_SIGNS, *(case.text for case in self.notation.marks if case.text)]
        while (sign := next((sign for sign in signs if text.endswith(sign)), None)) is not None:
            text = text.removesuffix(sign)
        return text

    def read(self, position: Position, text: str) -> list[str]:
        """Returns the options of the move that a text means. Raises NotationError if there is none or more than one."""
        wanted = self.strip_annotations(text)
        # "!" alone must not match a move with an empty text
        found = list(self.iter_moves(position, wanted)) if wanted or not text else []
        several = False
        exact = "={}".format                                       # never empty, because the text of a pass may be
        for normalize in (exact, self.join_parts, self.fold_case) if self.notation.separators else (exact,):
            for way in range(self.forms):
                moves = AnswerIndex((IndexEntry(taken, (one.texts[way],)) for taken, one in found), normalize)
                fitting = moves.find_exact(wanted)
                if len(fitting) == 1:
                    return fitting[0]
                several = several or len(fitting) > 1 and normalize != self.fold_case
        if self.notation.separators and not several:               # `nf3` or `E2-E4`, if only one move has such a text in any case
            folded = self.join_parts(wanted).casefold()
            fitting = [taken for taken, one in found if folded in (self.join_parts(text).casefold() for text in one.texts)]
            if len(fitting) == 1:
                return fitting[0]
            several = len(fitting) > 1
        raise NotationError("notation.several" if several else "notation.no_move", text=text)

    def read_unfinished(self, position: Position, text: str) -> list[str]:
        """Returns the option that a text means without the later decisions of its move, such as `e8` without the new piece.

        Empty if it means none or several. Raises NotationError."""
        assert position.decision is not None
        wanted = self.join_parts(self.strip_annotations(text))
        found = [one.option.spelling for one in self.spell_options(position, position.decision, None)
                 if wanted and wanted in map(self.join_parts, one.texts)]
        return found if len(found) == 1 else []

    def split_parts(self, text: str) -> list[str]:
        """Splits a text into its numbers, without zeros in front, and characters, without the optional signs."""
        return [part.lstrip("0") or "0" if part.isdecimal() else part for part in self.parts.findall(text)]

    def join_parts(self, text: str) -> str:
        """Returns a text without the optional signs."""
        return " ".join(self.split_parts(text))

    def fold_case(self, text: str) -> str:
        """Returns a text without the optional signs and without case, so that `e8=q` is `e8=Q`. The case of the first
        character may distinguish a piece from a column."""
        first, _, rest = self.join_parts(text).partition(" ")
        return f"{first} {rest.casefold()}".strip()


def is_prefix(parts: list[str], wanted: list[str]) -> bool:
    """Whether `parts` is the beginning of the wanted move, ignoring case."""
    return [part.casefold() for part in wanted[: len(parts)]] == [part.casefold() for part in parts]


def spelling_template(move: MoveSpelling, way: int, ways: int) -> str:
    """Returns the template of one format. Formats from `ways` on are only read. A move with fewer formats uses its
    last one."""
    if way >= ways and move.also:
        return move.also[min(way - ways, len(move.also) - 1)]
    return move.ways[min(way, len(move.ways) - 1)]
