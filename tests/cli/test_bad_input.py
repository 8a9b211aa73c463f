"""Checks that any input, argument or environment gives a sentence and an exit code, never a traceback, and loses no game."""

from __future__ import annotations

import io
import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ludoglot.engine.cli.console import UsageError
from ludoglot.engine.cli.input_values import MAX_TYPED_CHARS, decode_line, parse_path
from ludoglot.engine.i18n.user_input import parse_int
from ludoglot.engine.match.save_reader import read_contents

from .conftest import COMMAND

TIC = ("play", "tic-tac-toe", "--seats", "human,human", "--seed", "1")
HUGE = "9" * 5000
ODD_LINES = [
    "log ²", "log ٣", "²", HUGE, f"log {HUGE}", "-1", "--5", "1_000", "0", "1 ²", "1,²", "a1 x²", "a1 x" + "9" * 400, "a1 *99",
    "save \0", "save a\0b", "save ~nobody-there/x", "save " + "x" * 5000, "save /proc/nothing/x", "save .", "board \0", f"? {HUGE}",
    "? --5", "? -", "? ²", "cards \0", "options ²", "lang \0", "\ud800", "save \udc80", "\x1b[A", "why " + "(" * 500, "?" * 500, ";" * 500,
    "x" * 100_000, "1," * 5000, "\u202e", "{who}", "%s", "undo undo", "news 9", "help me", "'; DROP", "~the", "\t", "\x00",
]


@pytest.mark.long
def test_odd_lines_do_not_end_a_session(ludoglot, save_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in ODD_LINES:
        said = ludoglot(*TIC, "--save", tmp_path / "one.ludoglot", typed=f"{line}\nboard\na1\n")
        assert said.code == 0 and "went wrong inside" not in said.err, line
        assert "The game is saved" in said.out, line
        assert ludoglot("replay", tmp_path / "one.ludoglot", "--verify").code == 0


@pytest.mark.long
def test_odd_lines_do_not_end_games_with_quantities_and_cards(ludoglot, toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)                                    # some of them save a copy
    for game in ("parry", "flower-stall"):
        lines = "\n".join(line for line in ODD_LINES if "\n" not in line)
        said = ludoglot("play", toys / game, "--seats", "human,human", "--seed", "1", typed=lines + "\n")
        assert said.code == 0 and "went wrong inside" not in said.err


@pytest.mark.parametrize("given", ["1" * 5000, "²", "1e3", "", " ", "0x10", "--5", "1_0", "\ud800", "9" * 19, "nan"])
def test_invalid_numbers_are_rejected(ludoglot, given):
    for option in ("--seed", "--players", "--max-rounds"):
        said = ludoglot("play", "tic-tac-toe", option, given)
        assert said.code == 2 and said.err.startswith("Error: ") and len(said.err) < 400, option


LONG = "x" * 5000
NO_HOME = "~nobody-there/x"
HEX = ("play", "hex")


@pytest.mark.long_cases("line25")
@pytest.mark.parametrize("line", [
    ("play", "a\0b"), ("replay", "a\0"), ("show", "\0"), ("check", "\0"), ("play", LONG), ("replay", LONG), ("show", "~nobody-there"),
    ("play", NO_HOME), ("play", "--resume", NO_HOME), ("replay", NO_HOME), ("play", "--resume", LONG), ("check", LONG), ("test", LONG),
    ("trace", LONG), ("fmt", LONG), ("words", "status", LONG), ("why", LONG), (*HEX, "--pack", LONG), (*HEX, "--pack", "/dev/null/x"),
    ("play", "\udc80"), ("replay", "/proc/self/mem"), (*HEX, "--save", "/proc/x/y"), (*HEX, "--save", LONG), (*HEX, "--save", NO_HOME),
    (*TIC, "--names", "a" * 101 + ",b"), ("explain", "\udc80" * 100), ("replay", "hex", "--html", NO_HOME), (*HEX, "--option", "="),
    (*HEX, "--option", f"a={LONG}"), (*HEX, "--langs", "\udc80"), ("--lang", "\udc80" * 9), (*HEX, "--seats", "," * 5000),
])
def test_odd_arguments_are_rejected_with_a_sentence(ludoglot, line):
    said = ludoglot(*line)
    assert said.code in (1, 2) and said.err.strip() and "went wrong inside" not in said.err


def test_a_too_long_name_is_rejected_with_the_limit(ludoglot):
    assert "100" in ludoglot(*TIC, "--names", "a" * 101 + ",b").err
    assert ludoglot(*TIC, "--names", "a" * 100 + ",b").code == 0


@pytest.mark.parametrize("text, value", [("7", 7), (" 7 ", 7), ("²", None), ("٣", 3), ("-1", None), ("", None), ("1_0", None),
                                         ("9" * 19, None), ("½", None), ("1.0", None), ("+1", None)])
def test_parsing_of_numbers(text, value):
    assert parse_int(text) == value


def test_decoding_of_lines_and_paths():
    assert decode_line("x" * 10_000) == "x" * MAX_TYPED_CHARS and decode_line("é") == "é"
    assert decode_line("\udcc3\udca9") == "é" and decode_line("\udcff") == "\ufffd" and "\ud800" not in decode_line("a\ud800")
    for wrong in ("a\0", "~nobody-there/x"):
        with pytest.raises(UsageError):
            parse_path(wrong)


# ------------------------------------------------------------ streams


def run_shell(tmp_path, *args, **more):
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8", **more.pop("environ", {})}
    line = " ".join(f"'{part}'" for part in (*COMMAND, *args, "--lang", "en"))
    return subprocess.run(["sh", "-c", f"{line} {more.pop('streams', '')}"], input=more.pop("typed", b""), capture_output=True, check=False,
                          env=environment, timeout=60, cwd=tmp_path)


def list_saves(folder):
    return list(Path(folder).rglob("*.ludoglot"))


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="streams of a shell")
def test_closed_or_full_streams_give_a_sentence(tmp_path):
    cases = [
        (TIC, {"streams": "<&-"}, 0, b"is saved"), (TIC, {"streams": ">&-", "typed": b"a1\n"}, 1, b"cannot be written"),
        (TIC, {"streams": "2>&-", "typed": b"a1\n"}, 0, b"is saved"), (("games",), {"streams": ">&-"}, 1, b"cannot be written"),
        (TIC, {"streams": "<&- >&- 2>&-"}, 1, b""),
    ]
    if Path("/dev/full").exists():
        full = {"streams": "> /dev/full"}
        cases += [(TIC, {**full, "typed": b"a1\n"}, 1, b"cannot be written"), (("games", "--json"), full, 1, b"cannot be written"),
                  (("play", "x"), {"streams": "2> /dev/full"}, 2, b"")]
    for line, more, code, wanted in cases:
        done = run_shell(tmp_path, *line, **more)
        said = done.stdout + done.stderr
        assert done.returncode == code and wanted in said, (line, more, said)
        assert b"Traceback" not in said and b"Exception ignored" not in said and b"inside Ludoglot" not in said, (line, more, said)
    for path in list_saves(tmp_path):
        read_contents(path)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="streams of a shell")
def test_undecodable_input_does_not_fail(tmp_path):
    for encoding, typed in (("ascii", "á1\na1\nsave é.ludoglot\n".encode()), ("utf-8", b"\xff\xfe\na1\nsave \xff.ludoglot\n"),
                            ("utf-16", b"a1\n")):
        done = run_shell(tmp_path, *TIC, typed=typed, environ={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"})
        assert done.returncode == 0 and b"Traceback" not in done.stderr and b"inside Ludoglot" not in done.stderr, (encoding, done.stderr)
    assert (tmp_path / "é.ludoglot").exists()


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="folders of Unix")
def test_odd_environment_variables_do_not_fail(tmp_path):
    home = {"HOME": str(tmp_path / "home")}
    for environ in ({"XDG_DATA_HOME": "here", "XDG_CACHE_HOME": "there", "LUDOGLOT_CACHE": "", **home},
                    {"COLUMNS": "9" * 5000, "LINES": "x"},
                    {"COLUMNS": "99999999", "LINES": "-5", "TERM": "\x1b[", "LANG": "\udcff", "LC_ALL": "", "TZ": "No/Where"},
                    {"HOME": "/nowhere", "LUDOGLOT_CACHE": "/dev/null/x", "LC_ALL": "xx_YY.NONE", "NO_COLOR": "\udcff"}):
        done = run_shell(tmp_path, *TIC, typed=b"a1\n", environ=environ)
        assert done.returncode in (0, 1) and b"Traceback" not in done.stderr, (environ, done.stderr)
        assert b"inside Ludoglot" not in done.stderr, (environ, done.stderr)
    assert not (tmp_path / "here").exists() and not (tmp_path / "there").exists()
    assert list_saves(tmp_path / "home" / ".local" / "share" / "ludoglot" / "saves")


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_anywhere_leaves_a_save_that_verifies(tmp_path, ludoglot):
    rng = random.Random(3)
    for n in range(4):
        path = tmp_path / f"{n}.ludoglot"
        line = [*COMMAND, *TIC, "--save", str(path), "--lang", "en"]
        with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as game:
            said, answered = b"", 0
            wait = time.monotonic() + 60
            while said.count(b"Your choice> ") < 1 + n // 2 and time.monotonic() < wait:
                if select.select([game.stdout], [], [], 0.1)[0]:
                    said += os.read(game.stdout.fileno(), 1 << 16)
                while answered < min(n // 2, said.count(b"Your choice> ")):
                    answered += 1
                    game.stdin.write(f"{answered}\n".encode())
            if n % 2:
                game.stdin.write(b"1\n")
                time.sleep(rng.random() * 0.01)
            game.send_signal(signal.SIGINT)
            out, err = game.communicate(timeout=60)
        assert game.returncode in (0, 130) and b"Traceback" not in err, err
        assert len(read_contents(path).lines) >= answered
        assert ludoglot("replay", path, "--verify").code == 0


def type_until_ctrl_c(monkeypatch, answers):
    """Simulates a terminal at which these answers are typed, then Ctrl-C at the next question. Returns the answers that remain."""
    class Screen(io.StringIO):
        def isatty(self):
            return True
    left = iter(answers)

    def typed(prompt=""):
        try:
            return next(left)
        except StopIteration:
            raise KeyboardInterrupt from None
    monkeypatch.setattr(io, "StringIO", Screen)
    monkeypatch.setattr("builtins.input", typed)
    return left


MENU_ANSWERS = ("1", "tic", "Anna", "Bea", "", "", "a1", "a2", "quit", "2", "quit", "3", "tic", "", "4", "2", "2", "quit", "5")


@pytest.mark.long
@pytest.mark.parametrize("count", range(len(MENU_ANSWERS)))
def test_ctrl_c_at_each_question_of_the_menu_exits_cleanly(ludoglot, save_folder, monkeypatch, count):
    """Covers the questions of the menu before, during, and after a game."""
    answers = type_until_ctrl_c(monkeypatch, MENU_ANSWERS[:count])
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    said = ludoglot()
    assert said.code == 0 and "inside Ludoglot" not in said.err and not list(answers)
    for path in list_saves(save_folder):
        assert ludoglot("replay", path, "--verify").code == 0 and (count < 8 or len(read_contents(path).lines) == 2)


@pytest.mark.parametrize("count", range(6))
def test_ctrl_c_between_two_players_saves_the_game(ludoglot, toys, tmp_path, monkeypatch, count):
    type_until_ctrl_c(monkeypatch, ("", "1", "", "1", "", "1")[:count])
    path = tmp_path / "one.ludoglot"
    said = ludoglot("play", toys / "parry", "--seats", "human,human", "--seed", "1", "--save", path)
    assert said.code == 0 and "The game is saved" in said.out
    assert len(read_contents(path).lines) == count // 2 and ludoglot("replay", path, "--verify").code == 0


def test_a_number_with_too_many_digits_is_reported(ludoglot):
    for lang, said_so in (("en", "too many digits"), ("it", "troppe cifre"), ("es", "demasiadas cifras"), ("hu", "túl sok számjegy")):
        said = ludoglot("play", "tic-tac-toe", "--seed", "9" * 50, "--lang", lang)
        assert said.code == 2 and said_so in said.err


def test_a_folder_instead_of_a_save_is_reported(ludoglot, tmp_path):
    (tmp_path / "a\nb.ludoglot").mkdir()
    said = ludoglot("play", "--resume", tmp_path / "a\nb.ludoglot", "--lang", "en")
    assert said.code == 1 and "not a regular file" in said.err and "a<U+000A>b.ludoglot" in said.err and said.err.count("\n") == 1
