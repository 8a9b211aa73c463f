"""Checks that the commands, flags, scripts, files, links and headings that a page names exist."""

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
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")


def format_page_path(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def list_code_spans(text: str) -> list[str]:
    """Returns all code on a page: text between backquotes, and the lines of shell blocks, without comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) + re.findall(r"(?m)^ {4}(ludoglot .*)$", text)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    lines = [line.split(" #")[0] for block in blocks for line in block.splitlines()]
    return [*lines, *re.findall(r"`([^`\n]+)`", prose)]


@cache
def list_flags(name: str) -> set[str]:
    """Returns every flag of a command and its subcommands."""
    group = make_group()
    found = group.get_command(click.Context(group), name)
    assert found is not None, f"there is no command {name}"
    every = [found, *(found.commands.values() if isinstance(found, click.Group) else ())]
    return {option for one in every for parameter in one.params for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=format_page_path)
def test_commands_have_the_flags_that_a_page_shows(page: Path):
    for span in list_code_spans(page.read_text(encoding="utf-8")):
        for name, rest in re.findall(r"(?:^|[ /])ludoglot ([a-z]+)((?: [^`|&]*)?)", span):
            wanted = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest.partition("  ")[0]))
            assert wanted <= list_flags(name), span


@pytest.mark.parametrize("page", PAGES, ids=format_page_path)
def test_scripts_have_the_flags_that_a_page_shows(page: Path):
    for span in list_code_spans(page.read_text(encoding="utf-8")):
        for path, rest in re.findall(r"python ((?:bench|\.ci)/\w+\.py)(.*)", span):
            text = (ROOT / path).read_text(encoding="utf-8")
            assert [option for option in re.findall(r"--[a-z]+", rest) if f'"{option}"' not in text] == [], span


def list_links(page: Path) -> list[tuple[str, str]]:
    """Returns the links of a page that stay in the repository, as (path, anchor). The path is empty for a link into the page itself."""
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S))
    found = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", prose)
    return [(path, anchor) for path, anchor in found if not re.match(r"[a-z]+:", path)]


@cache
def list_anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings of a page. Equal headings get numbers."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", prose, re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.add(next(name for n in range(99) if (name := anchor if n == 0 else f"{anchor}-{n}") not in found))
    return found


@pytest.mark.parametrize("page", PAGES, ids=format_page_path)
def test_files_and_link_targets_exist(page: Path):
    for span in list_code_spans(page.read_text(encoding="utf-8")):
        if re.fullmatch(rf"({'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*", span) and not PLACEHOLDER.search(span):
            assert any(ROOT.glob(span.rstrip("/"))), span
    for path, anchor in list_links(page):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or target.suffix != ".md" or anchor in list_anchors(target.resolve()), f"{path}#{anchor}"


def test_every_page_is_reachable_from_the_index():
    reached, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            targets = {(page.parent / path).resolve() for path, _ in list_links(page) if path.endswith(".md")}
            waiting += [target for target in targets if target.is_relative_to(ROOT / "docs")]
    assert [format_page_path(page) for page in PAGES[1:] if page not in reached] == []


def test_names_in_recipes_are_in_their_files():
    """A recipe says "`name` in `engine/file.py`", also for two names in one file."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    found = re.findall(r"(?:`(\w+)` and )?`(\w+)`(?: in|\. They are in) `((?:dsl|engine|tests)/[\w/]+\.py)`", text)
    assert len(found) > 15
    pairs = [(name, path) for *names, path in found for name in names if name]
    missing = [(name, path) for name, path in pairs
               if not re.search(rf"(?m)^ *(?:def|class) {name}\b|^{name}\b", (ROOT / path).read_text(encoding="utf-8"))]
    assert missing == []
