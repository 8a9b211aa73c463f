"""`ludoglot show`: a card, a thing, a phase, a board or an option of a game, in words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from ..shelf.loaded import Loaded
from ..words.typed import near
from .frame import argument, command, house_option, lang_option
from .loading import load_game, packs_from
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ..telling.teller import Teller

FEW = 6                              # so many things are shown for the beginning of a name


@command("show")
@argument("game")
@argument("name", required=False)
@house_option
@lang_option
@click.pass_obj
def show_command(voice: Voice, game: str, name: str | None, houses: tuple[str, ...]) -> int:
    from ..telling.teller import Teller
    loaded = load_game(voice, game, houses=packs_from(houses))
    teller = Teller(loaded.game, loaded.words(voice.lang))
    for line in overview(loaded, teller, voice.width) if name is None else one(loaded, teller, name, voice.width):
        voice.out(line)
    return 0


def one(loaded: Loaded, teller: Teller, name: str, width: int) -> list[str]:
    """What is called `name`: as rules write it (`tower`, `Building.tower`), or as the language does. Raises Usage."""
    from ..words.typed import folded
    from .describe import Showable, describe, things_of, title
    wanted = folded(name)
    known: dict[str, list[Showable]] = {}
    for thing in things_of(loaded.game):
        for word in {thing.name, f"{thing.domain}.{thing.name}", title(thing, teller)}:
            known.setdefault(folded(word), []).append(thing)
    found = known.get(wanted) or [thing for word, things in known.items() if wanted and word.startswith(wanted) for thing in things]
    if not found or len(set(found)) > FEW:
        titles = {folded(said): said for things in known.values() for thing in things for said in [title(thing, teller)]}
        raise Usage("show.unknown", game=teller.words.text("game.name"), name=name, meant=titles.get(near(wanted, titles), ""))
    lines: list[str] = []
    for thing in dict.fromkeys(found):
        lines += ([""] if lines else []) + describe(thing, loaded.game, teller, width)
    return lines


def overview(loaded: Loaded, teller: object, width: int) -> list[str]:
    """The game, and what of it can be shown."""
    from ..telling.teller import Teller
    from ..words.fields import fields
    from ..words.template import capital
    from .describe import things_of, title
    assert isinstance(teller, Teller)
    words, model = teller.words, loaded.game.model
    low, high = model.player_range
    players = words.text("show.players_exact", n=low) if low == high else words.text("show.players", low=low, high=high)
    out = [words.text("game.name"), players]
    if words.has("game.text"):
        out += textwrap.wrap(words.text("game.text", **fields(loaded.game.model)), width)
    groups: dict[str, list[str]] = {}
    for thing in things_of(loaded.game):
        if thing.kind == "member":
            has_name = words.has(f"{thing.domain}.name")
            label = capital(words.noun(thing.domain, "pl")) if has_name else thing.domain
        else:
            label = words.text(f"show.{thing.kind}s")
        groups.setdefault(label, []).append(title(thing, teller))
    for label, names in groups.items():
        out += ["", *textwrap.wrap(f"{label}: {', '.join(dict.fromkeys(names))}", width, subsequent_indent="  ")]
    return out
