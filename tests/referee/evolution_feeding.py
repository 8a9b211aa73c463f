"""Feeding in Evolution: a player's go, with its attacks, robberies, and passed-on tokens."""

from . import evolution_printed as printed
from .decision_protocol import DECLINE, Asking, ask
from .evolution_table import Table, name

Move = tuple[str, tuple]  # its spelling, and its content


def choose(seat: int, key: str, moves: list[Move], may: bool = False) -> Asking[tuple]:
    """Returns one of the moves, or `()` if the player declines."""
    spellings = [spelling for spelling, _ in moves]
    answer = yield from ask(seat, key, [*spellings, DECLINE] if may else spellings)
    return () if answer == DECLINE else moves[spellings.index(answer)][1]


class Feeding(Table):
    def feeding(self) -> Asking[None]:
        """Runs laps from the first player on (EVO-FEED-02).

        Feeding ends when all are fed with full fat (EVO-FEED-08), or everybody in turn did nothing (EVO-FEED-09, 10)."""
        quiet = 0
        out: set[int] = set()
        seat = self.first
        while not self.all_fed() and quiet < self.players:
            did = False
            if seat not in out:
                did = yield from self.go(seat)
            if not did and self.options["skipping"] == "whole_phase":  # EVO-ROUND-05
                out.add(seat)
            quiet = 0 if did else quiet + 1
            seat = (seat + 1) % self.players

    def go(self, seat: int) -> Asking[bool]:
        """Runs one go: a red token, an attack, or the fat of one animal, with any number of other traits (EVO-FEED-13 to 15).

        Returns whether anything was done. Attack and fat are both "in place of" the red token. By one reading they also exclude each
        other."""
        self.worked: set[int] = set()  # links, each once in a go (EVO-PAIR-07)
        self.grazed: set[int] = set()  # EVO-TR-GRAZING-01
        did = False
        meals: set[str] = set()
        while moves := [*self.meals(seat, meals), *self.sidelines(seat)]:
            move = yield from choose(seat, "go.go", moves, may=True)
            if not move:
                break
            did = True
            what, animal, *more = move
            if what == "take":
                meals.add(what)
                yield from self.take(animal)
            elif what == "hunt":
                meals.add(what)  # whatever the result (EVO-CARN-02, 16)
                yield from self.hunt(animal)
            elif what == "burn":
                meals.add(what)
                self.burn(animal, more[0])
            elif what == "rob":
                yield from self.rob(animal)
            elif what == "graze":
                self.grazed.add(animal)
                self.base -= 1
            else:
                self.asleep.add(animal)  # EVO-TR-HIBERNATION-01
        if self.options["feeding_duty"] == "compulsory" and not meals:  # by the other reading of EVO-FEED-11 nobody may refuse a token
            tokens = [(f"animal={name(animal)}", (animal,)) for animal in self.herd[seat] if self.base and self.may_receive(animal)]
            if tokens:
                did = True
                (animal,) = yield from choose(seat, "go.duty", tokens)
                yield from self.take(animal)
        return did

    def take(self, animal: int) -> Asking[None]:
        self.base -= 1
        yield from self.fed(animal, "red")

    # ------------------------------------------------------------ what may be done

    def meals(self, seat: int, done: set[str]) -> list[Move]:
        """Returns the meals, of which only one is possible in a go: EVO-FEED-01, 03, EVO-CARN-02, 06, EVO-FAT-09, 10.

        If the players agree on it, an attack and fat are possible together."""
        moves: list[Move] = []
        herd = self.herd[seat]
        both = self.options["attack_and_fat"] == "both"
        if self.base and not done:
            moves += [(f"take animal={name(animal)}", ("take", animal)) for animal in herd if self.may_receive(animal)]
        if not done or both and done == {"burn"}:
            moves += [(f"hunt hunter={name(animal)}", ("hunt", animal)) for animal in herd if self.may_hunt(animal)]
        if not done or both and done == {"hunt"}:
            for animal in herd:
                most = self.most_fat(animal)
                moves += [(f"burn animal={name(animal)} n={n}", ("burn", animal, n)) for n in range(1, most + 1)]
        return moves

    def most_fat(self, animal: int) -> int:
        """Returns how much fat may be turned.

        This is possible while the animal waits for a symbiont, because it is not getting food (EVO-FAT-11). "Any quantity" is as much as it
        lacks (EVO-FAT-12), or by the letter all of it."""
        full = len(self.fat_full(animal))
        if self.options["fat_use"] == "any_amount":
            return full
        return 0 if self.is_fed(animal) else min(full, self.lack(animal))

    def sidelines(self, seat: int) -> list[Move]:
        """Returns the moves possible with or without a meal: EVO-FEED-13, 14, 15, EVO-TR-PIRACY-02, EVO-TR-GRAZING-01."""
        moves: list[Move] = []
        herd = self.herd[seat]
        moves += [(f"rob pirate={name(animal)}", ("rob", animal)) for animal in herd if self.may_rob(animal)]
        if self.base:
            grazers = [animal for animal in herd if self.has(animal, "grazing") and animal not in self.grazed]
            moves += [(f"graze animal={name(animal)}", ("graze", animal)) for animal in grazers]
        moves += [(f"sleep animal={name(animal)}", ("sleep", animal)) for animal in herd if self.may_sleep(animal)]
        return moves

    def may_hunt(self, animal: int) -> bool:
        """Whether an animal may hunt: once in a round, hungry or with room for fat (EVO-CARN-05, 11, 12), not asleep or waiting for its
        symbiont."""
        if not self.has(animal, "carnivorous") or animal in self.hunted or not self.may_receive(animal):
            return False
        return bool(self.prey_of(animal))

    def prey_of(self, hunter: int) -> list[int]:
        return [animal for animal in self.animals() if self.may_attack(hunter, animal)]

    def may_rob(self, pirate: int) -> bool:
        """Whether an animal may rob: once in a round, if not fed (EVO-TR-PIRACY-01) and allowed to get food (EVO-TR-SYMBIOSIS-02)."""
        if not self.has(pirate, "piracy") or pirate in self.robbed or self.is_fed(pirate) or self.waits(pirate):
            return False
        return bool(self.victims_of(pirate))

    def victims_of(self, pirate: int) -> list[int]:
        """Returns animals with a token and less than they need, asleep or not (EVO-TR-PIRACY-01).

        By one reading, sleeping animals count as fed and are spared."""
        spared = self.asleep if self.options["sleeping_victims"] == "spared" else ()
        robbed = [animal for animal in self.animals() if self.food[animal] and self.lack(animal)]
        return [animal for animal in robbed if animal != pirate and animal not in spared]

    def may_sleep(self, animal: int) -> bool:
        """Whether an animal may sleep (EVO-TR-HIBERNATION-01, 02)."""
        return self.has(animal, "hibernation") and animal not in self.asleep and animal not in self.rested and not self.last_round

    # ------------------------------------------------------------ doing it

    def fed(self, animal: int, colour: str) -> Asking[None]:
        """Adds a token. Its owner then uses links in any order, each once in a go (EVO-PAIR-07, 09, 12, 14).

        Passed-on tokens arrive in the same way and wake further links. A link that is declined now, or can do nothing now, is not owed
        later,
        because its gift comes at once (EVO-PAIR-10)."""
        seat = self.owner(animal)
        self.receive(animal)
        woken = self.woken(animal, colour)
        while moves := self.gifts(woken):
            move = yield from choose(seat, "feed.link", moves, may=True)
            if not move:
                return
            link, other, gift = move
            self.worked.add(link)
            self.base -= gift == "red"
            self.receive(other)
            woken += self.woken(other, gift)

    def gifts(self, woken: list[tuple[int, int, str]]) -> list[Move]:
        """Returns the tokens that the links may pass on now (EVO-PAIR-11, 13).

        A link with a token on both ends may feed either end. The player picks the order of tokens (EVO-PAIR-09), and no clause says which
        end a
        link feeds."""
        found: dict[tuple[int, int], Move] = {}
        for link, other, gift in woken:
            if link not in self.worked and self.may_receive(other) and (gift == "blue" or self.base):
                found[link, other] = (f"link={name(link)} receiver={name(other)} gift={gift}", (link, other, gift))
        return [found[ends] for ends in sorted(found)]

    def woken(self, animal: int, colour: str) -> list[tuple[int, int, str]]:
        """Returns the links of an animal that pass something on when it gets a token of this colour: (link, receiver, gift)."""
        found = []
        for link in self.under[animal]:
            gift = printed.PASSES_ON.get((self.trait[link], colour))
            if gift:
                one, two = self.pair[link]
                found.append((link, two if animal == one else one, gift))
        return found

    def burn(self, animal: int, count: int) -> None:
        """Turns yellow tokens blue. This does not count as getting food (EVO-FAT-09, 11)."""
        for card in self.fat_full(animal)[:count]:
            self.full.remove(card)
            if not self.is_fed(animal):
                self.food[animal] += 1

    def rob(self, pirate: int) -> Asking[None]:
        """Takes a token from another animal. It was not taken from the base, so it wakes the same links as blue food."""
        seat = self.owner(pirate)
        self.robbed.add(pirate)
        (victim,) = yield from choose(seat, "rob.victim", [(f"victim={name(v)}", (v,)) for v in self.victims_of(pirate)])
        self.food[victim] -= 1
        yield from self.fed(pirate, "blue")

    # ------------------------------------------------------------ attacks

    def hunt(self, hunter: int) -> Asking[None]:
        """Runs an attack: EVO-CARN-03, 04, 09, 15; EVO-TRAIT-09 to 12."""
        seat = self.owner(hunter)
        self.hunted.add(hunter)
        (prey,) = yield from choose(seat, "hunt.prey", [(f"prey={name(prey)}", (prey,)) for prey in self.prey_of(hunter)])
        ran: set[int] = set()  # each animal tries each reaction once in an attack
        mimed: set[int] = set()
        while moves := self.reactions(hunter, prey, ran, mimed):
            move = yield from choose(self.owner(prey), "attack.reaction", moves, may=True)
            if not move:
                break
            what, *more = move
            if what == "run":
                ran.add(prey)
                if int(self.draw()) >= printed.ESCAPES_FROM:  # EVO-TR-RUN-01
                    return
            elif what == "mimic":  # EVO-TR-MIMICRY-01, 02
                mimed.add(prey)
                self.mimicked.add(prey)
                prey = more[0]
            else:  # EVO-TR-TAIL-01 to 03
                self.drop_trait(more[0], self.owner(prey))
                yield from self.eats(hunter, printed.TAIL)
                return
        poison = self.has(prey, "poisonous")
        self.drop_animal(prey)
        if poison:
            self.poisoned.add(hunter)  # EVO-TR-POISON-01
        yield from self.eats(hunter, printed.MEAT)
        yield from self.scavenge(seat)

    def reactions(self, hunter: int, prey: int, ran: set[int], mimed: set[int]) -> list[Move]:
        moves: list[Move] = []
        if self.has(prey, "running") and prey not in ran:
            moves.append(("run", ("run",)))
        spent = mimed | self.mimicked if self.options["mimicry_limit"] == "each_round" else mimed  # EVO-TR-MIMICRY-02
        if self.has(prey, "mimicry") and prey not in spent:
            herd = self.herd[self.owner(prey)]
            others = [other for other in self.prey_of(hunter) if other in herd and other != prey]
            moves += [(f"mimic other={name(other)}", ("mimic", other)) for other in others]
        if self.has(prey, "tail_loss"):
            moves += [(f"drop_tail card={name(card)}", ("drop", card)) for card in sorted(self.under[prey])]
        return moves

    def eats(self, hunter: int, tokens: int) -> Asking[None]:
        """Adds blue tokens one by one. Tokens that the hunter cannot hold are lost (EVO-CARN-14)."""
        for _ in range(tokens):
            if self.may_receive(hunter):
                yield from self.fed(hunter, "blue")

    def scavenge(self, seat: int) -> Asking[None]:
        """Feeds one scavenger in the whole game, clockwise from the hunter's owner (EVO-TR-SCAVENGER-01)."""
        for step in range(self.players):
            who = (seat + step) % self.players
            able = [animal for animal in self.herd[who] if self.has(animal, "scavenger") and self.may_receive(animal)]
            if able:
                (animal,) = yield from choose(who, "scavenge.animal", [(f"animal={name(animal)}", (animal,)) for animal in able])
                for _ in range(printed.LEFTOVERS):
                    yield from self.fed(animal, "blue")
                return
