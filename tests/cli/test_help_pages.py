"""Checks help pages: summaries, groups, examples, defaults, and pages of subcommands."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from ludoglot.dsl.tools.dump import STAGES
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.commands.main import COMMAND_GROUPS, COMMANDS, make_group

from .conftest import LANGUAGES

SENTENCE_END = re.compile(r"[.!?](?: |$)")
HEAVY_MODULES = {"lark", "jsonschema", "rich", "prompt_toolkit", "numpy", "ludoglot.dsl.game.ruleset", "ludoglot.engine.lab.playout"}


def list_commands() -> dict[str, click.Command]:
    """Returns each command and subcommand by its words: "packs new"."""
    group, out = make_group(), {}
    for name in COMMANDS:
        found = group.get_command(click.Context(group), name)
        out[name] = found
        out |= {f"{name} {inner}": one for inner, one in getattr(found, "commands", {}).items()}
    return out


ALL_COMMANDS = sorted(list_commands())


def test_every_command_is_in_one_group():
    assert sorted(name for names in COMMAND_GROUPS.values() for name in names) == sorted(COMMANDS)
    assert list(COMMAND_GROUPS) == ["play", "change", "write", "translate", "research", "tools"]


def test_the_main_page_has_a_heading_for_each_group(ludoglot):
    out = ludoglot("--help").out
    places = [out.index(f"\n{heading}:\n") for heading in ("Play", "Change rules", "Write games", "Translate", "Research", "Tools")]
    assert places == sorted(places)
    for lang in LANGUAGES:
        page = ludoglot("--help", "--lang", lang).out
        assert all(re.search(rf"(?m)^  {name}  ", page) for name in COMMANDS), lang
        assert all(len(line) <= 80 for line in page.splitlines())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_the_summary_is_one_sentence(name, lang):
    text = LocalizedConsole(lang).text("cli." + name.replace(" ", "."))
    assert text.endswith(".") and len(SENTENCE_END.findall(text)) == 1 and len(text.split()) <= 25, text


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_each_command_has_one_to_three_examples_that_can_be_parsed(name):
    found = list_commands()[name]
    assert 1 <= len(found.examples) <= 3
    for example in found.examples:
        words = example.split()
        assert example.startswith(f"ludoglot {name}"), example
        group = make_group()
        with group.make_context("ludoglot", words[1:], obj=LocalizedConsole("en")) as ctx:
            inner, args = group, list(words[1:])
            while isinstance(inner, click.Group) and args:
                _, inner, args = inner.resolve_command(ctx, args)
                with inner.make_context(inner.name, list(args), parent=ctx, obj=ctx.obj) as below:
                    assert not below.args or isinstance(inner, click.Group), example


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_each_example_is_on_the_page_in_one_line(ludoglot, name):
    page = ludoglot(*name.split(), "--help").out.splitlines()
    assert "Examples:" in page and all(len(example) <= 78 for example in list_commands()[name].examples)
    assert [line for example in list_commands()[name].examples if (line := f"  {example}") not in page] == []


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_each_option_with_a_value_shows_its_default(ludoglot, name):
    console, found = LocalizedConsole("en"), list_commands()[name]
    inner = click.Context(make_group(), info_name="ludoglot", obj=console)
    for part in name.split()[:-1]:
        inner = click.Context(list_commands()[part], parent=inner, info_name=part, obj=console)
    ctx = click.Context(found, parent=inner, info_name=name, obj=console)
    for param in found.params:
        if isinstance(param, click.Option) and not param.is_flag and not param.required:
            text = param.get_help_record(ctx)[1]
            assert "default" in text and "{" not in text, text
            if isinstance(param.default, int) and param.default:
                assert f"(default: {param.default:,})" in text, text


def test_a_page_shows_defaults_in_each_language(ludoglot):
    words = {"en": "Number of games (default: 100).", "it": "Numero di partite (predefinito: 100).",
             "es": "Número de partidas (por defecto: 100).", "hu": "A játszmák száma (alapérték: 100)."}
    for lang, text in words.items():
        assert text in " ".join(ludoglot("simulate", "--help", "--lang", lang).out.split())


@pytest.mark.parametrize("name", ["packs", "words", "debug"])
def test_a_missing_or_unknown_subcommand_lists_all_of_them(ludoglot, name):
    inner = list(list_commands()[name].commands)
    said = ludoglot(name)
    assert said.code == 2 and said.err.startswith("Error: Choose a command: ") and all(one in said.err for one in inner)
    assert f"ludoglot {name} --help" in said.err
    said = ludoglot(name, "nowt")
    assert said.code == 2 and "“nowt”" in said.err and all(one in said.err for one in inner)
    page = ludoglot(name, "--help").out
    assert all(re.search(rf"(?m)^  {one}  ", page) for one in inner)


def test_a_missing_or_misspelt_subcommand_of_packs(ludoglot):
    assert ludoglot("packs").err.splitlines()[0] == "Error: Choose a command: list, new, or diff."
    assert "Did you mean “list”?" in ludoglot("packs", "lst").err


def test_a_subcommand_has_a_page_of_its_own(ludoglot):
    page = ludoglot("packs", "new", "--help").out
    assert page.startswith("Usage: ludoglot packs new [OPTIONS] GAME NAME\n") and "--card" in page and "diff" not in page
    assert page == ludoglot("help", "packs", "new").out == ludoglot("house", "new", "--help").out
    assert "--into" in ludoglot("words", "new", "--help").out and "--seed" in ludoglot("debug", "step", "--help").out
    said = ludoglot("packs", "new", "hex")
    assert said.code == 2 and said.err.splitlines()[-1] == "For help, type: ludoglot packs new --help"


def test_debug_has_a_subcommand_for_each_stage():
    assert list(list_commands()["debug"].commands) == [*STAGES, "step"]


@pytest.mark.parametrize("args", [["--help"], ["simulate", "--help"], ["packs", "new", "--help"]])
def test_help_loads_no_heavy_module(args):
    program = (f"import sys\nfrom ludoglot.engine.commands.main import main\nmain({args})\n"
               f"print(sorted({HEAVY_MODULES} & set(sys.modules)), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"
