"""Checks that the players of a loop `at once` may answer in any order, and that every order leads to the same position."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.observation import observe
from ludoglot.engine.position.position import Game, Position
from ludoglot.engine.position.simultaneous import find_simultaneous_loop, leaves_loop, list_simultaneous_seats, open_turn
from ludoglot.engine.position.visibility import iter_hidden_entries
from shared_games import shared

GAMES = [("sealed-bids", 2), ("sealed-bids", 4), ("hearts", 4), ("cribbage", 2)]
MAX_DECISIONS = 400
Answers = dict[int, list[tuple[str, list[str], str]]]              # by seat: the key, the spelled options and the answer of each decision


def draw_answers(start: Position, rng: random.Random) -> Answers:
    """Returns random answers of each seat, each from a turn of its own."""
    found: Answers = {}
    for seat in list_simultaneous_seats(start):
        turn, found[seat] = open_turn(start, seat), []
        assert turn is not None
        while (decision := turn.decision) is not None and decision.seat == seat:
            option = rng.choice(decision.options)
            found[seat].append((decision.key, [one.spelling for one in decision.options], option.spelling))
            turn.play(seat, option)
    return found


def play_answers(position: Position, answers: Answers) -> list[tuple[int, bool]]:
    """Plays answers in the order of the position, and checks the decisions. Returns the seats, and whether the loop ended."""
    left, ends = {seat: list(given) for seat, given in answers.items()}, []
    while any(left.values()):
        decision = position.decision
        assert decision is not None
        key, spellings, answer = left[decision.seat].pop(0)
        assert (decision.key, [option.spelling for option in decision.options]) == (key, spellings)
        option = decision.find(answer)
        assert option is not None
        ends.append((decision.seat, leaves_loop(position, option.code)))
        position.play(decision.seat, option)
    return ends


@pytest.mark.parametrize("name, players", GAMES)
def test_every_order_leads_to_the_same_position(name, players):
    game, met = shared(name, players), 0
    for seed in range(3):
        position, rng = game.start(seed), random.Random(seed)
        for _ in range(MAX_DECISIONS):
            if position.over:
                break
            seats = list_simultaneous_seats(position)
            if not seats:
                position.play(position.s[1], rng.choice(position.decision.options))
                continue
            met += 1
            start, answers = position.copy(), draw_answers(position, rng)
            assert set(answers) == set(seats) and all(answers.values())
            ends = play_answers(position, answers)
            assert [seat for seat, _ in itertools.groupby(ends, lambda one: one[0])] == list(seats)
            assert [ended for _, ended in ends] == [False] * (len(ends) - 1) + [True]
            loop = find_simultaneous_loop(start)
            begun, members = start.s[loop.index.slot], start.s[loop.things.slot]
            for later in itertools.permutations(members[begun:]):
                other = start.copy()
                other.s[loop.things.slot] = (*members[:begun], *later)
                play_answers(other, answers)
                assert other.canonical() == position.canonical()
    assert met > 2


@pytest.mark.parametrize("name, players", GAMES)
def test_a_turn_shows_nothing_of_the_others(name, players):
    """The turn of a seat is the same whatever the others hold, and after it the seat sees no answer of another one."""
    game = shared(name, players)
    position = game.start(2)
    while len(list_simultaneous_seats(position)) < players:
        position.play(position.s[1], 0)
    for seat in range(players):
        seen = []
        for seed in range(4):
            start = position if seed == 0 else other_hands(position, seat, random.Random(seed))
            turn = open_turn(start, seat)
            while turn.decision.seat == seat:
                turn.play(seat, 0)
            seen.append((observe(turn, seat), turn.decision.seat))
        assert all(one == seen[0] for one in seen)


def other_hands(position: Position, seat: int, rng: random.Random) -> Position:
    """Returns a position that a seat cannot distinguish, in which the same seat is asked first."""
    decides = position.s[1] == seat or not position.decision.kind.secret
    if decides:
        return determinize_position(position, seat, rng)
    turn = open_turn(position, seat)                               # in its own turn, the others may be drawn again
    found = determinize_position(turn, seat, rng)
    result = position.copy()
    for cell, index, value in iter_hidden_entries(found, seat):
        result.set_raw(cell, index, value)
    result.invalidate_memos()
    return result


PICKS = """\
state chosen[Player]: 0..9 seen by player
state first: Player?

phase game:
    for player in {loop} at once: pick(player)
    for player in Player at once: pick(player)

proc pick(player) by player:
    choose n in 0..2
    chosen[player] += n
    choose m in 0..n
    chosen[player] += m

standing player: 0
always kept: all(player in Player: chosen[player] >= 0)
"""


def load_picks(folder, loop: str) -> Game:
    (folder / "game.yaml").write_text("game: picks\nname: Picks\nplayers: 3\nrules: [picks.rules]\n", encoding="utf-8")
    (folder / "picks.rules").write_text(PICKS.replace("{loop}", loop), encoding="utf-8")
    return Game(load_ruleset(folder, 3))


@pytest.mark.parametrize("loop, seats", [
    ("Player", (0, 1, 2)), ("clockwise(player_3)", (2, 0, 1)), ("{player_2, player_3}", (1, 2)), ("{player_2}", ()),
    ("[player_1, player_2, player_1]", ()),                        # the second turn of a player depends on the first
])
def test_seats_that_may_answer_now(tmp_path, loop, seats):
    assert list_simultaneous_seats(load_picks(tmp_path, loop).start()) == seats


# ---------------------------------------------------------------- random loops

RANDOM_RULES = """\
state mine[Player]: 0..9999 seen by player
state hand[Player]: set of Card seen by player
state laid[Player]: set of Card seen by player
state plain[Player]: 0.. = 2
state common: 0.. = 1
state result[Player]: 0..

def few(player) = size(laid[player])
def total = sum(p in Player: mine[p])

phase game:
    for card in Card: hand[card.owner] += {card}
    for player in Player at once: turn(player)
    for player in Player: result[player] = 100 * mine[player] + size(laid[player]) + plain[player] + common

proc turn(player) by player:
    choose first in 0..3
    mine[player] += first
{lines}
    choose last in 0..min(3, mine[player])
    mine[player] += last

proc more(player) by player:
    may choose card in hand[player]:
        move card from hand[player] to laid[player]
        mine[player] += few(player)
    otherwise: mine[player] += 1

proc bump(player): mine[player] += 5

standing player: result[player]
always used: few(player_1) + total >= 0
"""
SOUND = [
    "mine[player] += 1", "mine[player] += common + plain[next(player)]", "more(player)", "bump(player)",
    "let me = player\nmine[me] += few(me)", "repeat 2: mine[player] += few(player)",
    "if mine[player] > 4: more(player)\nelse: mine[player] += 2",
    "for card in hand[player]: mine[player] += card.worth",
    "let k = mine[player]\nk += 1\nmine[player] = k",
    "choose up to 2 times card in hand[player]: move card from hand[player] to laid[player]",
    "choose up to 2 cards in hand[player]\nmove cards from hand[player] to laid[player]",
    "mine[player] += after bump(player): mine[player] // 2",
    "let spare = hand[player]\nmine[player] += size(spare)",
    "choose other in Player where other != player: mine[player] += plain[other]",
]
UNSOUND = [
    "mine[next(player)] += 1", "common += 1", "plain[player] += 1",
    "more(player)\nmine[player] += size(laid[next(player)])", "mine[player] += total",
    "more(next(player))", "bump(next(player))", "tell heard(player)", "choose die in 1..6 by chance\nmine[player] += die",
    "for p in Player: mine[p] += 1", "move up to 1 from mine[next(player)] to mine[player]", "draw 1 from hand[player] to laid[player]",
    "mine[player] += after bump(next(player)): mine[player]", "choose n in 0..2 by next(player)\nmine[player] += n",
    "swap mine[player] and mine[next(player)]", "more(player)\nmine[player] += few(next(player))", "for p in Player at once: more(p)",
]


def load_random(folder, picked: list[str]) -> Game:
    lines = []
    for n, text in enumerate(picked):                              # names are declared once
        for name in ("me", "k", "cards", "spare", "other", "card", "die", "n"):
            text = re.sub(rf"(?<![.\w]){name}\b", f"{name}_{n}", text)
        lines += ["    " + line for line in text.split("\n")]
    (folder / "game.yaml").write_text(RANDOM_DATA, encoding="utf-8")
    (folder / "random.rules").write_text(RANDOM_RULES.replace("{lines}", "\n".join(lines)), encoding="utf-8")
    return Game(load_ruleset(folder, 3))


RANDOM_DATA = """\
game: random
name: Random
players: 3
rules: [random.rules]
pieces:
  Card:
    attributes: {owner: Player, worth: int}
    copies:
      one: {n: 2, owner: player_1, worth: 1}
      two: {n: 3, owner: player_2, worth: 2}
      three: {n: 1, owner: player_3, worth: 3}
"""


@pytest.mark.parametrize("seed", [n if n < 6 else pytest.param(n, marks=pytest.mark.long) for n in range(60)])
def test_random_loops_give_the_same_result_in_every_order(tmp_path, seed):
    rng = random.Random(seed)
    game = load_random(tmp_path, rng.sample(SOUND, rng.randint(1, 5)))
    for _ in range(5):
        start = game.start(seed)
        answers = draw_answers(start, rng)
        loop = find_simultaneous_loop(start)
        ends = set()
        for order in itertools.permutations(answers):
            position = open_turn(start, order[0])
            assert position is not None
            position = Position(game, position.s)                  # a plain position goes on with the next seat
            position.s[loop.things.slot] = order
            if order[0] == start.s[1]:
                position.s[loop.index.slot] = 1
            play_answers(position, answers)
            assert position.over
            ends.add(position.canonical())
        assert len(ends) == 1


@pytest.mark.parametrize("seed", [n if n < 4 else pytest.param(n, marks=pytest.mark.long) for n in range(len(UNSOUND))])
def test_loops_whose_order_could_matter_are_refused(tmp_path, seed):
    rng = random.Random(seed)
    picked = [*rng.sample(SOUND, 2), UNSOUND[seed]]
    rng.shuffle(picked)
    with pytest.raises(RulesRejectedError, match="R33[1-5]"):
        load_random(tmp_path, picked)


def test_loops_one_after_another_are_different(tmp_path):
    """The last answer of the first loop leads to the second one, at the same line of the same procedure."""
    position = load_picks(tmp_path, "Player").start()
    ends = []
    while not position.over:
        ends.append(leaves_loop(position, position.decision.codes[-1]))
        position.play(position.s[1], position.decision.options[-1])
    assert [n for n, ended in enumerate(ends) if ended] == [5, 11]


def test_numbers_from_an_open_set_are_secret(tmp_path):
    """Nobody else may learn the number, neither from the state nor from the move."""
    position = load_picks(tmp_path, "Player").start()
    decision = position.decision
    assert decision.kind.secret and decision.names_hidden_from_others(decision.options[1]) == {"n"}
    other = position.copy()
    position.play(0, "n=1")
    other.play(0, "n=2")
    assert observe(position, 1) == observe(other, 1) != observe(position, 0)
