"""The components of a game for its rulebook: the contents of the box, the cards
one by one, the tables, and the game options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import UnionType

from ...dsl.model.model import Enumeration, GameModel
from ...dsl.types.boards import Board, GraphBoard, encode_open_cell, format_square_name
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf
from ..i18n import CountedNoun, Localizer, Noun, TextValue
from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..narration.member_texts import written_member_text
from ..narration.narrator import Narrator
from ..position.position import Position
from ..table_view.theme import theme_of
from .book import BookBlock, BookParagraph, BookTable, Chapter, InlineList

# a longer table is left out
MAX_TABLE_ROWS = 60
# of the random sample: seed, decisions, decisions between two counts
SAMPLE_SEED, SAMPLE_DECISIONS, SAMPLE_INTERVAL = 1, 150, 10
HOLDER_TYPES = BagOf | SetOf | ListOf | PileOf
CLAUSE_PREFIX = "clause."
MAX_COUNTED_KINDS = 24                                                          # with more kinds, only the total is shown


def list_named_types(narrator: Narrator) -> list[Enumeration]:
    """Returns the types that the reader knows: enums and pieces with a name in the texts."""
    model = narrator.game.model
    return [enum for enum in model.enums.values() if enum.kind in ("enum", "pieces") and narrator.words.has(f"{enum.name}.name")]


def list_member_names(enum: Enumeration) -> list[str]:
    """Returns the members of a type. For pieces, these are the kinds."""
    return list(enum.first_index)


def member_title(enum: Enumeration, member: str, narrator: Narrator) -> str:
    """Returns the name of a member as a title."""
    return capitalize_first(narrator.words.noun(f"{enum.name}.{member}"))


def plural_title(enum: Enumeration, narrator: Narrator) -> str:
    """Returns the plural of a type's name as a title."""
    return capitalize_first(narrator.words.noun(enum.name, "pl"))


def member_text(enum: Enumeration, member: str, narrator: Narrator) -> str:
    """Returns the text of a member, or "" if it has none or house rules made it untrue."""
    overlay = narrator.game.ruleset.source.overlay
    if overlay is not None and overlay.find_outdated_text(f"{enum.name}.{member}.text") is not None:
        return ""
    return written_member_text(narrator.game, narrator.words, enum.name, member) or ""


def has_member_texts(enum: Enumeration, narrator: Narrator) -> bool:
    """Whether any member of the type has a text."""
    return any(narrator.words.has(f"{enum.name}.{member}.text") for member in list_member_names(enum))


# ---------------------------------------------------------------- what is printed on things


def attribute_captions(enum: Enumeration, narrator: Narrator) -> dict[str, str]:
    """Returns the captions of those attributes that have one, by name."""
    return {name: narrator.words.text(key) for name in enum.attributes if narrator.words.has(key := f"attribute.{enum.name}.{name}")}


def format_attribute(enum: Enumeration, name: str, member: str, narrator: Narrator) -> str:
    """Returns the value of an attribute in words, or "" if there is nothing to show."""
    raw, kind = enum.values[name][enum.first_index[member]], enum.attributes[name]
    if isinstance(kind, Bool):
        return narrator.words.value(True) if raw else ""
    if isinstance(kind, Int) and narrator.words.has(key := f"attribute.{enum.name}.{name}.{raw}"):     # the number stands for a word
        return narrator.words.text(key)
    if isinstance(kind, OptionalOf) and not narrator.game.codec(kind).size(raw):
        return ""
    if isinstance(kind, BagOf | SetOf | ListOf):
        value: TextValue = narrator.value(kind, raw)
        inner = kind.of
        ordered = isinstance(kind, ListOf) and isinstance(inner, Int)
        if value == []:
            return ""
        return (
            " – ".join(narrator.words.value(part) for part in value) if ordered and isinstance(value, list) else narrator.words.value(value)
        )
    return narrator.words.value(narrator.value(kind, raw))


def attribute_rows(enum: Enumeration, member: str, narrator: Narrator) -> list[list[str]]:
    """Returns the caption and the value of each attribute of a member. Default values are left out."""
    at = enum.first_index[member]
    rows = []
    for name, caption in attribute_captions(enum, narrator).items():
        kind, raw = enum.attributes[name], enum.values[name][at]
        if raw == narrator.game.codec(kind).default and not isinstance(kind, MemberOf):
            continue
        if said := format_attribute(enum, name, member, narrator):
            rows.append([caption, said])
    return rows


def format_players(words: Localizer, players: list[int]) -> str:
    """Returns the words for certain numbers of players: “With 2 players”."""
    if len(players) > 2 and players == list(range(players[0], players[-1] + 1)):
        return words.text("rulebook.with_range", low=players[0], high=players[-1])
    return words.text("rulebook.with_players", players=list(players), n=players[0] if len(players) == 1 else 2)


def group_by_players(enum: Enumeration, name: str, others: Mapping[int, GameModel]) -> list[tuple[list[int], Enumeration]]:
    """Groups the numbers of players by the values of an attribute. Each group comes with the type as it is then.
    The list is empty if the values never differ."""
    found: dict[tuple[object, ...], tuple[list[int], Enumeration]] = {}
    for players, model in others.items():
        then = model.enums[enum.name]
        found.setdefault(tuple(then.values[name][then.first_index[m]] for m in list_member_names(enum)), ([], then))[0].append(players)
    return list(found.values()) if len(found) > 1 else []


def build_attribute_table(enum: Enumeration, narrator: Narrator, others: Mapping[int, GameModel]) -> BookTable | None:
    """Returns a table of all members and their attributes, without columns that are empty for all members.

    Returns None if there is nothing to show or if the type has too many members."""
    members = list_member_names(enum)
    heads = {
        name: caption
        for name, caption in attribute_captions(enum, narrator).items()
        if any(format_attribute(enum, name, m, narrator) for m in members)
    }
    heads = {name: caption for name, caption in heads.items()
             if not isinstance(enum.attributes[name], Int) or any(enum.values[name][enum.first_index[m]] for m in members)}
    if not heads or len(members) > MAX_TABLE_ROWS:
        return None
    few = {name for name in heads if isinstance(enum.attributes[name], Int)          # in a column with many zeros, zeros stay blank
           and 2 * sum(not enum.values[name][enum.first_index[m]] for m in members) > len(members)}

    def cell_text(name: str, member: str) -> str:
        said = format_attribute(enum, name, member, narrator)
        return "" if name in few and said == "0" else said
    columns: list[tuple[str, list[str]]] = []
    for name, caption in heads.items():
        cases = group_by_players(enum, name, others)
        for many, then in cases:
            when = format_players(narrator.words, many)
            columns.append((f"{caption} ({when[:1].lower()}{when[1:]})", [format_attribute(then, name, m, narrator) for m in members]))
        columns += [] if cases else [(caption, [cell_text(name, m) for m in members])]
    rows = [[member_title(enum, m, narrator), *(told[n] for _, told in columns)] for n, m in enumerate(members)]
    if len(columns) > 1:                                           # members without values exist only for the rules
        rows = [row for row in rows if set(row[1:]) - {"", "0"}]
    return BookTable([capitalize_first(narrator.words.noun(enum.name)), *(head for head, _ in columns)], rows)


# ---------------------------------------------------------------- the parts of the book


def box_blocks(narrator: Narrator, position: Position) -> list[BookBlock]:
    """Returns the components of the game: the pieces with their numbers, the contents of bags, piles and hands after
    the set-up, the boards and their coordinates."""
    words, model = narrator.words, narrator.game.model
    out: list[BookBlock] = []
    rows = []
    for enum in list_named_types(narrator):
        if enum.kind != "pieces":
            continue
        rows += [words.value(CountedNoun(enum.copies_by_kind[kind], Noun(f"{enum.name}.{kind}"))) for kind in list_member_names(enum)]
    if rows:
        out.append(InlineList([capitalize_first(row) for row in rows]))
    used = [
        line for enum, found in find_box_components(list_named_types(narrator), position) if (line := format_count(enum, found, narrator))
    ]
    if used:
        low, high = model.player_range
        out += [BookParagraph(words.text("rulebook.box.players", n=model.players))] if low < high else []
        out.append(InlineList(used))
    for board in model.boards.values():
        out.append(BookParagraph(" ".join([*describe_board(board, narrator), describe_coordinates(board, narrator)]).strip()))
    return out


def find_box_components(enums: list[Enumeration], position: Position) -> list[tuple[Enumeration, Counter[int]]]:
    """Returns the types whose members are components, with the number of each member.

    These are types that bags, piles, lists or sets hold, and types whose members lie on a board. Random play from
    the position checks the numbers: if they change later, the position does not show all components. A rule may
    hold a thing for a moment, so the numbers need to agree only half of the time."""
    wanted = [enum for enum in enums if enum.kind == "enum"]
    found = {
        enum.name: count_member_copies(enum, position, HOLDER_TYPES | OptionalOf)
        for enum in wanted
        if count_member_copies(enum, position, HOLDER_TYPES)
    }
    lying = {enum.name: many for enum in wanted if enum.name not in found and (many := count_member_copies(enum, position, OptionalOf))}
    same: Counter[str] = Counter()
    chance, now, times = random.Random(SAMPLE_SEED), position.copy(), 0
    for step in range(SAMPLE_DECISIONS):
        decision = now.decision
        if decision is None or not found and not lying:
            break
        now.play(decision.seat, decision.option(chance.choice(list(decision.codes))))
        if step % SAMPLE_INTERVAL == 0:
            times += 1
            same.update(
                enum.name
                for enum in wanted
                if enum.name in found and count_member_copies(enum, now, HOLDER_TYPES | OptionalOf) == found[enum.name]
            )
            lying = {
                enum.name: lying[enum.name]
                for enum in wanted
                if enum.name in lying and count_member_copies(enum, now, OptionalOf) <= lying[enum.name]
            }
    found = {name: many for name, many in found.items() if 2 * same[name] >= times}
    found |= lying
    return [(enum, found[enum.name]) for enum in wanted if enum.name in found]


def count_member_copies(enum: Enumeration, position: Position, kinds: UnionType | type) -> Counter[int]:
    """Returns how often each member of a type occurs in states of these types."""
    found: Counter[int] = Counter()
    for cell, _, raw in position.iter_entries():
        kind = cell.state.type
        inner = kind.of if isinstance(kind, HOLDER_TYPES | OptionalOf) else None
        if not isinstance(kind, kinds) or not isinstance(inner, MemberOf) or inner.name != enum.name or not cell.codec.size(raw):
            continue
        if isinstance(kind, BagOf):
            found.update(dict(enumerate(raw)))
        elif isinstance(kind, SetOf):
            found.update(n for n in range(len(enum.members)) if raw >> n & 1)
        else:
            found.update([raw] if isinstance(kind, OptionalOf) else raw)
    return +found


def format_count(enum: Enumeration, found: Counter[int], narrator: Narrator) -> str:
    """Returns the number of components of a type (“38 cards”), with the number of each member if these differ."""
    words, total = narrator.words, sum(found.values())
    if not found or enum.kind != "enum":
        return ""
    said = capitalize_first(words.value(CountedNoun(total, Noun(enum.name))))
    by_name: Counter[str] = Counter()
    for member, many in sorted(found.items()):
        by_name[words.noun(f"{enum.name}.{enum.members[member]}")] += many
    if len(by_name) < 2 or set(by_name.values()) == {1} or len(by_name) > MAX_COUNTED_KINDS:
        return said
    return f"{plural_title(enum, narrator)} – {words.list([f'{name} ({words.format_number(many)})' for name, many in by_name.items()])}"


def describe_board(board: Board, narrator: Narrator) -> list[str]:
    """Returns sentences about a board: the number and the shape of its cells, their neighbours, and its corners and edges."""
    words = narrator.words
    if board.open:
        return [words.text(f"show.board.open_{board.shape}", near=len(board.neighbour_offsets))]
    shape = "slantwise" if board.slantwise else board.shape
    out = [words.text(f"show.board.{shape}", n=len(board.cells), near=max(map(len, board.near), default=0))]
    return out + [words.text(f"show.board.{kind}", n=len(board.parts_of_kind(kind))) for kind in board.part_types]


def describe_coordinates(board: Board, narrator: Narrator) -> str:
    """Returns the sentence that says how to read the name of a cell."""
    tops = [panel["top"] for panel in theme_of(narrator.game).panels or () if panel.get("board") == board.name and "top" in panel]
    flat = tops[0] == "flat" if tops else board.flat               # the orientation of the drawing
    if isinstance(board, GraphBoard) and any(label != format_square_name(*at) for label, at in zip(board.labels, board.cells)):
        return ""
    kind = "square" if board.shape != "hex" else "flat" if flat else "pointed"
    if board.open and board.origin is not None:
        return narrator.words.text("rulebook.cells.labelled", example=board.open_cell_label(encode_open_cell(0, 0)))
    if board.open:
        return narrator.words.text(f"rulebook.cells.open_{kind}")
    words, edges = narrator.words, board.parts.edges.labels[:1] if "edges" in board.part_types else []
    told = [words.text(f"rulebook.cells.{kind}", example=board.labels[0])] if len(board.cells) > 1 else []
    return " ".join(told + [words.text("rulebook.cells.edges", example=words.part_label(label)) for label in edges])


def option_chapters(narrator: Narrator) -> list[Chapter]:
    """Returns a chapter for each game option, with its values, its default and the current choice."""
    words, model = narrator.words, narrator.game.model
    out = []
    for option in model.options.values():
        key = f"variant.{option.name}"
        title = words.text_or(f"{key}.name", option.name)
        blocks: list[BookBlock] = [BookParagraph(words.text(f"{key}.text", **text_placeholders(model)))] if words.has(f"{key}.text") else []
        blocks.append(
            BookParagraph(
                words.text(
                    "show.values",
                    values=[words.option_value_text(option.name, value) for value in option.values],
                    default=words.option_value_text(option.name, option.default),
                )
            )
        )
        if model.settings[option.name] != option.default:
            blocks.append(
                BookParagraph(
                    words.text("rulebook.chosen", value=words.option_value_text(option.name, model.settings[option.name])), strong=True
                )
            )
        out.append(Chapter(capitalize_first(title), f"option-{option.name}", blocks))
    return out


def find_clauses_naming(words: Localizer, numbers: Sequence[str]) -> set[str]:
    """Returns the clauses whose texts contain one of these fields."""
    clauses = [key for key in words.english if key.startswith(CLAUSE_PREFIX)]
    return {key.removeprefix(CLAUSE_PREFIX) for key in clauses if words.fields_used(key, numbers)}


def table_chapters(narrator: Narrator, others: Mapping[int, GameModel], clauses: Collection[str]) -> list[Chapter]:
    """Returns the chapters with the number tables that have a caption, and with the attributes of things that have
    no text.

    A number table is left out if only clauses outside `clauses` use its numbers. `others` holds the data for each
    number of players that the book covers, if there are several."""
    words, model = narrator.words, narrator.game.model
    out = []
    for table in model.tables.values():
        named = find_clauses_naming(words, [f"{table.name}_{n}" for n in range(table.first, table.first + len(table.values))])
        if words.has(key := f"chart.{table.name}") and (not named or named & set(clauses)):
            last = table.first + len(table.values) - 1
            heads = [words.format_number(n) for n in range(table.first, last + 1)]
            if table.beyond == "last":
                heads[-1] = words.text("rulebook.or_more", number=last)
            index = words.text(f"{key}.of") if words.has(f"{key}.of") else ""
            rows = [[index, *heads], [words.text(key), *map(words.format_number, table.values)]]
            out.append(Chapter(words.text(key), f"table-{table.name}", [BookTable(rows[0], rows[1:])]))
    for enum in list_named_types(narrator):
        found = None if has_member_texts(enum, narrator) else build_attribute_table(enum, narrator, others)
        if found is not None:
            out.append(Chapter(plural_title(enum, narrator), f"type-{enum.name}", [found]))
    return out
