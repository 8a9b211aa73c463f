"""Generates small random games in which players choose bags: alone, with other names, in turn, in menus, openly and in secret."""

from __future__ import annotations

import random

DATA = """
game: barter
name: Barter
players: 2
rules: [toy.rules]
enums:
  Player: {members: {anna: {}, bela: {}}}
  Good:
    name: good
    members: {ore: {name: ore}, wool: {name: wool}, wood: {name: wood}, salt: {name: salt}}
start:
  hand: {anna: {ore: 1, wool: 2, wood: 4, salt: 1}, bela: {ore: 3, wool: 1, wood: 2}}
  bank: {ore: 2, wool: 2, salt: 3}
"""
STATES = """\
state hand[Player]: bag of Good{seen}
state bank: bag of Good
state pledge[Player]: bag of Good
state turns: 0..14
state marks: 0..9999
phase game:
    rounds of player in Player until turns == 14:
        turns += 1
        turn(player)
def worth(part: bag of Good) = sum(good in part: part[good] * position(good))
def spare(player) = size(hand[player]) - {kept}
standing player: size(hand[player]), worth(pledge[player])
"""


class RandomBagRules:
    """One random program. `text` contains its rules."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.count = 0
        head = STATES.format(seen=self.pick("", " seen by player"), kept=self.rng.randrange(3))
        self.text = head + "".join(["proc turn(player) by player:\n", *(f"    {line}\n" for _ in range(2) for line in self.step())])

    def pick(self, *words: str) -> str:
        return self.rng.choice(words)

    def name(self) -> str:
        self.count += 1
        return f"part{self.count}"

    def amounts(self, bag: str) -> str:
        many = self.pick("1", "2", "1..2", "0..3", "min(3, turns)", "0..min(2, turns)", "max(0, min(3, spare(player)))", "0-1..1")
        return f"amounts({bag}, {many})"

    def where(self, name: str, bag: str) -> str:
        return self.pick("", "", f" where {name}[{self.pick('ore', 'wood')}] > 0", f" where worth({name}) <= {self.rng.randrange(2, 9)}",
                         f" where not (bank <= {name}) and size({name}) < size({bag})", f" where count(good in {name}) > 1")

    def act(self, name: str) -> list[str]:
        """Returns statements that do something with a bag from the hand of the player."""
        number = self.name()
        return self.rng.choice([
            [f"move {name} from hand[player] to bank"], [f"move {name} from hand[player] to pledge[player]"],
            [f"hand[player] -= {name}", f"hand[next(player)] += {name}"],
            [f"marks = (marks * 7 + worth({name}) + {name}[salt]) % 9999"],
            [f"for good in {name}: marks = (marks + position(good) * {name}[good]) % 9999", f"if size({name}) == 0: marks = 5"],
            [f"let kept = {name}", f"choose {number} in 0..1 by {self.pick('player', 'next(player)')}",
             f"if {number} == 1 and kept <= hand[player]: move {name} from hand[player] to bank"],
        ])

    def step(self) -> list[str]:
        one, two, inner = self.name(), self.name(), lambda lines: [f"    {line}" for line in lines]
        mine, bank = self.amounts("hand[player]"), self.amounts("bank")
        form = self.rng.randrange(5)
        if form == 0:
            return [f"{self.pick('', 'may ')}choose {one} in {mine}{self.where(one, 'hand[player]')}:", *inner(self.act(one)),
                    "otherwise:", "    marks = (marks + 1) % 9999"]
        if form == 1:
            return [f"choose {one} in {mine}{self.pick(',', ' then')} {two} in {bank}{self.where(two, 'bank')}:",
                    f"    move {two} from bank to hand[player]", *inner(self.act(one))]
        if form == 2:
            return [f"choose up to {self.pick('2', '3')} times {one} in {mine}{self.where(one, 'hand[player]')}:",
                    f"    move {one} from hand[player] to bank"]
        if form == 3:
            return [f"{self.pick('', 'may ')}choose as act:", f"    give({one} in {mine}, n in -1..1){self.where(one, 'hand[player]')}:",
                    *inner(inner(self.act(one))), f"    take({two} in {bank}){self.where(two, 'bank')}:",
                    f"        move {two} from bank to hand[player]", "    rest: stop"]
        return [f"choose good in Good, {one} in {mine} where {one}[good] > 0:", f"    move {one} from hand[player] to bank",
                "    if good in bank: move good from bank to hand[player]"]
