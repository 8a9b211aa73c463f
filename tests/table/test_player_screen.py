"""Checks a player's screen: answers, filters, several answers in a line, reported events, and hidden information."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.terminal import audience, preview_lines
from ludoglot.engine.terminal import session as sessions
from ludoglot.engine.terminal.question import split_answers

from .terminal_harness import HUMAN, Desk, random_script

TWO_PEOPLE = [HUMAN, HUMAN]


def last_questions(desk: Desk) -> list[str]:
    """Returns the last question on each screen."""
    return [next((line for line in reversed(screen.lines) if line.startswith(("Player", "Anna", "Bea"))), "") for screen in desk.screens]


# ---------------------------------------------------------------- answers


@pytest.mark.long
def test_answers_in_one_line_are_taken_in_order():
    desk = Desk("orchard-floor", [HUMAN], typed=["a1, b1; c1 x2", "leave"])
    desk.run()
    assert [step.option.spelling for step in desk.table.steps] == ["spot=a1", "spot=b1", "spot=c1", "spot=c1", "leave"]


def test_several_numbers_are_several_answers():
    desk = Desk("orchard-floor", [HUMAN], typed=["1 2 3 3"])
    desk.run()
    assert [step.option.spelling for step in desk.table.steps] == ["spot=a1", "spot=b1", "spot=c1", "spot=c1"]


def test_questions_within_a_line_are_not_shown():
    desk = Desk("orchard-floor", [HUMAN], typed=["a1 x2, b1 x2", None])
    desk.run()
    assert len(desk.screens) == 2


def test_unmatched_answers_are_reported_and_not_used():
    desk = Desk("orchard-floor", [HUMAN], typed=["a1 x3; b1", None])
    desk.run()
    assert [step.option.spelling for step in desk.table.steps] == ["spot=a1"] * 2
    assert "“a1” does not match exactly one of these options. Not used: a1 and b1." in desk.text


@pytest.mark.long
def test_repeated_number_repeats_the_same_answer():
    """After a birth, different herds may move, so the numbers differ."""
    def answer(screen):
        question = desk.session.question
        births = [one for one in question.choices if one.option.spelling.startswith("breed")]
        taken = any(step.key == "act.action" for step in desk.table.steps if step.seat == 0)
        return None if taken or len(desk.screens) > 20 else f"{births[0].token} x2" if births else question.choices[0].token
    desk = Desk("trias", [HUMAN, "bot:random"], answer, seed=2)
    desk.run()
    done = [step.option.spelling for step in desk.table.steps if step.key == "act.action" and step.seat == 0]
    assert done in ([done[0]], [done[0]] * 2) and done[0].startswith("breed")


@pytest.mark.long
def test_number_of_an_earlier_list_is_rejected():
    desk = Desk("evolution", [HUMAN, "bot:random", "bot:random"], typed=["1", "2", "7", "11", None])
    desk.run()
    tokens = [one.token for one in desk.session.question.choices]
    assert "11" not in tokens and "There is no option 11. Choose from 1 to " in desk.text


def test_answers_typed_ahead_stop_at_the_next_person():
    desk = Desk("tic-tac-toe", TWO_PEOPLE, typed=["a1, b1", None])
    desk.run()
    assert len(desk.table.steps) == 1 and "were not used" in desk.text and ": b1." in desk.text


@pytest.mark.long
def test_answers_typed_ahead_stop_at_chance():
    desk = Desk("orchard-floor", [HUMAN], typed=["1 2 3 4", "roll, 5, 6", None])
    desk.run()
    assert desk.table.steps[-1].option.spelling == "roll" and "were not used" in desk.text


@pytest.mark.long
def test_partial_text_lists_matches_with_their_numbers():
    desk = Desk("dominant-species", [HUMAN, HUMAN], typed=["adap", "3", None])
    desk.run()
    shown = desk.screens[1].text
    assert "“adap” matches 3 options:\n  2  Adaptation 1\n  3  Adaptation 2\n  4  Adaptation 3" in shown
    assert desk.table.steps[-1].option.spelling.endswith("adaptation_2")


def test_options_match_beginnings_of_words():
    desk = Desk("orchard-floor", [HUMAN])
    question = sessions.DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    assert [choice.text for choice in question.match_answer("h9")] == ["h9"] and len(question.match_answer("h")) == 9
    assert question.match_answer("") == [] and question.match_answer("zz") == []


@pytest.mark.long
def test_completion_offers_options_and_commands():
    desk = Desk("dominant-species", TWO_PEOPLE, typed=[None])
    desk.run()
    fits = desk.screens[0].fits
    assert [fit.text for fit in fits("adap")] == ["Adaptation 1", "Adaptation 2", "Adaptation 3"]
    assert [fit.text for fit in fits("und")] == ["undo"]
    assert fits("adaptation 1, glac")[0].text == "Glaciation 1" and fits("adaptation 1, glac")[0].back == 4
    assert fits("a1, und") == []


@pytest.mark.long
def test_long_list_groups_options_that_differ_by_a_number():
    desk = Desk("dominant-species", TWO_PEOPLE, typed=[None], columns=80, lines=20)
    desk.run()
    assert "  2-4  Adaptation 1-3" in desk.text and "Speciation" in desk.text and "Adaptation 2\n" not in desk.text


def test_long_list_is_cut_and_shown_on_request():
    desk = Desk("hex", [HUMAN, HUMAN], columns=24, lines=12, typed=["options", "options k", None])
    desk.run()
    first, second, third = (screen.text for screen in desk.screens)
    assert "more options. Type part of a text, or “options”." in " ".join(first.split()) and " k11" not in first and " k11" in second
    assert third.count(" k11") == 2 and " a11" not in third.removeprefix(second)


@pytest.mark.long
@pytest.mark.parametrize("lang, words", [
    ("en", "help board cards rules options log news why undo save"),
    ("it", "aiuto tabellone carte regole opzioni cronaca novità perché annulla salva"),
    ("es", "ayuda tablero cartas reglas opciones crónica novedades por+qué deshacer guardar"),
    ("hu", "súgó tábla kártyák szabályok lehetőségek napló hírek miért vissza mentés")])
def test_commands_work_in_every_language_and_without_accents(lang, words):
    desk = Desk("tic-tac-toe", TWO_PEOPLE, lang=lang)
    own = [word.replace("+", " ") for word in words.split()]
    english = [word for word in sessions.TABLE_COMMANDS if word not in ("quit", "lang")]
    desk.typed = [*own, *english, "perche" if lang == "it" else "?", None]
    count = len(desk.typed)
    desk.run()
    assert len(desk.screens) == count and not desk.table.steps
    assert not any(word in line for line in desk.console.written for word in ("command.", "help.")), desk.text


@pytest.mark.long
def test_undo_takes_back_the_whole_line():
    desk = Desk("orchard-floor", [HUMAN], typed=["a1", "b1, c1", "undo", None])
    desk.run()
    assert [step.option.spelling for step in desk.table.steps] == ["spot=a1"]
    assert "Undone: b1." in desk.text and "Undone: c1." in desk.text


# ---------------------------------------------------------------- reported events


def test_each_player_reads_their_own_language():
    desk = Desk("tic-tac-toe", TWO_PEOPLE, names=["Anna", "Bea"], langs=["hu", "it"], typed=["a1", "b2", None])
    desk.run()
    first, second, third = (screen.text for screen in desk.screens)
    assert "hová teszed" in first and "dove metti" not in first
    assert "dove metti" in second.removeprefix(first) and "hová teszed" not in second.removeprefix(first)
    assert "Bea" in third.removeprefix(second) and "hová teszed" in third.removeprefix(second)


def test_moves_of_others_are_shown_once_and_again_by_news():
    desk = Desk("tic-tac-toe", [HUMAN, "bot:random"], typed=["a1", "news", None])
    desk.run()
    assert desk.screens[1].text.count("Nought puts") == 1
    assert desk.text.count("Nought puts") == 2


def test_resumed_session_shows_no_old_events(tmp_path):
    desk = Desk("orchard-floor", ["bot:random", HUMAN], typed=["1 2 3 4", "leave", "5, 6", None])
    desk.run()
    desk.console.written.clear()
    desk.typed = [None]
    desk.sit()
    desk.run()
    told = [line for line in desk.console.written if line.startswith("Player 2: ") and "choose" not in line]
    assert "Player 1" in desk.text.split("\n")[0] and not told


def test_a_short_round_is_not_announced():
    desk = Desk("tic-tac-toe", TWO_PEOPLE, typed=["a1", "a2", "b1", "b2", None])
    desk.run()
    assert "Round 2" not in text_without_status_lines(desk)


def text_without_status_lines(desk: Desk) -> str:
    """Returns the texts without the top line, which names the round each time."""
    return "\n".join(line for line in desk.text.split("\n") if not line.startswith("── "))


# ---------------------------------------------------------------- which player sees what


def record_viewers(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> tuple[list[set], set]:
    """Returns, for each screen, the players for whom its text was written or drawn. Returns the same for the current screen."""
    seen: set = set()
    screens: list[set] = []
    story, build, wipe, read = Narrator.step_lines, audience.build_panels, desk.script.clear_screen, desk.script.read
    monkeypatch.setattr(Narrator, "step_lines", lambda self, step, viewer=None, **k: (seen.add(viewer), story(self, step, viewer, **k))[1])
    for user in (audience, preview_lines):
        monkeypatch.setattr(user, "build_panels", lambda position, narrator, seat: (seen.add(seat), build(position, narrator, seat))[1])
    monkeypatch.setattr(sessions, "DecisionPrompt", lambda decision, *rest: (seen.add(decision.seat), ORIGINAL_PROMPT(decision, *rest))[1])

    def wiped() -> None:
        seen.clear()
        wipe()

    def noted(*args, **kwargs):                                    # type: ignore[no-untyped-def]
        screens.append(set(seen))
        return read(*args, **kwargs)
    desk.script.clear_screen, desk.script.read = wiped, noted              # type: ignore[method-assign]
    return screens, seen


ORIGINAL_PROMPT = sessions.DecisionPrompt


@pytest.mark.long
@pytest.mark.parametrize("game, seats, count", [
    ("parry", [HUMAN] * 3, 120), pytest.param("evolution", [HUMAN, HUMAN, "bot:random"], 60, marks=pytest.mark.long),
    ("evolution", [HUMAN, HUMAN, "bot:random"], 15), ("trias", [HUMAN, HUMAN], 30),
    ("masquerade", [HUMAN] * 3, 40)])
def test_screens_contain_only_information_for_their_player(monkeypatch, game, seats, count):
    desk = Desk(game, seats)
    desk.script.answer = random_script(lambda: desk, random.Random(3), count)
    screens, _ = record_viewers(monkeypatch, desk)
    desk.run()
    people = [screen.person for screen in desk.screens]
    assert len(screens) == len(people) and len(set(people)) > 2    # the hand-over belongs to nobody
    for person, eyes in zip(people, screens):
        assert eyes <= {None, person} if person >= 0 else eyes <= {None}
    reactions = [n for n in range(1, len(people)) if people[n] != people[n - 1] and -1 not in people[n - 1 : n + 1]]
    assert not reactions                                           # nobody sits down without a hand-over


@pytest.mark.long
def test_players_see_their_own_moves_when_they_return():
    desk = Desk("parry", TWO_PEOPLE, seed=4)
    desk.script.answer = random_script(lambda: desk, random.Random(8), 30)
    desk.run()
    heard = {person: "".join(screen.text for screen in desk.screens if screen.person == person) for person in (0, 1)}
    last = max(n for n, step in enumerate(desk.table.steps) if not step.auto)
    for step in [step for step in desk.table.steps[: last - 8] if not step.auto]:
        for line in desk.session.narrator.step_lines(step, step.seat):
            assert line.strip() in heard[step.seat]


def test_leaving_clears_the_screen():
    desk = Desk("parry", TWO_PEOPLE, typed=["", None])
    desk.run()
    assert len(desk.console.written) == 1 and "not saved" in desk.text


@pytest.mark.long
def test_final_screen_shows_only_public_information(monkeypatch):
    desk = Desk("parry", TWO_PEOPLE)
    desk.script.answer = random_script(lambda: desk, random.Random(1), 10_000)
    _, seen = record_viewers(monkeypatch, desk)
    desk.run()
    assert desk.table.over and "Final standings" in desk.text and seen == {None}


# ---------------------------------------------------------------- problems that players reported


@pytest.mark.parametrize("typed", [",", ", ,", ";;", "a1 x0", "x", "?", "🙂"])
def test_any_input_gets_an_answer(typed):
    desk = Desk("orchard-floor", [HUMAN], typed=[typed, None])
    assert desk.run() == 0 and len(desk.screens) == 2 and len(desk.table.steps) == 0


@pytest.mark.long
def test_contiguous_match_precedes_scattered_words():
    desk = Desk("evolution", TWO_PEOPLE)
    question = sessions.DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    texts = ["Animal 1 attacks 3", "Animal 3 attacks 1"]
    option = question.choices[0].option
    question.choices = [sessions.PromptOption(str(n), option, text) for n, text in enumerate(texts, 1)]
    assert [choice.text for choice in question.match_answer("attacks 1")] == ["Animal 3 attacks 1"]


def test_leaving_at_a_hand_over_reveals_nothing():
    desk = Desk("parry", TWO_PEOPLE, typed=["hello", "quit"])
    desk.run()
    assert len(desk.screens) == 2 and all(screen.person < 0 for screen in desk.screens) and "not saved" in desk.text


@pytest.mark.long
def test_new_round_is_announced_and_shows_the_table_before_its_first_question():
    desk = Desk("dominant-species", TWO_PEOPLE, max_rounds=2, lines=60)
    desk.session.terminal.answer = random_script(lambda: desk, random.Random(5), 400)
    first = []

    def noted(screen, answer=desk.session.terminal.answer):        # type: ignore[no-untyped-def]
        if desk.table.position.rounds == 2 and not first:
            first.append(screen)
        return answer(screen)
    desk.script.answer = noted
    desk.run()
    shown = first[0].text
    assert "─ Earth" in shown and shown.rindex("─ Earth") < shown.index("── Turn 2 · ") < shown.rindex("where do you put a pawn?")


def test_resumed_session_shows_the_table():
    desk = Desk("orchard-floor", ["bot:random", HUMAN], typed=["1 2 3 4", None])
    desk.run()
    desk.console.written.clear()
    desk.typed = [None]
    desk.sit()
    desk.run()
    assert any("┌" in line for line in desk.console.written)


@pytest.mark.long
def test_unknown_arguments_are_reported():
    desk = Desk("hex", TWO_PEOPLE, typed=["board xyzzy", "options xyzzy", "lang", "lang magyar", None])
    desk.run()
    assert "No part of the table begins with “xyzzy”" in desk.text and "“xyzzy” is not one of the options" in desk.text
    assert "hu (magyar)" in desk.text and desk.table.setup.langs[0] == "hu"


@pytest.mark.long
def test_cards_command_shows_the_hand():
    desk = Desk("evolution", [HUMAN, "bot:random"], typed=["cards", None])
    desk.run()
    assert "No cards with text" not in desk.text and "  Mimicry\n    When this animal is attacked" in desk.text


@pytest.mark.long
def test_cards_command_accepts_the_beginning_of_a_name():
    desk = Desk("dominant-species", TWO_PEOPLE, typed=["cards fert", "cards xyzzy", None])
    desk.run()
    assert "Fertile" in desk.text and "Dominant Species has nothing called “xyzzy”" in desk.text


def test_rules_command_uses_the_language_of_each_player():
    desk = Desk("tic-tac-toe", TWO_PEOPLE, langs=["it", "en"], typed=["regole", "regole 2", "regole zzz", "1", "rules", "rules end", None])
    desk.run()
    said = " ".join(desk.text.split())
    assert "2 Come si gioca 3 Fine della partita" in said and "numero o il titolo: «regole 1»" in said
    assert "A turno ogni giocatore mette un segno in una casella libera. [TTT-TURN-01]" in said
    assert "Il regolamento non ha un capitolo «zzz»." in said
    assert "3 End of the game The first player with 3 marks in a row, vertically, horizontally, or diagonally, wins. [TTT-END-01]" in said
    assert len(desk.table.steps) == 1, "reading must not make a decision"


def test_long_question_is_wrapped_between_words():
    desk = Desk("orchard-floor", [HUMAN], columns=40, typed=[None])
    desk.session.loaded = desk.loaded
    desk.console.colour = True
    desk.plain = False
    question = sessions.DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    question.text = "one two three four five six seven eight nine ten eleven"
    desk.session.show_prompt(question)
    assert "\x1b[1mone two three four five six seven eight\x1b[0m" in desk.console.written


@pytest.mark.long
def test_each_player_sees_a_new_round_once():
    desk = Desk("evolution", TWO_PEOPLE, max_rounds=3)
    desk.script.answer = random_script(lambda: desk, random.Random(2), 400)
    desk.run()
    heard = {person: [line for screen in desk.screens if screen.person == person for line in new_lines(screen, desk)] for person in (0, 1)}
    assert {person: sum(line.split(" · ")[0] == "Round 2" for line in lines) for person, lines in heard.items()} == {0: 1, 1: 1}


def new_lines(screen, desk):  # type: ignore[no-untyped-def]
    """Returns the lines that are new since the screen before, if it belongs to the same player and was not cleared."""
    n = next(k for k, other in enumerate(desk.screens) if other is screen)
    before = desk.screens[n - 1].lines if n and screen.lines[: len(desk.screens[n - 1].lines)] == desk.screens[n - 1].lines else ()
    return screen.lines[len(before):]


# ---------------------------------------------------------------- after the end


def test_table_stays_open_after_the_end_until_quit():
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN], typed=["a1", "b1", "a2", "b2", "a3", "log 1", "board", "zzz", "quit", "log 1"])
    assert desk.run() == 0 and desk.table.over
    last = desk.console.written
    stays = [n for n, line in enumerate(last) if line.startswith("The table stays open")]
    assert len(stays) == 2, "shown at the end and after an unknown word"
    assert any("a3" in line for line in last[stays[0]:stays[1]]) and any("X" in line or "✕" in line for line in last[stays[0]:stays[1]])
    assert desk.typed == ["log 1"], "no question may follow quit"


def test_last_move_of_a_game_can_be_undone():
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN], typed=["a1", "b1", "a2", "b2", "a3", "undo", "c3", "b3", "quit"])
    assert desk.run() == 0 and desk.table.over
    assert [str(step.option) for step in desk.table.steps][-3:] == ["cell=b2", "cell=c3", "cell=b3"] and not desk.typed


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_final_score_is_explained_by_round_and_rule(lang):
    desk = Desk("kalah", [HUMAN, HUMAN], lang=lang)
    rng = random.Random(1)
    ended = {"en": "/why score", "it": "/perché punti", "es": "/por qué puntos", "hu": "/miért pont"}
    asked: list[int] = []                                           # the number of lines at each question

    def answer(screen):
        if desk.table.position.decision is not None:
            return rng.choice(desk.session.question.choices).token
        asked.append(len(desk.console.written))
        return ended[lang] if len(asked) == 1 else None

    desk.script.answer = answer
    desk.run()
    told = "\n".join(desk.console.written[asked[0]:])
    assert desk.table.over and ".rules" not in told and "KAL-" not in told
    sentence = desk.session.narrator.clause_text("KAL-SOW-02")
    assert " ".join(told.split()).count(sentence) == 1, "the clause is shown where it first gave points"


@pytest.mark.long
def test_points_are_explained_by_the_first_cited_clause():
    """The first clause explains the points. The score track and the rounding of fractions are cited there too."""
    desk, rng, asked = Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=4), random.Random(4), []

    def answer(screen):
        if desk.table.position.decision is not None:
            return rng.choice(desk.session.question.choices).token
        asked.append(len(desk.console.written))
        return "/why score" if len(asked) == 1 else None

    desk.script.answer = answer
    desk.run()
    told = " ".join(" ".join(desk.console.written[asked[0]:]).split())
    assert re.search(r"New continents " + re.escape(desk.session.narrator.clause_text("TRI-MID-09")), told)
    assert re.search(r"Final scoring " + re.escape(desk.session.narrator.clause_text("TRI-FIN-05")), told)
    assert re.search(r"Final scoring " + re.escape(desk.session.narrator.clause_text("TRI-FIN-06")), told) and "track" not in told


@pytest.mark.long
def test_news_repeats_events_of_the_players_own_move():
    """The end of the turn came with the player's own answer, and the news can repeat its events."""
    desk = Desk("dominant-species", [HUMAN, "bot:random"], seed=5)
    rng, known = random.Random(5), [0]

    def answer(screen):
        if known[0] < 0:
            return None
        new, known[0] = screen.lines[known[0]:], len(screen.lines)
        if any(line.startswith("And ") and "type “news”" in line for line in new):
            known[0] = -1
            return "news"
        return rng.choice(desk.session.question.choices).token
    desk.script.answer = answer
    desk.run()
    assert "> news" in desk.text and "Nothing has happened" not in desk.text.rpartition("> news")[2]


@pytest.mark.long
def test_new_round_numbers_options_in_order():
    """If many options are new, all numbers change. If options are only gone, the others keep their numbers."""
    desk = Desk("dominant-species", [HUMAN, "bot:random"], seed=5)
    rng, lists = random.Random(5), []

    def answer(screen):
        asked = desk.session.question
        if asked.decision.key.startswith("planning"):
            lists.append((desk.table.position.rounds, [int(one.token) for one in sorted(
                asked.choices, key=lambda one: one.option.code)]))
        return None if len({rounds for rounds, _ in lists}) > 1 else rng.choice(asked.choices).token
    desk.script.answer = answer
    desk.run()
    assert len({rounds for rounds, _ in lists}) > 1
    assert all(numbers == sorted(numbers) for _, numbers in lists)


@pytest.mark.long
def test_comma_of_a_coordinate_does_not_separate_answers():
    desk = Desk("trias", [HUMAN, "bot:random"], seed=1)
    desk.run()
    asked = desk.session.question
    assert split_answers("-1,2, 3,-4; 5", asked) == ["-1,2", "3,-4", "5"]
    assert split_answers("pass,pass", asked) == ["pass", "pass"]


def test_confirm_asks_twice_for_irrevocable_moves():
    """Trias with two people: the other player decides next."""
    for seats, typed, asked in ([HUMAN, HUMAN], ["", "confirm on", "1", "1", "confirm off"], 1), ([HUMAN, HUMAN], ["", "1"], 0), (
            ["bot:random", HUMAN], ["confirm on", "1"], 0), ([HUMAN, HUMAN], ["", "confirm on", "1", "2"], 2):
        desk = Desk("trias", seats, typed=[*typed, None], seed=2)
        desk.run()
        said = max(screen.text.count("You cannot undo") for screen in desk.screens)
        assert said == asked and bool([step for step in desk.table.steps if not step.auto and step.seat == 1]) == (asked < 2)


def test_answers_in_one_line_stop_before_a_confirmation():
    desk = Desk("yacht", [HUMAN, HUMAN], typed=["confirm", "1, 6", None], seed=2)
    desk.run()
    assert [line for line in desk.console.written if "You cannot undo" in line] and len(desk.table.steps) == 1
    desk = Desk("yacht", [HUMAN, HUMAN], typed=["confirm", "1, 6", "6", None], seed=2)
    desk.run()
    assert len(desk.table.steps) > 1
