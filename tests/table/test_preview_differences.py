"""Checks that previews report the changes of the option itself.

They are the same for few options and for many, and leave out changes that every option brings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.i18n.template import lowercase_first
from ludoglot.engine.preview.option_preview import common_lines
from ludoglot.engine.preview.preview_change import Certainty
from ludoglot.engine.terminal.preview_lines import compute_previews, make_previews
from ludoglot.engine.terminal.question import DecisionPrompt

from .preview_builders import preview_of_texts, text_change
from .terminal_harness import HUMAN, Desk, iter_questions


@pytest.mark.long
def test_many_options_are_previewed_like_few():
    """Wanderlust: at each place, the points of a new tile depend on the tiles next to it."""
    many, told = set(), 0
    for seed in range(1, 5):
        for _, question in iter_questions("dominant-species", 3, seed, 150, "perform[wanderlust].tile"):
            many.add(len(question.choices) > 12)
            hints = [question.hints.get(one.option.code) for one in question.choices]
            assert all(hint is not None for hint in hints), len(hints)
            told += len(hints) > 12 and (bool(question.always) or any(hint.all_texts for hint in hints))
    assert many == {True, False} and told


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_conditional_effects_common_to_all_options_are_omitted(seed):
    """The points for survival and the species that die do not depend on the tile chosen for Domination."""
    seen = 0
    for desk, question in iter_questions("dominant-species", 3, seed, 200, "perform[domination].tile"):
        hints = make_previews(desk.session, question)
        ways = {}
        for one in question.choices:
            ahead = hints.foresight.preview(one.option.code)
            if hints.foresight.preview_declined(ahead) is not None:
                ways[one.option.code] = set(hints.preview_declined(ahead, [], True))
        for one in question.choices:
            for part in question.hints[one.option.code].conditional:
                answered = hints.depends_on_reply(one.option.code, hints.foresight.preview(one.option.code))
                if part.certainty is Certainty.IF_DECLINED and not answered:
                    assert any(part not in said for code, said in ways.items() if code != one.option.code), part
        seen += 1
    assert seen


@pytest.mark.long
@pytest.mark.parametrize("seed", [51, 52])
def test_the_end_of_a_turn_is_no_effect_of_giving_up(seed):
    """Tiles that lead to the choice of a card show nothing of Extinction and Survival. Giving up shows no more of them."""
    seen = 0
    for _, question in iter_questions("dominant-species", 3, seed, 260, "perform[domination].tile"):
        [giving_up] = [one.option.code for one in question.choices if one.option.declines] or [None]
        if giving_up is not None:
            later = [change for change in question.hints[giving_up].changes if change.cause or change.certainty is Certainty.IF_DECLINED]
            assert not later, [change.says for change in later]
            seen += any(change.certainty is Certainty.BASELINE for change in question.always)
    assert seen >= 5


@pytest.mark.parametrize("lang, said", [
    ("en", "If nobody does anything more: the insect gains 3 points; survival: the insect loses 1 species; Anna wins."),
    ("it", "Se nessuno fa altro: "), ("es", "Si nadie hace nada más: "), ("hu", "Ha senki sem tesz semmi mást: ")])
def test_automatic_changes_are_one_sentence(lang, said):
    parts = [text_change("the insect gains 3 points"), text_change("the insect loses 1 species", cause="survival"),
             text_change("Anna wins", kind="end")]
    [line] = common_lines([replace(one, certainty=Certainty.BASELINE) for one in parts], engine_localizer(lang))
    assert line.startswith(said) and (lang != "en" or line == said)


def cribbage_lines(lang):
    """Yields the preview lines of the last cards of a deal, after which the hands are counted."""
    desk, rng = Desk("cribbage", [HUMAN] * 2, lang=lang, seed=1), random.Random(1)
    for _ in range(60):
        decision = desk.table.position.decision
        desk.session.seat = decision.seat
        question = DecisionPrompt(decision, desk.session.narrator)
        compute_previews(desk.session, question)
        yield from (hint.line for hint in question.hints.values())
        desk.table.play(rng.choice(decision.options))


@pytest.mark.long
@pytest.mark.parametrize("lang, part", [("en", "show"), ("it", "conta delle mani"), ("es", "recuento"), ("hu", "számolás")])
def test_joined_parts_have_no_full_stop_and_no_capital(lang, part):
    lines = [line for line in cribbage_lines(lang) if "; " in line]
    assert any(f"; {part}: " in line for line in lines), lines
    assert not any(".;" in line for line in lines)


def test_shortened_line_has_no_full_stop_before_the_ellipsis():
    hint = preview_of_texts("Anna plays a card", "the count is 25", text_change("Anna scores no points.", cause="show"), more=True)
    assert hint.line == "Anna plays a card; the count is 25; show: Anna scores no points …"


def test_lowercase_first_keeps_other_capitals():
    assert [lowercase_first(name) for name in ("Extinction", "A forduló vége", "Új lapok", "IV. Ende", "DNA", "")] == [
        "extinction", "a forduló vége", "új lapok", "IV. Ende", "DNA", ""]


@pytest.mark.long
def test_losses_of_the_turn_are_not_told_as_effects_of_one_option():
    """Adaptation and Regression: the Wasteland comes later. Options that lead to another choice first do not prevent its losses."""
    asked = [(desk.session.narrator.words, question)
             for desk, question in iter_questions("dominant-species", 3, 1, 200, "perform[adaptation].element")]
    some = {one.text: question.hints[one.option.code].line for words, question in asked[2:3] for one in question.choices}
    kept = "if nobody else does anything: nobody dominates e4"
    assert kept in some["grass"] and some["seed"] == some["Give up the action"] == kept and not some["sun"]
    words, question = asked[4]
    assert not any(hint.all_texts for hint in question.hints.values())
    assert common_lines(question.always, words)[0].startswith("If nobody does anything more: the meat disc on c4.e goes back")
    _, question = next((desk, question) for desk, question in iter_questions("dominant-species", 3, 5, 250, "section[regression].kept")
                       if "nobody dominates d4" in str([hint.all_texts for hint in question.hints.values()]))
    assert not any("Wasteland" in text for hint in question.hints.values() for text in hint.all_texts)


@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_shortened_common_line_ends_with_the_ellipsis(lang):
    [line] = common_lines([text_change("Anna loses 3 points", certainty=Certainty.BASELINE, cut=True)], engine_localizer(lang))
    assert line.endswith("Anna loses 3 points …")


def test_late_changes_are_reduced_to_own_amounts():
    """Evolution: the deaths and draws of the round's end stand next to no option of an attack. `try` reports them."""
    found = 0
    for _, question in iter_questions("evolution", 3, 2, 120, "hunt.prey"):
        for hint in question.hints.values():
            late = [change for change in hint.changes if change.is_late]
            found += bool(hint.changes)
            assert sum(len(change.text(engine_localizer("en"))) for change in late) <= 40 or all(change.own for change in late)
    assert found >= 4
