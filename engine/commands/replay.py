"""`ludoglot replay`: replays a saved game as a transcript, web page, picture, or notation, or verifies it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole, UsageError
from ..cli.input_values import parse_path
from ..cli.loading import load_save_rules, report_repairs
from ..cli.localized_click import IntParam, argument, command, json_option, lang_option, option

if TYPE_CHECKING:
    from ..match.setup import SavedDecision
    from ..match.table import HistoryEntry, MatchTable
    from ..narration.narrator import Narrator

# for web pages
PROGRESS_MIN_DECISIONS = 100


@command("replay")
@argument("file")
@option("--verify", is_flag=True)
@option("--mend", is_flag=True)
@option("--view", type=IntParam(0), word="seat")
@option("--html", word="file")
@option("--svg", word="file")
@option("--notation", word="file")
@option("--position", "as_position", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def replay_command(console: LocalizedConsole, file: str, verify: bool, mend: bool, view: int | None, html: str | None, svg: str | None,
                   notation: str | None, as_position: bool, as_json: bool) -> int:
    from ..cli.output import check_output, write_output_file
    from ..explain.score_breakdown import list_score_parts
    from ..explain.standing_text import breakdown_lines, match_summary, standing_lines, summary_for_seat
    from ..match.save_reader import read_contents
    from ..match.table import MatchTable
    from ..narration.narrator import Narrator
    path = parse_path(file)
    loaded = load_save_rules(console, path)
    record = read_contents(path, strict=not mend)
    setup, lines = record.setup, record.lines
    report_repairs(console, path, record)
    if view is not None and view >= setup.players:
        raise UsageError("usage.seat", given=view, last=setup.players - 1)
    printed = as_position or notation == "-"
    written = [parse_path(name) for name in (html, svg, notation) if name not in (None, "-")]
    for n, out in enumerate(written):
        check_output(out, path, *written[:n])
    table = MatchTable(loaded.game, setup)
    table.keep = True
    narrator = Narrator(loaded.game, loaded.localizer(console.lang), setup.names)
    end = lambda: [*standing_lines(table, loaded, console.lang), *breakdown_lines(table, loaded, narrator, console.width)]      # noqa: E731
    if html is not None:
        write_output_file(Path(html), build_replay_page(console, table, lines, narrator, view, end))
    else:
        silent = verify or as_json or printed or svg is not None or notation is not None
        replay_and_print(table, lines, narrator, view, None if silent else console.print_line, end)
    if svg is not None:
        from ..table_view.svg_renderer import render_svg
        write_output_file(Path(svg), render_svg(table.position, narrator, view))
    if printed or notation is not None:
        from ..notation.match_notation import write_game, write_position
        if notation is not None:
            text = write_game(table)
            console.print_line(text.rstrip("\n")) if notation == "-" else write_output_file(Path(notation), text)
        if as_position:
            console.print_line(write_position(table))
    if view is not None and any(state.seen != "open" for state in loaded.game.ruleset.program.states.values()):
        console.print_stderr(console.text("replay.holds_more", file=str(path)))
    if as_json:
        if view is not None and not table.over:                    # a breakdown could reveal hidden things
            console.print_json({**summary_for_seat(match_summary(table, None), over=False), "verified": len(lines)})
            return 0
        parts = [{"seat": part.seat, "source": part.source, "points": part.points} for part in list_score_parts(table, narrator.words.has)]
        whole = match_summary(table, None)
        console.print_json({**(whole if view is None else summary_for_seat(whole, over=True)), "verified": len(lines), "breakdown": parts})
        return 0
    for out in written:
        console.print_message("file.written", file=str(out))
    former = setup.rules != loaded.game.fingerprint
    if verify:
        console.print_message("replay.former" if former else "replay.verified", n=len(lines))
    return 1 if verify and (former or record.is_altered) else 0


def replay_decisions(table: MatchTable, lines: list[SavedDecision]) -> Iterator[tuple[int, HistoryEntry]]:
    """Replays the saved decisions and yields each history entry with the round it was taken in.

    Raises SaveError."""
    for n, line in enumerate(lines, start=1):
        number, known = table.position.rounds, len(table.steps)
        table.retake(line, n, compare=table.setup.rules == table.game.fingerprint)
        for step in table.steps[known:]:
            yield number, step


def replay_and_print(table: MatchTable, lines: list[SavedDecision], narrator: Narrator, view: int | None, say: Callable[[str], None] | None,
         end: Callable[[], list[str]]) -> None:
    """Replays the game and prints its transcript with headings and the result.

    After an error it prints the part that could be replayed. If `say` is None, the game is replayed silently."""
    try:
        for _ in replay_decisions(table, lines):
            pass
    finally:
        if say is not None:
            for said in [*narrator.active_pack_lines, *(said for _, said in narrator.event_texts(table.opening, view))]:
                say(said)
            print_transcript(table, narrator, view, say)
    if table.over and say is not None:
        for said in ["", *end()]:
            say(said)


def print_transcript(table: MatchTable, narrator: Narrator, view: int | None, say: Callable[[str], None]) -> None:
    """Prints the transcript of the replayed game, grouped by round."""
    from itertools import groupby

    from ..narration.transcript import full_lines
    from ..preview.transcript_changes import TranscriptWithChanges
    before: tuple[str, ...] = ()
    for number, items in groupby(TranscriptWithChanges(table, narrator, view).build_lines(), lambda item: item.round):
        found = list(items)
        if number:
            say("")
        for line, _ in full_lines(found, before):
            say(line)
        before = found[-1].under


def build_replay_page(
    console: LocalizedConsole,
    table: MatchTable,
    lines: list[SavedDecision],
    narrator: Narrator,
    view: int | None,
    end: Callable[[], list[str]],
) -> str:
    """Returns the game as a web page. On a terminal, a long game shows a progress bar."""

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from ..table_view.replay_frames import ReplayFrames
    from .replay_page import ReplayPageTexts, render_page
    film = ReplayFrames(narrator, view)
    tale = ReplayPageTexts([*narrator.active_pack_lines, *(said for _, said in narrator.event_texts(table.opening, view))])
    with Progress(TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True),
                  transient=True, disable=len(lines) < PROGRESS_MIN_DECISIONS or not sys.stderr.isatty()) as progress:
        task = progress.add_task(sanitize(console.text("page.drawing")), total=2 * len(lines) + 1)
        film.add(table.position)
        for number, step in replay_decisions(table, lines):
            tale.steps.append((number, narrator.step_lines(step, view)))
            film.add(table.position)
            progress.advance(task)
        film.finish(lambda: progress.advance(task))
    tale.standing = end() if table.over else []
    return render_page(tale, film)
