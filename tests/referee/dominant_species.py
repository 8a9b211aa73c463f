"""An independent referee of Dominant Species with all its options, written from the rulebooks (hu, it and a page; CF: component facts)."""

from collections import Counter

from . import components as printed
from .cards import Cards
from .decision_protocol import Asking, pick


def dealing(players: int, options: dict[str, str | bool]) -> Asking[dict[str, int]]:
    """Deals with `dealing` `choice`: players pick one animal each in seat order, round after round (set-up, A; hu 17, it 21)."""
    keeper: dict[str, int] = {}
    for _ in range(printed.SEVERAL[players] if options["animals_each"] == "several" else 1):
        for seat in range(players):
            animal = yield from pick(seat, "deal_animals.animal", "animal", [each for each in printed.ANIMALS if each not in keeper])
            assert animal is not None
            keeper[animal] = seat
    return keeper


class Referee(Cards):
    """Runs the game, from the first Planning on. See README.md for `start` and `draw`."""

    def decisions(self) -> Asking[None]:
        """Yields (seat, key, options), receives the option taken, and returns when the game is over."""
        while not self.last_turn:  # hu 9, it 8
            yield from self._turn()
        for tile in self.earth():  # points only, each tile once more (hu 20, it 26)
            self.score(tile)

    def _turn(self) -> Asking[None]:
        self.chosen.clear()
        for sleepers in self.asleep.values():
            sleepers.clear()
        yield from self._planning()
        for action in printed.EYEBALLS:  # hu 9, it 9
            yield from self.section(action)
        yield from self._extinction()  # hu 20, it 26
        self._survival()
        if self.options["dead_earth"] == "ends" and not any(map(self.occupied, self.animals)):
            self.last_turn = True  # the text has no end other than Ice Age
        if not self.last_turn:  # hu 20, it 26
            self._reseed()

    def standing(self) -> list[int]:
        """Returns the seats, the best first, by the animals that count. The food chain breaks ties (hu 20, it 26)."""
        counting = sorted(map(self.counting, set(self.keeper.values())), key=lambda animal: (-self.vp[animal], self.animals.index(animal)))
        return [self.keeper[animal] for animal in counting]

    def counting(self, seat: int) -> str:
        """Returns a player's lowest animal (hu 17, it 21). No text breaks a tie, so the highest in the food chain counts, as it wins
        ties."""
        own = [animal for animal in self.animals if self.keeper[animal] == seat]
        return min(own, key=lambda animal: (self.vp[animal], self.animals.index(animal)))

    # ------------------------------------------------------------ Planning

    def _planning(self) -> Asking[None]:
        """Places one pawn each in initiative order onto any eyeball, round after round, until nobody has one left (hu 9, it 9)."""
        while any(self.pawns.values()):
            for animal in self.initiative:
                if self.pawns[animal] == 0:  # passed over
                    continue
                space = yield from self.pick(animal, "planning.space", "space", self.vacant_spaces())
                if space is None:  # all 41 spaces are taken
                    return
                self.place_pawn(animal, space)

    # ------------------------------------------------------------ Domination

    def act_domination(self, animal: str, space: str) -> Asking[None]:
        """Scores any tile not yet chosen this turn, also an empty one (hu 16, it 20)."""
        tiles = [tile for tile in self.earth() if tile not in self.chosen]
        tile = yield from self.pick(animal, "perform[domination].tile", "tile", tiles, may=True)
        if tile is None:
            return
        self.chosen.add(tile)
        self.score(tile)
        dominant = self.dominant(tile)
        if dominant is not None:  # the dominant player must take a card, if one is face up (hu 16, it 20)
            yield from self._take_card(dominant, tile)

    def _take_card(self, animal: str, tile: str) -> Asking[None]:
        offered = [card for card in printed.CARDS if card in self.market]
        card = yield from self.pick(animal, "perform[domination].card", "card", offered)
        if card is not None:
            self.market.remove(card)  # out of the game (hu 16, it 20)
            self.gone.append(card)
            yield from self.effect(card, animal, tile)

    # ------------------------------------------------------------ Reset

    def _extinction(self) -> Asking[None]:
        """Eliminates endangered cubes, except hibernating ones and one that the mammal may save (hu 19 and 20, it 26 and 27)."""
        doomed = {
            animal: {
                tile: awake
                for tile in self.occupied(animal)
                if self.is_endangered(animal, tile) and (awake := self.cubes[animal][tile] - self.asleep[animal][tile]) > 0
            }
            for animal in self.animals
        }
        if "mammal" in self.animals:
            saved = yield from self.pick("mammal", "die_out.tile", "tile", list(doomed["mammal"]), may=True)
            if saved is not None:
                doomed["mammal"][saved] -= 1
        for animal, tiles in doomed.items():
            for tile, count in tiles.items():
                self.eliminate(animal, tile, count)

    def _survival(self) -> None:
        """Pays for tundra tiles, not for cubes (hu 18 and 20, it 23 and 26)."""
        holder = self.survivor()
        if holder is not None:
            self.gain(holder, printed.bonus(sum(map(self.is_tundra, self.occupied(holder)))))

    def _reseed(self) -> None:
        self._refill_market()
        self._slide_glaciation()
        self._shift_discs()
        for action in printed.LEAF_ROWS:  # after the shift, so that discs returned just now can be drawn (hu 20, it 26)
            self.draw_up_to(printed.LEAVES, self.tray[action])
        for stack, tiles in self.stack.items():  # turned up if none is face up (hu 20, it 26)
            if stack not in self.open and tiles:
                self.open[stack] = tiles.pop()

    def _refill_market(self) -> None:
        while len(self.market) < printed.MARKET_PLACES and self.deck:  # hu 20, it 26
            self.market.add(self.deck.pop())

    def _slide_glaciation(self) -> None:
        """Moves the second, third, and fourth pawn, in this order, one space left if it is free (hu 20, it 26)."""
        spaces = printed.SECTIONS["glaciation"]
        for left, space in zip(spaces, spaces[1:]):
            if space in self.pawn and left not in self.pawn:
                self.pawn[left] = self.pawn.pop(space)

    def _shift_discs(self) -> None:
        """Moves the discs by all steps of hu 20. it 26 merges two of them."""
        tray = self.tray
        for action in ("regression", "depletion", "wanderlust"):
            self.bag.update(tray[action])
        tray["wanderlust"] = Counter()
        tray["depletion"] = tray["wasteland"]
        tray["wasteland"] = tray["abundance"]
        tray["regression"] = tray["adaptation"]
        tray["abundance"], tray["adaptation"] = Counter(), Counter()
