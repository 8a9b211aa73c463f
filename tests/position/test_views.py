"""Nobody sees more than the rules allow: checks views, sampling, and undo."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.observation import count_hidden, observe, visible_names, why_irrevocable
from ludoglot.engine.position.position import Game
from ludoglot.engine.position.visibility import ALL_SEATS_VIEWER, can_see, can_see_local
from shared_games import shared


@pytest.fixture(scope="module")
def parry(toys):
    return shared(toys / "parry", 3)


def play_random_moves(game, seed, decisions):
    position, rng = game.start(seed), random.Random(seed)
    for _ in range(decisions):
        if position.over:
            break
        decision = position.decision
        position.play(decision.seat, rng.choice(decision.options))
    return position


def test_a_view_shows_your_hand_and_counts_other_cards(parry):
    position = parry.start(3)
    mine_held = position.raw_value("hand", 0).bit_count()
    assert count_hidden(position, 0)["Card"].total() == 16 - mine_held - position.raw_value("table").bit_count()
    mine = position.raw_value("hand", 0)
    assert mine in observe(position, 0)["states"] and mine not in observe(position, 1)["states"]


def test_hidden_values_do_not_change_a_view(parry):
    for seed in range(60):
        position = play_random_moves(parry, seed, seed % 12)
        if position.over:
            continue
        for seat in range(3):
            if position.decision.seat != seat and position.decision.kind.secret:
                continue
            other = determinize_position(position, seat, random.Random(seed))
            assert observe(other, seat) == observe(position, seat)
            assert other.decision.key == position.decision.key


def test_samples_differ_in_hidden_values_and_are_playable(parry):
    position = play_random_moves(parry, 5, 2)
    seat = position.decision.seat
    samples = [determinize_position(position, seat, random.Random(n)) for n in range(20)]
    assert len({s.raw_value("hand", (seat + 1) % 3) for s in samples}) > 5
    for imagined in samples:
        rng = random.Random(1)
        while not imagined.over:
            imagined.play(imagined.decision.seat, rng.choice(imagined.decision.options))
        assert imagined.broken_invariants() == []


def test_sampling_replaces_the_generator(parry):
    position = parry.start(1)
    assert len({determinize_position(position, position.decision.seat, random.Random(n)).s[4] for n in range(5)} | {position.s[4]}) == 6


def test_the_options_of_another_hand_are_masked(parry):
    position = parry.start(0)
    mine, other = position.decision.seat, (position.decision.seat + 1) % 3
    assert observe(position, mine)["asked"][2] != "?" and observe(position, other)["asked"][2] == "?"
    with pytest.raises(ValueError):
        determinize_position(position, other, random.Random(0))


def test_a_step_can_be_undone_until_something_is_revealed(rules, parry):
    open_game = shared(rules / "tic-tac-toe").start()
    before = open_game.copy()
    assert why_irrevocable(before, open_game, open_game.play(0, "cell=a1")) is None
    position = parry.start(2)
    before = position.copy()
    told = position.play(position.decision.seat, "decline")  # then a card is drawn from the deck
    assert why_irrevocable(before, position, told) == "revealed"


@pytest.fixture(scope="module")
def masquerade(toys):
    return shared(toys / "masquerade", 2)


def test_only_the_owner_sees_a_hidden_entry(masquerade):
    position = masquerade.start(4)
    seat = position.decision.seat
    wear = next(option for option in position.decision.options if option.entry == "wear")
    position.play(seat, wear)
    position.play(seat, position.decision.options[0])
    assert observe(position, seat)["states"].count(("?", 1)) < observe(position, 1 - seat)["states"].count(("?", 1))
    cell = masquerade.cells["behind"]
    mask = next(n for n in range(12) if position.raw_value("wearer", n) >= 0)
    assert [can_see(position, cell, [mask], viewer) for viewer in (seat, 1 - seat, None)] == [True, False, False]
    other = (mask + 1) % 12
    assert not any(can_see(position, cell, [other], viewer) for viewer in (0, 1, None))


@pytest.fixture(scope="module")
def foreheads(toys):
    return shared(toys / "foreheads", 3)


def test_everybody_sees_an_entry_except_its_owner(foreheads):
    position = foreheads.start(1)
    hand, face = foreheads.cells["hand"], foreheads.cells["face"]
    assert [can_see(position, hand, [1, 0], viewer) for viewer in (0, 1, 2, None)] == [True, False, True, False]
    mask = next(n for n in range(4) if position.raw_value("wearer", n) == 2)
    assert [can_see(position, face, [mask], viewer) for viewer in (0, 1, 2, None)] == [True, True, False, False]
    assert can_see(position, hand, [1, 0], ALL_SEATS_VIEWER)


def test_a_value_computed_from_the_hands_of_others_is_hidden_from_them(foreheads):
    position = foreheads.start(1)
    (most,) = [variable for variable in position.live_variables() if variable.name == "most"]
    assert [can_see_local(position, most, viewer) for viewer in (0, 1, 2, None)] == [True, False, False, False]


def test_a_sample_keeps_what_the_seat_sees_and_agrees_with_the_clues(foreheads):
    """The second player has a red and a blue card, and both of them have been named. The first player has learned nothing."""
    position = foreheads.start(1)
    colours = [foreheads.model.enums["Card"].values["colour"][position.raw_value("hand", 1, slot)] for slot in (0, 1)]
    for slot, colour in enumerate(colours):
        position.set_raw(foreheads.cells["colours"], [1, slot], 1 << colour)
    position.play(0, "play slot=left")
    samples = [determinize_position(position, 1, random.Random(n)) for n in range(60)]
    assert all(found.raw_value("hand", seat, slot) == position.raw_value("hand", seat, slot)
               for found in samples for seat in (0, 2) for slot in (0, 1))
    for slot, colour in enumerate(colours):
        cards = {found.raw_value("hand", 1, slot) for found in samples}
        assert len(cards) == 2 and {foreheads.model.enums["Card"].values["colour"][card] for card in cards} == {colour}


def test_numbers_and_slots_are_sampled_too(masquerade):
    position = masquerade.start(1)
    seat = position.decision.seat
    found = [determinize_position(position, seat, random.Random(n)) for n in range(40)]
    assert len({s.raw_value("secretly", 1 - seat) for s in found}) > 10 and {s.raw_value("eager", 1 - seat) for s in found} == {0, 1}
    assert {s.raw_value("secretly", seat) for s in found} == {0}
    assert {s.raw_value("behind", 0) for s in found} == {-1}            # everybody sees that nothing is there


@pytest.mark.long
def test_a_step_that_reveals_a_number_cannot_be_undone(masquerade):
    for seed in range(40):
        position, rng = masquerade.start(seed), random.Random(seed)
        while position.decision is not None:
            before = position.copy()
            told = position.play(position.decision.seat, rng.choice(position.decision.options))
        assert any(event.key == "unveiled" for event in told)
        shown = [event for event in told if not (event.key == "chance" and event.slots)]
        assert why_irrevocable(before, before, shown) == "revealed" and why_irrevocable(before, before, []) is None


def test_other_seats_learn_only_revealed_parts_of_a_move(masquerade):
    position = masquerade.start(4)
    decision = position.decision
    heard = {option.entry: decision.names_hidden_from_others(option) for option in decision.options}
    assert heard["drop"] == frozenset() and heard["give"] == {"face"} and heard["wear"] == {"face", "colour"}
    assert heard["pray"] == frozenset() and heard[None] == frozenset()
    position.play(decision.seat, next(option for option in decision.options if option.entry == "wear"))
    decision = position.decision
    assert decision.key == "wear.other" and decision.names_hidden_from_others(decision.options[0]) == {"face"}
    assert set(visible_names(decision)) >= {"face", "colour"}


SEASONS = """
game: seasons
name: Seasons
players: 2
rules: [seasons.rules]
pieces:
  Card:
    back: season
    attributes: {season: int, worth: int}
    copies:
      early: {n: 6, season: 1, worth: 1}
      late: {n: 6, season: 2, worth: 2}
      last_card: {n: 1, season: 2, worth: 0}
"""

def test_sampled_cards_keep_their_backs_and_the_invariants(tmp_path):
    (tmp_path / "game.yaml").write_text(SEASONS, encoding="utf-8")
    (tmp_path / "seasons.rules").write_text(
        "state deck: pile of Card hidden\n"
        "state hand[Player]: set of Card seen by player\n\n"
        "phase game:\n"
        "    deck = [last_card] + list(card in Card where card.season == 2 and card != last_card)\n"
        "    deck += list(card in Card where card.season == 1)\n"
        "    for player in Player: draw 4 from deck to hand[player]\n"
        "    choose card in hand[player_1] by player_1 or stop\n\n"
        "always nobody_has_the_last_card: all(player in Player: last_card not in hand[player])\n"
        "standing player: size(hand[player])\n",
        encoding="utf-8",
    )
    position = Game(load_ruleset(tmp_path)).start(1)
    seasons = position.game.model.enums["Card"].values["season"]
    backs = [seasons[card] for card in position.raw_value("deck")]
    assert backs == [2] * 5 and sorted(seasons[n] for n in range(13) if position.raw_value("hand", 1) >> n & 1) == [1, 1, 2, 2]
    decks, hands = set(), set()
    for n in range(60):
        imagined = determinize_position(position, 0, random.Random(n))
        assert [seasons[card] for card in imagined.raw_value("deck")] == backs
        assert observe(imagined, 0) == observe(position, 0)
        assert imagined.broken_invariants() == []
        decks.add(imagined.raw_value("deck"))
        hands.add(imagined.raw_value("hand", 1))
    assert len(decks) > 10 and len(hands) > 10
