"""Checks the generators of the documentation site: each command, code, schema, keyword and game has its page, and all links hold."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest
from ludoglot.dsl.diagnostics.diagnostic import load_codes
from ludoglot.engine.commands.main import make_group
from ludoglot.engine.library.find import list_game_ids

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from sitegen import api_reference, commands, diagnostics, games, keywords, links, markdown, navigation, schemas
from sitegen.staging import LANGUAGE_NAMES, ROOT, Stage


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Returns the pages of the site, without pictures and rulebooks."""
    found = Stage(tmp_path_factory.mktemp("stage"))
    for module in (commands, schemas, diagnostics, api_reference, keywords):
        module.add_pages(found)
    found.add_documents()
    return found


def test_each_command_has_a_page_with_its_flags(stage: Stage):
    group = make_group()
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        page = stage.pages[f"reference/commands/{name}.md"]
        flags = [opt for param in command.params if isinstance(param, commands.click.Option) for opt in getattr(param, "current_names", [])]
        assert flags and [flag for flag in flags if flag not in page] == []


def test_flags_show_their_defaults(stage: Stage):
    row = next(line for line in stage.pages["reference/commands/simulate.md"].splitlines() if line.startswith("| `--games"))
    assert row.endswith("| `100` |")


@pytest.mark.parametrize("lang", LANGUAGE_NAMES)
def test_each_code_has_an_anchor_in_each_language(stage: Stage, lang: str):
    ending = ".md" if lang == "en" else f".{lang}.md"
    for code in load_codes():
        assert f"\n## {code}\n" in stage.pages[diagnostics.page_of(code).replace(".md", ending)]
    assert stage.translations("reference/codes/index.md")[lang] == f"reference/codes/index{ending}"


@pytest.mark.parametrize("name", schemas.schema_names())
def test_each_key_of_a_schema_is_on_its_page(stage: Stage, name: str):
    page = stage.pages[f"reference/files/{name}.md"]
    assert {key for key in schemas.keys_of(name) if f"| `{key}` |" not in page} == set()


@pytest.mark.parametrize("name", api_reference.module_names())
def test_each_public_name_is_on_the_page_of_its_module(stage: Stage, name: str):
    page = stage.pages[f"reference/api/{name or 'games'}.md"]
    names = api_reference.public_names(name)
    assert names and [one for one in names if f"\n## {one}" not in page] == []


def test_the_arguments_of_a_docstring_are_a_list():
    text = "Plays.\n\nArguments:\n    option: One of them,\n        or its spelling.\n    seat: A seat.\n\nAs here:\n\n    play(1)"
    assert api_reference.docstring(text) == (
        "Plays.\n\n**Arguments:**\n\n- `option`: One of them, or its spelling.\n- `seat`: A seat.\n\nAs here:\n\n```python\nplay(1)\n```")


def test_each_keyword_is_in_the_table_with_its_translations(stage: Stage):
    page = stage.pages["reference/keywords.md"]
    assert "| `choose` | `scegli` | " in page and "`" + keywords.spelling({"words": {"draw": "húz"}}, "draw") + "`" == "`húz`"


def test_each_game_has_a_page_with_its_options_and_packs(stage: Stage):
    names = list_game_ids()
    found = games.packs_by_game()
    assert set(found) <= set(names)
    for name in names[:3]:
        entry = games.GameEntry(name)
        page = games.game_page(stage, entry, found.get(name, []), fast=False)
        assert [lang for lang in LANGUAGE_NAMES if f"{name}/rulebook.{lang}.html" not in page] == []
        assert [option for option in entry.data["options"] if f"| `{option}` |" not in page] == []


def test_each_page_has_one_place_in_the_menu(stage: Stage):
    def pages(entry: object) -> list[str]:
        parts = entry if isinstance(entry, list) else list(entry.values()) if isinstance(entry, dict) else None
        return [str(entry)] if parts is None else [page for part in parts for page in pages(part)]
    placed = pages(navigation.build_navigation(stage))
    assert len(placed) == len(set(placed))
    assert {page for page in stage.pages if not page.startswith("files/")} == set(placed)


def test_translations_are_under_their_english_page(tmp_path: Path):
    stage = Stage(tmp_path)
    for name in ("start/play.md", "start/play.it.md", "start/first-game.md"):
        stage.add(name, f"# {name.partition('/')[2]}\n\n[English](play.md) · [Italiano](play.it.md)\n\nText\n")
    versions = [{"English": "start/play.md"}, {"Italiano": "start/play.it.md"}]
    assert navigation.build_navigation(stage) == [{"Start": [{"play.md": versions}, {"first-game.md": "start/first-game.md"}]}]
    stage.write()
    italian = (tmp_path / "start" / "play.it.md").read_text(encoding="utf-8")
    assert italian.startswith("---\nlanguage: it\n---\n")
    assert '[English](play.md){ hreflang="en" lang="en" }' in italian and italian.count("English") == 1


def test_links_to_repository_files_lead_to_their_pages(stage: Stage):
    at = ROOT / "docs" / "index.md"
    assert stage.link(at, "../dsl/syntax/grammar.lark") == "reference/grammar.md"
    assert stage.link(at, "../rules/hex") == "games/hex.md"
    assert stage.link(at, "../dsl/codes.yaml#anchor") == "reference/codes/index.md#anchor"
    assert stage.link(at, "https://example.org/a.md") == "https://example.org/a.md"


@pytest.mark.parametrize("source, wanted", [
    ("Words:\n- one\n  more\n- two\n  - deep\n\n    text\n", "Words:\n\n- one\n    more\n- two\n    - deep\n\n        text\n"),
    ("1. a\n\n   | x |\n   |---|\n", "1. a\n\n    | x |\n    |---|\n"),
    ("```yaml mail/game.yaml\na: [b](c)\n```\n", "```yaml title=\"mail/game.yaml\"\na: [b](c)\n```\n"),
    ("```rules market players=3\n```\n", "```rules\n```\n"),
    ("[a](b) `[c](d)` [`e`](f)\n", "[a](<b>) `[c](d)` [`e`](<f>)\n"),
    ("# A\n## A\n", "# A\n## A { #a-1 }\n"),
    ("> [!NOTE]\n> Text\n", "!!! note\n\n    Text\n"),
    ("| `a\\|b` |\n", "| `a|b` |\n"),
])
def test_github_markdown_is_rewritten(source: str, wanted: str):
    assert markdown.rewrite_page(source, lambda link: f"<{link}>") == wanted


def test_broken_links_and_external_files_are_found(tmp_path: Path):
    (tmp_path / "a.html").write_text('<h1 id="top">A</h1><a href="b.html#x">b</a><a href="c.html">c</a><a href="#top">top</a>'
                                     '<script src="https://example.org/x.js"></script>', encoding="utf-8")
    (tmp_path / "b.html").write_text("<h1>B</h1>", encoding="utf-8")
    assert links.find_problems(tmp_path) == [
        "a.html: loads https://example.org/x.js", "a.html: no anchor for b.html#x", "a.html: no file for c.html"]
