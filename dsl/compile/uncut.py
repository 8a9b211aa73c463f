"""The uncut form: the same tree compiled without cuts, for simulation. A choice is made on the spot, at random, so procedures are
plain functions, loops plain loops, and locals plain variables. It plays the same games as the blocks, only without stopping.

While it runs, s[PC] holds the greatest number of rounds, s[ANSWER] counts decisions, s[OPTIONS] is the random source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core import nodes as core
from ..core.program import Routine
from .choices import Choices
from .routines import RoutineWriter
from .runtime import ANSWER, OPTIONS, PC, ROUND

if TYPE_CHECKING:
    from .module import ModuleWriter


class UncutWriter(RoutineWriter):
    """Compiles any procedure as one that never asks."""

    def __init__(self, writer: ModuleWriter, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.asks = False
        self.choices = UncutChoices(self)

    def call_asks(self, node: core.Do, known: int | None) -> bool:
        return False

    def watch_budget(self, turns: str) -> None:
        pass  # decisions interrupt it; the number of rounds is limited

    def count_round(self, outermost: bool) -> None:
        if outermost:
            self.x.emit(f"if s[{ROUND}] >= s[{PC}]: raise Halt")
            self.x.emit(f"s[{ROUND}] += 1")


class UncutChoices(Choices):
    """Choices that are made where they stand."""

    def pick(self) -> None:
        """An answer to the options in `o`, of which there is at least one."""
        self.x.code.loads["pick"] = OPTIONS
        self.x.emit("a = o[int(pick() * len(o))]")
        self.x.emit(f"s[{ANSWER}] += 1")

    def ask_groups(self, node: core.Choose, optional: bool, taken: Any) -> None:
        """Choose group after group; `taken` writes what follows, only reached when something was chosen. None: what follows is the rest
        of the procedure, which ends where nothing was chosen."""
        x = self.x
        groups, chance = node.ways[0].groups, node.chance
        conditions = self.split(node)
        depth = x.code.depth
        for n, group in enumerate(groups):
            rest = [gen for later in groups[n + 1 :] for gen in later] if not chance else []
            rest_conditions = [c for later in conditions[n + 1 :] for c in later] if not chance else []
            locals_ = [gen.local for gen in group]
            slots = self.thrown(locals_) if chance else [self.slot(local) for local in locals_]
            self.options(group, conditions[n], slots, rest, rest_conditions)
            if taken is None:
                if n == 0 and node.stop:
                    x.emit("if not o: return")
            elif n == 0 or chance:
                x.emit("if o:")
                x.code.depth += 1
            if n == 0 and optional:
                x.emit("o = [*o, -1]")
            if chance:
                x.emit("a = chance(s, o, 0)")
            else:
                self.pick()
            if n == 0 and optional and taken is None:
                x.emit("if a < 0: return")
            elif n == 0 and optional:
                x.emit("if a >= 0:")
                x.code.depth += 1
            self.decode(slots, locals_, "a")
        if taken is not None:
            taken()
        x.code.depth = depth

    def flat(self, node: core.Choose) -> None:
        if node.how is not None and node.how.sets:
            self.chosen_set(node)
            return
        self.ask_groups(node, node.may, None)

    def block(self, node: core.Choose, body: core.Block) -> None:
        x, how = self.x, node.how
        if how is not None and how.sets:
            self.chosen_set(node)
            self.r.suite(body)
            return
        made = self.w.fresh.temp("b")

        def taken() -> None:
            x.emit(f"{made} = True")
            self.r.suite(body)
            x.code.closed = False

        if how is not None:
            assert how.count is not None
            x.emit(f"for _ in range({x.of(how.count)}):")
            with x.code.indented():
                x.emit(f"{made} = False")
                self.ask_groups(node, how.kind == "up to times", taken)
                x.emit(f"if not {made}: break")
            return
        x.emit(f"{made} = False")
        self.ask_groups(node, node.may, taken)
        if node.otherwise is not None:
            x.emit(f"if not {made}:")
            with x.code.indented():
                self.r.suite(node.otherwise.body)
                x.code.closed = False

    def chosen_set(self, node: core.Choose) -> None:
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        variable = self.w.fresh.local(result)
        x.emit(f"{variable} = 0")
        self.r.declare(result)
        self.options([gen], node.ways[0].where, [self.slot(gen.local)], [], [])
        things, left = self.w.fresh.temp("l"), self.w.fresh.temp("n")
        x.emit(f"{things} = tuple(o)")
        wanted = f"len({things})" if how.count is None else x.temp(x.of(how.count))
        x.emit(f"{left} = min({wanted}, len({things}))")
        x.emit(f"while {left} > 0 and {things}:")
        with x.code.indented():
            x.emit(f"o = {things}[:len({things}) - {left} + 1]" if exact else f"o = [*{things}, -1]")
            self.pick()
            if not exact:
                x.emit("if a < 0: break")
            x.emit(f"{variable} |= 1 << a")
            x.emit(f"{things} = {things}[{things}.index(a) + 1:]")
            x.emit(f"{left} -= 1")

    def menu(self, node: core.Choose) -> None:
        x, how = self.x, node.how
        made = self.w.fresh.temp("b")
        if how is not None:
            assert how.count is not None
            x.emit(f"for _ in range({x.of(how.count)}):")
            x.code.depth += 1
        x.emit(f"{made} = False")
        x.emit("o = []")
        named, offset = [], 0
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.slot(local) for local in locals_]
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(f"o.append({self.code_of(slots, locals_, offset)})")
            x.close_gens(levels)
            x.env = saved
            self.once(way.gens)
            size = 1
            for slot in slots:
                size *= slot.radix
            named.append((way, slots, locals_, offset, size))
            offset += size
        x.emit("if o:")
        x.code.depth += 1
        if node.may or how is not None and how.kind == "up to times":
            x.emit("o.append(-1)")
        self.pick()
        for n, (way, slots, locals_, start, size) in enumerate(named):
            x.emit(f"{'el' if n else ''}if {start} <= a < {start + size}:")
            with x.code.indented():
                x.emit(f"{made} = True")
                x.emit(f"a -= {start}")
                self.decode(slots, locals_, "a")
                self.r.suite(way.body or ())
                x.code.closed = False
        x.code.depth -= 1
        if how is not None:
            x.emit(f"if not {made}: break")
            x.code.depth -= 1
        elif node.otherwise is not None:
            x.emit(f"if not {made}:")
            with x.code.indented():
                self.r.suite(node.otherwise.body)
                x.code.closed = False
