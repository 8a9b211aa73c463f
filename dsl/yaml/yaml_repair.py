"""Makes a YAML file readable whose texts lack quotation marks, so that one run can report its other mistakes too."""

from __future__ import annotations

import json
import re

FIELD = re.compile(r"\{[^\W\d][\w.~]*\}")                               # of a text: `{who}`
ELEMENT = re.compile(r"[\[,]\s*([^\s,\[\]{}\"'][^,\[\]{}\"']*\[[^\[\]]*\])\s*(?=[,\]])")       # of a list: `proc buy[pie]`
PLAIN_VALUE = re.compile(r"(\s*(?:- +)?[^\s:#][^:#]*: +)([^\s|>\"{].*?)\s*")       # a key with a value on the same line
BEGUN_VALUE = re.compile(r"\[.*\]$|\[[^\]]*$|'[^']*$")                         # a list, or a quotation that may go on below
COMMENT_AFTER_TEXT = re.compile(r"[ \t]+(#[^\s#].*)")                             # a comment that may have been intended as text


def find_unquoted_field(line: str, column: int) -> re.Match[str] | None:
    """Returns the field, such as `{who}`, at which YAML fails because its text is not in quotation marks, or None."""
    return next((found for found in FIELD.finditer(line) if found.start() <= column <= len(line) - len(line[found.end() :].lstrip())), None)


def find_unquoted_element(line: str, column: int) -> re.Match[str] | None:
    """Returns the element of a list with brackets of its own, such as `proc buy[pie]`, at which YAML fails, or None."""
    return next((found for found in ELEMENT.finditer(line) if found.start(1) <= column <= found.end(1)), None)


def quote_line(text: str, number: int, column: int) -> str | None:
    """Returns a text with one of its lines (counted from 0) changed so that YAML reads it as a text, or None if that is impossible.

    `column` is where YAML fails. All other lines stay as they are."""
    lines = text.split("\n")
    line = lines[number] if number < len(lines) else ""
    if (field := find_unquoted_field(line, column)) is not None:
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
