"""The command `look` at the prompt: details of a place, a thing, or a player, and the meaning of other words."""

from __future__ import annotations

from ..i18n.template import capitalize_first
from ..i18n.user_input import normalize
from ..position.answer_index import AnswerIndex, IndexEntry, index_names
from ..project.describe import describe_item, item_title, list_items
from ..project.inspect_thing import ThingInspector, find_named_things
from ..table_view.inspect_item import ItemInspector
from ..table_view.view_model import BoardPanel, ListPanel
from .audience import ScreenAudience
from .question import DecisionPrompt, PromptOption

MAX_PREFIX_MATCHES = 6                              # with more matches the command asks for a longer name
MAX_LISTED_DETAILS = 4                             # limit for listed options, clauses, and chapters


def print_inspection(audience: ScreenAudience, question: DecisionPrompt, typed: str) -> None:
    """Prints what is visible of the named things, what is printed on them, and the options that involve them."""
    from ..rulebook.lookup import list_lookup_words
    about = ItemInspector(audience.table.position, audience.narrator, audience.viewer)
    if typed and not match_things(audience, question, about, typed):
        if not print_word(audience, typed):
            meant = index_names([*list_lookup_words(audience.get_rulebook()), *about.names.shown.values()], normalize).suggest(typed)
            audience.print_paragraphs([audience.narrator.words.message("look.unknown", typed=typed, meant=meant)])
    else:
        audience.print_paragraphs(list_inspection(audience, question, typed))


def list_inspection(audience: ScreenAudience, question: DecisionPrompt, typed: str) -> list[str]:
    """Returns the lines that `print_inspection` prints for things on the table."""
    words, out = audience.narrator.words, list[str]()
    panels = audience.build_tables()[1]
    inspector = ThingInspector(audience.table.position, audience.narrator, audience.viewer, panels, audience.width)
    about = inspector.about
    things = match_things(audience, question, about, typed) if typed else []
    if len(about.group_by_description(things)) > 1 and len({(name, about.model.enums[name].kind_or_name(n)) for name, n in things}) == 1:
        if printed := inspector.printed_lines(*things[0]):         # equal pieces
            return printed
    if len(about.group_by_description(things)) > MAX_PREFIX_MATCHES or not typed:
        return [words.text("look.which")]
    for thing, meant in about.group_by_description(things).items():
        out += inspector.thing_lines(thing)
        touching = question.options_at({thing, *meant}) if not audience.table.over else []
        if touching:
            out.append("  " + words.text("look.options", n=len(touching)))
            out += ["    " + one.list_entry.strip() for one in touching[:MAX_LISTED_DETAILS]]
            out += ["    ..."] * (len(touching) > MAX_LISTED_DETAILS)
        out += inspector.clause_lines(thing)
    return out


def match_things(audience: ScreenAudience, question: DecisionPrompt, about: ItemInspector, typed: str) -> list[tuple[str, int]]:
    """Returns the things that the text means, from the first of these that gives any.

    These are an exact name, a name in the rules (`Animal.reptile`), the places of the option with this number, a letter
    on the map, and the beginning of a name."""
    chosen = question.find_numbered(typed)
    places = question.option_places(chosen) if chosen is not None else []
    exact = find_named_things(about, typed)
    return exact or places or things_by_symbol(audience, typed) or about.find_things(typed)


def match_options(audience: ScreenAudience, question: DecisionPrompt, typed: str) -> list[PromptOption]:
    """Returns the options that the text may mean, and those that involve a thing with this name."""
    called = ItemInspector(audience.table.position, audience.narrator, audience.viewer).find_things(typed)
    found = [*question.find_completions(typed), *question.options_at(set(called if len(called) <= MAX_PREFIX_MATCHES else ()))]
    return [one for one in question.choices if one in found]


def things_by_symbol(audience: ScreenAudience, typed: str) -> list[tuple[str, int]]:
    """Returns what a letter or symbol of a legend means. Case matters only if both cases have a meaning."""
    model = audience.table.game.model
    found: list[IndexEntry[tuple[str, int]]] = []
    legends = [panel.legend for panel in audience.build_tables()[1] if isinstance(panel, BoardPanel | ListPanel)]
    for meanings in (meanings for legend in legends for meanings in legend.values()):
        for span in meanings.values():
            kind, _, name = span.style.partition(".")
            enum = model.enum_of(kind)
            for n in range(len(enum.members)) if enum is not None and name else ():
                if enum is not None and enum.kind_or_name(n) == name:
                    found.append(IndexEntry((enum.name, n), (span.short, span.shape)))
    things = AnswerIndex(found, str).find_exact(typed) or AnswerIndex(found, normalize).find_exact(typed)
    return list(dict.fromkeys(things))


def print_word(audience: ScreenAudience, typed: str) -> bool:
    """Prints the meaning of a word that is not on the table: a phase, a type, an option, or any rulebook term.

    Returns False if the word has no meaning in this game."""
    from ..rulebook.lookup import look_up
    words = audience.narrator.words
    items = list_items(audience.table.game)
    things = AnswerIndex((IndexEntry(thing, (item_title(thing, audience.narrator),)) for thing in items), normalize).find(typed)
    if 0 < len(things) <= MAX_PREFIX_MATCHES:
        for thing in things:
            audience.print_paragraphs(describe_item(thing, audience.table.game, audience.narrator, audience.width, places=False))
        return True
    entry = look_up(audience.get_rulebook(), typed)
    if not entry.has_results:
        return False
    audience.print_paragraphs([f"{word}: {text}" for word, text in entry.definitions[:MAX_LISTED_DETAILS]] or [capitalize_first(typed)])
    if entry.where:
        chapters = [f"{chapter.number} {chapter.title}" for chapter in entry.where[:MAX_LISTED_DETAILS]]
        audience.print_paragraphs(
            ["  " + words.text("look.chapters", chapters=chapters, command=f"{words.text('command.rules')} {entry.where[0].number}")]
        )
    audience.print_paragraphs([f"  [{clause}] {text}" for clause, text in entry.clauses[:MAX_LISTED_DETAILS]])
    if len(entry.clauses) > MAX_LISTED_DETAILS:
        audience.print_paragraphs(["  " + words.text("look.clauses", n=len(entry.clauses) - MAX_LISTED_DETAILS)])
    return True
