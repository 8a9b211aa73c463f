"""The printed components of Dominant Species: animals, terrains, the action display, the first earth.

Values come from the text of the rulebooks (hu, it and a page; a letter of the set-up: hu 4, it 4). If the text leaves them to pictures,
they come from the component facts (CF and a section).
"""

from .earth import CORNER

# ---------------------------------------------------------------- animals (in food-chain order: hu 3, it 3)

ANIMALS = ["mammal", "reptile", "bird", "amphibian", "arachnid", "insect"]

ELEMENTS = ["grass", "grub", "meat", "seed", "sun", "water"]  # hu 3, it 2

INHERENT = {  # CF 2
    "mammal": {"meat": 2},
    "reptile": {"sun": 2},
    "bird": {"seed": 2},
    "amphibian": {"water": 3},
    "arachnid": {"grub": 2},
    "insect": {"grass": 2},
}

SLOTS = 6  # elements of one animal, printed ones included: hu 10, it 11

CUBES_EACH, DISCS_EACH = 55, 20  # 330 cubes of six colours, 120 discs of six kinds: hu 2, it 1, CF 2 and 6
PAWNS_EACH = {"ten": 10, "thirty": 30}  # of each animal, by `pawn_limit`; hu 2, it 1: 60 in six colours

FIRST_PAWNS = {2: 7, 3: 6, 4: 5, 5: 4, 6: 3}  # set-up, N
FIRST_CUBES = {2: 55, 3: 50, 4: 45, 5: 40, 6: 35}  # set-up, N
# By animals in play, so six animals have the same components as in a game of six, for any players (hu 17, it 21).
SEVERAL = {2: 3, 3: 2}  # hu 17, it 21: animals per player, by number of players

# ---------------------------------------------------------------- terrains

PLACES = {  # hu 16
    "sea": [9, 5, 3, 2],
    "wetland": [8, 4, 2, 1],
    "savannah": [7, 4, 2],
    "jungle": [6, 3, 2],
    "forest": [5, 3, 2],
    "desert": [4, 2],
    "mountain": [3, 2],
    "tundra": [1],
}

LIMIT = {"sea": 4, "wetland": 4, "savannah": 3, "jungle": 3, "forest": 3, "desert": 2, "mountain": 2, "tundra": 1}  # hu 14, it 17

STACKED = {"sea": 6, "wetland": 3, "savannah": 3, "jungle": 3, "forest": 3, "desert": 3, "mountain": 3}  # CF 3
LARGE_TILES = {terrain: count + 1 for terrain, count in STACKED.items()}  # set-up, C: one more of each on the first earth

STACKS = ["first_stack", "second_stack", "third_stack"]
STACK_HEIGHT = 8  # set-up, E
TUNDRA_SUPPLY = 11  # set-up, D


def bonus(quantity: int) -> int:
    """Returns the bonus for this number of tiles (hu 3)."""
    counted = min(quantity, 9)
    return counted * (counted + 1) // 2


# ---------------------------------------------------------------- the action display

EYEBALLS = {  # CF 1
    "initiative": 1,
    "adaptation": 3,
    "regression": 2,
    "abundance": 2,
    "wasteland": 1,
    "depletion": 1,
    "glaciation": 4,
    "speciation": 6,
    "wanderlust": 3,
    "migration": 6,
    "competition": 7,
    "domination": 5,
}
SECTIONS = {action: [f"{action}_{n + 1}" for n in range(count)] for action, count in EYEBALLS.items()}
SPACES = [space for spaces in SECTIONS.values() for space in spaces]

SPECIATION_ELEMENT = dict(zip(SECTIONS["speciation"], ["meat", "sun", "seed", "water", "grub", "grass"]))  # CF 1
MIGRATION_CUBES = dict(zip(SECTIONS["migration"], [7, 6, 5, 4, 3, 2]))  # CF 1

_COMPETITION_STRIP = ["jungle", "wetland", "desert", "forest", "savannah", "mountain", "sea", "jungle"]  # CF 1
COMPETITION_TERRAINS = {space: ["tundra", *_COMPETITION_STRIP[place : place + 2]] for place, space in enumerate(SECTIONS["competition"])}

LEAVES = 4  # set-up, K to M
LEAF_ROWS = ["adaptation", "abundance", "wanderlust"]  # in the order of drawing: set-up, K to M; hu 20, it 26

# ---------------------------------------------------------------- cards

MARKET_PLACES = 5  # set-up, H

CARDS = [
    "aquatic", "biodiversity", "biomass", "blight", "catastrophe", "cold_snap", "disease", "ecodiversity", "evolution",
    "fecundity", "fertile", "habitat", "hibernation", "ice_age", "ice_sheet", "immigrants", "instinct", "intelligence",
    "mass_exodus", "metamorphosis", "niche_biomes", "nocturnal", "omnivore", "parasitism", "predator", "symbiotic",
]  # fmt: skip

STARRED = {"immigrants", "intelligence", "omnivore", "parasitism"}  # not in the short game: hu 19


def cards_of(length: str) -> list[str]:
    """Returns the 26 cards, or 22 in the short game (set-up, G; hu 19)."""
    return [card for card in CARDS if length == "full" or card not in STARRED]


# ---------------------------------------------------------------- the first earth (CF 4)

CENTRE, N, NE, SE, S, SW, NW = "d3", "d2", "e3", "e4", "d4", "c4", "c3"

FIRST_TERRAIN = {  # ===
    CENTRE: "tundra",
    N: "wetland",
    NE: "savannah",
    SE: "desert",
    S: "mountain",
    SW: "forest",
    NW: "jungle",
}

FIRST_DISC = {  # set-up, I: the inner corner of each ring edge, then the outer one
    CORNER[f"{CENTRE}.nw"]: "grub",
    CORNER[f"{CENTRE}.ne"]: "water",
    CORNER[f"{CENTRE}.e"]: "grass",
    CORNER[f"{CENTRE}.se"]: "sun",
    CORNER[f"{CENTRE}.sw"]: "meat",
    CORNER[f"{CENTRE}.w"]: "seed",
    CORNER[f"{N}.w"]: "water",
    CORNER[f"{N}.e"]: "grass",
    CORNER[f"{SE}.ne"]: "sun",
    CORNER[f"{S}.e"]: "meat",
    CORNER[f"{S}.w"]: "seed",
    CORNER[f"{SW}.nw"]: "grub",
}

HOME = {  # set-up, P
    "mammal": {S: 2, SE: 1, SW: 1},
    "reptile": {SE: 2, NE: 1, S: 1},
    "bird": {SW: 2, S: 1, NW: 1},
    "amphibian": {N: 2, NW: 1, NE: 1},
    "arachnid": {NW: 2, SW: 1, N: 1},
    "insect": {NE: 2, N: 1, SE: 1},
}

BURIED = "sea"  # under the tundra tile of the first earth: set-up, C

LIVES_BY = {animal: next(iter(inherent)) for animal, inherent in INHERENT.items()}  # hu 17, it 22

# ---------------------------------------------------------------- options, default first ("silent": the text leaves it open)

OPTIONS: dict[str, list[str | bool]] = {
    "dealing": ["lot", "choice"],  # set-up, A
    "animals_each": ["one", "several"],  # hu 17, it 21
    "first_earth": ["usual", "random"],  # hu 17, it 21
    "pawn_limit": ["ten", "thirty"],  # hu 2, it 1; silent
    "initiative_again": [True, False],  # hu 10, it 10; silent
    "lost_pawn": ["available_first", "any_pawn"],  # hu 19, it 27; silent
    "initiative_parts": ["each", "both_or_none"],  # hu 10 against it 10 and es
    "competition_parts": ["each", "all_or_none"],  # hu 15 against it 19; hu 9, it 9 and es of the whole action
    "glaciation_queue": ["leftmost_pawn", "first_space"],  # hu 13, it 15 and 16
    "ice_sheet_action": ["compulsory", "optional"],  # hu 18 against hu 9
    "card_tile": ["any_tile", "fitting_tile"],  # hu 18 and 19: Blight, Catastrophe, Mass Exodus
    "dead_earth": ["goes_on", "ends"],  # silent
    "length": ["full", "short"],  # hu 19
}


def options_of(chosen: dict[str, str | bool] | None) -> dict[str, str | bool]:
    options = {name: values[0] for name, values in OPTIONS.items()} | (chosen or {})
    wrong = [name for name, value in options.items() if value not in OPTIONS.get(name, [])]
    if wrong:
        raise ValueError(f"no such option or value: {wrong}")
    return options
