"""Builds the rulebook of a game, with the chapters in the order in which a player needs them."""

from __future__ import annotations

from dataclasses import dataclass

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.model.build_model import make_model
from ...dsl.model.model import Enumeration, GameModel
from ..i18n import Localizer
from ..i18n.placeholders import PlaceholderValues, clause_values, text_placeholders
from ..i18n.readers import OPTION_CLAUSE_PREFIX
from ..i18n.template import capitalize_first, parse_template
from ..library.loaded_game import LoadedGame
from ..narration.narrator import Narrator
from ..table_view.html_page import build_stylesheet
from ..table_view.theme import theme_of
from ..testing.traceability import read_clause_register
from .book import Book, BookBlock, BookClause, BookParagraph, Chapter, InlineList
from .components import (
    attribute_rows,
    box_blocks,
    format_players,
    has_member_texts,
    list_member_names,
    list_named_types,
    member_text,
    member_title,
    option_chapters,
    plural_title,
    table_chapters,
)
from .examples import collect_examples
from .figures import make_figure, play_setup
from .glossary import build_glossary, build_index, collect_term_anchors
from .house_rule_notes import HouseRuleNotes
from .outline import BASICS, BOX, STAGES, BookOutline, OutlineNode, build_outline, iter_subtree
from .rule_walk import BEFORE, COURSE, ONE_BY_ONE, RuleSection, RuleWalk


@dataclass
class BookOptions:
    """The variant that the reader asked for: the rules for one number of players or (None) for all of them, with the
    game options in `chosen` fixed and the others open."""

    players: int | None = None
    chosen: frozenset[str] = frozenset()


def make_book(loaded: LoadedGame, lang: str, options: BookOptions, plain: LoadedGame | None = None) -> Book:
    """Returns the rulebook of a game in a language. `plain` is the same game without its house rules, if it has any."""
    return BookBuilder(loaded, lang, options, plain).build()


def find_titled_families(words: Localizer, known: PlaceholderValues) -> dict[str, tuple[str, str] | None]:
    """Returns the clause families that have a title. If the title is only the name of a thing, the family comes with
    that thing."""
    out: dict[str, tuple[str, str] | None] = {}
    for key in words.english:
        if key.startswith("chapter."):
            template = words.english[key]
            parts = parse_template(template if isinstance(template, str) else template[0]).parts
            thing = known.get(parts[0].name) if len(parts) == 1 and not isinstance(parts[0], str) else None
            name = getattr(thing, "key", "").split(".")
            out[key.removeprefix("chapter.")] = (name[0], name[1]) if len(name) == 2 else None
    return out


class BookBuilder:
    """Builds one rulebook."""

    def __init__(self, loaded: LoadedGame, lang: str, options: BookOptions, plain: LoadedGame | None) -> None:
        self.loaded, self.wanted = loaded, options
        self.game, self.words = loaded.game, loaded.localizer(lang)
        self.model = self.game.model
        self.narrator = Narrator(self.game, self.words)
        overlay = self.game.ruleset.source.overlay
        register = read_clause_register(loaded.found, overlay, DiagnosticList())
        self.registered = register.clauses if register is not None else {}
        self.walk = RuleWalk(self.game.ruleset.program, options.chosen, options.players is not None).run()
        self.ready = play_setup(self.game, self.walk)
        cited = self.game.ruleset.program.cited
        names = list(self.registered if register is not None else dict.fromkeys(met.name for met in self.walk.clauses))
        names += [name for name in self.list_clause_names() if name not in names]
        self.applicable_clauses = [
            name for name in names if f"clause.{name}" in self.words.english and name in cited and self.is_applicable(name)
        ]
        self.placed: BookOutline = build_outline(
            self.walk, self.applicable_clauses, find_titled_families(self.words, text_placeholders(self.model))
        )
        self.marks = HouseRuleNotes(loaded, plain, lang)
        for name in overlay.struck_clauses if overlay is not None and plain is not None else ():
            if name not in self.applicable_clauses:
                self.placed.insert_by_family(name, names)
        self.faults: list[Diagnostic] = []                         # faults of the rules in the scenarios tried as examples
        self.others = self.load_models_by_players()
        self.known = {players: clause_values(model) for players, model in self.others.items()}

    def is_applicable(self, name: str) -> bool:
        """Whether a clause applies to the variant that the reader chose.

        The clause register decides if it limits the clause to certain numbers of players or option values. Otherwise
        the rules decide: the clause does not apply if every rule that cites it is unreachable."""
        clause = self.registered.get(name)
        if clause is not None:
            settings = {option: str(self.model.settings[option]).lower() for option in self.wanted.chosen}
            if not clause.applies_to(self.wanted.players) or any(settings.get(option) == value for option, value in clause.silent):
                return False
            if clause.players is not None or self.narrator.clause_key(name).startswith(OPTION_CLAUSE_PREFIX):
                return True
        closed = [met.closed for met in self.walk.clauses if met.name == name]
        return not closed or not all(closed)

    def list_clause_names(self) -> list[str]:
        """Returns the names of all clauses that have a text."""
        return [key.removeprefix("clause.") for key in self.words.english if key.startswith("clause.")]

    def load_models_by_players(self) -> dict[int, GameModel]:
        """Returns the data of the game for each number of players that the book covers, or nothing if it covers only
        one."""
        if self.wanted.players is not None:
            return {}
        low, high = self.model.player_range
        found = {n: make_model(self.game.ruleset.source, n, self.game.ruleset.settings, DiagnosticList()) for n in range(low, high + 1)}
        return {n: model for n, model in found.items() if model is not None}

    # ------------------------------------------------------------ the whole

    def build(self) -> Book:
        """Builds the whole book."""
        words = self.words
        low, high = self.model.player_range
        players = words.text("show.players_exact", n=low) if low == high else words.text("show.players", low=low, high=high)
        players = capitalize_first(players)
        if self.wanted.players is not None and low != high:
            players = words.text("rulebook.for_players", n=self.wanted.players)
        about = words.text("game.text", **text_placeholders(self.model)) if words.has("game.text") else ""
        chapters = [self.build_stage(stage) for stage in STAGES]
        chapters[STAGES.index(ONE_BY_ONE)].parts += self.thing_chapters()
        chapters.insert(
            -1,
            Chapter(
                words.text("rulebook.tables"),
                "tables",
                parts=table_chapters(self.narrator, self.others, self.applicable_clauses),
                fresh=True,
            ),
        )
        chapters += [
            Chapter(words.text("rulebook.options"), "options", parts=option_chapters(self.narrator), fresh=True, shown=1),
            Chapter(words.text("rulebook.examples"), "examples", parts=self.example_chapters(), fresh=True, shown=1),
            Chapter(words.text("rulebook.house"), "house", self.marks.summary_blocks()),
            Chapter(words.text("rulebook.left"), "left", self.list_unimplemented()),
        ]
        book = Book(words.text("game.name"), f"{words.text('rulebook.under')} – {players}", about, words.lang, chapters,
                    words.text("rulebook.contents"), sheet=build_stylesheet(theme_of(self.game)), faults=self.faults)
        book.number_chapters()
        self.link_examples(book)
        book.terms = collect_term_anchors(self.narrator, book)
        book.chapters += [Chapter(words.text("rulebook.glossary"), "glossary", build_glossary(self.narrator, book), fresh=True),
                          Chapter(words.text("rulebook.index"), "index", build_index(self.narrator, book))]
        book.number_chapters()
        return book

    def build_stage(self, stage: str) -> Chapter:
        """Builds the chapter for one stage of the rules."""
        chapter = self.build_chapter(self.placed.stages[stage])
        chapter.title, chapter.anchor = self.words.text(f"rulebook.stage.{stage}"), f"stage-{stage}"
        chapter.fresh = stage in (BEFORE, BASICS, COURSE, ONE_BY_ONE)
        if stage == BOX:
            chapter.blocks = [*box_blocks(self.narrator, self.ready), *chapter.blocks]
        if stage == BEFORE and len(chapter.parts) == 1 and not chapter.blocks:           # a single phase needs no heading
            chapter.blocks, chapter.parts = chapter.parts[0].blocks, chapter.parts[0].parts
        set_up = self.placed.stages[BEFORE]
        if stage == (BEFORE if any(place.clauses for place in iter_subtree(set_up)) else BOX):     # the figure gets no stage of its own
            table = make_figure(self.ready, self.narrator, self.words.text("rulebook.ready.title"))
            chapter.parts.append(Chapter(self.words.text("rulebook.ready"), "ready", table))
        chapter.shown = 3 if stage == COURSE else 2
        for part in chapter.parts:
            part.shown = chapter.shown
        if stage == COURSE and self.words.has("phase.game.text"):
            chapter.blocks.insert(0, BookParagraph(self.words.text("phase.game.text", **text_placeholders(self.model)), strong=True))
        if stage == ONE_BY_ONE:
            chapter.parts = [part for part in chapter.parts if not part.anchor.startswith("thing-")]
        return chapter

    # ------------------------------------------------------------ chapters of the rules

    def build_chapter(self, place: OutlineNode) -> Chapter:
        """Builds the chapter for a node of the outline."""
        blocks: list[BookBlock] = [*self.opening_blocks(place.section), *(self.build_clause(name) for name in place.clauses)]
        return Chapter(self.chapter_title(place), self.chapter_anchor(place), blocks, [self.build_chapter(part) for part in place.parts])

    def chapter_title(self, place: OutlineNode) -> str:
        """Returns the title of an outline node, or "" for the head of a stage."""
        if place.family:
            return capitalize_first(self.words.text(f"chapter.{place.family}", **text_placeholders(self.model)))
        if place.section is None or not place.section.name:
            return ""
        name, domain = place.section.name, place.section.domain
        if domain:
            return member_title(self.model.enums[domain], name, self.narrator)
        key = f"phase.{name}.name"
        return self.words.text(key) if self.words.has(key) else capitalize_first(self.words.humanize_identifier(name))

    def chapter_anchor(self, place: OutlineNode) -> str:
        """Returns the anchor of an outline node, or "" for the head of a stage."""
        if place.family:
            return f"family-{place.family}"
        if place.section is None or not place.section.name:
            return ""
        return f"thing-{place.section.domain}-{place.section.name}" if place.section.domain else f"phase-{place.section.name}"

    def opening_blocks(self, section: RuleSection | None) -> list[BookBlock]:
        """Returns the lead of a chapter: the short text of its phase or member."""
        if section is None or not section.name or section.closed:
            return []
        if section.domain:
            return self.member_blocks(self.model.enums[section.domain], section.name)
        key = f"phase.{section.name}.text"
        return [BookParagraph(self.words.text(key, **text_placeholders(self.model)), strong=True)] if self.words.has(key) else []

    def member_blocks(self, enum: Enumeration, member: str) -> list[BookBlock]:
        """Returns the text of a member. If house rules made it untrue, it is struck."""
        if (struck := self.marks.struck_member_text(enum.name, member)) is not None:
            return [BookParagraph(struck[0], struck=struck[1])]
        said = member_text(enum, member, self.narrator)
        return [BookParagraph(said, strong=True)] if said else []

    def build_clause(self, name: str) -> BookClause:
        """Builds a clause. If its sentence depends on the number of players, it includes the sentence for each number."""
        if (struck := self.marks.struck_text(name)) is not None:
            return BookClause(name, struck[0], struck=struck[1])
        key, entry = self.narrator.clause_key(name), self.registered.get(name)
        said = self.narrator.clause_text(name) or ""
        cases: dict[str, list[int]] = {}
        for players, known in self.known.items():
            if entry is None or entry.applies_to(players):
                cases.setdefault(self.words.text(key, **known), []).append(players)
        if len(cases) == 1 and entry is not None and entry.players is not None:
            said = next(iter(cases))
        apart = len(cases) > 1 or entry is not None and entry.headed
        told = [(format_players(self.words, many), sentence) for sentence, many in cases.items()] if apart else []
        return BookClause(name, said, told, self.marks.notes_for(name, said))

    # ------------------------------------------------------------ one by one

    def thing_chapters(self) -> list[Chapter]:
        """Returns a chapter for each type whose members have texts or clauses. It lists
        the members with their attributes and clauses."""
        apart = {
            (place.section.domain, place.section.name): place
            for place in self.placed.list_nodes()
            if place.section and place.section.domain
        }
        out = []
        for enum in list_named_types(self.narrator):
            members = [m for m in list_member_names(enum) if apart.get((enum.name, m)) is None or apart[enum.name, m].stage == ONE_BY_ONE]
            if not members or not has_member_texts(enum, self.narrator) and not any((enum.name, m) in self.placed.things for m in members):
                continue
            parts = []
            for member in members:
                place = apart.get((enum.name, member))
                names = [*(place.clauses if place else ()), *self.placed.things.get((enum.name, member), ())]
                blocks = self.member_blocks(enum, member)
                if rows := attribute_rows(enum, member, self.narrator):
                    blocks.append(InlineList([f"{caption}: {value}" for caption, value in rows]))
                blocks += [self.build_clause(name) for name in names]
                below = [self.build_chapter(part) for part in place.parts] if place else []
                parts.append(Chapter(member_title(enum, member, self.narrator), f"thing-{enum.name}-{member}", blocks, below))
            out.append(Chapter(plural_title(enum, self.narrator), f"type-{enum.name}", parts=parts))
        return out

    def example_chapters(self) -> list[Chapter]:
        """Returns the chapters with the examples."""
        pictured = [clause.id for clause in self.registered.values() if clause.pictured]
        found = collect_examples(
            self.loaded, self.narrator, self.applicable_clauses, self.build_clause, self.wanted.players, self.faults, pictured
        )
        self.shown_in = {clause: n for n, one in reversed(list(enumerate(found, 1))) for clause in one.clauses}
        titles = {clause: self.chapter_title(place) for place in self.placed.list_nodes() for clause in place.clauses}
        titles |= {clause: member_title(self.model.enums[kind], name, self.narrator)
                   for (kind, name), clauses in self.placed.things.items() for clause in clauses}
        out = []
        for n, one in enumerate(found, 1):
            about = next((titles[clause] for clause in one.clauses[:1] if titles.get(clause)), "")
            key = "rulebook.example" if about else "rulebook.example.plain"
            title = self.words.text(key, number=n, **({"about": about} if about else {}))
            out.append(Chapter(title, f"example-{n}", one.blocks))
        return out

    def link_examples(self, book: Book) -> None:
        """Adds to each clause a link to the first example that shows it."""
        for chapter in book.iter_chapters():
            for block in chapter.blocks:
                if isinstance(block, BookClause) and (n := self.shown_in.get(block.id)):
                    block.examples = [(self.words.text("rulebook.example.plain", number=n), f"example-{n}")]

    # ------------------------------------------------------------ what is no part of play

    def list_unimplemented(self) -> list[BookBlock]:
        """Returns the clauses that no rule implements, without those that house rules remove."""
        cited, overlay = self.game.ruleset.program.cited, self.game.ruleset.source.overlay
        gone = overlay.left_out if overlay is not None and self.marks.plain is not None else {}
        alone = [clause.id for clause in self.registered.values() if clause.text and clause.id not in cited and clause.id not in gone]
        return [BookClause(name, self.narrator.clause_text(name) or "") for name in alone]
