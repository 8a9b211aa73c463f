"""A retold game as one web page that needs nothing else: the story, and the table after every decision.

What it holds is `assets/page.html`, with `page.css` and `page.js`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from ...dsl.diagnostics.safe_read import read_text
from ..i18n import Proper, Words
from ..table_view.html_page import framed, quoted
from ..table_view.replay_frames import Film
from ..table_view.stylesheet import sheet
from ..table_view.svg_renderer import Drawn, short

ASSETS = Path(__file__).resolve().parent / "assets"


@dataclass
class Tale:
    """What is told: `opening`, then by decision its round and its lines, those about its consequences set in; at the end `standing`."""

    opening: list[str] = field(default_factory=list)
    steps: list[tuple[int, list[str]]] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)


def page(tale: Tale, film: Film) -> str:
    """The whole page, in the language of the film's teller. The film is finished and has one table more than the tale has steps."""
    teller = film.teller
    words = teller.words
    names = [given or teller.name(seat) for seat, given in zip(range(teller.game.players), [*teller.names, *[""] * teller.game.players])]
    said = {name: quoted(words.text("page." + name))
            for name in ("story", "table", "first", "previous", "play", "pause", "next", "last", "step", "keys", "without")}
    title = words.text("game.name")
    body = Template(asset("page.html")).substitute(
        said, title=quoted(title), players=quoted(words.list([Proper(name) for name in names])), note=note(film),
        panels="\n".join(figure(panel, panel.title or title) for panel in film.table(-1)), steps=len(tale.steps),
        rounds=rounds(tale, words), standing=standing(tale.standing),
        data=json.dumps(film.data(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
    return framed(words.lang, title, f"{sheet(film.look)}\n{asset('page.css')}", body.rstrip("\n"), "\n" + asset("page.js"))


def asset(name: str) -> str:
    return read_text(ASSETS / name)


def note(film: Film) -> str:
    """Whose view this is, where not everything is open."""
    teller, seat = film.teller, film.seat
    if all(state.seen == "open" for state in teller.game.ruleset.program.states.values()):
        return ""
    words = teller.words
    return f"<p>{quoted(words.text('page.seen_by_all') if seat is None else words.text('page.seen_by', who=teller.who(seat)))}</p>"


def figure(panel: Drawn, title: str) -> str:
    """A panel as the script draws it."""
    wide, high = short(panel.width), short(panel.height)
    return (f'<figure class="panel"><svg class="table" role="group" aria-label="{quoted(title)}" viewBox="0 0 {wide} {high}" '
            f'width="{wide}" style="--wide:{wide}px">{"".join(panel.parts)}</svg></figure>')


def rounds(tale: Tale, words: Words) -> str:
    """The story, a part that can be folded for each round."""
    sections: list[tuple[str, list[str]]] = [(words.text("page.opening"), [line(0, tale.opening or [words.text("page.opening")])])]
    last = 0
    for n, (number, lines) in enumerate(tale.steps, start=1):
        if number != last:
            sections.append((words.text("play.round", number=number), []))
            last = number
        if lines:
            sections[-1][1].append(line(n, lines))
    return "\n".join(f"<details open><summary>{quoted(heading)}</summary>\n<ol>\n" + "\n".join(items) + "\n</ol></details>"
                     for heading, items in sections)


def line(number: int, lines: list[str]) -> str:
    """A decision of the story with what came of it."""
    first, *others = [text.strip() for text in lines]
    rest = "".join(f"<span>{quoted(text)}</span>" for text in others)
    return f'<li value="{number}" id="s{number}"><a href="#s{number}">{quoted(first)}</a>{rest}</li>'


def standing(lines: list[str]) -> str:
    """The end of the story; set so that the columns of a table stay below each other."""
    if not lines:
        return ""
    heading, *others = lines
    return f'<section id="standing"><h2>{quoted(heading)}</h2>\n<pre>' + quoted("\n".join(others)) + "</pre></section>"
