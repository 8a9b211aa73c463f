"""The page that tells of many games: true of packs whose effect is known, readable in four languages, whole for who cannot see pictures."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from ludoglot.engine.lab import spreadsheet
from ludoglot.engine.lab.compared import Looks
from ludoglot.engine.lab.figures import Figures
from ludoglot.engine.lab.merits import difference, merits
from ludoglot.engine.lab.paper import Report, paper
from ludoglot.engine.lab.plan import Plan, Rules, opened
from ludoglot.engine.lab.playouts import Played
from ludoglot.engine.lab.told import Told
from ludoglot.engine.lab.workers import Run, alone
from ludoglot.engine.telling.teller import Teller
from ludoglot.engine.words import game_words
from pyarrow import parquet

from .conftest import rules_of

TEXTS = {"game.name": "Market"}


def games_of(rules: Rules, count: int) -> list[Played]:
    run = Run(Plan((rules,), count), alone)
    run.carry_out([count])
    return list(run.games.values())


def page(rules: tuple[Rules, ...], count: int, lang: str = "en") -> str:
    plan = Plan(rules, count)
    run, looks = Run(plan, alone), Looks(plan)
    run.carry_out(looks.stops if plan.compares else [count], looks.enough if plan.compares else lambda games, n: True)
    seen = [[game for (side, _), game in run.games.items() if side == n] for n in range(len(rules))]
    game = opened(rules[0])
    words = game_words(lang, "market", Path(rules[0].folder), TEXTS | {key: text for key, (text, _) in game.model.texts.items()})
    return paper(Report(Told(Teller(game, words), plan), [Figures(2, games) for games in seen], merits(seen[0]), looks.verdict))


class Read(HTMLParser):
    """The texts of a page, and what its pictures are called."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "svg":
            assert found.get("role") == "img"
            self.pictures.append(found.get("aria-label") or "")
        if "id" in found:
            self.ids.append(found["id"] or "")

    def handle_data(self, data):
        self.texts.append(data)


def test_those_who_chose_it_more_are_set_against_the_others():
    assert difference([2, 0, 1], [0.6, 0.1, 0.3]) == pytest.approx(0.6 - 0.2)
    assert difference([1, 1, 1], [0.6, 0.1, 0.3]) is None and difference([], [1, 0]) is None


def test_a_card_worth_far_too_much_is_found(market):
    found = {merit.thing: merit for merit in merits(games_of(rules_of(market, "Stall.glass.price: 90"), 80))}
    glass = found["Stall.glass"]
    assert glass.clear and glass.by is not None and glass.by > 0.2 and glass.low > 0.1
    assert all(not merit.clear or (merit.by or 0) < 0 for thing, merit in found.items() if thing != "Stall.glass")


def test_cards_worth_the_same_are_not_set_apart(market):
    assert not any(merit.clear for merit in merits(games_of(rules_of(market), 80)))


def test_a_card_worth_nothing_is_found(market):
    found = {merit.thing: merit for merit in merits(games_of(rules_of(market, "Stall.glass.price: 0"), 80))}
    assert found["Stall.glass"].clear and found["Stall.glass"].high < 0


@pytest.mark.long
def test_the_page_says_what_a_pack_does(market):
    said = " ".join(Read(page((rules_of(market, "Stall.glass.price: 90"), rules_of(market)), 60)).texts)
    assert re.search(r"With the house rules a player makes \d+\.\d more points on average.* That is more than chance\.", said)
    assert re.search(r"Whoever chose “Glass” more often had \d+\.\d percentage points more of the points", said)


def test_the_page_says_that_a_pack_does_nothing(market):
    said = " ".join(Read(page((rules_of(market, "days: 4"), rules_of(market)), 12)).texts)
    assert "The house rules changed nothing: all 12 pairs of games went alike." in said and "With the house rules" not in said


@pytest.mark.parametrize("lang", ["hu", *(pytest.param(lang, marks=pytest.mark.long) for lang in ("en", "it", "es"))])
def test_a_page_is_whole_in_each_language(market, lang):
    text = page((rules_of(market, "days: 5"), rules_of(market)), 12, lang)
    read = Read(text)
    assert f'<html lang="{lang}">' in text and len(read.pictures) == 4
    assert all(re.search(r"\w+ .*\.$", said) for said in read.pictures)
    assert len(set(read.ids)) == len(read.ids)
    assert not re.search(r"https?://(?!www\.w3\.org|purl\.org|creativecommons\.org)", text) and "<script" not in text
    assert not re.findall(r"\b(?:report|compare|measure|axis|simulate)\.\w+", " ".join(read.texts))


@pytest.mark.long
def test_a_page_is_the_same_each_time(market):
    rules = (rules_of(market, "days: 5"), rules_of(market))
    assert page(rules, 8) == page(rules, 8)


def test_columns_hold_every_game(market, tmp_path):
    games = games_of(rules_of(market), 9)
    spreadsheet.write(tmp_path, "games", spreadsheet.game_rows([games]))
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["seed"]), int(row["score_0"])) for row in rows] == [(game.seed, game.scores[0]) for game in games]
    assert parquet.read_table(tmp_path / "games.parquet").column("score_1").to_pylist() == [game.scores[1] for game in games]
