"""Checks the formatter of rule files: it keeps the meaning, it is idempotent, and the shipped files are formatted."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from language.documents import read_examples
from language.random_rules import RandomRules
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.syntax.format import TOKEN, format_text, tree_shape
from ludoglot.dsl.syntax.parse import parse

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*ROOT.glob("rules/*/*.rules"), *ROOT.glob("tests/games/*/*.rules")])
MAX_QUICK_BYTES = 1500               # larger rule files are only tested in the full run of CI
MESSY = """

state   coins [ Player ]:-5 .. 5=-1   per  lap      @A-1
state y:0..   saturating@A-2  # why
# top


proc p( player,n :int )by player  @A-B :
  # about if
  if coins[player]>- 1   and(n+1)*2==4 :
   coins [player]=-n      @01
   n2+=1   @02

   # after
     # deep
  else : stop
  tell t( points = 3,n)
  choose   up  to 2 times  c in{a,b}where c!=none :
  \tlet z=-(1-2)//3
  \tlet w = f( 1,
  \t   2 ,3  # three
  \t)

def   f(a:int,b:int)=sum( q in 1 .. 3:q )if a<b else[1][ 1 ]
"""
NEAT = """\
state coins[Player]: -5..5 = -1 per lap             @A-1
state y: 0.. saturating @A-2  # why
# top

proc p(player, n: int) by player @A-B:
    # about if
    if coins[player] > -1 and (n + 1) * 2 == 4:
        coins[player] = -n   @01
        n2 += 1              @02

        # after
        # deep
    else: stop
    tell t(points=3, n)
    choose up to 2 times c in {a, b} where c != none:
        let z = -(1 - 2) // 3
        let w = f(1,
            2, 3  # three
        )

def f(a: int, b: int) = sum(q in 1..3: q) if a < b else [1][1]
"""


def parse_shapes(text: str) -> list:
    findings = DiagnosticList()
    declarations = parse(text, "case", findings)
    assert not findings.errors, findings.errors
    return [tree_shape(node) for node in declarations]


def list_comments(text: str) -> list[str]:
    return [token for token in TOKEN.findall(text) if token.startswith("#")]


def format_and_verify(text: str) -> str:
    overlay = format_text(text)
    assert parse_shapes(overlay) == parse_shapes(text)
    assert format_text(overlay) == overlay
    assert [c.rstrip() for c in list_comments(text)] == list_comments(overlay)
    assert not re.search(r"[ \t]+$|\t|\n\n\n|\A\n", overlay, re.M)
    return overlay


@pytest.mark.long
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_are_formatted(path: Path):
    source = path.read_text(encoding="utf-8")
    assert format_and_verify(source) == source


def test_a_messy_file_is_formatted():
    assert format_and_verify(MESSY) == NEAT


@pytest.mark.long
def test_the_examples_of_the_reference_are_formatted():
    for example in read_examples():
        assert format_text(example.rules) == example.rules, f"line {example.line}"


@pytest.mark.parametrize("text", ["proc x(:\n  y\n", "state a: \n", "phase game:\n        a()\n   b()\n", "\x00", "def f() = \n    1\n"])
def test_invalid_rules_stay_unchanged(text: str):
    assert format_text(text) == text


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "# a\r\n\r\n\r\nphase  game: stop\r\n", "\ufeffphase game: stop"])
def test_small_files_are_formatted(text: str):
    format_and_verify(text)


@pytest.mark.long
def test_translated_keywords_are_formatted():
    text = "fase game:\n  scegli n da 0\n"
    assert format_text(text, language="it") == text  # not Italian either
    assert format_text("fase game :\n  se non(a) : fine\n", language="it") == "fase game:\n    se non (a): fine\n"


# ---------------------------------------------------------------- random formatting


def make_messy(text: str, rng: random.Random) -> str:
    """Returns the same rules with careless formatting."""
    step = rng.choice([1, 2, 3, 7])
    out = []
    for line in text.split("\n"):
        level = (len(line) - len(line.lstrip())) // 4
        code = line.strip()
        if not code:
            out += [""] * rng.randrange(3)
            continue
        pieces, end = [], 0
        for match in TOKEN.finditer(code):
            gap = code[end : match.start()]
            tight = re.search(r"\w$", code[:end]) and re.match(r"[\w.]", match[0]) or match[0][0] in "#@" or match[0] == ".."
            safe = not tight and re.search(r"[^\w.=<>!+/-]$", code[:end]) and re.match(r"\w", match[0])
            if match[0] in "()[]{},:" and not re.search(r"[.=<>!+/-]$", code[:end]):
                safe = not re.match(r"\($", match[0]) or not gap
            pieces += [" " * rng.randrange(0 if safe else min(1, len(gap)), 3) if pieces and (gap or safe) else "", match[0]]
            end = match.end()
        white = "\t" * level if step == 7 else " " * (step * level)
        if rng.random() < 0.1:
            out.append(" " * rng.randrange(9) + "# a thought")
        out.append(white + "".join(pieces) + " " * rng.randrange(3))
    return "\n".join(out)


@pytest.mark.long_cases(
    "amazons.rules", "breakthrough.rules", "connect-four.rules", "hex.rules", "tic-tac-toe.rules", "stall.rules", "orchard-floor.rules",
    "tickets.rules",
)
@pytest.mark.parametrize("path", [
    pytest.param(path, marks=pytest.mark.long) if path.stat().st_size > MAX_QUICK_BYTES else path for path in SHIPPED],
    ids=lambda path: path.name)
def test_messy_shipped_rules_are_formatted(path: Path):
    source = path.read_text(encoding="utf-8")
    for seed in range(6):
        messy = make_messy(source, random.Random(seed))
        assert parse_shapes(messy) == parse_shapes(source)
        overlay = format_and_verify(messy)
        assert normalize_code(overlay) == normalize_code(source)


@pytest.mark.long_cases("0", "1", "2", "3", "4", "5")
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 30))])
def test_messy_random_rules_are_formatted(seed: int):
    source = format_and_verify(RandomRules(seed).text)
    overlay = format_and_verify(make_messy(source, random.Random(seed)))
    assert normalize_code(overlay) == normalize_code(source)


def normalize_code(text: str) -> list[str]:
    """Returns the lines of code without columns and comments."""
    rows = [re.sub(r"(?<=\S) +", " ", re.sub(r" *#.*", "", line)) for line in text.split("\n")]
    return [row for row in rows if row.strip()]


@pytest.mark.parametrize("line", ["def at(animal) = once(animal)", "def chance[red](n) = reached[n]"])
def test_a_name_that_is_part_of_a_keyword_keeps_its_bracket(line):
    assert format_text(line + "\n") == line + "\n"
