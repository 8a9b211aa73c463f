"""Describe things of a game in text: a card, an option, a phase, a board. Used by `show`, and by `cards` at the
prompt.

Texts take their numbers from the data that the rules use. If an author or a house rule changes a value, every
language shows the new one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...dsl.core.program import Routine
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.model.model import Enumeration
from ...dsl.types.boards import Board
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf
from ..cli.console import UsageError
from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize
from ..library.find import format_place
from ..library.loaded_game import LoadedGame
from ..narration.member_texts import member_text
from ..narration.narrator import Narrator
from ..position.answer_index import AnswerIndex, IndexEntry
from ..position.position import Game, Position
from ..position.visibility import can_see
from ..rulebook.components import describe_board
from ..table_view.theme import theme_of

INDENT = "  "
MAX_COMPLETIONS = 6                  # items shown for the start of a name
MAX_TEXT_COLUMNS = 76


@dataclass(frozen=True)
class DescribableItem:
    """Something that `show` can describe. `kind` is member, option, phase or board."""

    kind: str
    name: str                        # identifier in rules or options
    domain: str = ""                 # type of a member


def list_items(game: Game) -> list[DescribableItem]:
    """Returns everything that can be described."""
    found = []
    declared = game.ruleset.source.data["enums"]
    for enum in game.model.enums.values():
        if enum.kind in ("enum", "pieces") or enum.kind == "player" and enum.name in declared:
            members = list(enum.first_index)
            found += [DescribableItem("member", member, enum.name) for member in members]
    found += [DescribableItem("option", name) for name in game.model.options]
    for family in game.ruleset.program.families.values():
        if family.name != "game" and any(routine.kind == "phase" for routine in family.routines):
            found.append(DescribableItem("phase", family.name))
    return found + [DescribableItem("board", name) for name in game.model.boards]


def list_named_items(game: Game, narrator: Narrator) -> list[DescribableItem]:
    """Returns everything that can be described, without members that have no display name.

    If the game has not named any member yet, returns everything."""
    things, words = list_items(game), narrator.words
    plain = [thing for thing in things
             if thing.kind != "member" or thing.domain == "Player" or words.has(f"{thing.domain}.{thing.name}.name")]
    named = any(thing.kind == "member" and words.has(f"{thing.domain}.{thing.name}.name") for thing in plain)
    return plain if named else things


def item_title(thing: DescribableItem, narrator: Narrator) -> str:
    """Returns the display name of an item in the narrator's language."""
    if thing.kind == "member" and thing.domain == "Player" and not narrator.words.has(f"Player.{thing.name}.name"):
        return narrator.player_name(narrator.game.model.enums["Player"].index[thing.name])
    if thing.kind == "member":
        return capitalize_first(narrator.words.noun(f"{thing.domain}.{thing.name}"))
    if thing.kind == "board":                                      # has the name of the panel that shows it
        panel = next((one for one in theme_of(narrator.game).panels or [] if one.get("board") == thing.name), {})
        keys = [key for name in (panel.get("name"), thing.name) if name and narrator.words.has(key := f"panel.{name}")]
        alone = len(narrator.game.model.boards) == 1
        return (
            narrator.words.text(keys[0])
            if keys
            else narrator.words.text("show.board")
            if alone
            else narrator.words.humanize_identifier(thing.name)
        )
    key = f"{'variant' if thing.kind == 'option' else thing.kind}.{thing.name}.name"
    return narrator.words.text_or(key, thing.name)


def describe_item(thing: DescribableItem, game: Game, narrator: Narrator, width: int, places: bool = True) -> list[str]:
    """Describes an item. With `places`, includes the file positions of its rules, for authors of rules."""
    words = narrator.words
    out = [item_title(thing, narrator)]
    if thing.kind == "member":
        kind = capitalize_first(words.noun(thing.domain)) if words.has(f"{thing.domain}.name") else thing.domain
        out[0] += f" ({kind})"
        if (said := member_text(game, words, thing.domain, thing.name)) is not None:
            out += wrap_indented(said, width)
        else:
            enum = game.model.enums[thing.domain]
            out += [
                line
                for printed in find_text_keys(enum, enum.first_index[thing.name], narrator)
                for line in text_lines(printed, narrator, width)
            ]
        out += attribute_lines(game.model.enums[thing.domain], thing.name, narrator, width)
        routines = [r for family in game.ruleset.program.families.values() if family.domain == thing.domain
                    for r in family.routines if r.member is not None and game.model.enums[thing.domain].members[r.member] == thing.name]
    elif thing.kind == "option":
        out[0] += f" (--option {thing.name}=...)" if places else ""
        key = f"variant.{thing.name}.text"
        if words.has(key):
            out += wrap_indented(words.text(key, **text_placeholders(game.model)), width)
        option = game.model.options[thing.name]
        values = [
            format_option_value(thing.name, value, narrator) if places else words.option_value_text(thing.name, value)
            for value in option.values
        ]
        out += wrap_indented(words.text("show.values", values=values, default=words.option_value_text(thing.name, option.default)), width)
        routines = []
    elif thing.kind == "board":
        out += [line for said in cell_lines(game.model.boards[thing.name], narrator) for line in wrap_indented(said, width)]
        routines = []
    else:
        routines = game.ruleset.program.families[thing.name].routines
        key = f"phase.{thing.name}.text"
        if words.has(key):
            out += wrap_indented(words.text(key, **text_placeholders(game.model)), width)
    return out + clause_lines(routines, game, narrator, width, places) + pack_change_lines(thing, game, narrator, width)


def pack_change_lines(thing: DescribableItem, game: Game, narrator: Narrator, width: int) -> list[str]:
    """Returns the house-rule packs that have changed an item, each with the first place where it does."""
    overlay = game.ruleset.source.overlay
    if overlay is None:
        return []
    names = [f"{thing.domain}.{thing.name}"] if thing.kind == "member" else [thing.name]
    places: dict[str, SourceSpan] = {}
    for change in overlay.changes:
        about = any(change.name == name or change.name.startswith(f"{name}.") for name in names)
        rules = f"[{thing.name}]" in change.name if thing.kind == "member" else change.name == f"phase {thing.name}"
        if about or rules:
            places.setdefault(change.pack, change.place)
    return [line for pack, place in places.items()
            for line in wrap_indented(narrator.words.text("show.changed", pack=pack, place=format_place(place.path, place.line)), width)]


def cell_lines(board: Board, narrator: Narrator) -> list[str]:
    """Returns the description of a board and the labels of its cells."""
    return [*describe_board(board, narrator), *([] if board.open else [narrator.words.text("show.board.cells", cells=list(board.labels))])]


def format_option_value(option: str, value: int | bool | str, narrator: Narrator) -> str:
    """Returns the display name of an option's value, followed by what to type for it if that is different."""
    said, typed = narrator.words.option_value_text(option, value), str(value).lower()
    return said if said == typed else f"{said} ({typed})"


def attribute_lines(enum: Enumeration, member: str, narrator: Narrator, width: int) -> list[str]:
    """Returns the attributes of a member, without empty and default values."""
    out = []
    at = enum.first_index[member]
    for name, kind in enum.attributes.items():
        raw = enum.values[name][at]
        value = narrator.value(kind, raw)
        if value is None or value == [] or raw == narrator.game.codec(kind).default and not isinstance(kind, MemberOf):
            continue
        key = f"attribute.{enum.name}.{name}"
        if narrator.words.has(key) or not narrator.has_clauses:        # in a finished game, no caption means internal
            out += wrap_indented(f"{narrator.words.text_or(key, name)}: {narrator.words.value(value)}", width)
    return out


def clause_lines(routines: list[Routine], game: Game, narrator: Narrator, width: int, places: bool) -> list[str]:
    """Returns the places of an item's rules and the sentences of the clauses that they cite, each once."""
    out = []
    cited, overlay = game.ruleset.program.cited, game.ruleset.source.overlay
    left_out, gone = (overlay.left_out_of, overlay.gone_clauses) if overlay is not None else ({}, {})
    told: set[str] = set()
    for routine in [*routines, *find_helpers(routines, game)]:
        first, last = routine.at.line, routine.at.end_line
        inside = lambda place, path=routine.path, a=first, b=last: place.path == path and a <= place.line <= b     # noqa: E731
        own = {clause for node in walk(routine.parts) for clause in getattr(node, "cites", ())}      # also in lines from packs
        here = {clause for clause, places in cited.items() if clause in own or any(map(inside, places))}
        new = sorted((here | left_out.get(routine.key, set())) - told)
        told.update(new)
        if not new and routine not in routines:
            continue
        if places:
            out.append(INDENT + narrator.words.text("why.rule", place=format_place(routine.path, first)))
        for clause in new:
            sentence = narrator.clause_text(clause)
            if sentence is None and overlay is not None and clause in gone:
                pack = overlay.find_pack_of_file(gone[clause].path)
                place = format_place(gone[clause].path, gone[clause].line)
                sentence = narrator.words.text("show.removed_clause", pack=pack.name if pack is not None else "", place=place)
            if sentence or not narrator.has_clauses:
                out += wrap_indented(f"[{clause}] {sentence or ''}".rstrip(), width)
    return out


def find_helpers(routines: list[Routine], game: Game) -> list[Routine]:
    """Returns the procedures that these routines call, directly or indirectly.

    Phases and cases of members are left out, because they are items of their own. Otherwise a phase would
    describe the whole game, and a choice of cards all the cards."""
    families = game.ruleset.program.families
    found: list[Routine] = []

    def follow(routine: Routine) -> None:
        for called in sorted(game.ruleset.facts.effects.of[routine].calls, key=lambda one: (one.path, one.at.line)):
            if called.kind == "proc" and families[called.name].domain is None and called not in found and called not in routines:
                found.append(called)
                follow(called)

    for routine in routines:
        follow(routine)
    return found


def visible_text_lines(position: Position, narrator: Narrator, seat: int, width: int = MAX_TEXT_COLUMNS) -> list[str]:
    """Returns the texts of the things that a seat sees: cards in an open row, in the hand, on the table.

    A text that several things share is shown with the first. `width` is the number of columns."""
    wide = min(MAX_TEXT_COLUMNS, width - len(INDENT))
    found: dict[str, Counter[tuple[str, int]]] = {}
    for cell, index, raw in position.iter_entries():
        kind = cell.state.type
        if not isinstance(kind, BagOf | SetOf | ListOf | PileOf | OptionalOf) or not isinstance(kind.of, MemberOf):
            continue
        if not can_see(position, cell, index, seat):
            continue
        enum = narrator.game.model.enum_of(kind.of.name)
        if enum is None or enum.kind not in ("enum", "pieces") or cell.form == "sparse":
            continue
        for n in cell.codec.parts(raw):
            if find_text_keys(enum, n, narrator):
                found.setdefault(narrator.caption(cell.state.name, "state"), Counter())[
                    enum.name, enum.first_index[enum.kind_or_name(n)]
                ] += 1
    out, told = [], set[str]()
    for heading, things in found.items():
        out += ["", heading]
        for (domain, n), many in things.items():
            enum = narrator.game.model.enums[domain]
            name = capitalize_first(narrator.words.noun(f"{domain}.{enum.kind_or_name(n)}"))
            keys = find_text_keys(enum, n, narrator)
            plain = [key for key in keys if key not in told and capitalize_first(narrator.words.noun(key)) == name]
            out.append(INDENT + (f"{name} ×{many}" if many > 1 else name))
            out += [INDENT + line for key in keys if key not in told for line in text_lines(key, narrator, wide, named=key not in plain)]
            told.update(keys)
    return out


def text_lines(key: str, narrator: Narrator, width: int, named: bool = True) -> list[str]:
    """Returns the text of a thing, preceded by its name if it is printed on another thing (`named`)."""
    said = plain_text(key, narrator)
    return wrap_indented(f"{capitalize_first(narrator.words.noun(key))}. {said}" if named else said, width)


def plain_text(key: str, narrator: Narrator) -> str:
    """Returns the text of a thing with its numbers filled in."""
    return member_text(narrator.game, narrator.words, *key.split(".", 1)) or ""


def has_texts(narrator: Narrator) -> bool:
    """Whether anything in the game, such as a card, has a text of its own."""
    return any(find_text_keys(enum, n, narrator) for enum in narrator.game.model.enums.values() if enum.kind in ("enum", "pieces")
               for n in range(len(enum)))


def find_text_keys(enum: Enumeration, n: int, narrator: Narrator) -> list[str]:
    """Returns the key of a thing if it has a text, otherwise the keys of the things printed on it that have one."""
    key = f"{enum.name}.{enum.kind_or_name(n)}"
    if narrator.words.has(f"{key}.text"):
        return [key]
    out = []
    for name, kind in enum.attributes.items():
        inner = kind.of if isinstance(kind, OptionalOf | SetOf | ListOf) else kind
        other = narrator.game.model.enum_of(inner.name) if isinstance(inner, MemberOf) else None
        if other is None or other.kind not in ("enum", "pieces"):
            continue
        raw = enum.values[name][n]
        for member in [raw] if isinstance(kind, MemberOf) else narrator.game.codec(kind).parts(raw):
            printed = f"{other.name}.{other.kind_or_name(member)}"
            if narrator.words.has(f"{printed}.text"):
                out.append(printed)
    return out


def wrap_indented(text: str, width: int) -> list[str]:
    """Wraps a text with an indent."""
    return wrap_cells(INDENT + text, width)


def describe_named(loaded: LoadedGame, narrator: Narrator, name: str, width: int, places: bool = True) -> list[str]:
    """Returns the descriptions of the items with this name. Raises UsageError."""
    lines: list[str] = []
    for thing in find_items(loaded, narrator, name):
        lines += ([""] if lines else []) + describe_item(thing, loaded.game, narrator, width, places)
    return lines


def find_items(loaded: LoadedGame, narrator: Narrator, name: str) -> list[DescribableItem]:
    """Returns the items with this name, as in rules (`tower`, `Building.tower`) or as displayed. Also accepts the
    start of a name.

    Raises UsageError."""
    items = AnswerIndex((IndexEntry(thing, (item_title(thing, narrator), thing.name, f"{thing.domain}.{thing.name}"))
                         for thing in list_items(loaded.game)), normalize)
    found = list(dict.fromkeys(items.find(name)))
    if not found or len(found) > MAX_COMPLETIONS:
        raise UsageError("show.unknown", game=narrator.words.text("game.name"), name=name, meant=items.suggest(name))
    return found
