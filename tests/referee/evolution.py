"""An independent referee of Evolution: The Origin of Species, written from the clauses (EVO-...; F: the component facts)."""

from collections.abc import Iterator

from . import evolution_printed as printed
from .decision_protocol import Asking
from .evolution_feeding import Feeding, Move, choose
from .evolution_table import name


class Referee(Feeding):
    """Runs the game. `Referee(players, options, draw)`: `draw()` names the next outcome of chance, see README.md."""

    def decisions(self) -> Asking[None]:
        """Yields (seat, key, options), receives the option taken, and returns when the game is over."""
        self.set_up()
        while True:
            yield from self.development()
            self.set_food_base()
            yield from self.feeding()
            self.extinction()
            if self.last_round:  # EVO-END-04
                return
            self.new_cards()
            self.clean_up()
            self.first = (self.first + 1) % self.players  # EVO-ROUND-06
            self.last_round = not self.deck.total()  # EVO-END-01, 03
            if self.last_round and self.options["end"] == "at_once":  # EVO-END-02
                return

    def laps(self) -> Iterator[int]:
        """Yields seats in turn from the first player on, lap after lap (EVO-ROUND-03, 04)."""
        seat = self.first
        while True:
            yield seat
            seat = (seat + 1) % self.players

    def set_up(self) -> None:
        """Sets up the game (EVO-SETUP-02, 05, 06)."""
        for seat in range(self.players):
            for _ in range(printed.OPENING_HAND):
                self.deal(seat)
        if self.options["starter"] == "lot":
            self.first = int(self.draw().removeprefix("player_")) - 1

    # ------------------------------------------------------------ development

    def development(self) -> Asking[None]:
        """Runs goes of one card, until all have passed. A player without cards must pass (EVO-DEV-07 to 12)."""
        passed: set[int] = set()
        for seat in self.laps():
            if len(passed) == self.players:
                return
            if seat in passed:
                continue
            played = False
            if self.hand[seat].total():
                played = yield from self.develop(seat)
            if not played:
                passed.add(seat)

    def develop(self, seat: int) -> Asking[bool]:
        """Plays an animal or a trait, for a card with two traits one of them (EVO-DEV-02 to 04, 09). Returns whether a card was played."""
        faces = [face for face in printed.FACES if self.hand[seat][face]]
        moves: list[Move] = [(f"animal face={face}", (face, None)) for face in faces]
        for face in faces:
            for trait in printed.FACES[face]:
                if self.pairs(seat, trait) if trait in printed.PAIRED else self.places(seat, trait):  # EVO-DEV-14
                    moves.append((f"trait face={face} trait={trait}", (face, trait)))
        move = yield from choose(seat, "develop.card", moves, may=True)
        if not move:
            return False
        face, trait = move
        if trait is None:
            self.lay_animal(seat, face)
        elif trait in printed.PAIRED:
            pairs = self.pairs(seat, trait)
            herd = self.herd[seat]
            these = [animal for animal in herd if any(this == animal for this, _ in pairs)]
            (this,) = yield from choose(seat, "link.this", [(f"this={name(animal)}", (animal,)) for animal in these])
            others = [animal for animal in herd if (this, animal) in pairs]
            (other,) = yield from choose(seat, "link.other", [(f"other={name(animal)}", (animal,)) for animal in others])
            self.lay_trait(seat, face, trait, this, other)
        else:
            places = [(f"animal={name(animal)}", (animal,)) for animal in self.places(seat, trait)]
            (animal,) = yield from choose(seat, "give.animal", places)
            self.lay_trait(seat, face, trait, animal)
        return True

    def places(self, seat: int, trait: str) -> list[int]:
        """Returns own animals, or for a parasite those of others (EVO-TRAIT-04, 05), that may get a trait.

        An animal has each trait once, except fat (EVO-TRAIT-02, 03, 06), and no two traits that exclude each other."""
        return [
            animal
            for animal in self.animals()
            if (self.owner(animal) != seat) == (trait == "parasite")
            and (trait == "fat_tissue" or not self.has(animal, trait))
            and not (trait in printed.EXCLUDES and self.has(animal, printed.EXCLUDES[trait]))
        ]

    def pairs(self, seat: int, trait: str) -> set[tuple[int, int]]:
        """Returns pairs of own animals without this trait between them (EVO-PAIR-01 to 05).

        A symbiosis may go either way round (EVO-TR-SYMBIOSIS-01), but only one of the two ways (EVO-PAIR-03)."""
        linked = {frozenset(self.pair[card]) for card in self.pair if self.trait[card] == trait}
        return {
            (this, other)
            for this in self.herd[seat]
            for other in self.herd[seat]
            if (this != other if trait == "symbiosis" else this < other) and frozenset((this, other)) not in linked
        }

    # ------------------------------------------------------------ the other phases

    def set_food_base(self) -> None:
        dice, more = printed.FOOD_BASE[self.players]
        self.base = sum(int(self.draw()) for _ in range(dice)) + more  # EVO-BANK-06

    def extinction(self) -> None:
        """Removes dying animals at one time (EVO-EXT-01, 07), poisoned ones too (EVO-TR-POISON-01). The base is emptied (EVO-FEED-12)."""
        self.base = 0
        for animal in [animal for animal in self.animals() if not self.is_fed(animal) or animal in self.poisoned]:
            self.drop_animal(animal)

    def new_cards(self) -> None:
        """Deals one card per lap to each player who is due one, while cards remain (EVO-DRAW-02 to 04)."""
        due = [1 + len(herd) for herd in self.herd]
        destitute = [not self.herd[seat] and not self.hand[seat].total() for seat in range(self.players)]
        for seat in range(self.players):
            if destitute[seat]:
                due[seat] = printed.DESTITUTE_HAND  # instead of the one card (EVO-DRAW-05)
        for seat in self.laps():
            if not any(due) or not self.deck.total():
                return
            at_once = destitute[seat] and self.options["destitute"] == "at_once"  # EVO-DRAW-06
            for _ in range(min(due[seat], due[seat] if at_once else 1, self.deck.total())):
                self.deal(seat)
                due[seat] -= 1

    def clean_up(self) -> None:
        """Removes food from the animals but not fat (EVO-CLEAN-02, EVO-FAT-06), and turns marks back (EVO-CLEAN-03).

        Animals that slept will not sleep in the next round (EVO-TR-HIBERNATION-02)."""
        self.food.clear()
        self.rested, self.asleep = self.asleep, set()
        for marks in (self.hunted, self.robbed, self.mimicked):
            marks.clear()
