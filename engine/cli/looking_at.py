"""The word `look` at the prompt: all about a place, a thing or a player."""

from __future__ import annotations

from ..drawing.about import About
from .describe import Showable, describe
from .listeners import Listeners
from .prompt import Question

FEW = 6                              # so many things are told of for the beginning of a name
MANY = 4                             # options that are named, and clauses that are told


def tell_of(here: Listeners, question: Question, typed: str) -> None:
    """What is called so: what can be seen of it, what is printed on it, which options have to do with it."""
    words = here.teller.words
    about = About(here.table.position, here.teller, here.viewer)
    things = about.named(typed) if typed else []
    if not things or len(things) > FEW:
        key = "look.which" if not typed or things else "look.unknown"
        said = words.text(key, typed=typed)
        meant = about.meant(typed) if key == "look.unknown" else ""
        here.tell([f"{said} {words.text('cli.meant', meant=meant)}" if meant else said])
        return
    for thing in things:
        first, *rest = about.lines(thing)
        printed = printed_lines(here, *thing)
        here.tell([printed[0] if printed else first, *("  " + line for line in rest)])
        here.rows(printed[1:])
        touching = question.at({thing})
        if touching:
            here.tell(["  " + words.text("look.options", n=len(touching))])
            here.rows(["    " + one.shown.strip() for one in touching[:MANY]] + ["    ..."] * (len(touching) > MANY))
        here.tell(["  " + clause for clause in about.clauses(thing)[:MANY]])


def printed_lines(here: Listeners, domain: str, n: int) -> list[str]:
    """A thing as `show` tells it: its text, what is printed on it, its clauses."""
    enum = here.table.game.model.enum_of(domain)
    if enum is None or enum.kind not in ("enum", "pieces") or f"{domain}.name" not in here.teller.words.english:
        return []
    member = enum.kinds[n] if enum.kinds else enum.members[n]
    return describe(Showable("member", member, domain), here.table.game, here.teller, here.width)
