"""Lines drawn from whole games for an editor, and what stands in all of them: no name that only rules write."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from click.testing import CliRunner
from ludoglot.dsl.languages.registry import language
from ludoglot.engine.cli.console import Voice
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.commands.words_sample import Line, drawn, of_engine, of_game
from ludoglot.engine.commands.words_seeded_errors import planted
from ludoglot.engine.i18n import LANGUAGES, Words, engine_words
from ludoglot.engine.library.find import installed
from ludoglot.engine.table_view.inspect_item import About

TYPED = re.compile(r"\([a-z0-9_, .-]+\)|\brules/\S+|`[^`]*`")    # what one types for a value of an option; where a rule stands
IDENTIFIER = re.compile(r"\b[a-z]+_[a-z0-9_]+\b|\b[a-z]+[A-Z]\w*\b|\{\w+\}|~[a-z]")

@pytest.fixture(scope="module")
def loaded():
    """A game, compiled once for its four languages."""
    return cache(lambda name: load_game(Voice("en"), name))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", installed())
def test_nothing_on_the_screen_is_called_as_only_rules_call_it(name, lang, loaded, monkeypatch):
    """A thing without a name of its own is said by its identifier; a field that nobody fills as it is written."""
    bare: list[str] = []
    typed = About.names
    asked: list[int] = []                                          # names that may be typed are made of all there is

    def names(self: About) -> dict:
        asked.append(1)
        found = typed(self)
        asked.pop()
        return found

    def watched(name: str) -> str:
        bare.extend([] if asked else [name])
        return name

    monkeypatch.setattr(Words, "unnamed", staticmethod(watched))
    monkeypatch.setattr(About, "names", names)
    monkeypatch.setattr("ludoglot.engine.commands.words_sample.ROUNDS", 3)
    monkeypatch.setattr("ludoglot.engine.commands.words_sample.OFTEN", 4)
    lines = list(of_game(loaded(name), lang, seed=5))
    assert len({line.kind for line in lines}) >= 6 and len(lines) > 30
    wrong = [(line.place, line.text, found[0]) for line in lines for found in IDENTIFIER.finditer(TYPED.sub("", line.text))]
    assert not wrong and not bare


def test_the_same_seed_draws_the_same_lines_and_of_every_kind():
    lines = [Line(kind, f"{kind} {n}", f"{kind} number {n}, {'abcdefghij'[n]}") for kind in ("log", "card", "help") for n in range(10)]
    first = drawn(lines, 9, seed=1)
    assert first == drawn(list(reversed(lines)), 9, seed=1) != drawn(lines, 9, seed=2)
    assert sorted(line.kind for line in first) == ["card"] * 3 + ["help"] * 3 + ["log"] * 3


def test_what_differs_in_numbers_alone_is_drawn_once():
    assert len(drawn([Line("log", str(n), f"{n} coins") for n in range(2, 9)], 5, seed=1)) == 1


def test_the_engine_is_read_too():
    kinds = {line.kind for line in of_engine(engine_words("hu"))}
    assert kinds == {"engine", "explanation", "finding", "help"}


def test_the_command(monkeypatch):
    from ludoglot.engine.commands.main import make_group
    result = CliRunner().invoke(make_group(), ["words", "sample", "tic-tac-toe", "--count", "12", "--seed", "3"], obj=Voice("it"))
    lines = result.output.split("\n")
    assert result.exit_code == 0 and len(lines) == 25
    assert all(re.fullmatch(r"[a-z]+ \[tic-tac-toe.*\]", line) for line in lines[:-1:2])
    assert all(line.startswith("  ") for line in lines[1::2])


def test_planted_faults_are_told_in_the_key_and_nowhere_else():
    lines = [Line("log", f"line {n}", f"Anna draws {n % 7 + 2} cards from the pile of seeds.") for n in range(40)]
    spoilt, key = planted(lines, 10, 1, ((r"\bthe\b", "an"),))
    assert [n for n in range(40) if spoilt[n] != lines[n]] == [one.number - 1 for one in key] and len(key) == 10
    assert all(spoilt[one.number - 1].text == one.now != one.was == lines[one.number - 1].text for one in key)
    assert len({one.fault for one in key}) >= 3 and (spoilt, key) == planted(lines, 10, 1, ((r"\bthe\b", "an"),))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_has_slips_of_its_own(lang):
    slips = language(lang).slips
    assert len(slips) >= 3 and all(re.compile(pattern) for pattern, _ in slips)


def test_the_command_plants_and_writes_the_key(tmp_path):
    from ludoglot.engine.commands.main import make_group
    ask = ["words", "sample", "tic-tac-toe", "--count", "30", "--plant", "3"]
    refused = CliRunner().invoke(make_group(), ask, obj=Voice("hu"))
    assert refused.exit_code != 0
    key = tmp_path / "key.json"
    said = CliRunner().invoke(make_group(), [*ask, "--out", str(key)], obj=Voice("hu")).output
    spoilt = json.loads(key.read_text(encoding="utf-8"))
    assert len(spoilt) == 3 and all(said.split("\n")[2 * one["number"] - 1].strip() == one["now"].strip() for one in spoilt)
