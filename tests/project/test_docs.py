"""What the pages name is there: commands with their options, scripts with theirs, files and links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import click
import pytest
from ludoglot.engine.commands.main import make_group

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("rules", "dsl", "engine", "locale", "tests", "docs", "bench", ".ci")
ANY = re.compile(r"\b[A-Z]{3,}\b")                                 # a name that stands for others


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def spans(text: str) -> list[str]:
    """What is written as code: between backquotes, and the lines of blocks for a shell, without remarks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) + re.findall(r"(?m)^ {4}(ludoglot .*)$", text)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    lines = [line.split(" #")[0] for block in blocks for line in block.splitlines()]
    return [*lines, *re.findall(r"`([^`\n]+)`", prose)]


@cache
def options_of(name: str) -> set[str]:
    """Every option of a command, those of its parts among them."""
    group = make_group()
    found = group.get_command(click.Context(group), name)
    assert found is not None, f"there is no command {name}"
    every = [found, *(found.commands.values() if isinstance(found, click.Group) else ())]
    return {option for one in every for parameter in one.params for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_have_the_options_that_a_page_shows(page: Path):
    for span in spans(page.read_text(encoding="utf-8")):
        for name, rest in re.findall(r"(?:^|[ /])ludoglot ([a-z]+)((?: [^`|&]*)?)", span):
            wanted = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest.partition("  ")[0]))
            assert wanted <= options_of(name), span


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_scripts_have_the_options_that_a_page_shows(page: Path):
    for span in spans(page.read_text(encoding="utf-8")):
        for path, rest in re.findall(r"python ((?:bench|\.ci)/\w+\.py)(.*)", span):
            text = (ROOT / path).read_text(encoding="utf-8")
            assert [option for option in re.findall(r"--[a-z]+", rest) if f'"{option}"' not in text] == [], span


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_files_and_links_lead_somewhere(page: Path):
    text = page.read_text(encoding="utf-8")
    for span in spans(text):
        if re.fullmatch(rf"({'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*", span) and not ANY.search(span):
            assert any(ROOT.glob(span.rstrip("/"))), span
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
        assert link.startswith("https://") or (page.parent / link).exists(), link
