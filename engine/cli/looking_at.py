"""The word `look` at the prompt: all about a place, a thing or a player, and what any other word of the game means."""

from __future__ import annotations

from ..drawing.about import About
from ..words.template import capital
from ..words.typed import folded, near
from .describe import Showable, describe, things_of, title
from .listeners import Listeners
from .prompt import Question

FEW = 6                              # so many things are told of for the beginning of a name
MANY = 4                             # options that are named, and clauses that are told


def tell_of(here: Listeners, question: Question, typed: str) -> None:
    """What is called so: what can be seen of it, what is printed on it, which options have to do with it."""
    words = here.teller.words
    about = About(here.table.position, here.teller, here.viewer)
    things = about.named(typed) if typed else []
    if len(things) > FEW or not typed:
        here.tell([words.text("look.which")])
        return
    if not things:
        tell_word(here, about, typed)
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


def tell_word(here: Listeners, about: About, typed: str) -> None:
    """A word that names no thing on the table: a phase, a kind of thing, a variant, any word of the rulebook."""
    from ..rulebook.looking_up import look_up, words_known
    words, book, wanted = here.teller.words, here.book(), folded(typed)
    titles = [(folded(title(thing, here.teller)), thing) for thing in things_of(here.table.game)]
    things = [thing for name, thing in titles if name == wanted] or [thing for name, thing in titles if name.startswith(wanted)]
    if 0 < len(things) <= FEW:
        for thing in things:
            here.tell(describe(thing, here.table.game, here.teller, here.width))
        return
    entry = look_up(book, typed)
    if not entry.found:
        said, known = words.text("look.unknown", typed=typed), words_known(book)
        names = {name: name for name in about.names()} | known
        meant = names.get(near(wanted, names), "")
        here.tell([f"{said} {words.text('cli.meant', meant=meant)}" if meant else said])
        return
    here.tell([f"{word}: {text}" for word, text in entry.said[:MANY]] or [capital(typed)])
    if entry.where:
        chapters = [f"{chapter.number} {chapter.title}" for chapter in entry.where[:MANY]]
        here.tell(["  " + words.text("look.chapters", chapters=chapters, command=f"{words.text('command.rules')} {entry.where[0].number}")])
    here.tell([f"  [{clause}] {text}" for clause, text in entry.clauses[:MANY]])
    if len(entry.clauses) > MANY:
        here.tell(["  " + words.text("look.clauses", n=len(entry.clauses) - MANY)])


def printed_lines(here: Listeners, domain: str, n: int) -> list[str]:
    """A thing as `show` tells it: its text, what is printed on it, its clauses."""
    enum = here.table.game.model.enum_of(domain)
    if enum is None or enum.kind not in ("enum", "pieces") or f"{domain}.name" not in here.teller.words.english:
        return []
    member = enum.called(n)
    return describe(Showable("member", member, domain), here.table.game, here.teller, here.width)
