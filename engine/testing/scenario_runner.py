"""Playing a scenario: what is given, what is run, what is played, and what must hold then."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import Findings, did_you_mean
from ...dsl.game.adhoc_expressions import Questions
from ...dsl.model.codec import as_written
from ...dsl.storage.control_slots import PC
from ...dsl.storage.state_literals import Entry
from ...dsl.types.types import Of, Type
from ..position.options import Option
from ..position.position import Decision, Game, Position, RuleError, Told
from ..position.state_entries import Misread, Reader, Where, clear, forget
from ..position.visibility import in_sight
from .answer_patterns import NoAnswer, read
from .coverage import Coverage
from .scenario import LOOKS, TOP, WORDS, Failure, Result, Rules, Scenario, argument, runs_of

_RUN = re.compile(r"\s*(?P<name>[a-z_][a-z0-9_]*)(?:\[(?P<case>[a-z_][a-z0-9_]*)\])?\s*\((?P<args>[^()]*)\)\s*")


def called(text: str) -> tuple[str, str, list[str]] | None:
    """`build[tower](anna, e4)` as name, case ("" for none) and arguments; None where it is not of that form."""
    found = _RUN.fullmatch(text)
    if found is None:
        return None
    return found["name"], found["case"] or "", [word.strip() for word in found["args"].split(",") if word.strip()]


class _Stop(Exception):
    """The scenario cannot go on; its last failure says why."""


class Runner:
    """One scenario at the table."""

    def __init__(self, scenario: Scenario, game: Game, questions: Questions | None = None) -> None:
        self.scenario, self.game, self.reader = scenario, game, Reader(game)
        self.questions = questions or Questions(game.ruleset)
        self.result = Result(scenario)
        self.position: Position = game.new(scenario.data.get("seed", 1))
        self.told: list[Told] = []
        self.script: list[int] = []
        self.forced: list[tuple[Decision, Option]] = []            # taken automatically since the last answer written
        self.waiting: list[tuple[str, Where]] = []                 # procedures to run when the one before is done
        self.broken: frozenset[str] = frozenset()                  # laws that do not hold where it begins
        self.at: Where = ()                                        # what of the scenario is being looked at
        self.heard = 0                                             # how much had been told when something was last expected

    def play(self) -> Result:
        """The whole scenario."""
        return self.as_far_as_it_goes(self.whole)

    def reach(self) -> Result:
        """What is given, run and played, and not what must hold in the end: for who goes on from there, with the rest of `script`."""
        return self.as_far_as_it_goes(self.go_through)

    def as_far_as_it_goes(self, work: Callable[[], object]) -> Result:
        """Do some of it; where it cannot go on, the failures say why."""
        try:
            work()
        except Misread as error:
            place = self.scenario.key_place if error.of_key else self.scenario.place
            self.result.failures.append(Failure(place(*error.path), error.key, error.args_))
        except (RuleFault, RuleError) as error:                    # in what is asked of the rules beside playing: options, a standing
            self.result.failures.append(faulted(self.scenario, self.at, self.game, self.position, error))
        except _Stop:
            pass
        return self.result

    def whole(self) -> None:
        data = self.scenario.data
        self.go_through()
        self.at = ("play",)
        self.settle(self.at)
        if self.script:
            left = ", ".join(str(thing) for thing in data["chance"][-len(self.script):])
            self.fail("test.chance_left", ("chance",), left=left)
        self.expect(data.get("expect") or {}, ("expect",))
        self.result.broken = tuple(sorted(self.broken))

    def go_through(self) -> None:
        for item, path in self.set_up():
            self.item(item, path)

    def set_up(self) -> list[tuple[Any, Where]]:
        """Write down what chance gives, and begin; what is to be played then."""
        data = self.scenario.data
        self.script = [self.chance(thing, n) for n, thing in enumerate(data.get("chance") or [])]
        items: list[tuple[Any, Where]] = [(item, ("play", n)) for n, item in enumerate(data.get("play") or [])]
        self.begin(data, items)
        return items

    def fail(self, key: str, path: Where, /, **args: Any) -> None:
        self.result.failures.append(Failure(self.scenario.place(*path), key, args))

    def stop(self, key: str, path: Where, /, **args: Any) -> _Stop:
        self.fail(key, path, **args)
        return _Stop()

    # ------------------------------------------------------------ given, run

    def begin(self, data: dict[str, Any], items: list[tuple[Any, Where]]) -> None:
        """Put what is given, and run the first procedure or the game up to its first decision."""
        self.waiting = [*runs_of(data)]
        if not self.waiting and items and isinstance(items[0][0], dict) and list(items[0][0]) == ["run"]:
            self.waiting = [(str(items[0][0]["run"]), (*items[0][1], "run"))]
            del items[0]
        if self.waiting:
            self.guard(self.waiting[0][1], self.position.go)
        placed: dict[Any, Entry] = {}
        for where, given in self.scenario.layers:
            for n, name in enumerate(given.get("clear") or []):
                clear(self.position, self.reader.cell(name, (TOP, *where, "clear", n)))
            for entry in self.prefixed((TOP, *where), {key: value for key, value in given.items() if key != "clear"}):
                entry.put(self.position.s)
                placed[entry.cell, entry.index, entry.kind] = entry
        forget(self.position)
        if self.waiting:
            self.broken = frozenset(self.position.broken_laws())
            self.named_laws(self.waiting[0][1])
            self.next_run()
            return
        self.guard(("play",), lambda: self.position.go(self.script))
        for entry in placed.values():
            if entry.get(self.position.s) != entry.raw and not self.covered(entry, placed):
                raise self.stop("test.set_up_over_it", entry.path, name=self.name_of(entry))
        self.broken = frozenset(self.position.broken_laws())
        self.named_laws(("play",))

    def covered(self, entry: Entry, placed: dict[Any, Entry]) -> bool:
        """Whether a whole bag was given over the count of one kind, or a count over the whole bag: then the later one counts."""
        same = [other for other in placed.values() if (other.cell, other.index) == (entry.cell, entry.index)]
        return any((other.kind is None) != (entry.kind is None) for other in same)

    def name_of(self, entry: Entry) -> str:
        """An entry as a scenario calls it: coins.anna."""
        words = list(entry.path)
        return ".".join(str(word) for word in words[words.index(entry.cell.state.name):])

    def next_run(self) -> None:
        """Run the next procedure that waits for its turn."""
        text, path = self.waiting.pop(0)
        key, values = self.routine(text, path)
        self.told += self.guard(path, lambda: self.game.run(self.position, key, values, self.script))

    def prefixed(self, prefix: Where, written: dict[str, Any]) -> list[Entry]:
        """Entries whose path begins where they are written."""
        try:
            found = self.reader.entries(written)
        except Misread as error:
            error.path = (*prefix, *error.path)
            raise
        return [replace(entry, path=(*prefix, *entry.path)) for entry in found]

    def routine(self, text: str, path: Where) -> tuple[str, list[int]]:
        """`build[tower](anna, e4)` as a key and raw arguments."""
        found = called(text)
        if found is None:
            raise self.stop("test.run_form", path, found=text)
        name, case, words = found
        key = name + (f"[{case}]" if case else "")
        family = self.game.ruleset.program.families.get(name)
        if family is None or not self.game.has_procedure(key):
            known = [*self.game.module.entries, *self.game.module.plain]
            raise self.stop("test.unknown_procedure", path, name=key, meant=did_you_mean(key, known) or "")
        if len(words) != len(family.params):
            wanted = ", ".join(param.name for param in family.params)
            raise self.stop("test.wrong_arguments", path, name=key, wanted=wanted)
        return key, [self.argument(word, param.type, path) for word, param in zip(words, family.params)]

    def argument(self, word: str, wanted: Type, path: Where) -> Any:
        return self.reader.value(argument(word), wanted, path)

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

    # ------------------------------------------------------------ laws

    def named_laws(self, path: Where) -> None:
        """A law that is named must hold from the beginning."""
        known = [name for name, _, _ in self.game.module.always]
        ends = [("expect",)] if "expect" in self.scenario.data else []
        items = enumerate(self.scenario.data.get("play") or [])
        steps = [("play", n, "expect") for n, item in items if isinstance(item, dict) and "expect" in item]
        for end in [*ends, *steps]:
            found: Any = self.scenario.data
            for part in end:
                found = found[part]
            wanted = (found or {}).get("law") or []
            for n, name in enumerate(known if wanted == "all" else wanted):
                where = (*end, "law") if wanted == "all" else (*end, "law", n)
                if name not in known:
                    raise self.stop("test.unknown_law", where, name=str(name), meant=did_you_mean(str(name), known) or "")
                if name in self.broken:
                    raise self.stop("test.law", where, name=name)

    # ------------------------------------------------------------ play

    def guard(self, path: Where, work: Callable[[], list[Told]]) -> list[Told]:
        """Let rules run; a fault of theirs ends the scenario, and so does a law that held where it began and does not any more."""
        begun = self.position.s[PC] != self.game.module.start
        try:
            told = work()
        except RuleError as error:
            self.result.failures.append(faulted(self.scenario, path, self.game, self.position, error))
            raise _Stop from error
        for name in sorted(set(self.position.broken_laws()) - self.broken) if begun else []:
            raise self.stop("test.law", path, name=name)
        return told

    def settle(self, path: Where) -> None:
        """Decisions with one option take themselves, and what is to run next begins when what ran before is done."""
        while True:
            decision = self.position.decision
            if decision is not None and len(decision) == 1:
                self.take_alone(decision, path)
            elif decision is None and self.waiting:
                self.next_run()
            else:
                return

    def take_alone(self, decision: Decision, path: Where) -> None:
        """Take the only option that there is."""
        option = decision.options[0]
        before = self.position.copy().decision
        assert before is not None
        self.forced.append((before, option))
        self.told += self.guard(path, partial(self.position.play, decision.seat, option, self.script))

    def item(self, item: Any, path: Where) -> None:
        self.at = path
        self.settle(path)
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word in LOOKS:
                    self.look(str(word), wanted, (*path, word))
                elif word == "expect":
                    self.expect(wanted or {}, (*path, word))
                    self.heard = len(self.told)
                elif word == "run":
                    if self.position.decision is not None:
                        raise self.stop("test.still_asked", (*path, word), key=self.position.decision.key)
                    self.waiting.append((str(wanted), (*path, word)))
                    self.settle(path)
                else:
                    self.choose(str(word), str(wanted), path)
            return
        who, colon, spelling = str(item).rpartition(":")
        self.choose(who.strip() if colon else None, spelling.strip(), path)

    def look(self, word: str, wanted: Any, path: Where) -> None:
        decision = self.position.decision
        if word == "asks":
            self.asks(wanted, path)
            return
        for n, thing in enumerate(wanted if isinstance(wanted, list) else [wanted]):
            spelling = " ".join(str(thing).split())
            where = (*path, n) if isinstance(wanted, list) else path
            if decision is None:
                raise self.stop("test.nothing_asked", where, option=spelling)
            try:
                meant = read(decision, spelling, self.game)
            except NoAnswer as error:
                self.fail(error.key, where, **error.args_)
                continue
            fitting = [option for option in decision.options if meant.means(option)]
            if word == "offered" and not fitting:
                self.fail("test.not_offered", where, option=spelling, offered=some([option.spelling for option in decision.options]))
            if word == "not_offered" and fitting:
                self.fail("test.offered", where, option=spelling)

    def asks(self, wanted: Any, path: Where) -> None:
        """Whether the decision with this key waits."""
        found = self.position.decision.key if self.position.decision else "-"
        if found != wanted:
            known = [kind.key for kind in self.game.module.decisions]
            meant = did_you_mean(str(wanted), known) if wanted not in known else None
            self.fail("test.asks", path, expected=str(wanted), found=found, meant=meant or "")

    def choose(self, who: str | None, spelling: str, path: Where) -> None:
        decision = self.position.decision
        spelling = " ".join(spelling.split())
        if decision is None or not self.answers(decision, None, who, spelling):
            for n, (before, taken) in enumerate(self.forced):
                if self.answers(before, taken, who, spelling):     # written all the same: it has been done
                    del self.forced[n]
                    return
        if decision is None:
            raise self.stop("test.nothing_asked", path, option=spelling)
        if who is not None:
            self.decider(who, decision, path)
        option = self.option(decision, spelling, path)
        self.forced.clear()
        self.told += self.guard(path, lambda: self.position.play(decision.seat, option, self.script))

    def answers(self, decision: Decision, taken: Option | None, who: str | None, spelling: str) -> bool:
        """Whether a written answer means this option of a decision (None: any of those offered), by somebody who decides there."""
        if who is not None and not self.is_decider(who, decision):
            return False
        try:
            meant = read(decision, spelling, self.game)
        except NoAnswer:
            return False
        return meant.whole and any(meant.means(option) for option in (decision.options if taken is None else [taken]))

    def option(self, decision: Decision, spelling: str, path: Where) -> Option:
        """The option that is to be taken."""
        offered = [o.spelling for o in decision.options]
        try:
            meant = read(decision, spelling, self.game)
        except NoAnswer as error:
            near = did_you_mean(spelling, offered) or (error.args_["meant"] if error.key == "test.no_answer" else "")
            raise self.stop("test.not_offered", path, option=spelling, offered=some(offered), meant=near) from error
        found = [o for o in decision.options if meant.means(o)] if meant.whole else []
        if not found:
            raise self.stop("test.not_offered", path, option=spelling, offered=some(offered), meant=did_you_mean(spelling, offered) or "")
        return found[0]

    def is_decider(self, who: str, decision: Decision) -> bool:
        """Whether it is `who` that decides: a seat, a player, or a member that a player decides for."""
        model = self.game.model
        if who in (str(decision.seat), model.enums["Player"].members[decision.seat]):
            return True
        for enum in model.enums.values():
            if enum.decides is None or who not in enum.index:
                continue
            member = enum.index[who]
            about = [value for kind, value in in_sight(decision).values() if kind == Of(enum.name)]
            if decision.position.value(enum.decides, member) == decision.seat and (not about or member in about):
                return True
        return False

    def decider(self, who: str, decision: Decision, path: Where) -> None:
        """Fail if it is not `who` that decides."""
        if self.is_decider(who, decision):
            return
        model = self.game.model
        seat_name = model.enums["Player"].members[decision.seat]
        deciders = [enum for enum in model.enums.values() if enum.kind == "player" or enum.decides]
        known = [member for enum in deciders for member in enum.members] + [str(n) for n in range(model.players)]
        if who not in known:
            raise self.stop("test.unknown_word", path, name=who, meant=did_you_mean(who, [*known, *LOOKS]) or "")
        raise self.stop("test.decider", path, expected=self.who(who), found=self.who(seat_name, decision), key=decision.key)

    def who(self, name: str, decision: Decision | None = None) -> str:
        """Somebody with whom it is: `swan (anna)`, `anna (swan, goose)`."""
        model = self.game.model
        players = model.enums["Player"]
        if name.isdigit() and int(name) < model.players:
            name = players.members[int(name)]
        behind: list[str] = []
        for enum in model.enums.values():
            cell = self.game.cells.get(enum.decides or "")
            if cell is None or len(cell.enums) != 1:
                continue
            for member, word in enumerate(enum.members):
                seat = self.position.at(cell, [member])
                if word == name and 0 <= seat < model.players:
                    behind.append(players.members[seat])
                elif name in players.index and seat == players.index[name] and decision is not None:
                    behind.append(word)
        return f"{name} ({some(behind, 3)})" if behind and (decision is not None or name not in players.index) else name

    # ------------------------------------------------------------ expect

    def expect(self, wanted: dict[str, Any], at: Where) -> None:
        """Look at all that must hold; `at`: where it is written."""
        position, self.at = self.position, at
        decision = position.decision
        if "over" in wanted and position.over != wanted["over"]:
            key = "test.not_over" if decision else "test.is_over"
            self.fail(key, (*at, "over"), asked=decision.key if decision else "")
        if "asks" in wanted:
            self.asks(wanted["asks"], (*at, "asks"))
        named = {key: value for key, value in wanted.items() if key not in WORDS}
        self.compare(self.prefixed(at, {key: value for key, value in named.items() if key in self.game.cells}))
        for key, value in named.items():
            if key not in self.game.cells:
                self.answer(str(key), value, (*at, key))
        self.compare(self.prefixed((*at, "states"), wanted.get("states") or {}))
        if "events" in wanted:
            self.events(wanted["events"] or [], at)
        self.silent(wanted.get("not_told") or [], (*at, "not_told"))
        if "standing" in wanted:
            self.standing(wanted["standing"] or [], at)

    def answer(self, text: str, wanted: Any, path: Where) -> None:
        """An expression of the rules and the value that it must have."""
        place = self.scenario.key_place(*path)
        words = [*self.game.cells, *self.questions.names(), *WORDS]
        if text.isidentifier() and text not in words and text not in self.game.model.numbers and text not in self.game.model.options:
            self.result.failures.append(Failure(place, "test.unknown_state", {"name": text, "meant": did_you_mean(text, words) or ""}))
            return
        question, findings = self.questions.ask(text)
        if question is None:
            told = Findings()
            told.items = [replace(found, place=place) for found in findings.items]
            self.result.failures.append(Failure(place, "test.expression", {"text": text}, told))
            return
        codec = self.game.codec(question.type)
        expected = codec.write(self.reader.value(wanted, question.type, path))
        try:
            found = codec.write(question.value(self.position.s))
        except RuleFault as error:
            told = Findings()
            told.add(error.kind, place, **error.details)
            self.result.failures.append(Failure(place, "test.rule_fault", {}, told))
            return
        if found != expected:
            self.fail("test.value", path, what=text, expected=as_written(expected), found=as_written(found))

    def compare(self, entries: list[Entry]) -> None:
        for entry in entries:
            found = entry.get(self.position.s)
            if found != entry.raw:
                expected = self.spelt(entry, entry.raw)
                self.fail("test.value", entry.path, what=self.name_of(entry), expected=expected, found=self.spelt(entry, found))

    def spelt(self, entry: Entry, raw: Any) -> str:
        """A raw value of an entry as a scenario writes it."""
        return as_written(self.position.spelt(entry.type, raw))

    def events(self, wanted: list[Any], where: Where) -> None:
        """Whether this was told, in this order, since something was last expected."""
        told = self.told_lately()
        if not wanted:
            if loud := [key for key, _ in told if key != "chance"]:
                self.fail("test.told", (*where, "events"), found=some(loud))
            return
        at = 0
        for n, item in enumerate(wanted):
            event = self.event(item, (*where, "events", n))
            if event is None:
                return
            key, slots = event
            match = next((i for i in range(at, len(told)) if told[i][0] == key and slots.items() <= told[i][1].items()), None)
            if match is None:
                near = [as_written({k: v}) for k, v in told if k == key]
                found = some(near) if near else some(sorted({k for k, _ in told}))
                self.fail("test.not_told", (*where, "events", n), expected=as_written({key: slots}), found=found)
                return
            at = match + 1

    def silent(self, unwanted: list[Any], where: Where) -> None:
        """Whether none of this was told since something was last expected."""
        told = self.told_lately()
        for n, item in enumerate(unwanted):
            key, slots = self.event(item, (*where, n)) or ("", {})
            for found in [as_written({k: v}) for k, v in told if k == key and slots.items() <= v.items()][:1]:
                self.fail("test.told_after_all", (*where, n), found=found)

    def told_lately(self) -> list[tuple[str, dict[str, Any]]]:
        """What was told since something was last expected: the events with their values as they are written."""
        return [(t.key, {name: self.position.spelt(kind, value) for name, kind, value in t.slots}) for t in self.told[self.heard:]]

    def event(self, item: Any, where: Where) -> tuple[str, dict[str, Any]] | None:
        """An event as a scenario writes it, with the values that it must have; None, and a failure, where the game has none such."""
        known = {event.key: [name for name, _ in event.slots] for event in self.game.module.events} | {"chance": ["found"]}
        key, slots = (item, {}) if isinstance(item, str) else next(iter(item.items()))
        slots = {name: None if value == "none" else value for name, value in (slots or {}).items()}
        for word, words in [(key, list(known)), *((name, known.get(key, [])) for name in slots)]:
            if word not in words:
                self.fail("test.unknown_event", where, name=str(word), meant=did_you_mean(str(word), words) or "")
                return None
        return key, slots

    def standing(self, wanted: list[Any], where: Where) -> None:
        self.at = (*where, "standing")
        names = self.game.model.enums["Player"].members
        ranks: dict[int, list[str]] = {}
        for rank in self.position.standing():
            ranks.setdefault(rank.rank, []).append(names[rank.seat])
        found = list(ranks.values())
        groups = [sorted(map(str, group)) if isinstance(group, list) else [str(group)] for group in wanted]
        if [sorted(group) for group in found] != groups:
            spelt = as_written([group if len(group) > 1 else group[0] for group in found])
            self.fail("test.standing", (*where, "standing"), expected=as_written(wanted), found=spelt)


def run_scenario(scenario: Scenario, rules: Rules, coverage: Coverage | None = None) -> Result:
    """Play one scenario by the rules it asks for; `coverage` notes which of their lines run."""
    game, findings = rules.of(scenario)
    if game is None:
        return Result(scenario, [Failure(scenario.place(), "test.no_rules", {}, findings)])
    try:
        runner = Runner(scenario, game, rules.questions(game))
    except RuleFault as error:                                     # in the first values
        return Result(scenario, [faulted(scenario, (), game, None, error)])
    if coverage is None:
        return runner.play()
    coverage.watch(game)
    with coverage:
        return runner.play()


def faulted(scenario: Scenario, path: Where, game: Game, position: Position | None, error: RuleFault | RuleError) -> Failure:
    """The failure of a scenario whose rules do what they may not, with the line of the rules."""
    findings = Findings()
    if isinstance(error, RuleError):
        findings.put(error.diagnostic)
    elif position is not None:
        findings.put(game.fault(error, error.__traceback__, position.s))
    else:
        findings.add(error.kind, scenario.place(*path), **error.details)
    return Failure(scenario.place(*path), "test.rule_fault", {}, findings)


def some(words: list[str], limit: int = 8) -> str:
    """A few of many, for a sentence."""
    return ", ".join(words[:limit]) + (", …" if len(words) > limit else "") if words else "-"


__all__ = ["Runner", "run_scenario"]
