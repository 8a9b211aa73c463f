"""A replayed game as one self-contained web page: the transcript, and the table after every decision.

The template is `assets/page.html`, with `page.css` and `page.js`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from ...dsl.diagnostics.safe_read import read_text
from ..i18n import Localizer, ProperName
from ..table_view.html_page import build_stylesheet, escape_html, render_html_page
from ..table_view.replay_frames import ReplayFrames
from ..table_view.svg_pen import format_number
from ..table_view.svg_renderer import PanelSvg

ASSETS = Path(__file__).resolve().parent / "assets"


@dataclass
class ReplayPageTexts:
    """The texts of the page.

    `opening` are the lines of the set-up. `steps` has, for each decision, its round and its lines, with
    consequences indented. `standing` are the lines of the result."""

    opening: list[str] = field(default_factory=list)
    steps: list[tuple[int, list[str]]] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)


def render_page(tale: ReplayPageTexts, film: ReplayFrames) -> str:
    """Returns the whole page in the narrator's language.

    The frames are complete: one more than the page has steps."""
    narrator = film.narrator
    words = narrator.words
    names = [
        given or narrator.player_name(seat)
        for seat, given in zip(range(narrator.game.players), [*narrator.names, *[""] * narrator.game.players])
    ]
    said = {name: escape_html(words.text("page." + name))
            for name in ("story", "table", "first", "previous", "play", "pause", "next", "last", "step", "keys", "without")}
    title = words.text("game.name")
    body = Template(read_asset("page.html")).substitute(
        said, title=escape_html(title), players=escape_html(words.list([ProperName(name) for name in names])), note=visibility_note(film),
        panels="\n".join(panel_figure(panel, panel.title or title) for panel in film.panels_at(-1)), steps=len(tale.steps),
        rounds=round_sections(tale, words), standing=standing_section(tale.standing),
        data=json.dumps(film.to_data(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
    return render_html_page(
        words.lang, title, f"{build_stylesheet(film.theme)}\n{read_asset('page.css')}", body.rstrip("\n"), "\n" + read_asset("page.js")
    )


def read_asset(name: str) -> str:
    return read_text(ASSETS / name)


def visibility_note(film: ReplayFrames) -> str:
    """Returns a note whose view the page shows, if the game has hidden states."""
    narrator, seat = film.narrator, film.seat
    if all(state.seen == "open" for state in narrator.game.ruleset.program.states.values()):
        return ""
    words = narrator.words
    text = words.text("page.seen_by_all") if seat is None else words.text("page.seen_by", who=narrator.seat_value(seat))
    return f"<p>{escape_html(text)}</p>"


def panel_figure(panel: PanelSvg, title: str) -> str:
    """Returns a panel as a figure that the script can update."""
    wide, high = format_number(panel.width), format_number(panel.height)
    return (f'<figure class="panel"><svg class="table" role="group" aria-label="{escape_html(title)}" viewBox="0 0 {wide} {high}" '
            f'width="{wide}" style="--wide:{wide}px">{"".join(panel.parts)}</svg></figure>')


def round_sections(tale: ReplayPageTexts, words: Localizer) -> str:
    """Returns the transcript with one collapsible section for each round."""
    sections: list[tuple[str, list[str]]] = [(words.text("page.opening"), [decision_item(0, tale.opening or [words.text("page.opening")])])]
    last = 0
    for n, (number, lines) in enumerate(tale.steps, start=1):
        if number != last:
            sections.append((words.text("play.round", number=number), []))
            last = number
        if lines:
            sections[-1][1].append(decision_item(n, lines))
    return "\n".join(f"<details open><summary>{escape_html(heading)}</summary>\n<ol>\n" + "\n".join(items) + "\n</ol></details>"
                     for heading, items in sections)


def decision_item(number: int, lines: list[str]) -> str:
    """Returns the list item of a decision with its consequences."""
    first, *others = [text.strip() for text in lines]
    rest = "".join(f"<span>{escape_html(text)}</span>" for text in others)
    return f'<li value="{number}" id="s{number}"><a href="#s{number}">{escape_html(first)}</a>{rest}</li>'


def standing_section(lines: list[str]) -> str:
    """Returns the section with the result; preformatted, so that table columns stay aligned."""
    if not lines:
        return ""
    heading, *others = lines
    return f'<section id="standing"><h2>{escape_html(heading)}</h2>\n<pre>' + escape_html("\n".join(others)) + "</pre></section>"
