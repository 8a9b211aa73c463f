"""One line on top of a table: which round it is, which part of it, how many points each player has, and what the game says of what is left
(`line:` in table.yaml).

A value of `line:` is told by the text `line.<value>`, with the fields {n} (a number, or how many things lie there) and {held} (what is
there); one without such a text stands behind its caption. What is nothing, nought or not true is told by `line.<value>.none`, or not
at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...dsl.compile.sums import counts
from ...dsl.core.nodes import Do, Rounds
from ...dsl.core.program import Program
from ...dsl.core.walk import walk
from ...dsl.rulesets.panels import Value, values_named
from ...dsl.storage.control import PC
from ...dsl.values.types import Bool, Int
from ..position.position import Position
from ..position.view import knows
from ..telling.teller import Teller
from ..words.template import capital
from .shapes import Line, Span
from .sight import Hidden, Seen, Sight


def headline(position: Position, teller: Teller, seat: int | None) -> list[Line]:
    """The parts of the line, each to be set off from the next."""
    sight = Sight(position, teller, seat)
    words = teller.words
    parts = [[Span(words.text("play.round", number=position.rounds), "strong")]] if position.rounds else []
    parts += [[Span(name, "strong")] for name in phases(position, teller, seat)]
    if counts(position.game.ruleset.program.goals["standing"]):
        points = {rank.seat: rank.values[0] for rank in position.standing()}
        style = sight.member("Player", 0).style.partition(".")[0]
        members = position.game.model.enums[style].members
        parts += [[Span(words.text("top.points", who=teller.name(n), score=points[n]), f"{style}.{members[n]}")] for n in sorted(points)]
    for name in sight.look.line:
        parts += [[Span(said)] for value in values_named(position.game.ruleset, name)[:1] if (said := told(sight, value))]
    return parts


def told(sight: Sight, value: Value) -> str:
    """What is left of something, in a few words."""
    words, found = sight.words, sight.read(value)
    n = found.many if isinstance(found, Hidden) else found.raw if isinstance(found.type, Int) else len(sight.things(found))
    line = sight.line(found)
    key = f"line.{value.name}"
    if not line or isinstance(found, Seen) and isinstance(found.type, Int | Bool) and not found.raw:
        return words.text(f"{key}.none") if words.has(f"{key}.none") else ""
    held = words.list([span.words for span in line])
    if words.has(key):
        return sight.teller.sentence(key, {}, None, sight.seat, n=n, held=held)
    caption = sight.caption(value.name)
    return caption if isinstance(found, Seen) and isinstance(found.type, Bool) else f"{caption} {held}"


def phases(position: Position, teller: Teller, seat: int | None) -> list[str]:
    """The parts of the course of the game that it stands in, by name, the outermost first; not the round itself, which has its number."""
    game, words = position.game, teller.words
    out, rounds = [], repeated(game.ruleset.program)
    for name, kind, member in reversed(list(waiting(position, seat))):
        if kind == "phase" and name != "game" and name not in rounds and words.has(f"phase.{name}.name"):
            out.append(words.text(f"phase.{name}.name"))
        domain = game.ruleset.program.families[name].domain
        enum = game.model.enums[domain] if domain is not None and member is not None else None
        if enum is not None and enum.kind in ("enum", "pieces") and member is not None:
            named = enum.kinds[member] if enum.kinds else enum.members[member]
            out += [capital(words.noun(f"{enum.name}.{named}"))] if words.has(f"{enum.name}.{named}.name") else []
    return list(dict.fromkeys(out))


def waiting(position: Position, seat: int | None) -> Iterator[tuple[str, str, int | None]]:
    """The procedures that the game waits in, the innermost first: name, kind, and for which member, if `seat` may know."""
    s, waits = position.s, position.game.module.waits
    routines = {routine.key: routine for routine in position.game.ruleset.program.routines}
    pc = s[PC]
    while pc and pc in waits:
        wait = waits[pc]
        routine = routines[wait.routine]
        case = next((variable.slot for variable in wait.live if routine.case is not None and variable.name == routine.case.name
                     and knows(position, variable, seat)), None)
        yield routine.name, routine.kind, routine.member if routine.member is not None else None if case is None else s[case]
        pc = s[wait.return_slot]


@lru_cache(maxsize=8)
def repeated(program: Program) -> set[str]:
    """The procedures that are a round: what the first loop of the game does again and again."""
    found = [node for routine in program.families["game"].routines for node in walk(routine.body) if isinstance(node, Rounds)]
    return {node.family for node in walk(found[0].body) if isinstance(node, Do)} if found else set()
