"""Checks the table of a match: bots and forced decisions, saving, resuming, and undo."""

from __future__ import annotations

import json
import random

import pytest
from ludoglot.engine.match.save_file import MatchSetup, SaveError, SaveFile, read_save
from ludoglot.engine.match.table import MatchTable, UndoError
from ludoglot.engine.position.position import IllegalOptionError
from save_fixtures import chained, unchained


def make_setup(game, seats, seed=1, **more):
    return MatchSetup(game.ruleset.id, game.players, seed, {}, [], ["", ""], seats, ["", ""], **more)


def play_to_end(table):
    """Takes the first option for the people at this table until the game is over."""
    while True:
        list(table.settle())
        if table.over:
            return
        table.play(table.position.decision.options[0])


def test_bots_play_by_themselves(game):
    table = MatchTable.new(game("hex"), make_setup(game("hex"), ["bot:random", "bot:random"]))
    steps = list(table.take_automatic())
    assert table.over and len(steps) == len(table.steps) and table.asked <= len(steps)


def test_bot_decisions_are_limited(game, monkeypatch):
    from ludoglot.engine.match import table as module
    monkeypatch.setattr(module, "MAX_BOT_DECISIONS", 10)
    table = MatchTable.new(game("hex"), make_setup(game("hex"), ["bot:random", "bot:random"]))
    assert len(list(table.take_automatic())) == 10 and not table.over


def test_single_options_are_taken_and_not_counted(game):
    tic = game("tic-tac-toe")
    one = MatchTable.new(tic, make_setup(tic, ["human", "human"]))
    for cell in ("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3"):
        list(one.take_automatic())
        one.play(f"cell={cell}")
    steps = list(one.take_automatic())
    assert one.over and [step.auto for step in steps] == [True] and one.asked == 8
    every = MatchTable.new(tic, make_setup(tic, ["human", "human"], auto=False))
    for cell in ("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3"):
        every.play(f"cell={cell}")
    assert list(every.take_automatic()) == [] and not every.over
    every.play("cell=b3")
    assert every.position == one.position and every.asked == 9


def test_secret_decision_is_never_taken_automatically(game):
    parry = game("parry")
    table = MatchTable.new(parry, make_setup(parry, ["human", "human"]))
    for _ in range(30):
        list(table.take_automatic())
        if table.over:
            break
        table.play(table.position.decision.options[-1])
    assert not any(step.auto and step.secret for step in table.steps)


@pytest.mark.long
def test_forced_secret_decision_is_automatic_for_a_single_person(game):
    """A player alone among bots was once asked for the two animals that a trait joins, although there were only two."""
    evolution, taken = game("evolution"), 0
    for seed in range(6):
        table = MatchTable.new(evolution, make_setup(evolution, ["human", "bot:random"], seed=seed))
        rng = random.Random(seed)
        for _ in range(40):
            list(table.take_automatic())
            if table.over:
                break
            assert len(table.position.decision) > 1 and table.position.decision.seat == 0
            table.play(rng.choice(table.position.decision.options))
        assert not any(step.auto and step.secret and step.seat for step in table.steps), "it would reveal the options of a bot"
        taken += sum(step.auto and step.secret for step in table.steps)
    assert taken > 3


def test_illegal_option_is_rejected_and_changes_nothing(game, tmp_path):
    table = MatchTable.new(game("hex"), make_setup(game("hex"), ["human", "human"]), tmp_path / "s")
    before = table.position.copy()
    with pytest.raises(IllegalOptionError):
        table.play("cell=z9")
    assert table.position == before and len(unchained(tmp_path / "s")) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", ["connect-four", "parry", "dominant-species"])
@pytest.mark.parametrize("cut", [0.3, 0.7])
def test_game_with_a_cut_save_continues_identically(game, tmp_path, name, cut):
    whole = MatchTable.new(game(name), make_setup(game(name), ["bot:greedy", "bot:random"], 4), tmp_path / "whole")
    for count, _ in enumerate(whole.take_automatic()):
        if count > 120:
            break
    raw = (tmp_path / "whole").read_bytes()
    (tmp_path / "cut").write_bytes(raw[: int(len(raw) * cut)])
    if b"\n" not in raw[: int(len(raw) * cut)]:
        return
    table = MatchTable.resume(game(name), tmp_path / "cut")
    for _ in table.take_automatic():
        if len(table.steps) == len(whole.steps):
            break
    assert table.position.digest() == whole.position.digest()
    assert (tmp_path / "cut").read_bytes() == raw


def test_every_line_has_the_hash_of_the_position_after_it(game, tmp_path):
    table = MatchTable.new(game("hex"), make_setup(game("hex"), ["bot:random", "bot:random"]), tmp_path / "s")
    list(table.take_automatic())
    _, lines, ends = read_save(tmp_path / "s")
    position = game("hex").start(1)
    for line in lines:
        position.play(line.seat, line.option)
        assert position.digest() == line.hash
    assert ends[-1] == (tmp_path / "s").stat().st_size


def test_save_of_another_game_or_version_is_rejected(game, tmp_path):
    MatchTable.new(game("hex"), make_setup(game("hex"), ["human", "human"]), tmp_path / "s")
    with pytest.raises(SaveError, match="other_rules"):
        MatchTable.resume(game("tic-tac-toe"), tmp_path / "s")
    (head,) = unchained(tmp_path / "s")
    for raw in (chained([{**head, "ludoglot": 99}]), json.dumps({**head, "ludoglot": 99}).encode() + b"\n"):
        (tmp_path / "s").write_bytes(raw)
        with pytest.raises(SaveError, match="newer"):
            read_save(tmp_path / "s")
    for damage in ("", "[]\n", "{}\n", "\0\n", '{"ludoglot": 1}\n'):
        (tmp_path / "s").write_text(damage, encoding="utf-8")
        with pytest.raises(SaveError):
            read_save(tmp_path / "s")


def test_dropping_lines_cuts_the_file(tmp_path):
    from ludoglot.engine.match.save_file import SavedDecision
    save = SaveFile.create(tmp_path / "s", MatchSetup("x", 1, 1))
    (head,) = unchained(tmp_path / "s")
    for n in range(3):
        save.add_decision(SavedDecision(0, "k", f"o={n}", "h", auto=n == 1))
    save.undo_decisions(2)
    save.add_decision(SavedDecision(0, "k", "é", "h"))
    kept = [{"seat": 0, "key": "k", "option": option, "hash": "h"} for option in ("o=0", "é")]
    assert (tmp_path / "s").read_bytes() == chained([head, *kept])


def test_undo_restores_the_position_and_repeats_the_bot(game):
    tic = game("tic-tac-toe")
    table = MatchTable.new(tic, make_setup(tic, ["human", "bot:random"]))
    start = table.position.copy()
    table.play("cell=a1")
    (gone,) = table.undo(0)
    assert gone.option.spelling == "cell=a1" and table.position == start and table.steps == [] and table.asked == 0
    table.play("cell=a1")
    (answer,) = table.take_automatic()
    other = MatchTable.new(tic, make_setup(tic, ["human", "bot:random"]))
    other.play("cell=a1")
    assert next(other.take_automatic()).option == answer.option


@pytest.mark.parametrize("count", [1, 2])
def test_undo_takes_back_the_answers_of_bots(game, tmp_path, count):
    """Everybody sees all of Tic-tac-toe, so nobody learns anything from an answer."""
    tic = game("tic-tac-toe")
    table = MatchTable.new(tic, make_setup(tic, ["human", "bot:random"]), tmp_path / "save")
    moments = []
    for _ in range(count):
        moments.append((table.position.copy(), (tmp_path / "save").read_bytes(), len(table.steps)))
        table.play(table.position.decision.options[0])
        list(table.take_automatic())
    before, saved, steps = moments[-1]
    (gone,) = table.undo(0)
    assert gone.seat == 0 and table.position == before and len(table.steps) == steps
    other = MatchTable.new(tic, make_setup(tic, ["human", "bot:random"]))
    for step in table.steps:
        other.play(step.option)
    assert other.position == table.position
    if table.save is not None:
        table.save.close()
    assert MatchTable.resume(tic, tmp_path / "save", reopen=False).position == before


def test_undo_takes_back_the_single_option_of_a_bot(game):
    """Tic-tac-toe: the last mark has only one place, so this forced move is no decision of the bot."""
    tic = game("tic-tac-toe")
    table = MatchTable.new(tic, make_setup(tic, ["bot:random", "human"]))
    table.setup.seats[0] = "human"
    for cell in ("a1", "b1", "c1", "a2", "c2", "b2", "a3"):
        table.play(f"cell={cell}")
    table.setup.seats[0] = "bot:random"
    before = table.position.copy()
    table.play("cell=c3")
    assert [step.auto for step in table.take_automatic()] == [True] and table.over
    assert table.undo(1)[0].option.spelling == "cell=c3" and table.position == before and table.asked == 7


def test_undo_takes_back_several_or_none(game, tmp_path):
    """In Trias, a player decides several times in a row."""
    trias, rng, found = game("trias", 2), random.Random(0), 0
    table = MatchTable.new(trias, make_setup(trias, ["human", "human"], 0), tmp_path / "s")
    for _ in range(60):
        list(table.take_automatic())
        before, raw, count = table.position.copy(), (tmp_path / "s").read_bytes(), len(table.steps)
        seat = table.position.decision.seat
        for _ in range(3):
            table.play(rng.choice(table.position.decision.options))
            list(table.take_automatic())
        after = table.position.copy(), len(table.steps), (tmp_path / "s").read_bytes()
        try:
            gone = table.undo(seat, 3)
        except UndoError:
            assert (table.position, len(table.steps), (tmp_path / "s").read_bytes()) == after
        else:
            found += 1
            assert {step.seat for step in gone} == {seat} and len(gone) <= 3
            assert (table.position, len(table.steps), (tmp_path / "s").read_bytes()) == (before, count, raw)
        if found == 3:
            break
    for count in (0, -1, 99):
        with pytest.raises(UndoError, match="nothing"):
            table.undo(seat, count)
    assert found == 3


def test_undo_is_refused_after_chance_or_another_person(game):
    tic, parry = game("tic-tac-toe"), game("parry")
    table = MatchTable.new(tic, make_setup(tic, ["human", "human"]))
    with pytest.raises(UndoError, match="nothing"):
        table.undo(0)
    table.play("cell=a1")
    table.play("cell=b1")
    with pytest.raises(UndoError, match="other"):
        table.undo(0)
    table.undo(1)
    table = MatchTable.new(parry, make_setup(parry, ["human", "human"], 2))
    list(table.take_automatic())
    seat = table.position.decision.seat
    table.play(table.position.decision.options[0])
    list(table.take_automatic())
    with pytest.raises(UndoError, match="chance|revealed|other"):
        table.undo(seat)
    assert table.steps


@pytest.mark.long
def test_people_and_bots_at_a_large_game(game, tmp_path):
    large = game("dominant-species", 2)
    table = MatchTable.new(large, make_setup(large, ["human", "bot:random"], 5), tmp_path / "s")
    for _ in range(25):
        list(table.take_automatic())
        table.play(table.position.decision.options[0])
    again = MatchTable.resume(large, tmp_path / "s", reopen=False)
    assert again.position == table.position and again.asked == table.asked
