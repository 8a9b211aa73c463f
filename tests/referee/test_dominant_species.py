"""Checks hand-made positions for rules that random games hardly reach. Each test would fail with the narrower or stricter reading."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from .components import ANIMALS, CENTRE, NE, NW, SE, SW, N, S, options_of
from .decision_protocol import Asking
from .dominant_species import Referee
from .earth import CORNER, CORNERS_OF, NEAR
from .selfplay import random_start

SEAT = {animal: seat for seat, animal in enumerate(ANIMALS)}
HALVES = ["n=0", "n=1"]


def make_referee(**options: str | bool) -> Referee:
    """Returns a set-up of six players on the usual first earth, without species and discs on it."""
    start = random_start(6, options_of(options), random.Random(1)) | {"keeper": SEAT}
    referee = Referee(start, lambda: "grass", options)
    for animal in ANIMALS:
        referee.cubes[animal].clear()
    for corner in list(referee.disc):
        referee.bag_disc(corner)
    return referee


def put_cubes(referee: Referee, animal: str, tile: str, awake: int, asleep: int = 0) -> None:
    referee.cubes[animal][tile] = awake + asleep
    referee.asleep[animal][tile] = asleep


def cubes_on(referee: Referee, animal: str, tile: str) -> tuple[int, int]:
    """Returns the numbers of waking and sleeping cubes of an animal on a tile."""
    asleep = referee.asleep[animal][tile]
    return referee.cubes[animal][tile] - asleep, asleep


def answer_questions(asking: Asking[Any], *replies: str) -> list[tuple[str, str, list[str]]]:
    """Returns the questions and their seats for exactly these replies."""
    asked = []
    left = list(replies)
    try:
        seat, key, options = next(asking)
        while True:
            asked.append((ANIMALS[seat], key, options))
            assert left, f"unexpected question: {asked[-1]}"
            seat, key, options = asking.send(left.pop(0))
    except StopIteration:
        assert not left, f"unused replies: {left}"
    return asked


# ---------------------------------------------------------------- Glaciation (hu 13, it 15 and 16)


@pytest.mark.parametrize("by", ["pawn", "card"])
def test_glaciation_takes_every_disc_between_three_tundra_tiles(by):
    referee = make_referee()
    referee.terrain |= {N: "tundra", NE: "tundra"}
    far, two_of_three, two_at_the_edge = CORNER[f"{CENTRE}.ne"], CORNER[f"{CENTRE}.nw"], CORNER[f"{N}.e"]
    assert far not in CORNERS_OF[SW] and len(referee.tiles_at(two_at_the_edge)) == 2
    for corner in (far, two_of_three, two_at_the_edge):
        referee.disc[corner] = "water"
    bag = referee.bag["water"]
    asking = referee.act_glaciation("mammal", "glaciation_1") if by == "pawn" else referee.card_ice_sheet("mammal", N)
    answer_questions(asking, f"tile={SW}")
    assert set(referee.disc) == {two_of_three, two_at_the_edge}
    assert referee.bag["water"] == bag + 1


def test_glaciation_removes_a_disc_that_the_new_tile_encloses():
    referee = make_referee()
    referee.terrain |= {N: "tundra"}
    referee.disc[CORNER[f"{CENTRE}.nw"]] = "water"
    answer_questions(referee.act_glaciation("mammal", "glaciation_1"), f"tile={NW}")
    assert not referee.disc and referee.vp["mammal"] == 3


@pytest.mark.parametrize(("queue", "left"), [("leftmost_pawn", {}), ("first_space", {"glaciation_2": "bird"})])
def test_glaciation_without_a_pawn_on_the_first_space(queue, left):
    referee = make_referee(glaciation_queue=queue)
    referee.place_pawn("bird", "glaciation_2")
    asked = answer_questions(referee.section_glaciation(), *([] if left else ["decline"]))
    assert [key for _, key, _ in asked] == ([] if left else ["perform[glaciation].tile"])
    assert referee.pawn == left


@pytest.mark.parametrize("queue", ["leftmost_pawn", "first_space"])
def test_glaciation_removes_one_pawn(queue):
    referee = make_referee(glaciation_queue=queue)
    referee.place_pawn("bird", "glaciation_1")
    referee.place_pawn("insect", "glaciation_2")
    assert [who for who, _, _ in answer_questions(referee.section_glaciation(), f"tile={S}")] == ["bird"]
    assert referee.pawn == {"glaciation_2": "insect"} and referee.is_tundra(S)


@pytest.mark.parametrize("choice", ["compulsory", "optional"])
def test_ice_sheet_is_compulsory_or_optional(choice):
    referee = make_referee(ice_sheet_action=choice)
    tiles = [f"tile={tile}" for tile in referee.earth() if tile != CENTRE]
    reply = "decline" if choice == "optional" else f"tile={S}"
    asked = answer_questions(referee.card_ice_sheet("mammal", N), reply)
    assert asked == [("mammal", "effect[ice_sheet].tile", [*tiles, "decline"] if choice == "optional" else tiles)]
    assert referee.is_tundra(S) == (choice == "compulsory")


# ---------------------------------------------------------------- Regression (hu 11, it 11)


def make_regression(**shields: int) -> Referee:
    """Puts grass, meat, and sun in the box, twice each. Reptile and insect each added a grass and two meats."""
    referee = make_referee()
    referee.tray["regression"] = Counter(grass=2, meat=2, sun=2)
    for animal in ("reptile", "insect"):
        referee.added[animal] = Counter(grass=1, meat=2)
    spaces = iter(["regression_1", "regression_2"])
    for animal, count in shields.items():
        for _ in range(count):
            referee.place_pawn(animal, next(spaces))
    return referee


def test_saving_from_regression_can_be_declined():
    referee = make_regression()
    asked = answer_questions(referee.section_regression(), "decline")
    assert asked == [("reptile", "section[regression].kept", ["kept=grass", "kept=meat", "decline"])]
    assert +referee.added["reptile"] == +referee.added["insect"] == Counter(meat=1)
    assert referee.elements("reptile") == 3  # the printed suns stay


def test_regression_saves_up_to_one_for_each_shield():
    referee = make_regression(insect=2)
    kept = "section[regression].kept"
    asked = answer_questions(referee.section_regression(), "kept=meat", "kept=grass", "decline")
    assert asked == [
        ("reptile", kept, ["kept=grass", "kept=meat", "decline"]),
        ("insect", kept, ["kept=grass", "kept=meat", "decline"]),
        ("insect", kept, ["kept=meat", "decline"]),
    ]
    assert +referee.added["reptile"] == Counter(meat=2)
    assert +referee.added["insect"] == Counter(grass=1, meat=1)
    assert not referee.pawn


def test_only_a_later_kind_can_be_saved_from_regression():
    referee = make_regression(insect=2)
    assert len(answer_questions(referee.section_regression(), "kept=grass", "kept=meat", "decline")) == 3
    assert +referee.added["insect"] == Counter(meat=2)


def test_a_later_kind_can_be_saved_first_from_regression():
    referee = make_regression(insect=2)
    answer_questions(referee.section_regression(), "kept=grass", "kept=meat", "kept=grass")
    assert +referee.added["insect"] == Counter(meat=2, grass=1)


# ---------------------------------------------------------------- cubes asleep and awake (hu 18 and 19, it 23 to 27)


def test_the_player_of_biomass_chooses_which_cube_dies():
    referee = make_referee()
    put_cubes(referee, "reptile", N, 1, 1)
    put_cubes(referee, "bird", N, 1)
    asked = answer_questions(referee.card_biomass("mammal", S), "victim=reptile", "n=1")
    assert asked[1:] == [("mammal", "leaving.n", HALVES)]
    assert cubes_on(referee, "reptile", N) == (1, 0) and referee.lost["reptile"] == 1


def test_the_player_of_predator_chooses_which_cube_dies():
    referee = make_referee()
    put_cubes(referee, "mammal", N, 1, 1)
    put_cubes(referee, "reptile", N, 1, 1)
    assert answer_questions(referee.card_predator("mammal", N), "n=0") == [("mammal", "leaving.n", HALVES)]
    assert cubes_on(referee, "reptile", N) == (0, 1) and cubes_on(referee, "mammal", N) == (1, 1)


def test_the_player_of_catastrophe_chooses_which_cube_lives():
    referee = make_referee()
    put_cubes(referee, "reptile", N, 2, 2)
    put_cubes(referee, "bird", N, 1, 1)
    asked = answer_questions(referee.card_catastrophe("mammal", S), f"tile={N}", "survivor=reptile", "n=1")
    assert asked[2:] == [("mammal", "leaving.n", ["n=1", "n=2"])]
    assert cubes_on(referee, "reptile", N) == (0, 1) and cubes_on(referee, "bird", N) == (0, 0)
    assert referee.lost["reptile"] == 3 and referee.lost["bird"] == 2


def test_the_player_of_catastrophe_chooses_which_neighbour_dies():
    referee = make_referee()
    put_cubes(referee, "reptile", N, 1, 2)
    asked = answer_questions(referee.card_catastrophe("mammal", S), f"tile={NE}", "n=1")
    assert asked[1:] == [("mammal", "leaving.n", HALVES)]
    assert cubes_on(referee, "reptile", N) == (1, 1)


def test_the_player_of_evolution_chooses_which_cube_is_replaced():
    referee = make_referee()
    put_cubes(referee, "reptile", N, 2, 1)
    asked = answer_questions(referee.card_evolution("mammal", S), "victim=reptile", "n=1")
    assert asked[1:] == [("mammal", "leaving.n", HALVES)]
    assert cubes_on(referee, "reptile", N) == (2, 0) and cubes_on(referee, "mammal", N) == (1, 0)


def test_in_a_cold_snap_each_animal_chooses_its_own_cubes():
    referee = make_referee()
    referee.terrain |= {NW: "tundra", N: "tundra"}
    for animal, tile in [("mammal", N), ("bird", NW), ("reptile", N), ("reptile", NW), ("reptile", S)]:
        put_cubes(referee, animal, tile, 1, 1)
    asked = answer_questions(referee.card_cold_snap("mammal", N), "n=0", "n=1", "n=1")
    assert asked == [("reptile", "leaving.n", HALVES)] * 2 + [("bird", "leaving.n", HALVES)]
    assert cubes_on(referee, "reptile", NW) == (0, 1) and cubes_on(referee, "reptile", N) == cubes_on(referee, "bird", NW) == (1, 0)
    assert cubes_on(referee, "mammal", N) == cubes_on(referee, "reptile", S) == (1, 1)


def test_the_animal_that_thins_out_chooses_the_cubes_that_stay():
    referee = make_referee()
    referee.pawns = dict.fromkeys(ANIMALS, 0)
    put_cubes(referee, "bird", NW, 3)
    put_cubes(referee, "bird", N, 1, 2)
    put_cubes(referee, "bird", S, 0, 1)
    assert answer_questions(referee.card_immigrants("mammal", S), "n=1") == [("bird", "leaving.n", ["n=1", "n=2"])]
    assert cubes_on(referee, "bird", N) == cubes_on(referee, "bird", S) == (0, 1)
    assert cubes_on(referee, "bird", NW) == (1, 0) and referee.lost["bird"] == 4


def test_the_player_of_ice_sheet_chooses_cubes_for_the_gene_pool():
    referee = make_referee()
    put_cubes(referee, "bird", S, 1, 1)
    put_cubes(referee, "insect", S, 0, 3)
    put_cubes(referee, "arachnid", S, 2, 1)
    pool = dict(referee.pool)
    asked = answer_questions(referee.card_ice_sheet("mammal", S), f"tile={S}", "n=0", "n=1")
    assert asked[1:] == [("mammal", "leaving.n", HALVES)] * 2
    assert cubes_on(referee, "bird", S) == cubes_on(referee, "insect", S) == (0, 1)
    assert cubes_on(referee, "arachnid", S) == (1, 0)
    assert [referee.pool[animal] - pool[animal] for animal in ("bird", "arachnid", "insect")] == [1, 2, 2]


def test_cubes_left_asleep_survive_extinction():
    referee = make_referee()
    put_cubes(referee, "reptile", N, 1, 1)
    put_cubes(referee, "bird", N, 1, 1)
    answer_questions(referee.card_biomass("mammal", S), "victim=reptile", "n=0")
    answer_questions(referee._extinction())
    assert cubes_on(referee, "reptile", N) == cubes_on(referee, "bird", N) == (0, 1)


# ---------------------------------------------------------------- Mass Exodus (hu 19, it 25)


def test_mass_exodus_distributes_sleeping_and_waking_cubes():
    referee = make_referee()
    put_cubes(referee, "bird", N, 2, 2)
    put_cubes(referee, "insect", N, 1)
    near = [f"target={tile}" for tile in NEAR[N] if tile in referee.terrain]
    assert near == [f"target={NW}", f"target={CENTRE}", f"target={NE}"]
    target, count = "effect[mass_exodus].target", "effect[mass_exodus].n"
    replies = [f"tile={N}", f"target={CENTRE}", "n=1", "n=1", f"target={NE}", "n=2", "n=0", f"target={NE}"]
    asked = answer_questions(referee.card_mass_exodus("mammal", S), *replies)
    assert asked[1:] == [
        ("mammal", target, near),
        ("mammal", count, ["n=1", "n=2", "n=3", "n=4"]),
        ("mammal", "leaving.n", HALVES),
        ("mammal", target, [near[0], near[2]]),
        ("mammal", count, ["n=1", "n=2", "n=3"]),
        ("mammal", "leaving.n", HALVES),
        ("mammal", target, near),
    ]
    assert [cubes_on(referee, "bird", tile) for tile in (CENTRE, NE, NW)] == [(0, 1), (2, 0), (0, 1)]
    assert cubes_on(referee, "insect", NE) == (1, 0) and not referee.present(N)
    assert referee.snapshot()["asleep"]["bird"] == {CENTRE: 1, NW: 1}


def test_mass_exodus_can_move_all_cubes_to_one_tile():
    referee = make_referee()
    put_cubes(referee, "bird", N, 1, 1)
    assert len(answer_questions(referee.card_mass_exodus("mammal", S), f"tile={N}", f"target={NW}", "n=2")) == 3
    assert cubes_on(referee, "bird", NW) == (1, 1)


def test_mass_exodus_to_the_only_neighbour_asks_nothing():
    referee = make_referee()
    only = next(tile for tile in referee.empty_rim() if len(referee.neighbours(tile)) == 1)
    referee.terrain[only] = "sea"
    put_cubes(referee, "bird", only, 2, 1)
    put_cubes(referee, "insect", only, 1)
    asked = answer_questions(referee.card_mass_exodus("mammal", S), f"tile={only}")
    assert [key for _, key, _ in asked] == ["effect[mass_exodus].tile"]
    (there,) = referee.neighbours(only)
    assert cubes_on(referee, "bird", there) == (2, 1) and cubes_on(referee, "insect", there) == (1, 0)


# ---------------------------------------------------------------- tiles for cards (hu 18 and 19, it 27)


def tile_spellings(*names: str) -> list[str]:
    return [f"tile={name}" for name in sorted(names)]


@pytest.mark.parametrize(("choice", "offered"), [("any_tile", [CENTRE, N, NE, SE, S, SW, NW]), ("fitting_tile", [N, NE])])
def test_tiles_for_blight(choice, offered):
    referee = make_referee(card_tile=choice)
    shared, other = CORNER[f"{N}.e"], CORNER[f"{CENTRE}.ne"]
    referee.disc |= {shared: "grass", other: "sun", CORNER[f"{S}.sw"]: "meat"}
    asked = answer_questions(referee.card_blight("mammal", S), f"tile={N}", f"kept={other}")
    assert asked[0] == ("mammal", "effect[blight].tile", tile_spellings(*offered))
    assert shared not in referee.disc and other in referee.disc


@pytest.mark.parametrize("choice", ["any_tile", "fitting_tile"])
def test_blight_with_no_two_discs_on_a_tile_asks_nothing(choice):
    referee = make_referee(card_tile=choice)
    referee.disc[CORNER[f"{S}.sw"]] = "meat"
    assert answer_questions(referee.card_blight("mammal", S)) == []
    assert referee.disc == {CORNER[f"{S}.sw"]: "meat"}


@pytest.mark.parametrize(("choice", "offered"), [("any_tile", [CENTRE, N, NE, SE, S, SW, NW]), ("fitting_tile", [N, NE])])
def test_tiles_for_catastrophe(choice, offered):
    referee = make_referee(card_tile=choice)
    put_cubes(referee, "bird", N, 1)
    put_cubes(referee, "insect", N, 1)
    put_cubes(referee, "bird", NE, 2)
    put_cubes(referee, "bird", S, 1)
    asked = answer_questions(referee.card_catastrophe("mammal", S), f"tile={NE}", "victim=bird")
    assert asked[0][2] == tile_spellings(*offered)
    assert [referee.cubes["bird"][tile] for tile in (N, NE, S)] == [0, 1, 1]


@pytest.mark.parametrize("choice", ["any_tile", "fitting_tile"])
def test_catastrophe_without_a_tile_with_two_cubes(choice):
    referee = make_referee(card_tile=choice)
    put_cubes(referee, "bird", N, 1)
    asked = answer_questions(referee.card_catastrophe("mammal", S), f"tile={NE}")
    assert len(asked[0][2]) == 7
    assert referee.lost["bird"] == 1


@pytest.mark.parametrize(("choice", "offered"), [("any_tile", [CENTRE, N, NE, SE, S, SW, NW]), ("fitting_tile", [N, S])])
def test_tiles_for_mass_exodus(choice, offered):
    referee = make_referee(card_tile=choice)
    put_cubes(referee, "bird", N, 1)
    put_cubes(referee, "insect", S, 1)
    asked = answer_questions(referee.card_mass_exodus("mammal", S), f"tile={N}", f"target={NE}")
    assert asked[0][2] == tile_spellings(*offered)


# ---------------------------------------------------------------- Aquatic (hu 18, it 23)


def test_aquatic_without_an_effect_asks_nothing():
    referee = make_referee()
    referee.terrain[SE] = "sea"
    referee.disc |= dict.fromkeys(CORNERS_OF[N] + CORNERS_OF[SE], "grass")
    referee.pool["mammal"] = 0
    assert answer_questions(referee.card_aquatic("mammal", S)) == []


def test_aquatic_without_a_free_corner_places_species():
    referee = make_referee()
    referee.terrain[SE] = "sea"
    referee.disc |= dict.fromkeys(CORNERS_OF[N] + CORNERS_OF[SE], "grass")
    asked = answer_questions(referee.card_aquatic("mammal", S), f"tile={SE}", "n=2")
    assert asked == [("mammal", "effect[aquatic].tile", tile_spellings(N, SE)),
                     ("mammal", "effect[aquatic].n", ["n=0", "n=1", "n=2", "n=3", "n=4"])]
    assert cubes_on(referee, "mammal", SE) == (2, 0)


def test_aquatic_without_species_places_a_disc():
    referee = make_referee()
    referee.terrain[SE] = "sea"
    referee.disc |= dict.fromkeys(CORNERS_OF[SE], "grass")
    referee.pool["mammal"] = 0
    asked = answer_questions(referee.card_aquatic("mammal", S), "element=sun", f"corner={CORNERS_OF[N][0]}")
    assert [key for _, key, _ in asked] == ["effect[aquatic].element", "effect[aquatic].corner"]
    assert referee.disc[CORNERS_OF[N][0]] == "sun"


# ---------------------------------------------------------------- Initiative (hu 9 and 10, it 9 and 10)


def test_each_part_of_initiative_can_be_declined():
    referee = make_referee()
    assert referee.initiative[:2] == ["insect", "arachnid"]
    asked = answer_questions(referee.act_initiative("arachnid", "initiative_1"), "decline", "target=domination_1")
    assert [key for _, key, _ in asked] == ["perform[initiative].forward", "perform[initiative].target"]
    assert all(options[-1] == "decline" for _, _, options in asked)
    assert referee.initiative[0] == "insect" and referee.pawn == {"domination_1": "arachnid"}
    answer_questions(referee.act_initiative("arachnid", "initiative_1"), "rival=insect", "decline")
    assert referee.initiative[0] == "arachnid" and referee.pawn == {"domination_1": "arachnid"}


def test_initiative_can_be_declined_only_as_a_whole():
    referee = make_referee(initiative_parts="both_or_none")
    assert len(answer_questions(referee.act_initiative("arachnid", "initiative_1"), "decline")) == 1
    assert referee.initiative[0] == "insect" and not referee.pawn
    asking = referee.act_initiative("arachnid", "initiative_1")
    (who, key, swap), (_, _, targets) = answer_questions(asking, "rival=insect", "target=domination_1")
    assert (who, key, swap) == ("arachnid", "perform[initiative].forward", ["rival=insect", "decline"])
    assert "decline" not in targets and "target=initiative_1" in targets
    assert referee.initiative[0] == "arachnid" and referee.pawn == {"domination_1": "arachnid"}


@pytest.mark.parametrize("parts", ["each", "both_or_none"])
def test_initiative_of_the_first_animal(parts):
    referee = make_referee(initiative_parts=parts, initiative_again=False)
    ((_, key, targets),) = answer_questions(referee.act_initiative("insect", "initiative_1"), "decline")
    assert key == "perform[initiative].target"
    assert targets[-1] == "decline" and "target=initiative_1" not in targets
    assert not referee.pawn
