"""The table of Dominant Species, and the rulebook values of a position that need no action."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from . import components as printed
from .decision_protocol import Asking, T, pick, pick_up_to
from .earth import CORNERS, CORNERS_OF, NEAR, TILES, TOUCHING

ACTION_TRAYS = list(printed.EYEBALLS)


class Table:
    """The position. Dominance and the Survival card are computed, not stored.

    The card changes hands at once and automatically (hu 18, it 23). Dominance also takes effect at once, but it 7 leaves it to the players
    to claim it and to point out a tie. Here everybody always does so, as in the example of Wasteland (hu 12, it 15).
    """

    def __init__(self, start: dict[str, Any], draw: Callable[[], str], options: dict[str, str | bool] | None = None) -> None:
        self.draw = draw
        self.options = printed.options_of(options)
        check_start(start, self.options)
        self.keeper: dict[str, int] = dict(start["keeper"])
        self.animals = [animal for animal in printed.ANIMALS if animal in self.keeper]  # set-up, B
        self.initiative = self.animals[::-1]  # set-up, B
        self.last_turn = False
        self.gone: list[str] = []  # cards that were played (hu 18, it 23)
        self._lay_earth(start)
        self._hand_out()
        self._take_over(start)
        # Valid within one turn only.
        self.chosen: set[str] = set()  # tiles of Domination (hu 16, it 20)
        self.asleep: dict[str, Counter[str]] = {animal: Counter() for animal in self.animals}  # cubes under Hibernation (hu 19)

    def _lay_earth(self, start: dict[str, Any]) -> None:
        self.glaciers = printed.TUNDRA_SUPPLY
        if self.options["first_earth"] == "usual":
            self.terrain, self.disc = dict(printed.FIRST_TERRAIN), dict(printed.FIRST_DISC)
            self.buried = Counter({printed.BURIED: 1})
        else:
            self.terrain, self.disc = dict(start["terrain"]), dict(start["disc"])  # hu 17, it 21 and 22
            self.buried = left_over(start)

    def _hand_out(self) -> None:
        pawns, cubes = printed.FIRST_PAWNS[len(self.animals)], printed.FIRST_CUBES[len(self.animals)]  # set-up, N
        self.pawns = dict.fromkeys(self.animals, pawns)
        self.spare = dict.fromkeys(self.animals, printed.PAWNS_EACH[str(self.options["pawn_limit"])] - pawns)  # set-up, N
        self.pawn: dict[str, str] = {}
        self._settle_first_cubes()
        # One counted cube marks the points (set-up, O). Those at home come out of the gene pool (P).
        self.pool = {animal: cubes - 1 - self.cubes[animal].total() for animal in self.animals}
        self.lost = dict.fromkeys(self.animals, 0)
        self.added: dict[str, Counter[str]] = {animal: Counter() for animal in self.animals}

    def _settle_first_cubes(self) -> None:
        """Places cubes at home (set-up, P).

        On a random earth, there is one cube for each disc that feeds the animal, and animals with fewer cubes get points."""
        if self.options["first_earth"] == "usual":
            self.cubes = {animal: Counter(printed.HOME[animal]) for animal in self.animals}
            self.vp = dict.fromkeys(self.animals, 0)
            return
        grounds = [tile for tile in self.earth() if not self.is_tundra(tile)]
        self.cubes = {  # hu 17, it 22: a disc shared by two tiles counts on both
            animal: Counter({tile: self.discs_on(tile).count(printed.LIVES_BY[animal]) for tile in grounds}) for animal in self.animals
        }
        totals = {animal: cubes.total() for animal, cubes in self.cubes.items()}
        self.vp = {animal: max(totals.values()) - total for animal, total in totals.items()}  # hu 17, it 22

    def _take_over(self, start: dict[str, Any]) -> None:
        """Takes the random set-up from `start`, and computes the bag that remains (set-up, E, G, H, J to M)."""
        self.stack = {stack: list(start["stack"].get(stack, [])) for stack in printed.STACKS}
        self.open: dict[str, str] = dict(start["open"])
        self.deck = list(start["deck"])
        self.market = set(start["market"])
        self.tray: dict[str, Counter[str]] = {action: Counter(start["tray"].get(action, {})) for action in ACTION_TRAYS}
        on_earth = Counter(self.disc.values())
        self.bag = Counter(
            {
                element: printed.DISCS_EACH - on_earth[element] - sum(tray[element] for tray in self.tray.values())
                for element in printed.ELEMENTS
            }
        )

    # ------------------------------------------------------------ asking

    def pick(self, animal: str, key: str, name: str, values: Sequence[T], may: bool = False) -> Asking[T | None]:
        """Asks the player of an animal for one of the values. Returns None if there is nothing to choose, or the player declines."""
        return (yield from pick(self.keeper[animal], key, name, values, may))

    def pick_up_to(self, count: int, animal: str, key: str, name: str, values: Sequence[T]) -> Asking[list[T]]:
        return (yield from pick_up_to(count, self.keeper[animal], key, name, values))

    # ------------------------------------------------------------ tiles, corners, discs

    def earth(self) -> list[str]:
        """Returns all placed tiles, in board order (hu 3, it 6)."""
        return [tile for tile in TILES if tile in self.terrain]

    def is_tundra(self, tile: str) -> bool:
        return self.terrain.get(tile) == "tundra"  # the old terrain is gone (hu 13, it 16)

    def neighbours(self, tile: str) -> list[str]:
        """Returns placed tiles that share an edge (hu 6, it 6)."""
        return [near for near in NEAR[tile] if near in self.terrain]

    def empty_rim(self) -> list[str]:
        """Returns empty hexes next to the earth (hu 14, it 17)."""
        return [tile for tile in TILES if tile not in self.terrain and self.neighbours(tile)]

    def within(self, tile: str, steps: int) -> list[str]:
        """Returns the other tiles within this number of steps, every step on earth (hu 15, it 18)."""
        reached = frontier = {tile}
        for _ in range(steps):
            frontier = {near for here in frontier for near in self.neighbours(here)} - reached
            reached = reached | frontier
        return [there for there in TILES if there in reached and there != tile]

    def tiles_at(self, corner: str) -> list[str]:
        """Returns placed tiles that meet at a corner: one, two, or three (hu 3, it 3)."""
        return [tile for tile in TOUCHING[corner] if tile in self.terrain]

    def vacant_corners(self) -> list[str]:
        """Returns corners of placed tiles without a disc, also on the edge of the earth (hu 11, it 12)."""
        return [corner for corner in CORNERS if corner not in self.disc and self.tiles_at(corner)]

    def vacant_corners_of(self, tile: str) -> list[str]:
        return [corner for corner in CORNERS_OF[tile] if corner not in self.disc]

    def discs_on(self, tile: str) -> list[str]:
        """Returns the elements on the corners of a tile, shared ones included (hu 3, it 3)."""
        return [self.disc[corner] for corner in CORNERS_OF[tile] if corner in self.disc]

    def bag_disc(self, corner: str) -> None:
        """Moves a disc from the earth to the bag (hu 7, it 7)."""
        self.bag[self.disc.pop(corner)] += 1

    # ------------------------------------------------------------ elements

    @staticmethod
    def types_in(discs: Counter[str]) -> list[str]:
        return [element for element in printed.ELEMENTS if discs[element] > 0]

    def need(self, animal: str, element: str) -> int:
        """Counts printed and added elements alike (hu 7, it 6)."""
        return printed.INHERENT[animal].get(element, 0) + self.added[animal][element]

    def elements(self, animal: str) -> int:
        return sum(printed.INHERENT[animal].values()) + self.added[animal].total()  # hu 10, it 11

    def bag_added(self, animal: str, element: str) -> None:
        """Moves an added element to the bag (hu 7, it 7). Only added elements can be lost (hu 11, it 12)."""
        self.added[animal][element] -= 1
        self.bag[element] += 1

    def draw_up_to(self, count: int, target: Counter[str]) -> None:
        """Draws at random from the bag. If it runs short, all that remain are drawn (no text says)."""
        for _ in range(min(count, self.bag.total())):
            element = self.draw()
            if self.bag[element] <= 0:
                raise ValueError(f"no {element} in the bag to draw")
            self.bag[element] -= 1
            target[element] += 1

    # ------------------------------------------------------------ match, endangered, dominant

    def match(self, animal: str, tile: str) -> int:
        return sum(self.need(animal, element) for element in self.discs_on(tile))  # hu 3, it 3

    def is_endangered(self, animal: str, tile: str) -> bool:
        return self.match(animal, tile) == 0  # hu 3, it 7

    def dominant(self, tile: str) -> str | None:
        """Returns the present animal with strictly the highest match, never a match of zero (it 7)."""
        matches = {animal: self.match(animal, tile) for animal in self.present(tile)}
        best = max(matches.values(), default=0)
        winners = [animal for animal, match in matches.items() if match == best]
        return winners[0] if best > 0 and len(winners) == 1 else None

    def survivor(self) -> str | None:
        """Returns the holder of the Survival card: alone the most cubes on tundra (hu 18, it 23)."""
        totals = {animal: sum(self.cubes[animal][tile] for tile in self.earth() if self.is_tundra(tile)) for animal in self.animals}
        best = max(totals.values())
        holders = [animal for animal, total in totals.items() if total == best]
        return holders[0] if best > 0 and len(holders) == 1 else None

    # ------------------------------------------------------------ cubes

    def lives(self, animal: str, tile: str) -> bool:
        return self.cubes[animal][tile] > 0

    def occupied(self, animal: str) -> list[str]:
        return [tile for tile in self.earth() if self.lives(animal, tile)]

    def present(self, tile: str) -> list[str]:
        """Returns the animals on a tile, in food-chain order."""
        return [animal for animal in self.animals if self.lives(animal, tile)]

    def rivals(self, animal: str, tile: str) -> list[str]:
        """Returns the opposing animals on a tile, which are all others (hu 17, it 21)."""
        return [other for other in self.present(tile) if other != animal]

    def crowd(self, tile: str) -> int:
        return sum(self.cubes[animal][tile] for animal in self.animals)

    def settle(self, animal: str, tile: str, count: int) -> None:
        """Moves cubes from the gene pool to a tile (hu 8, it 8)."""
        self.pool[animal] -= count
        self.cubes[animal][tile] += count

    def leaving(self, chooser: str, animal: str, tile: str, going: int) -> Asking[int]:
        """Returns how many sleeping cubes are among an animal's cubes that leave a tile.

        Hibernation protects cubes, not a tile (hu 19, it 27), so the player who chooses the cubes distinguishes them. The question is
        skipped if
        all cubes leave, or if only one kind is there.
        """
        asleep = self.asleep[animal][tile]
        awake = self.cubes[animal][tile] - asleep
        count = yield from self.pick(chooser, "leaving.n", "n", range(max(0, going - awake), min(going, asleep) + 1))
        assert count is not None
        return count

    def _lift(self, animal: str, tile: str, count: int, sleepers: int) -> None:
        self.cubes[animal][tile] -= count
        self.asleep[animal][tile] -= sleepers

    def eliminate(self, animal: str, tile: str, count: int, sleepers: int = 0) -> None:
        """Moves cubes to the box, out of play, and not to the gene pool (hu 6, 8; it 8). `sleepers` of them were asleep."""
        self._lift(animal, tile, count, sleepers)
        self.lost[animal] += count

    def eliminate_chosen(self, chooser: str, animal: str, tile: str, count: int) -> Asking[None]:
        """Eliminates some of an animal's cubes, which the chooser picks."""
        self.eliminate(animal, tile, count, (yield from self.leaving(chooser, animal, tile, count)))

    def return_to_pool(self, animal: str, tile: str, count: int, sleepers: int) -> None:
        """Returns cubes to the gene pool. Only Glaciation does this (hu 6, 13; it 16)."""
        self._lift(animal, tile, count, sleepers)
        self.pool[animal] += count

    def move_cubes(self, animal: str, origin: str, target: str, count: int, sleepers: int = 0) -> None:
        """Moves cubes. Sleeping cubes stay asleep: they are safe this turn, on any tile (hu 19, it 27)."""
        self._lift(animal, origin, count, sleepers)
        self.cubes[animal][target] += count
        self.asleep[animal][target] += sleepers

    # ------------------------------------------------------------ pawns and points

    def vacant_spaces(self) -> list[str]:
        return [space for space in printed.SPACES if space not in self.pawn]  # hu 9, it 9

    def place_pawn(self, animal: str, space: str) -> None:
        self.pawns[animal] -= 1
        self.pawn[space] = animal

    def take_pawn_back(self, space: str) -> str:
        """Returns a pawn to its owner (hu 9 and 11, it 9 and 12)."""
        animal = self.pawn.pop(space)
        self.pawns[animal] += 1
        return animal

    def gain_pawn(self, animal: str) -> None:
        """Adds a pawn from the box (hu 19, it 25), as long as there is one."""
        if self.spare[animal] > 0:
            self.spare[animal] -= 1
            self.pawns[animal] += 1

    def gain(self, animal: str, points: int) -> None:
        self.vp[animal] = max(0, self.vp[animal] + points)  # hu 8, it 8

    # ------------------------------------------------------------ the normal form

    def snapshot(self) -> dict[str, Any]:
        """Returns the position as plain data, to compare with another referee's."""
        return {
            "pawns": dict(self.pawns),
            "spare": dict(self.spare),
            "pool": dict(self.pool),
            "lost": dict(self.lost),
            "vp": dict(self.vp),
            "pawn": dict(self.pawn),
            "cubes": {animal: _positive(cubes) for animal, cubes in self.cubes.items()},
            "asleep": {animal: _positive(cubes) for animal, cubes in self.asleep.items()},
            "terrain": dict(self.terrain),
            "disc": dict(self.disc),
            "bag": {element: self.bag[element] for element in printed.ELEMENTS},
            "tray": {action: _positive(discs) for action, discs in self.tray.items() if discs.total() > 0},
            "open": dict(self.open),
            "stack": {stack: list(tiles) for stack, tiles in self.stack.items() if tiles},
            "deck": list(self.deck),
            "market": sorted(self.market),
            "added": {animal: _positive(discs) for animal, discs in self.added.items() if discs.total() > 0},
            "initiative": list(self.initiative),
            "glaciers": self.glaciers,
            "gone": sorted(self.gone),
            "last_turn": self.last_turn,
        }


def _positive(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count > 0}


# ---------------------------------------------------------------- possible random set-ups


def left_over(start: dict[str, Any]) -> Counter[str]:
    """Returns the large tiles neither in a stack nor face up on a random earth: the one under the tundra tile."""
    seen = Counter(terrain for tiles in start["stack"].values() for terrain in tiles)
    seen.update(start["open"].values())
    seen.update(terrain for terrain in start["terrain"].values() if terrain != "tundra")
    return Counter(printed.LARGE_TILES) - seen


def check_start(start: dict[str, Any], options: dict[str, str | bool]) -> None:
    """Checks that a set-up is possible. Raises ValueError if not."""
    seats, wrong = Counter(start["keeper"].values()), []
    each = printed.SEVERAL.get(len(seats), 0) if options["animals_each"] == "several" else 1
    if sorted(seats) != list(range(len(seats))) or set(seats.values()) != {each} or not set(start["keeper"]) <= set(printed.ANIMALS):
        wrong.append("keeper")  # set-up, A; hu 17, it 21
    if any(len(start["stack"].get(stack, [])) != printed.STACK_HEIGHT - 1 or stack not in start["open"] for stack in printed.STACKS):
        wrong.append("stack")  # set-up, E: 24 tiles, the top ones face up
    stacked = Counter(start["open"].values()) + Counter(tile for tiles in start["stack"].values() for tile in tiles)
    if options["first_earth"] == "usual":
        if stacked != Counter(printed.STACKED):  # CF 3
            wrong.append("stack")
    else:
        wrong += _wrong_on_random_earth(start)
    cards = printed.cards_of(str(options["length"]))
    if sorted([*start["deck"], *start["market"]]) != sorted(cards) or start["deck"][0] != "ice_age":  # set-up, G; hu 19
        wrong.append("deck")
    if len(start["market"]) != printed.MARKET_PLACES:  # set-up, H
        wrong.append("market")
    if {row: sum(tray.values()) for row, tray in start["tray"].items()} != dict.fromkeys(printed.LEAF_ROWS, printed.LEAVES):
        wrong.append("tray")  # set-up, K to M
    if wrong:
        raise ValueError(f"not a set-up: {wrong}")


def _wrong_on_random_earth(start: dict[str, Any]) -> list[str]:
    """Checks large tiles on the seven usual places, and discs on the twelve usual corners (hu 17, it 21 and 22)."""
    wrong = []
    tundra = [tile for tile, terrain in start["terrain"].items() if terrain == "tundra"]
    if set(start["terrain"]) != set(printed.FIRST_TERRAIN) or tundra != [printed.CENTRE] or left_over(start).total() != 1:
        wrong.append("terrain")
    if set(start["disc"]) != set(printed.FIRST_DISC) or not set(start["disc"].values()) <= set(printed.ELEMENTS):
        wrong.append("disc")
    return wrong
