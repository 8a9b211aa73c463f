"""The headings of a transcript line: the phases, and the members (an action, a card) whose procedures were
active."""

from __future__ import annotations

from functools import lru_cache

from ...dsl.core.nodes import CallProc, RoundsLoop
from ...dsl.core.program import Program
from ...dsl.core.walk import walk
from ...dsl.types.types import MemberOf
from ..i18n.template import capitalize_first, lowercase_first
from ..position.call_stack import CallContext
from .narrator import Narrator


def headings(midst: CallContext, narrator: Narrator) -> tuple[str, ...]:
    """Returns the names of the active sections as titles, outermost first.

    The procedure of the round itself is left out, because the round has a number as its heading."""
    return tuple(capitalize_first(name) for name in list_section_names(midst, narrator))


def list_section_names(midst: CallContext, narrator: Narrator) -> tuple[str, ...]:
    """Returns the names of the same sections as they appear within a sentence."""
    program, words = narrator.game.ruleset.program, narrator.words
    out: list[str] = []
    rounds = round_procedures(program)
    for call in midst.calls:
        named = call.kind == "phase" and call.name != "game" and call.name not in rounds and not is_player_turn(program, call.name)
        if named and words.has(f"phase.{call.name}.name"):
            name = words.text(f"phase.{call.name}.name")
            out.append(name if words.grammar.capital_nouns else lowercase_first(name))
        domain = program.families[call.name].domain
        if domain is None or call.member is None or call.secret or narrator.game.model.enums[domain].kind not in ("enum", "pieces"):
            continue
        key = narrator.noun_key(domain, call.member)
        out += [words.noun(key)] if words.has(f"{key}.name") else []
    return tuple(dict.fromkeys(out))


@lru_cache(maxsize=8)
def round_procedures(program: Program) -> set[str]:
    """Returns the procedures that make up a round: those that the first `rounds` loop of the game runs."""
    found = [node for routine in program.families["game"].routines for node in walk(routine.body) if isinstance(node, RoundsLoop)]
    return {node.family for node in walk(found[0].body) if isinstance(node, CallProc)} if found else set()


def is_player_turn(program: Program, phase: str) -> bool:
    """Whether a phase is the turn of one player. Such a phase needs no heading, because each of its lines names the
    player."""
    routine = program.families[phase].default
    first = routine.params[0].type if routine is not None and routine.params else None
    enum = program.model.enum_of(first.name) if isinstance(first, MemberOf) else None
    return enum is not None and enum.kind == "player"
