"""Checks the bots in C: the same choices as in Python, with the same work, from the same random generators."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from c_comparison import GAMES, HEAVY, compare_bots_in_game, compile_game
from language.toys import make
from ludoglot.dsl.backend_c import hidden_state
from ludoglot.dsl.backend_c.ffi import NativeError
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.backend_c.toolchain import NativeBuild, find_compiler
from ludoglot.dsl.ir.value_types import UnsupportedConstructError
from ludoglot.dsl.storage.control_slots import OPTIONS, SEAT
from ludoglot.engine.bots import exact_search, greedy, last_good_reply, mcts, native
from ludoglot.engine.bots.greedy import BOTS
from ludoglot.engine.bots.mcts import LONG_SEARCH_STEPS, weigh_options
from ludoglot.engine.bots.native import ALL_BOTS_DEFINE, GREEDY_BOT_ID, NATIVE_BOT_IDS, NativeGame, bot_sources
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.bots.selftest import think_in_python
from ludoglot.engine.bots.table_bots import TableBots
from ludoglot.engine.cli.console import LocalizedConsole, NativeNotice
from ludoglot.engine.lab.playout import PlayoutRun, play_game
from shared_games import shared

GAMES_WITHOUT_CHOICES = {"food-chain", "drift"}                    # nobody ever has a choice
SHORT_SEARCH_STEPS = 150                                           # work of a search that is large enough to reach every part of its code


@pytest.fixture(autouse=True)
def require_compiler() -> None:
    assert find_compiler() is not None, "these tests need a C compiler, called cc"


@pytest.mark.long
@pytest.mark.parametrize(("name", "most"), [("tic-tac-toe", 9), ("parry", 6)])
def test_bots_choose_the_same_moves_in_small_games(name, most):
    """Compares two bots with perfect information, and hidden cards of which a procedure knows one."""
    game = shared(GAMES[name])
    wrong, compared = compare_bots_in_game(game, compile_game(game), 1, most, (GREEDY_BOT_ID, SHORT_SEARCH_STEPS))
    assert wrong is None and compared > 2


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_bots_choose_the_same_in_every_game(name):
    game = shared(GAMES[name])
    c = compile_game(game)
    found = [compare_bots_in_game(game, c, seed, 40 if name in HEAVY else 60, (GREEDY_BOT_ID, SHORT_SEARCH_STEPS), 9) for seed in (3, 4)]
    assert [wrong for wrong, _ in found if wrong is not None] == []
    assert sum(count for _, count in found) > 2 or name in GAMES_WITHOUT_CHOICES


@pytest.mark.long_cases("parry")
@pytest.mark.parametrize("name", [pytest.param("hearts", marks=pytest.mark.long), "parry"])
def test_bots_choose_the_same_with_a_secret_seed(name):
    game = shared(GAMES[name])
    minds = (GREEDY_BOT_ID, SHORT_SEARCH_STEPS)
    wrong, compared = compare_bots_in_game(game, compile_game(game), "5eed5eed5eed5eed0123456789abcdef", 40, minds, 3)
    assert wrong is None and compared > 2


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("liars-dice", 4), ("evolution", 5), ("trias", 4), ("dominant-species", 5)])
def test_bots_choose_the_same_with_more_players(name, players):
    game = shared(GAMES[name], players)
    wrong, compared = compare_bots_in_game(game, compile_game(game), 5, 60, (GREEDY_BOT_ID, NATIVE_BOT_IDS["easy"]), 10)
    assert wrong is None and compared > 4


def play_columns(game, columns):
    """Returns a position of Connect Four after moves in these columns."""
    position = game.start(1)
    for column in columns:
        position.step(next(code for code in position.s[OPTIONS] if code % 7 == int(column) - 1))
    return position


PLANNING_GAME = """
game: toy
name: Toy
players: 2
rules: [toy.rules]
enums:
  Player: {members: {anna: {}, bela: {}}}
  Spot: [barren, poor, fair, rich, cursed]
"""
PLANNING_RULES = """
state turns: 0..3
state wanted[Player]: Spot?
state coins[Player]: 0..50
phase game:
    rounds until turns == 3: turn()
phase turn:
    for player in Player: plan(player)
    for player in Player, spot in wanted[player]: coins[player] += 99 if spot == cursed else position(spot)
    turns += 1
proc plan(player) by player:
    choose spot in Spot or stop
    wanted[player] = spot
standing player: coins[player]
"""


@pytest.mark.long
def test_a_fault_during_a_search_gives_the_same_choice():
    """After the cursed spot, the coins leave their range at the end of the turn."""
    game = make(PLANNING_GAME, PLANNING_RULES)
    c, position = compile_game(game), game.start(1)
    for code in (3, 2, 1):
        for mind in (GREEDY_BOT_ID, SHORT_SEARCH_STEPS, NATIVE_BOT_IDS["medium"]):
            for seed in range(3):
                one, two = random.Random(seed), random.Random(seed)
                assert c.choose(position, mind, two) == think_in_python(position, mind, one) and one.getstate() == two.getstate()
        position.step(code)


@pytest.mark.long
@pytest.mark.parametrize(("name", "bots", "limit"), [("tic-tac-toe", ["greedy", "random"], 500), ("parry", ["easy", "greedy"], 12)])
def test_games_of_bots_match_python(name, bots, limit, monkeypatch):
    monkeypatch.setattr(native, "INITIAL_DECISION_CAPACITY", 2)                        # too small, so that the buffer must grow
    game = shared(GAMES[name])
    made = NativeGame(game)
    made.wait()
    assert made.found is not None
    assert [play_game(game, seed, bots, limit, made) for seed in range(3)] == [play_game(game, seed, bots, limit) for seed in range(3)]


@pytest.mark.long
def test_a_game_switches_to_c_as_soon_as_the_library_is_ready(monkeypatch):
    """A match switches to C as soon as the library is ready, whatever Python has played before."""
    game = shared(GAMES["parry"])
    made = NativeGame(game)
    made.wait()
    there, made.found = made.found, None
    gone, go_on = [], PlayoutRun.play_decision

    def provide_library_at_fifth_decision(playout):
        gone.append(playout.number)
        made.found = there if len(gone) == 5 else made.found
        return go_on(playout)
    monkeypatch.setattr(PlayoutRun, "play_decision", provide_library_at_fifth_decision)
    found = play_game(game, 3, ["greedy", "easy"], 20, made)
    assert gone == [0, 1, 2, 3, 4]
    assert found == play_game(game, 3, ["greedy", "easy"], 20) and found.decisions > 6


@pytest.mark.long
def test_bots_at_a_table_choose_the_same_as_in_python():
    game = shared(GAMES["parry"])
    made = NativeGame(game)
    made.wait()
    assert made.found is not None
    position = game.start(4)
    for kind in BOTS:
        assert made.choose(kind, position, position.s[SEAT], random.Random(7)) \
            == BOTS[kind](position, position.s[SEAT], random.Random(7))


@pytest.mark.long
def test_long_searches_look_for_wins_as_in_python():
    game = shared(GAMES["tic-tac-toe"])
    assert compare_bots_in_game(game, compile_game(game), 5, 3, (LONG_SEARCH_STEPS,)) == (None, 3)


@pytest.mark.long
def test_long_searches_prove_the_same_as_in_python(monkeypatch):
    """Uses less work than usual, and so little memory that the oldest entries are dropped."""
    monkeypatch.setattr(mcts, "LONG_SEARCH_STEPS", 1500)
    monkeypatch.setattr(exact_search, "TABLE_SIZE", 16)
    monkeypatch.setitem(native.C_DEFINES, "LG_SEARCH_LONG_SEARCH_STEPS", 1500)
    monkeypatch.setitem(native.C_DEFINES, "LG_PROOF_TABLE_SIZE", 16)
    proofs, look = [], mcts.TreeSearch.search_proofs

    def count_proofs(search):
        proofs.append(search.left)
        look(search)
    monkeypatch.setattr(mcts.TreeSearch, "search_proofs", count_proofs)
    game = shared(GAMES["connect-four"])
    c = compile_game(game)
    for columns in ("43545631345544", "4132563653356635"):
        position = play_columns(game, columns)
        for mind in (1500, 4000):
            one, two = random.Random(mind), random.Random(mind)
            assert c.choose(position, mind, two) == think_in_python(position, mind, one) and one.getstate() == two.getstate()
    assert len(proofs) == 4


@pytest.mark.long
def test_long_searches_reply_as_in_python(monkeypatch):
    """Covers positions that often have an immediate win."""
    monkeypatch.setattr(mcts, "LONG_SEARCH_STEPS", 1500)
    monkeypatch.setitem(native.C_DEFINES, "LG_SEARCH_LONG_SEARCH_STEPS", 1500)
    replied, found = [], last_good_reply.LastGoodReplies.find_reply

    def record_reply(known, seat, made, codes):
        code = found(known, seat, made, codes)
        replied.append(code is not None)
        return code
    monkeypatch.setattr(last_good_reply.LastGoodReplies, "find_reply", record_reply)
    game = shared(GAMES["connect-four"])
    c = compile_game(game)
    for columns in ("43545631345544", "4353444335"):
        position = play_columns(game, columns)
        one, two = random.Random(5), random.Random(5)
        assert c.weigh(position, 15_000, two) == weigh_options(position, position.s[SEAT], one, 15_000) and one.getstate() == two.getstate()
    assert 300 < sum(replied) < len(replied)


@pytest.mark.long
@pytest.mark.parametrize("columns", ["43545631345544", "4132563653356635"])
def test_long_searches_avoid_moves_that_lose_many_moves_later(columns):
    """In these positions, every column except the sixth loses against perfect play. Playouts alone preferred a losing column."""
    game = shared(GAMES["connect-four"])
    code, _ = compile_game(game).choose(play_columns(game, columns), 8_000_000, random.Random(1))
    assert code % 7 == 5


@pytest.mark.long
def test_option_weights_match_python():
    for name, steps in (("parry", SHORT_SEARCH_STEPS), ("tic-tac-toe", 2000)):
        game = shared(GAMES[name])
        position = game.start(4)
        seat = position.s[SEAT]
        wanted = weigh_options(position, seat, random.Random(3), steps)
        assert compile_game(game).weigh(position, steps, random.Random(3)) == wanted and len(wanted) > 1


@pytest.mark.long
def test_option_weights_of_a_team_match_python():
    game = shared(GAMES["hanabi"])
    position = game.start(4)
    wanted = greedy.weigh_options(position, position.s[SEAT], random.Random(3))
    assert compile_game(game).weigh(position, NATIVE_BOT_IDS["hard"], random.Random(3)) == wanted
    assert len(wanted) == len(position.s[OPTIONS]) and wanted[0].playouts > 10
    assert wanted[0].code == BOTS["hard"](position, position.s[SEAT], random.Random(3))


def mean_score(game, kind, games):
    """Returns the mean score of a team of these bots, and the number of games in which it scored nothing."""
    bots, scores = compile_game(game), []
    for seed in range(games):
        position, number = game.start(seed), 0
        while not position.over:
            seat, codes = position.s[SEAT], position.s[OPTIONS]
            rng = decision_rng(seed, seat, number)
            position.step(codes[0] if len(codes) == 1 else bots.choose(position, NATIVE_BOT_IDS[kind], rng)[0])
            number += 1
        scores.append(position.standing()[0].values[0])
    return sum(scores) / games, scores.count(0)


@pytest.mark.long
def test_no_level_is_weaker_than_greedy_in_a_team():
    """All seats know different cards. If a partner chose as if it knew its own, the team would lose every game."""
    game = shared(GAMES["hanabi"], 3)
    greedy_mean, _ = mean_score(game, "greedy", 12)
    for kind in ("easy", "medium", "hard"):
        mean, failures = mean_score(game, kind, 12)
        assert mean >= greedy_mean > 8 and (not failures or kind == "easy")


@pytest.mark.long
def test_the_hard_bot_searches_longer_if_a_person_plays():
    game = shared(GAMES["connect-four"])
    table_bots = TableBots(game, ["hard"], True, 1.0)
    assert table_bots.native is not None
    table_bots.native.wait()
    position = game.start(1)
    found = table_bots.weigh(position, 0, random.Random(1))
    plain = weigh_options(position, 0, random.Random(1), NATIVE_BOT_IDS["hard"])
    assert sum(one.playouts for one in found) > sum(one.playouts for one in plain)
    assert table_bots.weigh(position, 0, random.Random(1)) is found
    assert table_bots.choose("easy", position, 0, random.Random(1)) == BOTS["easy"](position, 0, random.Random(1))
    assert TableBots(game, ["hard"], False).seconds == 0, "games between bots must depend only on the seed"


@pytest.mark.long_cases("compiler-compiler", "closed-bots")
@pytest.mark.parametrize(("broken", "reason"), [("compiler", "compiler"), ("rules", "rules"), ("program", "failed"), ("closed", "bots")])
def test_the_reason_for_playing_in_python_is_printed_once(broken, reason, monkeypatch, tmp_path, capsys):
    def raise_unsupported(*given: object) -> Iterator[str]:
        raise UnsupportedConstructError("a riddle")
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path))
    match broken:
        case "compiler":
            monkeypatch.setattr(native, "find_compiler", lambda: None)
        case "rules":
            monkeypatch.setattr(CProgram, "write", raise_unsupported)
        case "program":
            monkeypatch.setattr(CProgram, "write", lambda program, parts: "this is not C")
        case "closed":
            monkeypatch.setattr(hidden_state.HiddenStateWriter, "write", raise_unsupported)
    made = NativeGame(shared(GAMES["tic-tac-toe"]))
    hindered = NativeNotice(LocalizedConsole("en"), [made, made])
    made.wait()
    for _ in range(2):
        hindered.print_reasons()
    said = capsys.readouterr()
    assert made.hindrance == reason and said.out == "" and said.err.count("\n") == 1 and "Python" in said.err


@pytest.mark.long
def test_a_table_uses_a_library_only_if_it_was_compiled_before(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    game = shared(GAMES["tic-tac-toe"])

    def find_library_at_table():
        native = NativeGame(game, make=False)
        native.wait()
        return native.found
    assert find_library_at_table() is None
    assert NativeBuild("int lg_here;").library() is not None and find_library_at_table() is None
    made = NativeGame(game)
    made.wait()
    assert find_library_at_table() is not None


@pytest.mark.long
def test_search_memory_grows_if_it_is_too_small():
    game = shared(GAMES["parry"])
    c, position = compile_game(game), game.start(2)
    wanted = c.choose(position, NATIVE_BOT_IDS["medium"], random.Random(1))
    c.allocate(1 << 12)
    assert c.choose(position, NATIVE_BOT_IDS["medium"], random.Random(1)) == wanted and c.room > 1 << 12


@pytest.mark.long
def test_bots_search_in_python_if_c_does_not_support_hidden_states(monkeypatch):
    """If C does not support the hidden states, Python thinks. The random bot continues in C."""
    def raise_unsupported(*given: object) -> Iterator[str]:
        raise UnsupportedConstructError("a closed riddle")
    monkeypatch.setattr(hidden_state.HiddenStateWriter, "write", raise_unsupported)
    game = shared(GAMES["tic-tac-toe"])
    assert ALL_BOTS_DEFINE not in bot_sources(CProgram(game.module.machine, game.players))
    made = NativeGame(game)
    made.wait()
    assert made.found is not None
    with pytest.raises(NativeError):
        made.found.choose(game.start(1), GREEDY_BOT_ID, random.Random(1))
    assert play_game(game, 1, ["greedy"], native=made) == play_game(game, 1, ["greedy"])
    assert play_game(game, 1, ["random"], native=made) == play_game(game, 1, ["random"])
