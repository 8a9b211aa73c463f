"""Checks the outlook of a chosen space as things stand: in the list, on request, and against its procedure."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.position.position import Position
from ludoglot.engine.preview.preview_texts import OptionPreviews

from .terminal_harness import HUMAN, Desk
from .test_hidden_previews import find_decision

PLANNING_KEY = "planning.space"
CONTINUATIONS_PER_SPACE = 300        # continuations tried for one space
OUTLOOK_VALUES = {"speciation": "new_species", "glaciation": "points_ahead", "wanderlust": "points_ahead", "domination": "points_ahead",
                  "competition": "may_kill", "migration": "may_move"}


def iter_planning_decisions(seed: int, players: int, turns: int):
    """Yields planning decisions of a random game for this number of turns, with the narrator."""
    desk = Desk("dominant-species", [HUMAN] * players, seed=seed)
    position, rng = desk.table.position, random.Random(seed)
    seen = 0
    while position.decision is not None and seen < turns:
        if position.decision.key == PLANNING_KEY:
            yield position, desk.session.narrator, rng
            seen += 1
        position.play(position.decision.seat, rng.choice(position.decision.options))


def test_pawn_preview_shows_the_outlook_of_its_space():
    hints = OptionPreviews(*find_decision("dominant-species", 2, 1, PLANNING_KEY))
    found, _ = hints.preview_all()
    told = {str(hints.decision.option(code)): hint for code, hint in found.items()}
    assert told["space=migration_5"].line == "as things stand: moves up to 3 species"
    assert told["space=initiative_1"].conditional_texts == ("as things stand: moves on to a free space",)
    assert told["space=speciation_5"].line == "as things stand: adds up to 8 species"
    assert told["space=speciation_5"].printed[0].startswith("Choose a disc on the earth")     # the text of the action on the space


@pytest.mark.long
def test_outlook_is_shown_in_the_list_and_by_try():
    desk = Desk("dominant-species", [HUMAN] * 2, typed=["try migration 5"], seed=1, columns=140, lines=50)
    desk.run()
    assert "as things stand: moves up to 3 species" in desk.screens[0].text
    assert "  as things stand: moves up to 3 species\n" in desk.text.partition("> try")[2]


@pytest.mark.long
@pytest.mark.parametrize("seed, players", [(1, 2), (2, 4), (3, 3)])
def test_outlook_matches_the_procedure_of_the_space(seed, players):
    """No choice of the owner exceeds the outlook, and some choice reaches it. Nothing is taken away before."""
    shown: set[str] = set()
    for position, narrator, rng in iter_planning_decisions(seed, players, 60):
        clear_boxes(position)
        hints = OptionPreviews(position.decision, narrator)
        for option in rng.sample(position.decision.options, min(4, len(position.decision))):
            [(_, _, space)] = option.values
            wanted = OUTLOOK_VALUES.get(get_action(position, space))
            [value] = [one.name for one in hints.outlook.values["Space"] if one.name == wanted] or [None]
            if value is None:
                continue
            ahead = hints.foresight.preview(option.code)
            after = hints.foresight.find_exit_position(ahead) or ahead.after
            promised = after.game.module.shown[value][1](after.s, space)
            if not promised:
                continue
            shown.add(get_action(position, space))
            animal = after.raw_value("pawn", space)
            after = after if get_action(position, space) != "domination" else let_other_pawns_score(after, animal)
            reached = [run_action(after, get_action(position, space), animal, space, value, rng) for _ in range(CONTINUATIONS_PER_SPACE)]
            assert max(reached) == promised, f"{get_action(position, space)} {space}"
    assert {"speciation", "wanderlust", "domination", "migration"} <= shown


def clear_boxes(position: Position) -> None:
    """Empties the boxes of Regression and Wasteland, so that nothing is taken away before a pawn acts."""
    for name in ("regression", "wasteland"):
        position.set_raw(position.game.cells["tray"], [position.game.model.enums["Action"].index[name]], (0,) * 6)
    position.invalidate_memos()


def get_action(position: Position, space: int) -> str:
    enums = position.game.model.enums
    return enums["Action"].members[enums["Space"].values["action"][space]]


def let_other_pawns_score(start: Position, animal: int) -> Position:
    """Returns the position in which the other pawns of the animal on Domination have chosen the best tiles."""
    after = start.copy()
    spaces = range(len(start.game.model.enums["Space"]))
    for _ in range(sum(start.raw_value("pawn", n) == animal and get_action(start, n) == "domination" for n in spaces) - 1):
        asked = after.copy()
        asked.game.run_procedure(asked, "perform[domination]", [animal, 0])
        found = {}
        for option in (one for one in asked.decision.options if not one.declines):
            then = asked.copy()
            then.play(then.decision.seat, option)
            found[option.values[0][2]] = then.raw_value("vp", animal)
        after.set_raw(after.game.cells["chosen"], [max(found, key=found.__getitem__)], True)
        after.invalidate_memos()
    return after


def run_action(start: Position, action: str, animal: int, space: int, value: str, rng: random.Random) -> int:
    """Runs the procedure of a space with random choices, and returns its gain in the unit of the outlook. It never declines."""
    after = start.copy()
    after.game.run_procedure(after, f"perform[{action}]", [animal, space])
    seat, moved, killed = after.decision.seat, 0, 0
    population = start.game.module.shown["population"][1]
    before, points = population(after.s, animal), after.raw_value("vp", animal)
    while (decision := after.decision) is not None and decision.key.startswith(f"perform[{action}]"):
        if decision.seat != seat:
            after.play(decision.seat, decision.options[0])
            continue
        option = max(decision.options, key=lambda one: (not one.declines, preferred_amount(one, action), rng.random()))
        named = {name: raw for name, _, raw in option.values}
        moved += named.get("n", 0) if action == "migration" else 0
        killed += "victim" in named
        after.play(decision.seat, option)
        if action in ("glaciation", "wanderlust", "domination") and after.raw_value("vp", animal) != points:
            break
    return {"new_species": population(after.s, animal) - before, "points_ahead": after.raw_value("vp", animal) - points,
            "may_move": moved, "may_kill": killed}[value]


def preferred_amount(option, action: str) -> int:
    """Returns the preferred amount: the largest for speciation, otherwise any."""
    return next((raw for name, _, raw in option.values if name == "n"), 0) if action == "speciation" else 0


@pytest.mark.long
@pytest.mark.parametrize("seed, players", [(51, 3), (2, 4)])
def test_preview_of_a_pawn_counts_sure_losses(seed, players):
    """If nobody else does anything, a disc that Wasteland takes is gone when Depletion and Speciation act."""
    fewer = 0
    for position, narrator, rng in iter_planning_decisions(seed, players, 60):
        spaces = position.game.model.enums["Space"]
        tray = position.game.cells["tray"]
        boxes = {name: n for n, name in enumerate(position.game.model.enums["Action"].members)}
        for name in ("wasteland", "depletion"):                    # full boxes, as after a turn without pawns there
            position.set_raw(tray, [boxes[name]], tuple(rng.randint(0, 1) for _ in range(6)))
        position.invalidate_memos()
        hints = OptionPreviews(position.decision, narrator)
        for option in position.decision.options:
            [(_, _, space)] = option.values
            name = {"speciation": "new_species", "depletion": "may_remove"}.get(action := get_action(position, space))
            if name is None:
                continue
            after = hints.foresight.find_exit_position(ahead := hints.foresight.preview(option.code)) or ahead.after
            promised = after.game.module.shown[name][1](after.s, space)
            at_once = after.copy()
            at_once.game.run_procedure(at_once, f"perform[{action}]", [after.raw_value("pawn", space), space])
            later, animal = reach_pawn(position, option, space), after.raw_value("pawn", space)
            now, found = (count_gain(one, action, animal) for one in (at_once, later))
            found = found if later.raw_value("acted_last") == space else 0
            fewer += found < now
            saves = any(get_action(position, n) == "wasteland" and position.raw_value("pawn", n) != -1 for n in range(len(spaces)))
            assert promised == found or saves and promised > found, f"{option}: {promised} promised, {found} found"
    assert fewer > 3


def reach_pawn(position: Position, option, space: int) -> Position:
    """Returns the position in which a new pawn acts, if everybody declines until then. Further pawns go to the last spaces."""
    after = position.copy()
    after.play(after.decision.seat, option)
    while after.decision is not None and after.raw_value("pawn", space) != -1:
        after.play(after.decision.seat, next((one for one in after.decision.options if one.declines), after.decision.options[-1]))
    return after


def corners_of_cell(board, cell: int) -> set[int]:
    """Returns the numbers of the corners of a cell."""
    return set(board.parts_of_kind("corners").tags[cell].values())


def count_gain(position: Position, action: str, animal: int) -> int:
    """Returns how many discs an acting pawn can remove, or how many species it can add."""
    if position.decision is None or position.decision.key != f"perform[{action}].corner":
        return 0
    model = position.game.model
    board = next(board for board in model.boards.values() if "Corner" in board.part_types.values())
    limits, rooms = model.enums["Terrain"].values["limit"], []
    for [(_, _, corner)] in (one.values for one in position.decision.options if not one.declines):
        near = [position.raw_value("terrain", n) for n in range(len(board.cells)) if corner in corners_of_cell(board, n)]
        rooms.append(sum(limits[terrain] for terrain in near if terrain >= 0))
    return len(rooms) if action == "depletion" else min(max(rooms), position.raw_value("pool", animal))


@pytest.mark.parametrize("lost, saved, card", [("", "", True), ("wasteland", "", False), ("wasteland", "wasteland_1", True),
                                               ("regression", "", False), ("regression", "regression_1", True)])
def test_a_card_is_promised_only_for_dominance_that_lasts(lost, saved, card):
    """Wasteland takes discs next to tundra, and Regression takes elements, before Domination. A pawn there may prevent it."""
    position, narrator, _ = next(iter_planning_decisions(1, 3, 1))
    cells, model = position.game.cells, position.game.model
    spaces, actions, kinds = (model.enums[name] for name in ("Space", "Action", "Animal"))
    mover = next(a for a in range(6) if position.raw_value("keeper", a) == position.decision.seat)
    assert not kinds.values["shields"][mover]                      # a reptile keeps an element without a pawn
    board = next(board for board in model.boards.values() if "Corner" in board.part_types.values())
    frozen = {n for n in range(len(board.cells)) if position.raw_value("terrain", n) == model.enums["Terrain"].index["tundra"]}
    around = {n: corners_of_cell(board, n) for n in range(len(board.cells))}
    corner = next(c for c in range(len(model.enums["Corner"])) if any(c in around[n] for n in frozen) and any(
        c in around[n] and position.raw_value("cubes", mover, n) for n in around))
    element = next(e for e in range(6) if not kinds.values["inherent"][mover][e])
    position.set_raw(cells["added"], [mover], tuple(int(e == element) for e in range(6)))
    for other in range(len(model.enums["Corner"])):
        position.set_raw(cells["disc"], [other], element if other == corner else -1)
    if lost:
        position.set_raw(cells["tray"], [actions.index[lost]], tuple(int(e == element) for e in range(6)))
    if saved:
        position.set_raw(cells["pawn"], [spaces.index[saved]], mover)
    position.invalidate_memos()
    found, _ = OptionPreviews(position.decision, narrator).preview_all()
    line = next(hint.line for code, hint in found.items() if position.decision.option(code).spelling == "space=domination_1")
    assert ("takes a Dominance card" in line) == card, line


def greedy(option, action: str) -> int:
    """Returns the preferred amount: the largest for speciation, otherwise any."""
    return next((raw for name, _, raw in option.values if name == "n"), 0) if action == "speciation" else 0


@pytest.mark.long
def test_space_without_effect_is_reported():
    """A pawn has no effect on a Competition space without rivals, or on a space whose box has no disc."""
    told: dict[str, set[str]] = {}
    for position, narrator, _rng in iter_planning_decisions(1, 2, 40):
        hints = OptionPreviews(position.decision, narrator)
        for option in position.decision.options:
            [(_, _, space)] = option.values
            said = hints.preview(option.code).line.partition("as things stand: ")[2]
            told.setdefault(get_action(position, space), set()).add(said)
    assert "has no effect" in told["competition"] and "has no effect" in told["depletion"]
    assert not told["speciation"] & {""} and "has no effect" not in told["migration"]


@pytest.mark.long
def test_domination_outlook_includes_a_card_for_a_dominant_player():
    """DS-EXE-DMN-09: if your animal dominates the tile, you must then choose one of the face-up cards."""
    seen = set()
    for position, narrator, _ in iter_planning_decisions(3, 3, 90):
        clear_boxes(position)
        hints = OptionPreviews(position.decision, narrator)
        lines = [hint.line for code, hint in hints.preview_all()[0].items() if "domination" in position.decision.option(code).spelling]
        dominant = {raw for place, raw in hints.tracked.before.items() if hints.tracked.values[place[0]].name == "dominant" and raw >= 0}
        mine = any(position.raw_value("keeper", animal) == position.decision.seat for animal in dominant)
        if lines:
            assert all(("a Dominance card" in line) == mine for line in lines)
            seen.add(mine)
    assert seen == {True, False}


def test_passed_space_outlook_names_the_next_turn():
    """DS-CRD-INS-02: Instinct puts a pawn on any free space. Spaces to the left of the acting pawn have already had their turn."""
    position, narrator, _ = next(iter_planning_decisions(1, 2, 1))
    spaces = position.game.model.enums["Space"]
    animal = next(a for a in range(6) if position.raw_value("keeper", a) == 0)
    position.set_raw(position.game.cells["acted_last"], [], spaces.index["domination_2"])
    position.game.run_procedure(position, "effect[instinct]", [animal, 0])
    found, _ = OptionPreviews(position.decision, narrator).preview_all()
    late = {position.decision.option(code).spelling: "only in the next turn" in hint.line for code, hint in found.items()}
    order = {f"space={name}": n for n, name in enumerate(spaces.members)}
    assert len(late) > 30 and all(said == (order[spelt] <= order["space=domination_2"]) for spelt, said in late.items())


@pytest.mark.parametrize("threatened", [1, 2])
@pytest.mark.parametrize("standing", [0, 1])
def test_regression_outlook_counts_only_unprotected_elements(threatened, standing):
    """DS-EXE-REG-04, 05: each pawn there keeps one kind of element, and a reptile keeps one without a pawn."""
    position, narrator, _ = next(iter_planning_decisions(1, 2, 1))
    model, seat, cells = position.game.model, position.decision.seat, position.game.cells
    spaces, actions, kinds = (model.enums[name] for name in ("Space", "Action", "Animal"))
    for animal in (a for a in range(6) if position.raw_value("keeper", a) == seat):
        elements = tuple(int(n < threatened) for n in range(6))
        position.set_raw(cells["added"], [animal], elements)
        position.set_raw(cells["tray"], [actions.index["regression"]], elements)
    mover = next(a for a in range(6) if position.raw_value("keeper", a) == seat)
    if standing:
        position.set_raw(cells["pawn"], [spaces.index["regression_1"]], mover)
    target = f"space=regression_{1 + standing}"
    found, _ = OptionPreviews(position.decision, narrator).preview_all()
    line = next(hint.line for code, hint in found.items() if position.decision.option(code).spelling == target)
    assert ("keeps" in line) == (threatened > standing + kinds.values["shields"][mover]), line
