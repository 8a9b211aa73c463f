"""`ludoglot` alone, on a terminal: play, resume, read the rules, change the language."""

from __future__ import annotations

from ..find import MAIN, RULES, installed
from ..words.languages import LANGUAGES
from .voice import Usage, Voice

ENTRIES = ("play", "resume", "rules", "languages", "quit")


def menu(voice: Voice) -> int:
    """Ask until somebody leaves; returns the exit code."""
    while True:
        voice.out()
        picked = choose(voice, [voice.text(f"menu.{entry}") for entry in ENTRIES])
        entry = "quit" if picked is None else ENTRIES[picked]
        try:
            if entry == "quit":
                return 0
            if entry == "resume":
                from .play import LAST, go_on
                go_on(voice, LAST, None, False)
            elif entry == "languages":
                language = choose(voice, [Voice(lang).text(f"language.{lang}") for lang in LANGUAGES])
                voice = voice if language is None else Voice(LANGUAGES[language])
            elif (game := which_game(voice)) is not None:
                (play if entry == "play" else read)(voice, game)
        except Usage as error:
            voice.error(error.key, **error.details)


def which_game(voice: Voice) -> str | None:
    """A game that somebody picks."""
    from ..words import game_words
    from ..words.cache import remembered
    from .games import describe
    names = [name for name in installed() if remembered(RULES / name / MAIN, describe)]
    titles = []
    for name in names:
        entry = remembered(RULES / name / MAIN, describe)
        titles.append(game_words(voice.lang, name, RULES / name, {"game.name": entry["name"]}).text("game.name"))
    picked = choose(voice, titles)
    return None if picked is None else names[picked]


def play(voice: Voice, game: str) -> None:
    """A game with one person and bots."""
    from .play import begin
    begin(voice, game, players=None, seats=None, names=None, langs=None, settings=(), houses=(), seed=None, save_as=None, max_rounds=None,
          no_auto=False, plain=False, as_json=False)


def read(voice: Voice, game: str) -> None:
    """What of a game can be shown."""
    from ..telling import Teller
    from .loading import load_game
    from .show import overview
    loaded = load_game(voice, game)
    for line in overview(loaded, Teller(loaded.game, loaded.words(voice.lang)), voice.width):
        voice.out(line)


def choose(voice: Voice, texts: list[str]) -> int | None:
    """The index of the text that was picked by its number or its beginning; None at the end of input or an empty line."""
    from .prompt import folded
    for n, text in enumerate(texts, start=1):
        voice.out(f"{n:>3}  {text}")
    while True:
        try:
            typed = folded(input(voice.text("ask.prompt") + "> "))
        except (EOFError, KeyboardInterrupt):
            voice.out()
            return None
        if not typed:
            return None
        near = [n for n, text in enumerate(texts) if typed == str(n + 1) or folded(text).startswith(typed)]
        if len(near) == 1:
            return near[0]
        voice.say("prompt.unknown", typed=typed, help="1")
