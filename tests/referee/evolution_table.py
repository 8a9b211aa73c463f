"""The table of Evolution: hands, animals with the cards under them, tokens, marks, and values computed from them.

Seats and the cards on the table are numbers here. `snapshot` spells them.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from . import evolution_printed as printed


class Table:
    def __init__(self, players: int, options: dict[str, str] | None, draw: Callable[[], str]) -> None:
        self.players = players
        self.options = {**printed.READINGS, **(options or {})}
        self.draw = draw
        self.deck = Counter(printed.deck(players))
        self.hand: list[Counter[str]] = [Counter() for _ in range(players)]
        self.discards: list[Counter[str]] = [Counter() for _ in range(players)]
        self.first = 0
        self.base = 0
        self.last_round = False
        # the cards on the table, by number
        self.face: dict[int, str] = {}
        self.layer: dict[int, int] = {}  # the seat that played the card
        self.trait: dict[int, str] = {}  # trait cards only
        self.herd: list[list[int]] = [[] for _ in range(players)]
        self.under: dict[int, set[int]] = {}  # by animal
        self.pair: dict[int, tuple[int, int]] = {}  # by paired card, with the symbiont first for a symbiosis
        self.food: Counter[int] = Counter()
        self.full: set[int] = set()  # Fat Tissue cards with their yellow token (EVO-FAT-04)
        # marks on animals: for the round
        self.asleep: set[int] = set()
        self.rested: set[int] = set()  # slept in the round before
        self.hunted: set[int] = set()
        self.robbed: set[int] = set()
        self.mimicked: set[int] = set()
        self.poisoned: set[int] = set()

    # ------------------------------------------------------------ cards enter and leave

    def deal(self, seat: int) -> None:
        face = self.draw()
        if not self.deck[face]:
            raise ValueError(f"{face} is not in the deck")
        self.deck[face] -= 1
        self.hand[seat][face] += 1

    def lay(self, seat: int, face: str) -> int:
        """Moves a card from the hand to the table, under the lowest free number."""
        if not self.hand[seat][face]:
            raise ValueError(f"{face} is not in the hand of {seat}")
        self.hand[seat][face] -= 1
        card = next(n for n in range(1, len(self.face) + 2) if n not in self.face)
        self.face[card], self.layer[card] = face, seat
        return card

    def lay_animal(self, seat: int, face: str) -> None:
        card = self.lay(seat, face)
        self.herd[seat].append(card)
        self.under[card] = set()

    def lay_trait(self, seat: int, face: str, trait: str, *animals: int) -> None:
        card = self.lay(seat, face)
        self.trait[card] = trait
        for animal in animals:
            self.under[animal].add(card)
        if trait in printed.PAIRED:
            self.pair[card] = (animals[0], animals[1])

    def drop_trait(self, card: int, owner: int) -> None:
        """Moves a trait card to the pile of the animal's owner (EVO-TR-TAIL-03), and its yellow token to the supply (EVO-FAT-16).

        With the other reading of EVO-EXT-05, the parasite has an owner of its own, however it is lost."""
        layers = self.trait[card] == "parasite" and self.options["parasite_pile"] == "layer"
        self.discards[self.layer[card] if layers else owner][self.face.pop(card)] += 1
        del self.layer[card], self.trait[card]
        self.pair.pop(card, None)
        self.full.discard(card)
        for cards in self.under.values():
            cards.discard(card)

    def drop_animal(self, animal: int) -> None:
        """Moves an animal with all its traits, also shared ones, to its owner's pile (EVO-EXT-01, 08, EVO-CARN-09, 10, EVO-PAIR-06)."""
        owner = self.owner(animal)
        for card in sorted(self.under[animal]):
            self.drop_trait(card, owner)
        self.discards[owner][self.face.pop(animal)] += 1
        self.herd[owner].remove(animal)
        del self.layer[animal], self.under[animal], self.food[animal]
        for marks in (self.asleep, self.rested, self.hunted, self.robbed, self.mimicked, self.poisoned):
            marks.discard(animal)

    # ------------------------------------------------------------ reading the table

    def animals(self) -> list[int]:
        """Returns all animals on the table, by number."""
        return sorted(self.under)

    def owner(self, animal: int) -> int:
        return next(seat for seat, herd in enumerate(self.herd) if animal in herd)

    def has(self, animal: int, trait: str) -> bool:
        return any(self.trait[card] == trait for card in self.under[animal])

    def need(self, animal: int) -> int:
        """Returns the current need of an animal (EVO-HUNGER-01, 02, 08)."""
        return 1 + sum(printed.EXTRA_NEED.get(self.trait[card], 0) for card in self.under[animal])

    def lack(self, animal: int) -> int:
        return max(0, self.need(animal) - self.food[animal])

    def is_fed(self, animal: int) -> bool:
        """Whether an animal is fed. Sleeping counts as fed (EVO-TR-HIBERNATION-01), yellow tokens do not count (EVO-HUNGER-06)."""
        return animal in self.asleep or not self.lack(animal)

    def fat(self, animal: int) -> list[int]:
        """Returns the Fat Tissue cards of an animal, the lowest number first."""
        return sorted(card for card in self.under[animal] if self.trait[card] == "fat_tissue")

    def fat_full(self, animal: int) -> list[int]:
        return [card for card in self.fat(animal) if card in self.full]

    def fat_empty(self, animal: int) -> list[int]:
        return [card for card in self.fat(animal) if card not in self.full]

    def symbionts(self, animal: int) -> list[int]:
        """Returns the animals that protect this one and eat before it."""
        return [self.pair[card][0] for card in self.under[animal] if self.trait[card] == "symbiosis" and self.pair[card][1] == animal]

    def waits(self, animal: int) -> bool:
        """Whether an animal waits for a symbiont that is not fed. It gets no food and does not attack (EVO-TR-SYMBIOSIS-02)."""
        return any(not self.is_fed(symbiont) for symbiont in self.symbionts(animal))

    def may_receive(self, animal: int) -> bool:
        """Whether an animal may get a token: its need first, then fat (EVO-FEED-06, EVO-FAT-02, 07), never asleep
        (EVO-TR-HIBERNATION-01)."""
        if animal in self.asleep or self.waits(animal):
            return False
        return self.lack(animal) > 0 or bool(self.fat_empty(animal))

    def receive(self, animal: int) -> None:
        if self.lack(animal):
            self.food[animal] += 1
        else:
            self.full.add(self.fat_empty(animal)[0])  # EVO-FAT-03

    def all_fed(self) -> bool:
        """Whether no animal can get anything more (EVO-FEED-08)."""
        return all(self.is_fed(animal) and not self.fat_empty(animal) for animal in self.animals())

    def may_attack(self, hunter: int, prey: int) -> bool:
        """Checks all conditions of an attack together (EVO-TR-ATTACK-01). Own animals and carnivores can be prey too (EVO-CARN-07, 08)."""
        if prey == hunter:
            return False
        if self.has(prey, "swimming") != self.has(hunter, "swimming"):  # EVO-TR-SWIM-01, 02
            return False
        if self.has(prey, "high_body_weight") and not self.has(hunter, "high_body_weight"):  # EVO-TR-WEIGHT-02
            return False
        if self.has(prey, "camouflage") and not self.has(hunter, "sharp_vision"):  # EVO-TR-CAMOUFLAGE-01, EVO-TR-VISION-01
            return False
        if self.has(prey, "burrowing") and self.is_fed(prey):  # EVO-TR-BURROW-01
            return False
        return not self.symbionts(prey)  # EVO-TR-SYMBIOSIS-01

    def points(self, seat: int) -> int:
        """Returns the points (EVO-SCORE-01 to 09). Hands and tokens count nothing (EVO-END-05, EVO-SCORE-09)."""
        total = 0
        for animal in self.herd[seat]:
            total += 2
            for card in self.under[animal]:
                if card in self.pair and self.options["shared_points"] == "once" and self.pair[card][0] != animal:  # EVO-SCORE-07
                    continue
                total += 1 + printed.EXTRA_POINTS.get(self.trait[card], 0)
        return total

    def standing(self) -> list[int]:
        """Returns the seats, the best first (EVO-GOAL-01, EVO-TIE-01, 03)."""
        return sorted(range(self.players), key=lambda seat: (-self.points(seat), -self.discards[seat].total(), seat))

    # ------------------------------------------------------------ the normal form

    def snapshot(self) -> dict[str, Any]:
        """Returns the position without entries that are empty, zero, false, or none."""
        by_seat = [f"player_{seat + 1}" for seat in range(self.players)]
        form = {
            "hand": {by_seat[seat]: dict(+cards) for seat, cards in enumerate(self.hand) if cards.total()},
            "discards": {by_seat[seat]: dict(+cards) for seat, cards in enumerate(self.discards) if cards.total()},
            "deck": dict(+self.deck),
            "herd": {by_seat[seat]: [name(animal) for animal in herd] for seat, herd in enumerate(self.herd) if herd},
            "under": {name(animal): [name(card) for card in sorted(cards)] for animal, cards in self.under.items() if cards},
            "printed": {name(card): face for card, face in self.face.items()},
            "owner": {name(card): by_seat[seat] for card, seat in self.layer.items()},
            "shows": {name(card): trait for card, trait in self.trait.items()},
            "one": {name(card): name(one) for card, (one, _) in self.pair.items()},
            "two": {name(card): name(two) for card, (_, two) in self.pair.items()},
            "food": {name(animal): count for animal, count in self.food.items() if count},
            "fat": {name(card): 1 for card in self.full},
            "base": self.base,
            "first_player": by_seat[self.first],
            "last_round": self.last_round,
        }
        return {key: value for key, value in form.items() if value}


def name(card: int) -> str:
    return f"card_{card}"
