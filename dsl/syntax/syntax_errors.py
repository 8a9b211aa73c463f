"""Reports a syntax error as the most helpful diagnostic for it: the cause, its place, and the correct form if it is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from lark import Token, UnexpectedInput
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedToken

from ..diagnostics.diagnostic import LENIENT_CUTOFF, Diagnostic, DiagnosticList, SourceSpan, did_you_mean, find_suggestions
from ..diagnostics.source_lines import count_indent
from ..languages.registry import BUILTIN_LANGUAGES
from .expected import describe_expected, find_part_order
from .foreign_syntax import (
    FOREIGN_TYPES,
    find_def_of_steps,
    find_foreign_idiom,
    find_foreign_line,
    find_foreign_type,
    find_idiom_hint,
    find_returning_def,
)
from .lark_parser import SOURCE_LANGUAGE, build_parser, keywords
from .line_repair import DamagedText, repair_lines

MAX_DECLARATION_ERRORS = 20
VALUE_STARTS = ("not", "-", "(", "[")
EXACT_CODES = ("R006", "R012", "R013", "R102")                     # errors with a sure cause, also next to another one


def report_syntax_errors(error: UnexpectedInput, chunk: str, path: str, findings: DiagnosticList, language: str) -> None:
    """Reports all syntax errors of a declaration. After each one, it is parsed again with the damaged line replaced."""
    damage: list[DamagedText] = []
    text = chunk
    while True:
        own = DiagnosticList()
        report_syntax_error(error, text, path, own, language)
        first = own.items[0]
        row, moved = first.place.line - 1, 0
        is_near = bool(damage) and row == damage[-1].row
        if damage and (row < damage[-1].row or is_near and not damage[-1].is_known):
            return                                                 # the line could not be repaired
        is_consequence = is_near and first.code not in EXACT_CODES
        if is_near:
            moved = len(chunk.split("\n")[row]) - len(text.split("\n")[row])
        place = replace(first.place, column=first.place.column + moved, end=first.place.end + moved)
        findings.items += [replace(first, place=place), *own.items[1:]] if not is_consequence else []
        if language != SOURCE_LANGUAGE or len(damage) == MAX_DECLARATION_ERRORS:
            return
        damage.append(DamagedText(row, place.column - 1, *(find_correction(first, text) if not is_consequence else ("", ""))))
        text = repair_lines(chunk, damage).text
        try:
            build_parser(language).parse(text)
            return
        except UnexpectedInput as other:
            error = other
        except LarkError:
            return


def find_unknown_type(error: UnexpectedInput, chunk: str) -> tuple[int, str, str] | None:
    """Returns the column, the name, and the sign after it of a word that was written as a type, such as `intger`, or None."""
    if not isinstance(error, UnexpectedToken) or (error.accepts or error.expected) != {"__ANON_0"}:
        return None
    before = re.search(r"([a-z]\w*)\s*$", chunk[: error.token.start_pos or 0])
    return (before.start() - chunk.rfind("\n", 0, before.start()), before[1], str(error.token)) if before is not None else None


def _report_unknown_type(unknown: tuple[int, str, str], place: SourceSpan, chunk: str, findings: DiagnosticList) -> None:
    """Reports an unknown type, with its equivalent or an explanation for habits of other languages."""
    _, name, after = unknown
    meant, hint = find_foreign_type(name)
    if meant:
        findings.add("R013", place, found=name, meant=meant)
    elif hint is None and after == "[" and chunk.lstrip().startswith("state"):
        findings.add("R102", place, hint="axis_for_table", name=name)
    else:
        meant = did_you_mean(name, ("int", "bool"), LENIENT_CUTOFF) if hint is None else ""
        findings.add("R102", place, hint=hint or ("did_you_mean" if meant else "kinds_of_types"), name=name, meant=meant)


def find_correction(found: Diagnostic, text: str) -> tuple[str, str]:
    """Returns the wrong text at the place of a finding and its correct form, or two empty texts.

    A missing colon is added. Any type can stand for an unknown one."""
    if found.code in ("R006", "R012", "R013"):
        return str(found.args["found"]), str(found.args["meant"])
    if found.code == "R007" and "`:`" in getattr(found.args["accepted"], "parts", ()):
        return "", ":"
    rows = text.split("\n")
    if found.code == "R102" and found.place.line <= len(rows):
        written = re.compile(r"\w+(?:\[[^\]]*\])?").match(rows[found.place.line - 1], found.place.column - 1)
        return (written[0], str(found.args.get("meant") or "int")) if written is not None else ("", "")
    return "", ""


def report_syntax_error(error: UnexpectedInput, chunk: str, path: str, findings: DiagnosticList, language: str) -> None:
    """Reports a syntax error as the most helpful diagnostic for it."""
    unknown = find_unknown_type(error, chunk)
    is_plain_type = unknown is not None and unknown[1] in FOREIGN_TYPES          # `x: dict[Player, int]` has a better equivalent as a whole
    if not is_plain_type and _report_foreign_syntax(error, chunk, path, findings, language):
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
    elif unknown is not None:
        _report_unknown_type(unknown, SourceSpan(path, line, unknown[0], unknown[0] + len(unknown[1])), chunk, findings)
    elif token.type == "_INDENT" and (below := _find_next_code(chunk, line)):
        findings.add("R004", SourceSpan(path, *below, below[1] + 1))
    elif token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        findings.add("R007", SourceSpan(path, line, column, column + 1), accepted=shown)
    else:
        text = chunk.split("\n")[line - 1]
        order = find_part_order(token, text, table["words"] | table["soft"])
        is_axis = re.match(r"state\s+\w+\[[^\]]*\b(?:int|bool)$", text[: column - 1]) is not None
        is_value = accepted >= {"ASSIGN"} if text[: column - 1].strip() else str(token) in VALUE_STARTS and line > 1
        index = re.match(r"state\s+\w+\[(?:[^\]]*,)?\s*([^\W\dA-Z]\w*)$", text[: column - 1]) if token == "]" and not is_axis else None
        meant = "".join(part.capitalize() for part in index[1].split("_")) if index is not None else ""          # `cell` for `Cell`
        hint = "parts_in_order" if order else "axis_is_type" if is_axis else "written_so" if meant else "value_alone" if is_value else None
        findings.add("R008", SourceSpan(path, line, column, column + len(str(token))), hint=hint,
                     found=str(token), accepted=shown, order=order, meant=meant)


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
            return number, count_indent(code) + 1
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
        of_def = find_def_of_steps(chunk) if typed in (":", "{") else None
        by_code = {"R019": "def_computes", "R016": "same_column" if typed in ("else", "elif") else "further_right"}
        hint = of_def or by_code.get(code) or find_idiom_hint(typed, meant)
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
    lower = str(token).lower()
    if lower != token and lower in words and _fixes_error(chunk, token.start_pos or 0, str(token), lower, language):
        return (token.line or 1, token.column or 1), str(token), lower
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
