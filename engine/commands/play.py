"""`ludoglot play`: starts a game with people at this screen, bots, or both, or resumes a saved game."""

from __future__ import annotations

import random
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import CommandError, LocalizedConsole, NativeNotice, SilentExit, UsageError, parse_language
from ..cli.input_values import parse_path, shorten_value
from ..cli.localized_click import (
    CommaList,
    IntParam,
    SeedType,
    argument,
    command,
    is_on_command_line,
    json_option,
    lang_option,
    option,
    pack_option,
    players_option,
    setting_option,
)
from ..errors import unwritable_error
from ..position.seeds import new_secret_seed

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..bots.table_bots import TableBots
    from ..library.find import GameLocation
    from ..library.loaded_game import LoadedGame
    from ..match.table import MatchTable
    from ..position.position import Position
    from ..position.seeds import Seed

MAX_NAME_CHARS = 100                           # limit for a player's name
BOTS_SYNC_INTERVAL_S = 1.0                  # a game of bots alone is forced to the disk so often
PROGRESS_DELAY_S = 1.0                       # bot-only games show progress after this many seconds
MAX_LISTED_SAVES = 5                            # damaged saves listed in a warning
RESUME_LAST = "\0last"                      # `--resume` without a file
# Parameters that cannot be changed when a game is resumed.
IMMUTABLE_OPTIONS = {"players", "names", "settings", "seed", "start_from", "number", "save_as", "no_auto"}


@dataclass(frozen=True, kw_only=True)
class PlayRequest:
    """Options that starting and resuming a match share: house rules, languages by seat, and how the game is shown."""

    game: str | None = None
    pack_sources: tuple[str, ...] = ()
    langs: list[str] | None = None
    max_rounds: int | None = None
    as_json: bool = False
    plain: bool = False
    full: bool = False
    teach: bool = False
    no_ponder: bool = False


@dataclass(frozen=True, kw_only=True)
class StartRequest(PlayRequest):
    """A new game. `start_from` is a position or a record in notation, and `number` the number of a game in its file."""

    game: str
    players: int | None = None
    seats: list[str] | None = None
    names: list[str] | None = None
    settings: tuple[str, ...] = ()
    seed: Seed | None = None
    save_as: str | None = None
    no_auto: bool = False
    start_from: str | None = None
    number: int | None = None


@dataclass(frozen=True, kw_only=True)
class ResumeRequest(PlayRequest):
    """A saved game. `game` and `pack_sources` say where its rules are now, if they have moved.

    `langs` and `lang` change what its players read from now on: by seat, and for all who read the default language.
    With `mend`, a damaged save is repaired without asking. `seats` repeats the seats of the save, to say that its
    bots are trusted."""

    save: str
    lang: str | None = None
    mend: bool = False
    seats: list[str] | None = None


@command("play")
@argument("game", required=False)
@players_option
@option("--seats", type=CommaList(), word="list")
@option("--names", type=CommaList(), word="list")
@option("--langs", type=CommaList(), word="list")
@setting_option
@pack_option
@option("--seed", type=SeedType(), word="number")
@option("--from", "start_from", word="text")
@option("--game", "number", type=IntParam(1), word="number")
@option("--save", "save_as", word="file")
@option("--resume", is_flag=False, flag_value=RESUME_LAST, word="file")
@option("--mend", is_flag=True)
@option("--max-rounds", type=IntParam(1), word="number")
@option("--no-auto", is_flag=True)
@option("--no-ponder", is_flag=True)
@option("--plain", is_flag=True)
@option("--full", is_flag=True)
@option("--teach", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def play_command(console: LocalizedConsole, /, resume: str | None, mend: bool, **given: Any) -> int:
    if resume is not None:
        for param in click.get_current_context().command.params:
            if param.name in IMMUTABLE_OPTIONS and is_on_command_line(param.name):
                raise UsageError("usage.resumed", option=param.opts[0])
        kept = {name: value for name, value in given.items() if name not in IMMUTABLE_OPTIONS}
        lang = console.lang if is_on_command_line("lang") else None
        return resume_game(console, ResumeRequest(save=resume, lang=lang, mend=mend, **kept))
    if given["game"] is None:
        raise UsageError("cli.missing", name=console.text("cli.metavar.game"))
    return start_game(console, StartRequest(**given))


def start_game(console: LocalizedConsole, request: StartRequest) -> int:
    """Starts a new game from the options of the command line; returns the exit code."""
    from ..cli.loading import parse_settings
    from ..cli.notation_io import load_game_for_notation
    from ..library.load import locate_packs
    from ..match.save_index import create_save_path, saves_folder
    from ..match.saved_packs import pack_entries
    from ..match.setup import HUMAN, MatchSetup
    from ..match.table import MatchTable
    players, seats, names = request.players, request.seats, request.names or []
    start_from, number = request.start_from, request.number
    if seats is not None:
        check_seats(seats)
        players = players or len(seats)
    if players is None and len(names) > 1:                         # a single name is the person's
        players = len(names)
    packs = locate_packs(request.pack_sources)
    if number is not None and start_from is None:
        raise UsageError("usage.without", option="--game", needed="--from")
    loaded = load_game_for_notation(console, request.game, players, parse_settings(request.settings), packs, start_from, number)
    if packs:
        reject_invalid_packs(console, loaded.found, packs)
    count = loaded.game.players
    seats = seats if seats is not None else [HUMAN, *["bot:greedy"] * (count - 1)]
    for given in (seats, names, request.langs or []):
        if len(given) > count or given is seats and len(given) < count:
            raise UsageError("usage.seats", given=len(given), wanted=count)
    langs = check_langs(request.langs or [])
    check_names(names)
    if request.as_json and HUMAN in seats:
        raise UsageError("usage.json_needs_bots")
    house = pack_entries(loaded.pack_sources, loaded.house_names)
    langs = [lang or console.lang * (seat == HUMAN) for seat, lang in zip(seats, pad_to(langs, count))]
    seed = new_secret_seed() if request.seed is None else request.seed
    setup = MatchSetup(loaded.found.name_in_saves, count, seed, dict(loaded.game.ruleset.settings), house, pad_to(names, count),
                       list(seats), langs, auto=not request.no_auto, lang=console.lang, teach=request.teach)
    earlier = []
    if start_from is not None:
        from ..cli.notation_io import read_game_record
        played = read_game_record(console, loaded.game, start_from, setup.seed, number)
        earlier, setup.start = played.options, played.start.to_data() if played.start is not None else {}
        setup.scoresheet = {"tags": played.tags, "result": played.result, "decisions": len(earlier)} if played.tags or played.result else {}
        called = loaded.game.model.enums["Player"].members
        setup.names = [mine or played.names.get(who, "")[:MAX_NAME_CHARS] for mine, who in zip(setup.names, called)]
    try:
        path = parse_path(request.save_as) if request.save_as else create_save_path(loaded.game.ruleset.id) if HUMAN in seats else None
        table = MatchTable.new(loaded.game, setup, path)
        for option in earlier:
            table.play(option)
    except OSError as error:
        raise unwritable_error(CommandError, saves_folder(), error) from error
    return run_table(console, table, loaded, request)


def resume_game(console: LocalizedConsole, request: ResumeRequest) -> int:
    """Resumes a saved game; returns the exit code."""
    from ..cli.loading import load_save_rules
    from ..library.load import locate_packs
    langs = check_langs(request.langs or [])
    path = choose_save_to_resume(console, request.game) if request.save == RESUME_LAST else parse_path(request.save)
    loaded = load_save_rules(console, path, request.game, locate_packs(request.pack_sources))
    check_saved_seats(path, request.seats)
    table = open_saved_table(console, loaded, path, request.mend)
    if len(langs) > loaded.game.players:
        raise UsageError("usage.seats", given=len(langs), wanted=loaded.game.players)
    if request.lang is not None:
        table.set_language(None, request.lang)
    for seat, wanted in enumerate(langs):
        if wanted:
            table.set_language(seat, wanted)
    if not request.as_json:
        console.print_stderr(console.text("save.resumed", file=str(path)))
    return run_table(console, table, loaded, request)


def open_saved_table(console: LocalizedConsole, loaded: LoadedGame, path: Path, mend: bool) -> MatchTable:
    """Opens the table of a save and reports repairs.

    If the save is damaged, it asks whether to continue with the intact part. Raises SaveError and SilentExit."""
    from ..cli.loading import report_repairs
    from ..match.save_reader import damage_error, read_contents
    from ..match.setup import DamagedSaveError
    from ..match.table import MatchTable
    record = read_contents(path, strict=False)
    try:
        table = MatchTable.resume(loaded.game, path, mend=mend, former=True)
    except DamagedSaveError as fault:
        console.print_error(fault.key, **fault.params)
        if not confirm_repair(console):
            raise SilentExit(1) from fault
        table = MatchTable.resume(loaded.game, path, mend=True, former=True)
    if mend and record.damage:
        named = damage_error(path, record)
        console.print_stderr(console.text(named.key, **named.params))
    report_repairs(console, path, record)
    if table.save is not None and table.save.kept is not None:
        console.print_stderr(console.text("save.kept", file=str(table.save.kept)))
    return table


def confirm_repair(console: LocalizedConsole) -> bool:
    """Asks whether to continue with what is left of a damaged game; without a terminal it explains `--mend`."""
    from ..terminal.menu_prompts import MenuPrompt
    if not sys.stdin.isatty():
        console.print_stderr(console.text("save.mend.hint"))
        return False
    return MenuPrompt(console).choose([console.text("save.mend.yes"), console.text("save.mend.no")], console.text("save.mend.ask")) == 0


def choose_save_to_resume(console: LocalizedConsole, game: str | None) -> Path:
    """Returns the save of the last unfinished game, or of the last one of `game`.

    Warns about newer saves that are damaged. Raises UsageError and CommandError."""
    from ..library.find import find_game_location
    from ..match.save_index import find_save_to_resume, list_saved_games
    path, passed = find_save_to_resume(find_game_location(game).name_in_saves if game is not None else None)
    if passed:
        console.print_stderr(
            console.text("save.passed", files=[one.name for one in passed[:MAX_LISTED_SAVES]] + ["…"] * (len(passed) > MAX_LISTED_SAVES))
        )
    if path is not None:
        return path
    ended = [saved for saved in list_saved_games() if saved.game]
    if game is None and ended:
        raise CommandError("save.all_over", file=str(ended[0].path))
    raise CommandError("save.nothing")


def run_table(console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, request: PlayRequest) -> int:
    """Plays until the game ends, the person leaves, or `max_rounds` is reached; returns the exit code."""
    from ..bots.greedy import HINT_BOT
    from ..bots.parallel_search import count_search_threads
    from ..bots.table_bots import TableBots
    from ..cli.loading import print_rule_fault
    from ..match.setup import HUMAN
    from ..position.position import RuleError
    max_rounds = request.max_rounds
    bots = [seat.removeprefix("bot:") for seat in table.setup.seats if seat != HUMAN]
    pondering = [] if request.no_ponder else [seat for seat, sits in enumerate(table.setup.seats) if sits == f"bot:{HINT_BOT}"]
    beside = TableBots(table.game, bots, people=bool(table.humans), threads=count_search_threads(), pondering_seats=pondering)
    table.choose, table.weigh, table.pondering = choose_for_seats(console, table, loaded, beside), beside.weigh, beside.pondering
    hindered = NativeNotice(console, [beside.native] if beside.native is not None and HINT_BOT in bots else [])
    hindered.print_reasons()
    try:
        if table.humans:
            from ..cli.loading import report_table_config
            from ..terminal.session import Session
            from ..terminal.terminal import is_real_terminal
            report_table_config(console, loaded)
            if isinstance(table.setup.seed, int) and len(table.humans) > 1 and (table.game.has_hidden_information or table.game.has_chance):
                console.print_stderr(console.text("play.short_seed"))
            if request.full and not request.plain and is_real_terminal(sys.stdin) and is_real_terminal(sys.stdout):
                from ..terminal.full_screen import create_full_screen_session
                session: Session = create_full_screen_session(console, table, loaded, max_rounds)
            else:
                session = Session(console, table, loaded, max_rounds, request.plain)
            session.teaching = request.teach or table.setup.teach
            return session.run()
        if table.save is not None:                                 # bots would decide the same again, so nothing is lost with a few lines
            table.save.sync_interval = BOTS_SYNC_INTERVAL_S
        with progress_status(console, table) as watch:
            for _ in table.take_automatic(max_rounds):
                watch()
    except RuleError as error:
        print_rule_fault(console, error.diagnostic)
        return 1
    finally:
        hindered.print_reasons()
        if table.save is not None:
            table.save.close()
    if request.as_json:
        from ..explain.standing_text import match_summary
        console.print_json(match_summary(table, max_rounds))
    else:
        from ..explain.standing_text import standing_lines
        for line in standing_lines(table, loaded, console.lang, max_rounds):
            console.print_line(line)
    return 0


def choose_for_seats(console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, beside: TableBots) -> Callable[..., int]:
    """Returns the function that asks the bots of a table: the built-in ones, and those that people wrote themselves."""
    from ..bots.greedy import BOTS
    from ..match.setup import HUMAN
    if all(seat in (HUMAN, *(f"bot:{name}" for name in BOTS)) for seat in table.setup.seats):
        return beside.choose
    from ..api.own_bots import OwnBots
    own = OwnBots(loaded, table, console.lang)

    def choose(kind: str, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> int:
        return beside.choose(kind, position, seat, rng, limit) if kind in BOTS else own.choose(f"bot:{kind}", rng)
    return choose


@contextmanager
def progress_status(console: LocalizedConsole, table: MatchTable) -> Iterator[Callable[[], None]]:
    """Shows the progress of a bot-only game on a terminal if it takes long.

    Yields a callback that must be called at each decision."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.text import Text

    began, rich_console = time.monotonic(), Console(stderr=True)
    status = rich_console.status("")

    def update_status() -> None:
        if len(table.steps) % 10 == 0 and time.monotonic() - began > PROGRESS_DELAY_S:
            status.update(Text(sanitize(console.text("play.progress", number=table.position.rounds, n=table.asked))))
            status.start()
    try:
        yield update_status
    finally:
        status.stop()


def check_seats(seats: list[str]) -> None:
    """Checks that each seat is a person, a built-in bot, or a bot that can be loaded. Raises MessageError."""
    from ..api.own_bots import is_own_bot, load_bot_class
    from ..bots.greedy import BOTS
    from ..match.setup import HUMAN
    known = [HUMAN, *(f"bot:{name}" for name in BOTS)]
    for seat in seats:
        if is_own_bot(seat):
            load_bot_class(seat)
        elif seat not in known:
            raise UsageError("usage.bot", name=seat, bots=[*known, "bot:module:Class"], meant=did_you_mean(seat, known, LENIENT_CUTOFF))


def check_saved_seats(path: Path, requested: list[str] | None) -> None:
    """Checks the seats of a save before its bots are loaded.

    A save may come from a stranger. So code that it names runs only if the save is in the user's own folder, or if
    the user repeats its seats (`requested`). Raises MessageError."""
    from ..api.own_bots import is_own_bot
    from ..match.save_index import saves_folder
    from ..match.save_reader import read_contents
    seats = read_contents(path, strict=False).setup.seats
    own = [seat for seat in seats if is_own_bot(seat)]
    if requested is not None and (requested != seats or not own):
        raise UsageError("usage.resumed", option="--seats")
    if own and requested is None and not path.resolve().is_relative_to(saves_folder().resolve()):
        command = f"ludoglot play --resume {shlex.quote(str(path))} --seats {shlex.quote(','.join(seats))}"
        raise CommandError("bot.untrusted", bots=list(dict.fromkeys(own)), command=command)
    check_seats(seats)


def check_names(names: list[str]) -> None:
    """Checks that no player name is too long. Raises UsageError."""
    for name in names:
        if len(name) > MAX_NAME_CHARS:
            raise UsageError("usage.name_long", name=shorten_value(name), most=MAX_NAME_CHARS)


def check_langs(langs: list[str]) -> list[str]:
    return [parse_language(lang, pseudo=True) if lang else "" for lang in langs]


def pad_to(texts: list[str], count: int) -> list[str]:
    return [*texts, *[""] * (count - len(texts))]


def reject_invalid_packs(console: LocalizedConsole, location: GameLocation, packs: Sequence[Path | PackBundle]) -> None:
    """Prints the errors that `check` finds in a game with house rules, and exits if there are any.

    This way they show up before the game begins. Warnings are not printed."""
    from ..cli.loading import print_findings
    from ..project.check import check_game_cached
    wrong = [one for one in check_game_cached(location, packs) if one.severity == "error"]
    if wrong:
        print_findings(console, wrong)
        raise SilentExit(1)
