"""The menu that `ludoglot` without a command opens on a terminal: play, resume, read rules, change settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.cache import read_cached
from ..cli.console import LocalizedConsole, SilentExit
from ..errors import MessageError
from ..i18n import Localizer, game_localizer
from ..i18n.languages import native_language_names
from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize
from ..library.find import GAME_FILE, RULES_FOLDER, GameLocation, UnknownGameError, describe_game, find_game_location, list_game_ids
from ..terminal.menu_prompts import MenuPrompt

if TYPE_CHECKING:
    from ..match.save_index import SavedGame

MENU_ENTRIES = ("play", "resume", "rules", "languages", "screen", "teach", "quit")
ACTIVE_LABEL_KEYS = {"screen": "menu.scrolling", "teach": "menu.untaught"}  # label of an entry while its setting is on
DEFAULT_BOT = "bot:greedy"
MAX_LISTED_SAVES = 12                           # saved games in the list


def run_menu(console: LocalizedConsole) -> int:
    """Shows the menu until the user quits; returns the exit code."""
    console.print_line("Ludoglot")
    console.print_message("cli.about")
    # full-screen mode and tutorial
    on = dict.fromkeys(ACTIVE_LABEL_KEYS, False)
    chosen: str | None = None                                      # the language chosen in the menu, if any
    while True:
        console.in_menu = True
        asker = MenuPrompt(console)
        console.print_line()
        texts = [console.text(ACTIVE_LABEL_KEYS[entry] if on.get(entry) else f"menu.{entry}") for entry in MENU_ENTRIES]
        picked = asker.choose(texts, must=True)
        entry = "quit" if picked is None else MENU_ENTRIES[picked]
        try:
            if entry == "quit":
                return 0
            if entry == "resume":
                resume_saved(asker, on["screen"], on["teach"], chosen)
            elif entry in on:
                on[entry] = not on[entry]
            elif entry == "languages":
                names = native_language_names()
                language = asker.choose(list(names.values()))
                chosen = chosen if language is None else list(names)[language]
                console = console if chosen is None else LocalizedConsole(chosen)
            elif (game := choose_game(asker)) is not None:
                if entry == "play":
                    play_game(asker, game, on["screen"], on["teach"])
                else:
                    read_rulebook(asker, game)
        except MessageError as error:
            console.print_error(error.key, **error.params)
        except SilentExit:                                              # the error has been printed
            pass


def choose_game(asker: MenuPrompt) -> dict[str, Any] | None:
    """Asks for a game and returns its entry in the form of `games --json`; None if the user picks none."""
    entries = [entry for name in list_game_ids() if (entry := read_cached(RULES_FOLDER / name / GAME_FILE, describe_game)) is not None]
    titles = [entry_localizer(asker.console, entry).text("game.name") for entry in entries]
    order = sorted(range(len(entries)), key=lambda n: normalize(titles[n]))         # by localized title
    picked = asker.choose([titles[n] for n in order])
    return None if picked is None else entries[order[picked]]


def entry_localizer(console: LocalizedConsole, entry: dict[str, Any], folder: Path | None = None) -> Localizer:
    """Returns the localizer of a game in the language of the console."""
    return game_localizer(console.lang, entry["id"], folder or RULES_FOLDER / entry["id"], {"game.name": entry["name"]})


def play_game(asker: MenuPrompt, game: dict[str, Any], full: bool, teach: bool) -> None:
    """Asks for players, bots, languages, options, and packs, then plays a game. Leaving a question cancels."""
    from ..match.setup import HUMAN
    from .play import StartRequest, start_game
    players = asker.ask_number("menu.players", *game["players"])
    if players is None:
        return
    seats, names = [], []
    for seat in range(players):
        name = asker.ask_line("menu.first_seat" if seat == 0 else "menu.seat", seat=seat + 1)
        if name is None:
            return
        seats.append(HUMAN if name or seat == 0 else "")
        names.append(name.replace(",", " "))
    seats = choose_bots(asker, seats)
    langs = choose_languages(asker, [seat for seat in range(players) if seats[seat] == HUMAN], names)
    if langs is None:
        return
    settings = choose_options(asker, game)
    if settings is None:
        return
    pack_sources = choose_packs(asker, game)
    asker.console.print_line()
    start_game(
        asker.console,
        StartRequest(
            game=game["id"],
            players=players,
            seats=seats,
            names=names,
            langs=langs,
            settings=tuple(settings),
            pack_sources=pack_sources,
            full=full,
            teach=teach,
        ),
    )


def choose_languages(asker: MenuPrompt, people: list[int], names: list[str]) -> list[str] | None:
    """Asks whether several people read the same language, and for each language if they do not.

    Returns the languages by seat, with "" for the current one. None at the end of input."""
    langs = [""] * len(names)
    if len(people) > 1:
        console = asker.console
        lang = native_language_names().get(console.lang, console.lang)
        texts = [console.text("menu.languages.same", lang=lang), console.text("menu.languages.each")]
        for seat in people if asker.choose(texts, console.text("menu.languages.ask", lang=lang)) == 1 else ():
            given = asker.ask_language(names[seat] or console.text("seat.name", seat=seat + 1))
            if given is None:
                return None
            langs[seat] = given
    return langs


def choose_bots(asker: MenuPrompt, seats: list[str]) -> list[str]:
    """Asks which bot takes the empty seats: the same for all, or one for each. Returns all seats."""
    from ..bots.greedy import BOTS
    # default first
    kinds = [DEFAULT_BOT, *(f"bot:{name}" for name in reversed(BOTS) if f"bot:{name}" != DEFAULT_BOT)]
    empty = [seat for seat, kind in enumerate(seats) if not kind]
    texts = [asker.console.text(f"menu.bots.{kind.removeprefix('bot:')}") for kind in kinds]
    found = dict.fromkeys(empty, DEFAULT_BOT)
    if empty:
        each = [asker.console.text("menu.bots.each")] if len(empty) > 1 else []
        picked = asker.choose([*texts, *each], asker.console.text("menu.bots"))
        if picked is not None and picked < len(kinds):
            found = dict.fromkeys(empty, kinds[picked])
        for seat in empty if picked == len(kinds) else ():
            own = asker.choose(texts, asker.console.text("menu.bots.seat", seat=seat + 1))
            found[seat] = DEFAULT_BOT if own is None else kinds[own]
    return [kind or found[seat] for seat, kind in enumerate(seats)]


def choose_packs(asker: MenuPrompt, game: dict[str, Any]) -> tuple[str, ...]:
    """Asks which of the installed packs for a game to use. Asks nothing if there are none."""
    from ..library.installed_packs import iter_installed_packs
    found = list(iter_installed_packs(game["id"]))
    chosen: set[int] = set()
    while found:
        titles = [
            " ".join(filter(None, ["+" * (n in chosen), pack.name, pack.description_in(asker.console.lang)]))
            for n, pack in enumerate(found)
        ]
        asker.console.print_line()
        picked = asker.choose(titles, asker.console.text("menu.house"))
        if picked is None:
            break
        chosen ^= {picked}
    return tuple(str(found[n].path) for n in sorted(chosen))


def choose_options(asker: MenuPrompt, game: dict[str, Any]) -> list[str] | None:
    """Asks for the game options and returns `NAME=VALUE` for each one that differs from its default."""
    words = entry_localizer(asker.console, game)
    chosen = {name: option["default"] for name, option in game["options"].items()}
    while chosen:
        heads = {name: words.text_or(f"variant.{name}.name", name) for name in chosen}
        titles = [f"{heads[name]}: {words.option_value_text(name, value)}" for name, value in chosen.items()]
        asker.console.print_line()
        picked = asker.choose(titles, asker.console.text("menu.variants"))
        if picked is None:
            break
        name = list(chosen)[picked]
        values = game["options"][name]["values"]
        key = f"variant.{name}.text"
        for line in wrap_cells(words.text(key), asker.console.width) if words.has(key) and "{" not in words.text(key) else []:
            asker.console.print_line(line)
        value = asker.choose([words.option_value_text(name, value) for value in values])
        if value is not None:
            chosen[name] = values[value]
    return [f"{name}={str(value).lower()}" for name, value in chosen.items() if value != game["options"][name]["default"]]


def resume_saved(asker: MenuPrompt, full: bool, teach: bool, lang: str | None) -> None:
    """Resumes one of the last unfinished games, in the language chosen in the menu or else in its own."""
    from ..match.save_index import list_saved_games, saves_folder
    from .play import RESUME_LAST, ResumeRequest, resume_game
    # intact ones first
    every = sorted((saved for saved in list_saved_games() if not saved.finished), key=lambda saved: saved.damaged)
    found = every[:MAX_LISTED_SAVES]
    if len(found) < 2:
        # the only one, if any
        resume_game(asker.console, ResumeRequest(save=RESUME_LAST, lang=lang, full=full, teach=teach))
        return
    console = asker.console
    if len(every) > len(found):
        file = console.text("cli.metavar.file")
        console.print_message(
            "menu.saved_more", n=len(every) - len(found), folder=str(saves_folder()), command=f"ludoglot play --resume {file}"
        )
    picked = asker.choose([save_title(console, saved) for saved in found])
    if picked is not None:
        resume_game(asker.console, ResumeRequest(save=str(found[picked].path), lang=lang, full=full, teach=teach))


def save_title(console: LocalizedConsole, saved: SavedGame) -> str:
    """Returns the list entry of a saved game: game, players, number of decisions, time."""
    from datetime import datetime

    from babel.dates import format_datetime

    from ..match.setup import HUMAN
    if not saved.game:
        return console.text("menu.unreadable", file=saved.path.name)
    title = Path(saved.game).name
    try:
        found: GameLocation = find_game_location(saved.game)
        entry = read_cached(found.folder / GAME_FILE, describe_game)
        title = entry_localizer(console, entry, found.folder).text("game.name") if entry is not None else title
    except UnknownGameError:
        pass
    who = [name or console.text("seat.name", seat=seat + 1) for seat, name in enumerate(saved.names) if saved.seats[seat] == HUMAN]
    when = format_datetime(datetime.fromtimestamp(saved.time), "short", locale=console.lang)
    return console.text("menu.saved_damaged" if saved.damaged else "menu.saved", game=title, who=list(who), n=saved.decisions, when=when)


def read_rulebook(asker: MenuPrompt, game: dict[str, Any]) -> None:
    """Shows the table of contents of a game's rulebook, then the chapters that are asked for.

    Leaving a chapter returns to the contents."""
    from ..terminal.rulebook_pager import chapter_page, table_of_contents
    from .rulebook import build_rulebook
    console = asker.console
    console.print_message("rules.writing")
    book = build_rulebook(console, game["id"])
    while True:
        for line in ["", *table_of_contents(book, console.width)]:
            console.print_line(line)
        typed = asker.ask_line("menu.read")
        if not typed:
            return
        while typed:
            for line in ["", *chapter_page(book, typed, console.words, console.width, console.screen[1]), ""]:
                console.print_line(line)
            typed = asker.ask_line("menu.read")
