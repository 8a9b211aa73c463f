"""Makes a YAML file readable that lacks quotation marks, spaces after colons or even indentation.

So one run can report its other mistakes too."""

from __future__ import annotations

import json
import re

from ..diagnostics.source_lines import count_indent

FIELD = re.compile(r"\{[^\W\d][\w.~]*\}")                               # of a text: `{who}`
ELEMENT = re.compile(r"[\[,]\s*([^\s,\[\]{}\"'][^,\[\]{}\"']*\[[^\[\]]*\])\s*(?=[,\]])")       # of a list: `proc buy[pie]`
PLAIN_VALUE = re.compile(r"(\s*(?:- +)?[^\s:#][^:#]*: +)([^\s|>\"{].*?)\s*")       # a key with a value on the same line
BEGUN_VALUE = re.compile(r"\[.*\]$|\[[^\]]*$|'[^']*$")                         # a list, or a quotation that may go on below
KEY_WITHOUT_SPACE = re.compile(r"(\s*(?:- +)?)([^\W\d][\w.-]*):([^\s:/]\S*)\s*")         # `players:2`
ONLY_KEY = re.compile(r"\s*(?:- +)?[^\s:#][^:#]*")                              # the line up to its colon
COMMENT_AFTER_TEXT = re.compile(r"[ \t]+(#[^\s#].*)")                             # a comment that may have been intended as text


def find_unquoted_field(line: str, column: int) -> re.Match[str] | None:
    """Returns the field, such as `{who}`, at which YAML fails because its text is not in quotation marks, or None."""
    return next((found for found in FIELD.finditer(line) if found.start() <= column <= len(line) - len(line[found.end() :].lstrip())), None)


def find_unquoted_element(line: str, column: int) -> re.Match[str] | None:
    """Returns the element of a list with brackets of its own, such as `proc buy[pie]`, at which YAML fails, or None."""
    return next((found for found in ELEMENT.finditer(line) if found.start(1) <= column <= found.end(1)), None)


def find_line_above(lines: list[str], number: int) -> int | None:
    """Returns the number of the nearest line above that is neither empty nor a comment, or None."""
    return next((n for n in range(min(number, len(lines)) - 1, -1, -1) if (line := lines[n].strip()) and line[0] != "#"), None)


def find_key_without_space(lines: list[str], number: int) -> tuple[int, re.Match[str]] | None:
    """Returns the line above with a key but no space after its colon, because of which YAML fails at line `number`, or None."""
    above = find_line_above(lines, number)
    found = None if above is None else KEY_WITHOUT_SPACE.fullmatch(lines[above])
    return None if above is None or found is None else (above, found)


def find_uneven_line(lines: list[str], number: int, column: int) -> tuple[int, int] | None:
    """Returns the columns of a key and of the key above it if YAML fails at `column` because they differ, or None.

    The line above has a value, so nothing can be indented deeper than it."""
    above = find_line_above(lines, number)
    if above is None or number >= len(lines) or (key := PLAIN_VALUE.fullmatch(lines[above])) is None or BEGUN_VALUE.match(key[2]):
        return None
    line = lines[number]
    own, other = count_indent(line), count_indent(lines[above])
    begins_here = ONLY_KEY.fullmatch(line, 0, column) is not None if column > own else column == own and ":" in line
    return (own, other) if own != other and not lines[above].lstrip().startswith("- ") and begins_here else None


def repair_line(text: str, number: int, column: int) -> str | None:
    """Returns a text with a mistake in the layout of YAML corrected, or None if that is impossible.

    YAML fails at `column` of line `number`, both counted from 0. Only this line, the line above or lines inside it change."""
    lines = text.split("\n")
    line = lines[number] if number < len(lines) else ""
    if (joined := find_key_without_space(lines, number)) is not None:
        lines[joined[0]] = "{}{}: {}".format(*joined[1].groups())
    elif (uneven := find_uneven_line(lines, number, column)) is not None:
        own, other = uneven
        for n in range(number, len(lines)):
            indent = count_indent(lines[n])
            if lines[n].strip() and n > number and indent < max(own, 1):
                break
            lines[n] = " " * (other + indent - own) + lines[n].lstrip() if lines[n].strip() else lines[n]
    elif (field := find_unquoted_field(line, column)) is not None:
        lines[number] = f"{line[: field.start()]}({field[0][1:-1]}){line[field.end() :]}"
    elif (element := find_unquoted_element(line, column)) is not None:
        lines[number] = f"{line[: element.start(1)]}{json.dumps(element[1])}{line[element.end(1) :]}"
    elif (cut := COMMENT_AFTER_TEXT.search(line, column)) is not None:
        lines[number] = f"{line[: cut.start(1)]}_{line[cut.start(1) + 1 :]}"
    elif (plain := PLAIN_VALUE.fullmatch(line)) is not None and BEGUN_VALUE.match(plain[2]) is None:
        lines[number] = plain[1] + json.dumps(plain[2], ensure_ascii=False)
    else:
        return None
    return "\n".join(lines)
