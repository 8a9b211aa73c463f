"""Checks written rulebooks: Markdown of a small game in four languages, and self-contained web pages."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ludoglot.engine.rulebook.book import Book, BookTable, Chapter
from ludoglot.engine.rulebook.html_writer import render_html
from ludoglot.engine.rulebook.links import TermLinker
from ludoglot.engine.rulebook.markdown_writer import escape_line_start, escape_markdown, render_markdown, wrap_in_fence
from ludoglot.engine.rulebook.plain_writer import chapter_lines

from .test_rulebook_data import HEAVY, LANGUAGES, book

GOLDEN_FOLDER = Path(__file__).parent / "written"
VOID_TAGS = ("meta", "br", "link", "img", "input", "hr")


@cache
def html_page(name: str, lang: str = "en") -> str:
    return render_html(book(name, lang))


class TagChecker(HTMLParser):
    """Checks that every tag is closed, and collects links and their targets."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.seen.append((tag, found))
        if tag not in VOID_TAGS:
            self.open.append(tag)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "a":
            self.links.append(str(found["href"]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parse_tags(text: str) -> TagChecker:
    parser = TagChecker()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown_matches_the_golden_file(lang: str, recorded):
    recorded(GOLDEN_FOLDER / f"tic-tac-toe.{lang}.md", render_markdown(book("tic-tac-toe", lang)))


@pytest.mark.long_cases("hex-en", "hex-it", "hex-es", "hex-hu")
@pytest.mark.heavy_long
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*HEAVY, "hex"])
def test_page_is_self_contained(name: str, lang: str):
    found = parse_tags(html_page(name, lang))
    assert found.seen[0] == ("html", {"lang": lang})
    assert len(set(found.ids)) == len(found.ids)
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids), "every link must lead to a place on the page"
    assert not [tag for tag, _ in found.seen if tag in ("script", "img", "link", "iframe", "object")]
    assert "http" not in re.sub(r"http-equiv", "", html_page(name, lang)), "the page must not load other files"
    assert "@page" in html_page(name, lang)


@pytest.mark.long
@pytest.mark.parametrize("name", HEAVY)
def test_pictures_have_titles_and_descriptions(name: str):
    pictures = re.findall(r"<svg.*?</svg>", html_page(name), re.DOTALL)
    assert pictures
    for picture in pictures:
        drawn = ElementTree.fromstring(picture)
        assert drawn.get("role") == "img"
        assert (drawn.findtext("title") or "").strip() and (drawn.findtext("desc") or "").strip()


@pytest.mark.long
def test_heading_levels_are_not_skipped():
    levels = [int(tag[1]) for tag, _ in parse_tags(html_page("dominant-species")).seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in zip(levels, levels[1:]))


def test_terms_link_to_their_explanation():
    cut = lambda text, here="": list(TermLinker({"turn": "phase-turn", "Turn": "phase-turn", "Fat": "thing-fat"}).split_text(text, here))   # noqa: E731
    assert cut("At the end of a turn, the turn goes on.") == [
        ("At the end of a ", ""), ("turn", "phase-turn"), (", the turn goes on.", "")], "a term is linked once in a text"
    assert cut("Turn it over.") == [("Turn it over.", "")], "a capital at the start of a sentence does not make a name"
    assert cut("the fat of Fat") == [("the fat of ", ""), ("Fat", "thing-fat"), ("", "")], "a capitalized name must match its case"
    assert cut("a turn", "phase-turn") == [("a turn", "")], "a term is not linked to its own chapter"
    assert list(TermLinker({}).split_text("a turn")) == [("a turn", "")]


def test_names_are_escaped_in_markdown():
    assert escape_markdown("*a* [b](c) <d> `e` | #f") == "\\*a\\* \\[b\\](c) \\<d\\> \\`e\\` \\| \\#f"


@pytest.mark.parametrize(("name", "wanted"), [
    ("a\n\n# b\n- c", r"a \# b - c"), ("- a", r"\- a"), ("+ a", r"\+ a"), ("12. a", r"12\. a"), ("3) a", r"3\) a"), ("===", r"\==="),
    ("---", r"\---"), ("~~~", r"\~\~\~"), ("&lt;b&gt;", r"\&lt;b\&gt;"), ("$x$", r"\$x\$"), ("a@b.example", r"a\@b.example"),
    ("see https://evil.example", r"see https\://evil.example"), ("www.evil.example", r"www\.evil.example"), ("![a](b)", r"!\[a\](b)"),
    ("1.5 or -3", "1.5 or -3"), ("in the middle of a ", "in the middle of a "), (", and so on.", ", and so on."),
    ("a\u202eb", r"a\<U+202E\>b"),
])
def test_line_starts_are_escaped_in_markdown(name: str, wanted: str):
    assert escape_line_start(escape_markdown(name)) == wanted


@pytest.mark.parametrize("drawn", ["a b", "a\n```\n# b", "````````", "~~~\n</pre>"])
def test_drawing_cannot_close_its_code_fence(drawn: str):
    first, *inside, last = wrap_in_fence(drawn).split("\n")
    assert "\n".join(inside) == drawn and first == f"{last}text" and set(last) == {"`"} and len(last) >= 3
    assert not any(line.strip().startswith(last) for line in inside)


def plain_lines(name: str, lang: str, width: int) -> list[str]:
    one = book(name, lang)
    return [line for chapter in one.chapters for line in chapter_lines(one, chapter, width)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plain_text_has_the_content_of_markdown_without_markup(lang: str):
    said = " ".join(" ".join(plain_lines("tic-tac-toe", lang, 60)).split())
    for chapter in book("tic-tac-toe", lang).iter_chapters():
        assert f"{chapter.number} {chapter.title}" in said
    assert not re.search(r"\*\*|[`|#\\]|\]\(", said)
    written = (GOLDEN_FOLDER / f"tic-tac-toe.{lang}.md").read_text(encoding="utf-8")
    sentences = re.findall(r"^- (.+) `(TTT-.+)`(?: \[(.+)\]\(#example-\d\))?$", written, re.MULTILINE)
    assert len(sentences) >= 4 and any(example for _, _, example in sentences)
    assert [one for one in sentences if f"{one[0]} [{one[1]}]{f' ({one[2]})' * bool(one[2])}" not in said] == []
    assert "3 . . . 2 . . . 1 . . . a b c" in said, "the board must be drawn in letters"


def test_markdown_map_keeps_the_layout_of_the_table():
    lines = render_markdown(book("trias")).split("```text\n")[1].split("```")[0].split("\n")
    row = next(line for line in lines if "n15" in line)
    assert row.index("l15") < row.index("n15") < row.index("p15"), "cells of one row must be on one line"


@pytest.mark.long
def test_narrow_tables_are_shown_side_by_side():
    page_of = html_page("trias")
    assert '<div class="pair">' in page_of
    first = page_of.split('<div class="pair">')[1].split("</div>")[0]
    assert first.count("<figcaption>") == 2 and first.index("The table before") < first.index("The table after<")


@pytest.mark.long
@pytest.mark.parametrize("width", [40, 80])
def test_plain_text_is_no_wider_than_the_screen(width: int):
    lines = plain_lines("trias", "en", width)
    assert max(map(len, lines)) <= width and not any(line != line.rstrip() for line in lines)


LAND_ROWS = [["Land", "What it is good for", "Tiles"], ["Forest", "Feeds many herds for a long time", "12"], ["Hill", "", "9"]]


@pytest.mark.parametrize("width, lines", [
    (60, ["Land    What it is good for               Tiles",
          "Forest  Feeds many herds for a long time  12",
          "Hill                                      9"]),
    (32, ["Land    What it is good    Tiles",
          "        for",
          "Forest  Feeds many herds   12",
          "        for a long time",
          "Hill                       9"]),
    (15, ["Forest", "  What it is", "    good for:", "    Feeds many", "    herds for a", "    long time", "  Tiles: 12",
          "Hill", "  Tiles: 9"])])
def test_plain_table_is_aligned_wrapped_or_split_into_rows(width: int, lines: list[str]):
    one = Book("", "", "", "en", [Chapter("Lands", blocks=[BookTable(LAND_ROWS[0], LAND_ROWS[1:])])], "")
    one.number_chapters()
    assert chapter_lines(one, one.chapters[0], width) == ["1  Lands", "", *lines]
