"""`ludoglot replay`: a saved game told again, as a page or a picture, or played again and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.sanitize import visible
from ..cli.console import Refusal, Usage, Voice
from ..cli.input_values import path_of
from ..cli.loading import load_saved, tell_mended
from ..cli.localized_click import WholeNumber, argument, command, json_option, lang_option, option

if TYPE_CHECKING:
    from ..match.setup import SavedDecision
    from ..match.table import Step, Table
    from ..narration.narrator import Teller

LONG = 100                                                         # decisions from which on a page takes so long that progress is shown


@command("replay")
@argument("file")
@option("--verify", is_flag=True)
@option("--mend", is_flag=True)
@option("--view", type=WholeNumber(0), word="seat")
@option("--html", word="file")
@option("--svg", word="file")
@option("--notation", word="file")
@option("--position", "as_position", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def replay_command(voice: Voice, file: str, verify: bool, mend: bool, view: int | None, html: str | None, svg: str | None,
                   notation: str | None, as_position: bool, as_json: bool) -> int:
    from ..cli.output import check_output, write_output
    from ..explain.score_breakdown import breakdown
    from ..explain.standing_text import breakdown_lines, for_seat, standing_lines, summary
    from ..match.save_reader import read_record
    from ..match.setup import SaveFault
    from ..match.table import Table
    from ..narration.narrator import Teller
    path = path_of(file)
    loaded = load_saved(voice, path)
    try:
        record = read_record(path, strict=not mend)
    except SaveFault as error:
        raise Refusal(error.key, **error.args_) from error
    setup, lines = record.setup, record.lines
    tell_mended(voice, path, record)
    if view is not None and view >= setup.players:
        raise Usage("usage.seat", given=view, last=setup.players - 1)
    printed = as_position or notation == "-"
    written = [path_of(name) for name in (html, svg, notation) if name not in (None, "-")]
    for n, out in enumerate(written):
        check_output(out, path, *written[:n])
    try:
        table = Table(loaded.game, setup)
    except SaveFault as error:                                     # it begins with what these rules do not know
        raise Refusal(error.key, **error.args_) from error
    table.keep = True
    teller = Teller(loaded.game, loaded.words(voice.lang), setup.names)
    end = lambda: [*standing_lines(table, loaded, voice.lang), *breakdown_lines(table, loaded, teller, voice.width)]      # noqa: E731
    if html is not None:
        write_output(Path(html), page_of(voice, table, lines, teller, view, end))
    else:
        silent = verify or as_json or printed or svg is not None or notation is not None
        tell(table, lines, teller, view, None if silent else voice.out, end)
    if svg is not None:
        from ..table_view.svg_renderer import table_svg
        write_output(Path(svg), table_svg(table.position, teller, view))
    if printed or notation is not None:
        from ..cli.notation_io import game_as_text, position_as_text
        if notation is not None:
            text = game_as_text(table)
            voice.out(text.rstrip("\n")) if notation == "-" else write_output(Path(notation), text)
        if as_position:
            voice.out(position_as_text(table))
    if view is not None and any(state.seen != "open" for state in loaded.game.ruleset.program.states.values()):
        voice.warn(voice.text("replay.holds_more", file=str(path)))
    if as_json:
        if view is not None and not table.over:                    # the parts of the points may lie in hidden things
            voice.data({**for_seat(summary(table, None), over=False), "verified": len(lines)})
            return 0
        parts = [{"seat": part.seat, "source": part.source, "points": part.points} for part in breakdown(table, teller.words.has)]
        whole = summary(table, None)
        voice.data({**(whole if view is None else for_seat(whole, over=True)), "verified": len(lines), "breakdown": parts})
        return 0
    for out in written:
        voice.say("file.written", file=str(out))
    former = setup.rules != loaded.game.meaning
    if verify:
        voice.say("replay.former" if former else "replay.verified", n=len(lines))
    return 1 if verify and (former or record.mended) else 0


def taken(table: Table, lines: list[SavedDecision]) -> Iterator[tuple[int, Step]]:
    """Each saved decision taken again, with the round in which it was taken. Raises Refusal."""
    from ..match.setup import SaveFault
    for n, line in enumerate(lines, start=1):
        number, known = table.position.rounds, len(table.steps)
        try:
            table.retake(line, n, compare=table.setup.rules == table.game.meaning)
        except SaveFault as error:
            raise Refusal(error.key, **error.args_) from error
        for step in table.steps[known:]:
            yield number, step


def tell(table: Table, lines: list[SavedDecision], teller: Teller, view: int | None, say: Callable[[str], None] | None,
         end: Callable[[], list[str]]) -> None:
    """The story of the game as the table tells it, under its headings, and how it ended; as far as it came, where that is not all.
    Without `say` the game is only played."""
    try:
        for _ in taken(table, lines):
            pass
    finally:
        if say is not None:
            for said in filter(None, [*teller.in_force, *map(teller.told, table.opening)]):
                say(said)
            tell_story(table, teller, view, say)
    if table.over and say is not None:
        for said in ["", *end()]:
            say(said)


def tell_story(table: Table, teller: Teller, view: int | None, say: Callable[[str], None]) -> None:
    from itertools import groupby

    from ..narration.transcript import whole
    from ..preview.transcript_changes import Chronicle
    before: tuple[str, ...] = ()
    for number, items in groupby(Chronicle(table, teller, view).items(), lambda item: item.round):
        found = list(items)
        if number:
            say("")
        for line, _ in whole(found, before):
            say(line)
        before = found[-1].under


def page_of(voice: Voice, table: Table, lines: list[SavedDecision], teller: Teller, view: int | None, end: Callable[[], list[str]]) -> str:
    """The game as a web page. Who waits for a long one at a terminal sees how far it is."""
    import sys

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from ..table_view.replay_frames import Film
    from .replay_page import Tale, page
    film = Film(teller, view)
    tale = Tale([*teller.in_force, *(said for said in map(teller.told, table.opening) if said)])
    with Progress(TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True),
                  transient=True, disable=len(lines) < LONG or not sys.stderr.isatty()) as progress:
        task = progress.add_task(visible(voice.text("page.drawing")), total=2 * len(lines) + 1)
        film.add(table.position)
        for number, step in taken(table, lines):
            tale.steps.append((number, teller.story(step, view)))
            film.add(table.position)
            progress.advance(task)
        film.finish(lambda: progress.advance(task))
    tale.standing = end() if table.over else []
    return page(tale, film)
