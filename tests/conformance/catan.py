"""Plays Catan and catanatron side by side with the same moves and the same chance, and compares them at every decision.

Compared are the offered moves (places, purchases, trade with the bank, robber, cards), hands, cards, bank, map, robber, lengths of
roads, both titles, and points. Offers to players exist only in Ludoglot, so catanatron gets their results.

Deviations, with the clause that decides:

* CAT-HAR-04: catanatron gives nothing if the bank has too little of a good, also if only one player has earned it.
* CAT-DEV-02: catanatron lets players play a card in the turn in which they bought it.
* CAT-DEV-03: before the roll, catanatron allows only knights.
* CAT-DEV-05: catanatron offers free roads only to players who could pay for them.
* CAT-LONG-03: catanatron does not count a road that ends at a building of another player.
* CAT-LONG-04: after a cut, catanatron gives the title to a player with a longest way, even if the way is short or others tie.
* CAT-END-01: catanatron also lets a player win in the turn of another player.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from catanatron.models.actions import generate_playable_actions, robber_possibilities
from catanatron.models.board import STATIC_GRAPH, Board, longest_acyclic_path
from catanatron.models.enums import Action, ActionPrompt, ActionType
from catanatron.models.map import BASE_MAP_TEMPLATE, PORT_DIRECTION_TO_NODEREFS, CatanMap, EdgeRef, LandTile, NodeRef, Port, get_edge_nodes
from catanatron.models.player import Color, Player
from catanatron.state import State, apply_action
from ludoglot.engine.position.inspect import look_up_value
from ludoglot.engine.position.position import Decision, Game, Option

GOODS = {"wood": "WOOD", "brick": "BRICK", "wool": "SHEEP", "grain": "WHEAT", "ore": "ORE"}         # in the order of catanatron
LANDS = {"forest": "WOOD", "hills": "BRICK", "pasture": "SHEEP", "fields": "WHEAT", "mountains": "ORE", "desert": None}
CARDS = {"knight": "KNIGHT", "good_year": "YEAR_OF_PLENTY", "monopoly": "MONOPOLY", "road_works": "ROAD_BUILDING",
         "monument": "VICTORY_POINT"}
# The hexagons of catanatron have a pointed top, so its names of directions are one step further.
CORNERS = {NodeRef.NORTH: "ne", NodeRef.NORTHEAST: "e", NodeRef.SOUTHEAST: "se", NodeRef.SOUTH: "sw", NodeRef.SOUTHWEST: "w",
           NodeRef.NORTHWEST: "nw"}
EDGES = {EdgeRef.NORTHWEST: "n", EdgeRef.NORTHEAST: "ne", EdgeRef.EAST: "se", EdgeRef.SOUTHEAST: "s", EdgeRef.SOUTHWEST: "sw",
         EdgeRef.WEST: "nw"}
PURCHASES = {"road", "settlement", "city", "development"}
PREFERRED = 0.6                                       # how often a random player buys or plays a card if possible
EXPECTED = {"rolled seven", "gave back", "robbed", "harbour", "traded", "too few", "last goods", "cut", "ends at a rival", "title moved",
            "two titles", "knight", "good_year", "monopoly", "road_works"}


def cell_name(coordinate: tuple[int, int, int]) -> str:
    """Returns Ludoglot's name of a hexagon of catanatron."""
    q, _, r = coordinate
    return f"{'abcde'[q + 2]}{r - max(-2, -2 - q) + 1}"


def make_trade(values: dict[str, str]) -> tuple[str | None, ...]:
    """Returns a trade with the bank in the form of catanatron: four places for the goods that are given, and the good that is wanted."""
    n = int(values["n"])
    return (*[GOODS[values["give"]]] * n, *[None] * (4 - n), GOODS[values["want"]])


def trail_length(board: Board, color: Color) -> int:
    """Returns the number of roads of the longest trail, by trying all of them. A trail can end at a building of another player."""
    roads = {frozenset(edge) for edge, owner in board.roads.items() if owner == color}

    def grow(node: int, used: frozenset[frozenset[int]]) -> int:
        if used and board.is_enemy_node(node, color):
            return len(used)
        return max((grow(other, used | {edge}) for other in STATIC_GRAPH.neighbors(node)
                    if (edge := frozenset((node, other))) in roads - used), default=len(used))

    return max((grow(node, frozenset()) for edge in roads for node in edge), default=0)


class GamePair:
    """One game on both sides. `seen` counts kinds of decisions, and rare events."""

    def __init__(self, game: Game, seed: int) -> None:
        self.position, self.rng, self.seen = game.start(seed), random.Random(seed), Counter[str]()
        self.seats = list(self.position["hand"])
        parts = game.ruleset.model.boards["map"].parts_of_kind
        self.corner_numbers, self.edge_numbers = parts("corners").names, parts("edges").names
        self.given_back: dict[str, list[str]] = {}
        self.offer: dict[str, str] = {}
        self.robbed_cell = ""
        self.taken: list[str] = []
        self.owner: str | None = None                               # of the longest road
        self.lay_out()

    # ------------------------------------------------------------ the same map

    def lay_out(self) -> None:
        """Gives catanatron the map and the order of the players."""
        position = self.position
        tiles = CatanMap.from_template(BASE_MAP_TEMPLATE).tiles
        self.coordinates = {cell_name(at): at for at, tile in tiles.items() if isinstance(tile, LandTile)}
        self.nodes: dict[int, int] = {}
        self.edges: dict[int, frozenset[int]] = {}
        for name, at in self.coordinates.items():
            tile = tiles[at]
            tile.resource, tile.number = LANDS[position["land"][name]], position["number"][name]
            self.nodes |= {self.corner_numbers[f"{name}.{CORNERS[end]}"]: node for end, node in tile.nodes.items()}
            self.edges |= {self.edge_numbers[f"{name}-{side}"]: frozenset(tile.nodes[end] for end in get_edge_nodes(reference))
                           for reference, side in EDGES.items()}
        harbours = {self.edge(name): kind for name, kind in position["harbour"].items() if kind is not None}
        for port in tiles.values():
            if isinstance(port, Port):
                kind = harbours.pop(frozenset(port.nodes[end] for end in PORT_DIRECTION_TO_NODEREFS[port.direction]))
                port.resource = GOODS.get(kind.removesuffix("_harbour"))
        assert not harbours and len(self.nodes) == 54 and len(self.edges) == 72
        first = position.decision.seat
        self.state = state = State([Player(color) for color in map(self.color, self.seats)], CatanMap.from_tiles(tiles))
        state.colors = tuple(map(self.color, self.seats[first:] + self.seats[:first]))
        state.players = [Player(color) for color in state.colors]
        state.color_to_index = {color: n for n, color in enumerate(state.colors)}
        state.playable_actions = generate_playable_actions(state)

    def color(self, seat: str) -> Color:
        return Color[seat.upper()]

    def node(self, corner: str) -> int:
        return self.nodes[self.corner_numbers[corner]]

    def edge(self, edge: str) -> frozenset[int]:
        return self.edges[self.edge_numbers[edge]]

    def held(self, seat: str, what: str) -> Any:
        """Returns a value of a player in catanatron, such as `WOOD_IN_HAND`."""
        return self.state.player_state[f"P{self.state.color_to_index[self.color(seat)]}_{what}"]

    def add(self, seat: str, what: str, n: int) -> None:
        self.state.player_state[f"P{self.state.color_to_index[self.color(seat)]}_{what}"] += n

    def apply(self, seat: str, kind: str, value: Any = None) -> None:
        apply_action(self.state, Action(self.color(seat), ActionType[kind], value))

    # ------------------------------------------------------------ a whole game

    def play(self) -> int:
        """Plays a random game and returns the number of decisions. Raises AssertionError at the first difference."""
        count = 0
        while (decision := self.position.decision) is not None:
            if decision.key in ("found.corner", "turn.act"):
                self.compare_positions()
            self.compare_moves(decision)
            self.take(decision, self.choose(decision))
            count += 1
        self.compare_positions(over=True)
        return count

    def choose(self, decision: Decision) -> Option:
        useful = [option for option in decision.options if option.entry in PURCHASES or option.entry == "play"]
        return self.rng.choice(useful if useful and self.rng.random() < PREFERRED else decision.options)

    def take(self, decision: Decision, option: Option) -> None:
        """Plays a move on both sides."""
        seat, position = self.seats[decision.seat], self.position
        values = dict(part.split("=") for part in option.spelling.split() if "=" in part)
        hands, bought = position["hand"], position["bought"]
        events = position.play(decision.seat, option)
        following = position.decision.key if position.decision is not None else ""
        name = option.entry if decision.key == "turn.act" else decision.key
        self.seen[str(name)] += 1
        if name in ("found.corner", "settlement"):
            before = self.measure_roads()
            self.apply(seat, "BUILD_SETTLEMENT", self.node(values["corner"]))
            self.seen["cut"] += self.measure_roads() != before
            self.compare_roads()
        elif name in ("found.edge", "road", "effect[road_works].edge"):
            free = name == "effect[road_works].edge"
            self.state.is_road_building, self.state.free_roads_available = free, 2 * free
            self.apply(seat, "BUILD_ROAD", tuple(sorted(self.edge(values["edge"]))))
            self.compare_roads()
            self.state.is_road_building = False
        elif name == "roll":
            rolled = next({field: raw for field, _, raw in event.slots} for event in events if event.key == "rolled")
            self.roll(seat, rolled["die"], rolled["other"])
        elif name == "city":
            self.apply(seat, "BUILD_CITY", self.node(values["corner"]))
        elif name == "development":
            drawn = Counter(position["bought"][seat]) - Counter(bought[seat])
            self.apply(seat, "BUY_DEVELOPMENT_CARD", CARDS[next(iter(drawn), "monument")])     # at the end, monuments are in the open
        elif name == "exchange":
            self.seen["harbour"] += int(values["n"]) < 4
            self.apply(seat, "MARITIME_TRADE", make_trade(values))
        elif name == "play":
            self.seen[values["card"]] += 1
            if values["card"] in ("knight", "road_works"):
                self.apply(seat, "PLAY_KNIGHT_CARD" if values["card"] == "knight" else "PLAY_ROAD_BUILDING")
            self.state.is_road_building = False
            if values["card"] == "good_year" and following != "effect[good_year].good":
                self.apply(seat, "PLAY_YEAR_OF_PLENTY", ())
        elif name == "effect[monopoly].good":
            self.apply(seat, "PLAY_MONOPOLY", GOODS[values["good"]])
        elif name == "effect[good_year].good":
            self.taken.append(GOODS[values["good"]])
            if following != name:
                self.apply(seat, "PLAY_YEAR_OF_PLENTY", tuple(self.taken))
                self.taken = []
        elif name == "finish":
            self.apply(seat, "END_TURN")
        elif name == "give_back.good":
            self.given_back.setdefault(seat, []).append(GOODS[values["good"]])
            if following != name:
                self.give_back()
        elif name == "raid.cell":
            self.robbed_cell = values["cell"]
            if following != "raid.victim":
                self.apply(seat, "MOVE_ROBBER", (self.coordinates[self.robbed_cell], None, None))
        elif name == "raid.victim":
            self.seen["robbed"] += 1
            lost = Counter(hands[values["victim"]]) - Counter(position["hand"][values["victim"]])
            good = next(iter(lost.elements()))
            self.apply(seat, "MOVE_ROBBER", (self.coordinates[self.robbed_cell], self.color(values["victim"]), GOODS[good]))
        elif name in ("make_offer.give", "make_offer.want"):
            self.offer |= values
        elif name == "make_offer.partner" and values:
            self.seen["traded"] += 1
            for good, n, giver, taker in ((self.offer["give"], self.offer["n"], seat, values["partner"]),
                                          (self.offer["want"], self.offer["m"], values["partner"], seat)):
                self.add(giver, f"{GOODS[good]}_IN_HAND", -int(n))
                self.add(taker, f"{GOODS[good]}_IN_HAND", int(n))

    def roll(self, seat: str, die: int, other: int) -> None:
        """Rolls the dice in catanatron, and adds the goods that only one player has earned."""
        state, bank = self.state, dict(zip(GOODS.values(), self.state.resource_freqdeck))
        self.seen["rolled seven"] += die + other == 7
        earned: dict[str, Counter[str]] = {}
        for at, tile in state.board.map.land_tiles.items():
            if tile.number == die + other and at != state.board.robber_coordinate:
                for node in tile.nodes.values():
                    if node in state.board.buildings:
                        color, kind = state.board.buildings[node]
                        earned.setdefault(tile.resource, Counter())[color.value.lower()] += 2 if kind == "CITY" else 1
        self.apply(seat, "ROLL", (die, other))
        for good, players in earned.items():
            if players.total() > bank[good]:
                self.seen["too few"] += 1
                for player in players if len(players) == 1 else ():
                    self.seen["last goods"] += bank[good] > 0
                    self.add(player, f"{good}_IN_HAND", bank[good])
                    state.resource_freqdeck[[*GOODS.values()].index(good)] = 0

    def give_back(self) -> None:
        """Gives goods back in the order of catanatron, which begins with its first player."""
        self.seen["gave back"] += 1
        while self.state.current_prompt == ActionPrompt.DISCARD:
            seat = self.state.current_color().value.lower()
            given = self.given_back.pop(seat, [])
            assert len(given) == sum(self.held(seat, f"{good}_IN_HAND") for good in GOODS.values()) // 2
            self.apply(seat, "DISCARD", given)
        assert not self.given_back

    # ------------------------------------------------------------ comparisons

    def list_their_moves(self) -> list[tuple[str, Any]]:
        return [(action.action_type.value, action.value) for action in generate_playable_actions(self.state)]

    def compare_moves(self, decision: Decision) -> None:
        """Compares the moves of a decision with those of catanatron."""
        seat, state = self.seats[decision.seat], self.state
        mine: dict[str | None, list[dict[str, str]]] = {}
        for option in decision.options:
            mine.setdefault(option.entry, []).append(dict(part.split("=") for part in option.spelling.split() if "=" in part))
        chosen = mine.get(None, [])
        if decision.key == "found.corner":
            assert self.nodes_of(chosen) == {value for _, value in self.list_their_moves()}
        elif decision.key == "found.edge":
            assert self.edges_of(chosen) == {frozenset(value) for _, value in self.list_their_moves()}
        elif decision.key == "effect[road_works].edge":
            assert self.edges_of(chosen) == set(map(frozenset, state.board.buildable_edges(self.color(seat))))
        elif decision.key in ("raid.cell", "raid.victim"):
            moves = {(cell_name(action.value[0]), action.value[1]) for action in robber_possibilities(state, self.color(seat))}
            if decision.key == "raid.cell":
                assert {values["cell"] for values in chosen} == {cell for cell, _ in moves}
            else:
                assert {self.color(values["victim"]) for values in chosen} == {color for cell, color in moves if cell == self.robbed_cell}
        elif decision.key == "turn.act":
            self.compare_turn(seat, mine)

    def nodes_of(self, moves: list[dict[str, str]]) -> set[int]:
        return {self.node(values["corner"]) for values in moves}

    def edges_of(self, moves: list[dict[str, str]]) -> set[frozenset[int]]:
        return {self.edge(values["edge"]) for values in moves}

    def compare_turn(self, seat: str, mine: dict[str | None, list[dict[str, str]]]) -> None:
        """Compares the moves of a turn. A card that was bought in this turn may be playable in catanatron only."""
        theirs: dict[str, list[Any]] = {}
        for kind, value in self.list_their_moves():
            theirs.setdefault(kind, []).append(value)
        assert ("roll" in mine, "finish" in mine) == ("ROLL" in theirs, "END_TURN" in theirs)
        assert self.edges_of(mine.get("road", [])) == set(map(frozenset, theirs.get("BUILD_ROAD", [])))
        assert self.nodes_of(mine.get("settlement", [])) == set(theirs.get("BUILD_SETTLEMENT", []))
        assert self.nodes_of(mine.get("city", [])) == set(theirs.get("BUILD_CITY", []))
        assert ("development" in mine) == ("BUY_DEVELOPMENT_CARD" in theirs)
        assert set(map(make_trade, mine.get("exchange", []))) == set(theirs.get("MARITIME_TRADE", []))
        cards = {values["card"] for values in mine.get("play", [])}
        kept = {card for card, n in self.position["cards"][seat].items() if n}
        for card, kind in (("knight", "PLAY_KNIGHT_CARD"), ("monopoly", "PLAY_MONOPOLY"), ("good_year", "PLAY_YEAR_OF_PLENTY"),
                           ("road_works", "PLAY_ROAD_BUILDING")):
            if card in kept and ("finish" in mine and sum(self.state.resource_freqdeck) and card != "road_works" or card == "knight"):
                assert (card in cards) == (kind in theirs), card
            else:
                assert card in cards or card not in kept or kind not in theirs, card

    def measure_roads(self) -> dict[str, int]:
        return {seat: trail_length(self.state.board, self.color(seat)) for seat in self.seats}

    def compare_roads(self) -> None:
        """Compares the lengths of roads and the owner of the longest road, and corrects the title where catanatron deviates."""
        state, position, board = self.state, self.position, self.state.board
        lengths = self.measure_roads()
        assert lengths == {seat: self.read("road_length", n) for n, seat in enumerate(self.seats)}
        their_owner = next((seat for seat in self.seats if self.held(seat, "HAS_ROAD")), None)
        for seat, length in lengths.items():
            parts = board.connected_components[self.color(seat)]
            theirs = max((len(longest_acyclic_path(board, part, self.color(seat))) for part in parts), default=0)
            ends = any(owner == self.color(seat) and any(board.is_enemy_node(node, owner) for node in edge)
                       for edge, owner in board.roads.items())
            assert theirs == length or theirs < length and ends, (seat, theirs, length)
            self.seen["ends at a rival"] += theirs < length
        best = max(lengths.values())
        leaders = [seat for seat, length in lengths.items() if length == best >= 5]
        owner = self.owner if self.owner in leaders else leaders[0] if len(leaders) == 1 else None
        assert position["longest_road"] == owner
        if not self.seen["cut"] and not self.seen["ends at a rival"]:
            assert their_owner == owner
        self.seen["title moved"] += None not in (self.owner, owner) and self.owner != owner
        self.seen["two titles"] += owner is not None and owner == position["largest_army"]
        for seat in {their_owner, owner} - {None} if their_owner != owner else ():
            self.state.player_state[f"P{state.color_to_index[self.color(seat)]}_HAS_ROAD"] = seat == owner
            for points in ("VICTORY_POINTS", "ACTUAL_VICTORY_POINTS"):
                self.add(seat, points, 2 if seat == owner else -2)
        self.owner = owner
        board.road_color, board.road_length = (None, 0) if owner is None else (self.color(owner), lengths[owner])
        board.road_lengths.update({self.color(seat): length for seat, length in lengths.items()})

    def read(self, name: str, seat: int) -> Any:
        """Returns a def of a player."""
        found = look_up_value(self.position, name, "Player", seat, None)
        assert found is not None
        return found[1]

    def compare_positions(self, over: bool = False) -> None:
        """Compares everything on the table and in the hands."""
        position, board = self.position, self.state.board
        assert [position["bank"].get(good, 0) for good in GOODS] == self.state.resource_freqdeck
        assert self.coordinates[position["robber"]] == board.robber_coordinate
        assert {self.edge(edge): self.color(owner) for edge, owner in position["roads"].items() if owner} == {
            frozenset(edge): owner for edge, owner in board.roads.items()}
        assert {self.node(corner): tuple(one.upper().split("_")) for corner, one in position["building"].items() if one} == {
            node: (color.value, kind) for node, (color, kind) in board.buildings.items()}
        for n, seat in enumerate(self.seats):
            assert {good: position["hand"][seat].get(good, 0) for good in GOODS} == {
                good: self.held(seat, f"{name}_IN_HAND") for good, name in GOODS.items()}, seat
            held = Counter(position["cards"][seat]) + Counter(position["bought"][seat]) + Counter(monument=position["shown"][seat])
            for card, name in CARDS.items():
                assert held[card] == self.held(seat, f"{name}_IN_HAND"), (seat, card)
                assert card == "monument" or position["played"][seat].get(card, 0) == self.held(seat, f"PLAYED_{name}")
            assert self.read("points", n) == self.held(seat, "ACTUAL_VICTORY_POINTS" if over else "VICTORY_POINTS"), seat
            assert (position["largest_army"] == seat) == self.held(seat, "HAS_ARMY"), seat
        if over:
            assert self.held(position["winner"], "ACTUAL_VICTORY_POINTS") >= 10
