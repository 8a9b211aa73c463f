"""From a game to its rulebook: the chapters in the order in which a player needs them."""

from __future__ import annotations

from dataclasses import dataclass

from ...dsl.diagnostics.diagnostic import Diagnostic, Findings
from ...dsl.model.model import Model
from ...dsl.reading.build_model import make_model
from ..i18n import Words
from ..i18n.placeholders import Known, clause_values, fields
from ..i18n.readers import WITH
from ..i18n.template import capital, parse
from ..library.loaded_game import Loaded
from ..narration.narrator import Teller
from ..table_view.stylesheet import sheet
from ..table_view.theme import look_of
from ..testing.traceability import register_of
from .book import Block, Book, Chapter, Clause, Listing, Text
from .components import box, called, has_texts, names_of, on_it, options, plural, shown, tables, text_of, with_players
from .examples import examples
from .figures import picture, ready
from .glossary import glossary, index, terms_of
from .house_rule_notes import Marks
from .outline import BASICS, BOX, STAGES, Place, Placed, placed, within
from .rule_walk import BEFORE, COURSE, ONE_BY_ONE, Section, Walk


@dataclass
class Wanted:
    """What the reader asked for: the rules of so many players alone, or (None) of all numbers of players; with these options chosen, and
    the others open."""

    players: int | None = None
    chosen: frozenset[str] = frozenset()


def make_book(loaded: Loaded, lang: str, wanted: Wanted, plain: Loaded | None = None) -> Book:
    """The rulebook of a game in a language. `plain`: the same game without its house rules, where it has some."""
    return Making(loaded, lang, wanted, plain).book()


def titles_of(words: Words, known: Known) -> dict[str, tuple[str, str] | None]:
    """The families of clauses that have a title; a title that is nothing but a thing comes with it."""
    out: dict[str, tuple[str, str] | None] = {}
    for key in words.english:
        if key.startswith("chapter."):
            template = words.english[key]
            parts = parse(template if isinstance(template, str) else template[0]).parts
            thing = known.get(parts[0].name) if len(parts) == 1 and not isinstance(parts[0], str) else None
            name = getattr(thing, "key", "").split(".")
            out[key.removeprefix("chapter.")] = (name[0], name[1]) if len(name) == 2 else None
    return out


class Making:
    """The work of `make_book`."""

    def __init__(self, loaded: Loaded, lang: str, wanted: Wanted, plain: Loaded | None) -> None:
        self.loaded, self.wanted = loaded, wanted
        self.game, self.words = loaded.game, loaded.words(lang)
        self.model = self.game.model
        self.teller = Teller(self.game, self.words)
        laid = self.game.ruleset.source.laid
        register = register_of(loaded.found, laid, Findings())
        self.registered = register.clauses if register is not None else {}
        self.walk = Walk(self.game.ruleset.program, wanted.chosen, wanted.players is not None).go()
        self.ready = ready(self.game, self.walk)
        cited = self.game.ruleset.program.cited
        names = list(self.registered if register is not None else dict.fromkeys(met.name for met in self.walk.clauses))
        names += [name for name in self.keys() if name not in names]
        self.said = [name for name in names if f"clause.{name}" in self.words.english and name in cited and self.holds(name)]
        self.placed: Placed = placed(self.walk, self.said, titles_of(self.words, fields(self.model)))
        self.marks = Marks(loaded, plain, lang)
        self.faults: list[Diagnostic] = []                         # of the rules, in the scenarios that were tried as examples
        self.others = self.by_players()
        self.known = {players: clause_values(model) for players, model in self.others.items()}

    def holds(self, name: str) -> bool:
        """Whether a clause says something under what the reader has chosen; of one that the register gives to other numbers of players,
        or to another choice, it says so, and of others the rules do: all that names them is closed."""
        clause = self.registered.get(name)
        if clause is not None:
            settings = {option: str(self.model.settings[option]).lower() for option in self.wanted.chosen}
            if not clause.is_about(self.wanted.players) or any(settings.get(option) == value for option, value in clause.silent):
                return False
            if clause.players is not None or self.teller.clause_key(name).startswith(WITH):
                return True
        closed = [met.closed for met in self.walk.clauses if met.name == name]
        return not closed or not all(closed)

    def keys(self) -> list[str]:
        return [key.removeprefix("clause.") for key in self.words.english if key.startswith("clause.")]

    def by_players(self) -> dict[int, Model]:
        """The data of the game by each number of players that is to be told of; nothing where that is one alone."""
        if self.wanted.players is not None:
            return {}
        low, high = self.model.player_range
        found = {n: make_model(self.game.ruleset.source, n, self.game.ruleset.settings, Findings()) for n in range(low, high + 1)}
        return {n: model for n, model in found.items() if model is not None}

    # ------------------------------------------------------------ the whole

    def book(self) -> Book:
        words = self.words
        low, high = self.model.player_range
        players = words.text("show.players_exact", n=low) if low == high else words.text("show.players", low=low, high=high)
        if self.wanted.players is not None and low != high:
            players = words.text("rulebook.for_players", n=self.wanted.players)
        about = words.text("game.text", **fields(self.model)) if words.has("game.text") else ""
        chapters = [self.stage(stage) for stage in STAGES]
        chapters[STAGES.index(ONE_BY_ONE)].parts += self.things()
        chapters.insert(-1, Chapter(words.text("rulebook.tables"), "tables", parts=tables(self.teller, self.others, self.said), fresh=True))
        chapters += [
            Chapter(words.text("rulebook.options"), "options", parts=options(self.teller), fresh=True, shown=1),
            Chapter(words.text("rulebook.examples"), "examples", parts=self.examples(), fresh=True, shown=1),
            Chapter(words.text("rulebook.house"), "house", self.marks.gone()),
            Chapter(words.text("rulebook.left"), "left", self.left()),
        ]
        book = Book(words.text("game.name"), f"{words.text('rulebook.under')} – {players}", about, words.lang, chapters,
                    words.text("rulebook.contents"), sheet=sheet(look_of(self.game)), faults=self.faults)
        book.settle()
        self.lead_to_examples(book)
        book.terms = terms_of(self.teller, book)
        book.chapters += [Chapter(words.text("rulebook.glossary"), "glossary", glossary(self.teller, book), fresh=True),
                          Chapter(words.text("rulebook.index"), "index", index(self.teller, book))]
        book.settle()
        return book

    def stage(self, stage: str) -> Chapter:
        """One part of the book: a stage of the rules."""
        chapter = self.chapter(self.placed.stages[stage])
        chapter.title, chapter.anchor = self.words.text(f"rulebook.stage.{stage}"), f"stage-{stage}"
        chapter.fresh = stage in (BEFORE, BASICS, COURSE, ONE_BY_ONE)
        if stage == BOX:
            chapter.blocks = [*box(self.teller, self.ready), *chapter.blocks]
        if stage == BEFORE and len(chapter.parts) == 1 and not chapter.blocks:           # a lone phase needs no heading of its own
            chapter.blocks, chapter.parts = chapter.parts[0].blocks, chapter.parts[0].parts
        set_up = self.placed.stages[BEFORE]
        if stage == (BEFORE if any(place.clauses for place in within(set_up)) else BOX):     # no chapter for a picture alone
            table = picture(self.ready, self.teller, self.words.text("rulebook.ready.title"))
            chapter.parts.append(Chapter(self.words.text("rulebook.ready"), "ready", table))
        chapter.shown = 3 if stage == COURSE else 2
        for part in chapter.parts:
            part.shown = chapter.shown
        if stage == COURSE and self.words.has("phase.game.text"):
            chapter.blocks.insert(0, Text(self.words.text("phase.game.text", **fields(self.model)), strong=True))
        if stage == ONE_BY_ONE:
            chapter.parts = [part for part in chapter.parts if not part.anchor.startswith("thing-")]
        return chapter

    # ------------------------------------------------------------ chapters of the rules

    def chapter(self, place: Place) -> Chapter:
        blocks: list[Block] = [*self.opening(place.section), *(self.clause(name) for name in place.clauses)]
        return Chapter(self.title(place), self.anchor(place), blocks, [self.chapter(part) for part in place.parts])

    def title(self, place: Place) -> str:
        if place.family:
            return capital(self.words.text(f"chapter.{place.family}", **fields(self.model)))
        if place.section is None or not place.section.name:
            return ""
        name, domain = place.section.name, place.section.domain
        if domain:
            return called(self.model.enums[domain], name, self.teller)
        key = f"phase.{name}.name"
        return self.words.text(key) if self.words.has(key) else capital(self.words.unnamed(name))

    def anchor(self, place: Place) -> str:
        if place.family:
            return f"family-{place.family}"
        if place.section is None or not place.section.name:
            return ""
        return f"thing-{place.section.domain}-{place.section.name}" if place.section.domain else f"phase-{place.section.name}"

    def opening(self, section: Section | None) -> list[Block]:
        """The words with which a phase or a member is told in short."""
        if section is None or not section.name or section.closed:
            return []
        if section.domain:
            said = text_of(self.model.enums[section.domain], section.name, self.teller)
        else:
            key = f"phase.{section.name}.text"
            said = self.words.text(key, **fields(self.model)) if self.words.has(key) else ""
        return [Text(said, strong=True)] if said else []

    def clause(self, name: str) -> Clause:
        """A clause; where its sentence depends on the number of players, with what it says for each."""
        key, entry = self.teller.clause_key(name), self.registered.get(name)
        said = self.teller.clause(name) or ""
        cases: dict[str, list[int]] = {}
        for players, known in self.known.items():
            if entry is None or entry.is_about(players):
                cases.setdefault(self.words.text(key, **known), []).append(players)
        if len(cases) == 1 and entry is not None and entry.players is not None:
            said = next(iter(cases))
        apart = len(cases) > 1 or entry is not None and entry.headed
        told = [(with_players(self.words, many), sentence) for sentence, many in cases.items()] if apart else []
        return Clause(name, said, told, self.marks.notes(name, said))

    # ------------------------------------------------------------ one by one

    def things(self) -> list[Chapter]:
        """Each type whose members have texts: its members one by one, with what is printed on them and the clauses about them."""
        apart = {(place.section.domain, place.section.name): place for place in self.placed.all() if place.section and place.section.domain}
        out = []
        for enum in shown(self.teller):
            members = [m for m in names_of(enum) if apart.get((enum.name, m)) is None or apart[enum.name, m].stage == ONE_BY_ONE]
            if not members or not has_texts(enum, self.teller) and not any((enum.name, m) in self.placed.things for m in members):
                continue
            parts = []
            for member in members:
                said = text_of(enum, member, self.teller)
                place = apart.get((enum.name, member))
                names = [*(place.clauses if place else ()), *self.placed.things.get((enum.name, member), ())]
                blocks: list[Block] = [Text(said, strong=True)] if said else []
                if rows := on_it(enum, member, self.teller):
                    blocks.append(Listing([f"{caption}: {value}" for caption, value in rows]))
                blocks += [self.clause(name) for name in names]
                parts.append(Chapter(called(enum, member, self.teller), f"thing-{enum.name}-{member}", blocks))
            out.append(Chapter(plural(enum, self.teller), f"type-{enum.name}", parts=parts))
        return out

    def examples(self) -> list[Chapter]:
        pictured = [clause.id for clause in self.registered.values() if clause.pictured]
        found = examples(self.loaded, self.teller, self.said, self.clause, self.wanted.players, self.faults, pictured)
        self.shown_in = {clause: n for n, one in reversed(list(enumerate(found, 1))) for clause in one.clauses}
        titles = {clause: self.title(place) for place in self.placed.all() for clause in place.clauses}
        titles |= {clause: called(self.model.enums[kind], name, self.teller)
                   for (kind, name), clauses in self.placed.things.items() for clause in clauses}
        out = []
        for n, one in enumerate(found, 1):
            about = next((titles[clause] for clause in one.clauses[:1] if titles.get(clause)), "")
            key = "rulebook.example" if about else "rulebook.example.plain"
            title = self.words.text(key, number=n, **({"about": about} if about else {}))
            out.append(Chapter(title, f"example-{n}", one.blocks))
        return out

    def lead_to_examples(self, book: Book) -> None:
        """Put behind each clause the example that shows it."""
        for chapter in book.all():
            for block in chapter.blocks:
                if isinstance(block, Clause) and (n := self.shown_in.get(block.id)):
                    block.examples = [(self.words.text("rulebook.example.plain", number=n), f"example-{n}")]

    # ------------------------------------------------------------ what is no part of play

    def left(self) -> list[Block]:
        """Sentences of the rulebook that no rule implements. What house rules leave out is told in their own chapter."""
        cited, laid = self.game.ruleset.program.cited, self.game.ruleset.source.laid
        gone = laid.left_out if laid is not None and self.marks.plain is not None else {}
        alone = [clause.id for clause in self.registered.values() if clause.text and clause.id not in cited and clause.id not in gone]
        return [Clause(name, self.teller.clause(name) or "") for name in alone]
