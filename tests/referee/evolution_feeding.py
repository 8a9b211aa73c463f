"""Feeding in Evolution: a player's go, and the attacks, robberies and passed-on tokens in it."""

from . import evolution_printed as printed
from .decision_protocol import DECLINE, Asking, ask
from .evolution_table import Table, name

Move = tuple[str, tuple]  # as it is spelt, and what it is


def choose(seat: int, key: str, moves: list[Move], may: bool = False) -> Asking[tuple]:
    """One of the moves, `()` when the player declines."""
    spellings = [spelling for spelling, _ in moves]
    answer = yield from ask(seat, key, [*spellings, DECLINE] if may else spellings)
    return () if answer == DECLINE else moves[spellings.index(answer)][1]


class Feeding(Table):
    def feeding(self) -> Asking[None]:
        """Lap after lap from the first player on (EVO-FEED-02), until all are fed with full fat (EVO-FEED-08) or everybody in turn
        did nothing (EVO-FEED-09, 10)."""
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
        """One red token, one attack or the fat of one animal, and with it any number of other traits (EVO-FEED-13 to 15); whether
        anything was done. Attack and fat are both "in place of" the red token; by one reading they exclude each other, too."""
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
                meals.add(what)  # whatever comes of it (EVO-CARN-02, 16)
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
        """Only one of these in a go: EVO-FEED-01, 03, EVO-CARN-02, 06, EVO-FAT-09, 10; or an attack and fat, where that is agreed."""
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
        """Fat may be turned while the animal waits for a symbiont: it is not getting food (EVO-FAT-11). "Any quantity" is as much as it
        lacks (EVO-FAT-12), or by the letter all of it."""
        full = len(self.fat_full(animal))
        if self.options["fat_use"] == "any_amount":
            return full
        return 0 if self.is_fed(animal) else min(full, self.lack(animal))

    def sidelines(self, seat: int) -> list[Move]:
        """With or without a meal: EVO-FEED-13, 14, 15, EVO-TR-PIRACY-02, EVO-TR-GRAZING-01."""
        moves: list[Move] = []
        herd = self.herd[seat]
        moves += [(f"rob pirate={name(animal)}", ("rob", animal)) for animal in herd if self.may_rob(animal)]
        if self.base:
            grazers = [animal for animal in herd if self.has(animal, "grazing") and animal not in self.grazed]
            moves += [(f"graze animal={name(animal)}", ("graze", animal)) for animal in grazers]
        moves += [(f"sleep animal={name(animal)}", ("sleep", animal)) for animal in herd if self.may_sleep(animal)]
        return moves

    def may_hunt(self, animal: int) -> bool:
        """Once in a round, hungry or with room for fat (EVO-CARN-05, 11, 12), not asleep nor waiting for its symbiont."""
        if not self.has(animal, "carnivorous") or animal in self.hunted or not self.may_receive(animal):
            return False
        return bool(self.prey_of(animal))

    def prey_of(self, hunter: int) -> list[int]:
        return [animal for animal in self.animals() if self.may_attack(hunter, animal)]

    def may_rob(self, pirate: int) -> bool:
        """Once in a round, while it is not fed (EVO-TR-PIRACY-01) and may get food (EVO-TR-SYMBIOSIS-02)."""
        if not self.has(pirate, "piracy") or pirate in self.robbed or self.is_fed(pirate) or self.waits(pirate):
            return False
        return bool(self.victims_of(pirate))

    def victims_of(self, pirate: int) -> list[int]:
        """Those with a token and less than they need, asleep or not (EVO-TR-PIRACY-01); asleep they count as fed, so by one reading not."""
        spared = self.asleep if self.options["sleeping_victims"] == "spared" else ()
        robbed = [animal for animal in self.animals() if self.food[animal] and self.lack(animal)]
        return [animal for animal in robbed if animal != pirate and animal not in spared]

    def may_sleep(self, animal: int) -> bool:
        """EVO-TR-HIBERNATION-01, 02."""
        return self.has(animal, "hibernation") and animal not in self.asleep and animal not in self.rested and not self.last_round

    # ------------------------------------------------------------ doing it

    def fed(self, animal: int, colour: str) -> Asking[None]:
        """A token arrives; its owner uses links in any order, each once in a go (EVO-PAIR-07, 09, 12, 14). What is passed on arrives
        too and wakes further links. A link that is declined now, or can do nothing now, is not owed later: what it gives comes at
        once (EVO-PAIR-10)."""
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
        """What the links may pass on now (EVO-PAIR-11, 13). A link with a token on both ends may feed either: the player picks the order
        of tokens (EVO-PAIR-09), and no clause says which end a link feeds."""
        found: dict[tuple[int, int], Move] = {}
        for link, other, gift in woken:
            if link not in self.worked and self.may_receive(other) and (gift == "blue" or self.base):
                found[link, other] = (f"link={name(link)} receiver={name(other)} gift={gift}", (link, other, gift))
        return [found[ends] for ends in sorted(found)]

    def woken(self, animal: int, colour: str) -> list[tuple[int, int, str]]:
        """Links of an animal that pass something on when it gets a token of this colour: (link, receiver, gift)."""
        found = []
        for link in self.under[animal]:
            gift = printed.PASSES_ON.get((self.trait[link], colour))
            if gift:
                one, two = self.pair[link]
                found.append((link, two if animal == one else one, gift))
        return found

    def burn(self, animal: int, count: int) -> None:
        """Yellow turns blue; that is not getting food (EVO-FAT-09, 11)."""
        for card in self.fat_full(animal)[:count]:
            self.full.remove(card)
            if not self.is_fed(animal):
                self.food[animal] += 1

    def rob(self, pirate: int) -> Asking[None]:
        """The token was not taken from the base: it wakes what blue food wakes."""
        seat = self.owner(pirate)
        self.robbed.add(pirate)
        (victim,) = yield from choose(seat, "rob.victim", [(f"victim={name(v)}", (v,)) for v in self.victims_of(pirate)])
        self.food[victim] -= 1
        yield from self.fed(pirate, "blue")

    # ------------------------------------------------------------ attacks

    def hunt(self, hunter: int) -> Asking[None]:
        """EVO-CARN-03, 04, 09, 15; EVO-TRAIT-09 to 12."""
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
        """Blue tokens one by one; what the hunter cannot hold is lost (EVO-CARN-14)."""
        for _ in range(tokens):
            if self.may_receive(hunter):
                yield from self.fed(hunter, "blue")

    def scavenge(self, seat: int) -> Asking[None]:
        """One scavenger in the whole game, clockwise from the hunter's owner (EVO-TR-SCAVENGER-01)."""
        for step in range(self.players):
            who = (seat + step) % self.players
            able = [animal for animal in self.herd[who] if self.has(animal, "scavenger") and self.may_receive(animal)]
            if able:
                (animal,) = yield from choose(who, "scavenge.animal", [(f"animal={name(animal)}", (animal,)) for animal in able])
                for _ in range(printed.LEFTOVERS):
                    yield from self.fed(animal, "blue")
                return
