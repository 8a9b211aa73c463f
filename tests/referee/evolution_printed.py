"""The values printed on the cards of Evolution and in its tables (F: the component facts, by section)."""

# The trait side of each playing card: top, then bottom (EVO-COMP-01, 02; F A1). A set has four copies, and eight of the swimmers.
FACES: dict[str, tuple[str, ...]] = {
    "swimming_card": ("swimming",),
    "mimicry_card": ("mimicry",),
    "running_card": ("running",),
    "scavenger_card": ("scavenger",),
    "symbiosis_card": ("symbiosis",),
    "piracy_card": ("piracy",),
    "tail_loss_card": ("tail_loss",),
    "grazing_fat_card": ("grazing", "fat_tissue"),
    "camouflage_fat_card": ("camouflage", "fat_tissue"),
    "burrowing_fat_card": ("burrowing", "fat_tissue"),
    "sharp_vision_fat_card": ("sharp_vision", "fat_tissue"),
    "high_body_weight_fat_card": ("high_body_weight", "fat_tissue"),
    "parasite_fat_card": ("parasite", "fat_tissue"),
    "cooperation_fat_card": ("cooperation", "fat_tissue"),
    "poisonous_carnivorous_card": ("poisonous", "carnivorous"),
    "hibernation_carnivorous_card": ("hibernation", "carnivorous"),
    "high_body_weight_carnivorous_card": ("high_body_weight", "carnivorous"),
    "parasite_carnivorous_card": ("parasite", "carnivorous"),
    "cooperation_carnivorous_card": ("cooperation", "carnivorous"),
    "communication_carnivorous_card": ("communication", "carnivorous"),
}


def deck(players: int) -> dict[str, int]:
    """Returns one set for two to four players, or two for more (EVO-COMP-08, EVO-TWOSET-01, 07)."""
    sets = 1 if players <= 4 else 2
    return {face: sets * (8 if face == "swimming_card" else 4) for face in FACES}


OPENING_HAND = 6  # EVO-SETUP-02
DESTITUTE_HAND = 6  # EVO-DRAW-05
MEAT, TAIL, LEFTOVERS = 2, 1, 1  # EVO-CARN-04, EVO-TR-TAIL-02, EVO-TR-SCAVENGER-01
ESCAPES_FROM = 4  # EVO-TR-RUN-01

EXTRA_NEED = {"carnivorous": 1, "high_body_weight": 1, "parasite": 2}  # EVO-HUNGER-07
EXTRA_POINTS = {"carnivorous": 1, "high_body_weight": 1, "parasite": 2}  # EVO-SCORE-03 to 05
PAIRED = ("symbiosis", "communication", "cooperation")
EXCLUDES = {"carnivorous": "scavenger", "scavenger": "carnivorous"}  # EVO-TR-CARNIVOROUS-01, EVO-TR-SCAVENGER-02

# The token that a link passes on when a token of a colour arrives (EVO-TR-COMMUNICATION-01, EVO-TR-COOPERATION-01).
PASSES_ON = {("communication", "red"): "red", ("cooperation", "red"): "blue", ("cooperation", "blue"): "blue"}

# By players: number of dice, and a constant added to them (EVO-BANK-02 to 04, EVO-TWOSET-02 to 05).
FOOD_BASE = {2: (1, 2), 3: (2, 0), 4: (2, 2), 5: (3, 2), 6: (3, 4), 7: (4, 2), 8: (4, 4)}

# The recommended reading of every ambiguous clause.
READINGS = {
    "starter": "lot",
    "mimicry_limit": "each_attack",
    "skipping": "one_go",
    "feeding_duty": "free",
    "attack_and_fat": "either",
    "fat_use": "needed",
    "sleeping_victims": "robbed",
    "parasite_pile": "host",
    "destitute": "at_once",
    "shared_points": "once",
    "end": "last_round",
}
