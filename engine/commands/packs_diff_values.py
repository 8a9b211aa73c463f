"""Values and texts of packs as `ludoglot packs diff` describes them: in words, and with example values in their fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.variants import VariantChecker
from ...dsl.model.model import PLACE_KINDS
from ...dsl.types.boards import parse_span
from ..cli.console import LocalizedConsole
from ..i18n.arguments import Noun, ProperName
from ..i18n.placeholders import clause_values
from ..i18n.template import parse_template
from ..project.message_fields import collect_message_fields

if TYPE_CHECKING:
    from ...dsl.model.model import Enumeration
    from ..i18n.arguments import TextValue
    from ..library.loaded_game import LoadedGame
    from ..narration.narrator import Narrator

EXAMPLE_NUMBER = 2


class DataDescriber:
    """Describes raw values of a game's data in words."""

    def __init__(self, console: LocalizedConsole, loaded: LoadedGame, narrator: Narrator) -> None:
        self.console, self.loaded, self.narrator = console, loaded, narrator
        self.words, self.model = narrator.words, loaded.game.model

    def describe(self, value: Any, path: str = "") -> str:
        """Returns a value in words. `path` says where it belongs, because values of options have names of their own."""
        option, _, word = path.partition(".")
        if isinstance(value, dict) and "by" in value:
            cases = [self.describe_case(value["by"], case, inner) for case, inner in value.items() if case not in ("by", "else")]
            if "else" in value:
                cases.append(self.console.text("house.value.else", value=self.describe(value["else"])))
            return ", ".join(cases)
        if isinstance(value, dict) and len(value) == 1 and (kind := next(iter(value))) in ("count", "sum"):
            return self.console.text(f"house.value.{kind}", name=self.name_of(str(value[kind])))
        if isinstance(value, dict) and option in self.model.options and word == "only":
            return ", ".join(f"{self.words.option_value_text(option, case)}: {self.describe_players(span)}" for case, span in value.items())
        if isinstance(value, dict):
            return ", ".join(f"{self.name_of(str(key))}: {self.describe(inner)}" for key, inner in value.items())
        if isinstance(value, list):
            return ", ".join(self.describe(inner, path) for inner in value)
        if option in self.model.options and isinstance(value, bool | int | str):
            return self.words.option_value_text(option, value)
        return self.name_of(value) if isinstance(value, str) else self.words.value(value)

    def describe_case(self, by: str, case: Any, value: Any) -> str:
        """Returns a value with the number of players, or the value of the option, for which it holds."""
        if by == "players":
            when = self.describe_players(case)
        else:
            key = f"variant.{by}.name"
            when = f"{self.words.text(key) if self.words.has(key) else by}: {self.words.option_value_text(by, case)}"
        return self.console.text("house.value.case", value=self.describe(value), when=when)

    def describe_players(self, span: int | str) -> str:
        """Returns a number of players, or a range of them, in words."""
        low, high = parse_span(span)
        return self.console.text("show.players_exact", n=low) if low == high else self.console.text("show.players", low=low, high=high)

    def name_of(self, name: str) -> str:
        """Returns the name that players use for a type, an attribute, or a member, or the name itself."""
        domain, _, attribute = name.partition(".")
        if self.words.has(f"{domain}.name"):
            label = f"attribute.{domain}.{attribute}"
            return f"{self.words.noun(domain)}: {self.words.text_or(label, attribute)}" if attribute else self.words.noun(domain)
        nouns = [f"{enum.name}.{name}" for enum in self.model.enums.values() if name in enum.first_index]
        known = next((noun for noun in nouns if self.words.has(f"{noun}.name")), None)
        return self.words.noun(known) if known is not None else name

    def describe_new(self, name: str, value: Any, known: Mapping[str, Any]) -> str | None:
        """Returns the sentence about a new table, board, type, or first value of a state. None for other things.

        `known` are the types of the game without packs: a pack can add attributes to them."""
        if name in self.model.tables and isinstance(value, dict):
            said = self.console.text("house.add.table", name=name, first=value.get("from", 1), values=self.describe(value["values"]))
            return f"{said} {self.console.text(f'house.beyond.{beyond}')}" if (beyond := value.get("beyond")) else said
        if name in self.model.boards:
            from ..project.describe import cell_lines
            about = " ".join(map(end_sentence, cell_lines(self.model.boards[name], self.narrator)))
            return self.console.text("house.add.board", name=name, about=about)
        if name in known:
            attributes, defaults = ((value or {}).get(key) or {} for key in ("attributes", "defaults"))
            about = self.name_of(name)
            sentences: list[str] = []
            if attributes:
                sentences.append(self.console.text("house.add.attributes", name=about, names=list(map(str, attributes))))
            if defaults:
                sentences.append(self.console.text("house.add.defaults", name=about, values=self.describe(defaults)))
            return " ".join(sentences)
        if name in self.model.enums:
            members = [self.describe_member(self.model.enums[name], member) for member in self.model.enums[name].first_index]
            return self.console.text("house.add.values", name=self.name_of(name), values=", ".join(members))
        state = name.removeprefix("start.")
        if state in self.loaded.game.ruleset.source.data["start"] and name not in self.model.numbers:
            return self.console.text("house.add.start", name=self.words.text_or(f"state.{state}", state), value=self.describe(value))
        return None

    def describe_member(self, enum: Enumeration, member: str) -> str:
        """Returns the name of a member of a new type, with its number of pieces and its attributes in parentheses."""
        count, at = enum.copies_by_kind[member], enum.first_index[member]
        parts = [self.console.text("house.copies", n=count)] if count else []
        for name, kind in enum.attributes.items():
            value = self.narrator.value(kind, enum.values[name][at])
            if value is not None and value != []:
                parts.append(f"{self.words.text_or(f'attribute.{enum.name}.{name}', name)}: {self.words.value(value)}")
        parts += [f"{name}: {self.words.value(value)}" for (owner, name), value in enum.own.items() if owner == member]
        name = self.name_of(member)
        return self.console.text("house.value.case", value=name, when=", ".join(parts)) if parts else name


def end_sentence(text: str) -> str:
    """Returns a text with a full stop at its end."""
    return text if text.endswith(".") else f"{text}."


class ExampleTexts:
    """Renders texts of a game with example values in their fields."""

    def __init__(self, loaded: LoadedGame, narrator: Narrator) -> None:
        self.narrator, self.model, self.ruleset = narrator, loaded.game.model, loaded.game.ruleset

    @cached_property
    def fields(self) -> dict[str, dict[str, str]]:
        """The fields of the game's texts, with their types."""
        variant = VariantChecker(self.ruleset.source, DiagnosticList()).check_variant(self.model.players, dict(self.ruleset.settings))
        return collect_message_fields(variant) if variant is not None else {}

    def render(self, key: str) -> str:
        """Returns a text with example values, or "" if the game has no such text."""
        words = self.narrator.words
        if not words.has(key):
            return ""
        names, known = parse_template(words.template(key)).names, clause_values(self.model)
        kinds = self.fields.get(key, {}) if names else {}
        return words.text(key, **{name: self.example(kinds.get(name, "text"), name) if name in kinds or name not in known else known[name]
                                  for name in names})

    def example(self, kind: str, name: str) -> TextValue:
        """Returns an example for a field: a number, the first player, a member of a type, or the name of the field."""
        if kind in ("int", "from 0"):
            return EXAMPLE_NUMBER
        enum = self.model.enums.get(kind)
        if enum is not None and enum.kind == "player":
            return self.narrator.seat_value(0)
        if enum is not None:
            return Noun(self.narrator.noun_key(kind, 0))
        places = [enum for enum in self.model.enums.values() if enum.kind in PLACE_KINDS and enum.kind != "open"]
        return ProperName(self.narrator.place_label(places[0], 0) if places and kind == "proper" else name)
