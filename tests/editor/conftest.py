from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from tmp_files import filled

GAME = """\
game: orchard
name: Orchard
players: 2
rules: [orchard.rules]
numbers: {goal: 6}
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Card:
    name: card
    attributes: {ripe: bool}
    defaults: {ripe: false}
    members:
      harvest: {name: Harvest, apples: 3, ripe: true, text: "Take {apples} apples."}
      rest: {name: Rest, text: "Do nothing."}
"""
RULES = """\
state apples[Player]: 0..99
state row: set of Card

phase game @OR-01:
    row = set(card in Card)
    rounds of player in Player until any(p in Player where apples[p] >= goal):
        choose card in row where card.ripe or player == bea by player or stop
        effect[card](player)

proc effect[harvest](player): apples[player] += harvest.apples
proc effect[rest](player): stop

def rich(player) = apples[player] > 3

standing player: apples[player]
"""
CLAUSES = 'OR-01: "Players take turns."\n'
MESSAGES = 'ask.game.card: "{who}~the: which card?"\nstate.apples: "Apples"\n'
TESTS = """\
scenarios:
  - name: a harvest gives apples
    clauses: [OR-01]
    given: {apples: {ann: 1}}
    run: effect[harvest](ann)
    expect: {over: true, apples: {ann: 4}, rich(ann): true}
"""
TIMEOUT_S = 60.0


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    """Creates a small game in its own directory, in English."""
    return filled(tmp_path / "orchard", {"game.yaml": GAME, "orchard.rules": RULES, "clauses.yaml": CLAUSES, "messages.yaml": MESSAGES,
                                          "tests/cards.yaml": TESTS})


class Editor:
    """An editor that speaks with the language server over standard input and output."""

    def __init__(self, lang: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.client = LanguageClient("editor", "1")
        self.published: dict[str, list[lsp.PublishDiagnosticsParams]] = {}
        self.condition = threading.Condition()
        self.versions: dict[str, int] = {}
        self.uris: dict[Path, str] = {}

        def record_findings(params: lsp.PublishDiagnosticsParams) -> None:
            with self.condition:
                self.published.setdefault(params.uri, []).append(params)
                self.condition.notify_all()

        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(record_findings)
        command = (sys.executable, "-m", "ludoglot.engine.commands.main", "lsp")
        self.wait(self.client.start_io(*command, env={**os.environ, "LC_ALL": "C"}))
        self.began: Any = self.wait(self.client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), locale=lang)))
        self.client.initialized(lsp.InitializedParams())

    def wait(self, work: Any) -> Any:
        """Returns the answer of the server to a request."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT_S)

    def open(self, path: Path, uri: str | None = None) -> None:
        """Opens a file, with this spelling of its URI."""
        uri = self.uris[path] = uri or path.as_uri()
        self.versions[uri] = 1
        text = path.read_text(encoding="utf-8")
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "ludoglot", 1, text)))

    def write(self, path: Path, text: str) -> None:
        """Changes the text of a file without saving it."""
        uri = self.uris[path]
        self.versions[uri] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(document, [lsp.TextDocumentContentChangeWholeDocument(text)]))

    def wait_for_findings(self, path: Path, fits: Callable[[list[lsp.Diagnostic]], bool]) -> list[lsp.Diagnostic]:
        """Returns the first findings about the present version of a file that satisfy the condition."""
        uri = self.uris.get(path) or path.as_uri()
        version = self.versions.get(uri)

        def found() -> lsp.PublishDiagnosticsParams | None:
            return next((one for one in self.published.get(uri, []) if one.version == version and fits(list(one.diagnostics))), None)

        with self.condition:
            assert self.condition.wait_for(lambda: found() is not None, TIMEOUT_S), self.published.get(uri, [])[-1:]
            heard = found()
        assert heard is not None
        return list(heard.diagnostics)

    def close(self, path: Path) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(self.uris[path])))

    def end(self) -> int | None:
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        code: int | None = asyncio.run_coroutine_threadsafe(server.wait(), self.loop).result(TIMEOUT_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        return code


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """Starts an editor in Italian."""
    made = Editor("it-IT")
    yield made
    assert made.end() == 0


def position_of_word(path: Path, text: str, word: str, nth: int = 1, inside: int = 0) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
    """Returns the position of the nth occurrence of a word in a text."""
    start = -1
    for _ in range(nth):
        start = text.index(word, start + 1)
    line = text.count("\n", 0, start)
    return lsp.TextDocumentIdentifier(path.as_uri()), lsp.Position(line, start - (text.rfind("\n", 0, start) + 1) + inside)
