"""The language server: handlers for the requests and notifications of an editor.

This is the only module that knows the protocol. It converts columns, which the protocol counts from 0 in the
units of the editor."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
from ...dsl.diagnostics.render import hint_text, message_text
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.diagnostics.source_lines import split_lines
from ...dsl.syntax.format import format_text
from ..i18n import engine_localizer, parse_language_code
from ..library.find import GAME_FILE, GameLocation, UnknownGameError, find_game_location
from ..project.incremental_check import GameCheckProgress
from .completion import complete
from .hover import hover
from .overlay_fs import OverlayFolder
from .pack_check import check_pack, restore_paths
from .project import GameProject, find_game_folder
from .rename import RenameEdit, RenameError, rename_symbol
from .symbol_index import SymbolReference

CHECK_DEBOUNCE_S = 0.03                           # seconds without a change before a check starts
COMPLETION_ICONS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "state": lsp.CompletionItemKind.Field,
    "def": lsp.CompletionItemKind.Function,
    "proc": lsp.CompletionItemKind.Method,
    "phase": lsp.CompletionItemKind.Method,
    "member": lsp.CompletionItemKind.EnumMember,
    "local": lsp.CompletionItemKind.Variable,
    "type": lsp.CompletionItemKind.Enum,
    "clause": lsp.CompletionItemKind.Reference,
    "attribute": lsp.CompletionItemKind.Property,
    "own": lsp.CompletionItemKind.Property,
    "number": lsp.CompletionItemKind.Constant,
    "table": lsp.CompletionItemKind.Constant,
    "option": lsp.CompletionItemKind.Constant,
    "builtin": lsp.CompletionItemKind.Function,
}
SYMBOL_KINDS = {
    "state": lsp.SymbolKind.Field,
    "family": lsp.SymbolKind.Function,
    "law": lsp.SymbolKind.Boolean,
    "type": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember,
    "number": lsp.SymbolKind.Constant,
    "table": lsp.SymbolKind.Array,
    "option": lsp.SymbolKind.Constant,
}
PACK_FILE = "house.yaml"                    # main file of a pack folder
SUGGESTION_HINTS = ("did_you_mean", "written_so")


class GameLanguageServer:
    """The state of a session with an editor (open files, projects, published diagnostics) and the request handlers."""

    def __init__(self, lang: str | None, usual: str) -> None:
        self.chosen, self.usual = lang, usual
        self.lang = lang or usual
        self.server = LanguageServer("ludoglot", "1", text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.uris: dict[Path, str] = {}                            # open files → URI as the editor spells it
        self.desks: dict[Path, GameProject] = {}
        self.tasks: dict[Path, asyncio.Task[None]] = {}
        self.published: dict[Path, dict[str, list[Diagnostic]]] = {}    # published: project or pack → file → diagnostics
        handlers: dict[str, Callable[..., Any]] = {
            lsp.INITIALIZE: self.on_initialize,
            lsp.TEXT_DOCUMENT_DID_OPEN: self.on_open,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self.on_change,
            lsp.TEXT_DOCUMENT_DID_SAVE: self.on_save,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self.on_close,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: self.on_watched_files,
            lsp.TEXT_DOCUMENT_HOVER: self.hover,
            lsp.TEXT_DOCUMENT_DEFINITION: self.definition,
            lsp.TEXT_DOCUMENT_REFERENCES: self.references,
            lsp.TEXT_DOCUMENT_PREPARE_RENAME: self.prepare_rename,
            lsp.TEXT_DOCUMENT_RENAME: self.rename,
            lsp.TEXT_DOCUMENT_FORMATTING: self.format,
            lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: self.document_symbols,
            lsp.SHUTDOWN: self.on_shutdown,
        }
        for name, handler in handlers.items():
            self.server.feature(name)(as_function(handler))
        self.server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@"]))(as_function(self.complete))
        self.server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION,
                            lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))(as_function(self.code_actions))

    def run(self) -> None:
        """Serves an editor over standard input and output."""
        self.server.start_io()

    # ------------------------------------------------------------ open files

    def on_initialize(self, params: lsp.InitializeParams) -> None:
        """Chooses the language: the one of the command line, otherwise the one of the editor."""
        wished = params.initialization_options.get("lang") if isinstance(params.initialization_options, dict) else None
        self.lang = self.chosen or parse_language_code(str(wished or params.locale or "")) or self.usual

    def on_shutdown(self, *_: object) -> None:
        """Cancels all checks and deletes the copies of the games."""
        for task in self.tasks.values():
            task.cancel()
        for desk in self.desks.values():
            desk.mirror.close()
        self.desks.clear()

    def on_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self.update_document(params.text_document.uri, params.text_document.text)

    def on_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        self.update_document(uri, self.server.workspace.get_text_document(uri).source)

    def on_save(self, params: lsp.DidSaveTextDocumentParams) -> None:
        path = path_from_uri(params.text_document.uri)
        if path is not None:
            self.schedule_check(path)

    def on_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_from_uri(params.text_document.uri)
        if path is not None:
            self.uris.pop(path, None)
            for desk in self.desks.values():
                desk.mirror.set_text(path, None)
            self.schedule_check(path)

    def on_watched_files(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        for path in {find_game_folder(path) or path for change in params.changes if (path := path_from_uri(change.uri)) is not None}:
            self.schedule_check(path)

    def update_document(self, uri: str, text: str) -> None:
        """Stores the current text of an open file and starts a check."""
        path = path_from_uri(uri)
        if path is None:
            return
        self.uris[path] = uri
        desk = self.project_of(path)
        if desk is not None:
            desk.mirror.set_text(path, text)
        self.schedule_check(path)

    def project_of(self, path: Path) -> GameProject | None:
        """Returns the project of the game to which a file belongs, or None."""
        root = find_game_folder(path)
        if root is None:
            return None
        if root not in self.desks:
            self.desks[root] = GameProject(root)
        return self.desks[root]

    # ------------------------------------------------------------ diagnostics

    def schedule_check(self, path: Path) -> None:
        """Schedules a check of the game or pack to which a file belongs. It starts when nothing has changed for a
        moment."""
        pack = find_pack_root(path, self.text(path))
        desk = self.project_of(path) if pack is None else None
        key = pack or (desk.root if desk is not None else None)
        if key is None:
            return
        task = self.tasks.get(key)
        if task is not None:
            task.cancel()
        self.tasks[key] = asyncio.get_running_loop().create_task(self.run_check(key, desk))

    async def run_check(self, key: Path, desk: GameProject | None) -> None:
        """Runs a check and publishes its diagnostics step by step."""
        await asyncio.sleep(CHECK_DEBOUNCE_S)
        try:
            for step in desk.steps() if desk is not None else self.check_pack(key):
                if step is not None:
                    self.publish(key, desk, step)
                await asyncio.sleep(0)                             # let other requests be answered
        except Exception as error:                                 # a deleted folder or an internal error must not stop the server
            said = self.diagnostic_text("error.internal", reason=f"{type(error).__name__}: {error}")
            self.server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, said))

    def check_pack(self, pack: Path) -> Iterator[GameCheckProgress | None]:
        """Checks a house-rule pack, a file or a folder, together with its game."""
        single = not pack.is_dir()
        mirror = OverlayFolder(pack.parent if single else pack)
        try:
            if single:
                (mirror.folder / pack.name).write_text(self.text(pack), encoding="utf-8")
            else:
                for path in self.uris:
                    mirror.set_text(path, self.text(path))
                mirror.refresh()
            game = find_pack_game(pack, self.text(pack if single else pack / PACK_FILE))
            if game is not None:
                for step in check_pack(game, mirror.folder / pack.name if single else mirror.folder):
                    yield None if step is None else restore_paths(step, mirror)
        finally:
            mirror.close()

    def uri_of(self, path: Path) -> str:
        """Returns the URI of a file, as the editor spells it if the file is open. Editors escape the same path in
        different ways."""
        return self.uris.get(path) or from_fs_path(str(path)) or ""

    def document(self, path: Path) -> TextDocument | None:
        """Returns the open document of a file, or None if the file is not open."""
        uri = self.uris.get(path)
        return None if uri is None else self.server.workspace.get_text_document(uri)

    def text(self, path: Path) -> str:
        """Returns the editor's text of a file."""
        document = self.document(path)
        try:
            return str(document.source) if document is not None else read_text(path)
        except (OSError, ValueError):
            return ""

    def publish(self, key: Path, desk: GameProject | None, progress: GameCheckProgress) -> None:
        """Sends the diagnostics to the editor, and an empty list for files that have none any more."""
        by_file: dict[str, list[Diagnostic]] = {}
        for found in progress.findings:
            by_file.setdefault(self.original_path(desk, found.place.path), []).append(found)
        before = self.published.get(key, {})
        self.published[key] = by_file
        opened = {str(path) for path in self.uris}
        for path in dict.fromkeys([*before, *by_file, *(name for name in opened if self.is_part_of(desk, key, name))]):
            here = by_file.get(path, [])
            if path not in opened and here == before.get(path, []):
                continue
            document = self.document(Path(path))
            shown = [self.to_lsp_diagnostic(desk, found, path) for found in here]
            self.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(self.uri_of(Path(path)), shown, document.version if document is not None else None))

    def is_part_of(self, desk: GameProject | None, key: Path, path: str) -> bool:
        """Whether a file belongs to this game or pack."""
        return key in (Path(path), *Path(path).parents) if desk is None else desk.mirror.relative_name(Path(path)) is not None

    def original_path(self, desk: GameProject | None, path: str) -> str:
        """Returns the original path of a file in the copy."""
        return str((desk.mirror.original_path(path) if desk is not None else Path(path)).resolve())

    def diagnostic_text(self, key: str, /, **args: Any) -> str:
        """Returns a text of the diagnostics in the user's language."""
        return engine_localizer(self.lang).diagnostic_text(key, **args)

    def to_lsp_diagnostic(self, desk: GameProject | None, diagnostic: Diagnostic, path: str) -> lsp.Diagnostic:
        """Converts a diagnostic to the protocol."""
        meant = hint_text(diagnostic, self.diagnostic_text)
        said = message_text(diagnostic, self.diagnostic_text)
        also = [
            lsp.DiagnosticRelatedInformation(self.to_lsp_location(desk, place), self.diagnostic_text("frame.also"))
            for place in diagnostic.also
        ]
        severity = lsp.DiagnosticSeverity.Error if diagnostic.severity == "error" else lsp.DiagnosticSeverity.Warning
        return lsp.Diagnostic(self.to_lsp_range(path, diagnostic.place), f"{said} ({meant})" if meant else said, severity, diagnostic.code,
                              source="ludoglot", related_information=also)

    # ------------------------------------------------------------ positions

    def lines(self, path: str) -> list[str]:
        return split_lines(self.text(Path(path)))

    def count_units(self, text: str) -> int:
        """Returns the length of a text in the units of the editor: UTF-8, UTF-16 or UTF-32."""
        encoding = self.server.workspace.position_encoding
        if encoding == lsp.PositionEncodingKind.Utf32:
            return len(text)
        if encoding == lsp.PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "replace"))
        return len(text.encode("utf-16-le", "replace")) // 2

    def to_lsp_range(self, path: str, place: SourceSpan, lines: list[str] | None = None) -> lsp.Range:
        """Converts a source span to a range of the protocol."""
        lines = self.lines(path) if lines is None else lines
        line = lines[place.line - 1] if place.line <= len(lines) else ""
        first, last = (self.count_units(line[: max(0, column - 1)]) for column in (place.column, place.end or place.column + 1))
        return lsp.Range(lsp.Position(place.line - 1, first), lsp.Position(place.line - 1, last))

    def cursor(self, uri: str, position: lsp.Position) -> tuple[GameProject, str, int, int] | None:
        """Converts a position of the editor to project, file, line and column. None if the file belongs to no game."""
        path = path_from_uri(uri)
        desk = self.project_of(path) if path is not None else None
        if desk is None or path is None:
            return None
        lines = self.lines(str(path))
        line = lines[position.line] if position.line < len(lines) else ""
        column = next((n for n in range(len(line) + 1) if self.count_units(line[:n]) >= position.character), len(line))
        return desk, f"{desk.found.shown}/{desk.mirror.relative_name(path)}", position.line + 1, column + 1

    def reference_at(self, uri: str, position: lsp.Position, everywhere: bool = False) -> tuple[GameProject, SymbolReference] | None:
        """Returns the symbol reference at a position of the editor, with its project.

        Scenarios are read if the position may be in one, or if `everywhere` is set."""
        here = self.cursor(uri, position)
        if here is None:
            return None
        desk, path, line, column = here
        found = desk.symbol_index(scenarios=everywhere or path.endswith(".yaml")).reference_at(path, line, column)
        return None if found is None else (desk, found)

    def to_lsp_location(self, desk: GameProject | None, place: SourceSpan) -> lsp.Location:
        path = self.original_path(desk, place.path)
        return lsp.Location(self.uri_of(Path(path)), self.to_lsp_range(path, place))

    # ------------------------------------------------------------ requests

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        here = self.cursor(params.text_document.uri, params.position)
        found = hover(*here, self.lang) if here is not None else None
        if here is None or found is None:
            return None
        text, place = found
        return lsp.Hover(
            lsp.MarkupContent(lsp.MarkupKind.Markdown, text), self.to_lsp_range(self.original_path(here[0], place.path), place)
        )

    def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        here = self.reference_at(params.text_document.uri, params.position)
        if here is None:
            return []
        desk, spot = here
        if spot.meaning.kind == "clause":
            return [self.to_lsp_location(desk, place) for place in find_clause_places(desk, spot.meaning.name)]
        return [self.to_lsp_location(desk, one.place) for one in desk.symbol_index().declarations_of(spot.meaning)]

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        here = self.reference_at(params.text_document.uri, params.position, everywhere=True)
        if here is None:
            return []
        desk, spot = here
        return [self.to_lsp_location(desk, one.place) for one in desk.symbol_index(scenarios=True).references_to(spot.meaning)
                if params.context.include_declaration or not one.declares]

    def document_symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        """Returns the declarations of a file, from top to bottom."""
        here = self.cursor(params.text_document.uri, lsp.Position(0, 0))
        if here is None:
            return []
        desk, path, _, _ = here
        spots = [spot for spot in desk.symbol_index().spots.get(path, []) if spot.declares and spot.meaning.kind in SYMBOL_KINDS]
        lines = self.lines(self.original_path(desk, path))
        return [lsp.DocumentSymbol(spot.meaning.name, SYMBOL_KINDS[spot.meaning.kind], where, where)
                for spot in sorted(spots, key=lambda spot: (spot.place.line, spot.place.column))
                for where in [self.to_lsp_range(self.original_path(desk, path), spot.place, lines)]]

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        here = self.reference_at(params.text_document.uri, params.position)
        if here is None:
            return None
        desk, spot = here
        if spot.meaning.kind in ("clause", "builtin"):
            return None
        return self.to_lsp_range(self.original_path(desk, spot.place.path), spot.place)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        here = self.reference_at(params.text_document.uri, params.position, everywhere=True)
        if here is None:
            return None
        desk, spot = here
        try:
            edits = rename_symbol(desk, spot.meaning, params.new_name)
        except RenameError as error:
            raise JsonRpcInvalidParams(self.diagnostic_text(error.key, **error.params)) from None
        return self.to_workspace_edit(desk, edits)

    def to_workspace_edit(self, desk: GameProject, edits: Iterable[RenameEdit]) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for one in edits:
            path = self.original_path(desk, one.path)
            place = SourceSpan(path, one.line, one.column, one.end)
            changes.setdefault(self.uri_of(Path(path)), []).append(lsp.TextEdit(self.to_lsp_range(path, place), one.text))
        return lsp.WorkspaceEdit(changes=dict(changes))

    def complete(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        here = self.cursor(params.text_document.uri, params.position)
        offers = complete(*here) if here is not None else []
        order = {kind: n for n, kind in enumerate(COMPLETION_ICONS)}
        return lsp.CompletionList(False, [
            lsp.CompletionItem(offer.text, kind=COMPLETION_ICONS.get(offer.kind), detail=offer.detail or None,
                               sort_text=f"{order.get(offer.kind, 99):02}{offer.text}" if offer.kind != "local" else f"  {offer.text}",
                               filter_text=offer.text) for offer in offers])

    def format(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        path = path_from_uri(params.text_document.uri)
        if path is None or path.suffix != ".rules":
            return []
        source = self.server.workspace.get_text_document(params.text_document.uri).source
        overlay = format_text(source, str(path))
        lines = source.split("\n")
        return [] if overlay == source else [
            lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines) - 1, self.count_units(lines[-1]))), overlay)]

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Returns quick fixes that replace a misspelled word by the suggestion."""
        path = path_from_uri(params.text_document.uri)
        if path is None:
            return []
        desk = self.project_of(path)
        key = desk.root if desk is not None else path
        lines = self.lines(str(path))
        out = []
        for found in self.published.get(key, {}).get(str(path), []):
            where = self.to_lsp_range(str(path), found.place, lines)
            if found.hint not in SUGGESTION_HINTS or where.start.line > params.range.end.line or where.end.line < params.range.start.line:
                continue
            place = find_misspelled_word(found, lines)
            if place is not None:
                text = str(found.args["meant"])
                out.append(
                    lsp.CodeAction(
                        self.diagnostic_text("editor.mend", meant=text),
                        kind=lsp.CodeActionKind.QuickFix,
                        diagnostics=[self.to_lsp_diagnostic(desk, found, str(path))],
                        is_preferred=True,
                        edit=lsp.WorkspaceEdit(
                            changes={params.text_document.uri: [lsp.TextEdit(self.to_lsp_range(str(path), place, lines), text)]}
                        ),
                    )
                )
        return out


def as_function(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wraps a method in a function, because pygls sets attributes on handlers."""
    def call_handler(params: Any) -> Any:
        return handler(params)
    return call_handler


def find_pack_root(path: Path, text: str) -> Path | None:
    """Returns the house-rule pack to which a file belongs: the folder with the main file, or the file itself. None
    if there is none."""
    folder = next((one for one in [*path.parents][:3] if (one / PACK_FILE).is_file()), None)
    if folder is not None:
        return folder
    return path if path.suffix == ".yaml" and re.search(r"(?m)^house\s*:", text) else None


def find_pack_game(pack: Path, text: str) -> GameLocation | None:
    """Returns the location of the game that a pack is for: one in a nearby folder, or an installed one."""
    name = re.search(r"(?m)^for\s*:\s*([\w-]+)", text)
    if name is None:
        return None
    near = [folder / part for folder in pack.parents for part in (name[1], f"rules/{name[1]}", ".")]
    try:
        place = next((one for one in near if (one / GAME_FILE).is_file() and one.resolve().name == name[1]), None)
        found = find_game_location(str(place) if place is not None else name[1])
    except UnknownGameError:
        return None
    return GameLocation(found.name, found.folder, found.folder.resolve().as_posix())


def find_misspelled_word(diagnostic: Diagnostic, lines: list[str]) -> SourceSpan | None:
    """Returns the exact span of the misspelled word in a diagnostic, or None if it is not clear."""
    place = diagnostic.place
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    said = line[place.column - 1 : place.end - 1]
    slip = str(diagnostic.args.get("name") or diagnostic.args.get("found") or "")
    if not slip or said.count(slip) != 1:
        return None
    start = place.column + said.index(slip)
    return SourceSpan(place.path, place.line, start, start + len(slip))


def find_clause_places(desk: GameProject, clause: str) -> list[SourceSpan]:
    """Returns the place of a clause in clauses.yaml."""
    path = f"{desk.found.shown}/clauses.yaml"
    for number, line in enumerate(desk.lines(path), 1):
        if re.match(rf"{re.escape(clause)}\s*:", line):
            return [SourceSpan(path, number, 1, len(clause) + 1)]
    return []


def path_from_uri(uri: str) -> Path | None:
    """Converts a URI to a path, or None if it is not a file."""
    with contextlib.suppress(ValueError, OSError, RuntimeError):
        found = to_fs_path(uri)
        return Path(found).resolve() if found else None
    return None
