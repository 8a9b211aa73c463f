"""Checks previews that involve hidden but merely moved cards, values that everybody can compute, and effects that are over for this
turn."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.bots.search_tree import OptionStats
from ludoglot.engine.position.options import DECLINE
from ludoglot.engine.preview.bot_advice import pick_best
from ludoglot.engine.preview.continuations import find_action_ends
from ludoglot.engine.preview.lookahead import Lookahead
from ludoglot.engine.preview.preview_budget import PreviewBudget
from ludoglot.engine.preview.preview_change import Certainty
from ludoglot.engine.preview.preview_texts import OptionPreviews
from ludoglot.engine.preview.tracked_values import ValueChange
from ludoglot.engine.terminal.preview_lines import chosen_thing_lines
from ludoglot.engine.terminal.question import DecisionPrompt

from .preview_builders import preview_of_texts, text_change
from .terminal_harness import HUMAN, Desk
from .test_reasons import set_up


def find_decision(name: str, players: int, seed: int, key: str, fits=lambda position: True, lang: str = "en"):
    """Returns the first decision of a kind in a random game, in a position that fits, and its narrator."""
    desk = Desk(name, ["bot:random"] * players, seed=seed, lang=lang)
    position, rng = desk.table.position, random.Random(seed)
    while position.decision.key != key or not fits(position):
        position.play(position.decision.seat, rng.choice(position.decision.options))
    return position.decision, desk.session.narrator


def preview_lines(*where) -> dict[str, str]:
    """Returns the preview line of each option of a decision from `asked`."""
    hints = OptionPreviews(*find_decision(*where))
    found, _ = hints.preview_all()
    return {str(hints.decision.option(code)): hint.line for code, hint in found.items()}


@pytest.mark.long
def test_attack_preview_reports_points_and_feeding():
    """Only the owner knows the card of a killed animal, and it goes to a hidden pile. This does not stop the preview."""
    found = preview_lines("evolution", 3, 1, "hunt.prey")
    assert {"animal 3 is fed", "Player 2 loses 2 points", "animal 4 is gone"} <= set(re.split("[,;] ", found["prey=card_10"]))


@pytest.mark.long
def test_taken_element_previews_the_new_dominance():
    """Everybody can compute the contents of the bag."""
    found = preview_lines("dominant-species", 3, 3, "effect[metamorphosis].taken")
    assert found["taken=sun"] == "the amphibian dominates e6; nobody dominates g2"


@pytest.mark.long
def test_finished_wasteland_is_not_previewed():
    def frozen(position):
        return any(position.raw_value("tray", 4, n) for n in range(6))
    found = preview_lines("dominant-species", 3, 3, "perform[glaciation].tile", frozen)
    assert found and not any("Wasteland will" in line or "left on the tundra" in line for line in found.values())


@pytest.mark.long
def test_try_shows_table_changes_if_no_event_is_reported():
    def answer(screen):
        question = desk.session.question
        births = [one for one in question.choices if one.option.spelling.startswith("breed")]
        if any("> try" in line for line in screen.lines) or len(desk.screens) > 20:
            return None
        return f"try {births[0].token}" if births else question.choices[0].token
    desk = Desk("trias", [HUMAN, "bot:random"], answer, seed=2)
    desk.run()
    told = desk.text.partition("> try")[2]
    assert "that can be predicted" not in told and "-> " in told


@pytest.mark.long
def test_try_shows_the_next_question_and_common_table_changes():
    """A trait card leaves the hand, whichever animal gets the trait. The next question was once missing, because others may not know the
    card."""
    desk = Desk("evolution", [HUMAN, "bot:greedy"], seed=1)

    def answer(screen):
        question = desk.session.question
        several = len(desk.table.position["herd"]["player_1"]) > 1
        traits = [one for one in question.choices if one.option.entry == "trait" and several and not one.text.endswith("Communication")]
        if any("> try" in line for line in screen.lines) or len(desk.screens) > 9:
            return None
        return f"try {traits[0].token}" if traits else question.choices[0].token
    desk.script.answer = answer
    desk.run()
    told = desk.text.partition("> try")[2]
    assert "Next question for you: " in told and "which animal gets the trait" in " ".join(told.split())
    assert "  Hand: " in told and "Hand 3 -> 2" in told


def test_option_matches_the_table_label_of_its_thing():
    """In the Hungarian text of the option, the name of the owner comes first."""
    question = DecisionPrompt(*find_decision("evolution", 3, 1, "hunt.prey", lang="hu"))
    assert [one.option.spelling for one in question.match_answer("4. állat")] == ["prey=card_10"]
    assert not question.is_inner_match("4. állat")


def test_advice_prefers_the_greater_lead_among_winning_options():
    most, more, seldom = (
        OptionStats(1, 90, 90, 1.0, 20.0, False),
        OptionStats(2, 60, 60, 1.0, 35.0, False),
        OptionStats(3, 2, 2, 1.0, 90.0, False),
    )
    assert pick_best([most, more, seldom]) is more
    assert pick_best([most, OptionStats(4, 60, 60, 0.8, 50.0, False)]) is most


def test_own_effects_are_listed_first():
    """For an attack on another player's animal, the gains of the hunter come before the losses of the other player."""
    found = preview_lines("evolution", 3, 1, "hunt.prey")["prey=card_10"].split("; ")
    assert found.index("animal 3 is fed") < found.index("Player 2 loses 2 points")


@pytest.mark.long
def test_try_shows_the_printed_attributes_of_a_space():
    """For a space of the action display, the preview shows its element and the text of its action."""
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], typed=["try speciation 4"], seed=3)
    desk.run()
    told = " ".join(desk.text.partition("> try speciation 4")[2].split())
    assert "Action: Speciation Element: water Choose a disc on the earth of the kind printed on the space." in told


def test_try_shows_the_neighbours_of_a_corner():
    decision, narrator = find_decision("dominant-species", 3, 3, "perform[speciation].corner")
    desk = Desk("dominant-species", ["bot:random"] * 3, seed=3)
    desk.table.position = decision.position
    lines = chosen_thing_lines(desk.session, DecisionPrompt(decision, narrator).choices[0])
    corner = DecisionPrompt(decision, narrator).choices[0].text
    assert lines[0].startswith("  Neighbours: ") and corner.partition(".")[0] in lines[0]


@pytest.mark.long
def test_own_loss_is_previewed_despite_a_hidden_card():
    """A parasite that another player played dies with the animal. It goes to the pile of the animal's owner, who may look at it."""
    def at_risk(position):
        return (
            position.decision.seat == 0
            and position.rounds == 1
            and any(
                "animal 2 of Player 1 dies" in part
                for hint in OptionPreviews(position.decision, narrator).preview_all(requested=True)[0].values()
                for part in hint.all_texts
            )
        )
    narrator = find_decision("evolution", 3, 3, "go.go")[1]
    decision, _ = find_decision("evolution", 3, 3, "go.go", at_risk)
    hints = OptionPreviews(decision, narrator).preview_all(requested=True)[0]
    line = next(hint.line for code, hint in hints.items() if decision.option(code).declines)
    assert "animal 2 of Player 1 dies" in line and "Player 1 loses 11 points" in line


def test_corner_options_name_their_disc():
    """If one of the discs around a tile is to stay, each option names its disc."""
    desk = Desk("dominant-species", [HUMAN, HUMAN], seed=3)
    position, narrator = desk.table.position, desk.session.narrator
    first = position.decision.position.s[:]
    for n, animal in enumerate(n for n in range(6) if position.raw_value("keeper", n) >= 0):
        position.s[:] = first
        position.game.run_procedure(position, "effect[blight]", [animal, 0])
        position.play(position.decision.seat, position.decision.options[n])
        elements = position.game.model.enums["Element"].members
        shown = [one for one in DecisionPrompt(position.decision, narrator).choices if one.option.values]
        assert len(shown) > 1
        for one in shown:
            [(_, _, corner)] = one.option.values
            assert one.text.endswith(f": {elements[position.raw_value('disc', corner)]}")


LINKED_ANIMALS = {
    "herd": {"player_1": ["card_1", "card_2", "card_3"], "player_2": ["card_6", "card_7"]},
    "owner": {"card_1": "player_1", "card_2": "player_1", "card_3": "player_1", "card_6": "player_2", "card_7": "player_2"},
    "shows": {"card_20": "carnivorous", "card_21": "cooperation", "card_22": "communication", "card_24": "running"},
    "one": {"card_21": "card_1", "card_22": "card_2"}, "two": {"card_21": "card_2", "card_22": "card_3"},
    "under": {"card_1": ["card_20", "card_21"], "card_2": ["card_21", "card_22"], "card_3": ["card_22"], "card_6": ["card_24"]},
    "base": 4,
}


def preview_procedure(run: str, *arguments: int) -> tuple[dict[str, str], str]:
    """Returns the preview line of each option of the first decision of a procedure, and its question."""
    desk = Desk("evolution", [HUMAN, "bot:random"], seed=1)
    position = set_up(desk.table.position.game, run, LINKED_ANIMALS, *arguments)
    hints = OptionPreviews(position.decision, desk.session.narrator)
    said = {str(hints.decision.option(code)): hint.line for code, hint in hints.preview_all()[0].items()}
    return said, desk.session.narrator.question_text(position.decision)


def test_feeding_previews_the_food_of_linked_animals():
    """EVO-PAIR: an animal may pass on the food it takes with each trait that it shares."""
    found, _ = preview_procedure("go", 0)
    assert found["take animal=card_3"] == "animal 3 is fed; Communication may bring animal 2 red food"
    assert found["take animal=card_2"].endswith(
        "Cooperation may bring animal 1 blue food; Communication may bring animal 3 red food")
    assert found["hunt hunter=card_1"].startswith("gains up to 2 blue food tokens")


def test_brief_preview_omits_the_next_decision_first():
    hint = preview_of_texts("animal 3 is fed", text_change("somebody may feed", kind="next"))
    assert (hint.line, hint.brief.line) == ("animal 3 is fed; somebody may feed", "animal 3 is fed …")
    assert preview_of_texts(*hint.certain[1:]).brief.line == ""


def test_attack_preview_includes_a_possible_defence():
    """The preview names the possible defence. After the condition that nobody defends, it shows the final gains and losses of both
    players."""
    found, _ = preview_procedure("hunt", 0, 0)
    before, _, behind = found["prey=card_6"].partition("; if nobody else does anything: ")
    assert before == "Player 2 may let animal 6 run away (with 4 or more on the die)"
    assert behind == ("animal 1 eats animal 6 of Player 2; Player 2 loses 3 points; animal 6 is gone; animal 1 is fed; "
                      "Cooperation may bring animal 2 blue food")
    assert found["prey=card_7"] == ("animal 1 eats animal 7 of Player 2; Player 2 loses 2 points; animal 7 is gone; "
                                    "Cooperation may bring animal 2 blue food; in any case: animal 1 is fed")


@pytest.mark.long
def test_temporary_change_during_an_attack_is_not_previewed(monkeypatch):
    """Food comes in two tokens, and after the first one a link may feed another animal.

    Without time to look at all continuations, the preview does not report the temporary need of an animal."""
    monkeypatch.setattr(PreviewBudget, "CONTINUATIONS", 0)
    desk = Desk("evolution", [HUMAN, "bot:random"], seed=1)
    hungry = LINKED_ANIMALS | {"shows": LINKED_ANIMALS["shows"] | {"card_23": "parasite", "card_25": "high_body_weight"},
                               "under": LINKED_ANIMALS["under"] | {"card_1": ["card_20", "card_21", "card_23", "card_25"], "card_6": []}}
    position = set_up(desk.table.position.game, "go", hungry, 0)
    hints = OptionPreviews(position.decision, desk.session.narrator)
    said = {str(hints.decision.option(code)): hint.line for code, hint in hints.preview_all()[0].items()}
    assert "animal 1 still needs" in said["take animal=card_1"]
    assert said["hunt hunter=card_1"].startswith("gains up to 2 blue food tokens") and "still needs" not in said["hunt hunter=card_1"]


def test_lost_ownership_is_previewed_but_zero_amounts_are_not():
    """A danger that is gone needs no report. A player who dominates nothing any more has lost it."""
    decision, narrator = find_decision("dominant-species", 3, 1, "perform[abundance].element")
    hints = OptionPreviews(decision, narrator)
    lost = {}
    for n, value in enumerate(hints.tracked.values):
        about = tuple((domain, 0) for domain in value.domains)
        lost[value.name] = hints.value_change(
            ValueChange((n, ()), value.name, about, value.type, 2, {"dominant": -1}.get(value.name, 0)), True
        )
    assert lost["dominant"].text(narrator.words) == "nobody dominates a1" and lost["doomed"] is None


def test_end_of_the_game_is_previewed_last():
    hint = preview_of_texts(text_change("animal 3 dies", cause="Extinction"), text_change("Anna wins.", kind="end"))
    assert hint.line == "Extinction: animal 3 dies; Anna wins" and hint.all_texts == ("Extinction: animal 3 dies", "Anna wins")


def test_clauses_are_joined_with_semicolons():
    assert preview_of_texts("hearts are broken: they may be led", "Anna takes the trick, which costs 1 point").line == (
        "hearts are broken: they may be led; Anna takes the trick, which costs 1 point")
    assert preview_of_texts("the ant dies", text_change("nobody wins", kind="end")).line == "the ant dies; nobody wins"
    assert preview_of_texts("the ant dies", text_change("it rains", cause="Night"), text_change("Anna wins", kind="end")).line == (
        "the ant dies; Night: it rains; Anna wins")


@pytest.mark.long
def test_question_text_depends_on_its_subject():
    """A trait that joins two animals gives them different roles only if it is Symbiosis."""
    model = Desk("evolution", [HUMAN, "bot:random"]).table.position.game.model
    faces, traits = model.enums["Face"].members, model.enums["Trait"].members
    _, pair = preview_procedure("link", 0, faces.index("cooperation_fat_card"), traits.index("cooperation"))
    _, symbiosis = preview_procedure("link", 0, faces.index("symbiosis_card"), traits.index("symbiosis"))
    assert pair.startswith("Player 1, which two of your animals does Cooperation join?")
    assert symbiosis.startswith("Player 1, Symbiosis joins two of your animals. Which one is the symbiont? It protects the other")


def test_question_text_depends_on_a_computed_value():
    """CRI-DEAL-03: the crib counts for the dealer, whose question says “your crib”."""
    for deals, said in ((True, "do you put in your crib?"), (False, "do you put in the crib? It counts for Player")):
        decision, narrator = find_decision("cribbage", 2, 3, "put_aside.cards", lambda position, deals=deals: (
            position.raw_value("dealer") == position.decision.seat) == deals)
        assert said in narrator.question_text(decision)


@pytest.mark.long
def test_try_ends_with_the_next_question():
    """`try` shows the changed table in addition to the events and the arrow. It once showed less for an option with an arrow."""
    def answer(screen):
        question = desk.session.question
        if tried or len(desk.screens) > 40:
            return None
        if question.decision.key != "drift.origin":
            return question.choices[0].token
        tried.append(question.choices[0].text)
        return f"try {question.choices[0].token}"
    tried: list[str] = []
    desk = Desk("trias", [HUMAN, "bot:random"], answer, seed=2)
    desk.run()
    told = desk.text.partition("> try")[2]
    assert "Next question for you: Player 1, where does the tile from " in told


def test_next_question_with_hidden_names_is_not_shown():
    hints = OptionPreviews(*find_decision("evolution", 3, 1, "hunt.prey"))
    for code in hints.decision.codes:
        ahead = hints.foresight.preview(code)
        said = hints.find_question(ahead)
        assert said is None or (ahead.sure and "⟦" not in said and "Cover" not in said)


def is_symbiosis_choice(position) -> bool:
    """Whether the two animals are chosen for Symbiosis."""
    traits = position.game.model.enums["Trait"].members
    symbiosis = traits.index("symbiosis")
    return any(variable.name == "trait" and position.s[variable.slot] == symbiosis for variable in position.live_variables())


@pytest.mark.long
def test_symbiosis_preview_names_protection_and_feeding_order():
    """EVO-TR-SYMBIOSIS-01, 02: an old preview of this trait mentioned only a point."""
    found = preview_lines("evolution", 3, 2, "link.other", is_symbiosis_choice)
    position = find_decision("evolution", 3, 2, "link.other", is_symbiosis_choice)[0].position
    card = position.game.model.enums["Card"].index
    assert found and all(
        f"animal {position.piece_number('Card', card[spelled.removeprefix('other=')])} is protected, but cannot eat before its "
        "symbiont is fed" in line
        for spelled, line in found.items()
    )


@pytest.mark.long
def test_feeding_a_symbiont_previews_that_its_partner_may_eat():
    """EVO-TR-SYMBIOSIS-02: the animal could not be fed before, but can be fed in the next go."""
    desk = Desk("evolution", [HUMAN] * 3, seed=1)
    position, narrator, rng = desk.table.position, desk.session.narrator, random.Random(1)

    def fed(position):
        return {str(position.piece_number("Card", option.values[0][2])) for option in position.decision.options if option.entry == "take"}
    found = None
    while found is None:
        decision = position.decision
        hints = OptionPreviews(decision, narrator).preview_all()[0] if decision.key == "go.go" else {}
        found = next(((code, said) for code, hint in hints.items() for said in hint.certain_texts if said.endswith("may eat now")), None)
        if found is None:
            position.play(decision.seat, rng.choice(decision.options))
    code, said = found
    seat, number = position.decision.seat, said.split()[1]
    assert number not in fed(position)
    position.step(code)
    while position.decision.seat != seat or position.decision.key != "go.go" or not fed(position):
        position.step(DECLINE)
    assert number in fed(position)


@pytest.mark.long
def test_card_preview_reports_lost_elements():
    """DS-CRD-DIS-01, DS-CRD-IMM-01: the previews of these two cards once showed nothing, unlike that of Biomass."""
    def offers(position):
        return any("immigrants" in str(option) for option in position.decision.options)
    found = preview_lines("dominant-species", 3, 1, "perform[domination].card", offers)
    assert "loses elements, pawns, or species" in found["card=immigrants"]


@pytest.mark.long
def test_preview_names_the_only_possible_partner():
    """EVO-PAIR-01: if only one other animal can be the second, the game does not ask for it. The preview of the first must name it."""
    desk = Desk("evolution", [HUMAN] * 3, seed=1)
    position, rng, told = desk.table.position, random.Random(1), 0
    while told < 3:
        decision = position.decision
        hints = OptionPreviews(decision, desk.session.narrator).preview_all()[0] if decision.key == "link.this" else {}
        for code, hint in hints.items():
            for number in (text.rpartition(" ")[2] for text in hint.certain_texts if text.startswith("joined with animal")):
                after = position.copy()
                after.step(code)
                others = [option.values[0][2] for option in after.decision.options] if after.decision.key == "link.other" else []
                assert [str(after.piece_number("Card", n)) for n in others] in ([], [number]), "only one partner must be possible"
                told += 1
        position.step(rng.choice(list(decision.codes)))


@pytest.mark.long
def test_requested_preview_looks_further_ahead():
    """The player chooses one of two dozen tiles that may drift, each with many possible places."""
    def wide(position):
        return len(position.decision) > 20
    decision, narrator = find_decision("trias", 3, 2, "drift.origin", wide)
    haste, patience = OptionPreviews(decision, narrator), OptionPreviews(decision, narrator)
    assert haste.cut is False and not any(hint.all_texts for hint in haste.preview_all()[0].values()) and haste.cut
    assert any("afloat" in hint.line for hint in patience.preview_all(requested=True)[0].values()) and not patience.cut


@pytest.mark.long
def test_preview_covers_the_action_despite_later_hidden_events():
    """A tile drifts for the last action points. Then cards are drawn, and other players choose one in secret."""
    def last(position):
        seen = Lookahead(position.decision)
        lifted = seen.preview(position.decision.codes[0])
        return lifted.decision is not None and not seen.extend(lifted, lifted.decision.codes[0]).sure
    decision, narrator = find_decision("trias", 2, 4, "drift.origin", last)
    hints = OptionPreviews(decision, narrator)
    lifted = hints.foresight.preview(decision.codes[0])
    found = find_action_ends(hints.foresight, lifted)
    assert len(found) == len(lifted.decision) and all(worlds for _, worlds in found)
    gains = {one for code in decision.codes for one in hints.preview(code).conditional if one.certainty is Certainty.UP_TO}
    assert any("if the continents were counted now" in one.text(narrator.words) for one in gains)


@pytest.mark.long
def test_preview_lists_alternative_outcomes():
    """A parasite gives 3 points to the owner of the animal that gets it. No single player gets them “in any case”."""
    def may_lay_it(position):
        others = all(position.raw_value("herd", player) for player in (1, 2))
        return others and position.decision.seat == 0 and any("trait=parasite" in one.spelling for one in position.decision.options)
    decision, narrator = find_decision("evolution", 3, 5, "develop.card", may_lay_it)
    lines = {decision.option(code).spelling: hint.line for code, hint in OptionPreviews(decision, narrator).preview_all()[0].items()}
    line = next(line for spelt, line in lines.items() if "trait=parasite" in spelt)
    assert re.search(r"depending on your next choice: Player (2|3) gains 3 points or Player (2|3) gains 3 points", line)
    under = line[: line.index("depending on your next choice")]
    assert " or " not in under and "in any case" not in line.partition("depending on your next choice")[2]


@pytest.mark.long
def test_list_and_try_agree_about_hungry_animals():
    """A carnivore is fed by its prey. The list once showed that it still needs food, and `try` did not."""
    desk, rng, told = Desk("evolution", [HUMAN] * 3, seed=5), random.Random(5), 0
    position = desk.table.position
    while (decision := position.decision) is not None:
        hunting = [option.code for option in decision.options if option.entry == "hunt"]
        listed = OptionPreviews(decision, desk.session.narrator).preview_all()[0] if hunting else {}
        for code in hunting if listed else ():
            tried = OptionPreviews(decision, desk.session.narrator).preview(code)
            texts = [one.text(desk.session.narrator.words) for one in listed[code].changes]
            assert [text for text in texts if "still needs" in text and text not in tried.line] == []
            told += 1
        position.step(rng.choice([code for code in decision.codes if not decision.option(code).declines] or list(decision.codes)))
    assert told


def test_effects_of_every_option_are_listed_separately():
    """A scavenger is fed with the second token, whichever animal gets food with the first."""
    under = {"card_1": ["card_20", "card_21", "card_25"], "card_3": ["card_22", "card_23"], "card_6": []}
    shows = {"card_23": "scavenger", "card_25": "high_body_weight"}
    scavenging = LINKED_ANIMALS | {"shows": LINKED_ANIMALS["shows"] | shows, "under": LINKED_ANIMALS["under"] | under}
    desk = Desk("evolution", [HUMAN, "bot:random"], seed=1)
    position = set_up(desk.table.position.game, "go", scavenging, 0)
    for wanted in ("hunt hunter=card_1", "prey=card_6"):
        position.play(0, next(option for option in position.decision.options if option.spelling == wanted))
    assert position.decision.key == "feed.link"
    hints, always = OptionPreviews(position.decision, desk.session.narrator).preview_all()
    at_once = [one.text(desk.session.narrator.words) for one in always if one.is_immediate]
    assert "animal 3 is fed" in at_once and not any("animal 3 is fed" in hint.line for hint in hints.values())


def test_animal_with_a_symbiosis_does_not_lose_its_last_shared_trait():
    """Animal 3 shares Communication with animal 2, which is eaten, and a Symbiosis with animal 1."""
    under = {"card_1": ["card_20", "card_21", "card_23"], "card_3": ["card_22", "card_23"]}
    bound = {"shows": {"card_23": "symbiosis"}, "one": {"card_23": "card_1"}, "two": {"card_23": "card_3"}, "under": under}
    given = {name: LINKED_ANIMALS[name] | bound[name] if name in bound else entry for name, entry in LINKED_ANIMALS.items()}
    desk = Desk("evolution", [HUMAN, "bot:random"], seed=1)
    hints = OptionPreviews(set_up(desk.table.position.game, "hunt", given, 0, 0).decision, desk.session.narrator)
    lines = {hints.decision.option(code).spelling: hint.line for code, hint in hints.preview_all()[0].items()}
    assert "animal 3 loses a shared trait" in lines["prey=card_2"] and "last" not in lines["prey=card_2"]


@pytest.mark.long
def test_options_command_looks_further_ahead_and_is_suggested():
    def wide(screen):
        question = desk.session.question
        if question.decision.key == "drift.origin" and len(question.choices) > 20:
            return None if any("> options" in line for line in screen.lines) else "options"
        return question.choices[0].token if len(desk.screens) < 200 else None
    desk = Desk("trias", [HUMAN, "bot:random", "bot:random"], wide, seed=2)
    desk.run()
    before, _, after = desk.text.rpartition("> options")
    assert "Type “options” to look further ahead." in before.rpartition("Your choice>")[2]
    assert "afloat" in after


@pytest.mark.long
def test_preview_covers_all_players_asked_in_turn():
    """Disease asks one animal after the other, whatever those before it give up."""
    def richer(position):
        """Gives all other animals elements of two kinds, and more of them."""
        for animal in range(6):
            keeper = position.raw_value("keeper", animal)
            if keeper not in (-1, position.decision.seat):
                position.set_raw(position.game.cells["added"], [animal], (2, 2, 0, 0, 0, 0))
    assert preview_card("disease", richer).count("loses an element") == 2


@pytest.mark.long
def test_later_actions_of_others_are_not_effects_of_a_card():
    """This card changes nothing. The next action belongs to other players, and is not a response to it."""
    assert "if nobody else" not in preview_card("niche_biomes")


def preview_card(card: str, change=lambda position: None) -> str:
    """Returns the preview of a Dominance card, in the first random game in which it may be chosen after Domination."""
    for seed in range(1, 40):
        desk, rng = Desk("dominant-species", ["bot:random"] * 3, seed=seed), random.Random(seed)
        position = desk.table.position
        for _ in range(400):
            if position.decision is None:
                break
            chosen = [o for o in position.decision.options if o.spelling == f"card={card}"]
            if chosen and position.decision.key == "perform[domination].card":
                change(position)
                return OptionPreviews(position.decision, desk.session.narrator).preview_all()[0][chosen[0].code].line
            position.play(position.decision.seat, rng.choice(position.decision.options))
    raise AssertionError("no such card came up")


@pytest.mark.long
@pytest.mark.parametrize("lang, loses", [("en", "may lose a species"), ("it", "può perdere una specie"), ("es", "puede perder una especie"),
                                         ("hu", "veszíthet egy fajt")])
def test_biomass_preview_names_all_species_at_risk(lang, loses):
    """DS-CRD-BMS-01: each tile with more species than discs loses one of the chooser's choice. The preview once showed only the own
    loss."""
    desk, rng = Desk("dominant-species", [HUMAN] * 3, lang=lang, seed=15), random.Random(15)
    position, chosen = desk.table.position, []
    while not chosen:
        position.play(position.decision.seat, rng.choice(position.decision.options))
        if position.decision.key == "perform[domination].card":
            chosen = [option for option in position.decision.options if option.spelling == "card=biomass"]
    line = OptionPreviews(position.decision, desk.session.narrator).preview_all()[0][chosen[0].code].line
    after = position.copy()
    after.play(after.decision.seat, chosen[0])
    while len(after.decision.options) == 1:
        after.play(after.decision.seat, after.decision.options[0])
    assert after.decision.key == "effect[biomass].victim" and line.count(loses) == len(after.decision.options) > 1, line
