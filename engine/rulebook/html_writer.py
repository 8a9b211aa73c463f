"""Writes a rulebook as one self-contained web page that prints well. Each picture has a description in words."""

from __future__ import annotations

from pathlib import Path

from ...dsl.diagnostics.safe_read import read_text
from ..table_view.html_page import escape_html, html_table, render_html_page
from ..table_view.plain_renderer import render_plain
from ..table_view.svg_pen import format_number
from ..table_view.svg_renderer import PanelSvg
from ..table_view.view_model import BoardPanel, Panel
from .book import Book, BookBlock, BookClause, BookParagraph, BookTable, Chapter, DefinitionList, IndexEntries, InlineList, TableFigure
from .links import TermLinker

STYLESHEET_PATH = Path(__file__).resolve().parent / "assets" / "rulebook.css"
MIN_WIDE_TABLE_COLUMNS = 7                                                        # a table with at least so many columns is set smaller
DESCRIPTION_COLUMNS = 100
# scale of panels and of example boards
SMALL_FIGURE_SCALE = 0.78
MAX_PAIR_WIDTH_PX = 580                                                       # narrower figures are shown side by side
STRONG_CLASS = ' class="strong"'


def render_html(book: Book) -> str:
    """Returns the whole page."""
    return HtmlWriter(book).render()


def pair_pictures(blocks: list[BookBlock]) -> list[BookBlock | list[TableFigure]]:
    """Moves the figures before and after an example into one pair, if both are narrow enough."""
    small = [block for block in blocks if isinstance(block, TableFigure) and block.small]
    if len(small) != 2 or any(drawn.width > MAX_PAIR_WIDTH_PX for block in small for drawn in block.panels):
        return list(blocks)
    return [*(block for block in blocks if block not in small), list(small)]


class HtmlWriter:
    """Writes one book as HTML."""

    def __init__(self, book: Book) -> None:
        self.book, self.links, self.numbers = book, TermLinker(book.terms), book.chapter_numbers

    def render(self) -> str:
        """Returns the whole page."""
        book = self.book
        out = [f"<header><h1>{escape_html(book.title)}</h1>", f'<p class="under">{escape_html(book.under)}</p>']
        out += [f'<p class="about">{escape_html(book.about)}</p>'] if book.about else []
        out += ["</header>", f'<nav class="contents" aria-label="{escape_html(book.contents)}"><h2>{escape_html(book.contents)}</h2>',
                self.render_contents(book.chapters, 1), "</nav>", "<main>", *(self.render_chapter(chapter, 2) for chapter in book.chapters)]
        return render_html_page(book.lang, book.title, f"{read_text(STYLESHEET_PATH)}\n{book.sheet}", "\n".join([*out, "</main>"]))

    def render_contents(self, chapters: list[Chapter], depth: int) -> str:
        """Returns the table of contents as a list."""
        items = [f'<li><span class="no">{c.number}</span><a href="#{escape_html(c.anchor)}">{escape_html(c.title)}</a>'
                 + (self.render_contents(c.parts, depth + 1) if c.parts and depth < c.shown else "") + "</li>" for c in chapters]
        return f"<ul>{''.join(items)}</ul>"

    def render_chapter(self, chapter: Chapter, depth: int) -> str:
        """Returns a chapter with its subchapters."""
        level, kind = min(depth, 6), ' class="fresh"' if chapter.fresh else ""
        out = [f'<section><h{level}{kind} id="{escape_html(chapter.anchor)}"><span class="no">{chapter.number}</span>'
               f"{escape_html(chapter.title)}</h{level}>"]
        clauses: list[str] = []
        for block in pair_pictures(chapter.blocks):
            if isinstance(block, list):
                out.append(f'<div class="pair">{"".join(self.render_block(one, chapter.anchor) for one in block)}</div>')
                continue
            if isinstance(block, BookClause):                          # consecutive clauses form one list
                clauses.append(self.render_clause(block, chapter.anchor))
                continue
            out += self.flush_clauses(clauses)
            out.append(self.render_block(block, chapter.anchor))
        out += self.flush_clauses(clauses)
        return "\n".join([*out, *(self.render_chapter(part, depth + 1) for part in chapter.parts), "</section>"])

    def flush_clauses(self, clauses: list[str]) -> list[str]:
        """Returns the collected clauses as a list, and clears the collection."""
        out = [f"<ul>{''.join(clauses)}</ul>"] if clauses else []
        clauses.clear()
        return out

    def link_terms(self, text: str, chapter_anchor: str) -> str:
        """Returns a text with links to the chapters that explain its terms."""
        return "".join(f'<a href="#{escape_html(anchor)}">{escape_html(piece)}</a>' if anchor else escape_html(piece)
                       for piece, anchor in self.links.split_text(text, chapter_anchor))

    def strike(self, text: str, part: str) -> str:
        """Returns a text of which one part is struck."""
        before, struck, after = map(escape_html, text.rpartition(part))
        return f"{before}<del>{struck}</del>{after}"

    def render_clause(self, block: BookClause, chapter_anchor: str) -> str:
        """Returns a clause as one list item, or one for each number of players."""
        notes = "".join(f'<span class="note">{escape_html(note)}</span>' for note in block.notes)
        shown = "".join(f' <a class="id" href="#{escape_html(anchor)}">{escape_html(said)}</a>' for said, anchor in block.examples)
        mark = f' <span class="id">{block.id}</span>{shown}{notes}</li>'
        said = [f"{escape_html(when)}: {self.link_terms(one, chapter_anchor)}" for when, one in block.cases] or [
            self.link_terms(block.text, chapter_anchor)
        ]
        if block.struck:
            said = [self.strike(block.text, block.struck)]
        return f'<li id="{block.id}">{said[0]}{mark}' + "".join(f"<li>{one}</li>" for one in said[1:])

    def render_block(self, block: BookBlock, chapter_anchor: str) -> str:
        """Returns a block of a chapter."""
        match block:
            case BookParagraph() if block.struck:
                return f"<p>{self.strike(block.text, block.struck)}</p>"
            case BookParagraph():
                return f'<p{STRONG_CLASS if block.strong else ""}>{self.link_terms(block.text, chapter_anchor)}</p>'
            case InlineList():
                kind = ' class="items"' if len(block.items) > 5 else ""
                return f"<ul{kind}>{''.join(f'<li>{escape_html(item)}</li>' for item in block.items)}</ul>"
            case BookTable():
                kind = "wide" if len(block.heads) >= MIN_WIDE_TABLE_COLUMNS else ""
                return f'<div class="scroll" tabindex="0">{html_table(block.heads, block.rows, kind)}</div>'
            case DefinitionList():
                return "<dl>" + "".join(f"<dt>{self.render_term(word, anchor)}</dt><dd>{escape_html(said)}</dd>"
                                        for word, anchor, said in block.entries) + "</dl>"
            case IndexEntries():
                return '<ul class="index">' + "".join(
                    f"<li>{escape_html(word)} " + ", ".join(f'<a href="#{escape_html(a)}">{self.numbers[a]}</a>' for a in anchors) + "</li>"
                    for word, anchors in block.entries) + "</ul>"
            case TableFigure():
                panels = "".join(self.render_panel(drawn, shape, block) for drawn, shape in zip(block.panels, block.shapes))
                kind = ' class="small"' if block.small else ""
                return f"<figure{kind}><figcaption>{escape_html(block.title)}</figcaption>{panels}</figure>"
            case BookClause():
                return f"<ul>{self.render_clause(block, chapter_anchor)}</ul>"

    def render_term(self, word: str, anchor: str) -> str:
        """Returns a term, linked to its chapter if it has one."""
        return f'<a href="#{escape_html(anchor)}">{escape_html(word)}</a>' if anchor else escape_html(word)

    def render_panel(self, drawn: PanelSvg, shape: Panel, block: TableFigure) -> str:
        """Returns a panel as SVG, with its title and a description of its contents in words."""
        wide, high = format_number(drawn.width), format_number(drawn.height)
        most = drawn.width * (SMALL_FIGURE_SCALE if block.small or not isinstance(shape, BoardPanel) else 1)
        told = escape_html("\n".join(render_plain([shape], DESCRIPTION_COLUMNS)))
        parts = "".join(drawn.parts)
        return (f'<svg class="table" role="img" viewBox="0 0 {wide} {high}" style="max-width:{format_number(most)}px" '
                f'preserveAspectRatio="xMinYMin" xml:space="preserve">'
                f"<title>{escape_html(drawn.title or block.title)}</title><desc>{told}</desc>{parts}</svg>")
