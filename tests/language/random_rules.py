"""Generates random rules over the toy base `garden`: every control structure inside every other, in combinations that no author would
write.
"""

from __future__ import annotations

from .random_expressions import RandomExpressions

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


class RandomRules(RandomExpressions):
    """One random program. `text` contains its rules."""

    def __init__(self, seed: int, size: int = 22) -> None:
        super().__init__(seed)
        self.left = size
        self.procs: list[tuple[str, list[str]]] = []  # name, parameter types
        self.phase = self.by = False
        self.mutable: list[tuple[str, str]] = []
        lines = [STATES, ""]
        for n in range(self.rng.randrange(1, 4)):
            lines += self.definition(n)
        for n in range(self.rng.randrange(1, 4)):
            lines += self.procedure(f"p{n}")
        self.left = max(self.left, 8)
        self.phase, self.by = True, False
        lines += ["phase game:", "    setup()", *self.block(1, [])]
        lines += [
            "proc swing(colour: Colour, cell: Cell):",
            "    m[colour] = min(9, m[colour] + 1)",
            "    n += 1",
            "    lit[cell] = not lit[cell]",
            "    if mark[cell] == colour: mark[cell] = none",
            "    else: mark[cell] = colour",
            "    tell spoke(colour=colour, much=n)",
            "",
            "proc setup():",
            "    b[red] = 2",
            "    b[blue] = 1",
            "    m[green] = 4",
            "    g = {red, blue}",
            "    l = [blue, red, blue]",
            "    k = 4",
            "    deck = list(card in Card)",
            "    for fruit in Fruit: owner[fruit] = player_2",
            "    h[apple][green] = 3",
            "    z[pole] = 2",
            "    mark[b1] = green",
            "    c = green",
            "",
            "standing player: n, size(hand[player])",
        ]
        self.text = "\n".join(lines) + "\n"

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
        deep = [
            self.if_,
            self.for_,
            self.for_,
            self.repeat,
            self.choose_block,
            self.choose_block,
            self.menu,
            self.lot,
            self.times,
            self.choose_set,
            self.rounds,
        ]
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
        return [
            self.one(
                lambda: f"n {self.pick('=', '+=', '-=')} {self.int(scope)}",
                lambda: f"k = min(9, max(0, {self.int(scope)}))",
                lambda: f"low += {self.int(scope)}",
                lambda: f"f = {self.bool(scope)}",
                lambda: f"c = {self.pick(self.maybe(scope), 'none')}",
                lambda: f"g {self.pick('=', '+=', '-=')} {self.set(scope)}",
                lambda: f"m[{self.member('Colour', scope)}] = min(9, max(0, {self.int(scope)}))",
                lambda: f"l {self.pick('=', '+=', '-=')} [{self.member('Colour', scope)}]",
                lambda: f"mark[{self.member('Cell', scope)}] = {self.maybe(scope)}",
                lambda: f"lit[{self.member('Cell', scope)}] = {self.bool(scope)}",
                lambda: f"z[{self.spot(scope)}] = max(0, min(3, {self.int(scope)}))",
                lambda: f"fresh = min(9, max(0, {self.int(scope)}))",
                lambda: f"bid = {self.pick('none', 'min(5, max(0, ' + self.int(scope) + '))')}",
                lambda: f"b[{self.member('Colour', scope)}] += 1",
                lambda: f"b += {self.bag(scope)}",
                lambda: f"if pear.mix <= h[pear]: h[pear] -= {self.pick('pear.mix', 'h[pear]')}",
            )
        ]

    def move(self, depth: int, scope: list) -> list[str]:
        colour, other = self.member("Colour", scope), self.member("Colour", scope)
        bags = self.rng.sample(["b", "h[apple]", "h[pear]", "l"], 2)
        return [
            self.one(
                lambda: f"move up to max(0, {self.int(scope)}) from m[{colour}] to n",
                lambda: f"if m[{colour}] > 0: move 1 from m[{colour}] to n",
                lambda: f"move everything from {bags[0]} to {bags[1]}",
                lambda: f"if pear.mix <= b: move pear.mix from b to {self.pick('h[plum]', 'l', 'g')}",
                lambda: f"move h[apple] from h[apple] to {self.pick('b', 'l', 'h[pear]')}",
                lambda: f"if {colour} in b: move {colour} from b to {self.pick('g', 'l', 'h[plum]')}",
                lambda: f"draw up to {self.int(scope, 1)} from deck to hand[{self.member('Player', scope)}]",
                lambda: "draw up to 1 from b to g",
                lambda: "move everything from g to l",
                lambda: "if c == none: move everything from mark[b1] to c",
                lambda: f"swap m[{colour}] and m[{other}]",
                lambda: "draw up to 1 from hand[player_1] to deck",
                lambda: f"swap lit[a1] and lit[{self.member('Cell', scope)}]",
                lambda: "shuffle deck",
                lambda: f"move {self.set(scope, 0)} & g from g to b",
                lambda: f"tell spoke(colour={colour}, much={self.int(scope)})",
            )
        ]

    def change(self, depth: int, scope: list) -> list[str]:
        if depth > 1 and self.rng.random() < 0.2:
            return [f"if {self.bool(scope)}: stop"]
        return self.assign(depth, scope)

    def by_text(self, always: bool = False) -> str:
        who = str(self.pick("player_1", "player_2", "apple", "next(player_1)"))
        return "" if self.by and not always and self.rng.random() < 0.5 else f" by {who}"

    def slots(self, scope: list) -> tuple[str, list]:
        """Returns the names to choose, and the scope after them."""
        heads, inner = [], list(scope)
        for n in range(self.rng.choice([1, 1, 1, 2, 2, 3])):
            name = self.new("x")
            source, kind = self.rng.choice(
                [
                    (self.set(inner), "Colour"),
                    ("b", "Colour"),
                    (self.pick("l", "[red, blue, red]", "reversed(l)"), "Colour"),
                    ("Fruit", "Fruit"),
                    (self.cells(inner), "Cell"),
                    ("0..2", "int"),
                    ("0-1..min(2, k)", "int"),
                    (self.maybe(inner), "Colour"),
                    (f"amounts({self.bag(inner)}, {self.pick('0..2', '1', '1..min(2, k)')})", "bag"),
                    ("hand[player_1]", "Card"),
                    ("cells(z)", "Spot"),
                ]
            )
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

    def lot(self, depth: int, scope: list) -> list[str]:
        heads, inner = self.slots(scope)
        while "amounts" in heads:                                   # chance cannot choose bags
            heads, inner = self.slots(scope)
        heads = heads.replace(" then ", ", ")
        lines = [f"choose {heads}{self.where(inner)} by chance:", *self.block(depth + 1, inner)]
        if self.rng.random() < 0.5:
            lines += ["otherwise:", *self.block(depth + 1, scope)]
        return lines

    def choose_block(self, depth: int, scope: list) -> list[str]:
        heads, inner = self.slots(scope)
        lines = [f"{self.pick('', 'may ')}choose {heads}{self.where(inner)}{self.by_text()}:", *self.block(depth + 1, inner)]
        if self.rng.random() < 0.5:
            lines += ["otherwise:", *self.block(depth + 1, scope)]
        return lines

    def times(self, depth: int, scope: list) -> list[str]:
        heads, inner = self.slots(scope)
        return [
            f"choose {self.pick('up to', 'exactly')} {self.pick(2, 3, 'k')} times {heads}{self.where(inner)}{self.by_text()}:",
            *self.block(depth + 1, inner),
        ]

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
        x, y = self.new("x"), self.new("x")
        until = self.rng.choice(
            [
                "",
                "",
                f" or any({x} in Cell where mark[{x}] == {self.member('Colour', scope)})",
                f" or any({x} in Cell where mark[{x}] == c and {self.bool([*scope, (x, 'Cell')])})",
                f" or any({x} in lines(2) where all({y} in {x}: mark[{y}] == {self.member('Colour', scope)}))",
                f" or any({x} in Colour where any({y} in Cell where mark[{y}] == {x} and lit[{y}]))",
                f" or {self.bool(scope)}",
            ]
        )
        if self.rng.random() < 0.5:
            lines += [f"rounds until {turn} >= 3{until}:", f"    {turn} += 1", *self.block(depth + 1, scope)]
        else:
            source, kind = self.rng.choice([("Player", "Player"), ("l", "Colour"), ("clockwise(player_2)", "Player"), ("g", "Colour")])
            where = f" where {self.bool([*scope, (name, kind)])}" if self.rng.random() < 0.5 else ""
            lines += [
                f"rounds of {name} in {source}{where} until {turn} >= 4{until}:",
                f"    {turn} += 1",
                *self.block(depth + 1, [*scope, (name, kind)]),
            ]
        return lines
