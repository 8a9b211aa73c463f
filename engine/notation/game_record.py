"""A whole game as text, similar to PGN or SGF: tags or a tree of nodes, the moves, and the
result. Also replays such a text (playback.py)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from ...dsl.game.notation_config import FIELD_PATTERN, RESULT, SpelledValue
from ..position.position import Position
from ..position.seeds import Seed
from .playback import RecordConventions, RecordPlayback, ReplayedRecord, parse_game_text
from .position_line import PositionNotation, StartPosition, set_up_game
from .sgf import LINE_WIDTH, SgfProperty, write_tree
from .value_spelling import ValueSpeller

NO_MOVE = "–"                                    # in a list, a move that files leave empty


class GameRecordNotation(RecordConventions):
    """Writes and reads whole games."""

    # ------------------------------------------------------------ writing

    def write(self, start: StartPosition | None, seed: Seed, options: Sequence[str], names: Sequence[str],
              loaded_tags: Mapping[str, str] | None = None, ended: str = "") -> str:
        """Returns the text of a game with this start and these options.

        `loaded_tags` holds the tags of the file that the game was loaded from. `ended` is its result if the
        players resigned or agreed. Raises NotationError."""
        begun = position = set_up_game(self.game, start, seed)
        tags_at_start = self.start_tags(start, begun)
        texts: list[str] = []
        moved: list[SgfProperty] = []
        placed: dict[str, list[str]] = {}
        properties = {key: name for name, key in self.notation.places.items()}
        for before, seat, text, after in self.iter_moves(first_number(start), begun, options):
            key = position.decision.key if position.decision is not None else ""
            position = after
            if key in properties:
                placed.setdefault(properties[key], []).append(text)
                continue
            texts += [before, text] if before else [text]
            moved.append((self.notation.nodes.get(self.game.model.enums["Player"].members[seat], ""), text))
        result = ended if ended and not position.over else self.result_text(position)
        tags = {**self.build_tags(names, result, position, loaded_tags or {}), **tags_at_start}
        if self.notation.nodes:
            return write_tree(tags, placed, moved)
        lines = [f'[{tag} "{escape_tag(value)}"]' for tag, value in tags.items()]
        return "\n".join(
            [*lines, "", *textwrap.wrap(" ".join([*texts, result]), LINE_WIDTH, break_long_words=False, break_on_hyphens=False), ""]
        )

    def iter_moves(self, number: int, position: Position, options: Sequence[str]) -> Iterator[tuple[str, int, str, Position]]:
        """Yields the number before each move, or "", the seat, the move, and the position after it. Raises NotationError.

        `number` is that of the first move. If no player begins each number, all moves of a player in a round have one number."""
        last, left = None, list(options)
        while left and position.decision is not None:
            seat, turn = position.decision.seat, self.turn_of_move(position)
            goes_on = self.notation.first is None and turn == last
            number += last is not None and not goes_on and self.ends_move_number(last[0])
            text, taken, position = self.moves.write(position, left)
            left = left[taken:]
            first = self.starts_move_number(seat) and not goes_on
            yield (f"{number}." if first else f"{number}...") if first or last is None else "", seat, text, position
            last = turn

    def turn_of_move(self, position: Position) -> tuple[int, int]:
        """Returns the seat that moves at a position, and the round."""
        return position.decision.seat if position.decision is not None else -1, position.rounds

    def list_moves(self, start: StartPosition | None, seed: Seed, options: Sequence[str], names: Sequence[str]) -> list[str]:
        """Returns the moves of a game with their numbers: `1. e4 e5`. Raises NotationError.

        If no player begins each number, it has the name of its player: `1. Anna: 13/8 24/23`."""
        out: list[str] = []
        for before, seat, text, _ in self.iter_moves(first_number(start), set_up_game(self.game, start, seed), options):
            named = f"{before} {names[seat]}:" if before and self.notation.first is None else before
            out[len(out) - (not before):] = [f"{named or out[-1]} {text or NO_MOVE}"]
        return out

    def list_latest_moves(self, start: StartPosition | None, steps: Sequence[tuple[Position, str]], names: Sequence[str]) -> str:
        """Returns the last moves as `list_moves` does, but a name replaces the number. Raises NotationError.

        `steps` are all positions with the option that was taken there. Nothing before the first of these moves is played again."""
        begins = [n for n, (before, _) in enumerate(steps)
                  if not n or not self.moves.is_continuation(before.decision, self.turn_of_move(steps[n - 1][0])[0])]
        turns = [self.turn_of_move(steps[n][0]) for n in begins]
        k = len(begins) - 1
        while k > 0 and (turns[k] == turns[k - 1] if self.notation.first is None else not self.starts_move_number(turns[k][0])):
            k -= 1
        number = first_number(start) + sum(self.ends_move_number(seat) for seat, _ in turns[:max(k, 0)])
        found = list(self.iter_moves(number, *steps[begins[k]][:1], [option for _, option in steps[begins[k]:]])) if begins else []
        texts = [text or NO_MOVE for _, _, text, _ in found]
        return " ".join([f"{names[found[0][1]]}:" if self.notation.first is None else found[0][0], *texts]) if found else ""

    def next_move_number(self, start: StartPosition | None, decisions: Sequence[tuple[int, str]]) -> int:
        """Returns the number of the next move, after decisions given by seat and key."""
        later = {key for key, move in self.notation.moves.items() if move.continues_move}
        return first_number(start) + sum(self.ends_move_number(seat) for seat, key in decisions if key not in later)

    def start_tags(self, start: StartPosition | None, position: Position) -> dict[str, str]:
        """Returns the tags for an unusual start position, or nothing if the game begins as usual."""
        if start is None or self.notation.position is None:
            return {}
        diagrams = PositionNotation(self.game, self.notation)
        return {**diagrams.line.beside, diagrams.line.tag: diagrams.write(position, start.number)}

    def build_tags(self, names: Sequence[str], result: str, position: Position, loaded_tags: Mapping[str, str]) -> dict[str, str]:
        """Returns the tags of a game: those of the notation, then the others it was loaded with. Loaded tags do not
        replace facts that the rules or the players determine."""
        players = self.game.model.enums["Player"].members
        fields = {who: names[seat] or "?" for seat, who in enumerate(players)} | {RESULT: result}
        speller = ValueSpeller(self.game, self.notation)
        line = self.notation.position
        own = {
            tag: loaded_tags.get(tag, text)
            if isinstance(text, str) and FIELD_PATTERN.search(text) is None and tag not in self.notation.statements
            else text
            for tag, text in self.notation.tags.items()
        }
        kept = {*own, *(self.notation.statements), *((line.tag, *line.beside) if line is not None else ())}
        written = {tag: speller.field_text(text, position, {}) if isinstance(text, SpelledValue)
                   else speller.fill_template(text, {}, fields) if text == self.notation.tags[tag] else text
                   for tag, text in own.items()}
        written = {tag: text for tag, text in written.items() if text or not isinstance(own[tag], SpelledValue)}
        return written | {tag: text for tag, text in loaded_tags.items() if tag not in kept}

    # ------------------------------------------------------------ reading

    def read(self, text: str, seed: Seed, number: int = 1, whole: bool = True) -> ReplayedRecord:
        """Replays the game in a text, or the one with the number `number` if there are several.

        Raises NotationError if it cannot be replayed, and UnfinishedTextError if the text is not
        `whole` and stops before the end of the game."""
        return RecordPlayback(self, parse_game_text(self.notation, text, number, whole), seed).run()


def escape_tag(text: str) -> str:
    """Escapes a text for the value of a tag."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def first_number(start: StartPosition | None) -> int:
    """Returns the number of the first move of a game."""
    return start.number if start is not None else 1


__all__ = ["ReplayedRecord", "GameRecordNotation", "set_up_game"]
