"""Checks that a list shows equal options once, each option on one line, and the best ones first."""

from __future__ import annotations

import re

import pytest
from ludoglot.engine.terminal.option_layout import OptionLayout
from ludoglot.engine.terminal.preview_lines import preview_rows

from .preview_builders import preview_of_texts, text_change
from .terminal_harness import iter_questions

NUMBER_PATTERN = re.compile(r" *(\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)  ")


@pytest.mark.long
def test_equal_animals_are_merged_into_one_line():
    """Four hungry animals have no special effects. The first has its preview, and the others are named below it."""
    lines = [line for desk, question in iter_questions("evolution", 3, 5, 40, "go.go")
             for line in preview_rows(desk.session, question, False, 100)]
    at = next(n for n, line in enumerate(lines) if "the same for" in line)
    assert lines[at - 1].endswith("Take red food for animal 3 (0 of 1)  → animal 3 is fed")
    assert lines[at] == "2-4  the same for animal 5, animal 6, and animal 7"


@pytest.mark.long
@pytest.mark.parametrize("seed", [5, 7])
def test_only_options_with_equal_previews_are_merged(seed):
    """The preview of a merged option equals that of the first one with the two animals exchanged."""
    merged = 0
    for _, question in iter_questions("evolution", 3, seed, 150, "go.go"):
        text = {one.option.code: one.text for one in question.choices}
        for code, first in question.equal.first.items():
            one, other = (re.search(r"animal \d+", text[each])[0] for each in (first, code))
            swapped = {part.replace(one, "*").replace(other, one).replace("*", other) for part in question.hints[first].line.split("; ")}
            assert swapped == set(question.hints[code].line.split("; "))
            merged += 1
    assert merged > 2


@pytest.mark.long
@pytest.mark.parametrize("game, seats, seed, key", [
    ("trias", 3, 9, "drift.target"), ("dominant-species", 3, 2, "perform[domination].tile")])
def test_an_option_is_in_one_group(game, seats, seed, key):
    """A place with two effects is on one line, because each of two lines would look complete."""
    seen = 0
    for desk, question in iter_questions(game, seats, seed, 120, key):
        groups = OptionLayout(desk.session, question).group_options(lambda hint: hint)
        codes = [one.option.code for _, some in groups for one in some]
        assert len(codes) == len(set(codes))
        seen += 1
    assert seen


def test_best_previews_are_listed_first():
    """Points and a Dominance card come before species, and species before places without an effect."""
    desk, question = next(iter_questions("dominant-species", 4, 11, 1, "planning.space"))
    groups = OptionLayout(desk.session, question).group_options(lambda hint: hint)
    said = [hint.line.removeprefix("as things stand: ") for hint, _ in groups]
    assert said[:2] == ["gains up to 6 points; takes a Dominance card", "gains up to 3 points"]
    assert said.index("adds up to 8 species") < said.index("adds up to 5 species") < said.index("has no effect")
    lines = OptionLayout(desk.session, question).lay_out(8, 12).lines
    assert any("a Dominance card" in line for line in lines) and NUMBER_PATTERN.match(lines[0])


@pytest.mark.long
def test_options_with_one_preview_below_them_show_it_once():
    """On a narrow screen, the preview of a card that is played as an animal is below the option. Six cards repeated it six times."""
    seen = 0
    for desk, question in iter_questions("evolution", 3, 5, 3, "develop.card"):
        lines = list(preview_rows(desk.session, question, False, 60))
        animals = [one.token for one in question.choices if one.text.endswith("as an animal")]
        told = [line for line in lines if "animal 1 now needs" in line or "gains 2 points" in line]
        assert len(animals) > 2 and len(told) == 1 and told[0].startswith(f"  {animals[0]}-"), lines
        assert [line for line in lines if re.match(rf" +({'|'.join(animals)})  \S", line)]
        seen += 1
    assert seen


@pytest.mark.long
def test_a_group_that_brings_most_is_first_though_it_is_the_largest():
    """Four cards as animals gain 2 points each, as one trait does. Only the trait was shown."""
    desk, question = next(iter_questions("evolution", 3, 5, 3, "develop.card"))
    gain, trait = (preview_of_texts(text_change(said, own=True, gain=(0, 2))) for said in ("2 points", "a trait"))
    codes = [one.option.code for one in question.choices]
    question.hints = {code: trait if code == codes[-1] else gain for code in codes}
    question.equal = None
    groups = OptionLayout(desk.session, question).group_options(lambda hint: hint)
    assert [hint.line for hint, _ in groups] == ["2 points", "a trait"]
