"""Things of a game in words: a card with its text, an option, a phase; for `show` and for `cards` at the prompt.

Texts take their numbers from the data that the rules use: change a value (or lay a house rule over it) and every language says so.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import dataclass

from ...dsl.core.program import Routine
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import Place
from ...dsl.model.model import Enumeration
from ...dsl.types.boards import Board
from ...dsl.types.types import BagOf, ListOf, Maybe, Of, PileOf, SetOf
from ..cli.console import Usage
from ..i18n.placeholders import fields
from ..i18n.template import capital
from ..i18n.user_input import folded, near
from ..library.find import place_text
from ..library.loaded_game import Loaded
from ..narration.narrator import Teller
from ..position.position import Game, Position
from ..position.visibility import sees, spots
from ..rulebook.components import board_lines
from ..table_view.theme import look_of

INDENT = "  "
MAX_COMPLETIONS = 6                  # so many things are shown for the beginning of a name
WIDE = 76                            # columns of a text among several


@dataclass(frozen=True)
class Showable:
    """Something that `show` can show: `kind` is member, option, phase or board."""

    kind: str
    name: str                        # as rules and options write it
    domain: str = ""                 # of a member


def things_of(game: Game) -> list[Showable]:
    """All that can be shown."""
    found = []
    declared = game.ruleset.source.data["enums"]
    for enum in game.model.enums.values():
        if enum.kind in ("enum", "pieces") or enum.kind == "player" and enum.name in declared:
            members = list(enum.first)
            found += [Showable("member", member, enum.name) for member in members]
    found += [Showable("option", name) for name in game.model.options]
    for family in game.ruleset.program.families.values():
        if family.name != "game" and any(routine.kind == "phase" for routine in family.routines):
            found.append(Showable("phase", family.name))
    return found + [Showable("board", name) for name in game.model.boards]


def named_things(game: Game, teller: Teller) -> list[Showable]:
    """All that can be shown but members without a name, which only the rules know; all where the game has not named anything yet."""
    things, words = things_of(game), teller.words
    plain = [thing for thing in things
             if thing.kind != "member" or thing.domain == "Player" or words.has(f"{thing.domain}.{thing.name}.name")]
    named = any(thing.kind == "member" and words.has(f"{thing.domain}.{thing.name}.name") for thing in plain)
    return plain if named else things


def title(thing: Showable, teller: Teller) -> str:
    """What a thing is called in the teller's language."""
    if thing.kind == "member" and thing.domain == "Player" and not teller.words.has(f"Player.{thing.name}.name"):
        return teller.name(teller.game.model.enums["Player"].index[thing.name])
    if thing.kind == "member":
        return capital(teller.words.noun(f"{thing.domain}.{thing.name}"))
    if thing.kind == "board":                                      # is called as the panel that shows it
        panel = next((one for one in look_of(teller.game).panels or [] if one.get("board") == thing.name), {})
        keys = [key for name in (panel.get("name"), thing.name) if name and teller.words.has(key := f"panel.{name}")]
        alone = len(teller.game.model.boards) == 1
        return teller.words.text(keys[0]) if keys else teller.words.text("show.board") if alone else teller.words.unnamed(thing.name)
    key = f"{'variant' if thing.kind == 'option' else thing.kind}.{thing.name}.name"
    return teller.words.text_or(key, thing.name)


def describe(thing: Showable, game: Game, teller: Teller, width: int, places: bool = True) -> list[str]:
    """A thing in words; with the `places` of its rules for whoever reads rule files."""
    words = teller.words
    out = [title(thing, teller)]
    if thing.kind == "member":
        kind = capital(words.noun(thing.domain)) if words.has(f"{thing.domain}.name") else thing.domain
        out[0] += f" ({kind})"
        key = f"{thing.domain}.{thing.name}.text"
        if words.has(key):
            out += wrap(words.text(key, **fields(game.model, thing.domain, thing.name)), width)
        else:
            enum = game.model.enums[thing.domain]
            out += [line for printed in keys_with_text(enum, enum.first[thing.name], teller) for line in text_of(printed, teller, width)]
        out += attributes(game.model.enums[thing.domain], thing.name, teller, width)
        routines = [r for family in game.ruleset.program.families.values() if family.domain == thing.domain
                    for r in family.routines if r.member is not None and game.model.enums[thing.domain].members[r.member] == thing.name]
    elif thing.kind == "option":
        key = f"variant.{thing.name}.text"
        if words.has(key):
            out += wrap(words.text(key, **fields(game.model)), width)
        option = game.model.options[thing.name]
        values = [named(thing.name, value, teller) if places else words.variant(thing.name, value) for value in option.values]
        out += wrap(words.text("show.values", values=values, default=words.variant(thing.name, option.default)), width)
        routines = []
    elif thing.kind == "board":
        out += [line for said in cell_lines(game.model.boards[thing.name], teller) for line in wrap(said, width)]
        routines = []
    else:
        routines = game.ruleset.program.families[thing.name].routines
        key = f"phase.{thing.name}.text"
        if words.has(key):
            out += wrap(words.text(key, **fields(game.model)), width)
    return out + clauses_of(routines, game, teller, width, places) + changes_of(thing, game, teller, width)


def changes_of(thing: Showable, game: Game, teller: Teller, width: int) -> list[str]:
    """Which packs of house rules have changed a thing, each with the first place where it does."""
    laid = game.ruleset.source.laid
    if laid is None:
        return []
    names = [f"{thing.domain}.{thing.name}"] if thing.kind == "member" else [thing.name]
    places: dict[str, Place] = {}
    for change in laid.changes:
        about = any(change.name == name or change.name.startswith(f"{name}.") for name in names)
        rules = f"[{thing.name}]" in change.name if thing.kind == "member" else change.name == f"phase {thing.name}"
        if about or rules:
            places.setdefault(change.pack, change.place)
    return [line for pack, place in places.items()
            for line in wrap(teller.words.text("show.changed", pack=pack, place=place_text(place.path, place.line)), width)]


def cell_lines(board: Board, teller: Teller) -> list[str]:
    """A board, and what its cells are called."""
    return [*board_lines(board, teller), *([] if board.open else [teller.words.text("show.board.cells", cells=list(board.labels))])]


def named(option: str, value: int | bool | str, teller: Teller) -> str:
    """A value of an option as people say it; behind it what one types for it, where that is something else."""
    said, typed = teller.words.variant(option, value), str(value).lower()
    return said if said == typed else f"{said} ({typed})"


def attributes(enum: Enumeration, member: str, teller: Teller, width: int) -> list[str]:
    """The values printed on a member, those that say something."""
    out = []
    at = enum.first[member]
    for name, kind in enum.attributes.items():
        raw = enum.values[name][at]
        value = teller.value(kind, raw)
        if value is None or value == [] or raw == teller.game.codec(kind).default and not isinstance(kind, Of):
            continue
        key = f"attribute.{enum.name}.{name}"
        if teller.words.has(key) or not teller.has_clauses:        # in a finished game, one without a caption is for the rules alone
            out += wrap(f"{teller.words.text_or(key, name)}: {teller.words.value(value)}", width)
    return out


def clauses_of(routines: list[Routine], game: Game, teller: Teller, width: int, places: bool) -> list[str]:
    """Where a thing's rules stand, and the sentences of the clauses they cite, each once."""
    out = []
    cited = game.ruleset.program.cited
    told: set[str] = set()
    for routine in [*routines, *helpers_of(routines, game)]:
        first, last = routine.at.line, routine.at.end_line
        inside = lambda place, path=routine.path, a=first, b=last: place.path == path and a <= place.line <= b     # noqa: E731
        own = {clause for node in walk(routine.parts) for clause in getattr(node, "cites", ())}      # also in lines that packs put there
        new = sorted(clause for clause, places in cited.items() if clause not in told and (clause in own or any(map(inside, places))))
        told.update(new)
        if not new and routine not in routines:
            continue
        if places:
            out.append(INDENT + teller.words.text("why.rule", place=place_text(routine.path, first)))
        for clause in new:
            sentence = teller.clause(clause)
            if sentence or not teller.has_clauses:
                out += wrap(f"[{clause}] {sentence or ''}".rstrip(), width)
    return out


def helpers_of(routines: list[Routine], game: Game) -> list[Routine]:
    """The procedures that these call, and those that they call in turn. What can be shown by itself, a phase or the entry of a member,
    is left to itself: else a phase would show the whole game, and a choice of cards all the cards."""
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


def cites_of(clause: str, game: Game) -> list[Place]:
    return game.ruleset.program.cited.get(clause, [])


def texts_in_sight(position: Position, teller: Teller, seat: int, width: int = WIDE) -> list[str]:
    """The texts of the things that lie where a seat may look: cards in an open row, in the hand, on the table. What several of them bear is
    told with the first. `width`: columns of a line."""
    wide = min(WIDE, width - len(INDENT))
    found: dict[str, Counter[tuple[str, int]]] = {}
    for cell, index, raw in spots(position):
        kind = cell.state.type
        if not isinstance(kind, BagOf | SetOf | ListOf | PileOf | Maybe) or not isinstance(kind.of, Of):
            continue
        if not sees(position, cell, index, seat):
            continue
        enum = teller.game.model.enum_of(kind.of.name)
        if enum is None or enum.kind not in ("enum", "pieces") or cell.form == "sparse":
            continue
        for n in cell.codec.parts(raw):
            if keys_with_text(enum, n, teller):
                found.setdefault(teller.caption(cell.state.name, "state"), Counter())[enum.name, enum.first[enum.called(n)]] += 1
    out, told = [], set[str]()
    for heading, things in found.items():
        out += ["", heading]
        for (domain, n), many in things.items():
            enum = teller.game.model.enums[domain]
            name = capital(teller.words.noun(f"{domain}.{enum.called(n)}"))
            keys = keys_with_text(enum, n, teller)
            plain = [key for key in keys if key not in told and capital(teller.words.noun(key)) == name]
            out.append(INDENT + (f"{name} ×{many}" if many > 1 else name))
            out += [INDENT + line for key in keys if key not in told for line in text_of(key, teller, wide, named=key not in plain)]
            told.update(keys)
    return out


def text_of(key: str, teller: Teller, width: int, named: bool = True) -> list[str]:
    """The text of a thing, behind its name where it is printed on another one."""
    said = plain_text(key, teller)
    return wrap(f"{capital(teller.words.noun(key))}: {said}" if named else said, width)


def plain_text(key: str, teller: Teller) -> str:
    """The text of a thing, with its numbers in it."""
    return teller.words.text(f"{key}.text", **fields(teller.game.model, *key.split(".", 1)))


def has_texts(teller: Teller) -> bool:
    """Whether anything in the game, such as a card, has a text of its own."""
    return any(keys_with_text(enum, n, teller) for enum in teller.game.model.enums.values() if enum.kind in ("enum", "pieces")
               for n in range(len(enum)))


def keys_with_text(enum: Enumeration, n: int, teller: Teller) -> list[str]:
    """The thing itself if it has a text, else the things printed on it that have one, as what a card can do."""
    key = f"{enum.name}.{enum.called(n)}"
    if teller.words.has(f"{key}.text"):
        return [key]
    out = []
    for name, kind in enum.attributes.items():
        inner = kind.of if isinstance(kind, Maybe | SetOf | ListOf) else kind
        other = teller.game.model.enum_of(inner.name) if isinstance(inner, Of) else None
        if other is None or other.kind not in ("enum", "pieces"):
            continue
        raw = enum.values[name][n]
        for member in [raw] if isinstance(kind, Of) else teller.game.codec(kind).parts(raw):
            printed = f"{other.name}.{other.called(member)}"
            if teller.words.has(f"{printed}.text"):
                out.append(printed)
    return out


def wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=INDENT, subsequent_indent=INDENT) or [""]


def describe_named(loaded: Loaded, teller: Teller, name: str, width: int, places: bool = True) -> list[str]:
    """Return what has this name, in words. Raises Usage."""
    lines: list[str] = []
    for thing in find_things(loaded, teller, name):
        lines += ([""] if lines else []) + describe(thing, loaded.game, teller, width, places)
    return lines


def find_things(loaded: Loaded, teller: Teller, name: str) -> list[Showable]:
    """Return what has this name: as rules write it (`tower`, `Building.tower`), or as the language does. Raises Usage."""
    wanted = folded(name)
    known: dict[str, list[Showable]] = {}
    for thing in things_of(loaded.game):
        for word in {thing.name, f"{thing.domain}.{thing.name}", title(thing, teller)}:
            known.setdefault(folded(word), []).append(thing)
    found = known.get(wanted) or [thing for word, things in known.items() if wanted and word.startswith(wanted) for thing in things]
    if not found or len(set(found)) > MAX_COMPLETIONS:
        titles = {folded(said): said for things in known.values() for thing in things for said in [title(thing, teller)]}
        raise Usage("show.unknown", game=teller.words.text("game.name"), name=name, meant=titles.get(near(wanted, titles), ""))
    return list(dict.fromkeys(found))
