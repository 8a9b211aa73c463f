"""How long an editor waits: a real client changes the cards of a game again and again, and counts the milliseconds until the first findings
about what it wrote, and until all of them: by the clock on the wall, which is what an author sees, and by what the processor did for the
server, which does not depend on who else uses the machine (where the system tells: Linux).

    python bench/editing.py [GAME FILE] [--edits 50]
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

RULES = Path(__file__).resolve().parent.parent / "rules"
PARTS = 3                                                          # publications for each change: names, rules, the whole game


def changes(text: str, many: int) -> list[str]:
    """Texts with one change each, in one procedure after the other: a slip, its mending, another number, a new line."""
    heads = [found.start() for found in re.finditer(r"(?m)^proc ", text)] or [0]
    out = []
    for n in range(many):
        start = heads[n % len(heads)]
        end = next((head for head in heads if head > start), len(text))
        body = text[start:end]
        word = re.search(r"(?m)^    (?:.*?\b)?(\w{4,})\[", body)
        slip = body[: word.start(1)] + word[1][1:] + body[word.end(1):] if word else body
        kinds = [slip, body, re.sub(r"\b1\b(?=[^\n]*\n)", "2", body, count=1), body.rstrip("\n") + "\n    # a remark\n\n"]
        out.append(text[:start] + kinds[n % 4] + text[end:])
    return out


Times = list[tuple[float, float]]                                  # on the wall, of the processor


async def measure(folder: Path, file: str, many: int) -> tuple[Times, Times, float]:
    """Milliseconds to the first findings and to all of them, for each change; and what the first look took."""
    client = LanguageClient("bench", "1")
    heard: asyncio.Queue[tuple[float, float, int | None]] = asyncio.Queue()
    path = folder / file
    uri = path.as_uri()

    def published(params: lsp.PublishDiagnosticsParams) -> None:
        if params.uri == uri:
            heard.put_nowait((time.perf_counter(), worked(), params.version))

    def worked() -> float:
        """Milliseconds that the processor has worked for the server."""
        told = Path(f"/proc/{client._server.pid}/schedstat")       # type: ignore[union-attr]
        return int(told.read_text().split()[0]) / 1e6 if told.is_file() else 0.0

    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
    await client.start_io(sys.executable, "-m", "ludoglot.engine.commands.main", "lsp")
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    text = path.read_text(encoding="utf-8")
    began = time.perf_counter()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "ludoglot", 1, text)))
    at = began
    for _ in range(PARTS):
        at, _, _ = await heard.get()
    opened = (at - began) * 1000
    first: Times = []
    whole: Times = []
    for version, changed in enumerate(changes(text, many), 2):
        began, work = time.perf_counter(), worked()
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version, uri), [lsp.TextDocumentContentChangeWholeDocument(changed)]))
        times: Times = []
        while len(times) < PARTS:
            at, done, of = await heard.get()
            if of == version:
                times.append(((at - began) * 1000, done - work))
        first.append(times[0])
        whole.append(times[-1])
    await client.shutdown_async(None)
    client.exit(None)
    return first, whole, opened


def share(values: list[float], percent: int) -> float:
    """The value that so many in a hundred do not exceed."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def main() -> None:
    """Print a table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game", nargs="?", default="dominant-species")
    arguments.add_argument("file", nargs="?", default="cards.rules")
    arguments.add_argument("--edits", type=int, default=50)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / given.game
        shutil.copytree(RULES / given.game, folder)
        first, whole, opened = asyncio.run(measure(folder, given.file, given.edits))
    print(f"{given.game}/{given.file}, {given.edits} edits: milliseconds   half below   95 in 100 below   longest")
    for name, times in (("first findings", first), ("the whole game", whole)):
        for clock, values in (("on the wall", [wall for wall, _ in times]), ("of the processor", [work for _, work in times])):
            print(f"{name + ', ' + clock:<52}{share(values, 50):>10.0f}{share(values, 95):>18.0f}{max(values):>10.0f}")
    print(f"{'opened for the first time':<52}{opened:>10.0f}")


if __name__ == "__main__":
    main()
