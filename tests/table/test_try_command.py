"""Checks that `try` on an option reports the events that then happen. Declining and a player's own next choices are reported as such."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from ludoglot.dsl.types.types import Int
from ludoglot.engine.position.options import DECLINE
from ludoglot.engine.position.position import GameEvent, Position
from ludoglot.engine.preview.continuations import compute_bounds
from ludoglot.engine.preview.preview_change import Certainty
from ludoglot.engine.preview.preview_texts import OptionPreviews
from ludoglot.engine.preview.preview_transcript import preview_items
from ludoglot.engine.preview.tracked_values import TrackedValues, ValueChange
from ludoglot.engine.preview.transcript_changes import TranscriptWithChanges
from ludoglot.engine.terminal.preview_lines import print_preview
from ludoglot.engine.terminal.question import DecisionPrompt

from .terminal_harness import HUMAN, Desk

TRY_COUNT = 4                        # number of decisions with one tried option each
GAMES = [pytest.param("dominant-species", 3, "perform[domination]", marks=pytest.mark.long), ("trias", 3, "drift.target")]


@pytest.mark.long_cases("trias-3-drift.target")
@pytest.mark.parametrize("name, players, key", GAMES)
def test_previewed_events_happen(name, players, key):
    desk = Desk(name, [HUMAN] * players, seed=3)
    table, narrator, rng = desk.table, desk.session.narrator, random.Random(3)
    told = 0
    while told < TRY_COUNT:
        decision = table.position.decision
        option = rng.choice(decision.options)
        if not decision.key.startswith(key):
            table.play(option)
            continue
        hints = OptionPreviews(decision, narrator)
        lines = [item.text for item in preview_items(hints, hints.foresight.preview(option.code), ())]
        start = len(table.steps)
        table.play(option)
        while (then := table.position.decision) is not None and table.is_automatic(then):
            table.take(then, then.options[0], auto=True)
        after = [item.text for item in TranscriptWithChanges(table, narrator, decision.seat).build_lines(start)]
        for line in lines:
            assert line in after, f"{option}: {line!r} of {lines} in {after}"
            after.remove(line)
        told += bool(lines)


@pytest.mark.long
def test_preview_without_responses_matches_later_events():
    """If all others decline, the preview of a declined go matches the events that follow, such as animals that die."""
    desk = Desk("evolution", [HUMAN] * 3, seed=3)
    position, rng, found = desk.table.position, random.Random(3), 0
    while found < TRY_COUNT:
        decision = position.decision
        hints = OptionPreviews(decision, desk.session.narrator)
        if decision.key == "go.go" and hints.preview_all()[0][DECLINE].conditional:
            found += 1
            further = hints.foresight.preview_declined(hints.foresight.preview(DECLINE))
            after = position.copy()
            told = play_forced_decisions(after, after.play(decision.seat, decision.option(DECLINE)), hints)
            while (then := after.decision) is not None and then.key == decision.key and then.seat != decision.seat:
                told = play_forced_decisions(after, told + after.play(then.seat, then.option(DECLINE)), hints)
            heard = [event for event in told if not event.secret and event.key != "chance"]
            assert further.events == heard[: len(further.events)]
            now = TrackedValues([value.name for value in hints.tracked.values], after, decision.seat).before
            [changes] = hints.tracked.list_changes(further)
            assert changes and all(now[change.place] == change.new for change in changes)
        position.play(decision.seat, rng.choice(decision.options))


def play_forced_decisions(position: Position, told: list[GameEvent], hints: OptionPreviews) -> list[GameEvent]:
    """Plays forced decisions, and returns the events until the next real decision."""
    while hints.foresight.is_forced(position):
        told = told + position.play(position.decision.seat, position.decision.options[0])
    return told


def test_declining_previews_deaths_without_responses():
    """The option list shows only your own points, and `try` shows all losses. A player who takes food gets no warning."""
    desk = Desk("evolution", [HUMAN] * 3, seed=3)
    position, rng = desk.table.position, random.Random(3)
    while position.decision.key != "go.go":
        position.play(position.decision.seat, rng.choice(position.decision.options))
    decision = position.decision
    hints = OptionPreviews(decision, desk.session.narrator)
    lines = {decision.option(code).declines: hint.line for code, hint in hints.preview_all()[0].items()}
    assert lines[True] == "if nobody else does anything: Player 3 loses 7 points …"
    assert "nobody else" not in lines[False]
    whole = hints.preview(DECLINE).line
    assert "animal 1 of Player 3 dies; animal 4 of Player 3 dies" in whole and "Player 1 loses 11 points" in whole


def find_try_output(name: str, players: int, seed: int, key: str, of, says: str) -> str:
    """Returns the first output of `try` that contains `says`, for options of this kind of decision in a random game."""
    desk = Desk(name, [HUMAN] * players, seed=seed, columns=120)
    rng, table = random.Random(seed), desk.table
    for _ in range(400):
        decision = table.position.decision
        if decision.key == key:
            desk.session.seat = decision.seat
            for one in of(DecisionPrompt(decision, desk.session.narrator).choices):
                desk.console.written.clear()
                print_preview(desk.session, DecisionPrompt(decision, desk.session.narrator), one)
                if says in desk.text:
                    return desk.text
        table.position.play(decision.seat, rng.choice(decision.options))
    raise AssertionError(f"{says!r} is not said of any")


@pytest.mark.long
def test_drift_preview_reports_merging_continents():
    told = find_try_output("trias", 3, 4, "drift.target", lambda choices: choices[:6], "continents merge")
    assert "Card shown" not in told


@pytest.mark.long
def test_birth_with_the_last_action_point_is_previewed():
    """The card drawn afterwards is hidden, but the birth is shown."""
    def births(choices):
        return [one for one in choices if "reproduce at" in one.text]
    told = find_try_output("trias", 3, 4, "act.action", births, "The rest depends on")
    assert "Stock" in told and "Map" in told and "Continents" not in told


@pytest.mark.long
def test_initiative_preview_excludes_the_next_action():
    """The next action would take a pawn off the display automatically, because it leaves no choice."""
    told = find_try_output("dominant-species", 3, 3, "perform[initiative].target", lambda choices: choices[::-1], "Action display")
    assert len([line for line in told.splitlines() if "Action display" in line]) == 1


@pytest.mark.long
def test_points_are_previewed_with_their_tile():
    told = find_try_output("dominant-species", 3, 3, "perform[domination].tile", lambda choices: choices, "takes a Dominance card")
    assert "victory points on" in told and "dominates" in told


def test_skipping_and_ending_a_go_have_different_texts():
    """EVO-FEED-10: if everybody skips, the phase ends. A player who has done something in the go only ends the go."""
    desk = Desk("evolution", [HUMAN] * 3, seed=3)
    position, rng, narrator = desk.table.position, random.Random(3), desk.session.narrator
    while position.decision.key != "go.go":
        position.play(position.decision.seat, rng.choice(position.decision.options))
    assert narrator.option_text(position.decision, position.decision.option(DECLINE)) == "Skip this go"
    position.set_raw(position.game.cells["quiet"], [], 0)
    assert narrator.option_text(position.decision, position.decision.option(DECLINE)) == "End this go"


@pytest.mark.long_cases("trias-drift.origin")
@pytest.mark.parametrize("name, key", [pytest.param("dominant-species", "perform[speciation].corner", marks=pytest.mark.long),
                                       ("trias", "drift.origin")])
def test_previewed_bounds_are_correct_and_reachable(name, key):
    desk = Desk(name, [HUMAN] * 3, seed=3)
    position, rng, found, surely = desk.table.position, random.Random(3), 0, 0
    while found < TRY_COUNT:
        decision = position.decision
        hints = OptionPreviews(decision, desk.session.narrator)
        for option in decision.options if decision.key == key else ():
            ways, _ = hints.list_outcome_changes(hints.foresight.preview(option.code))
            bounds = compute_bounds(ways, hints.is_amount_change, hints.is_own, lambda change: isinstance(change.type, Int))
            surely_so, at_least, up_to = bounds.values()
            most = {change.place: change.new for change in up_to}
            if not most or found == TRY_COUNT:
                continue
            found += 1
            reached = [sample_outcome(position, option, hints, rng) for _ in range(300)]
            for place, new in most.items():
                assert max(values[place] for values in reached) == new
            for change in surely_so:
                assert {values[change.place] for values in reached} == {change.new}
            for change in at_least:
                assert min((values[change.place] for values in reached), key=lambda new: abs(new - change.old)) == change.new != change.old
            surely += len(surely_so)
        position.play(decision.seat, rng.choice(decision.options))
    assert surely or name != "trias"


@pytest.mark.long
def test_unavoidable_loss_is_previewed_as_a_minimum():
    """A player who used the last action points on a drift must see that their swimmers drown (TRI-ACTD-02, TRI-SAVE)."""
    told = 0
    for seed in range(11, 31):
        desk = Desk("trias", [HUMAN] * 2, seed=seed)
        position, rng = desk.table.position, random.Random(seed)
        while told < TRY_COUNT and (decision := position.decision) is not None:
            option = next((one for one in decision.options if one.entry == "drift"), None)
            words = desk.session.narrator.words
            at_least = OptionPreviews(decision, desk.session.narrator).preview(option.code).changes if option else ()
            for said in (text for one in at_least if one.certainty is Certainty.AT_LEAST and "water" in (text := one.text(words))):
                told += 1
                lost = min(drowned_herds(position, option))
                assert said == f"{desk.session.narrator.player_name(decision.seat)} loses {lost} herd{'s' * (lost > 1)} to the water"
            position.play(decision.seat, rng.choice(decision.options))
    assert told == TRY_COUNT


def drowned_herds(position: Position, option, seat: int = -1, herds: int = -1) -> Iterator[int]:
    """Yields how many of their herds a player loses to the water this turn, for each continuation of an option."""
    after, seat = position.copy(), position.decision.seat if seat < 0 else seat
    herds = after.raw_value("stock", seat) if herds < 0 else herds
    after.play(seat, option)
    if (then := after.decision) is None or then.seat != seat or not then.key.startswith("drift"):
        yield after.raw_value("stock", seat) - herds
        return
    for one in then.options:
        yield from drowned_herds(after, one, seat, herds)


def test_bounds_of_several_continuations():
    def change(place, new, old=5):
        return ValueChange((place, ()), "points", (), Int(0, 20), old, new)

    def ways(*news):
        return [{(n, ()): change(n, new) for n, new in enumerate(way) if new != 5} for way in news]

    mine = lambda change: change.place[0] == 0                      # noqa: E731
    found = compute_bounds(ways((7, 2, 4), (5, 1, 4), (9, 3, 4)), lambda change: True, mine)
    assert [[(one.place[0], one.new) for one in some] for some in found.values()] == [[(2, 4)], [(1, 3)], [(0, 9)]]
    assert not compute_bounds(ways((5, 2), (5, 5)), lambda change: True, mine)[Certainty.AT_LEAST], "one continuation loses nothing"
    assert not compute_bounds(ways((5, 2), (5, 8)), lambda change: True, mine)[Certainty.AT_LEAST], "one continuation gains"
    losses = compute_bounds(ways((3, 5), (1, 5)), lambda change: True, mine)[Certainty.AT_LEAST]
    assert [one.new for one in losses] == [3], "own losses have a minimum"
    assert not compute_bounds(ways((3, 5), (1, 5)), lambda change: False, mine)[Certainty.AT_LEAST], "there are no amounts"
    found = compute_bounds(ways((7, 8), (6, 4)), lambda change: False, mine, lambda change: True)[Certainty.AT_LEAST]
    assert [one.new for one in found] == [6], "the minimum is certain"


def sample_outcome(position: Position, option, hints: OptionPreviews, rng: random.Random) -> dict:
    """Returns the tracked values after an option and random choices of the same player in the same action or drift."""
    after, kind = position.copy(), position.decision.key.rpartition(".")[0]
    after.play(hints.decision.seat, option)
    while (then := after.decision) is not None and then.key.startswith(kind) and then.key != hints.decision.key:
        assert then.seat == hints.decision.seat
        after.play(then.seat, rng.choice(then.options))
    return TrackedValues([value.name for value in hints.tracked.values], after, hints.decision.seat).before


@pytest.mark.long
def test_speciation_preview_reports_the_maximum():
    """The maximum is the free room on the tiles at the corner, given the options and amounts that follow."""
    told = find_try_output("dominant-species", 3, 3, "perform[speciation].corner", lambda choices: choices, "at most")
    assert "species" in told.partition("at most: ")[2].partition("\n")[0]
    assert "that can be predicted" not in told


def test_preview_of_giving_up_an_action_has_no_effects():
    """The preview of giving up an action does not include the effects of the next action."""
    desk = Desk("dominant-species", [HUMAN] * 3, seed=3)
    position, rng = desk.table.position, random.Random(3)
    while position.decision.key != "perform[speciation].corner":
        position.play(position.decision.seat, rng.choice(position.decision.options))
    hints = OptionPreviews(position.decision, desk.session.narrator)
    assert hints.preview(DECLINE).conditional == () and hints.preview(position.decision.codes[0]).conditional


@pytest.mark.long
def test_last_pass_previews_the_winner():
    """EVO-TIE-01: only a tie depends on the hidden discard piles. The points do not."""
    desk = Desk("evolution", [HUMAN] * 3, seed=4)
    position, rng, said = desk.table.position, random.Random(4), []
    while (decision := position.decision) is not None:
        if position.raw_value("last_round") and decision.key == "go.go":
            hints = OptionPreviews(decision, desk.session.narrator)
            if hints.foresight.preview(DECLINE).over:
                after = position.copy()
                after.play(decision.seat, decision.option(DECLINE))
                [*first] = [rank for rank in after.standing() if rank.values[0] == after.standing()[0].values[0]]
                winner = f"Player {first[0].seat + 1} wins" if len(first) == 1 else "The game is over"
                said.append(winner in hints.preview(DECLINE).line)
        position.play(decision.seat, rng.choice(decision.options))
    assert said and all(said)


@pytest.mark.long
def test_preview_does_not_call_a_fed_animal_hungry():
    """The preview of a go with several steps once said: “animal 10 is not fed yet …; in any case: animal 10 is fed”."""
    desk = Desk("evolution", [HUMAN] * 2, seed=23)
    position, rng, told = desk.table.position, random.Random(23), 0
    while (decision := position.decision) is not None:
        if decision.key in ("go.go", "hunt.prey") and len(decision) > 1:
            found, always = OptionPreviews(decision, desk.session.narrator, True, decision.seat).preview_all()
            for hint in found.values():
                said = [one.text(desk.session.narrator.words) for one in (*always, *hint.changes)]
                fed = [text.removesuffix(" is fed") for text in said if text.endswith(" is fed")]
                told += len(fed)
                assert not [text for text in said if any(text.startswith(f"{animal} still needs") for animal in fed)]
        position.step(rng.choice([code for code in decision.codes if not decision.option(code).declines] or list(decision.codes)))
    assert told > 20
