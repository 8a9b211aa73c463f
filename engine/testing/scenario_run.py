"""Playing a scenario: what is given, what is run, what is played, and what must hold then."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...dsl.diagnostics import Findings, did_you_mean
from ...dsl.storage.codec import as_written
from ...dsl.storage.entries import Entry
from ...dsl.types import Of, Type
from ..position.entries import Misread, Reader, Where, clear, forget
from ..position.position import Decision, Game, Position, RuleError, Told
from ..position.view import in_sight
from .coverage import Coverage
from .scenario import LOOKS, WORDS, Failure, Result, Rules, Scenario

_RUN = re.compile(r"\s*(?P<name>[a-z_][a-z0-9_]*)(?:\[(?P<case>[a-z_][a-z0-9_]*)\])?\s*\((?P<args>[^()]*)\)\s*")


class _Stop(Exception):
    """The scenario cannot go on; its last failure says why."""


class Runner:
    """One scenario at the table."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario, self.game, self.reader = scenario, game, Reader(game)
        self.result = Result(scenario)
        self.position: Position = game.new(scenario.data.get("seed", 1))
        self.told: list[Told] = []
        self.script: list[int] = []
        self.taken_alone: list[str] = []                           # options that took themselves since the last one written

    def play(self) -> Result:
        """The whole scenario."""
        data = self.scenario.data
        try:
            self.script = [self.chance(thing, n) for n, thing in enumerate(data.get("chance") or [])]
            self.begin(data)
            for n, item in enumerate(data.get("play") or []):
                self.item(item, ("play", n))
            self.settle(("play",))
            if self.script:
                left = ", ".join(str(thing) for thing in data["chance"][-len(self.script):])
                self.fail("test.chance_left", ("chance",), left=left)
            self.expect(data.get("expect") or {})
        except Misread as error:
            place = self.scenario.key_place if error.of_key else self.scenario.place
            self.result.failures.append(Failure(place(*error.path), error.key, error.args_))
        except _Stop:
            pass
        return self.result

    def fail(self, key: str, path: Where, /, **args: Any) -> None:
        self.result.failures.append(Failure(self.scenario.place(*path), key, args))

    def stop(self, key: str, path: Where, /, **args: Any) -> _Stop:
        self.fail(key, path, **args)
        return _Stop()

    # ------------------------------------------------------------ given, run

    def begin(self, data: dict[str, Any]) -> None:
        given = data.get("given") or {}
        run = data.get("run")
        entries = self.prefixed("given", {key: value for key, value in given.items() if key != "clear"})
        if run is not None:
            self.guard(("run",), self.position.go)
        for n, name in enumerate(given.get("clear") or []):
            clear(self.position, self.reader.cell(name, ("given", "clear", n)))
        for entry in entries:
            entry.put(self.position.s)
        forget(self.position)
        if run is not None:
            key, values = self.routine(str(run))
            self.told += self.guard(("run",), lambda: self.game.run(self.position, key, values, self.script))
            return
        self.guard(("play",), lambda: self.position.go(self.script))
        for entry in entries:
            if entry.get(self.position.s) != entry.raw:
                raise self.stop("test.set_up_over_it", entry.path, name=".".join(map(str, entry.path[1:])))

    def prefixed(self, word: str, written: dict[str, Any]) -> list[Entry]:
        """Entries whose path begins where they are written."""
        try:
            found = self.reader.entries(written)
        except Misread as error:
            error.path = (word, *error.path)
            raise
        return [replace(entry, path=(word, *entry.path)) for entry in found]

    def routine(self, text: str) -> tuple[str, list[int]]:
        """`build[tower](anna, e4)` as a key and raw arguments."""
        path = ("run",)
        found = _RUN.fullmatch(text)
        if found is None:
            raise self.stop("test.run_form", path, found=text)
        key = found["name"] + (f"[{found['case']}]" if found["case"] else "")
        family = self.game.ruleset.program.families.get(found["name"])
        if family is None or not self.game.has_procedure(key):
            known = [*self.game.module.entries, *self.game.module.plain]
            raise self.stop("test.unknown_procedure", path, name=key, meant=did_you_mean(key, known) or "")
        words = [word.strip() for word in found["args"].split(",") if word.strip()]
        if len(words) != len(family.params):
            wanted = ", ".join(param.name for param in family.params)
            raise self.stop("test.wrong_arguments", path, name=key, wanted=wanted)
        return key, [self.argument(word, param.type) for word, param in zip(words, family.params)]

    def argument(self, word: str, wanted: Type) -> Any:
        written: Any = int(word) if re.fullmatch(r"-?\d+", word) else word
        if word in ("true", "false"):
            written = word == "true"
        return self.reader.value(written, wanted, ("run",))

    def chance(self, thing: Any, n: int) -> int:
        """What chance gives, as a number: a member of one of the things that this game draws, or a number thrown."""
        if isinstance(thing, int):
            return thing
        word, _, rest = str(thing).rpartition(".")
        drawn = [name for name, _ in self.game.module.chances if name and word in ("", name)]
        for name in drawn:
            try:
                return self.reader.member(rest, name, ("chance", n))
            except Misread:
                continue
        known = [member for name in drawn for member in self.game.model.enums[name].members]
        raise self.stop("test.unknown_chance", ("chance", n), name=str(thing), meant=did_you_mean(rest, known) or "")

    # ------------------------------------------------------------ play

    def guard(self, path: Where, work: Callable[[], list[Told]]) -> list[Told]:
        """Let rules run; a fault of theirs ends the scenario. The laws that `expect` names are looked at after each step."""
        try:
            told = work()
        except RuleError as error:
            findings = Findings()
            findings.items.append(error.diagnostic)
            self.result.failures.append(Failure(self.scenario.place(*path), "test.rule_fault", {}, findings))
            raise _Stop from error
        wanted: Any = (self.scenario.data.get("expect") or {}).get("law")
        for name in self.position.broken_laws() if wanted else []:
            if wanted == "all" or name in wanted:
                raise self.stop("test.law", path, name=name)
        return told

    def settle(self, path: Where) -> None:
        """Decisions with one option take themselves."""
        while (decision := self.position.decision) is not None and len(decision) == 1:
            option = decision.options[0]
            self.taken_alone.append(option.spelling)
            self.told += self.guard(path, partial(self.position.play, decision.seat, option, self.script))

    def item(self, item: Any, path: Where) -> None:
        self.settle(path)
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word in LOOKS:
                    self.look(str(word), wanted, (*path, word))
                else:
                    self.choose(str(word), str(wanted), path)
            return
        who, colon, spelling = str(item).rpartition(":")
        self.choose(who.strip() if colon else None, spelling.strip(), path)

    def look(self, word: str, wanted: Any, path: Where) -> None:
        decision = self.position.decision
        if word == "asks":
            found = decision.key if decision else "-"
            if found != wanted:
                self.fail("test.asks", path, expected=str(wanted), found=found)
            return
        offered = [option.spelling for option in decision.options] if decision else []
        for thing in wanted if isinstance(wanted, list) else [wanted]:
            spelling = " ".join(str(thing).split())
            if word == "offered" and spelling not in offered:
                self.fail("test.not_offered", path, option=spelling, offered=some(offered))
            if word == "not_offered" and spelling in offered:
                self.fail("test.offered", path, option=spelling)

    def choose(self, who: str | None, spelling: str, path: Where) -> None:
        decision = self.position.decision
        spelling = " ".join(spelling.split())
        option = decision.find(spelling) if decision else None
        if option is None and spelling in self.taken_alone:
            self.taken_alone.remove(spelling)                      # written all the same: it has been done
            return
        if decision is None:
            raise self.stop("test.nothing_asked", path, option=spelling)
        if who is not None:
            self.decider(who, decision, path)
        if option is None:
            offered = [o.spelling for o in decision.options]
            raise self.stop("test.not_offered", path, option=spelling, offered=some(offered), meant=did_you_mean(spelling, offered) or "")
        self.taken_alone.clear()
        self.told += self.guard(path, lambda: self.position.play(decision.seat, option, self.script))

    def decider(self, who: str, decision: Decision, path: Where) -> None:
        """Whether it is `who` that decides: a seat, a player, or a member that a player decides for."""
        model = self.game.model
        seat_name = model.enums["Player"].members[decision.seat]
        if who in (str(decision.seat), seat_name):
            return
        for enum in model.enums.values():
            if enum.decides is None or who not in enum.index:
                continue
            member = enum.index[who]
            about = [value for kind, value in in_sight(decision).values() if kind == Of(enum.name)]
            if self.position.value(enum.decides, member) == decision.seat and (not about or member in about):
                return
        deciders = [enum for enum in model.enums.values() if enum.kind == "player" or enum.decides]
        known = [member for enum in deciders for member in enum.members] + [str(n) for n in range(model.players)]
        if who not in known:
            raise self.stop("test.unknown_word", path, name=who, meant=did_you_mean(who, [*known, *LOOKS]) or "")
        raise self.stop("test.decider", path, expected=who, found=seat_name, key=decision.key)

    # ------------------------------------------------------------ expect

    def expect(self, wanted: dict[str, Any]) -> None:
        position = self.position
        decision = position.decision
        if "over" in wanted and position.over != wanted["over"]:
            key = "test.not_over" if decision else "test.is_over"
            self.fail(key, ("expect", "over"), asked=decision.key if decision else "")
        if "asks" in wanted and wanted["asks"] != (decision.key if decision else None):
            self.fail("test.asks", ("expect", "asks"), expected=str(wanted["asks"]), found=decision.key if decision else "-")
        states = {key: value for key, value in wanted.items() if key not in WORDS}
        unknown = [key for key in states if key not in self.game.cells]
        for key in unknown:
            meant = did_you_mean(str(key), [*self.game.cells, *WORDS])
            place = self.scenario.key_place("expect", key)
            self.result.failures.append(Failure(place, "test.unknown_state", {"name": str(key), "meant": meant or ""}))
            del states[key]
        self.compare(self.prefixed("expect", states))
        inner = self.reader_entries(wanted.get("states") or {})
        self.compare(inner)
        if "events" in wanted:
            self.events(wanted["events"] or [])
        if "standing" in wanted:
            self.standing(wanted["standing"] or [])

    def reader_entries(self, written: dict[str, Any]) -> list[Entry]:
        return [replace(entry, path=("expect", "states", *entry.path[1:])) for entry in self.prefixed("expect", written)]

    def compare(self, entries: list[Entry]) -> None:
        for entry in entries:
            found = entry.get(self.position.s)
            if found != entry.raw:
                name = ".".join(str(part) for part in entry.path if part not in ("expect", "states"))
                self.fail("test.value", entry.path, what=name, expected=self.spelt(entry, entry.raw), found=self.spelt(entry, found))

    def spelt(self, entry: Entry, raw: Any) -> str:
        """A raw value of an entry as a scenario writes it."""
        return as_written(self.position.spelt(entry.type, raw))

    def events(self, wanted: list[Any]) -> None:
        told = [(t.key, {name: self.position.spelt(kind, value) for name, kind, value in t.slots}) for t in self.told]
        if not wanted:
            if loud := [key for key, _ in told if key != "chance"]:
                self.fail("test.told", ("expect", "events"), found=some(loud))
            return
        at = 0
        for n, item in enumerate(wanted):
            key, slots = (item, {}) if isinstance(item, str) else next(iter(item.items()))
            slots = {name: None if value == "none" else value for name, value in (slots or {}).items()}
            match = next((i for i in range(at, len(told)) if told[i][0] == key and slots.items() <= told[i][1].items()), None)
            if match is None:
                near = [as_written({k: v}) for k, v in told if k == key]
                found = some(near) if near else some(sorted({k for k, _ in told}))
                self.fail("test.not_told", ("expect", "events", n), expected=as_written({key: slots}), found=found)
                return
            at = match + 1

    def standing(self, wanted: list[Any]) -> None:
        names = self.game.model.enums["Player"].members
        ranks: dict[int, list[str]] = {}
        for rank in self.position.standing():
            ranks.setdefault(rank.rank, []).append(names[rank.seat])
        found = list(ranks.values())
        groups = [sorted(map(str, group)) if isinstance(group, list) else [str(group)] for group in wanted]
        if [sorted(group) for group in found] != groups:
            spelt = as_written([group if len(group) > 1 else group[0] for group in found])
            self.fail("test.standing", ("expect", "standing"), expected=as_written(wanted), found=spelt)


def run_scenario(scenario: Scenario, rules: Rules, coverage: Coverage | None = None) -> Result:
    """Play one scenario by the rules it asks for; `coverage` notes which of their lines run."""
    game, findings = rules.of(scenario)
    if game is None:
        return Result(scenario, [Failure(scenario.place(), "test.no_rules", {}, findings)])
    if coverage is None:
        return Runner(scenario, game).play()
    coverage.watch(game)
    with coverage:
        return Runner(scenario, game).play()


def some(words: list[str], limit: int = 8) -> str:
    """A few of many, for a sentence."""
    return ", ".join(words[:limit]) + (", …" if len(words) > limit else "") if words else "-"


__all__ = ["Runner", "run_scenario"]
