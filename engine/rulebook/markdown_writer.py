"""A rulebook as Markdown: headings, lists, tables; boards as lines of text."""

from __future__ import annotations

import re
from html import escape

from ...dsl.diagnostics.sanitize import visible
from .book import Block, Book, Chapter, Clause, Listing, Picture, Pointers, Table, Terms, Text
from .links import Links

SPECIAL = re.compile(r"([\\`*_\[\]<>|#&~$@])")
BEGINNING = re.compile(r"\A(\d+(?=[.)](?:\s|\Z))|(?=[-+=]))")    # of a line: what would make a list, a heading or a rule of it
ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(?=:)|\b(www)(?=\.)")   # what readers of Markdown make links of
FENCE = re.compile("`+")
BREAK = re.compile(r"[ \t]*[\t\n][ \t\n]*")


def markdown(book: Book) -> str:
    """The whole book."""
    return Writer(book).whole()


def safe(text: str) -> str:
    """A text, on one line, that means nothing to Markdown."""
    line = SPECIAL.sub(r"\\\1", visible(BREAK.sub(" ", text)))
    return ADDRESS.sub(r"\g<0>\\", line)


def opening(line: str) -> str:
    """A safe text with which a line or an item of a list begins."""
    return BEGINNING.sub(r"\1\\", line)


def fenced(drawn: str) -> str:
    """Lines of text as they stand, in a fence that is longer than any within them."""
    fence = "`" * max(3, 1 + max(map(len, FENCE.findall(drawn)), default=0))
    return f"{fence}text\n{visible(drawn, keep=chr(10))}\n{fence}"


class Writer:
    """Writes one book."""

    def __init__(self, book: Book) -> None:
        self.book, self.links, self.numbers = book, Links(book.terms), book.numbers

    def whole(self) -> str:
        book = self.book
        out = [f"# {safe(book.title)}", opening(safe(book.under))]
        out += [f"**{safe(book.about)}**"] if book.about else []
        out += [f"## {safe(book.contents)}", "\n".join(self.entry(c, 0) for c in book.chapters)]
        for chapter in book.chapters:
            out += self.chapter(chapter, 2)
        return "\n\n".join(out) + "\n"

    def entry(self, chapter: Chapter, depth: int) -> str:
        own = f"{'  ' * depth}- [{chapter.number} {safe(chapter.title)}](#{chapter.anchor})"
        return "\n".join([own, *(self.entry(part, depth + 1) for part in chapter.parts if depth + 1 < chapter.shown)])

    def chapter(self, chapter: Chapter, depth: int) -> list[str]:
        out = [f'<a id="{escape(chapter.anchor)}"></a>', f"{'#' * min(depth, 6)} {chapter.number} {safe(chapter.title)}"]
        for block in chapter.blocks:
            out.append(self.block(block, chapter.anchor))
        for part in chapter.parts:
            out += self.chapter(part, depth + 1)
        return out

    def linked(self, text: str, here: str) -> str:
        return "".join(f"[{safe(piece)}](#{anchor})" if anchor else safe(piece) for piece, anchor in self.links.cut(text, here))

    def block(self, block: Block, here: str) -> str:
        match block:
            case Text():
                return f"**{safe(block.said)}**" if block.strong else opening(self.linked(block.said, here))
            case Clause():
                said = [f"- {opening(safe(when))}: {self.linked(one, here)}" for when, one in block.cases]
                lines = said or [f"- {opening(self.linked(block.said, here))}"]
                lines[0] += f" `{block.id}`" + "".join(f" [{safe(said)}](#{anchor})" for said, anchor in block.examples)
                lines += [f"  - *{safe(note)}*" for note in block.notes]
                return "\n".join(lines)
            case Listing():
                return "\n".join(f"- {opening(safe(item))}" for item in block.items)
            case Table():
                rows = [block.heads, ["---"] * len(block.heads), *block.rows]
                return "\n".join("| " + " | ".join(entry if n == 1 else safe(entry) for entry in row) + " |" for n, row in enumerate(rows))
            case Terms():
                return "\n".join(f"- **{f'[{safe(word)}](#{anchor})' if anchor else safe(word)}** – {safe(said)}"
                                 for word, anchor, said in block.entries)
            case Pointers():
                return "\n".join(f"- {opening(safe(word))} – {', '.join(f'[{self.numbers[a]}](#{a})' for a in anchors)}"
                                 for word, anchors in block.entries)
            case Picture():
                drawn = "\n\n".join("\n".join(lines) for lines in block.letters)
                return f"{opening(safe(block.title))}\n\n{fenced(drawn)}"
