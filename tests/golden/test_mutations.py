"""Checks that arbitrary text in a game's files gives findings or a game, never an exception."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.diagnostics.render import render_all
from ludoglot.dsl.game.ruleset import try_load_ruleset

RULES = Path(__file__).parent.parent.parent / "rules"
TOKEN = re.compile(r"\n[ \t]*|#[^\n]*|@[\w-]+|\w+|[^\w\s]|[ \t]+")
PIECES = [*"()[]{}:,?&*!'\"~", "\t", "\n", "\n    ", "\x00", "\u202e", "\u6771", "\ufeff", "none", "0", "-1", "9" * 20, "..", "first",
          "the", "set", "bag", "choose", "may", "by chance", "exactly", "then", "Player", "Player?", "size(Player)", "first(p in Player)",
          "[none]", "tiers(p in Player: 1)", "null", "true", "<<: *x", "by: players", "else: 3"]


@cache
def tokenize_games() -> list[tuple[str, dict[str, list[str]]]]:
    """Returns the files of each shipped game, split into tokens."""
    return [(folder.name, {path.name: TOKEN.findall(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())
                           if path.suffix in (".rules", ".yaml")}) for folder in sorted(RULES.iterdir()) if (folder / "game.yaml").exists()]


@st.composite
def mutated_games(draw: st.DrawFn) -> dict[str, str]:
    """Generates the files of a game, with a few tokens of one file removed, doubled, swapped or inserted."""
    name, files = draw(st.sampled_from(tokenize_games()))
    file = draw(st.sampled_from(sorted(files)))
    tokens = list(files[file])
    for _ in range(draw(st.integers(1, 4))):
        at, other = draw(st.integers(0, len(tokens) - 1)), draw(st.integers(0, len(tokens) - 1))
        match draw(st.integers(0, 5)):
            case 0:
                del tokens[at]
            case 1:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 2:
                tokens.insert(at, tokens[other])
            case 3:
                tokens[at] = tokens[other]
            case 4:
                tokens.insert(at, draw(st.sampled_from(PIECES)))
            case 5:
                del tokens[at : at + draw(st.integers(1, 30))]
        tokens = tokens or [" "]
    return {n: "".join(tokens if n == file else t) for n, t in files.items()}


def load_files(files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="")
        findings = DiagnosticList()
        ruleset = try_load_ruleset(Path(folder), findings)
        assert (ruleset is None) == bool(findings.errors)
        for diagnostic in findings.items:
            assert diagnostic.place.line >= 1 and diagnostic.place.column >= 1
        assert "{" not in re.sub(r"[\"`][^\n]*", "", "".join(d.message() for d in findings.items if not d.args))
        render_all(findings.in_source_order(), limit=1000)


@pytest.mark.long
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated_games())
def test_mutated_games_give_findings_or_load(files: dict[str, str]):
    load_files(files)


@pytest.mark.long
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated_games())
def test_many_mutated_games_give_findings_or_load(files: dict[str, str]):
    load_files(files)


@pytest.mark.long
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=200), st.sampled_from(["game.yaml", "a.rules"]))
def test_any_text_gives_findings_or_loads(text: str, name: str):
    files = {"game.yaml": "game: x\nname: X\nplayers: 2\nrules: [a.rules]\n", "a.rules": "phase game: stop\nstanding player: 1\n"}
    text = text.encode("utf-8", "replace").decode()
    load_files(files | {name: text})
