"""Checks a line typed on a terminal: the text below it, completion with Tab, and a whole program in a pseudo-terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time

import pytest
from ludoglot.engine.terminal.bracketed_paste import InterruptiblePasteReader
from ludoglot.engine.terminal.completion import InputCompletion
from ludoglot.engine.terminal.line_editor import RESIZE_DEBOUNCE_S, LineEditor
from ludoglot.engine.terminal.terminal import CLEAR_SCREEN, Terminal
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from .terminal_harness import FakeConsole

TEXTS = ["Adaptation 1", "Adaptation 2", "Glaciation 4"]


def find_completions(typed: str) -> list[InputCompletion]:
    return [
        InputCompletion(len(typed), text, f"{n}  {text}") for n, text in enumerate(TEXTS, 1) if text.casefold().startswith(typed.casefold())
    ]


def type_keys(keys: str) -> tuple[str, LineEditor]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        line = LineEditor(FakeConsole("en"))
        pipe.send_text(keys)
        return line.read("> ", find_completions, "help · quit"), line


@pytest.mark.long
def test_tab_completes_single_matches_and_common_prefixes():
    assert type_keys("gl\t\r")[0] == "Glaciation 4"
    assert type_keys("ad\t2\r")[0] == "Adaptation 2"


def test_toolbar_shows_commands_or_matches():
    line = LineEditor(FakeConsole("en"))
    line.fits, line.bar = find_completions, "help · quit"
    assert line.toolbar_text("") == "help · quit" == line.toolbar_text("  ")
    assert line.toolbar_text("ad") == "1  Adaptation 1\n2  Adaptation 2"
    assert line.toolbar_text("zz") == "help · quit"


class GrowingTerminal(DummyOutput):
    """A terminal whose size changes during typing."""

    asked = 0

    def get_size(self) -> Size:
        self.asked += 1
        return Size(24, 80) if self.asked < 3 else Size(30, 100)


@pytest.mark.long
def test_resize_returns_an_empty_line_unless_text_is_typed():
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=GrowingTerminal()):
        assert LineEditor(FakeConsole("en")).read("> ", find_completions, "help") == ""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=GrowingTerminal()):
        pipe.send_text("gl")                                       # the typed text is not lost
        threading.Timer(3 * RESIZE_DEBOUNCE_S, pipe.send_text, ["a\r"]).start()
        assert LineEditor(FakeConsole("en")).read("> ", find_completions, "help") == "gla"


def test_end_of_input_and_interrupt_leave_the_game(monkeypatch):
    for key in ("\x04", "\x03"):
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            terminal = Terminal(FakeConsole("en"))
            terminal.live, terminal.plain = True, False
            pipe.send_text(key)
            assert terminal.read("> ") is None


@pytest.mark.parametrize("lost", ["\x1b[200~", "\x1b[200~1\n", "\x1b[200~1\x1b[20", "a\x1b[200~b\x1b[201~\x1b[200~c"])
def test_unterminated_paste_can_be_interrupted(lost):
    for leaving in ("\x03", "\x04\x03"):
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            terminal = Terminal(FakeConsole("en"))
            terminal.live, terminal.plain = True, False
            pipe.send_text(f"{lost}{leaving}")
            late = threading.Timer(1, pipe.send_text, ["\x1b[201~\r"])  # the paste ends late, but the line still counts
            late.start()
            assert terminal.read("> ") is None
            late.cancel()


class ChunkReader:
    closed = False

    def __init__(self, *chunks):
        self.chunks = list(chunks)

    def read(self, count=1024):
        return self.chunks.pop(0)


def test_paste_markers_may_be_split():
    text = "a\x03\x1b[200~b\x03c\x04\x1b[200~d\x1b[201~\x03\x1b[200~\x04"
    wanted = "a\x03\x1b[200~b\x1b[201~\x03c\x04\x1b[200~d\x1b[201~\x03\x1b[200~\x1b[201~\x04"
    for size in range(1, 12):
        reader = InterruptiblePasteReader(ChunkReader(*(text[at:at + size] for at in range(0, len(text), size))))
        assert "".join(reader.read() for _ in list(reader.reader.chunks)) == wanted


def test_pasted_text_is_typed():
    assert type_keys("\x1b[200~glaci\x1b[201~\x1b[200~ation 4\x1b[201~\r")[0] == "glaciation 4"


pty = pytest.importorskip("pty") if os.name != "nt" else None
COMMAND = (sys.executable, "-c", "from ludoglot.engine.commands.main import run; run()")


class PseudoTerminal:
    """Runs a program at a pseudo-terminal of its own."""

    def __init__(self, folder, *args: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_DATA_HOME": str(folder),
                       "LANG": "C.UTF-8", "COLUMNS": "100", "LINES": "40"}
        self.program = subprocess.Popen([*COMMAND, *args], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
        os.close(slave)
        self.shown = ""

    def wait(self, text: str, since: int = 0) -> str:
        """Returns all output once `text` appears after position `since`."""
        deadline = time.monotonic() + 60
        while text not in self.shown[since:]:
            assert time.monotonic() < deadline, self.shown[since:]
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.shown

    def type(self, text: str) -> int:
        os.write(self.master, text.encode())
        return len(self.shown)

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self.master)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_hand_is_cleared_before_the_next_player(tmp_path):
    game = PseudoTerminal(tmp_path, "play", "evolution", "--seats", "human,human", "--names", "Anna,Piero", "--seed", "7")
    try:
        game.wait("press Enter")
        assert "Burrowing" not in game.shown
        game.type("\r")
        shown = game.wait("which card")
        at = game.type("1\r")
        after = game.wait("press Enter", at)[at:]
        assert CLEAR_SCREEN in after
        hand = shown[shown.rindex(CLEAR_SCREEN):]
        left = after[after.rindex(CLEAR_SCREEN):]
        assert "Anna" in hand and "Piero is next" in left and not any(line.strip() in left for line in hand.splitlines() if "/" in line)
    finally:
        game.close()
