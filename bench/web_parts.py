"""Shows where the processor time of a move at the browser table goes: `python bench/web_parts.py [--tables 60] [--streams 200]
[--moves 300] [--games a,b]`.

The application runs in this process, without sockets. Random people move, and all viewers of the table then fetch their pages. The
table has the milliseconds for each move of each part, without the parts that it calls, and how often it runs. Rules are compiled, and the
first moves are made, before the measurement."""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.preview.preview_texts import OptionPreviews
from ludoglot.engine.web import app as web_app
from ludoglot.engine.web import live_match, page_builder, page_cache, security, site, storage, table_page
from web_load import Screen, create_screens

PARTS = [
    ("decision applied to the match", MatchTable, "play"), ("forced decisions", live_match.LiveMatch, "take_forced"),
    ("decision as log entry", live_match.LiveMatch, "last_entry"), ("entries read from the log", live_match.LiveMatch, "apply_entries"),
    ("log written", storage.Storage, "append_log"), ("log read", storage.Storage, "read_log"),
    ("record read", storage.Storage, "read_table"),
    ("revision read", storage.Storage, "read_revision"), ("people read", page_builder, "view_people"),
    ("page: rest", page_cache, "build_table_page"), ("page: panels", table_page, "build_panels"),
    ("page: marks of changes", table_page, "mark_changes"), ("page: marks of targets", table_page, "mark_targets"),
    ("page: option texts", table_page, "view_options"), ("page: previews", OptionPreviews, "preview_all"),
    ("page: boards and lists as data", table_page, "view_panels"), ("page: log and news", table_page, "log_lines"),
    ("page: status", table_page, "build_status_line"), ("page: template", page_builder, "render_template"),
]


class Clock:
    """The processor time of each part in each thread, without the parts that it calls."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self.local = threading.local()

    def watch(self, name: str, owner: Any, attribute: str) -> None:
        """Replaces a function by one that is measured."""
        found = vars(owner)[attribute]
        if isinstance(found, property):
            setattr(owner, attribute, property(self.measured(name, found.fget)))
        else:
            setattr(owner, attribute, self.measured(name, found))

    def measured(self, name: str, function: Any) -> Callable[..., Any]:
        """Returns a function that is measured."""
        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            inner, began = getattr(self.local, "inner", 0.0), time.thread_time()
            self.local.inner = 0.0
            try:
                return function(*args, **named)
            finally:
                spent = time.thread_time() - began
                self.seconds[name] += spent - self.local.inner
                self.calls[name] += 1
                self.local.inner = inner + spent
        return call


class LocalScreen(Screen):
    """A browser that calls the application directly."""

    app: Any = None

    async def request_alone(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], str]:
        parts, answer = urlsplit(path), list[dict[str, Any]]()
        headers = {"host": "localhost", "cookie": self.cookie, "content-type": "application/x-www-form-urlencoded",
                   "content-length": str(len(body))}
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http", "path": parts.path,
                 "raw_path": parts.path.encode(), "query_string": parts.query.encode(), "root_path": "", "server": ("localhost", 80),
                 "client": (self.address, 1), "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            answer.append(message)
        await self.app(scope, receive, send)
        text = b"".join(message.get("body", b"") for message in answer[1:]).decode()
        return answer[0]["status"], {name.decode(): value.decode() for name, value in answer[0]["headers"]}, text


async def play(screens: list[LocalScreen], moves: int, rng: random.Random) -> None:
    """Makes moves. All viewers fetch their pages after each."""
    for _ in range(moves):
        free = [screen for screen in screens if screen.asked]
        if not free:
            return
        one = rng.choice(free)
        await one.play(rng.choice(one.options))
        for screen in screens:
            if screen.table == one.table:
                await screen.fetch()


async def measure(screens: list[LocalScreen], moves: int) -> tuple[Clock, float]:
    """Returns the times of the parts, and the time of everything."""
    rng, clock = random.Random(1), Clock()
    for screen in screens:
        await screen.fetch()
    await play(screens, moves, rng)
    for part in PARTS:
        clock.watch(*part)
    began = time.process_time()
    await play(screens, moves, rng)
    return clock, time.process_time() - began


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--games", type=lambda text: text.split(","), default=list_game_ids())
    args = parser.parse_args()
    security.REQUEST_BURST = 1e9
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/parts.sqlite"
        screens = create_screens(database, args.tables, args.streams, args.games[: args.tables])
        local = [LocalScreen(0, one.game, one.table, one.base, one.cookie, one.address) for one in screens]
        LocalScreen.app = web_app.create_app(site.Site(storage.Storage(database)))
        clock, total = asyncio.run(measure(local, args.moves))
    rows = [(seconds, clock.calls[name], name) for name, seconds in clock.seconds.items()]
    rows.append((total - sum(clock.seconds.values()), args.moves, "requests, threads, sessions of the database, and the clients here"))
    for seconds, calls, name in sorted(rows, reverse=True):
        print(f"{seconds * 1000 / args.moves:7.2f} ms  {calls / args.moves:5.2f} times a move  {seconds * 100 / total:4.0f} %  {name}")
    print(f"{total * 1000 / args.moves:7.2f} ms  all")


if __name__ == "__main__":
    main()
