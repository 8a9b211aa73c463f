"""`ludoglot rulebook`: the rulebook of a game, written from its rules, as a web page or as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .frame import argument, command, house_option, lang_option, option, players_option, setting_option
from .inputs import path_of
from .loading import find_game, load_game, packs_from, read_source, settings_from
from .voice import Usage, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...dsl.packs import Bundle
    from ..library.loaded_game import Loaded
    from ..rulebook.book import Book

USUAL = 4                                                          # players whose numbers the sentences have where none are asked for
KINDS = (".html", ".md")


@command("rulebook")
@argument("game")
@option("--out", word="file", required=True)
@house_option
@setting_option
@players_option
@lang_option
@click.pass_obj
def rulebook_command(voice: Voice, game: str, out: str, houses: tuple[str, ...], settings: tuple[str, ...], players: int | None) -> int:
    from .output import check_output, write_output
    from .rendering import rendered
    path = path_of(out) if out != "-" else None
    if path is not None and path.suffix not in KINDS:
        raise Usage("usage.rulebook_file", file=out)
    if path is not None:
        check_output(path)
    book = book_of(voice, game, packs_from(houses), settings_from(settings), players)
    if path is None:
        voice.out(written(book, ".md").rstrip("\n"))
    else:
        write_output(path, written(book, path.suffix))
        voice.say("file.written", file=out)
    if book.faults:
        voice.warn(rendered(voice, list({(one.code, one.place): one for one in book.faults}.values())))
    return 1 if book.faults else 0


def written(book: Book, kind: str) -> str:
    """The rulebook as a text of this kind."""
    from ..rulebook.html_writer import web
    from ..rulebook.markdown_writer import markdown
    return markdown(book) if kind == ".md" else web(book)


def book_of(voice: Voice, game: str, houses: Iterable[Path | Bundle] = (), settings: dict[str, str] | None = None,
            players: int | None = None) -> Book:
    """The rulebook, not written yet. Raises Usage; findings are told and end it."""
    from ..rulebook.builder import Wanted, make_book
    packs = list(houses)
    at_table = players or usual(voice, game, packs)
    loaded = load_game(voice, game, at_table, settings, packs)
    return make_book(loaded, voice.lang, Wanted(players, frozenset(settings or ())), plain_of(voice, game, loaded, settings or {}))


def plain_of(voice: Voice, game: str, loaded: Loaded, settings: dict[str, Any]) -> Loaded | None:
    """The game without its house rules, as near to what is played as it can be: packs may bring players and options."""
    from ...dsl.model.codec import as_written
    if not loaded.house_names:
        return None
    source = read_source(voice, find_game(game))
    known = {name: as_written(value) for name, value in settings.items()
             if as_written(value) in {as_written(one) for one in source.data["options"].get(name, {}).get("values", ())}}
    return load_game(voice, game, usual(voice, game, [], loaded.game.players), known)


def usual(voice: Voice, game: str, houses: list[Path | Bundle], wanted: int = USUAL) -> int:
    """How many players the numbers in the sentences are for: those wanted, or the nearest number that may play."""
    low, high = read_source(voice, find_game(game), houses).player_range
    return min(high, max(low, wanted))
