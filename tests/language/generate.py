"""Random rules over the toy base `garden`: every control structure inside every other, as no author would write them."""

from __future__ import annotations

import random

STATES = """
state n: int
state k: 0..9
state low: 0..5 saturating
state f: bool
state c: Colour?
state g: set of Colour
state b: bag of Colour
state m[Colour]: 0..9
state mark[Cell]: Colour?
state lit[Cell]: bool
state h[Fruit]: bag of Colour
state owner[Fruit]: Player?
state l: list of Colour
state deck: pile of Card
state hand[Player]: set of Card
state z[Spot]: 0..3
state fresh: 0..9 per p0
state bid: 0..5?
""".strip()
NAMED = ("colour", "fruit", "cell", "card")
MEMBERS = {"Colour": ["red", "green", "blue"], "Fruit": ["apple", "pear", "plum"], "Player": ["player_1", "player_2"], "Cell": ["a1", "b1", "c2"]}


class Rules:
    """One random program; `text` is its rules."""

    def __init__(self, seed: int, size: int = 22) -> None:
        self.rng = random.Random(seed)
        self.count, self.left = 0, size
        self.procs: list[tuple[str, list[str]]] = []               # name, parameter types
        self.defs: list[tuple[str, list[str], str]] = []           # name, parameter types, result
        self.phase = self.by = False
        self.loops = 0
        self.mutable: list[tuple[str, str]] = []
        lines = [STATES, ""]
        for n in range(self.rng.randrange(1, 4)):
            lines += self.definition(n)
        for n in range(self.rng.randrange(1, 4)):
            lines += self.procedure(f"p{n}")
        self.left = max(self.left, 8)
        self.phase, self.by = True, False
        lines += ["phase game:", "    setup()", *self.block(1, [])]
        lines += ["proc setup():", "    b[red] = 2", "    b[blue] = 1", "    m[green] = 4", "    g = {red, blue}", "    l = [blue, red, blue]", "    k = 4",
                  "    deck = list(card in Card)", "    for fruit in Fruit: owner[fruit] = player_2", "    h[apple][green] = 3", "    z[pole] = 2",
                  "    mark[b1] = green", "    c = green", "", "standing player: n, size(hand[player])"]
        self.text = "\n".join(lines) + "\n"

    # ------------------------------------------------------------ helpers

    def pick(self, *things: object) -> object:
        return self.rng.choice(things)

    def one(self, *makers: object) -> str:
        return self.rng.choice(makers)()                           # type: ignore[operator]

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
            lambda: f"{self.int(scope, d)} + {self.int(scope, d)}", lambda: f"{self.int(scope, d)} - {self.int(scope, d)}",
            lambda: f"({self.int(scope, d)}) {self.pick('//', '%')} {rng.randrange(1, 4)}", lambda: f"-({self.int(scope, d)})",
            lambda: f"m[{self.member('Colour', scope, d)}]", lambda: f"b[{self.member('Colour', scope, d)}]",
            lambda: f"h[{self.member('Fruit', scope, d)}][{self.member('Colour', scope, d)}]", lambda: f"{self.member('Fruit', scope, d)}.price",
            lambda: f"{self.member('Fruit', scope, d)}.mix[{self.member('Colour', scope, d)}]",
            lambda: f"{self.member('Fruit', scope, d)}.parts[{self.int(scope, d)}]", lambda: f"bonus[{self.int(scope, d)}]",
            lambda: f"prize[{self.int(scope, d)}]", lambda: f"({self.int(scope, d)} if {self.bool(scope, d)} else {self.int(scope, d)})",
            lambda: f"size({self.set(scope, d)})", lambda: f"size({self.pick('b', 'l', 'c', 'deck', 'hand[player_1]', 'h[pear]')})",
            lambda: f"{self.pick('min', 'max')}({self.int(scope, d)}, {self.int(scope, d)})", lambda: f"ceil({self.int(scope, d)}, 2)",
            lambda: f"position({self.member('Colour', scope, d)})", lambda: f"position({self.member('Colour', scope, d)}, l)",
            lambda: self.fold_int(scope, d), lambda: self.fold_int(scope, d), lambda: f"(bid otherwise {self.int(scope, d)})",
            lambda: self.called("int", scope, d) or "k", lambda: f"size(regions({self.cells(scope, d)}))",
            lambda: f"distance({self.member('Cell', scope, d)}, {self.member('Cell', scope, d)})", lambda: f"z[{self.spot(scope)}]",
        )

    def spot(self, scope: list) -> str:
        return self.rng.choice([*self.known(scope, "Spot"), "pole"])

    def fold_int(self, scope: list, d: int) -> str:
        heads, inner, last = self.binders(scope, d)
        where = f" where {self.bool(inner, d)}" if self.rng.random() < 0.6 else ""
        word = self.pick("count", "sum", "highest", "lowest")
        return f"count({heads}{where})" if word == "count" else f"{word}({heads}{where}: {self.int(inner, d)})"

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
            lambda: f"({self.bool(scope, d)} and {self.bool(scope, d)})", lambda: f"({self.bool(scope, d)} or {self.bool(scope, d)})",
            lambda: f"not {self.bool(scope, 0)}" if rng.random() < 0.5 else f"not ({self.bool(scope, d)})",
            lambda: f"{self.maybe(scope, d)} == {self.pick('none', self.member('Colour', scope, d), self.maybe(scope, d))}",
            lambda: f"{self.member('Colour', scope, d)} {self.pick('in', 'not in')} {self.colours(scope, d)}",
            lambda: f"{self.maybe(scope, d)} in {self.colours(scope, d)}", lambda: f"lit[{self.member('Cell', scope, d)}]",
            lambda: f"{self.set(scope, d)} == {self.set(scope, d)}", lambda: f"{self.int(scope, d)} in {self.int(scope, 0)}..{self.int(scope, 0)}",
            lambda: self.fold_bool(scope, d), lambda: self.fold_bool(scope, d), lambda: self.called("bool", scope, d) or "f",
            lambda: f"{self.member('Fruit', scope, d)}.after_rain",
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
            lambda: "c", lambda: f"only({self.set(scope, d)})", lambda: f"{self.member('Fruit', scope, d)}.tint", lambda: f"l[{self.int(scope, d)}]",
            lambda: f"mark[{self.member('Cell', scope, d)}]", lambda: f"{self.pick('before', 'after')}({self.member('Colour', scope, d)})",
            lambda: self.fold_colour("first", scope, d), lambda: f"(c if {self.bool(scope, d)} else none)", lambda: f"only({self.pick('b', 'l', 'h[apple]')})",
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
            lambda: f"({self.set(scope, d)} {self.pick('+', '-', '&')} {self.set(scope, d)})", lambda: f"{{{self.member('Colour', scope, d)}}}",
            lambda: f"{self.member('Fruit', scope, d)}.likes", lambda: self.fold_colour("set", scope, d), lambda: self.fold_colour("best", scope, d),
            lambda: f"({self.set(scope, d)} if {self.bool(scope, d)} else {{}})", lambda: f"tiers(t1 in {self.colours(scope, d)}: m[t1])[{self.pick(1, 2)}]",
        )

    def cells(self, scope: list, depth: int = 1) -> str:
        d = depth - 1
        if depth <= 0:
            return "Cell"
        cell = self.new("q")
        return self.one(
            lambda: f"near({self.member('Cell', scope, d)})", lambda: f"set({cell} in Cell where {self.bool([*scope, (cell, 'Cell')], d)})",
            lambda: f"(near({self.member('Cell', scope, d)}) & set({cell} in Cell where {self.bool([*scope, (cell, 'Cell')], d)}))",
            lambda: f"within({self.member('Cell', scope, d)}, {self.int(scope, 0)}, {self.cells(scope, d)})",
            lambda: f"{self.pick('rim', 'coast')}({self.cells(scope, d)})", lambda: f"region({self.member('Cell', scope, d)}, {self.cells(scope, d)})",
        )

    def colours(self, scope: list, depth: int = 1) -> str:
        """Anything that can be walked over and gives colours."""
        d = depth - 1
        return self.one(lambda: self.set(scope, depth), lambda: "l", lambda: "b", lambda: self.maybe(scope, d), lambda: "Colour",
                        lambda: f"h[{self.member('Fruit', scope, d)}]", lambda: "[red, blue, red]", lambda: f"({self.pick('l + [green]', 'l - [blue]')})",
                        lambda: f"reversed({self.fold_colour('ranked', scope, d)})", lambda: self.fold_colour("list", scope, d))

    def binders(self, scope: list, d: int) -> tuple[str, list, str]:
        """One or two binders: their text, the scope with their names, and the last name."""
        heads, inner, name = [], list(scope), ""
        for _ in range(self.rng.choice([1, 1, 2])):
            name = self.new("x")
            source, kind = self.source(inner, d)
            if kind == "Colour" and source.startswith(("l", "[", "reversed")) and source.rstrip("0123456789") != "l" and False:
                pass
            heads.append(f"{name} in {source}")
            inner.append((name, kind))
        return ", ".join(heads), inner, name

    def source(self, scope: list, d: int) -> tuple[str, str]:
        return self.rng.choice([
            lambda: (self.colours(scope, d), "Colour"), lambda: (self.colours(scope, d), "Colour"), lambda: ("Fruit", "Fruit"), lambda: (self.cells(scope, d), "Cell"),
            lambda: (f"0..{self.pick(1, 2, 'min(3, k)')}", "int"), lambda: ("clockwise(player_2)", "Player"), lambda: ("cells(z)", "Spot"),
            lambda: (f"step({self.member('Cell', scope, d)}, {self.pick('north', 'east')})", "Cell"),
        ])()

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

    # ------------------------------------------------------------ declarations

    def definition(self, n: int) -> list[str]:
        name, result = f"d{n}", str(self.pick("int", "bool"))
        make = self.int if result == "int" else self.bool
        params = [str(self.pick("Colour", "Fruit", "int")) for _ in range(self.rng.randrange(0, 3))]
        names = [self.new("arg") for _ in params]
        scope = list(zip(names, params))
        text = ", ".join(f"{a}: {p}" for a, p in zip(names, params))
        lines = [f"def {name}{f'({text})' if params else ''} = {make(scope, 2)}"]
        if result == "bool" and self.rng.random() < 0.4:
            lines = [f"def {name}{f'({text})' if params else ''} where:", *[f"    {self.bool(scope, 2)}" for _ in range(2)]]
        self.defs.append((name, params, result))
        return lines

    def procedure(self, name: str) -> list[str]:
        params = [str(self.pick("Colour", "Fruit", "int", "Cell")) for _ in range(self.rng.randrange(0, 3))]
        names = [self.new("arg") for _ in params]
        self.by = self.rng.random() < 0.5
        head = ", ".join(f"{a}: {p}" for a, p in zip(names, params))
        lines = [f"proc {name}({head}){' by player_1' if self.by else ''}:", *self.block(1, list(zip(names, params)))]
        self.procs.append((name, params))
        return lines

    # ------------------------------------------------------------ statements

    def block(self, depth: int, scope: list, pads: int = 1) -> list[str]:
        scope, lines = list(scope), []
        for _ in range(self.rng.randrange(1, 4)):
            lines += self.statement(depth, scope)
        return [f"{'    ' * pads}{line}" for line in lines]

    def statement(self, depth: int, scope: list) -> list[str]:
        self.left -= 1
        simple = [self.let, self.assign, self.assign, self.move, self.change, self.choose_flat]
        deep = [self.if_, self.for_, self.for_, self.repeat, self.choose_block, self.choose_block, self.menu, self.times, self.choose_set, self.rounds]
        if depth > 3 or self.left < 0 or self.rng.random() < 0.4:
            return self.rng.choice(simple)(depth, scope)
        if self.rng.random() < 0.25 and self.procs:
            name, params = self.rng.choice(self.procs)
            return [f"{name}({', '.join(self.argument(p, scope) for p in params)})"]
        return self.rng.choice(deep)(depth, scope)

    def let(self, depth: int, scope: list) -> list[str]:
        kind = str(self.pick("int", "int", "set", "bool"))
        name = self.new("t")
        text = f"let {name} = {self.argument(kind, scope, 2)}"
        scope.append((name, kind))
        self.mutable.append((name, kind))
        return [text]

    def assign(self, depth: int, scope: list) -> list[str]:
        mine = [(name, kind) for name, kind in scope if (name, kind) in self.mutable]
        if mine and self.rng.random() < 0.5:
            name, kind = self.rng.choice(mine)
            return [f"{name} {self.pick('=', '+=', '-=') if kind != 'bool' else '='} {self.argument(kind, scope, 2)}"]
        return [self.one(
            lambda: f"n {self.pick('=', '+=', '-=')} {self.int(scope)}", lambda: f"k = min(9, max(0, {self.int(scope)}))", lambda: f"low += {self.int(scope)}",
            lambda: f"f = {self.bool(scope)}", lambda: f"c = {self.pick(self.maybe(scope), 'none')}", lambda: f"g {self.pick('=', '+=', '-=')} {self.set(scope)}",
            lambda: f"m[{self.member('Colour', scope)}] = min(9, max(0, {self.int(scope)}))", lambda: f"l {self.pick('=', '+=', '-=')} [{self.member('Colour', scope)}]",
            lambda: f"mark[{self.member('Cell', scope)}] = {self.maybe(scope)}", lambda: f"lit[{self.member('Cell', scope)}] = {self.bool(scope)}",
            lambda: f"z[{self.spot(scope)}] = max(0, min(3, {self.int(scope)}))", lambda: f"fresh = min(9, max(0, {self.int(scope)}))",
            lambda: f"bid = {self.pick('none', 'min(5, max(0, ' + self.int(scope) + '))')}", lambda: f"b[{self.member('Colour', scope)}] += 1",
        )]

    def move(self, depth: int, scope: list) -> list[str]:
        colour, other = self.member("Colour", scope), self.member("Colour", scope)
        bags = self.rng.sample(["b", "h[apple]", "h[pear]", "l"], 2)
        return [self.one(
            lambda: f"move up to max(0, {self.int(scope)}) from m[{colour}] to n", lambda: f"if m[{colour}] > 0: move 1 from m[{colour}] to n",
            lambda: f"move everything from {bags[0]} to {bags[1]}", lambda: f"if {colour} in b: move {colour} from b to {self.pick('g', 'l', 'h[plum]')}",
            lambda: f"draw up to {self.int(scope, 1)} from deck to hand[{self.member('Player', scope)}]", lambda: "draw up to 1 from b to g",
            lambda: "move everything from g to l", lambda: "if c == none: move everything from mark[b1] to c", lambda: f"swap m[{colour}] and m[{other}]",
            lambda: "draw up to 1 from hand[player_1] to deck", lambda: f"swap lit[a1] and lit[{self.member('Cell', scope)}]", lambda: "shuffle deck",
            lambda: f"move {self.set(scope, 0)} & g from g to b", lambda: f"tell spoke({colour}, much={self.int(scope)})",
        )]

    def change(self, depth: int, scope: list) -> list[str]:
        if depth > 1 and self.rng.random() < 0.2:
            return [f"if {self.bool(scope)}: stop"]
        return self.assign(depth, scope)

    def by_text(self, always: bool = False) -> str:
        who = str(self.pick("player_1", "player_2", "apple", "next(player_1)"))
        return "" if self.by and not always and self.rng.random() < 0.5 else f" by {who}"

    def slots(self, scope: list) -> tuple[str, list]:
        """Names to choose, and the scope after."""
        heads, inner = [], list(scope)
        for n in range(self.rng.choice([1, 1, 1, 2, 2, 3])):
            name = self.new("x")
            source, kind = self.rng.choice([(self.set(inner), "Colour"), ("b", "Colour"), ("Fruit", "Fruit"), (self.cells(inner), "Cell"), ("0..2", "int"),
                                            ("0-1..min(2, k)", "int"), (self.maybe(inner), "Colour"), ("hand[player_1]", "Card"), ("cells(z)", "Spot")])
            heads.append(("" if n == 0 else str(self.pick(", ", " then "))) + f"{name} in {source}")
            inner.append((name, kind))
        return "".join(heads), inner

    def where(self, inner: list) -> str:
        return f" where {self.bool(inner)}" if self.rng.random() < 0.6 else ""

    def choose_flat(self, depth: int, scope: list) -> list[str]:
        if depth == 1 and self.rng.random() < 0.7:
            return self.assign(depth, scope)
        heads, inner = self.slots(scope)
        text = f"{self.pick('', 'may ')}choose {heads}{self.where(inner)}{self.by_text()} or stop"
        scope[:] = inner
        return [text]

    def choose_block(self, depth: int, scope: list) -> list[str]:
        heads, inner = self.slots(scope)
        lines = [f"{self.pick('', 'may ')}choose {heads}{self.where(inner)}{self.by_text()}:", *self.block(depth + 1, inner)]
        if self.rng.random() < 0.5:
            lines += ["otherwise:", *self.block(depth + 1, scope)]
        return lines

    def times(self, depth: int, scope: list) -> list[str]:
        heads, inner = self.slots(scope)
        return [f"choose {self.pick('up to', 'exactly')} {self.pick(2, 3, 'k')} times {heads}{self.where(inner)}{self.by_text()}:", *self.block(depth + 1, inner)]

    def choose_set(self, depth: int, scope: list) -> list[str]:
        name = self.new("s")
        source, kind = self.rng.choice([("Colour", "Colour"), ("g", "Colour"), ("b", "Colour"), (self.set(scope), "Colour")])
        where = self.where([*scope, (name, kind)])
        head = f"choose {self.pick('up to 2', 'exactly 2', 'some', 'exactly k')} {name} in {source}{where}{self.by_text()}"
        if self.rng.random() < 0.5:
            return [head + ":", *self.block(depth + 1, [*scope, (name, "set")])]
        scope.append((name, "set"))
        return [head]

    def menu(self, depth: int, scope: list) -> list[str]:
        may, how = str(self.pick("", "may ")), str(self.pick("", "", "up to 2 times", "exactly 2 times"))
        lines = [f"{may if not how else ''}choose{f' {how}' if how else ''}{self.by_text()}:"]
        for _ in range(self.rng.randrange(1, 4)):
            entry, inner, binders = self.new("e"), list(scope), ""
            if self.rng.random() < 0.6:
                heads, inner = self.slots(scope)
                binders = f"({heads.replace(' then ', ', ')})"
            lines += [f"    {entry}{binders}{self.where(inner)}:", *self.block(depth + 1, inner, 2)]
        if not how and self.rng.random() < 0.5:
            lines += ["otherwise:", *self.block(depth + 1, scope)]
        return lines

    def if_(self, depth: int, scope: list) -> list[str]:
        lines = [f"if {self.bool(scope)}:", *self.block(depth + 1, scope)]
        if self.rng.random() < 0.4:
            lines += [f"elif {self.bool(scope)}:", *self.block(depth + 1, scope)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.block(depth + 1, scope)]
        return lines

    def for_(self, depth: int, scope: list) -> list[str]:
        heads, inner, _ = self.binders(scope, 1)
        if self.rng.random() < 0.2:
            number = self.new("i")
            name = self.new("x")
            heads, inner = f"{number}, {name} in {self.pick('l', '[red, blue]', 'l + [red]')}", [*scope, (number, "int"), (name, "Colour")]
        reached = str(self.pick("", "", " as reached"))
        return [f"for {heads}{self.where(inner)}{reached}:", *self.block(depth + 1, inner)]

    def repeat(self, depth: int, scope: list) -> list[str]:
        until = f" until {self.bool(scope)}" if self.rng.random() < 0.5 else ""
        return [f"repeat {self.pick(2, 3, 'k', 'size(g)')}{until}:", *self.block(depth + 1, scope)]

    def rounds(self, depth: int, scope: list) -> list[str]:
        if not self.phase:
            return self.for_(depth, scope)
        name, turn = self.new("x"), self.new("t")
        lines = [f"let {turn} = 0"]
        if self.rng.random() < 0.5:
            lines += [f"rounds until {turn} >= 3:", f"    {turn} += 1", *self.block(depth + 1, scope)]
        else:
            source, kind = self.rng.choice([("Player", "Player"), ("l", "Colour"), ("clockwise(player_2)", "Player"), ("g", "Colour")])
            where = f" where {self.bool([*scope, (name, kind)])}" if self.rng.random() < 0.5 else ""
            lines += [f"rounds of {name} in {source}{where} until {turn} >= 4:", f"    {turn} += 1", *self.block(depth + 1, [*scope, (name, kind)])]
        return lines
