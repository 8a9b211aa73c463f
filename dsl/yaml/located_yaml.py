"""Reads YAML with the span of every value: YAML 1.2 core schema, no duplicate keys, no anchors, no deep nesting.

PyYAML reads YAML 1.1 by default and gives `no`, `on`, `12:30` and `1_000` another type. A card called `no` must stay a
card."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.reader import ReaderError

from ..cache import cache_get, cache_key, cache_put, package_hash
from ..diagnostics.diagnostic import DiagnosticList, Phrase, SourceSpan
from ..diagnostics.safe_read import FileTooLargeError, read_text
from ..diagnostics.source_lines import normalize_newlines
from ..types.size_limits import WHOLE_NUMBER, is_too_long_number
from .yaml_repair import (
    COMMENT_AFTER_TEXT,
    PLAIN_VALUE,
    find_key_without_space,
    find_uneven_line,
    find_unquoted_element,
    find_unquoted_field,
    repair_line,
)

QUICK_LOADER: Any = getattr(yaml, "CSafeLoader", None)                    # libyaml, if PyYAML includes it
# the two parsers disagree on these
AMBIGUOUS_PATTERN = re.compile(r"\t|(?:^|[\s,\[{])\?(?:\s|$)")
SIGNED_NUMBER = re.compile(r"\+[0-9]+")
LEADING_ZERO = re.compile(r"-?0[0-9]{1,17}")                       # in base 8 for YAML 1.1
BLOCK_STYLES = ("|", ">")
BLOCK_HEADER = re.compile(r"( *)(?:- +)*([^\s#][^:#]*): +[|>][-+0-9]*\s*(?:#.*)?")            # `rules: |`, with the position of its key
NEXT_KEY = re.compile(r",\s*[^\s,:]+:\s")                          # in braces
KEY_PATTERN = re.compile(r"- |[^:#]+:(?:\s|$)")
MAX_DEPTH = 24
MAX_VALUES = 20_000
# for local files; in practice the file size limits it first
MAX_TRUSTED_VALUES = 2_000_000
TAB_INDENT = re.compile(r" *\t")
CACHE_KIND = "yaml"                        # kind of cache entry
MAX_REREADS = 20                                                   # of a file with mistakes of its layout
Path_ = tuple[Any, ...]


class SpanTable(MutableMapping[Path_, SourceSpan]):
    """Spans by path, stored as tuples of numbers. A span is built when it is read, because most spans never are."""

    def __init__(self, path: str, packed: dict[Path_, tuple[int, int, int]]) -> None:
        self.path, self.packed = path, packed
        self.built: dict[Path_, SourceSpan] = {}

    def __getitem__(self, at: Path_) -> SourceSpan:
        found = self.built.get(at)
        if found is None:
            found = self.built[at] = SourceSpan(self.path, *self.packed[at])
        return found

    def __setitem__(self, at: Path_, span: SourceSpan) -> None:
        self.packed[at], self.built[at] = (span.line, span.column, span.end), span

    def __delitem__(self, at: Path_) -> None:
        del self.packed[at]
        self.built.pop(at, None)

    def __contains__(self, at: object) -> bool:
        return at in self.packed

    def __iter__(self) -> Iterator[Path_]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)


@dataclass
class LocatedYaml:
    """Plain data with the spans of keys and values. A path consists of keys and list indices."""

    data: Any
    path: str
    keys: MutableMapping[Path_, SourceSpan] = field(default_factory=dict)
    values: MutableMapping[Path_, SourceSpan] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list, repr=False, compare=False)
    most: int = MAX_VALUES

    def place(self, *path: Any) -> SourceSpan:
        """Returns the span of a value, or of the closest part around it that has one."""
        for n in range(len(path), -1, -1):
            found = self.values.get(path[:n]) if n == len(path) else self.keys.get(path[:n]) or self.values.get(path[:n])
            if found:
                return found
        return SourceSpan(self.path)

    def key_place(self, *path: Any) -> SourceSpan:
        return self.keys.get(path) or self.place(*path)

    def get_line(self, number: int) -> str:
        """Returns a line of the text, counted from 0. At the end of a text, the parser may count one line too many."""
        return self.lines[number] if number < len(self.lines) else ""


def get_value(data: Any, path: Path_) -> Any:
    """Returns the value at a path of nested data, or None."""
    found = data
    for part in path:
        try:
            found = found[part]
        except (KeyError, IndexError, TypeError):
            return None
    return found


class _NeedsCarefulParserError(Exception):
    """Raised by the fast parser for cases that need the careful one: a mistake, an anchor, a second document."""


class _TooManyValuesError(Exception):
    """Raised if a file has more values than allowed."""

    def __init__(self, place: SourceSpan) -> None:
        super().__init__()
        self.place = place


def read_yaml(path: Path, findings: DiagnosticList, display_path: str | None = None, max_bytes: int = MAX_VALUES) -> LocatedYaml | None:
    """Reads a YAML file. Returns None, with diagnostics, if it is invalid. `max_bytes` limits the number of values."""
    display_path = display_path or str(path)
    try:
        text = read_text(path)
    except FileTooLargeError as error:
        findings.add_unreadable(display_path, error.limit)
        return None
    except (OSError, ValueError) as error:                         # missing, not UTF-8, or an invalid file name
        findings.add_unreadable(display_path, error=error)
        return None
    key = cache_key(package_hash("dsl/yaml", "dsl/types", "dsl/cache"), str(max_bytes), text)
    match cache_get(CACHE_KIND, key, ()):
        case (data, keys, values):
            return LocatedYaml(data, display_path, SpanTable(display_path, keys), SpanTable(display_path, values), most=max_bytes)
    before = len(findings.items)
    document = parse_yaml(text, display_path, findings, max_bytes)
    if document is not None and len(findings.items) == before:     # no mistakes and no warnings
        packed = ({at: (one.line, one.column, one.end) for at, one in spans.items()} for spans in (document.keys, document.values))
        cache_put(CACHE_KIND, key, (document.data, *packed))
    return document


def parse_yaml(
    text: str, path: str, findings: DiagnosticList, max_bytes: int = MAX_VALUES, harmless: Collection[str] = (), rereads: int = 0
) -> LocatedYaml | None:
    """Parses YAML text, like `read_yaml`. Errors with a code in `harmless` are reported, but the document is still returned.

    If Y003 is harmless, a file with mistakes of its layout is corrected and read again. `rereads` counts such corrections."""
    document = LocatedYaml(None, path, most=max_bytes)
    before = len(findings.items)
    text = normalize_newlines(text)
    for other in "\x85\u2028\u2029":                               # line ends in YAML but not in editors, so lines would differ
        text = text.replace(other, " ")
    document.lines = text.split("\n")
    try:
        if QUICK_LOADER is not None and not AMBIGUOUS_PATTERN.search(text):
            try:
                return _build_document(text, document, QUICK_LOADER, findings, harmless)
            # the careful parser has stable error messages
            except (_NeedsCarefulParserError, yaml.YAMLError):
                document, findings.items[before:] = LocatedYaml(None, path, lines=document.lines, most=max_bytes), []
        return _build_document(text, document, yaml.SafeLoader, findings, harmless, careful=True)
    except _TooManyValuesError as error:
        findings.items[before:] = []
        findings.add("Y021", error.place, limit=max_bytes)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        flat = _find_unindented_line(text, path)
        if flat is not None:
            line = document.lines[flat[0].line - 1]
            findings.add("Y020", flat[0], hint="tab_indents" if TAB_INDENT.match(line) else None, name=flat[1])
            return None
        begun = _find_unclosed(text, error)
        place = SourceSpan(path, mark.line + 1, mark.column + 1, mark.column + 2) if mark else SourceSpan(path)
        if begun is not None:                                      # the parser may notice it far away
            opened = SourceSpan(path, begun.line + 1, begun.column + 1, begun.column + 2)
            line = text.split("\n")[begun.line]
            hint = "hash_cuts" if COMMENT_AFTER_TEXT.search(line, begun.column) else None
            findings.add("Y017", opened, hint=hint, found=line[begun.column], also=() if opened == place else (place,))
            mark = begun
        elif mark is not None and (field := find_unquoted_field(document.get_line(mark.line), mark.column)) is not None:
            place = SourceSpan(path, mark.line + 1, field.start() + 1, field.end() + 1)
            findings.add("Y003", place, hint="quote_braces", problem=Phrase("yaml_field"))
        elif mark is not None and (element := find_unquoted_element(document.get_line(mark.line), mark.column)) is not None:
            place = SourceSpan(path, mark.line + 1, element.start(1) + 1, element.end(1) + 1)
            findings.add("Y003", place, hint="written_so", problem=describe_yaml_problem(error.problem or ""), meant=f'"{element[1]}"')
        elif mark is not None and (joined := find_key_without_space(document.lines, mark.line)) is not None:
            number, found = joined
            place = SourceSpan(path, number + 1, found.start(2) + 1, found.end(3) + 1)
            findings.add("Y003", place, hint="written_so", problem=Phrase("yaml_space"), meant=f"{found[2]}: {found[3]}")
        elif mark is not None and (uneven := find_uneven_line(document.lines, mark.line, mark.column)) is not None:
            place = SourceSpan(path, mark.line + 1, uneven[0] + 1, uneven[0] + 2)
            findings.add("Y003", place, hint="align_line", problem=Phrase("yaml_indentation"), wanted=uneven[1] + 1)
        else:
            plain = PLAIN_VALUE.fullmatch(document.get_line(place.line - 1))
            problem = describe_yaml_problem(error.problem or "")
            if problem.name == "yaml_indentation" and plain is not None and plain.start(2) < place.column - 1:
                findings.add("Y003", place, hint="quote_whole", problem=Phrase("yaml_value_end"))
            else:
                findings.add("Y003", place, problem=problem)
        if mark is not None and "Y003" in harmless and rereads < MAX_REREADS and (repaired := repair_line(text, mark.line, mark.column)):
            return parse_yaml(repaired, path, findings, max_bytes, harmless, rereads + 1)
    except ReaderError as error:
        start = text.rfind("\n", 0, error.position) + 1
        place = SourceSpan(path, text.count("\n", 0, error.position) + 1, error.position - start + 1, error.position - start + 2)
        findings.add("Y003", place, problem=Phrase("yaml_unprintable", (("char", f"U+{ord(text[error.position]):04X}"),)))
    except (yaml.YAMLError, RecursionError, ValueError):
        findings.add("Y003", SourceSpan(path), problem=Phrase("yaml_other"))
    return None


YAML_PROBLEMS = {
    r"could not find expected ':'": "yaml_colon", r"mapping values are not allowed": "yaml_second_colon",
    r"sequence entries are not allowed|mapping keys are not allowed": "yaml_entry", r"expected <block end>": "yaml_indentation",
    r"expected ',' or '\]'": "yaml_list", r"expected ',' or '\}'": "yaml_braces",
    r"found character '\\t' that cannot": "yaml_tab", r"found character '(?P<char>.+)' that cannot": "yaml_character",
    r"unknown escape character '(?P<char>.+)'": "yaml_escape", r"expected the node content": "yaml_content",
    r"undefined alias '(?P<char>.+)'": "yaml_alias", r"another document": "yaml_documents",
}


def describe_yaml_problem(problem: str) -> Phrase:
    """Returns a problem reported by PyYAML as a translatable phrase."""
    for pattern, name in YAML_PROBLEMS.items():
        if (match := re.search(pattern, problem)) is not None:
            return Phrase(name, tuple(match.groupdict().items()))
    return Phrase("yaml_other")


def _find_unclosed(text: str, error: yaml.MarkedYAMLError) -> Any:
    """Returns the position of the quotation mark or bracket that is never closed, or None for other errors."""
    if error.problem_mark is None:
        return None
    if "quoted scalar" in (error.context or ""):
        return error.context_mark
    long: Any = None                                               # a quotation over several lines that ends near the error
    try:
        for token in yaml.scan(text, yaml.SafeLoader):
            if token.start_mark.index >= error.problem_mark.index:
                break
            if isinstance(token, yaml.ScalarToken) and token.style and token.start_mark.line < token.end_mark.line:
                long = token.start_mark if token.end_mark.line >= error.problem_mark.line - 1 else None
    except yaml.YAMLError:
        pass
    if long is not None:
        return long
    begun: Any = error.context_mark
    return begun if "flow" in (error.context or "") and begun is not None and begun.line < error.problem_mark.line else None


def _find_unindented_line(text: str, path: str) -> tuple[SourceSpan, str] | None:
    """Finds a line below a key such as `rules: |` that lacks the indentation to belong to it. Returns its span and the key.

    A line that looks like an entry of its own does not count."""
    lines = text.split("\n")
    for n, line in enumerate(lines):
        found = BLOCK_HEADER.fullmatch(line)
        deep = 0
        for below, other in enumerate(lines[n + 1 :] if found else [], n + 1):
            indent = len(other) - len(other.lstrip(" "))
            if found is not None and other.strip() and (indent < deep or indent <= found.start(2)):
                if indent > found.start(2) or other[indent] == "\t" or not deep and not KEY_PATTERN.match(other.lstrip()):
                    return SourceSpan(path, below + 1, indent + 1, len(other.rstrip()) + 1), found[2]
                break
            deep = deep or (indent if other.strip() else 0)
    return None


def _build_document(
    text: str, document: LocatedYaml, loader: Any, findings: DiagnosticList, harmless: Collection[str], careful: bool = False
) -> LocatedYaml | None:
    """Builds a document from the events of a PyYAML parser. Returns None if it added errors that are not harmless.

    Raises the errors of the parser. The fast parser also raises _NeedsCarefulParserError."""
    before = len(findings.items)
    if careful:
        if _report_forbidden(text, document.path, loader, findings):
            return None
        parser = loader(text)
        try:
            parser.get_single_node()                               # raises the parser's own error for a second document
        finally:
            parser.dispose()
    events = yaml.parse(text, loader)
    document.data = {}
    depth = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            if depth:
                raise _NeedsCarefulParserError
            depth = 1
            document.data = _build_value(next(events), events, (), document, findings, 0)
    document.lines = []                                            # only needed during reading
    return document if all(one.code[0] == "W" or one.code in harmless for one in findings.items[before:]) else None


def _report_forbidden(text: str, path: str, loader: Any, findings: DiagnosticList) -> bool:
    """Reports anchors and excessive nesting. Returns whether it found any."""
    depth = 0
    for event in yaml.parse(text, loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        mark: Any = event.start_mark
        if getattr(event, "anchor", None):
            findings.add("Y004", SourceSpan(path, mark.line + 1, mark.column + 1))
            return True
        if depth > MAX_DEPTH:
            findings.add("Y005", SourceSpan(path, mark.line + 1, mark.column + 1), limit=MAX_DEPTH)
            return True
    return False


def _mark_span(start: Any, stop: Any, path: str) -> SourceSpan:
    """Returns the span between two marks. A value of several lines is marked at its start."""
    end = stop.column + 1 if stop.line == start.line else start.column + 2
    return SourceSpan(path, start.line + 1, start.column + 1, end)


def _build_value(event: Any, events: Iterator[Any], at: Path_, document: LocatedYaml, findings: DiagnosticList, depth: int) -> Any:
    """Builds the value that begins with an event, and all values inside it."""
    if getattr(event, "anchor", None) or depth > MAX_DEPTH:
        raise _NeedsCarefulParserError
    start = event.start_mark
    document.values[at] = SourceSpan(document.path, start.line + 1, start.column + 1, start.column + 2)
    if len(document.values) > document.most:
        raise _TooManyValuesError(document.values[at])
    if isinstance(event, yaml.ScalarEvent):
        document.values[at] = _mark_span(start, event.end_mark, document.path)
        if not event.style and SIGNED_NUMBER.fullmatch(event.value):      # ambiguous: the number, or an amount to add
            findings.add("Y019", document.values[at], found=event.value, number=event.value[1:])
        _report_leading_zero(event, document.values[at], findings)
        # its lines are not indented deeper than the key
        if event.style in BLOCK_STYLES and not event.value.strip():
            findings.add("Y020", document.values[at], name=next((part for part in reversed(at) if isinstance(part, str)), ""))
        end: Any = event.end_mark
        cut = None if event.style else COMMENT_AFTER_TEXT.fullmatch(document.get_line(end.line), end.column)
        if cut is not None and isinstance(parse_scalar(event), str):
            line, column = end.line + 1, cut.start(1) + 1
            findings.add("W501", SourceSpan(document.path, line, column, column + len(cut[1])), found=cut[1])
        return parse_scalar(event)
    last: Any = None
    found: Any
    if isinstance(event, yaml.SequenceStartEvent):
        found = []
        for last in events:
            if isinstance(last, yaml.SequenceEndEvent):
                break
            found.append(_build_value(last, events, (*at, len(found)), document, findings, depth + 1))
    else:
        found = {}
        for last in events:
            if isinstance(last, yaml.MappingEndEvent):
                break
            _build_entry(found, last, events, at, document, findings, depth + 1)
    if event.flow_style:                                           # the parsers disagree on where a block ends
        document.values[at] = _mark_span(start, last.end_mark, document.path)
    return found


def _build_entry(
    found: dict[Any, Any], event: Any, events: Iterator[Any], at: Path_, document: LocatedYaml, findings: DiagnosticList, depth: int
) -> None:
    """Builds one key and its value."""
    if not isinstance(event, yaml.ScalarEvent):
        aside = LocatedYaml(None, document.path)
        _build_value(event, events, (), aside, findings, depth)
        findings.add("Y003", aside.values[()], problem=Phrase("yaml_key"))
        _build_value(next(events), events, (), aside, DiagnosticList(), depth)
        return
    if event.anchor:
        raise _NeedsCarefulParserError
    key, place = parse_key(event), _mark_span(event.start_mark, event.end_mark, document.path)
    _report_leading_zero(event, place, findings)
    if key in found:
        findings.add("Y006", place, name=key, also=(document.keys[*at, key],))
        _build_value(next(events), events, (), LocatedYaml(None, document.path), DiagnosticList(), depth)
        return
    before = list(found.values())[-1] if found else None
    if isinstance(key, str) and (is_field(before) or isinstance(before, str) and (" " in key or " " in before)):
        end: Any = event.end_mark
        after = document.get_line(end.line)[end.column:].lstrip()
        if after[:1] in (",", "}"):                                # an unquoted text with a comma, in braces
            last = list(found)[-1]
            if not _is_text_reported(document.values[*at, last], end, document, findings):
                findings.add("Y022", place, hint="comma_cuts", found=key, name=str(last))
            _build_value(next(events), events, (), LocatedYaml(None, document.path), DiagnosticList(), depth)
            return
    document.keys[*at, key] = place
    found[key] = _build_value(next(events), events, (*at, key), document, findings, depth)


def _is_text_reported(begin: SourceSpan, end: Any, document: LocatedYaml, findings: DiagnosticList) -> bool:
    """Whether a mistake in a text without quotation marks was reported. The text begins at a span, and a part of it ends at `end`."""
    line = document.get_line(end.line)
    following = NEXT_KEY.search(line, end.column)
    last = following.start() if following is not None else len(line)
    return any(one.code in ("Y003", "Y022") and one.place.path == begin.path
               and (begin.line, begin.column) <= (one.place.line, one.place.column) <= (end.line + 1, last) for one in findings.items)


def is_field(value: Any) -> bool:
    """Whether a value was probably written as a field of a text, such as `{who}`, but without quotation marks."""
    return isinstance(value, dict) and list(value.values()) == [None]


def _report_leading_zero(event: yaml.ScalarEvent, place: SourceSpan, findings: DiagnosticList) -> None:
    """Reports a number that begins with a zero."""
    if not event.style and LEADING_ZERO.fullmatch(event.value):
        findings.add("Y023", place, found=event.value, number=str(int(event.value)))


def parse_key(node: yaml.ScalarEvent | yaml.ScalarNode) -> Any:
    """Returns a mapping key. `true` and `null` are words in this position."""
    key = parse_scalar(node)
    return node.value if isinstance(key, bool) or key is None else key


def parse_scalar(node: yaml.ScalarEvent | yaml.ScalarNode) -> Any:
    """Returns the value of a scalar by the YAML 1.2 core schema. A quoted scalar is always text."""
    text = node.value
    if node.style:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    return int(text) if WHOLE_NUMBER.fullmatch(text) and not is_too_long_number(text) else text
