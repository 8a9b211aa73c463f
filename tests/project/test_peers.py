"""Checks bench/peers.py without its peers installed: turns, tables, the page, the report of missing peers, and the games for
boardgame.io."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time

import pytest
from tmp_files import bench, filled

bench("peers")                       # makes the folder above importable
from bench.racing import availability, figures  # noqa: E402
from bench.racing import report as run_report  # noqa: E402
from bench.racing.figures import Race, Report, Times  # noqa: E402
from bench.racing.page import page  # noqa: E402
from bench.reference.boardgameio import SCRIPT, Node  # noqa: E402

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node on this machine")
# The part of boardgame.io's client that the games use: positions, moves of the player in turn, and the end after each move.
CLIENT = """
exports.Client = ({ game }) => {
  let state;
  const make = (move) => (...args) => {
    if (game.moves[move]({ G: state.G, playerID: state.ctx.currentPlayer }, ...args) !== undefined) throw new Error('not allowed');
    state.ctx.gameover = game.endIf(state);
    state.ctx.currentPlayer = String(1 - state.ctx.currentPlayer);
  };
  return {
    reset() { state = { G: game.setup(), ctx: { currentPlayer: '0', gameover: undefined } }; },
    getState: () => state,
    moves: Object.fromEntries(Object.keys(game.moves).map((move) => [move, make(move)])),
  };
};
"""


def make_report() -> Report:
    """A run with fixed figures: a game with three contestants, and games that differ."""
    slices = {"c": [(100, 700, 0.5), (300, 2100, 0.5)], "python": [(10, 70, 0.5)] * 2, "openspiel": [(20, 140, 0.5)] * 2}
    unlike = {"Trias: C": [(4, 900, 1.0)], "catanatron": [(3, 3000, 1.0)]}
    return Report("abc1234", "python bench/peers.py", "3.11.7", 2, [1.25, 7.5], 1.0, 2, {"openspiel": "2.0", "catanatron": "3.2"},
                  {"pettingzoo": "not <installed>"}, [Race("Chess", figures.rows_of(slices, False)),
                                                      Race("Heavy", figures.rows_of(unlike, True), unlike=True)])


# ---------------------------------------------------------------- the order of turns, and their figures


def test_contestants_take_turns_and_the_first_turn_is_ignored():
    played = []

    def make_racer(label: str, games: int):
        def play(seconds: float):
            played.append((label, seconds))
            return (10**6 if len(played) <= 2 else games), 10 * games, seconds
        return play
    found = figures.race("chess", {"c": make_racer("c", 6), "openspiel": make_racer("openspiel", 2)}, 1.0, 2, {})
    assert played == [("c", 1.0), ("openspiel", 1.0)] + [("c", 0.5), ("openspiel", 0.5)] * 2
    assert [(row.label, row.games, row.decisions, row.length) for row in found.rows] == [("c", 12, 120, 10), ("openspiel", 4, 40, 10)]
    assert found.rows[1].times == {"c": Times(3, 3, 3)}


def test_a_failing_peer_is_left_out():
    def raise_error(seconds: float):
        raise OSError("no more\nof this")
    failed: dict[str, str] = {}
    found = figures.race("chess", {"c": lambda seconds: (1, 7, 1.0), "openspiel": raise_error}, 1.0, 2, failed)
    assert [row.label for row in found.rows] == ["c"] and failed == {"openspiel": "failed in chess: OSError no more of this"}
    with pytest.raises(OSError):
        figures.race("chess", {"c": raise_error}, 1.0, 2, {})


def test_times_compare_contestants_in_the_same_turn():
    rows = make_report().races[0].rows
    assert rows[2].times == {"c": Times(10, 5, 15), "python": Times(0.5, 0.5, 0.5)} and "c" not in rows[0].times
    assert make_report().races[1].rows[0].times == {"catanatron": Times(0.3, 0.3, 0.3)}


# ---------------------------------------------------------------- the report page


def test_the_table_has_every_figure_once():
    lines = run_report.table(make_report()).replace(run_report.GLUE, " ").splitlines()
    assert lines[0] == "commit abc1234, Python 3.11.7, 2 processors, load 1.2 and 7.5 at the beginning and the end"
    assert [line.split() for line in lines if "Ludoglot, C" in line] == [["Ludoglot,", "C", "400", "2,800", "7.0", "–", "×", "0.067"]]
    assert [line.split() for line in lines if "Trias" in line] == [["Trias:", "C", "900", "225.0", "×", "0.3"]]
    assert lines[-3:] == ["OpenSpiel 2.0", "catanatron 3.2", "left out: PettingZoo: not <installed>"]


@pytest.mark.parametrize(("value", "said"), [(1234567, "1,230,000"), (99.96, "100"), (3.14159, "3.14"), (0.0123456, "0.0123"), (20, "20")])
def test_numbers_have_three_digits(value: float, said: str):
    assert run_report.number(value) == said


@pytest.mark.long
def test_the_page_has_a_chart_and_a_table_of_each_game():
    found = page(make_report())
    assert found.count("<svg") == found.count("</figure>") == 2 and found.count("<table>") == 4
    assert "not &lt;installed&gt;" in found and "(5\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}15)" in found
    assert "default-src &#x27;none&#x27;" in found or "default-src 'none'" in found
    assert "<script" not in found and 'src="' not in found


# ---------------------------------------------------------------- how peers are found and installed


@pytest.fixture
def restored_path(monkeypatch):
    """Restores the modules and the path of Python after a test."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(availability, "IN_PYTHON", {"catanatron": availability.Peer("catanatron", {"nobody_has_this":
"nobody-has-this>=1"})})
    monkeypatch.setitem(sys.modules, "nobody_has_this", None)
    monkeypatch.delitem(sys.modules, "nobody_has_this")
    monkeypatch.setattr(availability.shutil, "which", lambda program: None)


def test_a_missing_peer_is_reported(restored_path, tmp_path):
    had = availability.have(tmp_path, install=False)
    assert had.versions == {} and had.left_out == {"catanatron": "not installed", "boardgame.io": "no node on this machine"}
    assert sys.modules["nobody_has_this"] is None and not any(tmp_path.iterdir())


def test_a_failing_installer_is_quoted(restored_path, tmp_path, monkeypatch):
    monkeypatch.setattr(availability, "PIP", (sys.executable, "-c", "import sys; sys.exit('a warning\\nERROR: no such thing')"))
    assert availability.have(tmp_path, install=True).left_out["catanatron"] == "cannot be installed: ERROR: no such thing"


def test_a_peer_that_cannot_be_loaded_is_left_out(restored_path, tmp_path):
    packages = f"python{sys.version_info.major}.{sys.version_info.minor}"
    filled(tmp_path, {f"{packages}/nobody_has_this.py": "raise SystemError('made for another Python')\n"})
    assert availability.have(tmp_path, install=False).left_out["catanatron"] == "cannot be loaded: SystemError: made for another Python"


def test_a_hanging_installer_is_stopped():
    start = time.monotonic()
    with pytest.raises(RuntimeError, match=r"^not had: took longer than 0.5 s$"):
        availability.ran([sys.executable, "-c", "import time; time.sleep(60)"], "not had", 0.5)
    assert time.monotonic() - start < 30


# ---------------------------------------------------------------- the games that are written for boardgame.io


@pytest.mark.long
@needs_node
def test_games_in_node_are_played_to_their_end(tmp_path):
    folder = filled(tmp_path, {"node_modules/boardgame.io/client.js": CLIENT})
    with Node.of(folder) as node:
        assert node.games == ["tic-tac-toe", "connect-four"]
        for game, least, most in (("tic-tac-toe", 7.4, 7.9), ("connect-four", 20.3, 22.3)):
            games, moves, seconds = node.played(game, 0.2)
            assert games > 100 and least < moves / games < most and 0.2 <= seconds < 5, game


@pytest.mark.long
@needs_node
@pytest.mark.parametrize(("columns", "over"), [
    ("1122334", {"winner": "0"}), ("1212121", {"winner": "0"}), ("12234334744", {"winner": "0"}), ("76654554144", {"winner": "0"}),
    ("112233", None), ("121314", None),
])
def test_four_in_a_row_wins_in_each_direction(columns: str, over: object):
    play = """
const game = require(process.argv[1]).GAMES['connect-four'];
const G = game.setup();
let over, n = 0;
for (const column of process.argv[2]) {
  if (over !== undefined) throw new Error('over before');
  const playerID = String(n++ % 2);
  game.moves.drop({ G, playerID }, Number(column) - 1);
  over = game.endIf({ G, ctx: { currentPlayer: playerID } });
}
console.log(JSON.stringify(over ?? null));
"""
    done = subprocess.run(["node", "-e", play, str(SCRIPT), columns], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == over


@pytest.mark.long
@needs_node
def test_node_without_the_package_fails_at_once(tmp_path):
    with pytest.raises(RuntimeError, match="node gave no answer"):
        Node.of(tmp_path)


def test_a_hanging_process_is_stopped(tmp_path):
    script = "import sys, time; print('[]', flush=True); sys.stdin.readline(); time.sleep(60)"
    node = Node([sys.executable, "-c", script], patience=20)
    node.patience = 0.0
    start = time.monotonic()
    with pytest.raises(RuntimeError, match="node gave no answer"):
        node.played("tic-tac-toe", 0.02)
    assert time.monotonic() - start < 30 and node.process.poll() is not None


@pytest.mark.long
@needs_node
def test_games_are_listed_without_the_package():
    done = subprocess.run(["node", str(SCRIPT)], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == ["tic-tac-toe", "connect-four"]
