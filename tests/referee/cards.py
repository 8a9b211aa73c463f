"""The 26 Dominance cards (hu 18 and 19; it 23 to 25, and their texts in it 27; CF 7).

`animal` is dominant on the tile `here` just scored, and decides (it 20). The orders of a card are compulsory as far as the position permits
(hu 18, it 23), unless the card says "up to".
"""

from . import components as printed
from .actions import Actions
from .decision_protocol import Asking, ask
from .earth import CORNERS, CORNERS_OF


class Cards(Actions):
    def effect(self, card: str, animal: str, here: str) -> Asking[None]:
        """Runs a card. A card without decisions is a plain method, and one with decisions a generator."""
        asking = getattr(self, f"card_{card}")(animal, here)
        if asking is not None:
            yield from asking

    # ------------------------------------------------------------ discs

    def card_aquatic(self, animal: str, here: str) -> Asking[None]:
        """Places a disc of choice and up to four cubes on one sea or wetland tile. Each part lapses on its own (hu 18, it 23)."""
        waters = [tile for tile in self.earth() if self.terrain[tile] in ("sea", "wetland")]
        # The disc lapses only if no such tile has a free corner (it 23). So if one is free anywhere, the disc must go there.
        open_waters = [tile for tile in waters if self.vacant_corners_of(tile) and self.bag.total() > 0]
        if not open_waters and self.pool[animal] == 0:
            return
        tile = yield from self.pick(animal, "effect[aquatic].tile", "tile", open_waters or waters)
        if tile is None:
            return
        if open_waters:
            yield from self._disc_from_bag(animal, "effect[aquatic]", self.vacant_corners_of(tile))
        count = yield from self.pick(animal, "effect[aquatic].n", "n", range(min(4, self.pool[animal]) + 1))
        assert count is not None
        self.settle(animal, tile, count)

    def card_habitat(self, animal: str, here: str) -> Asking[None]:
        yield from self._disc_from_bag(animal, "effect[habitat]", self.vacant_corners())  # hu 19, it 24

    def _disc_from_bag(self, animal: str, key: str, vacant: list[str]) -> Asking[None]:
        """Places any disc of choice from the bag on one of these corners."""
        elements = self.types_in(self.bag) if vacant else []
        element = yield from self.pick(animal, f"{key}.element", "element", elements)
        if element is None:
            return
        corner = yield from self.pick(animal, f"{key}.corner", "corner", vacant)
        assert corner is not None
        self.bag[element] -= 1
        self.disc[corner] = element

    def card_blight(self, animal: str, here: str) -> Asking[None]:
        """Removes all discs of a tile but one. The player chooses them (hu 18, it 23)."""
        richest = {tile: len(self.discs_on(tile)) for tile in self.earth()}
        if max(richest.values()) < 2:
            return
        tile = yield from self.pick(animal, "effect[blight].tile", "tile", self.card_tiles(richest, 2))
        assert tile is not None
        discs = [corner for corner in CORNERS_OF[tile] if corner in self.disc]
        kept = yield from self.pick(animal, "effect[blight].kept", "kept", discs)
        for corner in discs:
            if corner != kept:
                self.bag_disc(corner)

    def card_tiles(self, held: dict[str, int], least: int) -> list[str]:
        """Returns tiles for a card that only says "choose a tile" (hu 18 and 19, it 27).

        That may mean any tile. Or it means a tile with enough pieces for an effect, if there is one, because a card is carried out as far
        as the position permits (hu 18, it 23).
        """
        fitting = [tile for tile, count in held.items() if count >= least]
        return fitting if fitting and self.options["card_tile"] == "fitting_tile" else list(held)

    def card_ecodiversity(self, animal: str, here: str) -> None:
        """Counts a type on the display once, and each disc on earth (hu 18, it 24)."""
        self.gain(animal, sum(corner in self.disc and self.need(animal, self.disc[corner]) > 0 for corner in CORNERS))

    # ------------------------------------------------------------ elements of animals

    def card_disease(self, animal: str, here: str) -> Asking[None]:
        """Each animal with strictly more elements loses an added one of its choice (hu 18, it 24 and 27)."""
        for other in self.animals:
            if self.elements(other) > self.elements(animal):
                yield from self._lose_element(other, "effect[disease].element")

    def _lose_element(self, animal: str, key: str) -> Asking[None]:
        element = yield from self.pick(animal, key, "element", self.types_in(self.added[animal]))
        if element is not None:
            self.bag_added(animal, element)

    def card_metamorphosis(self, animal: str, here: str) -> Asking[None]:
        """Replaces an added disc by one from the bag, both of choice (hu 19, it 25)."""
        in_bag = self.types_in(self.bag)
        added = self.types_in(self.added[animal]) if in_bag else []
        given = yield from self.pick(animal, "effect[metamorphosis].given", "given", added)
        if given is None:
            return
        taken = yield from self.pick(animal, "effect[metamorphosis].taken", "taken", in_bag)
        assert taken is not None
        self.bag_added(animal, given)
        self.bag[taken] -= 1
        self.added[animal][taken] += 1

    def card_symbiotic(self, animal: str, here: str) -> None:
        """Counts printed elements too (hu 19, it 25), and nobody gets more than six (hu 10, it 11).

        All are counted before anybody draws. The order of drawing matters only if the bag runs short. No text gives it, so the food chain
        decides, as elsewhere on cards (hu 18 and 19, it 24).
        """
        before = self.elements(animal)
        gainers = [other for other in self.animals if other == animal or self.elements(other) < before]
        for other in gainers:
            if self.elements(other) < printed.SLOTS:
                self.draw_up_to(1, self.added[other])

    # ------------------------------------------------------------ points

    def card_biodiversity(self, animal: str, here: str) -> None:
        self.gain(animal, sum(len(self.rivals(animal, tile)) > 0 for tile in self.occupied(animal)))  # hu 18, it 23

    def card_fertile(self, animal: str, here: str) -> Asking[None]:
        tile = yield from self.pick(animal, "effect[fertile].tile", "tile", self.occupied(animal))
        if tile is not None:
            self.gain(animal, self.crowd(tile))  # hu 18, it 24

    def card_ice_age(self, animal: str, here: str) -> None:
        """Pays everybody for the tiles they dominate, and makes this the last turn (hu 19, it 24 and 27)."""
        dominated = [self.dominant(tile) for tile in self.earth()]
        for other in self.animals:
            self.gain(other, printed.bonus(dominated.count(other)))
        self.last_turn = True

    def card_niche_biomes(self, animal: str, here: str) -> None:
        """Each animal that has more loses the first-place value of the tile just scored (hu 19, it 25)."""
        value = printed.PLACES[self.terrain[here]][0]
        for other in [other for other in self.animals if self.vp[other] > self.vp[animal]]:
            self.gain(other, -value)

    # ------------------------------------------------------------ cubes that die

    def card_biomass(self, animal: str, here: str) -> Asking[None]:
        """Eliminates one cube on each tile with more cubes than discs, an own one if there are no others (hu 18, it 23)."""
        for tile in self.earth():
            if self.crowd(tile) > len(self.discs_on(tile)):
                yield from self._kill_one(animal, "effect[biomass].victim", tile)

    def _kill_one(self, animal: str, key: str, tile: str, opposing: bool = False) -> Asking[None]:
        victims = self.rivals(animal, tile) if opposing else self.present(tile)
        victim = yield from self.pick(animal, key, "victim", victims)
        if victim is not None:  # the chooser says which cube dies (hu 18, it 23), also among sleeping ones
            yield from self.eliminate_chosen(animal, victim, tile, 1)

    def card_catastrophe(self, animal: str, here: str) -> Asking[None]:
        """Eliminates all cubes of a tile but one, and one on each adjacent tile. The player chooses them (hu 18, it 23)."""
        held = {tile: self.crowd(tile) for tile in self.earth()}
        tile = yield from self.pick(animal, "effect[catastrophe].tile", "tile", self.card_tiles(held, 2))
        assert tile is not None
        survivor = yield from self.pick(animal, "effect[catastrophe].survivor", "survivor", self.present(tile))
        for other in self.present(tile):
            yield from self.eliminate_chosen(animal, other, tile, self.cubes[other][tile] - (other == survivor))
        for near in self.neighbours(tile):  # compulsory, own ones if there are no others
            yield from self._kill_one(animal, "effect[catastrophe].victim", near)

    def card_cold_snap(self, animal: str, here: str) -> Asking[None]:
        """Every other animal gives up a cube of its own on each tundra tile (hu 18, it 27)."""
        for other in self.animals:
            if other != animal:
                for tile in self.occupied(other):
                    if self.is_tundra(tile):
                        yield from self.eliminate_chosen(other, other, tile, 1)

    def card_predator(self, animal: str, here: str) -> Asking[None]:
        """Eliminates an opposing cube on each tile the animal occupies, perhaps of a different animal each time (hu 19, it 25)."""
        for tile in self.occupied(animal):
            yield from self._kill_one(animal, "effect[predator].victim", tile, opposing=True)

    def card_immigrants(self, animal: str, here: str) -> Asking[None]:
        for other in self.animals:  # every animal, the chooser's too, in food-chain order (hu 19, it 24)
            yield from self._lose_to_immigrants(other)

    def _lose_to_immigrants(self, animal: str) -> Asking[None]:
        options = ["lose_elements"] if self.added[animal].total() > 0 else []  # printed ones cannot be lost (hu 19, it 24)
        if self.pawns[animal] > 0:
            options.append("lose_pawn")
        # No text says whether a placed pawn may be lost if others are available.
        if self.pawns[animal] == 0 or self.options["lost_pawn"] == "any_pawn":
            options += [f"lose_placed_pawn space={space}" for space in printed.SPACES if self.pawn.get(space) == animal]
        options.append("thin_out")
        loss, _, space = (yield from ask(self.keeper[animal], "effect[immigrants].loss", options)).partition(" space=")
        if loss == "lose_elements":
            yield from self._lose_element(animal, "effect[immigrants].element")
        elif loss == "lose_pawn":
            self.pawns[animal] -= 1
            self.spare[animal] += 1
        elif loss == "lose_placed_pawn":
            del self.pawn[space]
            self.spare[animal] += 1
        else:
            for tile in self.occupied(animal):
                yield from self.eliminate_chosen(animal, animal, tile, self.cubes[animal][tile] - 1)

    # ------------------------------------------------------------ cubes that come or move

    def card_evolution(self, animal: str, here: str) -> Asking[None]:
        """Replaces one cube each of up to two opposing animals, anywhere, from the gene pool (hu 18, it 24)."""
        replaced: list[str] = []
        while len(replaced) < 2 and self.pool[animal] > 0:
            others = [other for other in self.animals if other != animal and other not in replaced and self.occupied(other)]
            victim = yield from self.pick(animal, "effect[evolution].victim", "victim", others, may=True)
            if victim is None:
                return
            tile = yield from self.pick(animal, "effect[evolution].tile", "tile", self.occupied(victim))
            assert tile is not None
            yield from self.eliminate_chosen(animal, victim, tile, 1)  # any cube the player likes
            self.settle(animal, tile, 1)
            replaced.append(victim)

    def card_fecundity(self, animal: str, here: str) -> Asking[None]:
        """Places up to one cube on each tile that the animal occupies (hu 18, it 24)."""
        for tile in self.occupied(animal):
            count = yield from self.pick(animal, "effect[fecundity].n", "n", range(min(1, self.pool[animal]) + 1))
            assert count is not None
            self.settle(animal, tile, count)

    def card_hibernation(self, animal: str, here: str) -> Asking[None]:
        """Returns up to five eliminated cubes onto one tile, safe this turn (hu 19, it 24; one tile: it 27, CF 7)."""
        most = min(5, self.lost[animal])
        tile = yield from self.pick(animal, "effect[hibernation].tile", "tile", self.earth() if most else [], may=True)
        if tile is None:
            return
        count = yield from self.pick(animal, "effect[hibernation].n", "n", range(1, most + 1))
        assert count is not None
        self.lost[animal] -= count
        self.cubes[animal][tile] += count
        self.asleep[animal][tile] += count

    def card_mass_exodus(self, animal: str, here: str) -> Asking[None]:
        """Moves all cubes of a tile, of every animal, to adjacent tiles, split as the player likes (hu 19, it 25)."""
        held = {tile: self.crowd(tile) for tile in self.earth()}
        if not any(held.values()):
            return
        tile = yield from self.pick(animal, "effect[mass_exodus].tile", "tile", self.card_tiles(held, 1))
        assert tile is not None
        for other in self.present(tile):
            yield from self._drive_out(animal, other, tile)

    def _drive_out(self, chooser: str, animal: str, tile: str) -> Asking[None]:
        """Moves one animal's cubes, a share to each of some adjacent tiles. The last tile takes the rest."""
        targets = self.neighbours(tile)
        while self.lives(animal, tile):
            target = yield from self.pick(chooser, "effect[mass_exodus].target", "target", targets)
            assert target is not None
            left = self.cubes[animal][tile]
            shares = range(1, left + 1) if len(targets) > 1 else [left]
            count = yield from self.pick(chooser, "effect[mass_exodus].n", "n", shares)
            assert count is not None
            sleepers = yield from self.leaving(chooser, animal, tile, count)
            self.move_cubes(animal, tile, target, count, sleepers)
            targets.remove(target)

    def card_ice_sheet(self, animal: str, here: str) -> Asking[None]:
        """Runs a Glaciation at once, without a pawn, by all rules of Glaciation (hu 19, it 24).

        Cards are carried out in full (hu 18, it 23), and actions are never compulsory (hu 9, it 9). An option decides which of the two
        counts.
        """
        forgo = self.options["ice_sheet_action"] == "optional"
        tile = yield from self.pick(animal, "effect[ice_sheet].tile", "tile", self.glaciable(), may=forgo)
        if tile is not None:
            yield from self.glaciate(animal, tile)

    # ------------------------------------------------------------ pawns and initiative

    def card_instinct(self, animal: str, here: str) -> Asking[None]:
        """Places an available pawn onto any vacant space, also one still to act (hu 19, it 24)."""
        spaces = self.vacant_spaces() if self.pawns[animal] > 0 else []
        space = yield from self.pick(animal, "effect[instinct].space", "space", spaces)
        if space is not None:
            self.place_pawn(animal, space)

    def card_intelligence(self, animal: str, here: str) -> None:
        for other in self.animals[: self.animals.index(animal) + 1]:
            self.gain_pawn(other)  # hu 19, it 25

    def card_parasitism(self, animal: str, here: str) -> None:
        for other in self.animals[self.animals.index(animal) :]:
            self.gain_pawn(other)  # hu 19, it 25

    def card_omnivore(self, animal: str, here: str) -> None:
        self.gain_pawn(animal)  # hu 19, it 25

    def card_nocturnal(self, animal: str, here: str) -> None:
        self.step_forward(animal)  # hu 19, it 25
