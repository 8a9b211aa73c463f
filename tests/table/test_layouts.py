"""Checks option layouts if there is no room for one option per line.

Changes are shown in groups, each kind is named, and the layout announces everything it leaves out."""

from __future__ import annotations

import re

import pytest
from ludoglot.engine.i18n.text_layout import arrange_slots
from ludoglot.engine.terminal.option_layout import OptionLayout
from ludoglot.engine.terminal.preview_lines import compute_previews, preview_of
from ludoglot.engine.terminal.question import DecisionPrompt, format_ranges

from .preview_builders import preview_of_texts, text_change
from .terminal_harness import HUMAN, Desk

PLACES = "dominant-species"


def ask_first_question(game: str, seats: int, columns: int = 80) -> tuple[Desk, DecisionPrompt]:
    """Returns the first question of a game."""
    desk = Desk(game, [HUMAN] * seats, columns=columns, lines=24, typed=[])
    desk.run()
    return desk, desk.session.question


def set_previews(question: DecisionPrompt, said: dict[str, tuple[str, ...]], own: str = "") -> None:
    """Gives these options, by their numbers, previews with these changes."""
    question.hints = {one.option.code: preview_of_texts(*(text_change(part, own=part == own) for part in said.get(one.token, ())))
                      for one in question.choices}
    question.always = []


def test_consecutive_numbers_are_written_as_ranges():
    assert format_ranges(["1", "2", "3", "5", "6", "9"]) == "1-3, 5, 6, 9"


def test_previews_without_room_are_grouped_own_effects_first():
    desk, question = ask_first_question("hex", 2)
    set_previews(question, {"2": ("Béla +5 points",), "3": ("Anna +2 points",), "12": ("Anna +2 points",), "13": ("Anna +2 points",),
                            "14": ("Anna +2 points",)}, "Anna +2 points")
    lines = OptionLayout(desk.session, question, 80).lay_out(20, 20).lines
    texts = {one.token: one.text for one in question.choices}
    assert lines[-2:] == [f"  {', '.join(f'{n} {texts[n]}' for n in ('3', '12', '13', '14'))}  → Anna +2 points",
                          f"  2 {texts['2']}  → Béla +5 points"]


def test_groups_without_room_show_whole_previews_or_none():
    desk, question = ask_first_question("hex", 2)
    set_previews(question, {str(n): ("Anna +2 points", f"{n} herds of Béla afloat") for n in range(1, 30)}, "Anna +2 points")
    lines = OptionLayout(desk.session, question, 80).preview_groups(3).lines
    assert [re.split(" +→ +", line)[1] for line in lines[:-1]] == [f"Anna +2 points; {n} herds of Béla afloat" for n in (1, 2)]
    assert lines[-1] == "Type “options” to see what the others would do." and len(lines) == 3
    assert OptionLayout(desk.session, question, 80).preview_groups(1).lines == ["Type “options” to see what each of them would do."]


def test_groups_are_sorted_by_the_players_own_gain():
    desk, question = ask_first_question("hex", 2)
    by = {one.option.code: int(one.token) % 5 for one in question.choices}
    question.hints = {
        code: preview_of_texts(text_change(f"Anna +{n} points", own=True, gain=(0, n)), *["Béla +5 points"] * (code % 2))
        for code, n in by.items()
        if n
    }
    for room, best in ((3, 4), (5, 3), (7, 2)):
        lines = OptionLayout(desk.session, question, 120).preview_groups(room).lines
        said = [int(re.search(r"Anna [+](\d)", line)[1]) for line in lines if "Anna" in line]
        assert said == sorted(said, reverse=True) and said[0] == 4 and said[-1] >= best
        assert len(lines) <= room


def test_preview_ranks_match_their_gains():
    desk, _ = ask_first_question("evolution", 2)
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    compute_previews(desk.session, question)
    words = desk.session.narrator.words
    told = {one.token: int(found[1]) for one in question.choices
            if (found := re.search(r"gains (\d+) point", " ".join(own.text(words) for own in preview_of(question, one).own)))}
    assert told == {one.token: -gain for one in question.choices if (gain := preview_of(question, one).rank_gains()[0])} and told


@pytest.mark.long
def test_options_without_previews_suggest_try():
    desk, question = ask_first_question("hex", 2)
    question.hints, question.untold = {}, True
    offer = OptionLayout(desk.session, question, 80)
    for room in range(3, 60):
        overlay, word = offer.lay_out(room, room), "Not every option has a preview. Type “try 1” to see what that option would do."
        assert len(overlay.lines) <= room and (overlay.lines[-1] == word or overlay.left or len(overlay.lines) == room)
    assert overlay.lines[-1] == word


@pytest.mark.parametrize("wish, most", [(2, 3), (4, 6), (8, 12), (30, 50)])
def test_omitted_previews_are_announced(wish, most):
    desk, question = ask_first_question("hex", 2)
    set_previews(question, {"7": ("Béla +5 points",)})
    assert any("+5 points" in line or "would change" in line for line in OptionLayout(desk.session, question, 80).lay_out(wish, most).lines)


def test_cut_list_keeps_options_with_previews():
    desk, question = ask_first_question("hex", 2)
    last = question.choices[-1]
    set_previews(question, {last.token: ("Béla +5 points",)})
    overlay = OptionLayout(desk.session, question, 24).lay_out(5, 5)
    assert overlay.left and not overlay.whole and re.search(rf"\b{last.text}\b", "\n".join(overlay.lines))


def find_action_question() -> tuple[Desk, DecisionPrompt]:
    """A question with actions of several kinds, many of each."""
    desk, _ = ask_first_question("trias", 2)
    for step in range(400):
        decision = desk.table.position.decision
        if decision.key == "act.action" and len(decision.options) > 12:
            break
        desk.table.play(decision.options[step * 7 % len(decision.options)])
    return desk, DecisionPrompt(decision, desk.session.narrator)


def test_list_without_room_names_each_kind_of_option():
    desk, question = find_action_question()
    overlay = OptionLayout(desk.session, question, 80).lay_out(8, 8)
    assert overlay.left == 0 and len(overlay.lines) <= 8 and overlay.lines[-1] == "Type “options” to list every option."
    heads = [line.strip().split("  ", 1)[1].removesuffix("…") for line in overlay.lines[:-1]]
    assert len({one.option.entry for one in question.choices}) > 2
    assert all(any(one.text.startswith(head) for head in heads) for one in question.choices)


def test_options_with_a_common_prefix_share_a_paragraph():
    desk, question = find_action_question()
    lines = OptionLayout(desk.session, question, 80).common_prefix_lines()
    said = " ".join(" ".join(lines).split())
    assert len(lines) < len(question.choices) and all(len(line) <= 80 for line in lines)
    for one in question.choices:
        ends = [one.text[at + 1:] for at, letter in enumerate(one.text) if letter == " "]
        assert f"{one.token} {one.text}" in said or any(f"[{one.token}] {end}" in said for end in ends), one.text


def test_shortened_previews_suggest_the_options_command():
    desk, question = ask_first_question("hex", 2)
    next_one = "Béla may defend herself, which is told in so many words that there is no room for it here"
    question.hints = {one.option.code: preview_of_texts(f"Anna +{n} points", text_change(next_one, kind="next"))
                      for n, one in enumerate(question.choices[:14])}               # different ones, which do not share a line
    question.choices, question.always = question.choices[:14], []
    lines = OptionLayout(desk.session, question, 80).lay_out(17, 17).lines
    assert any(line.endswith("…") for line in lines) and lines[-1] == "Type “options” to see the rest where a line ends in “…”."


def test_long_and_short_options_share_lines():
    texts = ["1  short", "2  short too", f"3  {'long ' * 9}".strip(), "4  end", "5  end", "6  end", "7  end"]
    lines = arrange_slots(texts, 60)
    assert len(lines) == 3 and all(len(line) <= 60 for line in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(" ".join(texts).split()), "options must keep their order"
    assert all(len(line) <= 60 for line in arrange_slots(["1  " + "long " * 20], 60))


def test_previews_do_not_displace_kinds_of_options():
    """In Hanabi on 80 columns, two clues had a line and a preview, and playing a card was one of “13 more options”."""
    desk = Desk("hanabi", [HUMAN, HUMAN], columns=80, lines=24, seed=1)
    for _ in range(2):
        desk.table.play(desk.table.position.decision.options[-1])
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    compute_previews(desk.session, question)
    assert question.hints and len(question.choices) > 12
    for most in (5, 6, 7):
        shown = OptionLayout(desk.session, question, 80).lay_out(most, most)
        assert not shown.left and any("Play card" in line for line in shown.lines), shown
