"""Checks that C plays the same games as Python, slot by slot, and that Ludoglot works without C."""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from c_comparison import GAMES, HEAVY, compare_random_game, compile_game, compile_rules, load_random_variant
from language.growing_values import END, GROWING_RULES, make_growing_game
from language.random_trails import make_trail_game
from language.set_choices import make_game_with_all_choices
from ludoglot.dsl.backend_c import program, toolchain
from ludoglot.dsl.backend_c.ffi import NativeContext, NativeError
from ludoglot.dsl.backend_c.marshal import PositionMarshaller
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.backend_c.toolchain import NativeBuild, find_compiler
from ludoglot.dsl.ir.value_types import UnsupportedConstructError
from ludoglot.dsl.ir.verify import verify_kinds
from ludoglot.dsl.storage.control_slots import PC, RANDOM
from ludoglot.engine.bots.native import ALL_BOTS_DEFINE, NativeGame, bot_sources
from ludoglot.engine.lab.playout import PlayoutRun, play_game
from ludoglot.engine.position.position import RuleError
from ludoglot.engine.position.seeds import generator_from_seed
from shared_games import shared

needs_cc = pytest.mark.usefixtures("require_compiler")


@pytest.fixture
def require_compiler():
    assert find_compiler() is not None, "these tests need a C compiler, called cc"


def test_unsupported_constructs_are_named(monkeypatch):
    monkeypatch.setattr(program, "MAX_SET_BITS", 8)
    with pytest.raises(UnsupportedConstructError) as refused:
        CProgram(shared(GAMES["tic-tac-toe"]).module.machine, 2)
    assert str(refused.value) == "a set of more than 8 members"


@pytest.mark.long
@needs_cc
@pytest.mark.parametrize("words", [2, 4])
def test_multi_word_sets_behave_like_single_word_sets(monkeypatch, words):
    """A small game with sets as wide as those of a large one plays the same."""
    monkeypatch.setattr(program, "largest_set_size", lambda machine: 64 * words)
    game = shared(GAMES["orchard-floor"])
    assert [compare_random_game(game, compile_game(game), seed, 30)[0] for seed in range(2)] == [None, None]


def assert_c_supports_all_rules(name, players=None):
    """Asserts that C supports all rules and hidden states of a game. Otherwise Python would silently play instead."""
    game = shared(GAMES[name], players)
    program = CProgram(game.module.machine, game.players)
    assert ALL_BOTS_DEFINE in bot_sources(program)
    program.write()
    assert verify_kinds(program.kinds) == []


@pytest.mark.long_cases(
    "amazons", "backgammon", "chess", "cribbage", "english-draughts", "evolution", "hearts", "international-draughts",
    "lines-of-action", "scopa", "snapszer", "trias", "drift", "food-chain", "masquerade", "causeways",
)
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) if name == "dominant-species" else name for name in GAMES])
def test_c_supports_each_game_with_valid_kinds(name):
    assert_c_supports_all_rules(name)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [(name, players) for name, most in (("dominant-species", 6), ("evolution", 8), ("trias", 5))
                                               for players in range(3, most + 1)])
def test_c_supports_heavy_games_for_every_number_of_players(name, players):
    assert_c_supports_all_rules(name, players)


@needs_cc
@pytest.mark.parametrize("how", ["exactly 2", *(pytest.param(how, marks=pytest.mark.long) for how in ("some", "up to 2"))])
def test_set_choices_match_python(how):
    game = make_game_with_all_choices(how)
    c = compile_game(game)
    assert [compare_random_game(game, c, seed, 60)[0] for seed in range(40)] == [None] * 40


@pytest.mark.long
@needs_cc
def test_trails_match_python():
    game = make_trail_game()
    c = compile_game(game)
    assert [compare_random_game(game, c, seed, 60)[0] for seed in range(20)] == [None] * 20


@pytest.mark.long
@needs_cc
@pytest.mark.parametrize("name", ["connect-four", "orchard-floor", "oware"])
def test_small_games_match_python_at_every_decision(name):
    game = shared(GAMES[name])
    wrong, decisions = compare_random_game(game, compile_game(game), 1, 60)
    assert wrong is None and decisions > 5


@needs_cc
@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_all_games_match_python_at_every_decision(name):
    game = shared(GAMES[name])
    c = compile_game(game)
    found = [compare_random_game(game, c, seed, 100 if name in HEAVY else 400) for seed in range(4 if name in HEAVY else 8)]
    assert [wrong for wrong, _ in found if wrong is not None] == []


SECRET = "5eed5eed5eed5eed0123456789abcdef"
SMALL = {"orchard-floor", "yacht"}


@pytest.mark.long_cases("yacht", "orchard-floor")
@needs_cc
@pytest.mark.parametrize("name", [name if name in SMALL else pytest.param(name, marks=pytest.mark.long) for name in GAMES])
def test_a_game_with_a_secret_seed_matches_python(name):
    """With a secret seed, C and Python draw random numbers with the same key."""
    game = shared(GAMES[name])
    wrong, _ = compare_random_game(game, compile_game(game), SECRET, 60 if name in HEAVY else 200)
    assert wrong is None


@needs_cc
def test_keyed_hashes_match_hashlib(tmp_path):
    """Compares keyed hashes with hashlib, for keys and texts of every length in use."""
    source, made = tmp_path / "hash.c", tmp_path / "hash.so"
    head = program.read_header("support.h").split("typedef struct { i64 *v;")[0] + "typedef struct { i64 left; } lg_x;\n"
    hashes = program.read_header("generator.h").split("/* splitmix64")[0]
    door = "u64 hashed(const u64 *key, const char *text, int length) { return lg_blake2b(key, text, length); }"
    source.write_text("\n".join(["#define LG_WORDS 1", head, hashes, door]), encoding="utf-8")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", made, source], check=True)
    hashed = ctypes.CDLL(str(made)).hashed
    hashed.restype, hashed.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
    rng = random.Random(7)
    for length in [*range(129), *[8] * 50]:
        key, text = rng.randbytes(16), rng.randbytes(length)
        assert hashed(None, text, length) == int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
        if length:
            assert hashed(key, text, length) == int.from_bytes(hashlib.blake2b(text, digest_size=8, key=key).digest(), "little")


@needs_cc
@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("yacht", 3), ("evolution", 3), ("evolution", 5), ("liars-dice", 4), ("trias", 5)])
def test_games_with_more_players_match_python(name, players):
    game = shared(GAMES[name], players)
    wrong, decisions = compare_random_game(game, compile_game(game), 3, 200)
    assert wrong is None and decisions > 20


@needs_cc
@pytest.mark.long
@pytest.mark.parametrize("name", sorted(HEAVY))
@pytest.mark.parametrize("chance", range(5))
def test_games_of_random_variants_match_python(name, chance):
    """Plays five games of each, without the compiler's optimizations. `bench/c_equality.py` plays thousands."""
    rng = random.Random(f"fifty {chance}")
    game = load_random_variant(name, rng)
    c = NativeContext(compile_rules(game))
    assert [wrong for wrong, _ in (compare_random_game(game, c, rng.getrandbits(63), 1000) for _ in range(5)) if wrong is not None] == []


@needs_cc
@pytest.mark.long
@pytest.mark.parametrize("name", GROWING_RULES)
def test_unbounded_growth_stops_at_the_same_decision_as_in_python(tmp_path: Path, name: str):
    game = make_growing_game(tmp_path, GROWING_RULES[name] + END)
    c = compile_game(game)
    c.load(game.new_position(1).s)
    decisions = c.games([1], [1]).decisions[0]
    position, made, chance = game.new_position(1), 0, random.Random(1)
    with pytest.raises(RuleError):
        position.run_to_decision()
        while True:
            position.play(position.s[1], chance.randrange(2))
            made += 1
    assert decisions == made


@pytest.fixture(scope="module")
def sanitizing_process():
    """Yields a process that plays games with the sanitizers. See sanitized_games.py."""
    asked = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environ = os.environ | {"LD_PRELOAD": asked.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    script = Path(__file__).with_name("sanitized_games.py")
    with subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ) as process:
        yield process
        process.stdin.close()


@needs_cc
@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_sanitizers_find_nothing(name, sanitizing_process, tmp_path):
    errors = tmp_path / "errors"
    sanitizing_process.stdin.write(f"{name}\t{errors}\n")
    sanitizing_process.stdin.flush()
    assert sanitizing_process.stdout.readline() == "0\n", errors.read_text(encoding="utf-8")[-2000:]


@pytest.mark.long
@needs_cc
@pytest.mark.parametrize(("name", "limit"), [("connect-four", 500), ("flower-stall", 500), ("connect-four", 5), ("yacht", 20)])
def test_simulated_games_match_python(name, limit):
    game = shared(GAMES[name])
    native = NativeGame(game)
    native.wait()
    assert native.found is not None
    native.found.notes = native.found.notes[:8]                     # too small, so that the buffer must grow
    assert [PlayoutRun(game, seed, ("random",), limit).play_to_end(native) for seed in range(5, 20)] \
        == [play_game(game, seed, limit=limit) for seed in range(5, 20)]


@pytest.mark.long
@needs_cc
def test_threads_with_separate_contexts_play_the_same_games():
    game = shared(GAMES["connect-four"])
    players = [compile_game(game) for _ in range(4)]
    found: dict[int, list[int]] = {}

    def play_games(n: int) -> None:
        players[n].load(game.new_position().s)
        found[n] = list(players[n].games(range(300), range(300)).decisions)

    threads = [Thread(target=play_games, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len({tuple(one) for one in found.values()}) == 1


@pytest.mark.long
@needs_cc
def test_working_memory_grows_if_it_is_too_small():
    game = shared(GAMES["orchard-floor"])
    c = compile_game(game)
    c.load(game.new_position().s)
    wanted = c.games([1, 2, 3], [4, 5, 6])
    c.allocate(64)
    c.reload()
    assert c.games([1, 2, 3], [4, 5, 6]) == wanted and c.room > 64


@pytest.mark.long
@needs_cc
def test_an_invalid_program_counter_raises_an_error():
    game = shared(GAMES["connect-four"])
    c = compile_game(game)
    position = game.new_position(1)
    position.s[PC] = 10**6
    c.load(position.s)
    with pytest.raises(NativeError):
        c.step(0)


def test_no_library_is_built_without_a_compiler(monkeypatch):
    monkeypatch.setattr(toolchain, "find_compiler", lambda: None)
    assert NativeBuild("int x;").library() is None


@needs_cc
def test_a_compiler_from_a_python_package_is_the_fallback(monkeypatch, tmp_path):
    """If no compiler is installed, Ludoglot uses one from a Python package. The package has a program of its own, called by its path."""
    package = tmp_path / "ziglang"
    package.mkdir()
    (package / "__init__.py").write_text("")
    program = package / "zig"
    program.write_text(f'#!/bin/sh\n[ "$1" = cc ] || exit 3\nshift\nexec {shutil.which("cc")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    for one in (toolchain.find_compiler, toolchain.compiler_version):
        one.cache_clear()
    try:
        assert toolchain.find_compiler() == (str(program), "cc") and toolchain.compiler_version()
        assert NativeBuild("int lg_here_too;").library() is not None
        program.chmod(0o644)
        toolchain.find_compiler.cache_clear()
        assert toolchain.find_compiler() is None
    finally:
        monkeypatch.undo()
        for one in (toolchain.find_compiler, toolchain.compiler_version):
            one.cache_clear()


@needs_cc
def test_code_that_does_not_compile_gives_no_library():
    assert NativeBuild("this is no C").library() is None


@needs_cc
def test_a_cache_that_others_can_write_to_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    made = NativeBuild("int lg_here;").library()
    assert made is not None
    monkeypatch.setattr(NativeBuild, "run_compiler", lambda self, path: None)
    assert NativeBuild("int lg_here;").library() == made
    (tmp_path / "mine").chmod(0o777)
    assert NativeBuild("int lg_here;").library() is None

def test_a_function_too_large_for_compilers_is_reported(monkeypatch):
    monkeypatch.setattr(program, "MAX_FUNCTION_CHARS", 100)
    small = CProgram(shared(GAMES["tic-tac-toe"]).module.machine, 2)
    with pytest.raises(UnsupportedConstructError, match="a function of more than 100 characters"):
        small.write()


@needs_cc
@pytest.mark.parametrize("bound", ["memory", "time", "text"])
def test_a_too_costly_compilation_is_stopped_and_not_repeated(monkeypatch, tmp_path, bound):
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    game = shared(GAMES["tic-tac-toe"])
    NativeBuild("int x;").library()                                    # the directory already exists
    with monkeypatch.context() as narrow:
        match bound:
            case "memory":
                narrow.setattr(toolchain, "LIMITED_SHELL", ("/bin/sh", "-c", 'ulimit -v 60000; exec "$@"', "sh"))
            case "time":
                narrow.setattr(toolchain, "COMPILE_TIMEOUT_S", 0.001)
            case "text":
                narrow.setattr(toolchain, "MAX_SOURCE_CHARS", 100)
        native = NativeGame(game)
        native.wait()
        assert native.found is None and native.hindrance == "costly"
    if bound != "text":
        monkeypatch.setattr(NativeBuild, "run_compiler", lambda self, path: pytest.fail("compiled again"))
        native = NativeGame(game)
        native.wait()
        assert native.hindrance == "costly"


@needs_cc
def test_a_stopped_build_gives_no_library():
    wanted = NativeBuild("int x;")
    wanted.stop()
    assert wanted.library() is None


def test_the_generator_state_survives_encoding():
    """The state of the generator has 64 bits, one more than a signed number can hold."""
    game = shared(GAMES["hearts"])
    program = CProgram(game.module.machine, game.players)
    words = PositionMarshaller(program.slot_ranges(), program.mask_words, program.machine.waits)
    position = game.start(2)
    for generator in ((1 << 64) - 3, generator_from_seed(SECRET) + (1 << 63) + 5, (1 << 192) - 1):
        position.s[RANDOM] = generator
        s = list(position.s)
        s[RANDOM] = 0
        words.decode(words.encode(position.s), s)
        assert s[RANDOM] == generator and type(position)(game, s).canonical() == position.canonical()
