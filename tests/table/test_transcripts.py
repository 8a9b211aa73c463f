"""Checks transcripts: their headings, the lines left out because a later line repeats them, and the order of importance."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from ludoglot.engine.narration.transcript import Transcript, TranscriptLine, full_lines, summarize
from ludoglot.engine.position.inspect import look_up_value
from ludoglot.engine.position.observation import visible_names
from ludoglot.engine.preview.transcript_changes import TranscriptWithChanges

from .terminal_harness import HUMAN, Desk, random_script


def play_random_game(game: str, seats: list[str], decisions: int, seed: int = 1, lang: str = "en", **more) -> Desk:
    """Returns a game after this number of random decisions, with its steps."""
    desk = Desk(game, seats, seed=seed, lang=lang, **more)
    rng = random.Random(seed)
    while desk.table.position.decision is not None and len(desk.table.steps) < decisions:
        decision = desk.table.position.decision
        desk.table.take(decision, rng.choice(decision.options), auto=len(decision) == 1)
    return desk


def transcript_lines(desk: Desk, viewer: int | None = 0) -> list[TranscriptLine]:
    return Transcript(desk.table, desk.session.narrator, viewer).build_lines()


@pytest.fixture(scope="module")
def species_game() -> Desk:
    return play_random_game("dominant-species", [HUMAN, "bot:random", "bot:random"], 260, seed=3)


@pytest.mark.long
def test_headings_name_the_round_and_its_phase(species_game):
    lines = full_lines(transcript_lines(species_game))
    headings = [text for text, heading in lines if heading]
    assert headings[0] == "Turn 1 · Planning"
    assert {"Extinction", "Regression", "Wanderlust", "Reseed"} <= set(headings)
    assert any(heading.startswith("Turn 2 · ") for heading in headings)


def test_losses_are_listed_under_their_cause(species_game):
    lost = [item for item in transcript_lines(species_game) if "loses" in item.text and "species" in item.text]
    assert lost and all(item.part for item in lost)
    assert {item.part for item in lost} >= {"Extinction"}


def test_card_effects_are_listed_under_the_card(species_game):
    for n, item in enumerate(found := transcript_lines(species_game)):
        if "plays “" in item.text and n + 1 < len(found) and found[n + 1].came:
            name = item.text.partition("“")[2].partition("”")[0]
            assert name in found[n + 1].under or found[n + 1].part in ("Extinction", "Survival", "Reseed", "Domination")


def test_multi_step_choice_is_reported_by_its_last_step(species_game):
    told = [item.text for item in transcript_lines(species_game, None)]
    assert any("moves 1 species from" in line for line in told)
    moved = [n for n, line in enumerate(told) if "moves 1 species from" in line]
    assert not any("to migrate." in told[n - 1] or "sends the species" in told[n - 1] for n in moved if n)


def test_repeated_events_are_reported_once(species_game):
    told = [item.text for item in transcript_lines(species_game, None)]
    assert any("plays “" in line for line in told) and not any("chooses the card" in line for line in told)


def test_card_is_reported_with_its_reason(species_game):
    told = [item.text for item in transcript_lines(species_game, None)]
    for n, line in enumerate(told):
        if "plays “" in line:
            assert "dominates" in told[n - 1]


def test_effect_follows_its_cause_under_one_heading():
    """The reader's own line of a Blight once came first. The disc that caused it followed later under a second Blight."""
    found = [
        TranscriptLine("grass goes", ("Blight",), "Blight", True),
        TranscriptLine("I rule d2", ("Blight",), "Blight", True, 2),
        TranscriptLine("she chooses d4", ("Domination",), "Domination"),
        TranscriptLine("I gain 3", ("Domination",), "Domination", True, 2),
    ]
    assert summarize(found, 8)[0] == ["Blight. grass goes", "I rule d2", "Domination. she chooses d4", "  I gain 3"]


def test_effect_on_the_reader_keeps_its_decision():
    """A player who had lost five points once read that continents merged, but not who had moved the tile."""
    found = [
        TranscriptLine("she drifts", ("Turn",), "Turn"),
        TranscriptLine("land grows", ("Turn",), "Turn", True),
        TranscriptLine("I swim", ("Turn",), "Turn", True, 2),
        *(TranscriptLine(f"she rescues {n}", ("Turn",), "Turn", mine=1) for n in range(3)),
    ]
    assert summarize(found, 3)[0][:2] == ["Turn. she drifts", "  I swim"]
    assert summarize(found, 1)[0] == ["Turn. I swim"]


def test_effects_are_not_shown_without_their_decision():
    """In a table with room for four lines, the shown cards once replaced the player whose tile drifted."""
    found = [
        TranscriptLine("I drift", (), own=True),
        TranscriptLine("she plays", ()),
        TranscriptLine("a card is shown", (), came=True),
        TranscriptLine("she drifts", ()),
        TranscriptLine("land parts", (), came=True),
        TranscriptLine("she moves", ()),
    ]
    assert summarize(found, 5) == (["she plays", "  a card is shown", "she drifts", "  land parts", "she moves"], 0)
    assert summarize(found, 4) == (["she plays", "she drifts", "  land parts", "she moves"], 2), "the newest lines must remain"
    assert summarize(found, 3) == (["she drifts", "  land parts", "she moves"], 3), "omitted lines must be counted"


def test_newest_moves_take_precedence_over_older_effects():
    """At the start of a round, deaths of others once replaced the trait that a player had just given to an animal next to the reader's."""
    found = [*(TranscriptLine(f"dies {n}", ("Extinction",), "Extinction", True) for n in range(4)),
             *(TranscriptLine(f"draws {n}", ("Draw",), "Draw", True, weight=-1) for n in range(2)),
             *(TranscriptLine(done, ("Dev",), "Dev") for done in ("lays", "gives"))]
    assert summarize(found, 4)[0] == ["Extinction. dies 2", "dies 3", "Dev. lays", "gives"]


def test_important_events_keep_their_order():
    found = [
        TranscriptLine("a", ("One",), "One"),
        TranscriptLine("mine", ("Two",), "Two", True, 2),
        TranscriptLine("b", ("Two",), "Two", True),
        TranscriptLine("idle", ("Two",), "Two", idle=True),
        TranscriptLine("near", ("One",), "One", mine=1),
        TranscriptLine("c", ("One",), "One"),
    ]
    assert summarize(found, 4) == (["Two. mine", "b", "One. near", "c"], 2)
    assert summarize(found[:1] * 2 + found[1:2], 2)[0] == ["One. a", "Two. mine"], "earlier events of others must not follow"
    assert summarize(found, 9)[1] == 0


def test_event_weight_decides_which_lines_remain():
    lost = [TranscriptLine(f"lost {n}", (), came=True, mine=2) for n in range(3)]
    found = [
        TranscriptLine("ice", (), came=True, idle=True, weight=1),
        *lost,
        TranscriptLine("slides", (), came=True, mine=1, weight=-1),
        TranscriptLine("a", ()),
        TranscriptLine("b", (), came=True),
    ]
    assert summarize(found, 5) == (["ice", "lost 0", "lost 1", "lost 2", "a"], 2), "b is an effect of a"
    assert "slides" not in summarize(found, 6)[0] and "a" in summarize(found, 6)[0], (
        "minor events must be omitted first"
    )
    assert "ice" in summarize(found, 2)[0], "an important event must remain"


def test_own_and_empty_forced_choices_are_omitted():
    found = [
        TranscriptLine("I go", (), own=True),
        TranscriptLine("I add nothing", (), empty=True, idle=True),
        TranscriptLine("I lose", (), came=True, mine=2),
        TranscriptLine("b", ()),
    ]
    assert summarize(found, 3) == (["I lose", "b"], 0), "own choices do not count as omitted lines"
    assert summarize(found[:2], 2)[1] == 0, "own choices do not count as omitted lines"


@pytest.mark.long
def test_important_lines_follow_the_declaration_of_the_game():
    desk = play_random_game("evolution", [HUMAN, "bot:random", "bot:random"], 150, seed=1)
    found = TranscriptWithChanges(desk.table, desk.session.narrator, 0).build_lines()
    great = {item.text for item in found if item.weight > 0}
    assert great and all("Carnivorous" in text or "last round" in text for text in great)
    assert all(item.weight < 0 for item in found if "draws" in item.text and "card" in item.text)


def test_own_and_empty_forced_choices_are_marked(species_game):
    found = transcript_lines(species_game)
    assert any(item.own for item in found) and not any(item.own and item.came for item in found)
    assert all("adds no species" in item.text or item.idle for item in found if item.empty)


@pytest.mark.long
@pytest.mark.parametrize("game, seats", [("dominant-species", 4), ("evolution", 3), ("trias", 3)])
def test_automatic_news_have_at_most_eight_lines(game, seats):
    """This is the limit on a screen without free rows. On a higher screen, news fill the free rows."""
    desk = Desk(game, [HUMAN, *["bot:random"] * (seats - 1)], seed=5, lines=24)
    rng, asked = random.Random(5), [0]
    behind: list[list[str]] = []
    step = random_script(lambda: desk, rng, 30)

    def answer(screen):
        told = len(behind) and screen.lines[behind[-1][0]:]
        if asked[0] and told:
            end = next((n for n, line in enumerate(told) if not line.strip() or line.startswith(("──", "│", "╭"))), len(told))
            assert len([line for line in told[:end] if not line.startswith("    ")]) <= 9, told[:end]
        asked[0] += 1
        behind.append([len(screen.lines) + 1])
        return step(screen)
    desk.script.answer = answer
    desk.run()
    assert asked[0] > 10


@pytest.mark.long
def test_news_command_shows_all_lines():
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random", "bot:random"], seed=5)
    step = random_script(lambda: desk, random.Random(5), 40)
    found: list[tuple[int, list[str]]] = []

    def answer(screen):
        short_news = [line for line in screen.lines if line.startswith("And ") and "type “news”" in line]
        if short_news and not found:
            found.append((len(screen.lines), []))
            return "news"
        if found and not found[0][1]:
            found[0][1].extend(screen.lines[found[0][0]:])
            return None
        return step(screen)
    desk.script.answer = answer
    desk.run()
    told = found[0][1]
    assert len(told) > 9 and any(line.startswith("Turn ") for line in told)
    assert not any("more line" in line or "Changes on the table" in line for line in told)


@pytest.mark.long
def test_the_log_has_headings():
    desk = Desk("dominant-species", [HUMAN, "bot:random"], typed=["1", "1", "1", "log 100"], seed=5)
    desk.run()
    log = desk.screens[-1].lines[len(desk.screens[-2].lines) + 1 :]
    assert log[0] == "Planning" and len(log) == 4


def test_removed_tile_concerns_the_owner_of_its_herds(game):
    """A tile is removed from under the reader's herds. The last answer chooses the target, and the sentence names the origin."""
    desk = Desk("trias", [HUMAN, "bot:random"], seed=1)
    rng = random.Random(4)
    for _ in range(400):
        decision = desk.table.position.decision
        if decision is None:
            break
        origin = {name: raw for name, (_, raw) in visible_names(decision).items()}.get("origin")
        mine = origin is not None and decision.key.endswith("target") and desk.table.position.raw_value("herds", 0, origin) > 0
        desk.table.take(decision, rng.choice(decision.options), auto=len(decision) == 1)
        if mine and decision.seat == 1:
            found = Transcript(desk.table, desk.session.narrator, 0).build_lines(len(desk.table.steps) - 1)
            assert found[0].mine
            return
    raise AssertionError("nothing was drawn from under anybody")


def test_changes_of_dominance_are_reported(species_game):
    """Compares the reported effects of discs, species, and ice with the values of the rules before and after each step."""
    steps, narrator = species_game.table.steps, species_game.session.narrator
    tale, tiles = TranscriptWithChanges(species_game.table, narrator, 0), species_game.table.game.model.enums["Tile"].members
    told = 0
    for n in range(140, 180):
        one, two = ({label: narrator.value(*look_up_value(position, "dominant", "Tile", tile, 0)) for tile, label in enumerate(tiles)}
                    for position in (steps[n].before, steps[n + 1].before))
        said = [item.text for item in tale.changes_after(n) if "dominates" in item.text]
        assert {line.split()[-1].strip(".") for line in said if " now " in line} == {at for at in tiles if two[at] not in (one[at], None)}
        assert {line.split()[2] for line in said if "Nobody" in line} == {at for at in tiles if two[at] is None is not one[at]}
        told += len(said)
    assert told


def test_losses_to_ice_concern_their_owner(species_game):
    lost = [item for item in transcript_lines(species_game) if "to the ice" in item.text]
    assert lost and all(item.mine == 2 * ("arachnid" in item.text) or item.mine == 1 for item in lost)


@pytest.mark.long
def test_omitted_lines_are_covered_by_a_later_line():
    """The transcript reports a player who takes the last food for one animal, though others starve then.

    The number of an animal is printed on its card."""
    desk = play_random_game("evolution", [HUMAN, "bot:random", "bot:random"], 150, seed=1)
    narrator, steps = desk.session.narrator, desk.table.steps
    story, left = Transcript(desk.table, narrator, 0), 0
    for n, step in enumerate(steps):
        if story.is_repeated_later(n):
            later = [*(narrator.event_text(one) for one in step.events), *(narrator.decision_text(one, 0) for one in steps[n + 1:n + 3])]
            left += 1
            text = narrator.decision_text(step, 0)
            assert animal_numbers(text) <= animal_numbers(" ".join(filter(None, later))), text
    assert left


def animal_numbers(text: str | None) -> set[str]:
    return set(re.findall(r"[Aa]nimal (\d+)", text or ""))


@pytest.mark.long
@pytest.mark.parametrize("name, players", [("hearts", 4), ("brisca", 2), ("evolution", 3), ("scopa", 2), ("cribbage", 2)])
def test_received_cards_are_shown_only_to_their_owner(name, players, game):
    desk = Desk(name, [HUMAN] * players, seed=2)
    rng, shown = random.Random(2), 0
    hand = desk.table.game.cells["hand"]
    for _ in range(40):
        list(desk.table.take_automatic())
        if desk.table.over:
            break
        decision = desk.table.position.decision
        before = [hand.codec.parts(desk.table.position.raw_at(hand, [seat])) for seat in range(players)]
        desk.table.play(rng.choice(decision.options))
        after = [hand.codec.parts(desk.table.position.raw_at(hand, [seat])) for seat in range(players)]
        for seat in range(players):
            texts = [item.text for item in Transcript(desk.table, desk.session.narrator, seat).build_lines(len(desk.table.steps) - 1)]
            told = [text for text in texts if text.startswith("You receive: ")]
            new = Counter(after[seat]) - Counter(before[seat])
            assert bool(told) == bool(new), (texts, new)
            shown += len(told)
        assert not any(
            "receive" in item.text for item in Transcript(desk.table, desk.session.narrator, None).build_lines(len(desk.table.steps) - 1)
        )
    assert shown


@pytest.mark.parametrize("game, seats, title, decisions, sources", [
    ("scopa", 2, "Deal 1", 70, ["Cards", "Coins", "Settebello", "Primiera"]), ("hearts", 4, "Deal 1", 70, [])])
def test_a_table_of_points_follows_a_long_round(game, seats, title, decisions, sources):
    """The table shows what each player gained from each source in the round, and total points, the best player first.
    It appears only if the round has ended since."""
    desk = play_random_game(game, [HUMAN] * seats, decisions, seed=2)
    first = next(n for n, step in enumerate(desk.table.steps) if step.before.rounds == 2)
    desk.session.print_round_points(first - 1)
    text = desk.text
    assert text.count(f"─ {title} ─") == 1
    shown = text[text.index(f"─ {title} ─"):].split("\n")[:len(sources) + 5]
    ranks = desk.table.steps[first].before.standing()
    assert all(desk.session.narrator.player_name(rank.seat) in shown[1] for rank in ranks)
    points = [abs(rank.values[0]) for rank in ranks]
    rows = [line.strip("│ ").split("  ")[0] for line in shown[2:-1]]
    numbers = [[int(part) for part in re.findall(r"\d+|(?<= )\.(?= )", line.replace(" . ", " 0 "))] for line in shown[2:-1]]
    assert rows == [*sources, "Gained", "Total"] and any(points) and numbers[-2:] == [points, points]
    assert not sources or [sum(column) for column in zip(*numbers[:-2])] == points
    desk.console.written.clear()
    desk.session.print_round_points(first)
    assert not desk.console.written


def test_short_rounds_have_no_table_of_points():
    desk = play_random_game("brisca", [HUMAN, HUMAN], 6, seed=2)
    assert desk.table.position.rounds > 2 and desk.table.position.standing()[0].values[0]
    desk.session.print_round_points(0)
    assert not desk.console.written


@pytest.mark.parametrize("game", ["english-draughts", *(pytest.param(name, marks=pytest.mark.long) for name in (
    "scopa", "dominant-species", "evolution", "cribbage"))])
def test_a_kept_transcript_has_the_lines_of_a_new_one(game):
    """Plays and takes back decisions. A transcript that is kept all the time reads some of the positions."""
    desk, rng = play_random_game(game, [HUMAN, HUMAN], 3), random.Random(5)
    kept = {seat: TranscriptWithChanges(desk.table, desk.session.narrator, seat) for seat in (None, 0, 1)}
    for _ in range(80):
        decision = desk.table.position.decision
        if decision is None:
            break
        if len(desk.table.steps) > 5 and rng.random() < 0.15:
            desk.table.drop_steps(rng.randint(1, 3))
        else:
            desk.table.take(decision, rng.choice(decision.options), auto=len(decision) == 1)
        for seat, transcript in kept.items():
            if rng.random() < 0.4:
                start = rng.choice([0, max(0, len(desk.table.steps) - 40)])
                assert transcript.build_lines(start) == TranscriptWithChanges(desk.table, desk.session.narrator, seat).build_lines(start)


@pytest.mark.long
def test_received_cards_follow_the_event_that_names_their_owner():
    """Evolution: cards are dealt in the section New cards. The deck may run out in the next one, which deals nothing."""
    desk, rng, found = Desk("evolution", [HUMAN] * 2, seed=2), random.Random(2), 0
    while not desk.table.over and desk.table.position.rounds < 30:
        desk.table.play(rng.choice(desk.table.position.decision.options))
        for seat in (0, 1):
            lines = Transcript(desk.table, desk.session.narrator, seat).build_lines(len(desk.table.steps) - 1)
            for before, line in zip(lines, lines[1:]):
                if line.text.startswith("You receive: "):
                    ended = any("deck is empty" in other.text for other in lines)
                    assert not ended or line.part == "New cards" and before.text.startswith(f"Player {seat + 1} draws"), lines
                    assert " 1 " not in line.text
                    found += ended
    assert found
