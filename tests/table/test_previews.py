"""Checks previews of options: they are correct, every player who asks sees them, and they can be switched off."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Position
from ludoglot.engine.preview.continuations import active_calls, find_action_ends
from ludoglot.engine.preview.lookahead import Lookahead, LookaheadResult
from ludoglot.engine.preview.preview_budget import PreviewBudget
from ludoglot.engine.preview.preview_change import Certainty
from ludoglot.engine.preview.preview_texts import OptionPreviews
from ludoglot.engine.preview.preview_transcript import preview_items
from ludoglot.engine.preview.tracked_values import TrackedValues
from ludoglot.engine.table_view.theme import TrackedValueSpec

from .terminal_harness import HUMAN, Desk
from .test_display import narrator

GAMES = [("dominant-species", 3), ("dominant-species", 4), ("evolution", 3), ("trias", 3), ("trias", 2), ("hex", 2), ("connect-four", 2),
         ("breakthrough", 2), ("tic-tac-toe", 2), ("masquerade", 3), ("parry", 2), ("food-chain", 2), ("flower-stall", 2), ("drift", 2),
         ("scopa", 2), ("snapszer", 2), ("brisca", 2)]
LARGER_GAMES = {"catan": 3, "hearts": 4, "mus": 4, "scopone": 4, "ulti": 3}
OTHER_GAMES = [(name, 2) for name in list_game_ids() if name not in dict(GAMES) | LARGER_GAMES] + [*LARGER_GAMES.items()]
STEP_LIMITS = {"dominant-species": 500, "evolution": 250, "trias": 150}
GAMES_WITHOUT_CERTAINTY = ("hanabi", "parry")  # each answer here depends on a hidden hand
OPTIONS_PER_DECISION = 2             # options of each decision that are played out


def play_like_preview(position: Position, code: int, foresight: Lookahead) -> tuple[list, Position, LookaheadResult]:
    """Plays an option up to the next real decision. Returns the events, the position, and the lookahead without hidden information.

    If chance or something hidden stopped the preview, this function takes no more decisions than the preview."""
    after, ahead = position.copy(), foresight.preview(code)
    told = after.play(position.s[1], after.decision.option(code))
    taken = 1
    while foresight.is_forced(after) and (ahead.sure or taken < len(ahead.path)):
        taken += 1
        told += after.play(after.decision.seat, after.decision.options[0])
    seen = Lookahead(position.decision)
    seen.start = position.copy()
    return told, after, seen.preview(code)


@pytest.mark.long_cases("masquerade-3", "scopa-2", "snapszer-2", *(f"{name}-{players}" for name, players in OTHER_GAMES))
@pytest.mark.heavy_long
@pytest.mark.parametrize("name, players", GAMES + OTHER_GAMES)
def test_previewed_effects_happen(game, name, players):
    """In random games, the predicted events, changes, and next decisions match the real ones."""
    played_game = game(name, players)
    narrator = Narrator(played_game, game_localizer("en", name, played_game.ruleset.folder, {}))
    rng = random.Random(5)
    position = played_game.start(5)
    asked = surely = 0
    for _ in range(STEP_LIMITS.get(name, 80)):
        decision = position.decision
        if decision is None:
            break
        asked += 1
        hints = OptionPreviews(decision, narrator)
        for code in rng.sample(list(decision.codes), min(OPTIONS_PER_DECISION, len(decision))):
            ahead = hints.foresight.preview(code)
            told, after, seen = play_like_preview(position, code, hints.foresight)
            heard = [event for event in told if not event.secret and event.key != "chance"]
            assert heard[: len(ahead.events)] == ahead.events
            now = TrackedValues([value.name for value in hints.tracked.values], after, decision.seat).before
            stages, really = hints.list_stages(ahead), hints.list_stages(seen)
            *parted, last = hints.tracked.list_changes(ahead, [stage for _, stage in stages[:-1]])
            assert [part for part, _ in stages] == [part for part, _ in really][: len(stages)]
            for found, (part, stage) in zip(parted, really):
                then = TrackedValues([value.name for value in hints.tracked.values], stage, decision.seat).before
                for change in found:
                    assert then[change.place] == change.new, f"{name}: {decision.option(code)}: {part}: {change}"
            for change in last:
                assert now[change.place] == change.new, f"{name}: {decision.option(code)}: {change}"
            if ahead.sure:
                surely += 1
                assert len(heard) == len(ahead.events) and after.over == ahead.over
                assert after.over or (after.decision.key, after.decision.seat) == (ahead.decision.key, ahead.decision.seat)
        position.play(decision.seat, rng.choice(decision.options))
    assert surely > 0 or name in GAMES_WITHOUT_CERTAINTY or not asked                  # some toys ask nothing without a set-up by a test


def find_previews(
    game, name: str, players: int, seed: int, key: str, fits: Callable[[Position], bool] = bool
) -> tuple[OptionPreviews, dict]:
    """Returns the hints of the first decision of a kind in a random game, in a position that fits."""
    made = game(name, players)
    rng, position = random.Random(seed), made.start(seed)
    while position.decision.key != key or not fits(position):
        position.play(position.decision.seat, rng.choice(position.decision.options))
    texts = {key: text for key, (text, _) in made.model.texts.items()}
    hints = OptionPreviews(position.decision, Narrator(made, game_localizer("en", name, made.ruleset.folder, texts)))
    found, _ = hints.preview_all()
    return hints, {str(hints.decision.option(code)): hint for code, hint in found.items()}


def play_to_action_end(position: Position, code: int, rng: random.Random) -> Position | None:
    """Returns the position where the current action ends, after an option and random choices of the same player, with nothing hidden.

    Returns None if another player decides before that, except the same decision in turn."""
    decision = position.decision
    seen = Lookahead(decision)
    seen.start = position.copy()
    waiting, so_far = active_calls(position), seen.preview(code)
    while (left := seen.find_exit_position(so_far)) is None:
        now = so_far.decision
        if now is None or active_calls(so_far.after)[: len(waiting)] != waiting or seen.is_repeat(so_far):
            return so_far.after if now is not None or so_far.over else None
        if now.seat != decision.seat:
            return so_far.after if now.key == decision.key else None
        so_far = seen.extend(so_far, rng.choice(list(now.codes)))
    return left


@pytest.mark.heavy_long
@pytest.mark.parametrize("name, players", [("dominant-species", 3), ("trias", 3), ("evolution", 3), ("drift", 2)])
def test_conditional_bounds_hold_for_any_own_choice(game, name, players):
    """Checks the certain, minimum, and maximum values of a preview over random continuations of the same player."""
    played_game = game(name, players)
    narrator = Narrator(played_game, game_localizer("en", name, played_game.ruleset.folder, {}))
    surely, least, most = Certainty.IN_ANY_CASE, Certainty.AT_LEAST, Certainty.UP_TO
    rng = random.Random(8)
    position = played_game.start(8)
    claims = 0
    for n in range({"dominant-species": 500, "trias": 170, "evolution": 200}.get(name, 80)):
        decision = position.decision
        if decision is None:
            break
        hints = OptionPreviews(decision, narrator)
        for code, hint in hints.preview_all(requested=True)[0].items() if n % 3 == 0 else ():
            claimed = any(one.certainty in (surely, least, most) for one in hint.conditional)
            hints.budget.allow(10**6)
            if not claimed or not find_action_ends(hints.foresight, hints.foresight.preview(code)):
                continue
            end = play_to_action_end(position, code, rng)
            assert end is not None
            now = TrackedValues([value.name for value in hints.tracked.values], end, decision.seat).before
            for one in hint.conditional:
                change = one.value
                if change is None or change.place not in now or one.certainty not in (surely, least, most):
                    continue
                value, claims = now[change.place], claims + 1
                if one.certainty is surely:
                    assert value == change.new, one
                elif one.certainty is most or change.new < change.old:
                    assert value <= change.new, one
                else:
                    assert value >= change.new, one
        position.play(decision.seat, rng.choice(decision.options))
    assert claims > 0 or name in ("evolution", "drift")


@pytest.mark.long
def test_domination_preview_names_points_and_card(game):
    hints, found = find_previews(game, "dominant-species", 4, 1, "perform[domination].tile")
    told = {option: hint.line for option, hint in found.items()}
    assert told["tile=d2"] == "the amphibian gains 8 points; the insect gains 4 points; the amphibian takes a Dominance card"


@pytest.mark.long
def test_effects_of_later_phases_are_shown_once_under_their_phase(game):
    """At the last choice of a turn, each option shows its tile. Extinction and Survival come anyway, so they are shown once above."""
    def last_pawn(position):
        return not any(position["pawn"].values())
    hints, found = find_previews(game, "dominant-species", 3, 3, "perform[domination].tile", last_pawn)
    assert found["tile=d4"].line == "the arachnid gains 3 points" and found["decline"].line == ""
    _, always = hints.preview_all()
    assert [(change.certainty, change.cause, change.text(hints.narrator.words)) for change in always] == [
        (Certainty.BASELINE, "extinction", "the arachnid loses 1 species"),
        (Certainty.BASELINE, "extinction", "the insect loses 2 species"),
        (Certainty.BASELINE, "survival", "the insect gains 1 point")]


@pytest.mark.long
def test_effects_common_to_all_next_choices_are_previewed(game):
    """A new tile gives its bonus after its element and its corner are chosen. The owners of herds on a tile are known before it moves."""
    _, found = find_previews(game, "dominant-species", 3, 3, "perform[wanderlust].tile")
    assert all("point" in hint.line for hint in found.values())
    _, found = find_previews(game, "trias", 3, 3, "drift.origin")
    assert {option: hint.line for option, hint in found.items()} == {
        "origin=1,-3": "2 herds of Player 1 afloat", "origin=2,1": "", "origin=3,-2": ""}


@pytest.mark.long
def test_loss_is_previewed_instead_of_a_removed_danger(game):
    """A player who stops acting loses the herds in the water. The preview shows this loss, and not that the danger is over."""
    def drowning(position):
        swim = position.game.module.shown["afloat"][1]
        return position.raw_value("points") == 1 and swim(position.s, position.decision.seat) > 1
    _, found = find_previews(game, "trias", 3, 3, "act.action", drowning)
    assert found["decline"].line == "Player 3 loses 5 herds to the water"


@pytest.mark.long
def test_card_options_show_their_text(game):
    _, found = find_previews(game, "dominant-species", 4, 1, "perform[domination].card")
    assert all(hint.texts for hint in found.values())


@pytest.mark.long
def test_attack_preview_names_the_prey(game):
    _, found = find_previews(game, "evolution", 3, 1, "hunt.prey")
    assert any("eats animal" in hint.line for hint in found.values())


def test_winning_move_is_previewed():
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN], names=["Anna", "Béla"], typed=["a1", "b1", "a2", "b2"])
    desk.run()
    assert "a3  → Anna wins" in desk.screens[-1].text


def test_preview_uses_the_public_number_of_cards(game):
    """A card that takes the last card shows that this is a scopa.

    The very last card of a deal makes no scopa. Whether more cards follow depends on a hidden pile and a hidden hand."""
    made = game("scopa", 2)
    narrator = Narrator(made, game_localizer("en", "scopa", made.ruleset.folder, {}))
    rng, position, said = random.Random(1), made.start(1), set()
    for _ in range(400):
        decision = position.decision
        if decision is None:
            break
        if decision.key == "play.card" and position.raw_value("table").bit_count() == 1:
            said |= {hint.line for hint in OptionPreviews(decision, narrator).preview_all()[0].values() if hint.line}
        position.play(decision.seat, rng.choice(decision.options))
    assert any("takes" in line for line in said) and all("sweeps the table" in line for line in said if "takes the" in line), said


def test_try_shows_effects_without_deciding():
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN], names=["Anna", "Béla"], typed=["a1", "b1", "a2", "b2", "preview off", "try a3", "try c1"])
    desk.run()
    text = desk.text[desk.text.index("Previews are off"):]
    assert "→" not in text
    assert "  Anna wins" in text and "  c1: now Anna" in text
    assert len(desk.table.steps) == 4


@pytest.mark.long
def test_try_works_in_each_language():
    for lang, word, off, says in (("it", "prova", "consigli no", "vince Anna"), ("es", "prueba", "pistas no", "gana Anna"),
                                  ("hu", "próba", "tippek ki", "Anna nyer")):
        desk = Desk("tic-tac-toe", [HUMAN, HUMAN], lang=lang, names=["Anna", "Béla"], typed=["a1", "b1", "a2", "b2", off, f"{word} a3"])
        desk.run()
        assert f"  {says}" in desk.text[-300:]
        assert not desk.session.hinting


def test_expensive_previews_are_computed_on_request(game, monkeypatch):
    """The test counts steps instead of time, so the result is always the same."""
    position = game("connect-four").start(1)
    narrator = Narrator(game("connect-four"), game_localizer("en", "connect-four", game("connect-four").ruleset.folder, {}))
    hints = OptionPreviews(position.decision, narrator)
    assert len(hints.preview_all()[0]) == 7
    needed = hints.budget.spent
    monkeypatch.setattr(PreviewBudget, "EFFECTS", needed)
    assert len(OptionPreviews(position.decision, narrator).preview_all()[0]) == 7
    monkeypatch.setattr(PreviewBudget, "EFFECTS", needed - 1)
    short = OptionPreviews(position.decision, narrator)
    assert short.preview_all() == ({}, []) and short.preview(position.decision.codes[0]) == hints.preview(position.decision.codes[0])


def test_hunt_preview_does_not_depend_on_hidden_cards(game):
    """EVO-CARN-09, EVO-TR-POISON-01: the preview needs neither the faces of cards that go to another player's pile, nor their number
    there."""
    game, seen = game("evolution", 4), set()
    position, rng, traits = game.start(4), random.Random(4), game.model.enums["Trait"]
    while position.rounds < 3 and len(seen) < 2:
        decision = position.decision
        if decision.key == "hunt.prey":
            hints = OptionPreviews(decision, narrator(game))
            for option in decision.options:
                prey, said = option.values[-1][2], " ".join(hints.preview(option.code).all_texts)
                if "may defend" not in said:
                    number = position.piece_number("Card", prey)
                    cards = game.cells["under"].codec.parts(position.raw_value("under", prey))
                    under = [position.raw_value("shows", card) for card in cards]
                    stake = 2 + sum(1 + traits.values["points"][trait] for trait in under)
                    poisonous = traits.index["poisonous"] in under
                    assert f"loses {stake} point" in said and f"animal {number} is gone" in said, said
                    assert ("will die" in said) == poisonous, said
                    seen.add(poisonous)
        position.play(decision.seat, rng.choice([one for one in decision.options if not one.declines] or decision.options))
    assert seen == {True, False}


def test_tracked_value_applies_to_its_questions():
    """DS-EXE-WAS-02: Wasteland removes its discs before the ice of Glaciation comes."""
    assert TrackedValueSpec("fading", ("perform[abundance]",)).applies_to("perform[abundance].element")
    assert not TrackedValueSpec("fading", ("perform[abundance]",)).applies_to("perform[glaciation].tile")
    assert TrackedValueSpec("fading", ("perform",)).applies_to("perform[glaciation].tile") and TrackedValueSpec("fading").applies_to(
        "planning.space"
    )


@pytest.mark.long
def test_preview_reports_the_number_of_drawn_cards(game):
    """At the last decision of a round, the preview shows how many cards each player draws, and that the deck is then empty.

    Players without animals and cards draw six. The cards themselves stay hidden, and the game continues by chance."""
    made = game("evolution", 3)
    narrator = Narrator(made, game_localizer("en", "evolution", made.ruleset.folder, {}))
    said: set[str] = set()
    for seed in range(1, 4):
        rng, position = random.Random(seed), made.start(seed)
        while (decision := position.decision) is not None:
            if decision.key == "go.go":
                hints = OptionPreviews(decision, narrator)
                for option in decision.options[-2:]:
                    ahead = hints.foresight.preview(option.code)
                    drawn = [
                        (event.key, [raw for _, _, raw in event.slots]) for event in ahead.events if event.key in ("drew", "last_round")
                    ]
                    if drawn:
                        told, *_ = play_like_preview(position, option.code, hints.foresight)
                        assert drawn == [(event.key, [raw for _, _, raw in event.slots]) for event in told
                                         if event.key in ("drew", "last_round")]
                        assert ahead.luck
                        later = [one for one in hints.list_changes(ahead) if one.cause in ("new cards", "end of the round")]
                        said |= {one.text(narrator.words) for one in later}
            position.play(decision.seat, rng.choice(decision.options))
    assert "no more cards are dealt" in said and any("draws 6 cards" in text for text in said) and len(said) > 6


@pytest.mark.long
def test_previews_do_not_depend_on_earlier_previews(game):
    """Migration: a preview once left out the owner of a tile if an earlier option changed the same tile in another way."""
    made = game("dominant-species", 3)
    rng, position, compared = random.Random(1), made.start(1), 0
    while not compared:
        decision = position.decision
        if decision.key == "perform[migration].n":
            compared += 1
            hints = OptionPreviews(decision, narrator(made))
            for code in decision.codes:
                preview_items(hints, hints.foresight.preview(code), hints.preview(code).certain)
                assert hints.preview(code) == OptionPreviews(decision, narrator(made)).preview(code), decision.option(code)
        position.play(decision.seat, rng.choice(decision.options))
