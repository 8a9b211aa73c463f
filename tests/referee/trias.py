"""An independent referee of Trias, written from the clauses (TRI-...). The first value of each option is the recommended reading."""

from collections import Counter
from typing import Any

from .decision_protocol import DECLINE, Asking, ask
from .ocean import POLE, Cell, around, continents, steps, straight, touches_outer_sea

OPTIONS: dict[str, Any] = {
    "starter": "lot",  # decided before the game begins: see `placer` of the start
    "second_lap": "same",
    "start_on_pole": True,
    "pole_room": "unlimited",
    "farther": "steps",
    "sea": "after",
    "fallback": "own_continents",
    "landing": "counted",
    "new_continents": "anywhere",
    "rescue": "own",
    "last_swimmers": True,
    "last_points_for_two": "two",
    "pole_presence": "counts",
}
CAPACITY = {"mountain": 2, "steppe": 3, "forest": 4}  # TRI-CAP-01
POLE_CAPACITY = {"unlimited": 99, "four": 4, "none_at_all": 0}  # TRI-DRIFT-26 (there are at most 75 herds)
METEORITE = "meteorite"


def shared(points: int, shares: int, halves: int) -> int:
    """Returns equal shares of `halves` half points, rounded up (TRI-FIN-04, 11)."""
    return -(-points * halves // (2 * shares))


class Referee:
    """Runs the game. See README.md for `start`. `happened` counts rare events, for tests that require them."""

    def __init__(self, players: int, options: dict[str, Any], start: dict[str, Any]) -> None:
        unknown = set(options) - set(OPTIONS)
        if unknown:
            raise ValueError(f"no such options: {unknown}")
        self.players = players
        self.option = {**OPTIONS, **options}
        self.pole_name = next(name for name, land in start["tile"].items() if land == "pole")
        self.tile: dict[Cell, str] = {self.cell(name): land for name, land in start["tile"].items()}  # TRI-SETUP-01 to 05
        self.deck = list(start["deck"])  # TRI-SETUP-06
        self.hand: dict[int, str] = {int(name.split("_")[1]) - 1: card for name, card in start["hand"].items()}  # TRI-SETUP-08
        self.placer: int = start["placer"]  # TRI-SETUP-07
        self.played: Counter[str] = Counter()
        self.herds: list[Counter[Cell]] = [Counter() for _ in range(players)]  # on land and in water
        self.stock = [10 if players == 2 else 15] * players  # TRI-SETUP-09, TRI-TWO-01
        self.vp = [0] * players
        self.tired: Counter[Cell] = Counter()  # herds of the player in turn that bred or were born (TRI-REPR-02, 05)
        self.points = 0
        self.opener: int | None = None  # of the last lap
        self.happened: Counter[str] = Counter()
        self._places: dict[Cell, list[Cell]] = {}  # possible targets of each tile, on the present board

    # ------------------------------------------------------------ names and normal form

    def cell(self, name: str) -> Cell:
        if name == self.pole_name:
            return POLE
        q, r = name.split(",")
        return int(q), int(r)

    def name(self, cell: Cell) -> str:
        return self.pole_name if cell == POLE else f"{cell[0]},{cell[1]}"

    def _named(self, counts: Counter[Cell]) -> dict[str, int]:
        return {self.name(cell): count for cell, count in counts.items() if count}

    def snapshot(self) -> dict[str, Any]:
        everybody = {seat: f"player_{seat + 1}" for seat in range(self.players)}
        return {
            "tile": {self.name(cell): land for cell, land in self.tile.items()},
            "herds": {player: named for seat, player in everybody.items() if (named := self._named(self.herds[seat]))},
            "spent": self._named(self.tired),
            "stock": {player: self.stock[seat] for seat, player in everybody.items() if self.stock[seat]},
            "vp": {player: self.vp[seat] for seat, player in everybody.items() if self.vp[seat]},
            "hand": {everybody[seat]: card for seat, card in self.hand.items()},
            "deck": list(self.deck),
            "played": {card: count for card, count in self.played.items() if count},
            "points": self.points,
            "opener": None if self.opener is None else everybody[self.opener],
        }

    # ------------------------------------------------------------ the course of the game

    def decisions(self) -> Asking[None]:
        """Yields (seat, key, options), receives the option taken, and returns when the game is over."""
        seat = yield from self._place()
        while self.opener is None:
            yield from self._turn(seat)
            seat = (seat + 1) % self.players  # TRI-TURN-01
        for turn in range(self.players):  # TRI-LAST-04
            seat = (self.opener + turn) % self.players
            three = self.players == 2 and self.option["last_points_for_two"] == "three"  # TRI-TWO-08
            yield from self._act(seat, 3 if three else 2)  # TRI-LAST-01, 02
            if self.option["last_swimmers"]:  # TRI-LAST-05
                self._take_back(seat)
        self._final_count()  # TRI-LAST-07

    def _place(self) -> Asking[int]:
        """Places two herds at a time, twice, anticlockwise. Returns the seat of the first turn (TRI-SETUP-10 to 14)."""
        lap = [(self.placer - turn) % self.players for turn in range(self.players)]
        second = lap[::-1] if self.option["second_lap"] == "backwards" else lap
        for seat in lap + second:
            empty = [
                cell
                for cell in sorted(self.tile)
                if not self.crowd(cell) and self.room(cell) >= 2 and (cell != POLE or self.option["start_on_pole"])
            ]
            answer = yield from ask(seat, "place.cell", [f"cell={self.name(cell)}" for cell in empty])
            self.herds[seat][self.cell(answer.removeprefix("cell="))] += 2
            self.stock[seat] -= 2
        return second[-1]  # TRI-SETUP-12

    def _turn(self, seat: int) -> Asking[None]:
        """Runs the four phases (TRI-TURN-02). Nothing remains of the turn before (TRI-ACT-05, TRI-REPR-02)."""
        self.points = 0
        self.tired.clear()
        answer = yield from ask(seat, "play_card.card", ["hand", "deck"])  # TRI-CARD1-01, 02
        card = self.hand.pop(seat) if answer == "hand" else self.deck.pop()
        if card == METEORITE:  # no drift, and this turn is already one of the last lap (TRI-CARD1-05, 06)
            self.happened["meteorite in phase 1"] += 1
            self.opener = seat
            return
        yield from self._mandatory_drift(seat, card.split("_")[0])  # TRI-CARD1-04
        self.played[card] += 1  # TRI-CARD1-07, TRI-DRIFT-21
        yield from self._act(seat, 3 if self.players == 2 else 4)  # TRI-ACT-01, TRI-TWO-06
        self._take_back(seat)
        if answer == "hand":  # TRI-DRAW-01, 02
            card = self.deck.pop()
            if card == METEORITE:  # TRI-DRAW-03, 04
                self.happened["meteorite in phase 4"] += 1
                self.opener = (seat + 1) % self.players
            else:
                self.hand[seat] = card

    # ------------------------------------------------------------ queries

    def crowd(self, cell: Cell) -> int:
        """Returns the number of all herds on a place."""
        return sum(herds[cell] for herds in self.herds)

    def capacity(self, cell: Cell) -> int:
        """Returns the capacity of a tile (TRI-CAP-01)."""
        return POLE_CAPACITY[self.option["pole_room"]] if cell == POLE else CAPACITY[self.tile[cell]]

    def room(self, cell: Cell) -> int:
        """Returns how many more herds fit on a tile (TRI-CAP-02, 05)."""
        return max(0, self.capacity(cell) - self.crowd(cell))

    def places(self, origin: Cell) -> list[Cell]:
        """Returns the places where a tile may drift to, for any player."""
        if origin not in self._places:
            self._places[origin] = self._find_places(origin)
        return self._places[origin]

    def _find_places(self, origin: Cell) -> list[Cell]:
        land = set(self.tile)
        if origin == POLE or not touches_outer_sea(origin, land):  # TRI-DRIFT-25, 01, 02
            return []
        whole = next(continent for continent in continents(land) if origin in continent)
        # Next to the rest of its continent, in one piece or several. Nothing remains of a single tile (TRI-DRIFT-11, 12, 13, 24).
        shore = {side for tile in whole - {origin} for side in around(tile)} - land
        far = straight if self.option["farther"] == "straight" else steps
        found = []
        for target in sorted(shore):
            if far(target) > far(origin):  # TRI-DRIFT-04
                board = land if self.option["sea"] == "before" else land - {origin} | {target}
                if touches_outer_sea(target, board):  # TRI-DRIFT-07
                    found.append(target)
        return found

    def drifting(self, tiles: set[Cell], lands: set[str]) -> list[Cell]:
        """Returns the given tiles that have one of these lands and can drift."""
        return [cell for cell in sorted(tiles) if self.tile[cell] in lands and self.places(cell)]

    def own_land(self, seat: int) -> set[Cell]:
        """Returns the tiles of continents with herds of the player. Swimmers are on none (TRI-DRIFT-08, 09, 10)."""
        home = [continent for continent in continents(self.tile) if any(self.herds[seat][cell] for cell in continent)]
        return set().union(*home)

    # ------------------------------------------------------------ drift

    def _mandatory_drift(self, seat: int, land: str) -> Asking[None]:
        others = set(CAPACITY) - {land}
        own = self.own_land(seat)
        if tiles := self.drifting(own, {land}):
            yield from self._drift(seat, "drift", tiles)
            return
        self.happened["no tile of the colour"] += 1
        anywhere = self.option["fallback"] == "all_continents"
        if tiles := self.drifting(set(self.tile) if anywhere else own, others):  # TRI-DRIFT-18, 19, 20
            self.happened["another colour, anywhere" if anywhere else "another colour"] += 1
            yield from self._drift(seat, "drift_anywhere" if anywhere else "drift", tiles)
        else:
            self.happened["no drift at all"] += 1  # TRI-DRIFT-21

    def _drift(self, seat: int, key: str, tiles: list[Cell]) -> Asking[None]:
        answer = yield from ask(seat, f"{key}.origin", [f"origin={self.name(cell)}" for cell in tiles])
        origin = self.cell(answer.removeprefix("origin="))
        answer = yield from ask(seat, f"{key}.target", [f"target={self.name(cell)}" for cell in self.places(origin)])
        self._move_tile(origin, self.cell(answer.removeprefix("target=")))

    def _move_tile(self, origin: Cell, target: Cell) -> None:
        """Moves a tile, but not herds: those on it swim, and those at its new place are on it (TRI-DRIFT-15, 16, 17)."""
        was = next(continent for continent in continents(self.tile) if origin in continent)
        land = self.tile.pop(origin)
        apart = continents(self.tile)
        self.tile[target] = land
        self._places.clear()
        pieces = [continent for continent in apart if continent <= was]
        joined = [continent for continent in apart if continent.intersection(around(target))]
        self.happened["drift onto swimmers"] += bool(self.crowd(target))
        self.happened["union"] += len(joined) > 1
        self.happened["union with another continent"] += len(joined) > 1 and any(continent not in pieces for continent in joined)
        if len(pieces) < 2:  # no new continent (TRI-MID-06)
            return
        self.happened["split"] += 1
        if len(joined) > 1:  # TRI-MID-07
            self.happened["split and union"] += 1
            return
        if POLE in joined[0]:  # TRI-MID-04
            self.happened["split, joined to the Pole"] += 1
            return
        if POLE not in was:  # TRI-MID-08
            self.happened["split without the Pole"] += 1
            if self.option["new_continents"] == "from_the_pole":
                return
        if self.players > 2:  # TRI-TWO-07
            self._interim_count(joined[0] if self.option["landing"] == "left_out" else joined[0] | {target})  # TRI-MID-05, 16

    def _interim_count(self, continent: set[Cell]) -> None:
        """Gives 2 points for most herds and 1 for second-most, to everybody who has that many (TRI-MID-09 to 15)."""
        counts = self._count(continent)
        ranks = sorted({count for count in counts if count}, reverse=True)
        for seat, count in enumerate(counts):
            if count in ranks[:2]:
                self.vp[seat] += 2 - ranks.index(count)
        self.happened["interim count"] += bool(ranks)

    def _count(self, continent: set[Cell]) -> list[int]:
        return [sum(herds[cell] for cell in continent) for herds in self.herds]

    # ------------------------------------------------------------ actions

    def _act(self, seat: int, points: int) -> Asking[None]:
        """Runs any actions in any order, while points remain (TRI-ACT-01 to 04)."""
        self.tired.clear()
        self.points = points
        while self.points:
            options = [
                *(["drift"] if self.points >= 3 and any(map(self.places, self.own_land(seat))) else []),  # TRI-ACTD-01, 02, 03
                *(f"walk {walk}" for walk in self._walks(seat)),
                *(f"rescue {rescue}" for rescue in self._rescues(seat)),
                *(f"breed cell={self.name(cell)}" for cell in self._breeders(seat)),
            ]
            if not options:
                return
            answer = yield from ask(seat, "act.action", [*options, DECLINE])
            if answer == DECLINE:
                return
            action, *words = answer.split()
            said = dict(word.split("=") for word in words)
            self.points -= 3 if action == "drift" else 1
            self.happened[f"action: {action}"] += 1
            if action == "drift":
                yield from self._drift(seat, "drift", self.drifting(self.own_land(seat), set(CAPACITY)))
            elif action == "walk":
                self._move_herd(seat, seat, self.cell(said["origin"]), self.cell(said["target"]), said["vigour"] == "tired")
            elif action == "breed":
                self._breed(seat, self.cell(said["cell"]))
            else:
                yield from self._save(seat, said)

    def _walks(self, seat: int) -> list[str]:
        """Returns moves between tiles with room, also for herds that have bred (TRI-MOVE-01 to 04, TRI-CAP-03, TRI-REPR-09, 10)."""
        walks = []
        for vigour in ("fresh", "tired"):
            for origin in sorted(self.tile):
                tired = self.tired[origin]
                if (tired if vigour == "tired" else self.herds[seat][origin] - tired) > 0:
                    for target in around(origin):
                        if target in self.tile and self.room(target):
                            walks.append(f"vigour={vigour} origin={self.name(origin)} target={self.name(target)}")
        return walks

    def _rescues(self, seat: int) -> list[str]:
        """Returns moves of swimmers to an adjacent tile with room, on any continent (TRI-SAVE-03, 05, 06, 07)."""
        rescues = []
        for owner in [seat] if self.option["rescue"] == "own" else range(self.players):
            for origin in sorted(cell for cell, count in self.herds[owner].items() if count and cell not in self.tile):
                for target in around(origin):
                    if target in self.tile and self.room(target):
                        rescues.append(f"owner=player_{owner + 1} origin={self.name(origin)} target={self.name(target)}")
        return rescues

    def _breeders(self, seat: int) -> list[Cell]:
        """Returns tiles with room and a herd that has not bred, while there is stock (TRI-REPR-02, 05 to 08)."""
        if not self.stock[seat]:
            return []
        return [cell for cell in sorted(self.tile) if self.herds[seat][cell] > self.tired[cell] and self.room(cell)]

    def _move_herd(self, seat: int, owner: int, origin: Cell, target: Cell, tired: bool) -> None:
        self.herds[owner][origin] -= 1
        self.herds[owner][target] += 1
        if tired and owner == seat:  # TRI-REPR-10
            self.tired[origin] -= 1
            self.tired[target] += 1

    def _breed(self, seat: int, cell: Cell) -> None:
        """Adds a herd. Parent and child breed no more in this turn (TRI-REPR-01 to 05)."""
        self.stock[seat] -= 1
        self.herds[seat][cell] += 1
        self.tired[cell] += 2

    def _save(self, seat: int, said: dict[str, str]) -> Asking[None]:
        """Rescues one swimmer, then up to two more for the same point (TRI-SAVE-01 to 04)."""
        for more in (2, 1, 0):
            owner, origin, target = int(said["owner"].split("_")[1]) - 1, self.cell(said["origin"]), self.cell(said["target"])
            tired = owner == seat and self.herds[seat][origin] <= self.tired[origin]
            self._move_herd(seat, owner, origin, target, tired)
            self.happened["rescue of another's herd"] += owner != seat
            options = self._rescues(seat)
            if not more or not options:
                return
            answer = yield from ask(seat, "save_more.owner", [*options, DECLINE])
            if answer == DECLINE:
                return
            said = dict(word.split("=") for word in answer.split())

    # ------------------------------------------------------------ swimmers and overpopulation

    def _take_back(self, seat: int) -> None:
        """Returns the player's swimmers to stock, and the herds that exceed the capacity of a tile (TRI-SWIM-01 to 07, 09)."""
        for cell, count in self.herds[seat].items():
            if cell not in self.tile:
                back = count
                self.happened["drowned"] += count
            else:
                back = min(count, max(0, self.crowd(cell) - self.capacity(cell)))
                self.happened["overpopulation"] += bool(back)
            self.herds[seat][cell] -= back
            self.stock[seat] += back
        self.happened["overpopulation left to others"] += any(self.crowd(cell) > self.capacity(cell) for cell in self.tile)

    # ------------------------------------------------------------ the end

    def _final_count(self) -> None:
        """Counts every continent except the Pole's (TRI-FIN-01 to 15)."""
        for continent in continents(self.tile):
            counts = self._count(continent)
            ranks = sorted({count for count in counts if count}, reverse=True)
            if POLE in continent or not ranks:  # TRI-FIN-03, 13
                continue
            size = len(continent)
            first = [seat for seat, count in enumerate(counts) if count == ranks[0]]
            for seat in first:  # N, or N and N/2 in equal shares (TRI-FIN-05, 07, 08)
                self.vp[seat] += size if len(first) == 1 else shared(size, len(first), 3)
            if len(first) == 1 and len(ranks) > 1:
                second = [seat for seat, count in enumerate(counts) if count == ranks[1]]
                for seat in second:  # TRI-FIN-06, 09
                    self.vp[seat] += shared(size, len(second), 1)

    def score(self, seat: int) -> tuple[int, int, int]:
        """Returns points, then stock, then continents with own herds (TRI-WIN-01, 02, 03)."""
        counted = [continent for continent in continents(self.tile) if POLE not in continent or self.option["pole_presence"] == "counts"]
        return self.vp[seat], self.stock[seat], sum(any(self.herds[seat][cell] for cell in continent) for continent in counted)

    def standing(self) -> list[int]:
        """Returns the seats, the best first. Equal scores share their place and are in seat order (TRI-WIN-04)."""
        return sorted(range(self.players), key=self.score, reverse=True)
