"""Draws pictures of the running program from the sessions in sessions.yaml.

    python docs/pictures/record.py [NAME ...] [--check]

Each session runs in a separate terminal (Linux and macOS) with a seed, so the same program gives the same picture. `--check` compares the
sessions with the pictures in this folder and writes nothing. Pictures of pages depend on the browser. The script draws them if Chromium is
installed, and does not compare them. Needs the extra `docs`.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyte
import yaml
from terminal_svg import draw_recording, draw_screen

HERE = Path(__file__).parent
QUIET_SECONDS = 1.5                 # the screen is complete if the program writes nothing for this time
LONGEST_WAIT_SECONDS = 60.0
MAX_ATTEMPTS = 3                    # a busy machine can make a program pause during its work
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PROMPT = re.compile(r"\w> *$")
KEYS = {"<enter>": "\r", "<down>": "\x1b[B", "<up>": "\x1b[A", "<right>": "\x1b[C", "<left>": "\x1b[D", "<tab>": "\t", "<esc>": "\x1b"}


@dataclass
class Session:
    """A program in a pseudo-terminal, and the contents of its screen."""

    command: list[str]
    columns: int
    rows: int
    folder: Path
    quiet_seconds: float
    screen: pyte.Screen = field(init=False)

    def __post_init__(self) -> None:
        self.screen = pyte.Screen(self.columns, self.rows)
        self.stream = pyte.ByteStream(self.screen)
        self.master, inner = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_GB.UTF-8", "HOME": str(self.folder),
                       "XDG_DATA_HOME": str(self.folder / "data"), "COLUMNS": str(self.columns), "LINES": str(self.rows)}
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=inner, stdout=inner, stderr=inner,
                                        start_new_session=True)
        os.close(inner)

    def wait_until_quiet(self) -> None:
        """Reads until the program shows a prompt and is quiet, or ends. Answers queries for the cursor position like a terminal."""
        end = time.monotonic() + LONGEST_WAIT_SECONDS
        while time.monotonic() < end:
            ready, _, _ = select.select([self.master], [], [], self.quiet_seconds)
            if not ready and any(PROMPT.search(line) for line in self.screen.display):
                return
            if not ready:
                continue
            try:
                raw = os.read(self.master, 65536)
            except OSError:                                        # the program has ended
                return
            if not raw:
                return
            if b"\x1b[6n" in raw:
                os.write(self.master, f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R".encode())
            self.stream.feed(raw)

    def type(self, line: str) -> None:
        """Types a line and Enter, or presses a key such as `<down>`."""
        os.write(self.master, (KEYS.get(line) or f"{line}\r").encode())
        self.wait_until_quiet()

    def close(self) -> None:
        """Ends the program."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def draw_session(given: dict[str, Any], quiet_seconds: float) -> str:
    """Plays a session and returns its picture, or its recording, as SVG."""
    columns, rows = given["size"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if "files" in given:
            shutil.copytree(HERE / given["files"], folder / given["files"])
        session = Session([sys.executable, "-m", "ludoglot", *shlex.split(given["command"])], columns, rows, folder, quiet_seconds)
        try:
            screens = [draw_screen(session.screen) for _ in iterate(session, given.get("type", []))]
        finally:
            session.close()
    title = f"ludoglot {given.get('title', given['command'])}"
    return draw_recording(screens if given.get("frames") == "all" else screens[-1:], columns, rows, title, given["alt"])


def iterate(session: Session, lines: list[str]) -> Iterator[None]:
    """Types the lines one after the other. Yields when the screen shows the answer."""
    session.wait_until_quiet()
    yield
    for line in lines:
        session.type(line)
        yield


def draw_page(given: dict[str, Any], path: Path) -> bool:
    """Runs the commands of a page and writes its picture as PNG. Returns False if no browser is installed."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        return False
    with tempfile.TemporaryDirectory() as place:
        if "copy" in given:
            shutil.copy(HERE / given["copy"], place)
        for command in given["commands"]:
            subprocess.run([sys.executable, "-m", "ludoglot", *shlex.split(command)], cwd=place, check=True, stdout=subprocess.DEVNULL)
        size = ",".join(map(str, given["size"]))
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={size}",
                        f"--screenshot={path}", (Path(place) / given["page"]).as_uri()], check=True, stderr=subprocess.DEVNULL)
    return True


def draw_table(given: dict[str, Any]) -> bool:
    """Writes the pictures of a browser table. Returns False if no browser is installed."""
    if not any(map(shutil.which, BROWSERS)):
        return False
    from browser_table import draw_tables  # needs the extras `web` and `test-web`
    draw_tables(given, HERE)
    return True


def is_current(name: str, given: dict[str, Any], write: bool) -> bool:
    """Whether the picture of a session shows the current program. With `write`, it replaces an old picture."""
    path = HERE / f"{name}.svg"
    former = path.read_text(encoding="utf-8") if path.exists() else ""
    found = ""
    for attempt in range(MAX_ATTEMPTS):
        last, found = found, draw_session(given, QUIET_SECONDS * 2**attempt)
        if found in (former, last):                                # the same as before, or the same twice
            break
    if write and found != former:
        path.write_text(found, encoding="utf-8")
    return found == former


def main() -> int:
    """Draws the named pictures, or all. With `--check`, returns 1 if a picture has changed."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("names", nargs="*", help="names of sessions (default: all)")
    reader.add_argument("--check", action="store_true", help="compare with the pictures, and write nothing")
    asked = reader.parse_args()
    sessions = yaml.safe_load((HERE / "sessions.yaml").read_text(encoding="utf-8"))
    changed = []
    for name in asked.names or sessions:
        given = sessions[name]
        if "page" in given or "screens" in given:
            if not asked.check:
                is_drawn = draw_table(given) if "screens" in given else draw_page(given, HERE / f"{name}.png")
                print(f"{name}: {'drawn' if is_drawn else 'needs Chromium'}")
        elif is_current(name, given, write=not asked.check):
            print(f"{name}: the same")
        else:
            changed.append(name)
            print(f"{name}: changed")
    return int(asked.check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
