"""`ludoglot play`: people at this screen, bots, or both; and going on with a saved game."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli.console import Quiet, Refusal, Usage, Voice, language_called
from ..cli.input_values import path_of, shortened
from ..cli.localized_click import (
    NameList,
    SeedType,
    WholeNumber,
    argument,
    command,
    house_option,
    json_option,
    lang_option,
    on_line,
    option,
    players_option,
    setting_option,
)
from ..i18n.user_input import near

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ..library.find import Found
    from ..library.loaded_game import Loaded
    from ..match.table import Table
    from ..position.seeds import Seed

NAME = 100                           # characters of a player's name
PATIENCE = 1.0                       # seconds after which bots that play among themselves are reported on
NAMED = 5                            # damaged saves that are named
LAST = "\0last"                      # `--resume` without a file
# What nobody can change in a saved game.
FIXED_ONCE = {"players", "seats", "names", "settings", "seed", "start_from", "which", "save_as", "no_auto"}


@command("play")
@argument("game", required=False)
@players_option
@option("--seats", type=NameList(), word="list")
@option("--names", type=NameList(), word="list")
@option("--langs", type=NameList(), word="list")
@setting_option
@house_option
@option("--seed", type=SeedType(), word="number")
@option("--from", "start_from", word="text")
@option("--game", "which", type=WholeNumber(1), word="number")
@option("--save", "save_as", word="file")
@option("--resume", is_flag=False, flag_value=LAST, word="file")
@option("--mend", is_flag=True)
@option("--max-rounds", type=WholeNumber(1), word="number")
@option("--no-auto", is_flag=True)
@option("--plain", is_flag=True)
@option("--full", is_flag=True)
@option("--teach", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def play_command(voice: Voice, /, game: str | None, resume: str | None, mend: bool, **given: Any) -> int:
    if resume is not None:
        for param in click.get_current_context().command.params:
            if param.name in FIXED_ONCE and on_line(param.name):
                raise Usage("usage.resumed", option=param.opts[0])
        return go_on(voice, resume, given["max_rounds"], given["as_json"], given["plain"], game, given["houses"],
                     check_langs(given["langs"] or []), voice.lang if on_line("lang") else None, mend, given["full"], given["teach"])
    if game is None:
        raise Usage("cli.missing", name=voice.text("cli.metavar.game"))
    return begin(voice, game, **given)


def begin(voice: Voice, game: str, players: int | None, seats: list[str] | None, names: list[str] | None, langs: list[str] | None,
          settings: tuple[str, ...], houses: tuple[str, ...], seed: Seed | None, save_as: str | None, max_rounds: int | None,
          no_auto: bool, plain: bool, as_json: bool, full: bool = False, teach: bool = False, start_from: str | None = None,
          which: int | None = None) -> int:
    """A new game from the command line's wishes."""
    from ..cli.loading import packs_from, settings_from
    from ..cli.notation_io import load_to_read
    from ..match.save_index import new_save_path, saves_folder
    from ..match.saved_packs import house_entries
    from ..match.setup import HUMAN, SaveFault, Setup
    from ..match.table import Table
    from ..position.seeds import new_secret_seed
    if seats is not None:
        check_seats(seats)
        players = players or len(seats)
    if players is None and names and len(names) > 1:               # one name is that of the one who plays against bots
        players = len(names)
    packs = packs_from(houses)
    if which is not None and start_from is None:
        raise Usage("usage.without", option="--game", needed="--from")
    loaded = load_to_read(voice, game, players, settings_from(settings), packs, start_from, which)
    if packs:
        refuse_wrong(voice, loaded.found, packs)
    count = loaded.game.players
    seats = seats if seats is not None else [HUMAN, *["bot:greedy"] * (count - 1)]
    for given in (seats, names or [], langs or []):
        if len(given) > count or given is seats and len(given) < count:
            raise Usage("usage.seats", given=len(given), wanted=count)
    langs = check_langs(langs or [])
    check_names(names or [])
    if as_json and HUMAN in seats:
        raise Usage("usage.json_needs_bots")
    house = house_entries(loaded.houses, loaded.house_names)
    langs = [lang or voice.lang * (seat == HUMAN) for seat, lang in zip(seats, pad(langs, count))]
    setup = Setup(loaded.found.name_in_saves, count, new_secret_seed() if seed is None else seed, dict(loaded.game.ruleset.settings),
                  house, pad(names or [], count), list(seats), langs, auto=not no_auto, lang=voice.lang)
    earlier = []
    if start_from is not None:
        from ..cli.notation_io import game_from
        played = game_from(voice, loaded.game, start_from, setup.seed, which)
        earlier, setup.start = played.options, played.start.data() if played.start is not None else {}
        setup.scoresheet = {"tags": played.tags, "result": played.result, "decisions": len(earlier)} if played.tags or played.result else {}
        called = loaded.game.model.enums["Player"].members
        setup.names = [mine or played.names.get(who, "")[:NAME] for mine, who in zip(setup.names, called)]
    try:
        path = path_of(save_as) if save_as else new_save_path(loaded.game.ruleset.id) if HUMAN in seats else None
        table = Table.new(loaded.game, setup, path)
        for option in earlier:
            table.play(option)
    except OSError as error:
        raise Refusal("file.unwritable", file=str(saves_folder()), reason=error.strerror or "") from error
    except SaveFault as error:
        raise Refusal(error.key, **error.args_) from error
    return at_table(voice, table, loaded, max_rounds, as_json, plain, full, teach)


def go_on(voice: Voice, resume: str, max_rounds: int | None, as_json: bool, plain: bool = False, game: str | None = None,
          houses: Sequence[str] = (), langs: Sequence[str] = (), lang: str | None = None, mend: bool = False,
          full: bool = False, teach: bool = False) -> int:
    """A saved game from where it stopped. `game` and `houses` say where its rules lie now, if they have moved; `langs` and `lang` what its
    people read from now on, by seat and all who read what the program spoke. With `mend` nobody is asked before a damaged one goes on."""
    from ..cli.loading import load_saved, packs_from
    from ..match.setup import SaveFault
    path = save_to_resume(voice, game) if resume == LAST else path_of(resume)
    loaded = load_saved(voice, path, game, packs_from(houses))
    try:
        table = resumed(voice, loaded, path, mend)
        check_seats(table.setup.seats)
        if len(langs) > loaded.game.players:
            raise Usage("usage.seats", given=len(langs), wanted=loaded.game.players)
        if lang is not None:
            table.speak(None, lang)
        for seat, wanted in enumerate(langs):
            if wanted:
                table.speak(seat, wanted)
    except SaveFault as error:
        raise Refusal(error.key, **error.args_) from error
    if not as_json:
        voice.warn(voice.text("save.resumed", file=str(path)))
    return at_table(voice, table, loaded, max_rounds, as_json, plain, full, teach)


def resumed(voice: Voice, loaded: Loaded, path: Path, mend: bool) -> Table:
    """The table of a save; one that is damaged as far as it is sound, if somebody wants that. What was done to the file is told. Raises
    SaveFault and Quiet."""
    from ..cli.loading import tell_mended
    from ..match.save_reader import damaged, read_record
    from ..match.setup import SaveFault
    from ..match.table import Table
    record = read_record(path, strict=False)
    try:
        table = Table.resume(loaded.game, path, mend=mend, former=True)
    except SaveFault as fault:
        if not fault.mendable:
            raise
        voice.error(fault.key, **fault.args_)
        if not agreed(voice):
            raise Quiet(1) from fault
        table = Table.resume(loaded.game, path, mend=True, former=True)
    if mend and record.damage:
        named = damaged(path, record)
        voice.warn(voice.text(named.key, **named.args_))
    tell_mended(voice, path, record)
    if table.save is not None and table.save.kept is not None:
        voice.warn(voice.text("save.kept", file=str(table.save.kept)))
    return table


def agreed(voice: Voice) -> bool:
    """Whether the person at the terminal wants to go on with what is left of a game; elsewhere it is said how to ask for it."""
    from ..terminal.menu_prompts import Asker
    if not sys.stdin.isatty():
        voice.warn(voice.text("save.mend.hint"))
        return False
    return Asker(voice).choose([voice.text("save.mend.yes"), voice.text("save.mend.no")], voice.text("save.mend.ask")) == 0


def save_to_resume(voice: Voice, game: str | None) -> Path:
    """The save of the last unfinished game, or of the last one of `game`; newer ones with damage are named. Raises Usage and Refusal."""
    from ..cli.loading import find_game
    from ..match.save_index import save_to_go_on, saved_games
    path, passed = save_to_go_on(find_game(game).name_in_saves if game is not None else None)
    if passed:
        voice.warn(voice.text("save.passed", files=[one.name for one in passed[:NAMED]] + ["…"] * (len(passed) > NAMED)))
    if path is not None:
        return path
    ended = [saved for saved in saved_games() if saved.game]
    if game is None and ended:
        raise Refusal("save.all_over", file=str(ended[0].path))
    raise Refusal("save.nothing")


def at_table(voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None, as_json: bool, plain: bool = False,
             full: bool = False, teach: bool = False) -> int:
    """Play on to the end, to a person's leaving, or to the last round asked for."""
    from ..bots.greedy import HARD
    from ..bots.table_bots import Beside
    from ..cli.loading import show_fault
    from ..cli.native_notice import Hindered
    from ..match.setup import HUMAN, SaveFault
    from ..position.position import RuleError
    bots = [seat.removeprefix("bot:") for seat in table.setup.seats if seat != HUMAN]
    beside = Beside(table.game, bots, people=bool(table.humans))
    table.choose, table.weigh = beside.choose, beside.weigh
    hindered = Hindered(voice, [beside.native] if beside.native is not None and HARD in bots else [])
    hindered.tell()
    try:
        if table.humans:
            from ..cli.loading import warn_of_table
            from ..terminal.session import Session
            from ..terminal.terminal import on_terminal
            warn_of_table(voice, loaded)
            if isinstance(table.setup.seed, int) and len(table.humans) > 1 and (table.game.secretive or table.game.has_chance):
                voice.warn(voice.text("play.short_seed"))
            if full and not plain and on_terminal(sys.stdin) and on_terminal(sys.stdout):
                from ..terminal.full_screen import full_session
                session: Session = full_session(voice, table, loaded, max_rounds)
            else:
                session = Session(voice, table, loaded, max_rounds, plain)
            session.teaching = teach
            return session.run()
        with watching(voice, table) as watch:
            for _ in table.settle(max_rounds):
                watch()
    except RuleError as error:
        show_fault(voice, error.diagnostic)
        return 1
    except SaveFault as error:                                     # nothing that is not on the disk is played
        raise Refusal(error.key, **error.args_) from error
    finally:
        hindered.tell()
        if table.save is not None:
            table.save.close()
    if as_json:
        from ..explain.standing_text import summary
        voice.data(summary(table, max_rounds))
    else:
        from ..explain.standing_text import standing_lines
        for line in standing_lines(table, loaded, voice.lang, max_rounds):
            voice.out(line)
    return 0


@contextmanager
def watching(voice: Voice, table: Table) -> Iterator[Callable[[], None]]:
    """While bots play among themselves: how far they are, on a terminal and only when it takes long. To be called at each decision."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.text import Text

    from ...dsl.diagnostics.sanitize import visible
    began, console = time.monotonic(), Console(stderr=True)
    status = console.status("")

    def watch() -> None:
        if len(table.steps) % 10 == 0 and time.monotonic() - began > PATIENCE:
            status.update(Text(visible(voice.text("play.progress", number=table.position.rounds, n=table.asked))))
            status.start()
    try:
        yield watch
    finally:
        status.stop()


def check_seats(seats: list[str]) -> None:
    """Whether each is a person or a bot we have."""
    from ..bots.greedy import BOTS
    known = ["human", *(f"bot:{name}" for name in BOTS)]
    for seat in seats:
        if seat not in known:
            raise Usage("usage.bot", name=seat, bots=known, meant=near(seat, known))


def check_names(names: list[str]) -> None:
    """Whether each fits on a screen, and in a save."""
    for name in names:
        if len(name) > NAME:
            raise Usage("usage.name_long", name=shortened(name), most=NAME)


def check_langs(langs: list[str]) -> list[str]:
    return [language_called(lang, pseudo=True) if lang else "" for lang in langs]


def pad(texts: list[str], count: int) -> list[str]:
    return [*texts, *[""] * (count - len(texts))]


def refuse_wrong(voice: Voice, found: Found, packs: Sequence[Path | Bundle]) -> None:
    """What `check` finds wrong with a game under house rules is told before anybody plays it, not in the middle; warnings are not."""
    from ..cli.loading import show_findings
    from ..project.check import found_in
    wrong = [one for one in found_in(found, packs) if one.severity == "error"]
    if wrong:
        show_findings(voice, wrong)
        raise Quiet(1)
