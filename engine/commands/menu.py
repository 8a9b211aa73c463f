"""`ludoglot` alone, on a terminal: play, go on with a saved game, read the rules, change the language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cli.console import Quiet, Usage, Voice
from ..i18n import Words
from ..i18n.languages import own_names
from ..i18n.user_input import folded
from ..library.find import MAIN, RULES, installed
from ..terminal.menu_prompts import Asker
from ..terminal.text_columns import paragraph

if TYPE_CHECKING:
    from ..match.save_index import SavedGame

ENTRIES = ("play", "resume", "rules", "languages", "screen", "teach", "quit")
SWITCHED = {"screen": "menu.scrolling", "teach": "menu.untaught"}  # what an entry is called once it is on
BOT = "bot:greedy"
SAVES = 12                           # saved games that are offered


def menu(voice: Voice) -> int:
    """Ask until somebody leaves; returns the exit code."""
    voice.out("Ludoglot")
    voice.say("cli.about")
    on = dict.fromkeys(SWITCHED, False)                            # whether games are played on the whole screen, and with explanations
    chosen: str | None = None                                      # the language, once somebody has chosen one
    while True:
        asker = Asker(voice)
        voice.out()
        texts = [voice.text(SWITCHED[entry] if on.get(entry) else f"menu.{entry}") for entry in ENTRIES]
        picked = asker.choose(texts, must=True)
        entry = "quit" if picked is None else ENTRIES[picked]
        try:
            if entry == "quit":
                return 0
            if entry == "resume":
                resume(asker, on["screen"], on["teach"], chosen)
            elif entry in on:
                on[entry] = not on[entry]
            elif entry == "languages":
                names = own_names()
                language = asker.choose(list(names.values()))
                chosen = chosen if language is None else list(names)[language]
                voice = voice if chosen is None else Voice(chosen)
            elif (game := which_game(asker)) is not None:
                if entry == "play":
                    play(asker, game, on["screen"], on["teach"])
                else:
                    read(asker, game)
        except Usage as error:
            voice.error(error.key, **error.details)
        except Quiet:                                              # what was wrong has been said
            pass


def which_game(asker: Asker) -> dict[str, Any] | None:
    """A game that somebody picks, as `games --json` lists it."""
    from ..i18n.text_cache import remembered
    from ..library.find import describe_game
    entries = [entry for name in installed() if (entry := remembered(RULES / name / MAIN, describe_game)) is not None]
    titles = [words_of(asker.voice, entry).text("game.name") for entry in entries]
    order = sorted(range(len(entries)), key=lambda n: folded(titles[n]))         # as they are called in the language of the menu
    picked = asker.choose([titles[n] for n in order])
    return None if picked is None else entries[order[picked]]


def words_of(voice: Voice, entry: dict[str, Any], folder: Path | None = None) -> Words:
    from ..i18n import game_words
    return game_words(voice.lang, entry["id"], folder or RULES / entry["id"], {"game.name": entry["name"]})


def play(asker: Asker, game: dict[str, Any], full: bool, teach: bool) -> None:
    """A game with whoever sits down. Leaving a question leaves the game."""
    from ..match.setup import HUMAN
    from .play import begin
    players = asker.number("menu.players", *game["players"])
    if players is None:
        return
    seats, names = [], []
    for seat in range(players):
        name = asker.line("menu.first_seat" if seat == 0 else "menu.seat", seat=seat + 1)
        if name is None:
            return
        seats.append(HUMAN if name or seat == 0 else "")
        names.append(name.replace(",", " "))
    seats = with_bots(asker, seats)
    langs = [""] * players
    for seat in range(players) if seats.count(HUMAN) > 1 else ():
        if seats[seat] == HUMAN:
            lang = asker.language(names[seat] or asker.voice.text("seat.name", seat=seat + 1))
            if lang is None:
                return
            langs[seat] = lang
    settings = variants(asker, game)
    if settings is None:
        return
    houses = packs(asker, game)
    asker.voice.out()
    begin(asker.voice, game["id"], players=players, seats=seats, names=names, langs=langs, settings=tuple(settings), houses=houses,
          seed=None, save_as=None, max_rounds=None, no_auto=False, plain=False, as_json=False, full=full, teach=teach)


def with_bots(asker: Asker, seats: list[str]) -> list[str]:
    """The kind of bot in each empty seat: the same in all of them, or each of its own."""
    from ..bots.greedy import BOTS
    kinds = [BOT, *(f"bot:{name}" for name in reversed(BOTS) if f"bot:{name}" != BOT)]         # the usual one, then the strongest first
    empty = [seat for seat, kind in enumerate(seats) if not kind]
    texts = [asker.voice.text(f"menu.bots.{kind.removeprefix('bot:')}") for kind in kinds]
    found = dict.fromkeys(empty, BOT)
    if empty:
        each = [asker.voice.text("menu.bots.each")] if len(empty) > 1 else []
        picked = asker.choose([*texts, *each], asker.voice.text("menu.bots"))
        if picked is not None and picked < len(kinds):
            found = dict.fromkeys(empty, kinds[picked])
        for seat in empty if picked == len(kinds) else ():
            own = asker.choose(texts, asker.voice.text("menu.bots.seat", seat=seat + 1))
            found[seat] = BOT if own is None else kinds[own]
    return [kind or found[seat] for seat, kind in enumerate(seats)]


def packs(asker: Asker, game: dict[str, Any]) -> tuple[str, ...]:
    """The packs of house rules that somebody wants of those that were found for a game; nothing is asked where there are none."""
    from ..library.installed_packs import packs_found
    found = list(packs_found(game["id"]))
    chosen: set[int] = set()
    while found:
        titles = [" ".join(filter(None, ["+" * (n in chosen), pack.name, pack.about(asker.voice.lang)])) for n, pack in enumerate(found)]
        asker.voice.out()
        picked = asker.choose(titles, asker.voice.text("menu.house"))
        if picked is None:
            break
        chosen ^= {picked}
    return tuple(str(found[n].path) for n in sorted(chosen))


def variants(asker: Asker, game: dict[str, Any]) -> list[str] | None:
    """`NAME=VALUE` for each variant that somebody wants otherwise than it usually is; None at the end of input."""
    words = words_of(asker.voice, game)
    chosen = {name: option["default"] for name, option in game["options"].items()}
    while chosen:
        heads = {name: words.text_or(f"variant.{name}.name", name) for name in chosen}
        titles = [f"{heads[name]}: {words.variant(name, value)}" for name, value in chosen.items()]
        asker.voice.out()
        picked = asker.choose(titles, asker.voice.text("menu.variants"))
        if picked is None:
            break
        name = list(chosen)[picked]
        values = game["options"][name]["values"]
        key = f"variant.{name}.text"
        for line in paragraph(words.text(key), asker.voice.width) if words.has(key) and "{" not in words.text(key) else []:
            asker.voice.out(line)
        value = asker.choose([words.variant(name, value) for value in values])
        if value is not None:
            chosen[name] = values[value]
    return [f"{name}={str(value).lower()}" for name, value in chosen.items() if value != game["options"][name]["default"]]


def resume(asker: Asker, full: bool, teach: bool, lang: str | None) -> None:
    """Go on with one of the last games that are not over, in the language that somebody has chosen here, else in its own."""
    from ..match.save_index import saved_games, saves_folder
    from .play import LAST, go_on
    every = sorted((saved for saved in saved_games() if not saved.finished), key=lambda saved: saved.damaged)     # the sound ones first
    found = every[:SAVES]
    if len(found) < 2:
        go_on(asker.voice, LAST, None, False, lang=lang, full=full, teach=teach)         # the only one; or a sentence that there is none
        return
    voice = asker.voice
    if len(every) > len(found):
        file = voice.text("cli.metavar.file")
        voice.say("menu.saved_more", n=len(every) - len(found), folder=str(saves_folder()), command=f"ludoglot play --resume {file}")
    picked = asker.choose([title_of(voice, saved) for saved in found])
    if picked is not None:
        go_on(asker.voice, str(found[picked].path), None, False, lang=lang, full=full, teach=teach)


def title_of(voice: Voice, saved: SavedGame) -> str:
    """A saved game in a list: what, who, how far, when."""
    from datetime import datetime

    from babel.dates import format_datetime

    from ..i18n.text_cache import remembered
    from ..library.find import Found, UnknownGame, describe_game, find
    from ..match.setup import HUMAN
    if not saved.game:
        return voice.text("menu.unreadable", file=saved.path.name)
    title = Path(saved.game).name
    try:
        found: Found = find(saved.game)
        entry = remembered(found.folder / MAIN, describe_game)
        title = words_of(voice, entry, found.folder).text("game.name") if entry is not None else title
    except UnknownGame:
        pass
    who = [name or voice.text("seat.name", seat=seat + 1) for seat, name in enumerate(saved.names) if saved.seats[seat] == HUMAN]
    when = format_datetime(datetime.fromtimestamp(saved.time), "short", locale=voice.lang)
    return voice.text("menu.saved_damaged" if saved.damaged else "menu.saved", game=title, who=list(who), n=saved.decisions, when=when)


def read(asker: Asker, game: dict[str, Any]) -> None:
    """The chapters of a game's rulebook, and then one after another. Leaving a chapter leads back to all of them."""
    from ..terminal.rulebook_pager import contents, leaf
    from .rulebook import book_of
    voice = asker.voice
    voice.say("rules.writing")
    book = book_of(voice, game["id"])
    while True:
        for line in ["", *contents(book, voice.width)]:
            voice.out(line)
        typed = asker.line("menu.read")
        if not typed:
            return
        while typed:
            for line in ["", *leaf(book, typed, voice.words, voice.width, voice.screen[1]), ""]:
                voice.out(line)
            typed = asker.line("menu.read")
