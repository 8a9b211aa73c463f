"""An independent referee of Dominant Species with all its options, written from the clauses (DS-...)."""

from collections import Counter

from . import components as printed
from .asking import Asking, pick
from .cards import Cards


def dealing(players: int, options: dict[str, str | bool]) -> Asking[dict[str, int]]:
    """With `dealing` `choice`: animals and who runs them, picked one each in seat order, round after round (DS-SET-A1, DS-VAR-MUL-02)."""
    keeper: dict[str, int] = {}
    for _ in range(printed.SEVERAL[players] if options["animals_each"] == "several" else 1):
        for seat in range(players):
            animal = yield from pick(seat, "deal_animals.animal", "animal", [each for each in printed.ANIMALS if each not in keeper])
            assert animal is not None
            keeper[animal] = seat
    return keeper


class Referee(Cards):
    """The course of the game, from the first Planning on. See README.md for `start` and `draw`."""

    def decisions(self) -> Asking[None]:
        """Yields (seat, key, options), is sent the option taken, and returns when the game is over."""
        while not self.last_turn:  # DS-TRN-01, 04
            yield from self._turn()
        for tile in self.earth():  # points only, each tile once more (DS-FIN-04, 05, 06)
            self.score(tile)

    def _turn(self) -> Asking[None]:
        self.chosen.clear()
        for sleepers in self.asleep.values():
            sleepers.clear()
        yield from self._planning()
        for action in printed.EYEBALLS:  # DS-EXE-GEN-02
            yield from self.section(action)
        yield from self._extinction()  # DS-TRN-03
        self._survival()
        if self.options["dead_earth"] == "ends" and not any(map(self.occupied, self.animals)):
            self.last_turn = True  # DS-FIN-10
        if not self.last_turn:  # DS-RES-01
            self._reseed()

    def standing(self) -> list[int]:
        """Seats, the best first, by the animals that count; ties by the food chain (DS-FIN-08, 09, DS-VAR-MUL-08)."""
        counting = sorted(map(self.counting, set(self.keeper.values())), key=lambda animal: (-self.vp[animal], self.animals.index(animal)))
        return [self.keeper[animal] for animal in counting]

    def counting(self, seat: int) -> str:
        """A player's lowest animal, of several the highest in the food chain (DS-VAR-MUL-07, 08)."""
        own = [animal for animal in self.animals if self.keeper[animal] == seat]
        return min(own, key=lambda animal: (self.vp[animal], self.animals.index(animal)))

    # ------------------------------------------------------------ Planning

    def _planning(self) -> Asking[None]:
        """One pawn each in initiative order, round after round, compulsory (DS-PLN-01 to 04, 08, 09)."""
        while any(self.pawns.values()):
            for animal in self.initiative:
                if self.pawns[animal] == 0:  # DS-PLN-03
                    continue
                space = yield from self.pick(animal, "planning.space", "space", self.vacant_spaces())
                if space is None:  # all 41 spaces are taken
                    return
                self.place_pawn(animal, space)

    # ------------------------------------------------------------ Domination

    def act_domination(self, animal: str, space: str) -> Asking[None]:
        """Any tile not yet chosen this turn, an empty one too (DS-EXE-DMN-01, 02, 16)."""
        tiles = [tile for tile in self.earth() if tile not in self.chosen]
        tile = yield from self.pick(animal, "perform[domination].tile", "tile", tiles, may=True)
        if tile is None:
            return
        self.chosen.add(tile)
        self.score(tile)
        dominant = self.dominant(tile)
        if dominant is not None:  # whoever it is must take a card, if one is face up (DS-EXE-DMN-09, 11, 12, 13, 17)
            yield from self._take_card(dominant, tile)

    def _take_card(self, animal: str, tile: str) -> Asking[None]:
        offered = [card for card in printed.CARDS if card in self.market]
        card = yield from self.pick(animal, "perform[domination].card", "card", offered)
        if card is not None:
            self.market.remove(card)  # out of the game (DS-EXE-DMN-10, DS-CRD-GEN-03)
            self.gone.append(card)
            yield from self.effect(card, animal, tile)

    # ------------------------------------------------------------ Reset

    def _extinction(self) -> Asking[None]:
        """Endangered cubes die, but for hibernating ones and one that the mammal may save (DS-EXT-01, 02, 03, 06)."""
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
        """Paid by tundra tiles, not by cubes (DS-SUR-01, 02, 03)."""
        holder = self.survivor()
        if holder is not None:
            self.gain(holder, printed.bonus(sum(map(self.is_tundra, self.occupied(holder)))))

    def _reseed(self) -> None:
        self._refill_market()
        self._slide_glaciation()
        self._shift_discs()
        for action in printed.LEAF_ROWS:  # after the shift, so that discs returned just now can be drawn (DS-RES-07, 08)
            self.draw_up_to(printed.LEAVES, self.tray[action])
        for stack, tiles in self.stack.items():  # DS-RES-09
            if stack not in self.open and tiles:
                self.open[stack] = tiles.pop()

    def _refill_market(self) -> None:
        while len(self.market) < printed.MARKET_PLACES and self.deck:  # DS-RES-02
            self.market.add(self.deck.pop())

    def _slide_glaciation(self) -> None:
        """Second, third, fourth, in this order, one space left where it is free (DS-RES-03)."""
        spaces = printed.SECTIONS["glaciation"]
        for left, space in zip(spaces, spaces[1:]):
            if space in self.pawn and left not in self.pawn:
                self.pawn[left] = self.pawn.pop(space)

    def _shift_discs(self) -> None:
        tray = self.tray
        for action in ("regression", "depletion", "wanderlust"):  # DS-RES-04
            self.bag.update(tray[action])
        tray["wanderlust"] = Counter()
        tray["depletion"] = tray["wasteland"]  # DS-RES-05
        tray["wasteland"] = tray["abundance"]  # DS-RES-05
        tray["regression"] = tray["adaptation"]  # DS-RES-06
        tray["abundance"], tray["adaptation"] = Counter(), Counter()
