"""Checks events with `tell … to`: the named players hear all values, all others only the public ones, everywhere."""

from __future__ import annotations

import random

import pytest
from indistinguishable_positions import LeakError, TwinComparison
from ludoglot.api import load
from ludoglot.engine.commands.main import main
from ludoglot.engine.position.position import GameEvent
from ludoglot.engine.preview.transcript_changes import TranscriptWithChanges
from shared_games import shared
from tmp_files import filled

GAME = """
game: pilfer
name: Pilfer
players: 3
rules: [pilfer.rules]
enums: {Jar: {name: jar, members: {alum: {name: alum}, borax: {name: borax}, dye: {name: dye}, ember: {name: ember}}}}
"""
RULES = """state deck: bag of Jar hidden
state hand[Player]: bag of Jar seen by player
state lost[Player]: bag of Jar seen by player
state thefts: 0..12
phase game:
    for jar in Jar: deck[jar] = 3
    for player in Player: draw 3 from deck to hand[player]
    rounds of player in Player until thefts == 12: steal(player)
proc steal(player) by player:
    choose victim in Player where victim != player and size(hand[victim]) > 0 or stop
    draw 1 from hand[victim] to lost[victim]
    let jar = the(one in lost[victim])
    move jar from lost[victim] to hand[player]
    thefts += 1
    tell stole(player, victim, jar) to player, victim
standing player: size(hand[player])
"""
TEXTS = 'did.steal.victim: "{who} goes to {victim}."\nevent.stole: "{player} takes {jar}~an from {victim}."\n'
OTHERS = 'event.stole.others: "{player} takes a jar from {victim}."\n'
JARS = ("alum", "borax", "dye", "ember")


@pytest.fixture
def folder(tmp_path):
    return filled(tmp_path / "pilfer", {"game.yaml": GAME, "pilfer.rules": RULES, "messages.yaml": TEXTS + OTHERS})


def play_one_theft(folder):
    """Returns a match in which player 1 has stolen something from player 2."""
    match = load(folder).start(seed=2)
    match.play("victim=player_2")
    return match


def test_a_listener_reads_the_value_and_others_another_sentence(folder):
    match = play_one_theft(folder)
    logs = [match.log("en", seat=seat) for seat in (0, 1, 2, None)]
    assert logs[0] == logs[1] and any(f"an {jar} from" in logs[0][1] or f"a {jar} from" in logs[0][1] for jar in JARS), logs
    assert logs[2] == logs[3] == ["Player 1 goes to Player 2.", "  Player 1 takes a jar from Player 2."]


def test_without_a_sentence_for_others_they_read_nothing(folder):
    filled(folder, {"messages.yaml": TEXTS})
    assert play_one_theft(folder).log("en", seat=2) == ["Player 1 goes to Player 2."]


def test_without_any_sentence_others_read_the_public_values(folder):
    filled(folder, {"messages.yaml": ""})
    said = play_one_theft(folder).log("en", seat=2)[-1]
    assert "Player 1" in said and "Player 2" in said and not any(jar in said for jar in JARS)


def test_a_text_for_others_that_names_a_hidden_value_is_reported(folder, capsys):
    filled(folder, {"messages.yaml": TEXTS + 'event.stole.others: "{player} takes {jar}~an."\n'})
    main(["check", str(folder), "--lang", "en"])
    told = capsys.readouterr()
    assert "W208" in told.out + told.err and "event.stole.others" in told.out + told.err


def test_a_text_for_others_of_an_event_that_everybody_hears_is_reported(folder, capsys):
    filled(folder, {"pilfer.rules": RULES.replace("tell stole(player, victim, jar) to player, victim", "tell stole(player, victim)"),
                    "messages.yaml": TEXTS.replace("{jar}~an", "a jar") + OTHERS})
    main(["check", str(folder), "--lang", "en"])
    told = capsys.readouterr()
    assert "W209" in told.out + told.err and "event.stole.others" in told.out + told.err


def test_the_transcript_names_a_received_thing_once(folder):
    match = play_one_theft(folder)
    for seat in range(3):
        lines = [line.text for line in TranscriptWithChanges(match._table, match._get_narrator("en"), seat).build_lines()]
        named = [line for line in lines if any(jar in line for jar in JARS)]
        assert len(named) == (seat < 2), lines


def test_a_replay_for_a_seat_reads_like_its_log(folder, tmp_path, capsys):
    save = tmp_path / "pilfer.save"
    match = play_one_theft(folder)
    match.save(save)
    for seat in range(3):
        assert main(["replay", str(save), "--view", str(seat), "--lang", "en"]) == 0
        assert match.log("en", seat=seat)[1].strip() in capsys.readouterr().out
    assert main(["replay", str(save), "--lang", "en"]) == 0
    assert not any(jar in capsys.readouterr().out for jar in JARS)


def play_pairs(folder):
    watch = TwinComparison(shared(folder), bots=False, pages=True)
    for seed in range(6):
        watch.play(seed, 10)
    return watch


def test_no_seat_can_tell_hidden_values_by_what_it_hears(folder):
    assert play_pairs(folder).compared > 100


def test_the_comparison_notices_a_value_that_all_hear(folder, monkeypatch):
    monkeypatch.setattr(GameEvent, "heard_by", lambda event, seat: event)
    with pytest.raises(LeakError, match="what is told|the story"):
        play_pairs(folder)


def test_a_listener_hears_the_same_in_both_catan_positions():
    watch, rng = TwinComparison(shared("catan", 3), bots=False), random.Random(4)
    position = watch.game.start(4)
    heard = 0
    while heard < 3 and not position.over:
        decision = position.decision
        step = watch.step(position, rng.choice(decision.options))
        for told in step.events:
            if told.key == "stole":
                heard += 1
                seats = [told.heard_by(seat) for seat in (*range(3), None)]
                assert [any(name == "good" for name, _, _ in one.slots) for one in seats] == [
                    seat in told.listeners for seat in (*range(3), None)] and len(told.listeners) == 2
    assert heard == 3
