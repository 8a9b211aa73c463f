"""Writes a rulebook as Markdown: headings, lists, tables, and boards as text."""

from __future__ import annotations

import re
from html import escape

from ...dsl.diagnostics.sanitize import sanitize
from .book import Book, BookBlock, BookClause, BookParagraph, BookTable, Chapter, DefinitionList, IndexEntries, InlineList, TableFigure
from .links import TermLinker

SPECIAL_CHARACTERS = re.compile(r"([\\`*_\[\]<>|#&~$@])")
BLOCK_MARKER = re.compile(r"\A(\d+(?=[.)](?:\s|\Z))|(?=[-+=]))")    # would start a list, a heading or a thematic break
AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(?=:)|\b(www)(?=\.)")   # what Markdown renderers turn into links
BACKTICKS = re.compile("`+")
LINE_BREAK = re.compile(r"[ \t]*[\t\n][ \t\n]*")


def render_markdown(book: Book) -> str:
    """Returns the whole book."""
    return MarkdownWriter(book).render()


def escape_markdown(text: str) -> str:
    """Returns a text on one line with all Markdown characters escaped."""
    line = SPECIAL_CHARACTERS.sub(r"\\\1", sanitize(LINE_BREAK.sub(" ", text)))
    return AUTOLINK.sub(r"\g<0>\\", line)


def escape_line_start(line: str) -> str:
    """Escapes the beginning of a safe text that starts a line or a list item."""
    return BLOCK_MARKER.sub(r"\1\\", line)


def wrap_in_fence(drawn: str) -> str:
    """Returns text lines in a code fence that is longer than any fence in them."""
    fence = "`" * max(3, 1 + max(map(len, BACKTICKS.findall(drawn)), default=0))
    return f"{fence}text\n{sanitize(drawn, keep=chr(10))}\n{fence}"


class MarkdownWriter:
    """Writes one book as Markdown."""

    def __init__(self, book: Book) -> None:
        self.book, self.links, self.numbers = book, TermLinker(book.terms), book.chapter_numbers

    def render(self) -> str:
        """Returns the whole book."""
        book = self.book
        out = [f"# {escape_markdown(book.title)}", escape_line_start(escape_markdown(book.under))]
        out += [f"**{escape_markdown(book.about)}**"] if book.about else []
        out += [f"## {escape_markdown(book.contents)}", "\n".join(self.render_contents_entry(c, 0) for c in book.chapters)]
        for chapter in book.chapters:
            out += self.render_chapter(chapter, 2)
        return "\n\n".join(out) + "\n"

    def render_contents_entry(self, chapter: Chapter, depth: int) -> str:
        """Returns the entry of a chapter in the table of contents, with its subchapters."""
        own = f"{'  ' * depth}- [{chapter.number} {escape_markdown(chapter.title)}](#{chapter.anchor})"
        return "\n".join([own, *(self.render_contents_entry(part, depth + 1) for part in chapter.parts if depth + 1 < chapter.shown)])

    def render_chapter(self, chapter: Chapter, depth: int) -> list[str]:
        """Returns the lines of a chapter with its subchapters."""
        out = [f'<a id="{escape(chapter.anchor)}"></a>', f"{'#' * min(depth, 6)} {chapter.number} {escape_markdown(chapter.title)}"]
        for block in chapter.blocks:
            out.append(self.render_block(block, chapter.anchor))
        for part in chapter.parts:
            out += self.render_chapter(part, depth + 1)
        return out

    def link_terms(self, text: str, chapter_anchor: str) -> str:
        """Returns a text with links to the chapters that explain its terms."""
        return "".join(
            f"[{escape_markdown(piece)}](#{anchor})" if anchor else escape_markdown(piece)
            for piece, anchor in self.links.split_text(text, chapter_anchor)
        )

    def strike(self, text: str, part: str) -> str:
        """Returns a text of which one part is struck."""
        before, struck, after = map(escape_markdown, text.rpartition(part))
        return f"{before}~~{struck}~~{after}"

    def render_block(self, block: BookBlock, chapter_anchor: str) -> str:
        """Returns a block of a chapter."""
        match block:
            case BookParagraph() if block.struck:
                return escape_line_start(self.strike(block.text, block.struck))
            case BookParagraph():
                return (
                    f"**{escape_markdown(block.text)}**" if block.strong else escape_line_start(self.link_terms(block.text, chapter_anchor))
                )
            case BookClause():
                said = [
                    f"- {escape_line_start(escape_markdown(when))}: {self.link_terms(one, chapter_anchor)}" for when, one in block.cases
                ]
                if block.struck:
                    said = [f"- {escape_line_start(self.strike(block.text, block.struck))}"]
                lines = said or [f"- {escape_line_start(self.link_terms(block.text, chapter_anchor))}"]
                lines[0] += f" `{block.id}`" + "".join(f" [{escape_markdown(said)}](#{anchor})" for said, anchor in block.examples)
                lines += [f"  - *{escape_markdown(note)}*" for note in block.notes]
                return "\n".join(lines)
            case InlineList():
                return "\n".join(f"- {escape_line_start(escape_markdown(item))}" for item in block.items)
            case BookTable():
                rows = [block.heads, ["---"] * len(block.heads), *block.rows]
                return "\n".join(
                    "| " + " | ".join(entry if n == 1 else escape_markdown(entry) for entry in row) + " |" for n, row in enumerate(rows)
                )
            case DefinitionList():
                return "\n".join(
                    f"- **{f'[{escape_markdown(word)}](#{anchor})' if anchor else escape_markdown(word)}** – {escape_markdown(said)}"
                    for word, anchor, said in block.entries
                )
            case IndexEntries():
                return "\n".join(
                    f"- {escape_line_start(escape_markdown(word))} – {', '.join(f'[{self.numbers[a]}](#{a})' for a in anchors)}"
                    for word, anchors in block.entries
                )
            case TableFigure():
                drawn = "\n\n".join("\n".join(lines) for lines in block.letters)
                return f"{escape_line_start(escape_markdown(block.title))}\n\n{wrap_in_fence(drawn)}"
