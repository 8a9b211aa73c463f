"""The word `look` at the prompt: all about a place, a thing or a player, and what any other word of the game means."""

from __future__ import annotations

from ..i18n.template import capital
from ..i18n.user_input import folded, near
from ..project.describe import Showable, describe, things_of, title
from ..table_view.inspect_item import About
from ..table_view.view_model import Chart, Entries
from .audience import Listeners
from .question import Question, ShownOption

FEW = 6                              # so many things are told of for the beginning of a name
MANY = 4                             # options that are named, and clauses that are told


def tell_of(here: Listeners, question: Question, typed: str) -> None:
    """What is called so: what can be seen of it, what is printed on it, which options have to do with it."""
    words = here.teller.words
    about = About(here.table.position, here.teller, here.viewer)
    things = things_called(here, question, about, typed) if typed else []
    if len(things) > FEW or not typed:
        here.tell([words.text("look.which")])
        return
    if not things:
        tell_word(here, about, typed)
        return
    for thing in things:
        first, *rest = about.lines(thing)
        printed = [line for line in printed_lines(here, *thing) if line.strip() not in rest]
        here.tell([printed[0] if printed and not about.labelled(thing) else first, *("  " + line for line in rest)])
        here.rows(printed[1:])
        touching = question.at({thing}) if not here.table.over else []
        if touching:
            here.tell(["  " + words.text("look.options", n=len(touching))])
            here.tell(["    " + one.shown.strip() for one in touching[:MANY]] + ["    ..."] * (len(touching) > MANY))
        here.tell(["  " + clause for clause in about.clauses(thing)[:MANY]])


def things_called(here: Listeners, question: Question, about: About, typed: str) -> list[tuple[str, int]]:
    """The things that are called so; the places of the option with this number; what a letter on the map means; what begins so."""
    wanted = folded(typed)
    chosen = [question.places(one) for one in question.choices if one.token == wanted]
    return about.names().get(wanted) or next(iter(chosen), []) or lettered(here, typed) or about.named(typed)


def fitting(here: Listeners, question: Question, typed: str) -> list[ShownOption]:
    """The options that a word may mean, and all that have to do with what is called so."""
    called = About(here.table.position, here.teller, here.viewer).named(typed)
    found = [*question.fitting(typed), *question.at(set(called if len(called) <= FEW else ()))]
    return [one for one in question.choices if one in found]


def lettered(here: Listeners, typed: str) -> list[tuple[str, int]]:
    """What a letter or a sign of the legends means; large and small letters are told apart where both mean something."""
    model = here.table.game.model
    found: dict[str, list[tuple[str, int]]] = {}
    legends = [panel.legend for panel in here.tables()[1] if isinstance(panel, Chart | Entries)]
    for meanings in (meanings for legend in legends for meanings in legend.values()):
        for span in meanings.values():
            kind, _, name = span.style.partition(".")
            enum = model.enum_of(kind)
            for n in range(len(enum.members)) if enum is not None and name else ():
                if enum is not None and enum.called(n) == name:
                    for sign in {span.short, span.shape}:
                        found.setdefault(sign, []).append((enum.name, n))
    return found.get(typed) or [thing for sign, things in found.items() if sign and folded(sign) == folded(typed) for thing in things]


def tell_word(here: Listeners, about: About, typed: str) -> None:
    """A word that names no thing on the table: a phase, a kind of thing, a variant, any word of the rulebook."""
    from ..rulebook.lookup import look_up, words_known
    words, book, wanted = here.teller.words, here.book(), folded(typed)
    titles = [(folded(title(thing, here.teller)), thing) for thing in things_of(here.table.game)]
    things = [thing for name, thing in titles if name == wanted] or [thing for name, thing in titles if name.startswith(wanted)]
    if 0 < len(things) <= FEW:
        for thing in things:
            here.tell(describe(thing, here.table.game, here.teller, here.width, places=False))
        return
    entry = look_up(book, typed)
    if not entry.found:
        said, known = words.text("look.unknown", typed=typed), words_known(book)
        names = {name: name for name in about.shown()} | known
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
    return describe(Showable("member", member, domain), here.table.game, here.teller, here.width, places=False)
