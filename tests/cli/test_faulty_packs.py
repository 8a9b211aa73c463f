"""Checks packs that fault during play: every command that plays fails, and reports the file and line of the pack."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class FaultyPack:
    """A pack that faults during play. `!!` marks the line that the report must name."""

    code: str
    game: str
    body: str

    @property
    def line(self) -> int:
        return 3 + next(n for n, row in enumerate(self.body.split("\n")) if "!!" in row)

    def text(self, name: str) -> str:
        return f"house: {name}\nfor: {self.game}\n{self.body.replace(' !!', '')}"


PACKS = {
    "division": FaultyPack("F001", "connect-four", """\
steps:
  - before: "game: disc[cell] = player"
    rules: |
      let x = 1 // (row(cell) - row(cell)) !!
"""),
    "division-in-an-event": FaultyPack("F001", "connect-four", """\
steps:
  - before: "game: disc[cell] = player"
    rules: |
      tell boom(n=1 // (row(cell) - row(cell))) !!
"""),
    "event-in-a-branch": FaultyPack("F001", "tic-tac-toe", """\
steps:
  - after: "game: mark[cell] = player"
    rules: |
      if row(cell) > 0:
          tell boom(n=1 // (size(Player) - 2)) !!
"""),
    "event-in-a-loop": FaultyPack("F001", "reversi", """\
steps:
  - instead: "game: for c in {cell} + enclosed"
    rules: |
      for c in {cell} + enclosed(player, cell):
          disc[c] = player
          for other in near(c): tell beside(n=1 // count(x in near(c) where x == c)) !!
"""),
    "event-with-a-def": FaultyPack("F001", "yacht", """\
rules: |
  def lucky = sides // (6 - sides)
steps:
  - after: "fill: sheet[player, box]"
    rules: |
      tell luck(n=lucky) !!
"""),
    "event-with-a-trial": FaultyPack("F003", "kalah", """\
rules: |
  proc borrow(player): store[player] -= 500 !!
  def poor(player) = after borrow(player): store[player]
steps:
  - after: "sow: begin"
    rules: |
      tell poor(n=poor(player))
"""),
    "remainder": FaultyPack("F001", "hex", """\
steps:
  - after: "game: stone[cell] = player"
    rules: |
      let rest = row(cell) % (column(cell) - column(cell)) !!
"""),
    "rounding": FaultyPack("F001", "kalah", """\
steps:
  - after: "sow: begin"
    rules: |
      let share = ceil(seeds[pit], store[player] - store[player]) !!
"""),
    "standing": FaultyPack("F001", "reversi", """\
rules: |
  def share(player) = held(player) // (held(player) - held(player))
replace: |
  standing player: share(player) !!
"""),
    "whole-procedure": FaultyPack("F001", "yacht", """\
replace: |
  proc fill(player, box) @YAC-GAME:
      let n = worth[box]
      sheet[player, box] = max(0, n // (n - n)) !!
"""),
    "nothing-found": FaultyPack("F002", "tic-tac-toe", """\
steps:
  - after: "game: mark[cell] = player"
    rules: |
      let there = the(c in Cell where mark[c] == none and mark[c] == player) !!
"""),
    "number-too-low": FaultyPack("F003", "kalah", """\
steps:
  - before: "sow: mover = next(player)"
    rules: |
      store[player] -= 100 !!
"""),
    "number-too-high": FaultyPack("F003", "oware", """\
rules: |
  state laps: 0..3
steps:
  - before: "sow: let held"
    rules: |
      laps += 1 !!
"""),
    "narrow-state": FaultyPack("F003", "yacht", """\
replace: |
  state face[Die]: 1..3 !!
"""),
    "moved-from-nowhere": FaultyPack("F004", "breakthrough", """\
rules: |
  state lost: set of Cell
  state found: set of Cell
steps:
  - before: "game: pawn[origin] = none"
    rules: |
      move origin from lost to found !!
"""),
    "slot-taken": FaultyPack("F005", "breakthrough", """\
rules: |
  state hand: set of Player
steps:
  - before: "game: pawn[origin] = none"
    rules: |
      hand += {player}
      move player from hand to pawn[origin] !!
"""),
    "more-than-there-is": FaultyPack("F007", "kalah", """\
steps:
  - after: "sow: seeds[pit] = 0"
    rules: |
      move 5 from seeds[pit] to store[player] !!
"""),
    "endless-loop": FaultyPack("F009", "hex", """\
rules: |
  state turns: 0..9
steps:
  - after: "game: stone[cell] = player"
    rules: |
      rounds until turns > 0: turns = 0 !!
"""),
    "broken-law": FaultyPack("F011", "reversi", """\
rules: |
  always few_discs: count(cell in Cell where disc[cell] != none) < 10 !!
"""),
    "too-many-sets": FaultyPack("F012", "hex", """\
steps:
  - after: "game: stone[cell] = player"
    rules: |
      let ways = subsets(Cell) !!
"""),
    "at-the-end": FaultyPack("F001", "kalah", """\
steps:
  - after: "game: end"
    rules: |
      for player in Player: store[player] += 1 // (store[player] - store[player]) !!
"""),
    "in-the-set-up": FaultyPack("F001", "breakthrough", """\
steps:
  - before: "game: begin"
    rules: |
      let x = 1 // (size(Player) - 2) !!
"""),
}
QUICK_PACKS = ("division", "division-in-an-event", "narrow-state", "in-the-set-up")  # the others are slow: each compiles a game
PACK_CASES = [pytest.param(name, marks=() if name in QUICK_PACKS else pytest.mark.long) for name in PACKS]


@pytest.fixture
def write_pack(tmp_path, monkeypatch):
    """Writes a pack to its own file, by its name."""
    monkeypatch.chdir(tmp_path)

    def write(name: str) -> FaultyPack:
        (tmp_path / f"{name}.yaml").write_text(PACKS[name].text(name), encoding="utf-8")
        return PACKS[name]
    return write


def assert_reported(said: str, name: str, pack: FaultyPack) -> None:
    assert f"error[{pack.code}]" in said, said
    place = rf"{name}\.yaml:{pack.line}(:|$)"
    assert re.search(place, said, re.M), f"not at {name}.yaml:{pack.line}\n{said}"


def test_the_packs_cover_many_codes_and_games():
    assert len(PACKS) >= 20 and len({pack.game for pack in PACKS.values()}) >= 8
    assert len({pack.code for pack in PACKS.values()}) >= 9


@pytest.mark.long_cases("check-narrow-state", "check-in-the-set-up", "test-narrow-state")
@pytest.mark.parametrize("name", PACK_CASES)
@pytest.mark.parametrize("command", ["check", "test", "simulate"])
def test_a_fault_in_play_fails_the_command(ludoglot, write_pack, name, command):
    pack = write_pack(name)
    args = {"check": ["--games", "20"], "test": [], "simulate": ["--games", "4"]}[command]
    said = ludoglot(command, pack.game, "--pack", f"{name}.yaml", *args)
    assert said.code == 1, said.out + said.err
    assert_reported(said.out + said.err, name, pack)
    assert "without errors" not in said.out


@pytest.mark.parametrize("name", PACK_CASES)
def test_a_game_between_bots_stops_at_the_fault(ludoglot, write_pack, name):
    pack = write_pack(name)
    if pack.code == "F011":                                        # invariants are checked in tests of games, not at the table
        pytest.skip("a law")
    said = ludoglot("play", pack.game, "--pack", f"{name}.yaml", "--seats", "bot:random,bot:random", "--seed", "1")
    assert said.code == 1, said.out + said.err
    assert f"error[{pack.code}]" in said.out + said.err


def test_a_rulebook_with_a_faulty_example_fails(ludoglot, write_pack):
    write_pack("division")
    said = ludoglot("rulebook", "connect-four", "--pack", "division.yaml", "--out", "book.md")
    assert said.code == 1
    assert_reported(said.err, "division", PACKS["division"])


@pytest.mark.extra("balance")
def test_numbers_with_faults_are_not_recommended(ludoglot, write_pack):
    pack = write_pack("division")
    said = ludoglot("balance", "connect-four", "--pack", "division.yaml", "--aim", "length=20", "--games", "4",
                    "--vary", "grid.columns=6..7")
    assert said.code == 1 and "With 2 of them, a game ended with an error" in said.out
    assert_reported(said.out, "division", pack)


def test_counting_and_stepping_fail(ludoglot, write_pack):
    pack = write_pack("division-in-an-event")
    said = ludoglot("count", "connect-four", "--pack", "division-in-an-event.yaml", "--depth", "2")
    assert said.code == 1
    assert_reported(said.out + said.err, "division-in-an-event", pack)
    said = ludoglot("debug", "step", "connect-four", "--pack", "division-in-an-event.yaml", typed="1\nq\n")
    assert said.code == 1
    assert_reported(said.out + said.err, "division-in-an-event", pack)


def test_a_faulting_scenario_of_the_game_is_a_failure(ludoglot, write_pack):
    write_pack("division")
    said = ludoglot("test", "connect-four", "--pack", "division.yaml")
    assert said.code == 1 and "4 tests failed" in said.out and "have a different result" not in said.out
    assert "division.yaml:6" in said.out


@pytest.mark.long
def test_pack_lines_that_no_game_reaches_are_named(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rare.yaml").write_text("""house: rare
for: connect-four
rules: |
  state rare: 0..9
steps:
  - after: "game: disc[cell] = player"
    rules: |
      if size(Player) == 3:
          rare += 1
          rare += 1
""", encoding="utf-8")
    said = ludoglot("check", "connect-four", "--pack", "rare.yaml", "--games", "3")
    assert said.code == 0 and "warning[W411]" in said.out and "9–10." in said.out and "rare.yaml:9" in said.out
    said = ludoglot("test", "connect-four", "--pack", "rare.yaml")
    assert said.code == 0 and "warning[W411]" in said.out and "without errors" in said.out


@pytest.mark.long
@pytest.mark.parametrize("command", ["check", "simulate"])
def test_other_bots_reach_the_end_if_random_bots_never_do(ludoglot, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "end.yaml").write_text("""house: end-fault
for: dominant-species
steps:
  - before: "game: final_scoring()"
    rules: |
      for a in animals: vp[a] += 1 // (position(a) - position(a))
""", encoding="utf-8")
    said = ludoglot(command, "dominant-species", "--pack", "end.yaml", "--games", "1")
    assert said.code == 1 and "error[F001]" in said.out and "end.yaml:6:" in said.out and "bot:easy" in said.out
