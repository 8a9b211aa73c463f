"""Measures the browser table under load: `python bench/web_load.py [--tables 300] [--streams 1000] [--moves 50] [--seconds 120]
[--warm-up 20] [--workers 2] [--games a,b]`.

The script runs `ludoglot serve` on a new SQLite file. Clients take all seats of the tables, and keep an event stream open each. They fetch
their page after each event, as browsers do. Then random people whose turn it is make random moves at a fixed rate. The first seconds are
not measured (`--warm-up`), because rules are compiled when they first run, in each worker. The result contains:

* `lost`: accepted moves that are not in the log, and do not wait for the answers of others
* `doubled`: moves in the log that nobody sent or that were applied twice
* `event_ms`, `screen_ms`: median and p95 from the click to the event, and to the new page, at another browser of the same table
* `screen_ms_per_window`: `screen_ms` of each 20 seconds
* `screen_ms_per_game`: `screen_ms` of the games with the highest p95
* `idle_table_kb`: growth of the server's memory for each table that is opened after the rules are compiled, and after the texts of all
  languages are loaded. Only with more than four tables of each game, and with one worker at most: each worker loads them
* `echo_ms`: the same for a bare Starlette application that only forwards an event, at the same rate with the same number of streams
* `cpu_ms_per_move`: processor time of the server and its worker processes for each move, with all pages that show it
* `client_cpu_share`: processor time of this script, as a share of one core. It is not available to the server
* `ratio`: p95 of the screen divided by p95 of the echo
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web.game_list import describe
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.storage import Storage

LANGS = ("en", "it", "es", "hu")
VISITOR = "v" * 22
WINDOW_SECONDS = 20
SHOWN_GAMES = 10
ECHO_APP = """
import asyncio, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
waiting = {}
async def play(request):
    for queue in waiting.get(request.path_params["table"], ()):
        queue.put_nowait((await request.body()).decode())
    return PlainTextResponse("")
async def events(request):
    queue = asyncio.Queue()
    waiting.setdefault(request.path_params["table"], set()).add(queue)
    async def stream():
        yield "retry: 1\\n\\n"
        while True:
            yield f"id: {await queue.get()}\\n\\n"
    return StreamingResponse(stream(), media_type="text/event-stream")
app = Starlette(routes=[Route("/{table}/play", play, methods=["POST"]), Route("/{table}/events", events)])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""


@dataclass
class Screen:
    """A browser at a table, with the last page that it has seen."""

    port: int
    game: str
    table: str
    base: str
    cookie: str
    address: str
    revision: int = -1
    latest: int = -1                                               # that the server has announced
    asked: bool = False
    busy: bool = False
    sequence: str = ""
    form: str = ""
    options: list[str] = field(default_factory=list)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)       # one request at a time

    def head(self, method: str, path: str, body: bytes) -> bytes:
        return (f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncookie: {self.cookie}\r\nx-forwarded-for: {self.address}\r\n"
                f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n\r\n").encode() + body

    async def request(self, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str], str]:
        """Sends a request on the open connection, or on a new one if the server has closed it."""
        async with self.lock:
            return await self.request_alone(method, path, body)

    async def request_alone(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], str]:
        """Sends a request while this browser has no other request running."""
        for _ in range(2):
            if self.reader is None or self.writer is None or self.reader.at_eof():
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                self.writer.write(self.head(method, path, body))
                status, headers = await read_head(self.reader)
                return status, headers, (await self.reader.readexactly(int(headers.get("content-length", 0)))).decode()
            except (asyncio.IncompleteReadError, ConnectionError):
                self.reader = None
        raise ConnectionError(path)

    async def fetch(self) -> None:
        """Fetches the page."""
        status, _, text = await self.request("GET", self.base)
        assert status == 200, (status, text[:300])
        revision = int(found[1]) if (found := re.search(r'data-revision="(\d+)"', text)) else -1
        if revision < self.revision:
            return
        self.revision, self.asked = revision, 'class="asked"' in text
        self.options = [unescape(option) for option in re.findall(r'name="option" value="([^"]*)"', text)]
        self.sequence = found[1] if (found := re.search(r'name="sequence" value="(\d+)"', text)) else ""
        self.form = found[1] if (found := re.search(r'name="form" value="([^"]*)"', text)) else ""

    async def play(self, option: str) -> bool:
        """Chooses a move. Returns whether the server accepted it."""
        body = urlencode({"form": self.form, "sequence": self.sequence, "option": option}).encode()
        status, headers, _ = await self.request("POST", f"{self.base}/play", body)
        assert status == 303, status
        return "notice=" not in headers["location"]


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Returns the status and the headers of an answer."""
    raw = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    return int(raw[0].split()[1]), {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in raw[1:] if line)}


@dataclass
class Load:
    """The measured times in milliseconds, and the number of moves."""

    events: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    groups: dict[object, list[float]] = field(default_factory=lambda: defaultdict(list))      # `screens` by game, and by window
    began: float = 0.0                                             # when the measurement began
    accepted: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    refused: int = 0
    late: int = 0                                                  # moves without a person to make them
    clicks: dict[tuple[str, int], float] = field(default_factory=dict)

    def add_screen(self, game: str, clicked: float) -> None:
        """Records a page that is on a screen now, after a click at this time."""
        now = time.perf_counter()
        took = (now - clicked) * 1000
        for times in (self.screens, self.groups[game], self.groups[int(now - self.began) // WINDOW_SECONDS]):
            times.append(took)

    def start_measurement(self) -> None:
        """Forgets the times until now."""
        self.events.clear()
        self.screens.clear()
        self.groups.clear()
        self.began = time.perf_counter()

    def summarize_groups(self, kind: type) -> dict[object, dict[str, float]]:
        """Returns the summaries of the games (str) or windows (int). The games with the highest p95 come first."""
        found = {name: summarize(times) for name, times in self.groups.items() if isinstance(name, kind)}
        ranked = sorted(found.items(), key=lambda item: -item[1]["p95"])
        return dict(sorted(found.items()) if kind is int else ranked[:SHOWN_GAMES])


async def follow(screen: Screen, load: Load, ready: asyncio.Event, path: str, echo: bool = False) -> None:
    """Keeps an event stream open, and fetches the page after each event."""
    reader, writer = await asyncio.open_connection("127.0.0.1", screen.port, limit=2**20)
    writer.write(screen.head("GET", path, b""))
    assert (await read_head(reader))[0] == 200
    ready.set()
    while line := await reader.readline():
        if line.startswith(b"id: "):
            now, revision = time.perf_counter(), int(line[4:])
            began = load.clicks.get((screen.table, revision))
            if began is not None:
                load.events.append((now - began) * 1000)
            screen.latest = revision
            if not echo and not screen.busy and revision > screen.revision:
                await screen.fetch()
                if began is not None:
                    load.add_screen(screen.game, began)


async def make_moves(screens: list[Screen], load: Load, rate: float, seconds: float, echo: bool = False) -> None:
    """Lets random people move at a fixed rate."""
    rng, began, moves = random.Random(1), time.perf_counter(), set()
    for n in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + n / rate - time.perf_counter()))
        free = [screen for screen in screens if echo or screen.asked and not screen.busy]
        if not free:
            load.late += 1
            continue
        moves.add(task := asyncio.create_task(move(rng.choice(free), load, rng, n if echo else None)))
        task.add_done_callback(moves.discard)
    await asyncio.gather(*moves)


async def move(screen: Screen, load: Load, rng: random.Random, number: int | None) -> None:
    """Makes one move, and fetches the new page of its screen."""
    if number is not None:
        load.clicks[screen.table, number] = time.perf_counter()
        await screen.request("POST", f"/{screen.table}/play", str(number).encode())
        return
    screen.busy = True
    load.clicks[screen.table, screen.revision + 1] = time.perf_counter()
    if await screen.play(rng.choice(screen.options)):
        load.accepted[screen.table] += 1
    else:
        load.refused += 1
        load.clicks.pop((screen.table, screen.revision + 1), None)
    await screen.fetch()
    screen.busy = False
    if screen.latest > screen.revision:
        await screen.fetch()


def create_screens(database: str, tables: int, streams: int, games: list[str]) -> list[Screen]:
    """Creates tables of mixed games with people in all seats, and spectators up to the number of streams."""
    storage, screens = Storage(database), list[Screen]()
    store = MatchStore(storage)
    for n in range(tables):
        game = games[n % len(games)]
        low, high = describe(game)["players"]
        players = min(high, max(low, 2))
        setup = MatchSetup(game, players, n, names=[""] * players, seats=[HUMAN] * players, langs=[""] * players)
        record = store.create(setup, True)
        for seat in record.seats:
            token = storage.take_seat(record.id, seat.seat, seat.token, f"P{seat.seat + 1}", LANGS[(n + seat.seat) % 4])
            base = f"/table/{record.id}/{seat.seat + 1}"
            screens.append(Screen(0, game, record.id, base, f"seat={token}; visitor={VISITOR}", ""))
    for n in range(streams - len(screens)):
        one = screens[n]
        screens.append(Screen(0, one.game, one.table, f"/table/{one.table}/watch", f"visitor={VISITOR}; lang={LANGS[n % 4]}", ""))
    for n, screen in enumerate(screens):
        screen.address = f"10.{n // 65025}.{n // 255 % 255}.{n % 255}"
    storage.close()
    return screens


def memory_kb(process: int) -> int:
    """Returns the memory of a process and its children in kilobytes."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            fields = dict(line.split(":", 1) for line in path.read_text().splitlines())
            if process in (int(fields["Pid"]), int(fields["PPid"])):
                found += int(fields.get("VmRSS", "0").split()[0])
    return found


def summarize(times: list[float]) -> dict[str, float]:
    """Returns the count, the median and p95 of the times."""
    ranked = sorted(times) or [0.0]
    return {"count": len(times), "median": round(statistics.median(ranked), 1), "p95": round(ranked[int(len(ranked) * 0.95)], 1)}


def cpu_seconds(process: int) -> float:
    """Returns the processor time of a process and its children."""
    found = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = path.read_text().partition(" (")
        except OSError:
            continue
        fields = rest.rpartition(") ")[2].split()
        if process in (int(number), int(fields[1])):
            found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


async def run_load(screens: list[Screen], load: Load, rate: float, seconds: float, warm_up: float = 0, server: int = 0) -> dict[str, float]:
    """Opens all streams, makes the moves, and waits for the last events. Returns the processor times.

    `server` is the process of the server, 0 for the echo."""
    echo = not server
    tasks = []
    for screen in screens:
        path = f"/{screen.table}/events" if echo else f"{screen.base}/events?revision={screen.revision}"
        tasks.append(asyncio.create_task(follow(screen, load, ready := asyncio.Event(), path, echo)))
        await ready.wait()
    await make_moves(screens, load, rate, warm_up, echo)
    load.start_measurement()
    counted, began, server_cpu, own_cpu = sum(load.accepted.values()), time.perf_counter(), cpu_seconds(server), time.process_time()
    await make_moves(screens, load, rate, seconds, echo)
    await asyncio.sleep(3)
    moves = sum(load.accepted.values()) - counted
    used = {"cpu_ms_per_move": round((cpu_seconds(server) - server_cpu) * 1000 / max(1, moves), 1),
            "client_cpu_share": round((time.process_time() - own_cpu) / (time.perf_counter() - began), 2)}
    for task in tasks:
        if task.done():
            task.result()
        task.cancel()
    return used


async def measure_table(url: str, process: int, screens: list[Screen], args: argparse.Namespace, games: int) -> dict[str, object]:
    """Measures the browser table."""
    for screen in screens:
        screen.port = int(url.rpartition(":")[2])
    opened = list(dict.fromkeys(screen.table for screen in screens))
    warm = set(opened[: games * len(LANGS)])                       # the tables of each game in all languages
    for screen in (one for one in screens if one.table in warm):
        await screen.fetch()
    before = memory_kb(process)
    for screen in (one for one in screens if one.table not in warm):
        await screen.fetch()
    idle = (memory_kb(process) - before) / max(1, len(opened) - len(warm))
    load = Load()
    used = await run_load(screens, load, args.moves, args.seconds, args.warm_up, process)
    return {"load": load, **used, "event_ms": summarize(load.events), "screen_ms": summarize(load.screens),
            "screen_ms_per_window": load.summarize_groups(int), "screen_ms_per_game": load.summarize_groups(str),
            "idle_table_kb": round(idle, 1) if len(opened) > len(warm) and args.workers < 2 else None, "moves": sum(load.accepted.values()),
            "refused": load.refused, "nobody_to_play": load.late}


def count_faults(database: str, load: Load) -> dict[str, int]:
    """Compares the log with the accepted moves, and plays it again."""
    storage, lost, doubled = Storage(database), 0, 0
    store = MatchStore(storage)
    for table, accepted in load.accepted.items():
        with store.use(table) as live:                             # raises SaveError if a position differs
            found = sum(not step.auto for step in live.match.steps) + sum(map(len, live.record.early.values()))
        lost, doubled = lost + max(0, accepted - found), doubled + max(0, found - accepted)
    storage.close()
    return {"lost": lost, "doubled": doubled}


def main() -> None:
    """Runs both servers, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--moves", type=float, default=50, help="a second")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--warm-up", type=float, default=20, metavar="SECONDS")
    parser.add_argument("--workers", type=int, default=2, help="processes that build pages")
    parser.add_argument("--games", type=lambda text: text.split(","), default=list_game_ids())
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    games = args.games[: args.tables]
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/load.sqlite"
        screens = create_screens(database, args.tables, args.streams, games)
        command = [sys.executable, "-m", "ludoglot.engine.commands.main", "serve", "--port", "0", "--database", database, "--lang", "en",
                   "--workers", str(args.workers)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = "http://" + server.stdout.readline().split("http://")[1].split(". ")[0]
            try:
                result = asyncio.run(measure_table(url, server.pid, screens, args, len(games)))
            finally:
                server.terminate()
        load = result.pop("load")
        assert isinstance(load, Load)
        result |= count_faults(database, load)
    with subprocess.Popen([sys.executable, "-c", ECHO_APP, "8499"]) as server:
        time.sleep(3)
        for screen in screens:
            screen.port, screen.reader, screen.lock = 8499, None, asyncio.Lock()
        echo = Load()
        try:
            asyncio.run(run_load(screens, echo, args.moves, min(args.seconds, 20)))
        finally:
            server.terminate()
    result["echo_ms"] = summarize(echo.events)
    result["ratio"] = round(summarize(load.screens)["p95"] / (summarize(echo.events)["p95"] or 1), 1)
    result["load_average"] = Path("/proc/loadavg").read_text().split()[0]
    for name, value in result.items():
        print(f"{name}: {json.dumps(value)}")


if __name__ == "__main__":
    main()
