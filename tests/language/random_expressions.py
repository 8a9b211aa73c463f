"""Generates random expressions over the toy base `garden`: well typed, of any shape."""

from __future__ import annotations

import random
from collections.abc import Callable

MEMBERS = {
    "Colour": ["red", "green", "blue"],
    "Fruit": ["apple", "pear", "plum"],
    "Player": ["player_1", "player_2"],
    "Cell": ["a1", "b1", "c2"],
}


class RandomExpressions:
    """Generates the text of expressions. `scope` lists the visible names as (name, kind)."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.count = 0
        self.defs: list[tuple[str, list[str], str]] = []  # name, parameter types, result

    # ------------------------------------------------------------ helpers

    def pick(self, *things: object) -> object:
        return self.rng.choice(things)

    def one(self, *makers: object) -> str:
        return self.rng.choice(makers)()  # type: ignore[operator]

    def new(self, hint: str = "v") -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def known(self, scope: list, kind: str) -> list[str]:
        return [name for name, found in scope if found == kind]

    # ------------------------------------------------------------ expressions

    def int(self, scope: list, depth: int = 2) -> str:
        rng = self.rng
        names = self.known(scope, "int")
        if names and rng.random() < 0.4:
            return rng.choice(names)
        if depth <= 0 or rng.random() < 0.3:
            return rng.choice([str(rng.randrange(0, 5)), "n", "k", "low", "three", "many", "pear.seeds", "size(g)", "fresh"])
        d = depth - 1
        return self.one(
            lambda: f"{self.int(scope, d)} {self.pick('+', '-', '*')} {rng.randrange(0, 4)}",
            lambda: f"{self.int(scope, d)} + {self.int(scope, d)}",
            lambda: f"{self.int(scope, d)} - {self.int(scope, d)}",
            lambda: f"({self.int(scope, d)}) {self.pick('//', '%')} {rng.randrange(1, 4)}",
            lambda: f"-({self.int(scope, d)})",
            lambda: f"m[{self.member('Colour', scope, d)}]",
            lambda: f"b[{self.member('Colour', scope, d)}]",
            lambda: f"h[{self.member('Fruit', scope, d)}][{self.member('Colour', scope, d)}]",
            lambda: f"{self.member('Fruit', scope, d)}.price",
            lambda: f"{self.member('Fruit', scope, d)}.mix[{self.member('Colour', scope, d)}]",
            lambda: f"{self.member('Fruit', scope, d)}.parts[{self.int(scope, d)}]",
            lambda: f"bonus[{self.int(scope, d)}]",
            lambda: f"prize[{self.int(scope, d)}]",
            lambda: f"({self.int(scope, d)} if {self.bool(scope, d)} else {self.int(scope, d)})",
            lambda: f"size({self.set(scope, d)})",
            lambda: f"size({self.pick('b', 'l', 'c', 'deck', 'hand[player_1]', 'h[pear]')})",
            lambda: f"{self.pick('min', 'max')}({self.int(scope, d)}, {self.int(scope, d)})",
            lambda: f"ceil({self.int(scope, d)}, 2)",
            lambda: f"position({self.member('Colour', scope, d)})",
            lambda: f"position({self.member('Colour', scope, d)}, l)",
            lambda: self.fold_int(scope, d),
            lambda: self.fold_int(scope, d),
            lambda: f"(bid otherwise {self.int(scope, d)})",
            lambda: self.called("int", scope, d) or "k",
            lambda: f"size(regions({self.cells(scope, d)}))",
            lambda: self.parts(scope, d),
            lambda: self.bags(scope),
            lambda: f"{self.bag(scope)}[{self.member('Colour', scope, d)}]",
            lambda: f"distance({self.member('Cell', scope, d)}, {self.member('Cell', scope, d)})",
            lambda: f"z[{self.spot(scope)}]",
            lambda: self.after(self.int, scope, d),
            lambda: self.holding(scope, d),
            lambda: self.way(scope, d),
            lambda: self.trail(scope, d),
        )

    def parts(self, scope: list, d: int) -> str:
        """Counts sets of members, either all of them or those of one size."""
        part = self.new("q")
        if self.rng.random() < 0.3:
            return f"count({part} in subsets({self.cells(scope, 0)}, 2) where {self.member('Cell', scope, d)} in {part})"
        return f"sum({part} in subsets({self.set(scope, d)}) where {self.member('Colour', scope, d)} in {part}: size({part}))"

    def after(self, make: Callable[[list, int], str], scope: list, d: int) -> str:
        """Evaluates an expression after a procedure. Adds brackets, because `after` extends as far as it can."""
        return f"(after swing({self.member('Colour', scope, d)}, {self.member('Cell', scope, d)}): {make(scope, d)})"

    def holding(self, scope: list, d: int) -> str:
        """Counts cells with some content, in all forms that the language offers."""
        cell, thing = self.new("q"), self.new("x")
        wanted, sign = self.pick(self.member("Colour", scope, d), "none", "c"), self.pick("==", "!=")
        return self.one(
            lambda: f"count({cell} in Cell where mark[{cell}] {sign} {wanted})",
            lambda: f"count({cell} in Cell where mark[{cell}] == {wanted} and {self.bool([*scope, (cell, 'Cell')], d)})",
            lambda: f"count({cell} in Cell, {thing} in mark[{cell}] where {thing} {sign} {self.member('Colour', scope, d)})",
            lambda: f"size(set({cell} in Cell, {thing} in mark[{cell}] where {thing} in {self.pick('apple', 'pear')}.likes: {cell}))",
            lambda: f"sum({cell} in Cell, {thing} in mark[{cell}]: position({thing}))",
            lambda: f"size(set({cell} in "
                    f"step({self.member('Cell', scope, d)}, {self.pick('north', 'west')}) where mark[{cell}] == {wanted}: {cell}))",
            lambda: f"size(between({self.member('Cell', scope, d)}, {self.member('Cell', scope, d)}))",
            lambda: f"count({cell} in ray({self.member('Cell', scope, d)}, {self.pick('east', 'northeast', 'south')}) where lit[{cell}])",
        )

    def bag(self, scope: list = ()) -> str:
        return str(self.pick("b", "h[apple]", "h[pear]", "pear.mix", "plum.mix", *self.known(scope, "bag")))

    def bags(self, scope: list) -> str:
        """Counts the bags of some size that a bag contains."""
        part = self.new("q")
        many = self.pick("1", "2", "0..2", "min(2, k)", "1..min(3, k)", "0-1..1")
        return f"sum({part} in amounts({self.bag(scope)}, {many}) where {part}[{self.member('Colour', scope, 0)}] > 0: size({part}))"

    def spot(self, scope: list) -> str:
        return self.rng.choice([*self.known(scope, "Spot"), "pole"])

    def fold_int(self, scope: list, d: int) -> str:
        heads, inner, last = self.binders(scope, d)
        where = f" where {self.bool(inner, d)}" if self.rng.random() < 0.6 else ""
        word = self.pick("count", "sum", "highest", "lowest")
        return f"count({heads}{where})" if word == "count" else f"{word}({heads}{where}: {self.int(inner, d)})"

    def way(self, scope: list, d: int) -> str:
        """Measures a way. Its steps cannot fault: which of them are looked at is no part of the meaning."""
        here, there = self.new("p"), self.new("q")
        inner = [*scope, (here, "Cell"), (there, "Cell")]
        test = self.pick("", f" where not lit[{there}]", f" where mark[{there}] == mark[{here}]", f" where {self.bool(inner, 0)}")
        cost = self.pick("", ": 2", f": max(0, {self.int(inner, 0)})", f": position({there}) % 3")
        ends = f"{here} in {self.cells(scope, d)} to {self.cells(scope, d)}"
        return f"(shortest({ends}, {there} in near({here}){test}{cost}) otherwise {self.int(scope, 0)})"

    def trail(self, scope: list, d: int) -> str:
        """Measures a trail, or a path that visits each cell once. Its steps cannot fault."""
        here, there, over = self.new("p"), self.new("q"), self.new("r")
        inner = [*scope, (here, "Cell"), (there, "Cell")]
        test = self.pick("", f" where not lit[{there}]", f" where {self.bool(inner, 0)}")
        cost = self.pick("", ": 2", f": max(0, {self.int(inner, 0)})", f": position({there}) % 3")
        starts = f"{here} in {self.cells(scope, d)}" + self.pick("", f" through {self.cells(scope, d)}")
        step = self.pick(f"{there} in near({here})", f"{over} in {self.pick('Colour', f'ray({here}, east)')}, {there} in near({here})")
        return f"longest({starts}, {step}{test}{cost})"

    def bool(self, scope: list, depth: int = 2) -> str:
        rng = self.rng
        names = self.known(scope, "bool")
        if names and rng.random() < 0.3:
            return rng.choice(names)
        if depth <= 0:
            return rng.choice(["f", "k > 2", "c == red", "late", "mood == calm", "red in g", "n % 2 == 0"])
        d = depth - 1
        return self.one(
            lambda: f"{self.int(scope, d)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.int(scope, d)}",
            lambda: f"({self.bool(scope, d)} and {self.bool(scope, d)})",
            lambda: f"({self.bool(scope, d)} or {self.bool(scope, d)})",
            lambda: f"not {self.bool(scope, 0)}" if rng.random() < 0.5 else f"not ({self.bool(scope, d)})",
            lambda: f"{self.maybe(scope, d)} == {self.pick('none', self.member('Colour', scope, d), self.maybe(scope, d))}",
            lambda: f"{self.member('Colour', scope, d)} {self.pick('in', 'not in')} {self.colours(scope, d)}",
            lambda: f"{self.maybe(scope, d)} in {self.colours(scope, d)}",
            lambda: f"lit[{self.member('Cell', scope, d)}]",
            lambda: f"{self.set(scope, d)} == {self.set(scope, d)}",
            lambda: f"{self.bag(scope)} {self.pick('<=', '>=')} {self.bag(scope)}",
            lambda: f"{self.int(scope, d)} in {self.int(scope, 0)}..{self.int(scope, 0)}",
            lambda: self.fold_bool(scope, d),
            lambda: self.fold_bool(scope, d),
            lambda: self.called("bool", scope, d) or "f",
            lambda: f"{self.member('Fruit', scope, d)}.after_rain",
            lambda: self.after(self.bool, scope, d),
        )

    def fold_bool(self, scope: list, d: int) -> str:
        heads, inner, _ = self.binders(scope, d)
        where = f" where {self.bool(inner, d)}" if self.rng.random() < 0.5 else ""
        return f"{self.pick('any', 'all')}({heads}{where}{f': {self.bool(inner, d)}' if self.rng.random() < 0.8 else ''})"

    def member(self, domain: str, scope: list, depth: int = 1) -> str:
        names = self.known(scope, domain)
        if names and self.rng.random() < 0.7:
            return self.rng.choice(names)
        if domain == "Colour" and depth > 0 and self.rng.random() < 0.3:
            return f"({self.maybe(scope, depth - 1)} otherwise {self.rng.choice(MEMBERS['Colour'])})"
        if domain == "Player" and self.rng.random() < 0.3:
            return f"next({self.rng.choice(MEMBERS['Player'])})"
        return self.rng.choice(MEMBERS[domain])

    def maybe(self, scope: list, depth: int = 1) -> str:
        if depth <= 0:
            return str(self.pick("c", "last(l)", "plum.tint"))
        d = depth - 1
        return self.one(
            lambda: "c",
            lambda: f"only({self.set(scope, d)})",
            lambda: f"{self.member('Fruit', scope, d)}.tint",
            lambda: f"l[{self.int(scope, d)}]",
            lambda: f"mark[{self.member('Cell', scope, d)}]",
            lambda: f"{self.pick('before', 'after')}({self.member('Colour', scope, d)})",
            lambda: self.fold_colour("first", scope, d),
            lambda: f"(c if {self.bool(scope, d)} else none)",
            lambda: f"only({self.pick('b', 'l', 'h[apple]')})",
        )

    def fold_colour(self, word: str, scope: list, d: int) -> str:
        name = self.new("x")
        inner = [*scope, (name, "Colour")]
        head = f"{name} in {self.colours(scope, d)}"
        if self.rng.random() < 0.3:
            cell = self.new("y")
            inner.append((cell, "Cell"))
            head = f"{cell} in {self.cells(scope, d)}, {name} in {self.pick(f'mark[{cell}]', self.colours(scope, d))}"
        where = f" where {self.bool(inner, d)}" if self.rng.random() < 0.6 else ""
        value = f": {self.int(inner, d)}" if word in ("best", "ranked", "tiers") else ""
        return f"{word}({head}{where}{value})"

    def set(self, scope: list, depth: int = 1) -> str:
        names = self.known(scope, "set")
        if names and self.rng.random() < 0.4:
            return self.rng.choice(names)
        if depth <= 0:
            return str(self.pick("g", "Colour", "apple.likes", "{red}", "{green, blue}"))
        d = depth - 1
        return self.one(
            lambda: f"({self.set(scope, d)} {self.pick('+', '-', '&')} {self.set(scope, d)})",
            lambda: f"{{{self.member('Colour', scope, d)}}}",
            lambda: f"{self.member('Fruit', scope, d)}.likes",
            lambda: self.fold_colour("set", scope, d),
            lambda: self.fold_colour("best", scope, d),
            lambda: f"({self.set(scope, d)} if {self.bool(scope, d)} else {{}})",
            lambda: f"{self.fold_colour('tiers', scope, d)}[{self.pick(1, 2)}]",
        )

    def cells(self, scope: list, depth: int = 1) -> str:
        d = depth - 1
        if depth <= 0:
            return "Cell"
        cell = self.new("q")
        return self.one(
            lambda: f"near({self.member('Cell', scope, d)})",
            lambda: f"set({cell} in Cell where {self.bool([*scope, (cell, 'Cell')], d)})",
            lambda: f"(near({self.member('Cell', scope, d)}) & set({cell} in Cell where {self.bool([*scope, (cell, 'Cell')], d)}))",
            lambda: f"within({self.member('Cell', scope, d)}, {self.int(scope, 0)}, {self.cells(scope, d)})",
            lambda: f"{self.pick('rim', 'coast')}({self.cells(scope, d)})",
            lambda: f"region({self.member('Cell', scope, d)}, {self.cells(scope, d)})",
            lambda: f"set({cell} in Cell where mark[{cell}] {self.pick('==', '!=')} {self.pick('red', 'none', 'c')})",
            lambda: f"set({cell} in ray({self.member('Cell', scope, d)}, east) where mark[{cell}] != {self.member('Colour', scope, d)})",
        )

    def colours(self, scope: list, depth: int = 1) -> str:
        """Returns any iterable of colours."""
        d = depth - 1
        return self.one(
            lambda: self.set(scope, depth),
            lambda: "l",
            lambda: "b",
            lambda: self.maybe(scope, d),
            lambda: "Colour",
            lambda: f"h[{self.member('Fruit', scope, d)}]",
            lambda: "[red, blue, red]",
            lambda: f"({self.pick('l + [green]', 'l - [blue]')})",
            lambda: f"reversed({self.fold_colour('ranked', scope, d)})",
            lambda: self.fold_colour("list", scope, d),
        )

    def binders(self, scope: list, d: int) -> tuple[str, list, str]:
        """Returns one or two binders: their text, the scope with their names, and the last name."""
        heads, inner, name = [], list(scope), ""
        for _ in range(self.rng.choice([1, 1, 2])):
            name = self.new("x")
            source, kind = self.source(inner, d)
            heads.append(f"{name} in {source}")
            inner.append((name, kind))
        return ", ".join(heads), inner, name

    def source(self, scope: list, d: int) -> tuple[str, str]:
        return self.rng.choice(
            [
                lambda: (self.colours(scope, d), "Colour"),
                lambda: (self.colours(scope, d), "Colour"),
                lambda: ("Fruit", "Fruit"),
                lambda: (self.cells(scope, d), "Cell"),
                lambda: (f"0..{self.pick(1, 2, 'min(3, k)')}", "int"),
                lambda: ("clockwise(player_2)", "Player"),
                lambda: ("cells(z)", "Spot"),
                lambda: (f"step({self.member('Cell', scope, d)}, {self.pick('north', 'east')})", "Cell"),
            ]
        )()

    def called(self, result: str, scope: list, d: int) -> str | None:
        fitting = [(name, params) for name, params, found in self.defs if found == result]
        if not fitting:
            return None
        name, params = self.rng.choice(fitting)
        return f"{name}({', '.join(self.argument(p, scope, d) for p in params)})" if params else name

    def argument(self, kind: str, scope: list, d: int = 1) -> str:
        if kind == "int":
            return self.int(scope, d)
        return {"bool": self.bool, "set": self.set}[kind](scope, d) if kind in ("bool", "set") else self.member(kind, scope, d)
