"""Plays games with the compiler's sanitizers, which watch addresses, indices, shifts and overflows.

Start this script with the library of the address sanitizer in LD_PRELOAD. It imports all modules once. Then it reads lines with the name
of a game and a file for error messages. For each line it plays the game in a new process, and prints the exit code of this process.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
import extras  # noqa: E402
from c_comparison import (  # noqa: E402
    COMPILE_FLAGS,
    GAMES,
    HEAVY,
    OPEN_BOARDS,
    compare_bots_in_game,
    compare_random_game,
    compile_game,
)
from ludoglot.dsl.backend_c import toolchain  # noqa: E402
from ludoglot.engine.bots.native import GREEDY_BOT_ID, NativeBots  # noqa: E402
from ludoglot.engine.library.find import GameLocation  # noqa: E402
from ludoglot.engine.library.loaded_game import LoadedGame  # noqa: E402
from ludoglot.engine.position.position import Game  # noqa: E402
from shared_games import shared  # noqa: E402

FLAGS = (*(flag for flag in COMPILE_FLAGS if flag not in ("-w", "-O2")),
         "-O0", "-g", "-DLG_CHECK", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
toolchain.processor_features = lambda: ""
HAS_VECTOR = extras.is_installed("vector")
if HAS_VECTOR:
    from ludoglot.api import vector
    from ludoglot.dsl.backend_c import lockstep
    from ludoglot.engine.api import vector_matches
    from ludoglot.engine.api.fast_encoding import FastEncoder
    from ludoglot.engine.api.fast_position import FastPosition, make_runner
    from ludoglot.engine.api.loading import Game as ApiGame
    lockstep.INITIAL_MATCH_BYTES = 128                             # too small, so that the buffer must grow


def play(name: str) -> None:
    """Plays games, alone and by bots. If the number of actions is fixed, plays matches in lockstep and single ones."""
    game = shared(GAMES[name])
    c = compile_game(game, FLAGS)
    for seed in range(2 if name in HEAVY else 4):
        wrong, _ = compare_random_game(game, c, seed, 150)
        assert wrong is None, wrong
    c.load(game.new_position(1).s)
    c.games(range(20), range(20), max_decisions=300)
    c.load(game.start(1).s)
    c.play_bots(1, 300, ["random"] * game.players)
    wrong, _ = compare_bots_in_game(game, c, 1, 30, (GREEDY_BOT_ID, 150), 10)
    assert wrong is None, wrong
    if HAS_VECTOR and name not in OPEN_BOARDS:
        play_lockstep_matches(name, game, c)


def play_lockstep_matches(name: str, game: Game, c: NativeBots) -> None:
    """Plays matches in lockstep and single ones, with the same library."""
    vector_matches.make_library = lambda loaded: c.library
    loaded = LoadedGame(GameLocation(name, GAMES[name], str(GAMES[name])), game, [], [])
    matches = vector(ApiGame(loaded, "en"), 5, seed=1, limit=50, threads=2)
    assert matches.native
    for step in range(120):
        matches.step((matches.masks * (1 + (7 * step + 3) % 11)).argmax(axis=1))
        matches.observe(step % game.players)
    assert not matches._matches.positions
    runner, encoder = make_runner(game, c.library), FastEncoder(matches.tables)
    for seed in range(4):
        found = FastPosition.start(game, runner, seed)
        for step in range(60):
            if found.over:
                break
            found = found.copy() if step % 3 else FastPosition.load(runner, found.position)
            found.step(found.codes[(7 * step + 3) % len(found.codes)])
            encoder.observe(found, step % game.players)
        encoder.payoffs(found)
        assert found.native


def play_in_child(name: str, errors: str) -> int:
    """Plays a game in a new process, which writes its error messages to a file. Returns its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(errors, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    code = 1
    try:
        play(name)
        gc.collect()                                               # frees what C has allocated
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


for line in sys.stdin:
    print(play_in_child(*line.rstrip("\n").split("\t")), flush=True)
