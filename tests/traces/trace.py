"""Records seeded games decision by decision, in words of the game alone, and compares them with recorded traces.

There is one text for each decision. It contains:

- the move taken before, and its events
- the round and the random generator
- the seat and the key of the decision, the names in scope, and the options in their order
- the standing of the seats
- every state by name and index

The text contains nothing about the compilation of the rules, so any two compilers of the same rules write the same texts. Entries that
hold 0, no, none, or nothing are left out.

A recorded game is one line of `recorded/<game>.txt`:

    2 dealing=choice; seed 1; 150 cut; 5d41402abc4b2a76; hk3Z...

The line contains the number of players, the options that do not have their default value, the seed, and the number of texts. Then follow
the way the game stopped (over, cut, or the fault), the digest of all texts, and two letters for each text. The letters are 12 bits of the
digest up to that text, so nearly all letters differ after the first text that differs.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from string import ascii_letters, digits
from typing import Any

from ludoglot.dsl.backend_python.runtime import RuleFault
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic
from ludoglot.dsl.game.variants import list_variants
from ludoglot.dsl.storage.control_slots import RANDOM
from ludoglot.engine.position.observation import visible_names
from ludoglot.engine.position.position import Game, GameEvent, Position, RuleError
from shared_games import RULES, TOYS, shared

RECORDED = Path(__file__).parent / "recorded"
GAMES = sorted(path.parent.name for folder in (RULES, TOYS) for path in folder.glob("*/game.yaml"))
MAX_TEXTS, MAX_TEXTS_WITH_OPTIONS = 300, 100  # texts after which a game is cut: with default options, and with others
LETTERS = ascii_letters + digits + "+-"


@dataclass(frozen=True)
class TracedGame:
    """One seeded game. `options` contains those that do not have their default value."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...] = ()
    seed: int = 1

    @property
    def name(self) -> str:
        return f"{self.setting}; seed {self.seed}"

    @property
    def setting(self) -> str:
        return " ".join((str(self.players), *(f"{name}={str(value).lower()}" for name, value in self.options)))

    @property
    def limit(self) -> int:
        return MAX_TEXTS_WITH_OPTIONS if self.options else MAX_TEXTS

    def compiled(self) -> Game:
        return shared(self.game, self.players, dict(self.options))


def list_traced_games(name: str) -> list[TracedGame]:
    """Returns every variant in the order of `ludoglot check`, with two games of each default variant."""
    source = shared(name).ruleset.source
    out = []
    for players, settings in list_variants(source):
        options = tuple((key, value) for key, value in settings.items() if value != source.data["options"][key]["default"])
        out += [TracedGame(name, players, options, seed) for seed in ((1,) if options else (1, 2))]
    return out


# ------------------------------------------------------------ one game


class Writer:
    """Writes a position as text, and reuses the text of unchanged states."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[str, tuple[list[Any], str]] = {}

    def states(self, position: Position) -> str:
        """Returns every state by its name, in alphabetical order."""
        return "".join(self.state(position, name) for name in sorted(self.game.cells))

    def state(self, position: Position, name: str) -> str:
        cell = self.game.cells[name]
        entries = cell.entries(position.s)
        if name not in self.known or self.known[name][0] != entries:
            names = [self.game.codecs.member_codec(enum.name).write for enum in cell.enums]
            lines = []
            for index, raw in cell.iter_values(position.s):
                written = cell.codec.write(raw)
                if written or not index:
                    lines.append(f"{name}{''.join(f'[{write(n)}]' for write, n in zip(names, index))} = {written}\n")
            self.known[name] = entries, "".join(lines)
        return self.known[name][1]

    def told(self, told: GameEvent) -> str:
        slots = "".join(f" {name}={self.game.spell(kind, value)}" for name, kind, value in told.slots)
        return f"  told {told.key}{slots}{' (to nobody)' * told.secret}\n"

    def asked(self, position: Position, ask: Callable[[], list[str]]) -> str:
        """Returns the answers that the rules can give at any time. Some answers do not exist yet during set-up."""
        try:
            lines = ask()
        except RuleFault as error:
            lines = [f"fault {format_fault(self.game.diagnose_fault(error, error.__traceback__, position.s))}"]
        except RuleError as error:
            lines = [f"fault {format_fault(error.diagnostic)}"]
        return "".join(f"  {line}\n" for line in lines)

    def moment(self, position: Position) -> str:
        """Describes the current moment of the game."""
        decision, seats = position.decision, range(self.game.players)
        text = f"round {position.rounds}, generator {position.s[RANDOM]}\n"
        if decision is not None:
            text += f"seat {decision.seat} decides {decision.key}{' in secret' * decision.kind.secret}\n"
            text += "".join(f"  of {name}={self.game.spell(*typed)}\n" for name, typed in sorted(visible_names(decision).items()))
            text += "".join(f"  may {option.spelling}\n" for option in decision.options)
        else:
            text += "over\n"
        text += self.asked(position, lambda: [f"rank {line.rank}: seat {line.seat} with {line.values}" for line in position.standing()])
        text += self.asked(position, lambda: [f"seat {seat} is worth {position.estimate(seat)}" for seat in seats])
        text += "".join(f"  broken: {name}\n" for name in position.broken_invariants())
        return text + self.states(position)


def format_fault(found: Diagnostic) -> str:
    """Returns the code of a fault, and the line of its rule."""
    return f"{found.code} at {Path(found.place.path).name}:{found.place.line}"


def iter_texts(which: TracedGame, limit: int | None = None) -> Iterator[tuple[str, str]]:
    """Yields the text of each decision, and how the game has stopped: over, cut, the fault, or nothing while it continues."""
    game = which.compiled()
    writer, position, rng = Writer(game), game.new_position(which.seed), random.Random(f"{which.game} {which.name}")
    limit = limit or which.limit
    for number in range(limit):
        text, decision = "", position.decision if number else None
        try:
            if decision is None:
                told = position.run_to_decision()
            else:
                option = decision.options[int(rng.random() * len(decision))]
                text = f"seat {decision.seat} takes {option.spelling}\n"
                told = position.play(decision.seat, option)
        except RuleError as error:
            what = format_fault(error.diagnostic)
            yield f"{text}  fault {what}\n", what
            return
        text += "".join(map(writer.told, told)) + writer.moment(position)
        stopped = "over" if position.over else "cut" if number + 1 == limit else ""
        yield text, stopped
        if stopped:
            return


# ------------------------------------------------------------ recorded


@dataclass(frozen=True)
class Trace:
    """The recorded trace of one game."""

    name: str
    stopped: str
    digest: str
    letters: str

    @property
    def count(self) -> int:
        return len(self.letters) // 2

    def line(self) -> str:
        return f"{self.name}; {self.count} {self.stopped}; {self.digest}; {self.letters}\n"

    @classmethod
    def read(cls, line: str) -> Trace:
        setting, seed, stopped, digest, letters = line.split("; ")
        return cls(f"{setting}; {seed}", stopped.split(" ", 1)[1], digest, letters.strip())

    def cut(self, count: int) -> Trace:
        """Returns the trace of the first texts, without the digest."""
        return self if self.count <= count and self.stopped != "cut" else Trace(self.name, "cut", "", self.letters[: 2 * count])


def make_trace(which: TracedGame, limit: int | None = None) -> Trace:
    """Plays a game and returns its trace."""
    digest, letters, how = hashlib.blake2b(digest_size=8), [], ""
    for text, stopped in iter_texts(which, limit):
        how = stopped
        digest.update(text.encode() + b"\0")
        bits = int.from_bytes(digest.digest()[:2], "big")
        letters += [LETTERS[bits & 63], LETTERS[bits >> 6 & 63]]
    return Trace(which.name, how, digest.hexdigest(), "".join(letters))


def read_recorded(name: str) -> dict[str, Trace]:
    """Returns the recorded traces of a game by name."""
    lines = (RECORDED / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {trace.name: trace for trace in map(Trace.read, lines)}


def write_recorded(name: str) -> None:
    """Writes the current traces of a game."""
    RECORDED.mkdir(exist_ok=True)
    text = "".join(make_trace(which).line() for which in list_traced_games(name))
    (RECORDED / f"{name}.txt").write_text(text, encoding="utf-8")


def find_differences(traced_games: Iterable[TracedGame], limit: int | None = None) -> list[str]:
    """Returns the first text of each game that differs from its recorded trace. With a limit, it compares only the texts up to there."""
    out = []
    for which in traced_games:
        wanted = read_recorded(which.game).get(which.name)
        if wanted is None:
            out.append(f"{which.game} {which.name}: is not recorded")
            continue
        found = make_trace(which, limit)
        if limit is not None:
            wanted, found = wanted.cut(limit), found.cut(limit)
        if found != wanted:
            out.append(describe_difference(which, wanted, found))
    return out


def find_first_difference(wanted: Trace, found: Trace) -> int:
    """Returns the number of the first text that differs, as far as the letters show."""
    pairs = ([trace.letters[n : n + 2] for n in range(0, len(trace.letters), 2)] for trace in (wanted, found))
    same = [one == two for one, two in zip(*pairs)]
    return same.index(False) if False in same else len(same)


def describe_difference(which: TracedGame, wanted: Trace, found: Trace) -> str:
    number = find_first_difference(wanted, found)
    were, now = f"{wanted.count}, {wanted.stopped}", f"{found.count}, {found.stopped}"
    text = f"{which.game} {which.name}: decision {number} differs (there were {were}; now {now})\n"
    if number < found.count:
        text += "".join(f"    {line}\n" for line in shorten_text(get_full_text(which, number)).splitlines())
    return text + f"  the whole text: cd tests && python -m traces {which.game} {quote(which.setting)} {which.seed} {number}\n"


def get_full_text(which: TracedGame, number: int) -> str:
    """Returns the whole text of one decision (0: the beginning)."""
    for n, (text, _) in enumerate(iter_texts(which, number + 1)):
        if n == number:
            return text
    return "(the game has stopped before)\n"


def shorten_text(text: str, most: int = 30) -> str:
    """Returns the beginning of a text."""
    lines = text.splitlines()
    return "\n".join(lines[:most] + [f"... and {len(lines) - most} lines more"] * (len(lines) > most))


def find_traced_game(game: str, setting: str, seed: int) -> TracedGame:
    """Returns the game that this line of a trace describes. Raises KeyError."""
    return {which.name: which for which in list_traced_games(game)}[f"{setting}; seed {seed}"]
