"""Checks undo in random games of every shipped game, with people and bots at one table.

An allowed undo leaves no trace, and has revealed nothing to anybody. If something was revealed, undo is refused with a true reason."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import MatchTable, UndoError
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.observation import count_hidden, observe
from ludoglot.engine.position.position import Game, RuleError
from tmp_files import filled

RULES = Path(__file__).parent.parent.parent / "rules"
GAMES = sorted(path.parent.name for path in RULES.glob("*/game.yaml"))
TOYS = ["masquerade"]
CARD_GAMES = ["brisca", "scopa", "scopone", "snapszer"]  # nearly each decision reveals a card to all
ALWAYS_REVEALING_GAMES = ["scopone"]          # each card comes from a hand, and captures are seldom a choice
DICE_GAMES = ["yacht", "backgammon"]
GENERATOR_SLOT = 4                   # the entry of a position with its generator


def play_with_undo(game, seats: list[str], seed: int, decisions: int, path: Path) -> Counter:
    """Plays one random game. After each decision of a person, everybody tries to undo up to three. Returns the counts of the answers."""
    rng, answers = random.Random(seed), Counter[str]()
    table = MatchTable.new(
        game, MatchSetup(game.ruleset.id, game.players, seed, names=[""] * len(seats), seats=seats, langs=[""] * len(seats)), path
    )
    moments = []                                                    # before each decision of a person: steps, position, bytes, seat
    for _ in range(decisions):
        list(table.take_automatic())
        if table.over:
            break
        moments.append((len(table.steps), table.position.copy(), path.read_bytes(), table.position.decision.seat))
        table.play(rng.choice(table.position.decision.options))
        if rng.random() < 0.7:
            list(table.take_automatic())
        for seat in table.humans:
            count = rng.randint(1, 3)
            own = [moment for moment in moments if moment[3] == seat]
            if len(own) >= count:
                answers[try_undo(table, seat, count, own[-count], path, rng)] += 1
    assert table.save is not None
    table.save.close()
    return answers


def try_undo(table: MatchTable, seat: int, count: int, moment: tuple, path: Path, rng: random.Random) -> str:
    """Tries to undo, and then restores the previous state."""
    start, before, raw, _ = moment
    gone, after, saved, asked = table.steps[start:], table.position, path.read_bytes(), table.asked
    # Alone against bots, everything may be undone.
    true = find_undo_reasons(table, seat, before, gone) if len(table.humans) > 1 else set()
    try:
        table.undo(seat, count)
    except UndoError as error:
        assert error.key.removeprefix("undo.why.") in true, (error.key, true)
        assert (table.position, len(table.steps), path.read_bytes(), table.asked) == (after, start + len(gone), saved, asked)
        return error.key
    assert not true & {"other", "chance"}, true
    assert table.position == before and table.position.digest() == before.digest() and path.read_bytes() == raw
    assert len(table.steps) == start and table.asked == asked - sum(not step.auto for step in gone)
    if len(table.humans) > 1:
        check_nothing_was_learned(table.humans, before, gone, after, rng)
    for step in gone:
        decision = table.position.decision
        assert decision is not None
        table.take(decision, decision.find(step.option.spelling), step.auto)
    assert table.position == after and path.read_bytes() == saved
    return "allowed"


def find_undo_reasons(table: MatchTable, seat: int, before, gone: list) -> set[str]:
    """Returns the true reasons against undoing these steps."""
    found = set()
    for step in gone:
        if not step.auto and step.seat != seat:
            found.add("other" if table.setup.seats[step.seat] == "human" else "bot")
    given = [told for step in gone for told in step.events if told.key == "chance"]
    if before.s[GENERATOR_SLOT] != table.position.s[GENERATOR_SLOT] or any(told.slots for told in given):
        found.add("chance")
    if given:
        found.add("revealed")
    path = [step.before for step in gone] + [table.position]
    if any(has_revealed(table.humans, one, two) for one, two in zip(path, path[1:])):
        found.add("revealed")
    return found


def has_revealed(people: list[int], before, after) -> bool:
    """Whether a person now sees something they did not see before, or is offered it."""
    for seat in people:
        was, now = count_hidden(before, seat), count_hidden(after, seat)
        if any(was[kind] - now.get(kind, Counter()) for kind in was):
            return True
    return bool(after.decision is not None and after.decision.kind.shows)


def check_nothing_was_learned(people: list[int], before, gone: list, after, rng: random.Random) -> None:
    """Replays the steps from determinizations of the position before, and checks that the person sees the same.

    A bot remembers nothing it has seen."""
    for seat in people:
        first = gone[0].before.decision
        if first.seat != seat and first.kind.secret:
            continue
        for _ in range(3):
            twin = determinize_position(before, seat, random.Random(rng.random()))
            assert observe(twin, seat) == observe(before, seat)
            for step, then in zip(gone, [*(step.before for step in gone[1:]), after]):
                option = twin.decision.find(step.option.spelling) if twin.decision is not None else None
                if option is None and step.seat != seat and step.secret:
                    break
                assert option is not None, f"seat {seat} sees that {step.option} is possible"
                try:
                    twin.play(step.seat, option)
                except RuleError:                                   # a determinization may be inconsistent
                    break
                assert observe(twin, seat) == observe(then, seat), f"seat {seat} learned something by {step.key}: {step.option}"


def make_seats(players: int, kind: int) -> list[str]:
    """Returns alternating people and bots, or people and one bot, or people alone."""
    if kind == 0:
        return ["human" if seat % 2 == 0 else "bot:random" for seat in range(players)]
    return ["human"] * (players - (kind == 1)) + ["bot:random"] * (kind == 1)


@pytest.mark.long_cases(
    "chess", "dominant-species", "english-draughts", "evolution", "go", "hearts", "international-draughts", "liars-dice",
    "lines-of-action", "oware", "reversi", "snapszer", "trias",
)
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
def test_undo_depends_on_revealed_information(game, name, tmp_path):
    played = game(name)
    answers: Counter[str] = Counter()
    for seed in (1, 2, 3, 4) if name in CARD_GAMES else (1,):
        answers += play_with_undo(played, make_seats(played.players, 0), seed, 12, tmp_path / f"a{seed}")
    answers += play_with_undo(played, ["human"] * played.players, 2, 12, tmp_path / "b")
    assert answers["undo.why.revealed" if name in ALWAYS_REVEALING_GAMES else "allowed"], answers


@pytest.mark.long
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
def test_undo_depends_on_revealed_information_in_long_games(game, name, tmp_path):
    answers: Counter[str] = Counter()
    played = game(name) if game(name).players > 1 else game(name, 2)       # alone, there is no bot
    for seed in range(6):
        answers += play_with_undo(played, make_seats(played.players, seed % 3), seed, 150 if name in GAMES else 60, tmp_path / str(seed))
    assert answers["allowed"], answers
    if name in ("evolution", "trias", "dominant-species", "masquerade", *DICE_GAMES, *CARD_GAMES):
        assert answers["undo.why.chance"] + answers["undo.why.revealed"], answers


@pytest.mark.parametrize("name", ["backgammon", "liars-dice"])
def test_chance_can_be_undone_alone_against_bots(game, name):
    """Dice are rolled between two answers. With a second person at the table, the roll cannot be undone."""
    played = game(name, 2)
    for seats in (["human", "bot:random"], ["human", "human"]):
        table = MatchTable.new(played, MatchSetup(played.ruleset.id, 2, 3, dict(played.ruleset.settings), names=["", ""], seats=seats,
                                                  langs=["", ""]))
        list(table.take_automatic())
        own = table.position.decision.seat
        first, before = table.position.copy(), len(table.steps)
        while first.s[GENERATOR_SLOT] == table.position.s[GENERATOR_SLOT] or table.position.decision.seat != own:
            table.play(table.position.decision.options[0])
            list(table.take_automatic())
        after, taken, many = table.position.copy(), list(table.steps), sum(
            not step.auto and step.seat == own for step in table.steps[before:])
        if seats[1] == "human":
            with pytest.raises(UndoError, match="chance|other|revealed"):
                table.undo(own, many)
            continue
        table.undo(own, many)
        assert table.position == first and len(table.steps) == before
        for step in taken[before:]:
            if not step.auto and step.seat == own:
                table.play(table.position.decision.find(step.option.spelling))
                list(table.take_automatic())
        assert table.position == after and [step.option for step in table.steps] == [step.option for step in taken]


@pytest.mark.parametrize("people", [1, 2])
def test_own_secret_knowledge_does_not_block_undo(game, tmp_path, people):
    """Players know which trait they play, so the next question reveals nothing to them. The question does reveal something to others."""
    played = game("evolution", 3)
    seats = ["human"] * people + ["bot:random"] * (3 - people)
    table = MatchTable.new(played, MatchSetup(played.ruleset.id, 3, 1, dict(played.ruleset.settings) | {"starter": "first_seat"},
                                    names=[""] * 3, seats=seats, langs=[""] * 3), tmp_path / "save")
    for wanted in ("animal", "trait"):
        while True:
            list(table.take_automatic())
            decision = table.position.decision
            found = [option for option in decision.options if option.entry == wanted] if decision.seat == 0 else []
            if found:
                break
            table.play(decision.options[-1])
        table.play(found[0])
    assert table.position.decision.key.startswith(("give", "link")) and table.position.decision.seat == 0
    if people == 1:
        assert table.undo(0)[0].option.entry == "trait"
    else:
        with pytest.raises(UndoError, match="revealed"):
            table.undo(0)
        assert table.undo(0, watching=[0])[0].option.entry == "trait"     # the other player has not had the screen


def test_shuffle_cannot_be_undone(game):
    """Nobody has seen anything after a shuffle, but the next draws differ."""
    dice = game("dominant-species", 2)
    before = dice.start(1)
    after = before.copy()
    after.s[GENERATOR_SLOT] += 1
    from ludoglot.engine.position.observation import why_irrevocable
    assert why_irrevocable(before, after, []) == "chance" and why_irrevocable(before, before, []) is None


PEEK_RULES = """\
state row: set of Card
state deck: bag of Card hidden
state seen[Player]: 0..9

phase game:
    row = set(card in Card)
    for player in Player:
        choose card in row by player or stop
        choose found in deck by player or stop
        seen[player] += 1

standing player: seen[player]
"""
PEEK_DATA = """\
game: peek
name: Peek
players: 2
rules: [peek.rules]
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Card: {name: card, members: {one: {name: one}, two: {name: two}}}
start: {deck: {one: 1}}
"""


@pytest.mark.long
def test_offered_hidden_cards_count_as_seen(tmp_path):
    """The options of the next decision show the contents of a hidden place, and this counts as a look."""
    game = Game(load_ruleset(filled(tmp_path, {"game.yaml": PEEK_DATA, "peek.rules": PEEK_RULES})))
    table = MatchTable.new(game, MatchSetup("peek", 2, 1, names=["", ""], seats=["human", "human"], langs=["", ""], auto=False))
    table.play(table.position.decision.options[0])
    assert table.position.decision.kind.shows == ("deck",)
    with pytest.raises(UndoError, match="revealed"):
        table.undo(0)
