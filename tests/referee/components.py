"""What is printed in Dominant Species: animals, terrains, the action display, the first earth.

Values from the clauses (DS-...) and, where those leave them to pictures, from the component facts (CF and a section).
"""

from .earth import CORNER

# ---------------------------------------------------------------- animals (DS-CMP-13: in food-chain order)

ANIMALS = ["mammal", "reptile", "bird", "amphibian", "arachnid", "insect"]

ELEMENTS = ["grass", "grub", "meat", "seed", "sun", "water"]  # DS-CMP-12

INHERENT = {  # DS-ELM-06, CF 2
    "mammal": {"meat": 2},
    "reptile": {"sun": 2},
    "bird": {"seed": 2},
    "amphibian": {"water": 3},
    "arachnid": {"grub": 2},
    "insect": {"grass": 2},
}

SLOTS = 6  # DS-ELM-07: elements of one animal, printed ones included

CUBES_EACH, DISCS_EACH = 55, 20  # DS-CMP-04, 07
PAWNS_EACH = {"ten": 10, "thirty": 30}  # DS-CMP-05, DS-CRD-APC-01: of each animal, by `pawn_limit`

FIRST_PAWNS = {2: 7, 3: 6, 4: 5, 5: 4, 6: 3}  # DS-SET-N2
FIRST_CUBES = {2: 55, 3: 50, 4: 45, 5: 40, 6: 35}  # DS-SET-N2
# By animals in play: so six animals have what they have in a game of six, whoever runs them (DS-VAR-MUL-03).
SEVERAL = {2: 3, 3: 2}  # DS-VAR-MUL-02: animals for each of so many players

# ---------------------------------------------------------------- terrains

PLACES = {  # DS-TAB-02
    "sea": [9, 5, 3, 2],
    "wetland": [8, 4, 2, 1],
    "savannah": [7, 4, 2],
    "jungle": [6, 3, 2],
    "forest": [5, 3, 2],
    "desert": [4, 2],
    "mountain": [3, 2],
    "tundra": [1],
}

LIMIT = {"sea": 4, "wetland": 4, "savannah": 3, "jungle": 3, "forest": 3, "desert": 2, "mountain": 2, "tundra": 1}  # DS-TAB-03

STACKED = {"sea": 6, "wetland": 3, "savannah": 3, "jungle": 3, "forest": 3, "desert": 3, "mountain": 3}  # CF 3
LARGE_TILES = {terrain: count + 1 for terrain, count in STACKED.items()}  # DS-CMP-14: one more of each on the first earth

STACKS = ["first_stack", "second_stack", "third_stack"]
STACK_HEIGHT = 8  # DS-SET-E1
TUNDRA_SUPPLY = 11  # DS-SET-D1


def bonus(quantity: int) -> int:
    """The bonus table (DS-TAB-01)."""
    counted = min(quantity, 9)
    return counted * (counted + 1) // 2


# ---------------------------------------------------------------- the action display

EYEBALLS = {  # DS-ACT-01, DS-ACT-04, CF 1
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

LEAVES = 4  # DS-ACT-06
LEAF_ROWS = ["adaptation", "abundance", "wanderlust"]  # in the order of drawing: DS-SET-K1, L1, M1, DS-RES-07

# ---------------------------------------------------------------- cards

MARKET_PLACES = 5  # DS-SET-H1

CARDS = [
    "aquatic", "biodiversity", "biomass", "blight", "catastrophe", "cold_snap", "disease", "ecodiversity", "evolution",
    "fecundity", "fertile", "habitat", "hibernation", "ice_age", "ice_sheet", "immigrants", "instinct", "intelligence",
    "mass_exodus", "metamorphosis", "niche_biomes", "nocturnal", "omnivore", "parasitism", "predator", "symbiotic",
]  # fmt: skip

STARRED = {"immigrants", "intelligence", "omnivore", "parasitism"}  # not in the short game: DS-VAR-SHO-01


def cards_of(length: str) -> list[str]:
    """26 cards, or 22 in the short game (DS-SET-G1, G2)."""
    return [card for card in CARDS if length == "full" or card not in STARRED]


# ---------------------------------------------------------------- the first earth (CF 4)

CENTRE, N, NE, SE, S, SW, NW = "d3", "d2", "e3", "e4", "d4", "c4", "c3"

FIRST_TERRAIN = {  # DS-SET-C1, C2
    CENTRE: "tundra",
    N: "wetland",
    NE: "savannah",
    SE: "desert",
    S: "mountain",
    SW: "forest",
    NW: "jungle",
}

FIRST_DISC = {  # DS-SET-I1: the inner corner of each ring edge, then the outer one
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

HOME = {  # DS-SET-P1 to P6
    "mammal": {S: 2, SE: 1, SW: 1},
    "reptile": {SE: 2, NE: 1, S: 1},
    "bird": {SW: 2, S: 1, NW: 1},
    "amphibian": {N: 2, NW: 1, NE: 1},
    "arachnid": {NW: 2, SW: 1, N: 1},
    "insect": {NE: 2, N: 1, SE: 1},
}

BURIED = "sea"  # under the tundra tile of the first earth: DS-SET-C2

LIVES_BY = {animal: next(iter(inherent)) for animal, inherent in INHERENT.items()}  # DS-VAR-RND-06

# ---------------------------------------------------------------- options, the usual value first

OPTIONS: dict[str, list[str | bool]] = {
    "dealing": ["lot", "choice"],  # DS-SET-A1
    "animals_each": ["one", "several"],  # DS-VAR-MUL
    "first_earth": ["usual", "random"],  # DS-VAR-RND
    "pawn_limit": ["ten", "thirty"],  # DS-CMP-05
    "initiative_again": [True, False],  # DS-EXE-INI-06
    "lost_pawn": ["available_first", "any_pawn"],  # DS-CRD-IMM-03
    "initiative_parts": ["each", "both_or_none"],  # hu 10 against it 10 and es
    "glaciation_queue": ["leftmost_pawn", "first_space"],  # hu 13, it 15 and 16
    "ice_sheet_action": ["compulsory", "optional"],  # hu 18 against hu 9
    "card_tile": ["any_tile", "fitting_tile"],  # hu 18 and 19: Blight, Catastrophe, Mass Exodus
    "dead_earth": ["goes_on", "ends"],  # DS-FIN-10
    "length": ["full", "short"],  # DS-VAR-SHO
}


def options_of(chosen: dict[str, str | bool] | None) -> dict[str, str | bool]:
    options = {name: values[0] for name, values in OPTIONS.items()} | (chosen or {})
    wrong = [name for name, value in options.items() if value not in OPTIONS.get(name, [])]
    if wrong:
        raise ValueError(f"no such option or value: {wrong}")
    return options
