"""Parses rule files with Lark, using the keywords of one human language.

Each top-level declaration is parsed separately. One run therefore reports a syntax error for each broken declaration,
and the others are still checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from lark import Lark, Token, Tree, UnexpectedInput
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedToken, VisitError
from lark.indenter import DedentError, Indenter

from ..diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, SourceSpan, did_you_mean, find_suggestions
from ..diagnostics.safe_read import FileTooLargeError, read_text
from ..diagnostics.source_lines import normalize_source
from ..languages.registry import BUILTIN_LANGUAGES, keyword_spellings
from . import tree
from .expected import describe_expected, find_part_order
from .foreign_syntax import find_foreign_idiom, find_foreign_line, find_idiom_hint, find_returning_def
from .rule_size import MAX_DECLARATION_LINES, MAX_GAME_LINES, is_declaration_too_long, report_excess_lines

HERE = Path(__file__).parent
SOURCE_LANGUAGE = "en"                        # the language of `keywords.yaml`
MAX_LINE_CHARS = 4000
MAX_NESTING = 40                     # of brackets and blocks
MAX_RECENT_FILES = 60                          # files whose trees stay in memory
MAX_TREE_DEPTH = 120                       # enough for a sum of a hundred terms


class MixedIndentError(DedentError):
    """Two lines mix tabs and spaces so that only the width of a tab decides which block they belong to."""


class RuleIndenter(Indenter):
    """Turns indentation into block tokens. A line that matches no open block raises an error with its position."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4
    margin = ""                                                    # indentation of the previous line, as written

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.margin = ""
        yield from super().process(stream)                         # type: ignore[no-untyped-call]

    def handle_NL(self, token: Token) -> Iterator[Token]:
        if self.paren_level == 0:
            above, self.margin = self.margin, token.rpartition("\n")[2]
            if not self.margin.startswith(above) and not above.startswith(self.margin):
                raise MixedIndentError(token.end_line, token.end_column)
        try:
            yield from super().handle_NL(token)
        except DedentError as error:                               # Lark's own error has no position
            raise DedentError(token.end_line, token.end_column) from error


@cache
def keywords(language: str = SOURCE_LANGUAGE) -> dict[str, Any]:
    """Returns the keywords of a language: `words` and `soft` map terminals to spellings, `folds` is a list.

    A keyword without a translation keeps its English spelling."""
    if language == SOURCE_LANGUAGE:
        found: dict[str, Any] = yaml.safe_load(read_text(HERE / "keywords.yaml"))
        return found
    english, own = keywords(SOURCE_LANGUAGE), keyword_spellings(language)
    return {**{table: {name: own["words"].get(word, word) for name, word in english[table].items()} for table in ("words", "soft")},
            "folds": [own["folds"].get(word, word) for word in english["folds"]]}


def _keyword_pattern(spelling: str) -> str:
    """Returns the pattern of a keyword. Spaces match any run of spaces and tabs."""
    return r"[ \t]+".join(map(re.escape, spelling.split()))


def build_terminals(language: str) -> str:
    """Returns the Lark definitions of the terminals that depend on the human language: keywords, NAME and FOLD."""
    table = keywords(language)
    words, soft = table["words"], table["soft"]
    reserved = "|".join(sorted({re.escape(word) for word in words.values() if " " not in word}))
    folds = "|".join(map(re.escape, table["folds"]))
    lines = [rf"NAME: /(?!(?:{reserved})(?!\w))[^\W\dA-Z]\w*/", rf"FOLD.3: /(?:{folds})(?=[ \t]*\()/"]
    for name, spelling in (words | soft).items():
        follows = r"(?=[ \t]+[^\W\dA-Z]\w*[ \t]*[\[(])" if name == "_AFTER" else ""
        lines.append(rf"{name}.{4 if ' ' in spelling else 2}: /{_keyword_pattern(spelling)}(?!\w){follows}/")
    return "\n".join(lines)


@cache
def build_parser(language: str = "en") -> Lark:
    """Returns the parser for the keywords of one human language. Its tables are cached on disk."""
    from . import parse_cache
    grammar = read_text(HERE / "grammar.lark") + "\n" + build_terminals(language)
    found = parse_cache.load_parser(grammar, RuleIndenter(), _has_place)
    if found is None:
        found = Lark(
            grammar, parser="lalr", lexer="contextual", postlex=RuleIndenter(), propagate_positions=_has_place, maybe_placeholders=True
        )
        parse_cache.store_parser(grammar, found)
    return found


def _has_place(node: Any) -> bool:
    """Whether a node counts for positions. Line ends and indentation do not: a statement ends with its last word."""
    return not isinstance(node, Token) or node.type not in ("_NL", "_INDENT", "_DEDENT")


_recent_trees: dict[tuple[str, str], list[tree.Node]] = {}              # trees are immutable and can be shared


def parse_file(path: str | Path, findings: DiagnosticList, display_path: str | None = None, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a rule file. Errors go to `findings`, with the path `display_path`."""
    display_path = display_path or str(path)
    source = read_file(path, findings, display_path)
    return [] if source is None else parse_cached(source, display_path, findings, language)


def parse_cached(source: str, path: str, findings: DiagnosticList, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a text, like `parse`, but parses the same text only once."""
    from . import parse_cache
    found = _recent_trees.get((source, language)) or parse_cache.load_trees(source, language)
    if found is None:
        before = len(findings.items)
        found = parse(source, path, findings, language)
        if len(findings.items) != before:
            return found
        parse_cache.store_trees(source, language, found)
    while len(_recent_trees) >= MAX_RECENT_FILES:
        _recent_trees.pop(next(iter(_recent_trees)), None)
    _recent_trees[source, language] = found
    return list(found)


def read_rule_files(folder: Path, names: Iterable[str], shown: str, findings: DiagnosticList) -> list[tuple[str, str, str]]:
    """Returns the rule files of a game: the name, the path in messages, and the text of each. The list is empty if they are too long."""
    files = [(name, f"{shown}/{name}", read_file(folder / name, findings, f"{shown}/{name}")) for name in names]
    found = [(name, path, text) for name, path, text in files if text is not None]
    return [] if report_excess_lines([(path, 0, text) for _, path, text in found], findings) > MAX_GAME_LINES else found


def read_file(path: str | Path, findings: DiagnosticList, display_path: str) -> str | None:
    """Returns the text of a rule file, or None, with a diagnostic, if it cannot be read."""
    try:
        return read_text(path)
    except FileTooLargeError as error:
        findings.add("R010", SourceSpan(display_path), limit=error.limit)
        return None
    except (OSError, ValueError):                                  # missing, not UTF-8, or an invalid file name
        findings.add("R001", SourceSpan(display_path), path=display_path)
        return None


def parse(source: str, path: str, findings: DiagnosticList, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a text. Errors go to `findings`, with the path `path`."""
    declarations: list[tree.Node] = []
    lark = build_parser(language)
    source = normalize_source(source)
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > MAX_LINE_CHARS:
            findings.add("R002", SourceSpan(path, number, 1, 2), limit=MAX_LINE_CHARS)
            return []
    first = re.search(r"(?m)^[^\S\n]*[^\s#].*", source)
    if first and first[0][0] in " \t)]}":
        indent = len(first[0]) - len(first[0].lstrip())
        findings.add("R009", SourceSpan(path, source.count("\n", 0, first.start()) + 1, indent + 1, len(first[0].rstrip()) + 1))
    lacks_block = False                                            # whether the last declaration ends where a block should begin
    for chunk in iter_declarations(source):
        is_block_expected, lacks_block = lacks_block, False
        if _is_too_deep(chunk):
            findings.add("R003", SourceSpan(path, _first_line_number(chunk), 1, 2), limit=MAX_NESTING)
            continue
        try:
            parsed = lark.parse(chunk)
            if _tree_depth(parsed) > MAX_TREE_DEPTH:
                findings.add("R003", SourceSpan(path, _first_line_number(chunk), 1, 2), limit=MAX_NESTING)
                continue
            if is_declaration_too_long(chunk):
                first_line = _first_line_number(chunk)
                findings.add(
                    "R022", SourceSpan(path, first_line, 1, len(chunk.split("\n")[first_line - 1]) + 1), limit=MAX_DECLARATION_LINES
                )
                continue
            declarations += tree.transformer.transform(parsed)
        except MixedIndentError as error:
            findings.add("R020", SourceSpan(path, error.args[0], 1, error.args[1]))
        except DedentError as error:
            at: tuple[int, int] = error.args                       # raised by RuleIndenter.handle_NL
            findings.add("R004", SourceSpan(path, at[0], at[1], at[1] + 1))
        except UnexpectedInput as error:
            own = DiagnosticList()
            _report_syntax_error(error, chunk, path, own, language)
            is_block = is_block_expected and is_unexpected_start(own, chunk)       # the block, but without indentation
            lacks_block = is_block or chunk.endswith(":\n")
            findings.items += [] if is_block else own.items
        except VisitError as error:
            raise error.orig_exc from error
    return declarations


def is_unexpected_start(findings: DiagnosticList, chunk: str) -> bool:
    """Whether all these findings say that no declaration begins where a chunk begins."""
    first = _first_line_number(chunk)
    return all(one.code == "R008" and (one.place.line, one.place.column) == (first, 1) for one in findings.items)


def iter_declarations(source: str) -> Iterator[str]:
    """Yields each declaration of a source, preceded by empty lines that keep its line numbers.

    A line without indentation begins a declaration, unless it is a closing bracket or a comment."""
    for start, end in find_declarations(source):
        yield "\n" * source.count("\n", 0, start) + source[start:end].rstrip() + "\n"


def find_declarations(source: str) -> list[tuple[int, int]]:
    """Returns the start and end of each declaration with the text after it. Only comments precede the first one."""
    starts = [m.start() for m in re.finditer(r"(?m)^[^\s#)\]}]", source)]
    return list(zip(starts, [*starts[1:], len(source)]))


def _first_line_number(chunk: str) -> int:
    """Returns the line number of the first line that is not empty."""
    return len(chunk) - len(chunk.lstrip("\n")) + 1


def _is_too_deep(chunk: str) -> bool:
    """Whether brackets or blocks are nested too deeply. Comments do not count."""
    depth = deepest = 0
    indents = [0]
    for line in chunk.split("\n"):
        code = line.split("#", 1)[0].expandtabs(RuleIndenter.tab_len)
        for char in code:
            if char in "([{":
                depth += 1
                deepest = max(deepest, depth)
            elif char in ")]}":
                depth = max(0, depth - 1)
        indent = len(code) - len(code.lstrip())
        if code.strip():
            while indents[-1] > indent:
                indents.pop()
            if indent > indents[-1] and depth == 0:
                indents.append(indent)
                deepest = max(deepest, len(indents))
    return deepest > MAX_NESTING


def _tree_depth(parsed: Any) -> int:
    """Returns the depth of a Lark tree, counted without recursion."""
    deepest, level = 0, [parsed]
    while level:
        deepest += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return deepest


def _report_syntax_error(error: UnexpectedInput, chunk: str, path: str, findings: DiagnosticList, language: str) -> None:
    """Reports a syntax error as the most helpful diagnostic for it."""
    if _report_foreign_syntax(error, chunk, path, findings, language):
        return
    if isinstance(error, UnexpectedCharacters):
        findings.add("R005", SourceSpan(path, error.line, error.column, error.column + 1), found=error.char)
        return
    assert isinstance(error, UnexpectedToken)
    token = error.token
    accepted = error.accepts or error.expected
    line, column = token.line or chunk.count("\n"), token.column or 1
    if line < 0 or token.type == "$END":
        bracket = _find_unclosed_bracket(chunk)
        if bracket is not None:
            line, column = bracket
            findings.add("R011", SourceSpan(path, line, column, column + 1))
            return
        line, column = chunk.rstrip("\n").count("\n") + 1, 1
    bracket = _find_unclosed_bracket(chunk)
    if bracket is not None and bracket < (line, column):
        findings.add("R011", SourceSpan(path, *bracket, bracket[1] + 1))
        return
    if _is_reserved_label(token, accepted, chunk):
        findings.add("R017", SourceSpan(path, line, column, column + len(str(token))), found=str(token))
        return
    table = keywords(language)
    shown = describe_expected(accepted, table["words"] | table["soft"])
    words = [*table["words"].values(), *table["soft"].values(), *table["folds"]]
    slip = _find_keyword_typo(error, chunk, words, language)
    cite = re.search(r"(@\w[\w-]*)\s*$", chunk[: token.start_pos or 0])
    if cite is not None and "CITE" in accepted and _fixes_error(chunk, cite.start(), cite[1], "", language):
        column = cite.start() - chunk.rfind("\n", 0, cite.start())
        findings.add("R012", SourceSpan(path, line, column, column + len(cite[1])), hint="cite_at_end", found=cite[1], meant="")
    elif token.type == "CITE":
        findings.add("R012", SourceSpan(path, line, column, column + len(str(token))), hint="cite_at_end", found=str(token), meant="")
    elif slip:
        at, typed, meant = slip
        findings.add("R006", SourceSpan(path, at[0], at[1], at[1] + len(typed)), hint="did_you_mean", found=typed, meant=meant)
    elif accepted == {"__ANON_0"} and (before := re.search(r"([a-z]\w*)\s*$", chunk[: token.start_pos or 0])):     # `x: intger`
        start = before.start() - chunk.rfind("\n", 0, before.start())
        meant = did_you_mean(before[1], ("int", "bool"), LENIENT_CUTOFF)
        findings.add_with_suggestion("R102", SourceSpan(path, line, start, start + len(before[1])), meant, name=before[1])
    elif token.type == "_INDENT" and (below := _find_next_code(chunk, line)):
        findings.add("R004", SourceSpan(path, *below, below[1] + 1))
    elif token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        findings.add("R007", SourceSpan(path, line, column, column + 1), accepted=shown)
    else:
        order = find_part_order(token, chunk.split("\n")[line - 1], table["words"] | table["soft"])
        findings.add("R008", SourceSpan(path, line, column, column + len(str(token))), hint="parts_in_order" if order else None,
                     found=str(token), accepted=shown, order=order)


def _is_reserved_label(token: Token, accepted: Iterable[str], chunk: str) -> bool:
    """Whether a keyword is the label of an entry of a menu: `move:`, or `draw(card in hand):`."""
    label = re.compile(r"(?m)\w+[ \t]*(?:\([^\n]*\)[^\n:]*)?:").match(chunk, token.start_pos or 0)
    begins_line = not chunk[chunk.rfind("\n", 0, token.start_pos or 0) + 1 : token.start_pos or 0].strip()
    return token.type != "NAME" and begins_line and label is not None and set(accepted) <= {"NAME", "_DEDENT"}


def _find_next_code(chunk: str, line: int) -> tuple[int, int] | None:
    """Returns the line and column of the first code below a line, or None."""
    for number, text in enumerate(chunk.split("\n")[line:], line + 1):
        code = text.split("#", 1)[0]
        if code.strip():
            return number, len(code) - len(code.lstrip()) + 1
    return None


def _report_foreign_syntax(error: UnexpectedInput, chunk: str, path: str, findings: DiagnosticList, language: str) -> bool:
    """Reports foreign syntax as the cause of an error. Returns whether it found any."""
    token = error.token if isinstance(error, UnexpectedToken) else None
    bracket = _find_unclosed_bracket(chunk)
    line, column = (token.line, token.column) if token is not None else (error.line, error.column)
    if language != "en" or not line or line < 0 or not column or token is not None and bracket is not None and bracket < (line, column):
        return False
    text = chunk.split("\n")[line - 1].split("#", 1)[0]
    if token is None and error.char in "\"'":                      # type: ignore[attr-defined]
        findings.add("R014", SourceSpan(path, line, column, column + 1))
    elif token is None and error.char == ";":                      # type: ignore[attr-defined]
        findings.add("R015", SourceSpan(path, line, column, column + 1))
    elif (returning := find_returning_def(chunk)) is not None:
        start = chunk[: len(chunk) - len(chunk.lstrip())].count("\n") + 1
        findings.add("R013", SourceSpan(path, start, 1, 1 + len(chunk.lstrip().split("\n")[0])), found=returning[0], meant=returning[1])
    elif (of_line := find_foreign_line(text, set(keywords(language)["words"].values()), chunk.lstrip().startswith("proc"))) is not None:
        code, at, typed, meant = of_line
        by_code = {"R019": "def_computes", "R016": "same_column" if typed in ("else", "elif") else "further_right"}
        hint = by_code.get(code) or find_idiom_hint(typed, meant)
        findings.add(code, SourceSpan(path, line, at, at + len(typed)), hint, found=typed, meant=meant)
    elif token is not None and token == "==" and "ASSIGN" in (error.accepts or ()):                                # type: ignore[attr-defined]
        findings.add("R013", SourceSpan(path, line, column, column + 2), find_idiom_hint("=="), found="==", meant="=")
    elif token is not None and token == "=" and "CMP" in (error.accepts or ()) and text[column:column + 1] not in ("=", ">"):    # type: ignore[attr-defined]
        findings.add("R013", SourceSpan(path, line, column, column + 1), found="=", meant="==")
    else:
        found = find_foreign_idiom(text, column)
        if found is None:
            return False
        span = SourceSpan(path, line, found[0], found[0] + len(found[1]))
        findings.add("R013", span, find_idiom_hint(found[1]), found=found[1], meant=found[2])
    return True


def _find_keyword_typo(error: UnexpectedToken, chunk: str, words: list[str], language: str) -> tuple[tuple[int, int], str, str] | None:
    """Finds the misspelt keyword that causes an error: its position, its spelling and the keyword.

    A misspelt keyword often fails one token late (`chose tile` fails at `tile`). This checks the failing word first, then
    the word before it."""
    token = error.token
    table = keywords(language)
    others = {
        word: table["words"][name] for other in BUILTIN_LANGUAGES if other != language for name, word in keywords(other)["words"].items()
    }
    if str(token) in others and _fixes_error(chunk, token.start_pos or 0, str(token), others[str(token)], language):
        return (token.line or 1, token.column or 1), str(token), others[str(token)]
    if token.type == "NAME":
        wanted = {word for name, word in (table["words"] | table["soft"]).items() if name in error.accepts}
        meant = did_you_mean(str(token), wanted)
        if meant:
            return (token.line or 1, token.column or 1), str(token), meant
    before = re.search(r"(\w+)[^\S\n]*$", chunk[: token.start_pos or 0])
    if before and before[1] in others and _fixes_error(chunk, before.start(), before[1], others[before[1]], language):
        start = before.start()
        return (chunk.count("\n", 0, start) + 1, start - chunk.rfind("\n", 0, start)), before[1], others[before[1]]
    opened = re.search(r"(\w+)\([^()]*$", re.sub(r"\([^()]*\)", lambda closed: "." * len(closed[0]), chunk[: token.start_pos or 0]))
    for found in (before, opened):                                 # `nay(tile in …` fails even later
        if found is not None and found[1] not in words:
            start, beyond = found.start(), token.start_pos or 0
            meant = next(
                (word for word in find_suggestions(found[1], words) if _fixes_error(chunk, start, found[1], word, language, beyond)), ""
            )
            if meant:
                return (chunk.count("\n", 0, start) + 1, start - chunk.rfind("\n", 0, start)), found[1], meant
    return None


def _fixes_error(chunk: str, start: int, typed: str, suggestion: str, language: str, beyond: int = 0) -> bool:
    """Whether replacing a word moves the syntax error beyond it and beyond the offset `beyond`."""
    try:
        build_parser(language).parse(chunk[:start] + suggestion + chunk[start + len(typed):])
    except UnexpectedInput as error:
        position = error.pos_in_stream
        return position is None or position > max(start + len(suggestion) + 1, beyond + len(suggestion) - len(typed))
    except LarkError:
        return False
    return True


def _find_unclosed_bracket(chunk: str) -> tuple[int, int] | None:
    """Returns the line and column of the last bracket that is never closed, or None."""
    opened: list[tuple[int, int]] = []
    for number, line in enumerate(chunk.split("\n"), 1):
        for column, char in enumerate(line.split("#", 1)[0], 1):
            if char in "([{":
                opened.append((number, column))
            elif char in ")]}" and opened:
                opened.pop()
    return opened[-1] if opened else None
