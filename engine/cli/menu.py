"""`ludoglot` alone, on a terminal: play, go on with a saved game, read the rules, change the language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..shelf.find import MAIN, RULES, installed
from ..words import Words
from ..words.languages import LANGUAGES, known_language
from ..words.typed import folded
from .columns import in_columns, paragraph
from .fits import Fit
from .terminal import Terminal
from .voice import Quiet, Refusal, Usage, Voice

if TYPE_CHECKING:
    from ..playing.saves import SavedGame

ENTRIES = ("play", "resume", "rules", "languages", "quit")
BOT = "bot:greedy"
SAVES = 12                           # saved games that are offered


def menu(voice: Voice) -> int:
    """Ask until somebody leaves; returns the exit code."""
    voice.out("Ludoglot")
    voice.say("cli.about")
    while True:
        asker = Asker(voice)
        voice.out()
        picked = asker.choose([voice.text(f"menu.{entry}") for entry in ENTRIES], must=True)
        entry = "quit" if picked is None else ENTRIES[picked]
        try:
            if entry == "quit":
                return 0
            if entry == "resume":
                resume(asker)
            elif entry == "languages":
                language = asker.choose([Voice(lang).text(f"language.{lang}") for lang in LANGUAGES])
                voice = voice if language is None else Voice(LANGUAGES[language])
            elif (game := which_game(asker)) is not None:
                (play if entry == "play" else read)(asker, game)
        except Usage as error:
            voice.error(error.key, **error.details)
        except Quiet:                                              # what was wrong has been said
            pass


class Asker:
    """Questions before a game begins."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.terminal = Terminal(voice)

    def choose(self, texts: list[str], title: str = "", must: bool = False) -> int | None:
        """The index of the text that was picked by its number or its beginning; None at the end of input or, unless one must be picked,
        an empty line."""
        voice = self.voice
        if title:
            voice.out(title)
        shown = [f"{n:>3}  {text}" for n, text in enumerate(texts, start=1)]
        for line in in_columns(shown, voice.width):
            voice.out(line)

        def near(typed: str) -> list[int]:
            wanted = folded(typed)
            exact = [n for n, text in enumerate(texts) if wanted in (str(n + 1), folded(text))]
            return exact or [n for n, text in enumerate(texts) if folded(text).startswith(wanted)]
        while True:
            typed = self.terminal.read(voice.text("ask.prompt") + "> ",
                                       lambda typed: [Fit(len(typed), texts[n], shown[n].strip()) for n in near(typed)])
            if typed is None or not typed.strip() and not must:
                return None
            found = near(typed) if typed.strip() else []
            if len(found) == 1:
                return found[0]
            voice.say("menu.number", typed=typed.strip(), last=len(texts))

    def number(self, key: str, low: int, high: int) -> int | None:
        """A number in a range, `low` for an empty line; None at the end of input."""
        if low == high:
            return low
        while True:
            typed = self.terminal.read(self.voice.text(key, low=low, high=high) + "> ")
            if typed is None:
                return None
            if not typed.strip():
                return low
            if typed.strip().isdigit() and low <= int(typed) <= high:
                return int(typed)
            self.voice.say("menu.number", typed=typed.strip(), last=high)

    def line(self, key: str, /, **args: Any) -> str | None:
        """A line as it was typed, without what surrounds it."""
        typed = self.terminal.read(self.voice.text(key, **args) + "> ")
        return None if typed is None else typed.strip()

    def language(self, who: str) -> str | None:
        """The language that somebody reads: by its code or name; the one spoken now for an empty line; None at the end of input."""
        voice = self.voice
        names = {folded(Voice(lang).text(f"language.{lang}")): lang for lang in LANGUAGES}
        while True:
            known = ", ".join(f"{lang} {Voice(lang).text(f'language.{lang}')}" for lang in LANGUAGES)
            typed = self.line("menu.language_of", who=who, languages=known, lang=voice.lang)
            if not typed:
                return typed if typed is None else voice.lang
            lang = names.get(folded(typed)) or known_language(typed)
            if lang in LANGUAGES:
                return lang
            voice.error("usage.language", name=typed, languages=", ".join(LANGUAGES))


def which_game(asker: Asker) -> dict[str, Any] | None:
    """A game that somebody picks, as `games --json` lists it."""
    from ..words.cache import remembered
    from .games import describe
    entries = [entry for name in installed() if (entry := remembered(RULES / name / MAIN, describe)) is not None]
    picked = asker.choose([words_of(asker.voice, entry).text("game.name") for entry in entries])
    return None if picked is None else entries[picked]


def words_of(voice: Voice, entry: dict[str, Any], folder: Path | None = None) -> Words:
    from ..words import game_words
    return game_words(voice.lang, entry["id"], folder or RULES / entry["id"], {"game.name": entry["name"]})


def play(asker: Asker, game: dict[str, Any]) -> None:
    """A game with whoever sits down. Leaving a question leaves the game."""
    from ..playing.saves import HUMAN
    from .play import begin
    players = asker.number("menu.players", *game["players"])
    if players is None:
        return
    seats, names = [], []
    for seat in range(players):
        name = asker.line("menu.first_seat" if seat == 0 else "menu.seat", seat=seat + 1)
        if name is None:
            return
        seats.append(HUMAN if name or seat == 0 else BOT)
        names.append(name.replace(",", " "))
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
          seed=None, save_as=None, max_rounds=None, no_auto=False, plain=False, as_json=False)


def packs(asker: Asker, game: dict[str, Any]) -> tuple[str, ...]:
    """The packs of house rules that somebody wants of those that were found for a game; nothing is asked where there are none."""
    from ..shelf.packs import packs_found
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
        heads = {name: words.text(key) if words.has(key := f"variant.{name}.name") else name.replace("_", " ") for name in chosen}
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


def resume(asker: Asker) -> None:
    """Go on with one of the last games that are not over."""
    from ..playing.saves import saved_games
    from .play import LAST, go_on
    found = [saved for saved in saved_games() if not saved.finished][:SAVES]
    if len(found) < 2:
        go_on(asker.voice, LAST, None, False)                      # the only one; or a sentence that there is none
        return
    picked = asker.choose([title_of(asker.voice, saved) for saved in found])
    if picked is not None:
        go_on(asker.voice, str(found[picked].path), None, False)


def title_of(voice: Voice, saved: SavedGame) -> str:
    """A saved game in a list: what, who, how far, when."""
    from datetime import datetime

    from babel.dates import format_datetime

    from ..playing.saves import HUMAN
    from ..shelf.find import Found, UnknownGame, find
    from ..words.cache import remembered
    from .games import describe
    title = Path(saved.game).name
    try:
        found: Found = find(saved.game)
        entry = remembered(found.folder / MAIN, describe)
        title = words_of(voice, entry, found.folder).text("game.name") if entry is not None else title
    except UnknownGame:
        pass
    who = [name or voice.text("seat.name", seat=seat + 1) for seat, name in enumerate(saved.names) if saved.seats[seat] == HUMAN]
    when = format_datetime(datetime.fromtimestamp(saved.time), "short", locale=voice.lang)
    return voice.text("menu.saved", game=title, who=list(who), n=saved.decisions, when=when)


def read(asker: Asker, game: dict[str, Any]) -> None:
    """What of a game can be shown, and then one thing after another."""
    from ..telling.teller import Teller
    from .loading import load_game
    from .show import one, overview
    voice = asker.voice
    loaded = load_game(voice, game["id"])
    teller = Teller(loaded.game, loaded.words(voice.lang))
    for line in overview(loaded, teller, voice.width):
        voice.out(line)
    while name := asker.line("menu.read"):
        try:
            for line in one(loaded, teller, name, voice.width):
                voice.out(line)
        except Refusal:
            raise
        except Usage as error:
            voice.warn(voice.message(error.key, **error.details))
