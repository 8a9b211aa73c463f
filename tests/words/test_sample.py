"""Checks sample lines from whole games: they contain no names that appear only in rules."""

from __future__ import annotations

import re
from functools import cache

import pytest
from click.testing import CliRunner
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.commands.words_sample import SampleLine, draw_sample, iter_engine_lines, iter_game_lines
from ludoglot.engine.i18n import LANGUAGES, Localizer, engine_localizer
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.position.answer_index import AnswerIndex
from ludoglot.engine.table_view.inspect_item import ItemInspector

TYPED_TEXT = re.compile(r"\([a-z0-9_, .-]+\)|--option \w+|\brules/\S+|`[^`]*`")  # typed values of options, and places of rules
IDENTIFIER = re.compile(r"\b[a-z]+_[a-z0-9_]+\b|\b[a-z]+[A-Z]\w*\b|\{\w+\}|~[a-z]")


@pytest.fixture(scope="module")
def load_cached_game():
    """A game, compiled once for its four languages."""
    return cache(lambda name: load_game(LocalizedConsole("en"), name))


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", list_game_ids())
def test_sample_lines_contain_no_identifiers(name, lang, load_cached_game, monkeypatch):
    """A missing name would show as an identifier, and an unfilled field as its source text."""
    bare: list[str] = []
    typed = ItemInspector.index_things
    asked: list[int] = []                                          # names for typed input use every thing, so skip them

    def names(self: ItemInspector) -> AnswerIndex:
        asked.append(1)
        found = typed(self)
        asked.pop()
        return found

    def watched(name: str) -> str:
        bare.extend([] if asked else [name])
        return name

    monkeypatch.setattr(Localizer, "humanize_identifier", staticmethod(watched))
    monkeypatch.setattr(ItemInspector, "index_things", names)
    monkeypatch.setattr("ludoglot.engine.commands.words_sample.MAX_ROUNDS", 3)
    monkeypatch.setattr("ludoglot.engine.commands.words_sample.DECISIONS_PER_TABLE", 4)
    lines = list(iter_game_lines(load_cached_game(name), lang, seed=5))
    assert len({line.kind for line in lines}) >= 6 and len(lines) > 30
    wrong = [(line.place, line.text, found[0]) for line in lines for found in IDENTIFIER.finditer(TYPED_TEXT.sub("", line.text))]
    assert not wrong and not bare


def test_sample_depends_on_the_seed_and_covers_all_kinds():
    lines = [
        SampleLine(kind, f"{kind} {n}", f"{kind} number {n}, {'abcdefghij'[n]}") for kind in ("log", "card", "help") for n in range(10)
    ]
    first = draw_sample(lines, 9, seed=1)
    assert first == draw_sample(list(reversed(lines)), 9, seed=1) != draw_sample(lines, 9, seed=2)
    assert sorted(line.kind for line in first) == ["card"] * 3 + ["help"] * 3 + ["log"] * 3


def test_lines_that_differ_only_in_numbers_are_drawn_once():
    assert len(draw_sample([SampleLine("log", str(n), f"{n} coins") for n in range(2, 9)], 5, seed=1)) == 1


def test_sample_includes_engine_texts():
    kinds = {line.kind for line in iter_engine_lines(engine_localizer("hu"))}
    assert kinds == {"engine", "explanation", "finding", "help"}


def test_words_sample_command(monkeypatch):
    from ludoglot.engine.commands.main import make_group
    result = CliRunner().invoke(
        make_group(), ["words", "sample", "tic-tac-toe", "--count", "12", "--seed", "3"], obj=LocalizedConsole("it")
    )
    lines = result.output.split("\n")
    assert result.exit_code == 0 and len(lines) == 25
    assert all(re.fullmatch(r"[a-z]+ \[tic-tac-toe.*\]", line) for line in lines[:-1:2])
    assert all(line.startswith("  ") for line in lines[1::2])
