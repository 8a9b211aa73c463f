"""A game checked again and again, while somebody writes it: what has not changed since is not worked out again. What is said is what
`check` says, but for what only Python can tell of rules that are too large for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...dsl.analysis.decision_points import asked, said
from ...dsl.analysis.results import Facts
from ...dsl.check.checker import check, check_procedures
from ...dsl.check.scope import Declared
from ...dsl.core.lower import lower_states
from ...dsl.diagnostics.diagnostic import Diagnostic, Findings
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.game.notation_config import check_notation, read_notation
from ...dsl.game.table_config import check_panels, read_panels
from ...dsl.game.variants import DOUBTS, Checking, Variant
from ...dsl.model.model import Model
from ...dsl.packs.source import Source, check_folder, read_game
from ...dsl.reading.build_model import make_model
from ...dsl.syntax import tree
from ...dsl.syntax.incremental_parse import Pieces
from ...dsl.syntax.parse import read_file
from ..i18n.check_chance import check_chance
from ..i18n.check_texts import check as check_words
from ..i18n.check_unused_texts import check_unused_texts, known_keys
from ..i18n.languages import LANGUAGES
from ..i18n.message_sources import game_domain
from ..i18n.readers import SHIPPED, catalogue_path, lexicon_path
from ..library.find import RULES, Found
from ..testing.scenario import Scenario, read_scenarios, test_files
from ..testing.scenario_lint import check_scenarios
from ..testing.traceability import check_clauses
from . import check as game_check
from .check_unused import check_unused

Files = list[tuple[str, list[tree.Node]]]
LATE = ("W101", "W103")                # names that nothing uses: texts and the table may


@dataclass
class Known:
    """What is known of a game at the moment: its data, and its rules as far as they can be read."""

    source: Source | None = None
    files: Files = field(default_factory=list)

    @cached_property
    def declared(self) -> Declared | None:
        """What the names mean, for the fewest players and the options as they are unless somebody says otherwise."""
        model = make_model(self.source, None, {}, Findings()) if self.source is not None else None
        return check(model, self.files, Findings()) if model is not None else None


@dataclass(frozen=True)
class Said:
    """What was found so far; `whole`: there is no more."""

    findings: list[Diagnostic]
    whole: bool


class Warm:
    """One game. `root`: where it lies, when `found` is a copy of it."""

    def __init__(self, found: Found, root: Path | None = None) -> None:
        self.found = found
        self.shipped = (root or found.folder).resolve().is_relative_to(RULES)
        self.memo: dict[str, tuple[Any, Any]] = {}
        self.pieces: dict[str, Pieces] = {}
        self.clean: set[int] = set()                               # shapes in which nothing at all was found, with the rules of `outline`
        self.outline: Hashable = None
        self.bodies: dict[str, list[str]] = {}                     # the declarations with which they were found clean, by file
        self.rest: list[Diagnostic] = []                           # what the last whole check found beyond names and types
        self.used: set[str] | None = None                          # names that texts and the table use
        self.each: list[tuple[int, dict[str, Any]]] = []           # what the game can be: players and options
        self.known = Known()

    def once(self, name: str, key: Any, make: Callable[[], Any]) -> Any:
        """What was made from the same before, else made now."""
        if name not in self.memo or self.memo[name][0] != key:
            self.memo[name] = (key, make())
        return self.memo[name][1]

    def check(self) -> list[Diagnostic]:
        """All that is to be said."""
        return [step for step in self.steps() if step is not None][-1].findings

    def steps(self) -> Iterator[Said | None]:
        """The check, step by step, so that whoever waits for something else need not wait for all of it."""
        texts = self.contents()
        data = self.data_of(texts)
        source, wrong = self.once("source", data, self.read)
        findings = Findings(wrong)
        self.known = Known(source)
        if source is not None:
            self.each = self.once("variants", data, partial(game_check.variants, source))
            yield self.names(source, findings)
            if not findings.errors:
                self.sparing.variant(*self.each[0])
        early = list(findings.items)
        yield Said(self.so_far(findings), False)
        tests = Findings()
        scenarios: list[Scenario] = []
        for path in test_files(self.found):
            read, told = self.once(f"scenarios {path.name}", texts.get(f"tests/{path.name}"), partial(self.scenarios, path))
            scenarios += read
            tests.items += told
            yield None
        if source is not None:
            yield from self.beyond(source, scenarios, findings, tests, texts, data)
            self.rest = [one for one in findings.items if one not in early and one.code not in LATE]
        else:
            findings.items += tests.items
        check_folder(self.found.folder, self.found.shown, findings)
        yield Said(findings.sorted(), True)

    def so_far(self, findings: Findings) -> list[Diagnostic]:
        """What can be said before all has been looked at: of the rest, what was said last time."""
        used = self.used
        early = [one for one in findings.items if one.code not in LATE or used is not None and one.args.get("name") not in used]
        return Findings([*early, *([] if findings.errors else self.rest)]).sorted()

    # ------------------------------------------------------------ reading

    def contents(self) -> dict[str, bytes]:
        """Every file of the game by its name."""
        folder = self.found.folder
        found: dict[str, bytes] = {}
        for path in sorted(folder.rglob("*")):
            raw = content(path)
            if raw is not None:                                    # what cannot be read is told by who reads it
                found[path.relative_to(folder).as_posix()] = raw
        return found

    def data_of(self, texts: dict[str, bytes]) -> tuple[Any, ...]:
        """The files from which the data is read."""
        return tuple((name, raw) for name, raw in texts.items()
                     if name.endswith(".yaml") and not name.startswith(("tests/", "locale/"))
                     and name not in ("messages.yaml", "clauses.yaml", "table.yaml", "notation.yaml"))

    def read(self) -> tuple[Source | None, list[Diagnostic]]:
        own = Findings()
        return read_game(self.found.folder, own, self.found.shown), own.items

    def scenarios(self, path: Path) -> tuple[list[Scenario], list[Diagnostic]]:
        own = Findings()
        return read_scenarios(path, own), own.items

    def models(self, source: Source) -> dict[Hashable, tuple[Model | None, list[Diagnostic]]]:
        """The data of each variant, with what is wrong with it."""
        out: dict[Hashable, tuple[Model | None, list[Diagnostic]]] = {}
        for players, settings in self.each:
            own = Findings()
            out[named(players, settings)] = make_model(source, players, settings, own), own.items
        return out

    def rules(self, source: Source, findings: Findings) -> Files:
        """The rule files as trees."""
        files = []
        for name in source.data["rules"]:
            shown = f"{self.found.shown}/{name}"
            text = read_file(self.found.folder / name, findings, shown)
            if text is not None:
                files.append((shown, self.pieces.setdefault(name, Pieces()).parse(text, shown, findings)))
        return files

    # ------------------------------------------------------------ names and types

    def names(self, source: Source, findings: Findings) -> Said:
        """What most mistakes show in: names and types, with the fewest players and the options as they are by themselves."""
        own = Findings()
        files = self.known.files = self.rules(source, own)
        findings.items += own.items
        self.sparing = Sparing(replace(source, files=files), findings, self, not own.errors)
        seen = Findings(findings.items)
        if not own.errors:
            model = self.sparing.model(*self.each[0], seen)
            if model is not None:
                before = len(seen.items)
                self.known.declared = self.sparing.first_of = check(model, files, seen)
                self.sparing.first_found = seen.items[before:]
                seen.items = [one for one in seen.items if one.code not in DOUBTS]
        return Said(self.so_far(seen), False)

    def changed(self) -> set[int] | None:
        """The procedures whose bodies alone have changed since shapes were found clean; None when something else has."""
        if self.outline is None or self.outline_now() != self.outline:
            return None
        found: set[int] = set()
        for name, pieces in self.pieces.items():
            for was, text, nodes in zip(self.bodies[name], pieces.texts, pieces.nodes):
                if was != text:
                    found |= {id(node) for node in nodes}
        return found

    def outline_now(self) -> Hashable:
        return repr([(name, pieces.outline()) for name, pieces in self.pieces.items()])

    # ------------------------------------------------------------ the rest

    def beyond(self, source: Source, scenarios: list[Scenario], findings: Findings, tests: Findings, texts: dict[str, bytes],
               data: Any) -> Iterator[None]:
        """What `check_game` says besides."""
        rules = game_check.Rules(checking=self.sparing)
        panels = read_panels(self.found.folder, findings, self.found.shown)
        notation = read_notation(self.found.folder, findings, self.found.shown)
        self.sparing.models = self.once("models", data, lambda: self.models(source))
        yield None
        effects: dict[int, Variant] = {}
        every: list[Variant] = []
        for players, settings in self.each:
            variant = self.sparing.variant(players, settings)
            if variant is None:
                yield None
                continue
            rules.first = rules.first or variant
            every.append(variant)
            if id(variant.facts.effects) not in effects:
                effects[id(variant.facts.effects)] = variant
                for key, known in game_check.fields_of(variant).items():
                    rules.fields[key] = {**rules.fields.get(key, {}), **known}
                rules.drawn |= check_panels(panels, variant, findings) if panels is not None else set()
                if notation is not None:
                    check_notation(notation, variant, findings)
            yield None
        for doubt in self.sparing.always or []:
            findings.put(doubt)
        if findings.errors:
            findings.items += tests.items
            return
        self.sparing.settle()
        names = [([event.key for event in said(variant.program)],
                  [(decision.key, *decision.entries) for decision in asked(variant.program, variant.facts)])
                 for variant in effects.values()]
        tests.items += self.once("written", (data, self.places(texts), self.outline, names),
                                 lambda: self.written(scenarios))
        yield None
        if rules.first is not None:
            cited = rules.first.program.cited
            findings.items += self.once("clauses", (texts.get("clauses.yaml"), dict(cited), self.places(texts)),
                                        partial(self.clauses, rules.first, scenarios))
            yield None
        open_now = [sorted(variant.shown) for variant in effects.values()]
        rules.parts = self.once("parts", (data, self.outline, open_now), lambda: set().union(
            *(game_check.parts_of(variant.model) for variant in every), *map(game_check.asked_of, effects.values())))
        yield None
        said_words = Findings()
        domain, wrong = self.once("domain", (data, texts.get("messages.yaml"), texts.get("clauses.yaml")), self.domain)
        said_words.items += wrong
        yield None
        for lang in LANGUAGES:
            files = [content(path(domain.locale, lang, domain.name)) for path in (catalogue_path, lexicon_path)]
            made_of = files, [(m.key, m.english, m.place) for m in domain.messages], rules.fields, rules.parts
            said_words.items += self.once(f"words {lang}", made_of, partial(self.words, domain, lang, rules))
            yield None
        if rules.first is not None:
            table = panels.data if panels is not None else None
            rules.keys = self.once("keys", (data, self.outline, open_now, repr(table)), lambda: set().union(
                *(known_keys(variant, panels) for variant in every)))
            check_unused_texts(rules.keys, domain, said_words)
        if rules.first is not None and game_check.has_words(domain):
            check_chance(rules.first, domain.english, said_words)
        self.used = game_check.leave_out_used(findings, domain.english.values(), rules.drawn)
        check_unused(source, domain.english.values(), findings)
        findings.items += [d for d in said_words.items if self.shipped or d.code != "W201"]
        findings.items += tests.items

    def places(self, texts: dict[str, bytes]) -> Any:
        """The files of scenarios: what is wrong in them is told with its line."""
        return [(name, raw) for name, raw in texts.items() if name.startswith("tests/")]

    def written(self, scenarios: list[Scenario]) -> list[Diagnostic]:
        own = Findings()
        check_scenarios(scenarios, self.sparing, own)
        return own.items

    def clauses(self, variant: Variant, scenarios: list[Scenario]) -> list[Diagnostic]:
        own = Findings()
        check_clauses(self.found, variant, scenarios, own)
        return own.items

    def domain(self) -> tuple[Any, list[Diagnostic]]:
        own = Findings()
        domain = game_domain(self.found.folder, own)
        if self.shipped:
            domain = replace(domain, locale=SHIPPED, root=SHIPPED.parent)
        return domain, own.items

    def words(self, domain: Any, lang: str, rules: game_check.Rules) -> list[Diagnostic]:
        own = Findings()
        check_words(domain, own, rules.fields, [lang], rules.parts if rules.first is not None else None)
        return own.items


class Sparing(Checking):
    """Checks variants, of a shape that was found clean before only what has changed since. `readable`: all rules could be parsed."""

    def __init__(self, source: Source, findings: Findings, warm: Warm, readable: bool) -> None:
        super().__init__(source, findings)
        self.warm, self.readable = warm, readable
        self.models: dict[Hashable, tuple[Model | None, list[Diagnostic]]] = {}
        self.changed = warm.changed() if readable else None
        self.found_clean: set[int] = set()
        self.first_found: list[Diagnostic] = []
        self.first_of: Declared | None = None                      # what was declared for the variant that is looked at first

    def declared(self, model: Model, own: Findings) -> Declared:
        first, self.first_of = self.first_of, None
        if first is None:
            return super().declared(model, own)
        own.items += self.first_found
        return first

    def model(self, players: int, settings: dict[str, Any], own: Findings) -> Model | None:
        known = self.models.get(named(players, settings))
        if known is None:
            return super().model(players, settings, own)
        own.items += known[1]
        return known[0]

    def parsed(self, model: Model) -> bool:
        return self.readable and super().parsed(model)

    def checked(self, model: Model) -> tuple[Facts, bool] | None:
        shape = hash(model.shape())
        alike = self.first.get(model.names())
        if self.changed is not None and shape in self.warm.clean and self.files is not None:
            own = Findings()
            declared = check_procedures(model, self.files, own, self.changed)
            if own.errors:
                self.always = []
                own.items = [one for one in own.items if one.code not in DOUBTS]
                self.told(own)
                return None
            if not own.items and alike is not None:
                self.always = []
                self.found_clean.add(shape)
                return replace(alike, program=replace(alike.program, model=model, states=lower_states(declared))), False
        before, doubts = len(self.findings.items), self.always
        self.always = None
        found = super().checked(model)
        new: list[Diagnostic] = list(self.always or [])
        self.always = new if doubts is None else [one for one in doubts if one in new]
        if found is not None and not new and len(self.findings.items) == before:
            self.found_clean.add(shape)
        return found

    def settle(self) -> None:
        """Remember what is clean, for the next time."""
        warm = self.warm
        warm.clean, warm.outline = self.found_clean, warm.outline_now()
        warm.bodies = {name: pieces.texts for name, pieces in warm.pieces.items()}


def named(players: int, settings: dict[str, Any]) -> Hashable:
    """What a variant is known by."""
    return players, tuple(sorted((name, str(value)) for name, value in settings.items()))


def content(path: Path) -> bytes | None:
    """All of a file; None where it cannot be read."""
    try:
        return read_bytes(path)
    except (OSError, ValueError):
        return None
