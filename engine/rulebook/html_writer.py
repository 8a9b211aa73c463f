"""A rulebook as one web page that needs nothing else and prints well. Pictures say in words what they show."""

from __future__ import annotations

from pathlib import Path

from ...dsl.diagnostics.safe_read import read_text
from ..table_view.html_page import framed, quoted, table_of
from ..table_view.plain_renderer import plain_lines
from ..table_view.svg_renderer import Drawn, short
from ..table_view.view_model import Chart, Panel
from .book import Block, Book, Chapter, Clause, Listing, Picture, Pointers, Table, Terms, Text
from .links import Links

STYLE = Path(__file__).resolve().parent / "assets" / "rulebook.css"
COLUMNS = 7                                                        # from so many on, a table is set smaller
WIDTH = 100
FINE = 0.78                                                        # how much smaller panels and the boards of examples are on paper
BESIDE = 580                                                       # pictures that are no wider stand beside each other
STRONG = ' class="strong"'


def web(book: Book) -> str:
    """The whole page."""
    return Page(book).whole()


def side_by_side(blocks: list[Block]) -> list[Block | list[Picture]]:
    """The table before and afterwards beside each other, where both are narrow: then behind what happens in between."""
    small = [block for block in blocks if isinstance(block, Picture) and block.small]
    if len(small) != 2 or any(drawn.width > BESIDE for block in small for drawn in block.panels):
        return list(blocks)
    return [*(block for block in blocks if block not in small), list(small)]


class Page:
    """Writes one book."""

    def __init__(self, book: Book) -> None:
        self.book, self.links, self.numbers = book, Links(book.terms), book.numbers

    def whole(self) -> str:
        book = self.book
        out = [f"<header><h1>{quoted(book.title)}</h1>", f'<p class="under">{quoted(book.under)}</p>']
        out += [f'<p class="about">{quoted(book.about)}</p>'] if book.about else []
        out += ["</header>", f'<nav class="contents" aria-label="{quoted(book.contents)}"><h2>{quoted(book.contents)}</h2>',
                self.contents(book.chapters, 1), "</nav>", "<main>", *(self.chapter(chapter, 2) for chapter in book.chapters)]
        return framed(book.lang, book.title, f"{read_text(STYLE)}\n{book.sheet}", "\n".join([*out, "</main>"]))

    def contents(self, chapters: list[Chapter], depth: int) -> str:
        items = [f'<li><span class="no">{c.number}</span><a href="#{quoted(c.anchor)}">{quoted(c.title)}</a>'
                 + (self.contents(c.parts, depth + 1) if c.parts and depth < c.shown else "") + "</li>" for c in chapters]
        return f"<ul>{''.join(items)}</ul>"

    def chapter(self, chapter: Chapter, depth: int) -> str:
        level, kind = min(depth, 6), ' class="fresh"' if chapter.fresh else ""
        out = [f'<section><h{level}{kind} id="{quoted(chapter.anchor)}"><span class="no">{chapter.number}</span>'
               f"{quoted(chapter.title)}</h{level}>"]
        clauses: list[str] = []
        for block in side_by_side(chapter.blocks):
            if isinstance(block, list):
                out.append(f'<div class="pair">{"".join(self.block(one, chapter.anchor) for one in block)}</div>')
                continue
            if isinstance(block, Clause):                          # those beside each other make one list
                clauses.append(self.clause(block, chapter.anchor))
                continue
            out += self.gathered(clauses)
            out.append(self.block(block, chapter.anchor))
        out += self.gathered(clauses)
        return "\n".join([*out, *(self.chapter(part, depth + 1) for part in chapter.parts), "</section>"])

    def gathered(self, clauses: list[str]) -> list[str]:
        out = [f"<ul>{''.join(clauses)}</ul>"] if clauses else []
        clauses.clear()
        return out

    def linked(self, text: str, here: str) -> str:
        return "".join(f'<a href="#{quoted(anchor)}">{quoted(piece)}</a>' if anchor else quoted(piece)
                       for piece, anchor in self.links.cut(text, here))

    def clause(self, block: Clause, here: str) -> str:
        notes = "".join(f'<span class="note">{quoted(note)}</span>' for note in block.notes)
        shown = "".join(f' <a class="id" href="#{quoted(anchor)}">{quoted(said)}</a>' for said, anchor in block.examples)
        mark = f' <span class="id">{block.id}</span>{shown}{notes}</li>'
        said = [f"{quoted(when)}: {self.linked(one, here)}" for when, one in block.cases] or [self.linked(block.said, here)]
        return f'<li id="{block.id}">{said[0]}{mark}' + "".join(f"<li>{one}</li>" for one in said[1:])

    def block(self, block: Block, here: str) -> str:
        match block:
            case Text():
                return f'<p{STRONG if block.strong else ""}>{self.linked(block.said, here)}</p>'
            case Listing():
                kind = ' class="items"' if len(block.items) > 5 else ""
                return f"<ul{kind}>{''.join(f'<li>{quoted(item)}</li>' for item in block.items)}</ul>"
            case Table():
                return table_of(block.heads, block.rows, "wide" if len(block.heads) >= COLUMNS else "")
            case Terms():
                return "<dl>" + "".join(f"<dt>{self.term(word, anchor)}</dt><dd>{quoted(said)}</dd>"
                                        for word, anchor, said in block.entries) + "</dl>"
            case Pointers():
                return '<ul class="index">' + "".join(
                    f"<li>{quoted(word)} " + ", ".join(f'<a href="#{quoted(a)}">{self.numbers[a]}</a>' for a in anchors) + "</li>"
                    for word, anchors in block.entries) + "</ul>"
            case Picture():
                panels = "".join(self.panel(drawn, shape, block) for drawn, shape in zip(block.panels, block.shapes))
                kind = ' class="small"' if block.small else ""
                return f"<figure{kind}><figcaption>{quoted(block.title)}</figcaption>{panels}</figure>"
            case Clause():
                return f"<ul>{self.clause(block, here)}</ul>"

    def term(self, word: str, anchor: str) -> str:
        return f'<a href="#{quoted(anchor)}">{quoted(word)}</a>' if anchor else quoted(word)

    def panel(self, drawn: Drawn, shape: Panel, block: Picture) -> str:
        """A panel as a picture, with its name and, as a description, all that it shows in words."""
        wide, high = short(drawn.width), short(drawn.height)
        most = drawn.width * (FINE if block.small or not isinstance(shape, Chart) else 1)
        told = quoted("\n".join(plain_lines([shape], WIDTH)))
        parts = "".join(drawn.parts)
        return (f'<svg class="table" role="img" viewBox="0 0 {wide} {high}" style="max-width:{short(most)}px" '
                f'preserveAspectRatio="xMinYMin" xml:space="preserve">'
                f"<title>{quoted(drawn.title or block.title)}</title><desc>{told}</desc>{parts}</svg>")
