"""The actions of Dominant Species, from Initiative to Competition (hu 9 to 15, it 9 to 19), and the scoring of a tile.

`act` runs the choices of a pawn's owner when the pawn comes off a space. Declining the first choice gives the action up
(hu 9, it 9). `section` runs the order in which the pawns of a section come off. Domination, which needs the cards, is in
`dominant_species`.
"""

from collections import Counter

from . import components as printed
from .decision_protocol import Asking
from .earth import CORNERS
from .table import Table


class Actions(Table):
    def section(self, action: str) -> Asking[None]:
        """Runs a section. Regression, Glaciation, Speciation, and Competition have their own procedures, and Wasteland has a sequel."""
        course = getattr(self, f"section_{action}", None)
        yield from course() if course else self.pawns_act(action)

    def pawns_act(self, action: str) -> Asking[None]:
        """Runs the pawns from left to right. A pawn placed further right meanwhile still acts (hu 9 and 19, it 9 and 24)."""
        for space in printed.SECTIONS[action]:
            if space in self.pawn:
                yield from self.act(action, self.take_pawn_back(space), space)

    def act(self, action: str, animal: str, space: str) -> Asking[None]:
        yield from getattr(self, f"act_{action}")(animal, space)

    # ------------------------------------------------------------ 1 Initiative

    def act_initiative(self, animal: str, space: str) -> Asking[None]:
        """Moves a step forward, and then the pawn onto another eyeball.

        hu 10 says of each that the player may, and it 10 and es say to do both. hu 9, it 9 and es let a player forgo an action "as a
        whole". So either each half is optional, or both are done or none.
        """
        together = self.options["initiative_parts"] == "both_or_none"
        place = self.initiative.index(animal)
        if place > 0:  # the front marker only skips the swap (it 10: "this activity", hu 10 says the action)
            rival = yield from self.pick(animal, "perform[initiative].forward", "rival", self.initiative[place - 1 : place], may=True)
            if rival is not None:
                self.step_forward(animal)
            elif together:
                return
        # No text says whether the pawn may return to its old space. There it would not act again (hu 9: left to right).
        spaces = [other for other in self.vacant_spaces() if self.options["initiative_again"] or other != space]
        begun = together and place > 0
        target = yield from self.pick(animal, "perform[initiative].target", "target", spaces, may=not begun)
        if target is not None:
            self.place_pawn(animal, target)

    def step_forward(self, animal: str) -> None:
        """Swaps with the marker directly to the left (hu 10, it 10). The front marker gets nothing (hu 19, it 25: Nocturnal)."""
        place = self.initiative.index(animal)
        if place > 0:
            self.initiative[place - 1 : place + 1] = [animal, self.initiative[place - 1]]

    # ------------------------------------------------------------ 2 Adaptation

    def act_adaptation(self, animal: str, space: str) -> Asking[None]:
        """Moves one disc of the section onto a free place of the display (hu 10, it 11)."""
        if self.elements(animal) >= printed.SLOTS:
            return
        tray = self.tray["adaptation"]
        element = yield from self.pick(animal, "perform[adaptation].element", "element", self.types_in(tray), may=True)
        if element is not None:
            tray[element] -= 1
            self.added[animal][element] += 1

    # ------------------------------------------------------------ 3 Regression

    def section_regression(self) -> Asking[None]:
        """Runs with or without pawns (hu 9, it 9). Pawns work where they are and come off afterwards (hu 11, it 12)."""
        spaces = printed.SECTIONS["regression"]
        for animal in self.animals:
            # A type in the box counts once, and removes one disc, never a printed element (hu 11, it 11 and 12).
            threatened = [e for e in self.types_in(self.tray["regression"]) if self.added[animal][e] > 0]
            shields = sum(self.pawn.get(space) == animal for space in spaces)
            if animal == "reptile":
                shields += 1  # always as if with a free pawn (hu 11, it 11)
            # The owner of a pawn *may* save an element (hu 11), and no action is compulsory (hu 9, it 9). So each shield saves up to one.
            kept = yield from self.pick_up_to(shields, animal, "section[regression].kept", "kept", threatened)
            for element in threatened:
                if element not in kept:
                    self.bag_added(animal, element)
        for space in spaces:
            if space in self.pawn:
                self.take_pawn_back(space)

    # ------------------------------------------------------------ 4 Abundance

    def act_abundance(self, animal: str, space: str) -> Asking[None]:
        """Moves one disc of the section onto any vacant corner (hu 11, it 12)."""
        tray, vacant = self.tray["abundance"], self.vacant_corners()
        elements = self.types_in(tray) if vacant else []
        element = yield from self.pick(animal, "perform[abundance].element", "element", elements, may=True)
        if element is None:
            return
        corner = yield from self.pick(animal, "perform[abundance].corner", "corner", vacant)
        assert corner is not None
        tray[element] -= 1
        self.disc[corner] = element

    # ------------------------------------------------------------ 5 Wasteland

    def section_wasteland(self) -> Asking[None]:
        yield from self.pawns_act("wasteland")
        # With or without a pawn, every disc that touches tundra goes if its type is still in the box (it 14, and the examples of both).
        # By the letter hu 12 would also take the discs of tiles next to tundra, but hu 9 and its own example mention discs at tundra tiles.
        for corner in CORNERS:
            element = self.disc.get(corner)
            if element is not None and self.tray["wasteland"][element] > 0 and any(map(self.is_tundra, self.tiles_at(corner))):
                self.bag_disc(corner)

    def act_wasteland(self, animal: str, space: str) -> Asking[None]:
        """Moves one disc of choice from the box to the bag (hu 12, it 13)."""
        box = self.tray["wasteland"]
        element = yield from self.pick(animal, "perform[wasteland].element", "element", self.types_in(box), may=True)
        if element is not None:
            box[element] -= 1
            self.bag[element] += 1

    # ------------------------------------------------------------ 6 Depletion

    def act_depletion(self, animal: str, space: str) -> Asking[None]:
        """Removes one disc on earth of a type in the box. The box is unchanged (hu 12, it 14)."""
        corners = [corner for corner in CORNERS if corner in self.disc and self.tray["depletion"][self.disc[corner]] > 0]
        corner = yield from self.pick(animal, "perform[depletion].corner", "corner", corners, may=True)
        if corner is not None:
            self.bag_disc(corner)

    # ------------------------------------------------------------ 7 Glaciation

    def section_glaciation(self) -> Asking[None]:
        """Takes off only the left-most pawn, used or not (hu 13, it 15).

        Nobody may be on the first space. Then the left-most pawn is further right, where pawns are not taken off now (hu 13, it 16).
        So either the one rule counts or the other.
        """
        spaces = printed.SECTIONS["glaciation"]
        if self.options["glaciation_queue"] == "first_space":
            spaces = spaces[:1]
        for space in spaces:
            if space in self.pawn:
                # The pawn also comes off if no tile can be chosen: the action lapses, but the return of the pawn does not (hu 13, it 16).
                yield from self.act("glaciation", self.take_pawn_back(space), space)
                return

    def act_glaciation(self, animal: str, space: str) -> Asking[None]:
        tile = yield from self.pick(animal, "perform[glaciation].tile", "tile", self.glaciable(), may=True)
        if tile is not None:
            yield from self.glaciate(animal, tile)

    def glaciable(self) -> list[str]:
        """Step 1: returns non-tundra tiles next to tundra, as long as the supply lasts (hu 13, it 15 and 16)."""
        if self.glaciers == 0:
            return []
        return [tile for tile in self.earth() if not self.is_tundra(tile) and any(map(self.is_tundra, self.neighbours(tile)))]

    def glaciate(self, animal: str, tile: str) -> Asking[None]:
        """Runs steps 2 to 7 (hu 13, it 15 and 16). The acting player decides them, also which cube of a kind stays."""
        going = {other: self.cubes[other][tile] - 1 for other in self.present(tile)}
        sleepers: dict[str, int] = {}
        for other, count in going.items():
            sleepers[other] = yield from self.leaving(animal, other, tile, count)
        self.glaciers -= 1
        self.buried[self.terrain[tile]] += 1
        self.terrain[tile] = "tundra"  # step 3
        for corner in CORNERS:  # step 4: everywhere on earth, also far from the new tile
            if corner in self.disc and sum(map(self.is_tundra, self.tiles_at(corner))) == 3:
                self.bag_disc(corner)
        self.gain(animal, printed.bonus(sum(map(self.is_tundra, self.neighbours(tile)))))  # step 5
        for other, count in going.items():  # steps 6 and 7: one cube of each stays
            self.return_to_pool(other, tile, count, sleepers[other])

    # ------------------------------------------------------------ 8 Speciation

    def section_speciation(self) -> Asking[None]:
        yield from self.pawns_act("speciation")
        # After all pawns, and also without any: the insect's free cube, on any tile (hu 9 and 14, it 9 and 17).
        if "insect" in self.animals and self.pool["insect"] > 0:
            tile = yield from self.pick("insect", "section[speciation].free_cube", "tile", self.earth(), may=True)
            if tile is not None:
                self.settle("insect", tile, 1)

    def act_speciation(self, animal: str, space: str) -> Asking[None]:
        """Places a disc of the space's kind, and up to a given number of cubes on each tile that touches it (hu 14, it 17)."""
        element = printed.SPECIATION_ELEMENT[space]
        corners = [corner for corner in CORNERS if self.disc.get(corner) == element]
        corner = yield from self.pick(animal, "perform[speciation].corner", "corner", corners, may=True)
        if corner is None:
            return
        for tile in self.tiles_at(corner):
            most = min(printed.LIMIT[self.terrain[tile]], self.pool[animal])
            count = yield from self.pick(animal, "perform[speciation].n", "n", range(most + 1))
            assert count is not None
            self.settle(animal, tile, count)

    # ------------------------------------------------------------ 9 Wanderlust

    def act_wanderlust(self, animal: str, space: str) -> Asking[None]:
        """Places a face-up tile next to the earth (hu 14, it 17). The next of its stack is turned up only in Reseed (hu 20, it 26)."""
        stacks = [stack for stack in printed.STACKS if stack in self.open]
        stack = yield from self.pick(animal, "perform[wanderlust].stack", "stack", stacks, may=True)
        if stack is None:
            return
        tile = yield from self.pick(animal, "perform[wanderlust].tile", "tile", self.empty_rim())
        assert tile is not None  # 31 tiles never fill 35 hexes (CF 5)
        self.terrain[tile] = self.open.pop(stack)
        yield from self._seed_new_tile(animal, tile)
        self.gain(animal, printed.bonus(len(self.neighbours(tile))))
        yield from self._wander_in(tile)

    def _seed_new_tile(self, animal: str, tile: str) -> Asking[None]:
        """May place one disc of the section on a vacant corner of the new tile (hu 14, it 17)."""
        tray, vacant = self.tray["wanderlust"], self.vacant_corners_of(tile)
        elements = self.types_in(tray) if vacant else []
        element = yield from self.pick(animal, "perform[wanderlust].seed_tile.element", "element", elements, may=True)
        if element is None:
            return
        corner = yield from self.pick(animal, "perform[wanderlust].seed_tile.corner", "corner", vacant)
        assert corner is not None
        tray[element] -= 1
        self.disc[corner] = element

    def _wander_in(self, tile: str) -> Asking[None]:
        """Moves every animal in food-chain order, any number from each adjacent tile (hu 14, it 18)."""
        for animal in self.animals:
            for origin in self.neighbours(tile):
                if self.lives(animal, origin):
                    count = yield from self.pick(animal, "perform[wanderlust].n", "n", range(self.cubes[animal][origin] + 1))
                    assert count is not None
                    self.move_cubes(animal, origin, tile, count)

    # ------------------------------------------------------------ 10 Migration

    def act_migration(self, animal: str, space: str) -> Asking[None]:
        """Moves up to X cubes, each once, by one tile or, for birds, up to two (hu 15, it 18)."""
        left = printed.MIGRATION_CUBES[space]
        steps = 2 if animal == "bird" else 1
        arrived: Counter[str] = Counter()
        while left > 0:
            waiting = {tile: self.cubes[animal][tile] - arrived[tile] for tile in self.earth()}
            origins = [tile for tile, count in waiting.items() if count > 0 and self.within(tile, steps)]
            origin = yield from self.pick(animal, "perform[migration].origin", "origin", origins, may=True)
            if origin is None:
                return
            target = yield from self.pick(animal, "perform[migration].target", "target", self.within(origin, steps))
            assert target is not None
            count = yield from self.pick(animal, "perform[migration].n", "n", range(1, min(left, waiting[origin]) + 1))
            assert count is not None
            self.move_cubes(animal, origin, target, count)
            arrived[target] += count
            left -= count

    # ------------------------------------------------------------ 11 Competition

    def section_competition(self) -> Asking[None]:
        # The arachnid acts first, on one tile of any terrain, also without a pawn in the section (hu 9 and 15, it 9 and 19).
        if "arachnid" in self.animals:
            yield from self._compete("arachnid", "section[competition].free_kill", self.contested("arachnid", self.earth()))
        yield from self.pawns_act("competition")

    def act_competition(self, animal: str, space: str) -> Asking[None]:
        """Competes on at most one tile of each of the three terrains (hu 15).

        Otherwise on one of each, unless the whole action is given up (it 19 and 9). A glaciated tile is tundra only (hu 13, it 16)."""
        whole = self.options["competition_parts"] == "all_or_none"
        begun = False
        for terrain in printed.COMPETITION_TERRAINS[space]:
            contested = self.contested(animal, [tile for tile in self.earth() if self.terrain[tile] == terrain])
            if contested:
                competed = yield from self._compete(animal, "perform[competition]", contested, may=not (whole and begun))
                if whole and not competed:
                    return
                begun = True

    def contested(self, animal: str, ground: list[str]) -> list[str]:
        """Returns the tiles on which own and opposing cubes are together (hu 15, it 19)."""
        return [tile for tile in ground if self.lives(animal, tile) and self.rivals(animal, tile)]

    def _compete(self, animal: str, key: str, contested: list[str], may: bool = True) -> Asking[bool]:
        """Eliminates one opposing cube of choice on a tile (hu 15, it 19). Returns whether it did."""
        tile = yield from self.pick(animal, f"{key}.tile", "tile", contested, may=may)
        if tile is None:
            return False
        victim = yield from self.pick(animal, f"{key}.victim", "victim", self.rivals(animal, tile))
        assert victim is not None
        self.eliminate(victim, tile, 1)
        return True

    # ------------------------------------------------------------ scoring a tile

    def score(self, tile: str) -> None:
        """Scores places by cubes, ties by the food chain, one place for each animal (hu 16 and 20, it 20 and 26)."""
        ranked = sorted(self.present(tile), key=lambda animal: -self.cubes[animal][tile])
        for animal, points in zip(ranked, printed.PLACES[self.terrain[tile]]):
            self.gain(animal, points)
