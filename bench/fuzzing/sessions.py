"""Fuzzes typed input: `typed` (lines at the prompts), `lines` (command lines), and `terminal` (keys at a separate terminal)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import random
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from unittest.mock import patch

from ludoglot.engine.commands.main import COMMANDS, main
from ludoglot.engine.match import save_index
from ludoglot.engine.match.save_reader import read_contents
from ludoglot.engine.match.setup import SaveError

from .judging import ROOT, Tally, judged

TOY = ROOT / "tests" / "games" / "parry"
PLAYED = ("tic-tac-toe", "connect-four", "hex", "kalah", "liars-dice", str(TOY))
PIECES = ["1", "2", "3", "a1", "log", "board", "undo", "why", "?", "save", "news", "cards", "help", "lang", "hu", "it", "options", "²", "٣",
          "x", "*", ",", ";", "-1", "9" * 30, "9" * 5000, "\0", "\x1b[2J", "\u202e", "\ud800", "é", "日本", "~nobody", "/dev/null", "..",
          "", " ", "\t", "{who}", "%s", "'", '"', "\\", "(", ")", "pass", "x2", "1e9", "NaN", "none", "😀", "hint", "points", "table", "--",
          "redo", "rules", "explain", "show", "all", "last", "0x10", "1_0", "½", "İ", "ı", "ß", "ǅ", "e\u0301", "\u200b", "\r", "\x7f",
         "\x85",
          "\u2028", "a" * 3000, "(" * 500, "?" * 200, "1 " * 400]
OPTIONS = ["--players", "--seats", "--names", "--langs", "--option", "--pack", "--seed", "--save", "--resume", "--max-rounds", "--no-auto",
           "--plain", "--json", "--lang", "--verify", "--view", "--html", "--svg", "--check", "--help", "--version", "--mend", "--"]
VALUES = ["2", "0", "-1", "99999999999999999999", "hex", "tic-tac-toe", "human,human", "bot:random,bot:random", "bot:greedy", "en",
          "xx", "a=b", "=", "", ",", "\udc80", "\x1b]0;x\x07", "~nobody/x", "/dev/null", "/dev/zero", "/proc/self/mem", ".", "x" * 5000,
          "é", "W102", "status", "İ", "²", "\u202e", "1e400", "a\nb", "toy", "toy/parry.rules:3"]
KEYS = [b"\x01", b"\x02", b"\x05", b"\x06", b"\x08", b"\x0b", b"\x0c", b"\x0e", b"\x10", b"\x12", b"\x14", b"\x15", b"\x17", b"\x19",
        b"\x1f", b"\x7f", b"\t", b"\r", b"\n", b"\x1b", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[H", b"\x1b[F", b"\x1b[5~",
        b"\x1b[6~", b"\x1b[3~", b"\x1bOP", b"\x1b[15~", b"\x1bb", b"\x1bf", b"\x1b\x7f", b"\x1b[<0;5;5M", b"\x1b[<0;5;5m", b"\x1b[<64;9;9M",
        b"\x1b[M !!", b"\x1b[200~pasted\n1\n\x1b[201~", b"\x1b[999;999R", b"\x1b[", b"\x1b]0;x\x07", b"\xff\xfe", b"\xc3", b"\x00",
        b"1", b"2", b"a", b"b", b" ", b"?", b"x", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"why", b"undo", b"log 3"]
PATIENCE = 60.0                      # seconds within which a session at a terminal must end
WRONG = ("Traceback", "inside Ludoglot", "CAME THROUGH", "Unhandled exception")


def typed(rng: random.Random, tally: Tally) -> None:
    """Types lines into sessions. Checks that each session reads all its lines, and that its save verifies."""
    with tempfile.TemporaryDirectory() as folder, patch.object(save_index, "saves_folder", lambda: Path(folder) / "saves"):
        while tally.going:
            lines = [rng.choice(["", " ", ","]).join(rng.choice(PIECES) for _ in range(rng.randrange(1, 5))) for _ in range(50)]
            lines = [line for line in lines if line.strip().split(" ")[0].lower() not in ("quit", "q")]
            lines = [line for line in lines if not line.lstrip().startswith("save") or "dev" not in line and ".." not in line]
            path = Path(folder) / "one.ludoglot"
            path.unlink(missing_ok=True)
            game, lang = rng.choice(PLAYED), rng.choice(["en", "it", "es", "hu"])
            how = {"game": game if "/" not in game else "parry", "lines": lines, "lang": lang}
            args = ["play", game, "--seats", "human,human", "--seed", "1", "--save", str(path), "--lang", lang]
            with contextlib.chdir(folder):
                judged(tally, "typed", how, args, "\n".join(lines) + "\n", usual=LINES)
                tally.kinds["sessions"] += 1
                try:
                    tally.kinds["decisions saved"] += len(read_contents(path).lines)
                except SaveError as fault:
                    tally.found("typed", fault.key, how)
            tally.tried += len(lines)


LINES = 8.0                          # extra seconds of processor time for fifty lines, because each of them draws the screen


def lines(rng: random.Random, tally: Tally) -> None:
    """Runs random command lines."""
    commands = [*COMMANDS, "", "nothing"]
    with tempfile.TemporaryDirectory() as folder, patch.object(save_index, "saves_folder", lambda: Path(folder) / "saves"):
        shutil.copytree(TOY, Path(folder) / "toy")
        with contextlib.chdir(folder):
            while tally.going:
                command = rng.choice(commands)
                args = [command] if command else []
                for _ in range(rng.randrange(4)):
                    args.append(rng.choice(rng.choice([OPTIONS, VALUES, VALUES, ["toy"]])))
                if command in ("check", "test", "trace", "words", "games") and not {"toy", "hex", "tic-tac-toe"} & set(args):
                    args.append("toy")                             # avoids a run over all games
                if args[:2] == ["words", "update"] or "extract" in args:
                    continue
                tally.kinds[f"exit code {judged(tally, 'lines', {'args': args}, args, 'quit' + chr(10), usual=1.0)[0]}"] += 1
                tally.tried += 1


# ------------------------------------------------------------ keys at a terminal


class Screen:
    """A child process that runs a command at its own terminal."""

    def __init__(self, args: list[str], folder: Path) -> None:
        self.said = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:                                          # pragma: no cover  the child never returns
            code = 70
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)            # the parent may ignore this signal
                os.environ.update(TERM="xterm-256color", HOME=str(folder), XDG_DATA_HOME=str(folder), PROMPT_TOOLKIT_NO_CPR="1")
                sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode, encoding="utf-8", errors="surrogateescape", closefd=False)
                                                     for n, mode in enumerate(("r", "w", "w")))
                os.chdir(folder)
                code = main(args)
                sys.stdout.flush()
            except BaseException as error:
                os.write(2, f"CAME THROUGH {type(error).__name__}: {error}".encode("utf-8", "replace"))
            finally:
                os._exit(code)
        self.size(24, 80)

    def size(self, rows: int, columns: int) -> None:
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, raw: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self.master, raw)

    def listen(self, seconds: float, until: bytes = b"") -> bool:
        """Reads output for `seconds`, or until `until` appears. Returns False if the program has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (until and until in self.said):
            if select.select([self.master], [], [], left)[0]:
                try:
                    part = os.read(self.master, 1 << 16)
                except OSError:
                    return False
                if not part:
                    return False
                self.said = self.said[-100_000:] + part
        return True

    def left(self, ending: bytes) -> int | None:
        """Leaves any open question, page or menu, then the program, and returns its exit code."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.type(b"\x07\x05\x15" + ending)                     # leaves a search, goes to the end of the line, clears the line
            if not self.listen(0.5):
                break
        return self.end()

    def end(self) -> int | None:
        """Returns the exit code, or None if the program had to be killed."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.master)
                return os.waitstatus_to_exitcode(status)
            self.listen(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)
        return None


def terminal(rng: random.Random, tally: Tally) -> None:
    """Presses keys at the scrolling screen, the full screen, the plain screen and the menu, some hundred in each session.

    Ctrl-C or Ctrl-D ends the session. It must not end before, unless the game has ended, and its save must verify.
    """
    with tempfile.TemporaryDirectory() as place:
        while tally.going:
            folder = Path(place) / f"s{tally.tried}"
            folder.mkdir()
            kind = rng.choice(["scrolling", "whole", "plain", "menu"])
            game, lang = rng.choice(PLAYED), rng.choice(["en", "it", "es", "hu"])
            path = folder / "one.ludoglot"
            args = ["--lang", lang] if kind == "menu" else [
                "play", game, "--seats", "human,human", "--seed", "1", "--save", str(path), "--lang", lang,
                *{"whole": ["--full"], "plain": ["--plain"], "scrolling": []}[kind]]
            keys = [b"".join(rng.choice(KEYS) for _ in range(rng.randrange(1, 4))) + (b"\r" if rng.random() < 0.4 else b"")
                    for _ in range(rng.randrange(60, 200))]
            how = {"kind": kind, "args": [arg.replace(str(folder), "") for arg in args], "keys": [key.decode("latin-1") for key in keys]}
            session(rng, tally, Screen(args, folder), kind, keys, how, path)
            shutil.rmtree(folder)


def session(rng: random.Random, tally: Tally, screen: Screen, kind: str, keys: list[bytes], how: dict[str, object], path: Path) -> None:
    """Runs one session, and checks its last screen, its exit code, and its save."""
    screen.listen(20, until=b">" if kind != "whole" else b"\x1b[?1049h")
    alive = True
    for n, key in enumerate(keys):
        screen.type(key)
        tally.tried += 1
        if rng.random() < 0.02:
            screen.size(rng.choice([1, 5, 24, 60]), rng.choice([1, 20, 80, 200]))
        if n % 8 == 0 and not screen.listen(0.01):
            alive = False
            break
    screen.listen(0.2)
    screen.size(24, 80)
    code = screen.left(rng.choice([b"\x03", b"\x04"])) if alive else screen.end()
    tally.kinds[f"{kind}: {'ended by the keys' if not alive else 'left'}"] += 1
    shown = screen.said.decode("utf-8", "replace")
    wrong = next((place for word in WRONG if (place := shown.find(word)) >= 0), -1)
    if code is None:
        tally.found("terminal", f"hung: {shown[-300:]}", how)
    elif code not in (0, 1, 2, 130) or wrong >= 0:
        tally.found("terminal", f"exit code {code}: {shown[max(0, wrong - 200):][:3000]}", how)
    if kind == "menu" or not path.exists():
        return
    try:
        record = read_contents(path)
        tally.kinds["decisions saved"] += len(record.lines)
        if not alive and not (record.lines and record.lines[-1].over):
            tally.found("terminal", "the session ended before the game", how)
    except SaveError as fault:
        tally.found("terminal", fault.key, how)
