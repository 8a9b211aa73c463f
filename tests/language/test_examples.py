"""Checks every example of the reference and the cookbook: it compiles, plays as written, and gives the same result in the interpreter.

Together, the examples of the reference cover the whole language.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
import yaml
from ludoglot.dsl.check.builtins import BUILTINS
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.syntax.lark_parser import build_parser, keywords
from ludoglot.dsl.yaml import schema
from ludoglot.dsl.yaml.clause_index import check_clause_index, list_reasons, read_clause_index
from ludoglot.engine.i18n.placeholders import clause_values
from ludoglot.engine.i18n.template import parse_template

from .documents import COOKBOOK, REFERENCE, Example, fenced_blocks, read_examples, run_example
from .interpreter_comparison import compare_with_interpreter

EXAMPLES = read_examples()
RECIPES = read_examples(COOKBOOK)
VALID_EXAMPLES = [example for example in EXAMPLES if not example.refused] + RECIPES


def format_example_id(example: Example) -> str:
    return f"{example.page}-{example.toy}-{example.line}"


@pytest.mark.parametrize("example", EXAMPLES + RECIPES, ids=format_example_id)
def test_an_example_gives_its_results(example: Example):
    run_example(example)


@pytest.mark.parametrize("example", VALID_EXAMPLES, ids=format_example_id)
def test_an_example_matches_the_interpreter(example: Example):
    game = example.game()
    for seed in range(4):
        compare_with_interpreter(game, seed)


def test_the_register_of_clauses_fits_its_example(tmp_path):
    found = [(page.stem, *block) for page in REFERENCE for block in fenced_blocks(page.read_text(encoding="utf-8"))]
    (page, line, _, _, content), *further = [block for block in found if block[2] == "clauses"]
    example = [example for example in EXAMPLES if example.page == page and example.line < line][-1]
    (tmp_path / "clauses.yaml").write_text(content, encoding="utf-8")
    findings = DiagnosticList()
    register = read_clause_index(tmp_path, findings)
    assert register is not None, findings.items
    program = example.game().ruleset.program
    check_clause_index(register, program.cited, findings)
    assert not findings.items, "\n".join(map(str, findings.items))
    for *_, alone in further:                                      # entries that no rule of the example cites
        (tmp_path / "clauses.yaml").write_text(alone, encoding="utf-8")
        assert read_clause_index(tmp_path, findings) is not None and not findings.items, "\n".join(map(str, findings.items))
    named = {field for clause in register.clauses.values() for field in parse_template(clause.text or "").names}
    assert named and named <= set(clause_values(program.model))


def test_each_reason_of_the_register_is_explained():
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes )?\|$", read_reference(), re.M)
    assert [reason for reason, _ in rows] == list_reasons() and [reason for reason, yes in rows if yes] == list_reasons("leaning")


# ---------------------------------------------------------------- completeness


@cache
def collect_examples() -> tuple[str, set[str]]:
    """Returns the text of all examples without comments, and the grammar names in their trees."""
    text = "\n".join(re.sub(r"#.*", "", example.rules) for example in VALID_EXAMPLES)
    names: set[str] = set()
    for example in VALID_EXAMPLES:
        for tree in build_parser().parse(example.rules.strip() + "\n").iter_subtrees():
            names.add(str(tree.data))
    return text, names


def rule_names() -> list[str]:
    """Returns the rules and aliases of the grammar that can occur in a tree."""
    found = {str(rule.alias or rule.origin.name) for rule in build_parser().rules if rule.alias or not rule.options.expand1}
    return sorted(name for name in found if not name.startswith("_"))


@pytest.mark.long_cases("after", "always", "apply", "assign", "at")
@pytest.mark.parametrize("name", rule_names())
def test_each_rule_of_the_grammar_has_an_example(name: str):
    assert name in collect_examples()[1]


@pytest.mark.parametrize("name", sorted(keywords()["words"] | keywords()["soft"]))
def test_each_keyword_has_an_example(name: str):
    spelling = (keywords()["words"] | keywords()["soft"])[name]
    assert re.search(rf"(?<!\w){spelling.replace(' ', ' +')}(?!\w)", collect_examples()[0])


@pytest.mark.long_cases("ceil", "step", "row")
@pytest.mark.parametrize("name", BUILTINS)
def test_each_built_in_has_an_example(name: str):
    assert re.search(rf"(?<!\w){name}\(", collect_examples()[0])


@pytest.mark.long_cases("count", "best", "the")
@pytest.mark.parametrize("name", keywords()["folds"])
def test_each_fold_has_an_example(name: str):
    assert re.search(rf"(?<!\w){name}\([^)]*\bin\b", collect_examples()[0])


@pytest.mark.parametrize("sign", ["==", "!=", "<", "<=", ">", ">=", "+", "-", "&", "*", "//", "%", "..", "+=", "-=", "{}", "[]", "@"])
def test_each_operator_has_an_example(sign: str):
    assert sign in collect_examples()[0]


def test_each_key_of_the_data_has_an_example():
    text = "\n".join(content for _, kind, _, content in fenced_blocks(read_reference()) if kind == "yaml")
    wanted = {"players", "options", "enums", "pieces", "tables", "boards", "start", "numbers", "by", "else", "decides", "attributes"}
    wanted |= {"defaults", "members", "copies", "shape", "top", "cells", "corners", "columns", "rows", "radius", "open", "names", "values"}
    wanted |= set(yaml.safe_load((schema.SCHEMA_FOLDER / "game.json").read_text(encoding="utf-8"))["properties"])
    missing = {key for key in wanted if not re.search(rf"(?<!\w){key}:", text)}
    assert missing <= {"data"}


def read_reference() -> str:
    """Returns the text of all pages of the language reference."""
    return "\n".join(page.read_text(encoding="utf-8") for page in REFERENCE)


def test_the_lists_of_reserved_words_are_complete():
    found = re.search(r"^These words cannot be names:\n\n```text\n(.*?)^```$", read_reference(), re.M | re.S)
    assert found and set(found[1].split()) == {word for word in keywords()["words"].values() if " " not in word}
    soft = re.search(r"^These words are part of the language, and can also be names:\n\n```text\n(.*?)^```$", read_reference(), re.M | re.S)
    assert soft and set(soft[1].split()) == set(keywords()["soft"].values())


def test_every_fault_is_in_the_table():
    compiled = "".join(path.read_text(encoding="utf-8") for path in (schema.SCHEMA_FOLDER.parent / "lowering").glob("*.py"))
    faults = set(re.findall(r"'(F0\d\d)'", compiled))
    assert faults <= set(re.findall(r"^\| (F\d+) ", read_reference(), re.M))
