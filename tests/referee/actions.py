"""The actions of Dominant Species, from Initiative to Competition (DS-EXE), and the scoring of a tile.

`act` tells what the owner of a pawn may do when it comes off a space; declining the first choice gives the action up
(DS-EXE-GEN-03). `section` tells how the pawns of a section come off. Domination, which needs the cards, is in
`dominant_species`.
"""

from collections import Counter

from . import components as printed
from .asking import Asking
from .earth import CORNERS, CORNERS_OF
from .table import Table


class Actions(Table):
    def section(self, action: str) -> Asking[None]:
        """Regression, Glaciation, Speciation and Competition have a course of their own; Wasteland has a sequel."""
        course = getattr(self, f"section_{action}", None)
        yield from course() if course else self.pawns_act(action)

    def pawns_act(self, action: str) -> Asking[None]:
        """Left to right; a pawn put further right meanwhile still acts (DS-EXE-GEN-01, DS-EXE-INI-04, DS-CRD-INS-02)."""
        for space in printed.SECTIONS[action]:
            if space in self.pawn:
                yield from self.act(action, self.take_pawn_back(space), space)

    def act(self, action: str, animal: str, space: str) -> Asking[None]:
        yield from getattr(self, f"act_{action}")(animal, space)

    # ------------------------------------------------------------ 1 Initiative

    def act_initiative(self, animal: str, space: str) -> Asking[None]:
        """Swap and second placing are each optional (DS-EXE-INI-07)."""
        place = self.initiative.index(animal)
        ahead = self.initiative[place - 1 : place] if place > 0 else []  # front already: only the swap lapses (DS-EXE-INI-03)
        if (yield from self.pick(animal, "perform[initiative].forward", "rival", ahead, may=True)):
            self.step_forward(animal)
        # Back onto Initiative, where that is allowed, does not act again (DS-EXE-INI-06).
        spaces = [other for other in self.vacant_spaces() if self.options["initiative_again"] or other != space]
        target = yield from self.pick(animal, "perform[initiative].target", "target", spaces, may=True)
        if target is not None:
            self.place_pawn(animal, target)

    def step_forward(self, animal: str) -> None:
        """Swap with the marker directly to the left (DS-EXE-INI-02); nothing for the front one (DS-CRD-NOC-01)."""
        place = self.initiative.index(animal)
        if place > 0:
            self.initiative[place - 1 : place + 1] = [animal, self.initiative[place - 1]]

    # ------------------------------------------------------------ 2 Adaptation

    def act_adaptation(self, animal: str, space: str) -> Asking[None]:
        if self.elements(animal) >= printed.SLOTS:  # DS-EXE-ADA-03
            return
        tray = self.tray["adaptation"]
        element = yield from self.pick(animal, "perform[adaptation].element", "element", self.types_in(tray), may=True)
        if element is not None:  # DS-EXE-ADA-01, 02
            tray[element] -= 1
            self.added[animal][element] += 1

    # ------------------------------------------------------------ 3 Regression

    def section_regression(self) -> Asking[None]:
        """With or without pawns (DS-EXE-REG-01); they work where they stand and come off afterwards (DS-EXE-REG-09)."""
        spaces = printed.SECTIONS["regression"]
        for animal in self.animals:
            # A type in the box counts once, and takes one added disc (DS-EXE-REG-02, 03, 07).
            threatened = [e for e in self.types_in(self.tray["regression"]) if self.added[animal][e] > 0]
            shields = sum(self.pawn.get(space) == animal for space in spaces)  # DS-EXE-REG-04, 06
            if animal == "reptile":
                shields += 1  # DS-EXE-REG-05
            count = min(shields, len(threatened))
            # Two types and one shield: the owner picks (DS-EXE-REG-11).
            kept = yield from self.pick_exactly(count, animal, "section[regression].kept", "kept", threatened)
            for element in threatened:
                if element not in kept:
                    self.bag_added(animal, element)  # DS-EXE-REG-08
        for space in spaces:
            if space in self.pawn:
                self.take_pawn_back(space)

    # ------------------------------------------------------------ 4 Abundance

    def act_abundance(self, animal: str, space: str) -> Asking[None]:
        """One disc of the section onto any vacant corner (DS-EXE-ABU-01, 02)."""
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
        # Pawn or not: every disc of a type still in the box whose corner touches tundra (DS-EXE-WAS-02, 05, 06).
        for corner in CORNERS:
            element = self.disc.get(corner)
            if element is not None and self.tray["wasteland"][element] > 0 and any(map(self.is_tundra, self.tiles_at(corner))):
                self.bag_disc(corner)  # DS-EXE-WAS-03

    def act_wasteland(self, animal: str, space: str) -> Asking[None]:
        """One disc of choice from the box to the bag (DS-EXE-WAS-01)."""
        box = self.tray["wasteland"]
        element = yield from self.pick(animal, "perform[wasteland].element", "element", self.types_in(box), may=True)
        if element is not None:
            box[element] -= 1
            self.bag[element] += 1

    # ------------------------------------------------------------ 6 Depletion

    def act_depletion(self, animal: str, space: str) -> Asking[None]:
        """One disc on earth of a type in the box; the box is unchanged (DS-EXE-DEP-01, 02, 03)."""
        corners = [corner for corner in CORNERS if corner in self.disc and self.tray["depletion"][self.disc[corner]] > 0]
        corner = yield from self.pick(animal, "perform[depletion].corner", "corner", corners, may=True)
        if corner is not None:
            self.bag_disc(corner)

    # ------------------------------------------------------------ 7 Glaciation

    def section_glaciation(self) -> Asking[None]:
        """Only the left-most pawn comes off, wherever it stands; used or not (DS-EXE-GLA-01, 10, 12, 14, 15)."""
        for space in printed.SECTIONS["glaciation"]:
            if space in self.pawn:
                yield from self.act("glaciation", self.take_pawn_back(space), space)
                return

    def act_glaciation(self, animal: str, space: str) -> Asking[None]:
        tile = yield from self.pick(animal, "perform[glaciation].tile", "tile", self.glaciable(), may=True)
        if tile is not None:
            self.glaciate(animal, tile)

    def glaciable(self) -> list[str]:
        """Non-tundra tiles next to tundra (DS-EXE-GLA-02, 13), as long as the supply lasts (DS-EXE-GLA-09)."""
        if self.glaciers == 0:
            return []
        return [tile for tile in self.earth() if not self.is_tundra(tile) and any(map(self.is_tundra, self.neighbours(tile)))]

    def glaciate(self, animal: str, tile: str) -> None:
        self.glaciers -= 1
        self.buried[self.terrain[tile]] += 1
        self.terrain[tile] = "tundra"  # DS-EXE-GLA-04
        for corner in CORNERS_OF[tile]:
            shut_in = sum(map(self.is_tundra, self.tiles_at(corner))) == 3
            if shut_in and corner in self.disc:  # DS-EXE-GLA-05
                self.bag_disc(corner)
        self.gain(animal, printed.bonus(sum(map(self.is_tundra, self.neighbours(tile)))))  # DS-EXE-GLA-06
        for other in self.present(tile):  # one cube of each stays, the rest go to the gene pools (DS-EXE-GLA-07, 08)
            self.return_to_pool(other, tile, self.cubes[other][tile] - 1)

    # ------------------------------------------------------------ 8 Speciation

    def section_speciation(self) -> Asking[None]:
        yield from self.pawns_act("speciation")
        # After all pawns, and without any: the insect's free cube, on any tile (DS-EXE-SPE-07, 08, 10).
        if "insect" in self.animals and self.pool["insect"] > 0:
            tile = yield from self.pick("insect", "section[speciation].free_cube", "tile", self.earth(), may=True)
            if tile is not None:
                self.settle("insect", tile, 1)

    def act_speciation(self, animal: str, space: str) -> Asking[None]:
        element = printed.SPECIATION_ELEMENT[space]
        corners = [corner for corner in CORNERS if self.disc.get(corner) == element]  # DS-EXE-SPE-01, 11
        corner = yield from self.pick(animal, "perform[speciation].corner", "corner", corners, may=True)
        if corner is None:
            return
        for tile in self.tiles_at(corner):  # DS-EXE-SPE-02, 04
            most = min(printed.LIMIT[self.terrain[tile]], self.pool[animal])  # DS-EXE-SPE-03, 05
            count = yield from self.pick(animal, "perform[speciation].n", "n", range(most + 1))
            assert count is not None
            self.settle(animal, tile, count)

    # ------------------------------------------------------------ 9 Wanderlust

    def act_wanderlust(self, animal: str, space: str) -> Asking[None]:
        stacks = [stack for stack in printed.STACKS if stack in self.open]  # DS-EXE-WAN-01, 07, 08, 11
        stack = yield from self.pick(animal, "perform[wanderlust].stack", "stack", stacks, may=True)
        if stack is None:
            return
        tile = yield from self.pick(animal, "perform[wanderlust].tile", "tile", self.empty_rim())
        assert tile is not None  # 31 tiles never fill 35 hexes (CF 5)
        self.terrain[tile] = self.open.pop(stack)  # DS-EXE-WAN-02
        yield from self._seed_new_tile(animal, tile)
        self.gain(animal, printed.bonus(len(self.neighbours(tile))))  # DS-EXE-WAN-04
        yield from self._wander_in(tile)

    def _seed_new_tile(self, animal: str, tile: str) -> Asking[None]:
        """Perhaps one disc of the section, on a vacant corner of the new tile (DS-EXE-WAN-03)."""
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
        """Every animal in food-chain order, any number from each adjacent tile (DS-EXE-WAN-05, 06)."""
        for animal in self.animals:
            for origin in self.neighbours(tile):
                if self.lives(animal, origin):
                    count = yield from self.pick(animal, "perform[wanderlust].n", "n", range(self.cubes[animal][origin] + 1))
                    assert count is not None
                    self.move_cubes(animal, origin, tile, count)

    # ------------------------------------------------------------ 10 Migration

    def act_migration(self, animal: str, space: str) -> Asking[None]:
        """Up to X cubes, each moved once (DS-EXE-MIG-01, 03, 06), one tile or, by birds, two (DS-EXE-MIG-02, 04)."""
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
        # The arachnid first, on one tile of any terrain, also with no pawn in the section (DS-EXE-COM-01, 02, 07).
        if "arachnid" in self.animals:
            yield from self._compete("arachnid", "section[competition].free_kill", self.earth())
        yield from self.pawns_act("competition")

    def act_competition(self, animal: str, space: str) -> Asking[None]:
        """At most one tile of each of the three terrains (DS-EXE-COM-03, 06); glaciated is tundra only (DS-EXE-COM-08)."""
        for terrain in printed.COMPETITION_TERRAINS[space]:
            ground = [tile for tile in self.earth() if self.terrain[tile] == terrain]
            yield from self._compete(animal, "perform[competition]", ground)

    def _compete(self, animal: str, key: str, ground: list[str]) -> Asking[None]:
        """Where own and opposing cubes share a tile, one opposing cube of choice dies (DS-EXE-COM-04, 05)."""
        contested = [tile for tile in ground if self.lives(animal, tile) and self.rivals(animal, tile)]
        tile = yield from self.pick(animal, f"{key}.tile", "tile", contested, may=True)
        if tile is None:
            return
        victim = yield from self.pick(animal, f"{key}.victim", "victim", self.rivals(animal, tile))
        assert victim is not None
        self.eliminate(victim, tile, 1)

    # ------------------------------------------------------------ scoring a tile

    def score(self, tile: str) -> None:
        """Places by cubes, ties by the food chain, one place for each animal (DS-EXE-DMN-03 to 08, DS-FIN-07)."""
        ranked = sorted(self.present(tile), key=lambda animal: -self.cubes[animal][tile])
        for animal, points in zip(ranked, printed.PLACES[self.terrain[tile]]):
            self.gain(animal, points)
