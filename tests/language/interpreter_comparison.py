"""Compares the engine with the reference interpreter: the same start, the same answers and the same chance. Reports every difference."""

from __future__ import annotations

import random
from typing import Any

from ludoglot.dsl.storage.control_slots import RANDOM
from ludoglot.dsl.types.types import MemberOf
from ludoglot.engine.position.position import Game, Position, RuleError

from .reference_expressions import Fault
from .reference_interpreter import Asked, Walker


class DisagreementError(AssertionError):
    """The compiled rules and the interpreter differ."""


def read_state_table(position: Position, walker: Walker) -> dict[str, dict[tuple, Any]]:
    """Returns the engine's position in the form of Walker.table."""
    out: dict[str, dict[tuple, Any]] = {}
    for name, cell in position.game.cells.items():
        state = cell.state
        enums = [position.game.model.enums[domain] for _, domain in state.axes]
        raw: dict[tuple, Any] = {}
        for index in indices([len(e) for n, e in enumerate(enums) if n != cell.open_axis]):
            if cell.open_axis is None:
                raw[tuple(index)] = position.raw_at(cell, index)
                continue
            at = cell.base
            stride = 1
            for n, size in zip(reversed(index), reversed(cell.sizes)):
                at, stride = at + n * stride, stride * size
            for key, value in position.s[at].items():
                raw[(*index[: cell.open_axis], key, *index[cell.open_axis :])] = value
        default = walker.default(state.type)
        found: dict[tuple, Any] = {}
        for index, value in raw.items():
            where = tuple(walker.natural(n, kind) for n, kind in zip(index, axis_types(state)))
            natural = walker.natural(value, state.type)
            if natural != default:
                found[where] = natural
        out[name] = found
    return out


def axis_types(state: Any) -> list:
    return [MemberOf(domain) for _, domain in state.axes]


def indices(sizes: list[int]) -> list[list[int]]:
    out: list[list[int]] = [[]]
    for size in sizes:
        out = [[*index, n] for index in out for n in range(size)]
    return out


def copy_position(walker: Walker, position: Position, first: bool = False) -> None:
    """Copies the engine's position to the walker. `first` copies it as the initial values of states."""
    found = {name: {index: (value,) for index, value in entries.items()} for name, entries in read_state_table(position, walker).items()}
    if first:
        walker.firsts = found
    else:
        walker.state = found


def compare_with_interpreter(game: Game, seed: int, limit: int = 60) -> tuple[int, str | None]:
    """Plays one random game on both sides. Returns the number of decisions, and the code of the fault that ended the game, if any."""
    walker = Walker(game.ruleset.program)
    copy_position(walker, game.new_position(seed), first=True)
    walker.random = game.new_position(seed).s[RANDOM]
    talk = walker.play()
    position, rng, count = game.new_position(seed), random.Random(seed), 0
    answer: str | None = None
    asked: Asked | None = None
    while True:
        fault, told = None, []
        try:
            told = position.run_to_decision() if answer is None else position.play(position.decision.seat, answer)
        except RuleError as error:
            fault = error.diagnostic
            if fault.code == "F000":
                raise DisagreementError(f"the engine crashed: {fault.args}") from error
        walker.told.clear()
        try:
            asked = next(talk) if answer is None else talk.send(answer)
        except StopIteration:
            asked = None
        except Fault as error:
            if fault is None or error.code != fault.code:
                raise DisagreementError(f"walker: {error.code}, engine: {fault}, after {count} decisions") from error
            return count, fault.code
        if fault is not None:
            raise DisagreementError(f"engine: {fault} line {fault.place.line}, walker: no fault, after {count} decisions")
        mine = [(t.key, {name: game.spell(kind, value) for name, kind, value in t.slots}) for t in told if t.key != "chance"]
        if mine != walker.told:
            raise DisagreementError(f"told: engine {mine}, walker {walker.told}")
        if walker.random != position.s[RANDOM]:
            raise DisagreementError(f"after {count} decisions: the numbers of random draws differ")
        here, there = read_state_table(position, walker), walker.table()
        if here != there:
            raise DisagreementError(
                f"after {count} decisions: "
                + "; ".join(f"{name}: engine {here[name]}, walker {there[name]}" for name in here if here[name] != there[name])
            )
        decision = position.decision
        if asked is None or decision is None:
            if asked is not None or decision is not None:
                raise DisagreementError(f"after {count} decisions: engine {decision and decision.key}, walker {asked}")
            return count, None
        offered = [option.spelling for option in decision.options]
        if (decision.seat, decision.key, offered) != (asked.seat, asked.key, asked.options):
            raise DisagreementError(f"after {count} decisions: engine {(decision.seat, decision.key, offered)}, walker {asked}")
        if count >= limit:
            return count, None
        answer = rng.choice(offered)
        count += 1
