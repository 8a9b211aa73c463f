"""Rewrites pages for MkDocs. Our pages use GitHub's Markdown, and Python-Markdown differs in a few places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
LIST_ITEM = re.compile(r"^( *)([-*+]|\d{1,9}[.)]) +(?=\S)")
TABLE_ROW = re.compile(r"^ *\|.*\|\s*$")
ALERT = re.compile(r"^> \[!(\w+)\]\s*$")
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)((?: \"[^\"]*\")?\))")
HTML_LINK = re.compile(r"(<img [^>]*?src=\")([^\"]+)(\")")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
OWN_LANGUAGES = {"holds": "rules", "play": "text", "clauses": "yaml", "": "text"}


def rewrite_page(text: str, change_link: Callable[[str], str]) -> str:
    """Returns the page for MkDocs, with each link target passed through `change_link`."""
    return "\n".join(_rewrite_lines(text.split("\n"), change_link))


def _rewrite_lines(lines: list[str], change_link: Callable[[str], str]) -> Iterator[str]:
    fence, shift = "", 0
    alert = False
    offsets: list[int] = []                                        # content columns of the open list items
    before = ""
    seen: dict[str, int] = {}                                      # anchor to the number of its repetitions
    for line in lines:
        if found := FENCE.match(line):
            if not fence:
                fence = found[2]
                depth = _list_depth(offsets, len(found[1]), before)
                shift = 4 * depth - (offsets[depth - 1] if depth else 0)
                yield " " * (len(found[1]) + shift) + found[2] + _fence_header(found[3])
                continue
            if line.strip() == fence:
                fence = ""
                yield " " * max(shift, 0) + line
                before = line
                continue
        if fence:
            yield " " * max(shift, 0) + line if line else line
            continue
        if found := ALERT.match(line):
            alert = True
            yield f"!!! {found[1].lower()}"
            yield ""
            continue
        if alert and line.startswith(">"):
            yield "    " + _change_links(line[1:].removeprefix(" "), change_link)
            continue
        alert = False
        line = _change_links(line, change_link)
        if found := HEADING.match(line):
            line += _anchor(found[2], seen)
        item = LIST_ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            yield ""
        elif item:
            if not offsets and before.strip():
                yield ""
            while offsets and indent < offsets[-1]:
                offsets.pop()
            yield " " * 4 * len(offsets) + line[indent:]
            offsets.append(item.end())
        else:
            depth = _list_depth(offsets, indent, before)
            del offsets[depth:]
            if TABLE_ROW.match(line) and before.strip() and not TABLE_ROW.match(before):
                yield ""
            line = _unescape_bars(line) if TABLE_ROW.match(line) else line
            yield " " * 4 * depth + line[indent:] if depth else line
        before = line


def github_anchor(heading: str) -> str:
    """Returns the anchor that GitHub gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _anchor(heading: str, seen: dict[str, int]) -> str:
    """Returns the anchor of a heading as an attribute, if the heading is not the first one with this text."""
    name = github_anchor(heading)
    seen[name] = seen.get(name, -1) + 1
    return f" {{ #{name}-{seen[name]} }}" if seen[name] else ""


def _unescape_bars(row: str) -> str:
    """Returns a row of a table with plain vertical bars in its code. GitHub needs a backslash there, but Python-Markdown would show it."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row)


def _list_depth(offsets: list[int], indent: int, before: str) -> int:
    """Returns how many list items a line with this indentation belongs to."""
    if before.strip() and offsets and indent < offsets[-1] and not FENCE.match(before):
        return len(offsets)                                        # a paragraph that continues without indentation
    return sum(indent >= offset for offset in offsets)


def _fence_header(info: str) -> str:
    """Returns the words after a fence. `yaml mail/game.yaml` becomes a title above the block."""
    kind, _, rest = info.strip().partition(" ")
    if rest.startswith(("title=", "{")):
        return info
    title = f' title="{rest.strip()}"' if "/" in rest or rest.strip().endswith((".yaml", ".rules", ".po", ".py")) else ""
    return OWN_LANGUAGES.get(kind, kind) + title


def _change_links(line: str, change_link: Callable[[str], str]) -> str:
    """Returns a line with changed link targets. Code between backquotes does not change."""
    parts = re.split(r"(`+[^`]*`+)", line)
    if len(parts) == 1:
        return _change_targets(line, change_link)
    # A link text may contain code, so the search for links uses the whole line, with code masked.
    masked = "".join("\0" * len(part) if n % 2 else part for n, part in enumerate(parts))
    out, end = [], 0
    for pattern in (LINK, HTML_LINK):
        for found in pattern.finditer(masked):
            if "\0" in found[2]:
                continue
            out.append(line[end : found.start(2)] + change_link(found[2]))
            end = found.end(2)
        masked = masked if not out else "\0" * len(masked)
    return "".join(out) + line[end:]


def _change_targets(line: str, change_link: Callable[[str], str]) -> str:
    for pattern in (LINK, HTML_LINK):
        line = pattern.sub(lambda found: found[1] + change_link(found[2]) + found[3], line)
    return line


def first_heading(text: str) -> str | None:
    """Returns the text of the first heading of a page, without Markdown signs."""
    found = re.search(r"^# +(.+?)\s*#*$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return None if found is None else re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", lambda part: part[1] or "", found[1])


def escape_cell(text: str) -> str:
    """Returns a text for a cell of a table: on one line, with vertical bars and HTML signs escaped outside of code."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if n % 2 else escape_text(part).replace("|", "\\|") for n, part in enumerate(parts))


def escape_text(text: str) -> str:
    """Returns a text with the special characters of Markdown and HTML escaped, except in code between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if n % 2 else re.sub(r"([*_\[\]{}\\])", r"\\\1", escape(part, quote=False)) for n, part in enumerate(parts))


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table. Cells must be escaped already."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows]) + "\n"
