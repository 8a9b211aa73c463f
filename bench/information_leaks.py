"""Checks that a seat learns nothing that it may not see: `python bench/information_leaks.py [--game hearts] [--count 1000] [--seconds 60]
[--seed 1] [--json]`.

The script plays random games. At each decision it makes a twin of the position for each seat. In the twin, everything that the rulebook
hides from this seat is dealt again at random. bench/visibility_oracle.py lists what the rulebook hides, independently of the engine. The
script plays the same moves in both, as long as the seat may see the same by the rulebook. Everything that the seat gets must then be
identical: its view, the question, the moves and their texts, the events, and the determinization. Sometimes it also compares the drawn
table, and the reason why a move is not offered. Each comparison is one pair.

The script also checks each view against the rulebook alone. Everything that the seat may not look at must be `hidden`, and everything
else must be visible.

With `--timing`, the script measures the time of the prompt instead (question, moves in words, table). It compares twins, and two copies
of one position. If hidden values changed the time, twins would differ more than copies.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ludoglot.api import Game, Match, load
from ludoglot.dsl.storage.layout import StateStorage
from ludoglot.dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.position import Position, RuleError
from visibility_oracle import ANNOUNCED, BACKS, EYES, KNOWN, NOBODY, OTHERS, OWN, OWNER, SOON

ROOT = Path(__file__).parent.parent
AHEAD = 2                            # decisions played after the start of a pair
TURNS = 400                          # maximum number of decisions in one game
TABLE, WHY = 12, 150                 # pairs between two comparisons of the table, and of `why`
ATTEMPTS = 7                         # measurements of each prompt
LANGUAGES = ("en", "it", "es", "hu")


@dataclass
class Watched:
    """The results for one game."""

    game: str
    players: int
    pairs: int = 0
    views: int = 0                   # compared with the rulebook
    kinds: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    seconds: float = 0.0


# ------------------------------------------------------------ the rulebook


def may_look(game: str, position: Position, state: str, index: list[int], seat: int) -> bool:
    """Whether the seat may look there, by the rulebook."""
    who = EYES[game].get(state)
    if who in (None, KNOWN):
        return True
    if who == NOBODY:
        return False
    if who == OTHERS:
        return index[-1] != seat
    owner = index[0] if who == OWN else position.raw_value(OWNER[game], index[0])
    return bool(owner == seat)


def seen(game: str, position: Position, seat: int) -> list[Any]:
    """Returns everything that the rulebook shows to a seat: open values, and the number of things in hidden places."""
    out: list[Any] = [position.rounds, *((d.seat, d.key) if (d := position.decision) is not None else ())]
    for name, cell in position.game.cells.items():
        if name not in EYES[game]:
            out.append(cell.list_canonical_entries(position.s))
            continue
        for index, raw in cell.iter_values(position.s):
            look = may_look(game, position, name, index, seat)
            out.append(repr(raw) if look else None if single(cell) else [back(game, position, cell, thing) for thing in parts(cell, raw)])
    return out


def back(game: str, position: Position, cell: StateStorage, thing: int) -> object:
    """Returns the visible attribute of a thing that is face down."""
    kind = cell.state.type.of.name                                 # type: ignore[union-attr]
    attribute = BACKS.get(game, {}).get(kind)
    return None if attribute is None else position.game.model.enum_of(kind).values[attribute][thing]      # type: ignore[union-attr]


def parts(cell: StateStorage, raw: Any) -> list[int]:
    return cell.codec.parts(raw)


def single(cell: StateStorage) -> bool:
    """Whether each place of this state holds one value, not a container of things."""
    return isinstance(cell.state.type, MemberOf | Int | Bool)


def closed(game: str, position: Position, seat: int) -> Iterator[tuple[StateStorage, list[int], Any]]:
    for name, cell in position.game.cells.items():
        if EYES[game].get(name, KNOWN) != KNOWN and name not in SOON.get(game, ()):
            for index, raw in list(cell.iter_values(position.s)):
                if not may_look(game, position, name, index, seat):
                    yield cell, index, raw


def dealt(game: str, position: Position, seat: int, pinned: set[int], rng: random.Random) -> bool:
    """Deals again what the seat may not see, except pinned things that a move is about to show. Returns whether anything changed."""
    before = position.canonical()
    places: dict[str, list[tuple[StateStorage, list[int], list[int]]]] = {}
    for cell, index, raw in closed(game, position, seat):
        kind = cell.state.type
        if isinstance(kind, MemberOf):
            if position.raw_value(OWNER[game], index[0]) >= 0:
                position.set_raw(cell, index, rng.randrange(6))
        elif isinstance(kind, BagOf | SetOf | ListOf | PileOf | OptionalOf) and isinstance(kind.of, MemberOf):
            places.setdefault(kind.of.name, []).append((cell, index, cell.codec.parts(raw)))
    for found in places.values():
        free: dict[object, list[int]] = {}
        for cell, _, held in found:
            for thing in held:
                if thing not in pinned:
                    free.setdefault(back(game, position, cell, thing), []).append(thing)
        for things in free.values():
            rng.shuffle(things)
        for cell, index, held in found:
            new = [thing if thing in pinned else free[back(game, position, cell, thing)].pop() for thing in held]
            position.set_raw(cell, index, cell.codec.pack(new))
    position.invalidate_memos()
    return position.canonical() != before and not position.broken_invariants()


# ------------------------------------------------------------ pairs


class Leaks:
    """Watches one game."""

    def __init__(self, game: Game, rng: random.Random, watched: Watched) -> None:
        self.game, self.rng, self.watched = game, rng, watched
        self.path: list[str] = []

    def play(self, seed: int, until: int, end: float) -> None:
        """Plays one random game, and compares pairs at each of its decisions."""
        match, watched = self.game.start(seed=seed), self.watched
        match._leave_c()                                           # the referee changes the positions of Python
        self.path = [f"{self.game.id}, {self.game.players} players, seed {seed}"]
        for _ in range(TURNS):
            if match.over or watched.pairs >= until or time.monotonic() > end:
                return
            for seat in range(self.game.players):
                self.by_the_book(match, seat)
                self.pair(match, seat)
            option = self.rng.choice(match.options)
            self.path.append(str(option))
            match.play(option)
            del match._table.steps[:-1]                             # earlier events are the same for both

    def by_the_book(self, match: Match, seat: int) -> None:
        """Compares the view of a seat with the rulebook."""
        self.watched.views += 1
        shown = match.view(seat)["states"]
        for name, cell in match.position.game.cells.items():
            if EYES[self.game.id].get(name) == KNOWN:
                continue
            for index, _ in cell.iter_values(match.position.s):
                value = shown[name]
                for member, enum in zip(index, cell.enums):
                    called = match.position.game.codecs.member_codec(enum.name).write(member)
                    value = value.get(called) if isinstance(value, dict) else value
                look = may_look(self.game.id, match.position, name, index, seat)
                if look == (isinstance(value, dict) and set(value) == {"hidden"}):
                    self.leak(seat, f"{name} {index} is {'hidden from whoever may' if look else 'shown to whoever may not'} look there")

    def pair(self, match: Match, seat: int) -> None:
        """Makes a twin, and plays the same moves in the position and in the twin."""
        decision = match.position.decision
        assert decision is not None
        option = self.rng.choice(decision.options)
        pinned = {value for _, kind, value in option.values if isinstance(value, int) and isinstance(kind, MemberOf)}
        one, two = match.copy(), match.copy()
        if not dealt(self.game.id, two.position, seat, pinned if decision.seat != seat else set(), self.rng):
            self.watched.kinds["nothing to deal anew"] += 1
            return
        if seen(self.game.id, one.position, seat) != seen(self.game.id, two.position, seat):
            raise AssertionError("the referee dealt what is seen")
        self.alike(one, two, seat, [])
        for ahead in range(AHEAD):
            if one.over or two.over:
                break
            option = option if ahead == 0 else self.rng.choice(one.position.decision.options)      # type: ignore[union-attr]
            other = two.position.decision.find(option.spelling)    # type: ignore[union-attr]
            if other is None:
                self.watched.kinds["parted: the other cannot do the same"] += 1
                break
            try:
                one._table.play(option)
            except RuleError:
                break
            try:
                two._table.play(other)
            except RuleError:
                self.watched.kinds["parted: a rule stumbled in what cannot be"] += 1
                break
            is_same_view = seen(self.game.id, one.position, seat) == seen(self.game.id, two.position, seat)
            if not is_same_view or announced(self.game.id, one) != announced(self.game.id, two):
                self.watched.kinds["parted: something was shown"] += 1
                break
            self.alike(one, two, seat, [f"then {option}"])

    def alike(self, one: Match, two: Match, seat: int, then: list[str]) -> None:
        """Compares everything that a seat gets from the two matches."""
        self.watched.pairs += 1
        number, lang = self.watched.pairs, LANGUAGES[self.watched.pairs % 4]
        self.expect(seat, "the view", one.view(seat), two.view(seat), then)
        first, second = one.position.decision, two.position.decision
        if then:
            self.expect(seat, "what is heard", *(heard(match, lang, seat) for match in (one, two)), then)
        if first is not None and second is not None and first.seat == seat:
            self.expect(seat, "the options", [o.spelling for o in first.options], [o.spelling for o in second.options], then)
            self.expect(seat, "the question", one.question(lang), two.question(lang), then)
            if number % 3 == 0:
                self.expect(seat, "the options in words", *([m.words(o.spelling, lang) for o in m.options] for m in (one, two)), then)
        if number % 3 == 1 and first is not None:                  # after the end, no bot determinizes a position
            self.expect(seat, "what can be imagined", *(imagined(match, seat) for match in (one, two)), then)
        if number % TABLE == 0:
            self.expect(seat, "the table", one.table(lang, seat), two.table(lang, seat), then)
        if number % WHY == 0 and first is not None and first.seat == seat:
            asked = self.rng.choice(first.options).spelling
            self.expect(seat, "why", one.why(asked, lang), two.why(asked, lang), then)

    def expect(self, seat: int, what: str, one: Any, two: Any, then: list[str]) -> None:
        self.watched.kinds[what] += 1
        if one != two:
            self.leak(seat, f"{what} differs: {parted(one, two)}", then)

    def leak(self, seat: int, what: str, then: list[str] | None = None) -> None:
        self.watched.leaks.append(f"{what}, for seat {seat}: " + "; ".join([*self.path[:1], f"{len(self.path) - 1} decisions",
                                                                          *self.path[-3:], *(then or [])]))


class Timed(Leaks):
    """Measures the time of the prompt, in pairs and in copies of one position."""

    def __init__(self, game: Game, rng: random.Random, watched: Watched) -> None:
        super().__init__(game, rng, watched)
        self.twins: list[float] = []                               # differences in per cent between the slower and the quicker one
        self.copies: list[float] = []

    def alike(self, one: Match, two: Match, seat: int, then: list[str]) -> None:
        first, second = one.position.decision, two.position.decision
        if first is not None and second is not None and first.seat == second.seat == seat:
            self.watched.pairs += 1
            self.twins.append(apart(one, two, seat))
            self.copies.append(apart(one, one.copy(), seat))


def apart(one: Match, two: Match, seat: int) -> float:
    """Returns by how many per cent the slower prompt takes longer. It compares the best processor times of several attempts."""
    best = [float("inf"), float("inf")]
    for attempt in range(2 * ATTEMPTS):
        match = (one, two)[attempt % 2]
        begun = time.process_time_ns()
        match.question("en")
        for option in match.options:
            match.words(option.spelling, "en")
        match.table("en", seat)
        best[attempt % 2] = min(best[attempt % 2], time.process_time_ns() - begun)
    return 100 * (max(best) / min(best) - 1)


def timed(name: str, seed: int, count: int, seconds: float) -> Timed:
    """Measures `count` prompts of a game with the fewest players, in pairs."""
    low, _ = sizes(name)
    rng = random.Random(f"{name} {seed}")
    leaks = Timed(load(place(name), low), rng, Watched(name, low))
    end = time.monotonic() + seconds
    while leaks.watched.pairs < count and time.monotonic() < end:
        leaks.play(rng.getrandbits(30), count, end)
    return leaks


def heard(match: Match, lang: str, seat: int) -> list[str]:
    return match._get_narrator(lang).step_lines(match._table.steps[-1], seat)


def announced(game: str, match: Match) -> list[Any]:
    """Returns the events of the last step by which the rulebook shows something to everybody."""
    return [(event.key, event.slots) for event in match._table.steps[-1].events if event.key in ANNOUNCED.get(game, ())]


def imagined(match: Match, seat: int) -> str:
    """Returns the digest of a determinization for the seat, or the error text if there is none."""
    try:
        return determinize_position(match.position, seat, random.Random(1)).digest()
    except ValueError as error:
        return str(error)


def parted(one: Any, two: Any) -> str:
    """Returns the first difference between two nested values."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        return next(f"{key}: {parted(one[key], two[key])}" for key in one if one[key] != two[key])
    return f"{str(one)[:200]} is not {str(two)[:200]}"


def most(values: list[float]) -> float:
    """Returns the 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def watch(name: str, seed: int, count: int, seconds: float = float("inf")) -> Iterator[Watched]:
    """Compares `count` pairs of a game, spread over all numbers of players."""
    low, high = sizes(name)
    counts = list(range(low, high + 1))
    for players in counts:
        begun, watched = time.monotonic(), Watched(name, players)
        rng = random.Random(f"{name} {players} {seed}")
        leaks = Leaks(load(place(name), players), rng, watched)
        end = begun + seconds / len(counts)
        while watched.pairs < count // len(counts) and time.monotonic() < end:
            leaks.play(rng.getrandbits(30), count // len(counts), end)
        watched.seconds = time.monotonic() - begun
        yield watched


def place(name: str) -> str:
    return name if name in list_game_ids() else str(ROOT / "tests" / "games" / name)


def sizes(name: str) -> tuple[int, int]:
    """Returns the smallest and the largest number of players."""
    low, high = load(place(name)).loaded.game.ruleset.source.player_range
    return low, high


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--game", choices=EYES, action="append")
    arguments.add_argument("--count", type=int, default=1000, help="pairs of each game")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="of the clock, for each game, at most")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--timing", action="store_true", help="how long prompts take, instead")
    given = arguments.parse_args()
    if given.timing:
        for name in given.game or list(EYES):
            found = timed(name, given.seed, given.count, given.seconds)
            print(f"{name}: {found.watched.pairs} prompts; half of the twins took within {median(found.twins):.1f} % of each other,"
                  f" 95 in 100 within {most(found.twins):.1f} %; copies {median(found.copies):.1f} %,"
                  f" {most(found.copies):.1f} %", flush=True)
        return
    rows, leaked = [], 0
    for name in given.game or list(EYES):
        for one in watch(name, given.seed, given.count, given.seconds):
            leaked += len(one.leaks)
            rows.append({**vars(one), "leaks": one.leaks[:20], "leaked": len(one.leaks)})
            if not given.json:
                print(f"{name}, {one.players} players: {one.pairs} pairs, {one.views} views by the rulebook, {len(one.leaks)} leaks,"
                      f" {one.seconds:.0f} s")
                print("    " + ", ".join(f"{many} {kind}" for kind, many in sorted(one.kinds.items())))
                for leak in one.leaks[:5]:
                    print(f"  ! {leak}")
                sys.stdout.flush()
    if given.json:
        print(json.dumps(rows, indent=2))
    sys.exit(1 if leaked else 0)


if __name__ == "__main__":
    main()
