"""Runs the shell sessions of docs/: writes their files, runs their commands, and compares the output.

A page with a `text` block that begins with `$ ludoglot` is run from its first block to its last.

- A block with a path (```yaml mail/game.yaml) is a file. A + after the path appends to that file.
- In a `text` block, a line `$ ludoglot …` is a command, and the lines below it are its output.
- `Your choice> 3` types 3, and a line `...` matches any lines.
- A `po` block fills in translations of the catalogue that it names.

Together the pages name all keys that the engine looks up and all keys of the schemas.
"""

from __future__ import annotations

import builtins
import io
import json
import re
import shlex
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from language.documents import fenced_blocks
from ludoglot.dsl.yaml import schema
from ludoglot.engine.commands import main as entry
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.i18n.grammar import grammar_of
from ludoglot.engine.match import save_index

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SESSION = re.compile(r"^```text\n\$ ludoglot ", re.M)
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if SESSION.search(path.read_text(encoding="utf-8")))
AUTHOR_PAGES = sorted([*DOCS.glob("guides/**/*.md"), *DOCS.glob("reference/**/*.md")])
ANSWER = re.compile(r"^[^\W\d][\w ]*> (.*)$", re.M)                # `Your choice> 3`, in any language
FILES = ("yaml", "rules", "po")
ENVIRONMENT = {"COLUMNS": "80", "LC_ALL": "C", "NO_COLOR": "1"}


def read_page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- running a page


def run_command(command: str, typed: list[str], folder: Path) -> str:
    """Returns the output of a command line, with the answers that are typed."""
    answers = list(typed)

    def ask(prompt: str = "") -> str:
        if not answers:
            raise EOFError
        print(prompt + answers[0])
        return answers.pop(0)

    out = io.StringIO()
    with ExitStack() as stack:
        stack.enter_context(patch.dict("os.environ", ENVIRONMENT))
        stack.enter_context(patch.object(builtins, "input", ask))
        stack.enter_context(patch.object(save_index, "saves_folder", lambda: folder / "saves"))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(out))
        entry.main(shlex.split(command)[1:])
    return out.getvalue()


def matches_output(wanted: str, found: str) -> bool:
    """Whether the lines are equal. `...` matches any number of lines, and spaces at line ends do not count."""
    rows = [re.escape(row.rstrip()) + r"\n" if row != "..." else r"(?:.*\n)*?" for row in wanted.strip("\n").split("\n")]
    return re.fullmatch("".join(rows), "\n".join(row.rstrip() for row in found.strip("\n").split("\n")) + "\n") is not None


def split_commands(content: str) -> list[tuple[str, str]]:
    """Returns the commands of a block, each with the text below it."""
    found: list[tuple[str, list[str]]] = []
    for row in content.split("\n"):
        if row.startswith("$ "):
            found.append((row[2:], []))
        elif found:
            found[-1][1].append(row)
    return [(command, "\n".join(rows).strip("\n")) for command, rows in found]


def fill_in(path: Path, content: str) -> str | None:
    """Fills in empty translations of `words update`. Returns a description of the first mismatch, or None."""
    text = path.read_text(encoding="utf-8")
    for entry_ in content.strip().split("\n\n"):
        empty = re.sub(r'^(msgstr(?:\[\d\])? ).*$', r'\1""', entry_, flags=re.M)
        if empty not in text:
            return f"not in {path.name}:\n{empty}"
        text = text.replace(empty, entry_)
    path.write_text(text, encoding="utf-8")
    return None


def update_output(wanted: str, found: str) -> str:
    """Returns the output `found` in the form of `wanted`. If `wanted` has `...` for any lines, the result has it too."""
    lines = [row.rstrip() for row in found.strip("\n").split("\n")]
    if "..." not in wanted.split("\n"):
        return "\n".join(lines)
    parts: list[str] = []
    at, segments = 0, [part.strip("\n") for part in re.split(r"(?m)^\.\.\.$", wanted)]
    for n, segment in enumerate(segments):
        if segment:
            size = segment.count("\n") + 1
            starts = [0] if n == 0 else range(at, len(lines))
            windows = [(start, end) for start in starts for end in range(start + max(1, size - 2), min(len(lines), start + size + 2) + 1)]
            windows = [window for window in windows if n < len(segments) - 1 or window[1] == len(lines)] or [(at, len(lines))]
            start, at = max(windows, key=lambda window: SequenceMatcher(None, segment, "\n".join(lines[slice(*window)])).ratio())
            parts.append("\n".join(lines[start:at]))
        if n < len(segments) - 1:
            parts.append("...")
    return "\n".join(parts)


def run_page(name: str, record: bool = False) -> dict[int, str]:
    """Returns the unexpected output of a page, by the line of the block. The result is empty if the page is right.

    With `record`, the output replaces the text on the page.
    """
    wrong: dict[int, str] = {}
    with TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        stack.enter_context(chdir(folder))
        for line, kind, words, content in fenced_blocks(read_page(name)):
            if kind in FILES and words:
                target, _, more = words.partition(" ")
                path = folder / target
                path.parent.mkdir(parents=True, exist_ok=True)
                if kind == "po":
                    problem = fill_in(path, content)
                    if problem:
                        wrong[line] = problem
                elif more == "+":
                    path.write_text(path.read_text(encoding="utf-8") + content, encoding="utf-8")
                else:
                    path.write_text(content, encoding="utf-8")
            elif kind == "text":
                for command, wanted in split_commands(content):
                    found = run_command(command, ANSWER.findall(wanted), folder)
                    if not matches_output(wanted, found) and record and wanted:
                        path = DOCS / name
                        updated = f"$ {command}\n{update_output(wanted, found)}"
                        path.write_text(read_page(name).replace(f"$ {command}\n{wanted}", updated, 1), encoding="utf-8")
                    elif not matches_output(wanted, found):
                        wrong[line] = f"$ {command}\n{found}"
    return wrong


QUICK_PAGES = ("guides/author/words.md", "guides/author/scenarios.md", "guides/play/why.md", "start/first-game.md", "start/house-rule.md")


@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK_PAGES else pytest.mark.long) for name in PAGES])
def test_a_page_shows_the_output_of_its_commands(name: str, pytestconfig: pytest.Config):
    assert run_page(name, pytestconfig.getoption("--record")) == {}


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_a_page_has_a_path_or_a_command(name: str):
    for line, kind, words, content in fenced_blocks(read_page(name)):
        assert kind in (*FILES, "text", "sh"), line
        assert bool(words) == (kind in FILES), line
        assert kind != "text" or content.startswith("$ ludoglot "), line


# ---------------------------------------------------------------- completeness


@cache
def author_text() -> str:
    """Returns the text of all guides and reference pages."""
    return "\n".join(path.read_text(encoding="utf-8") for path in AUTHOR_PAGES)


def find_key_kinds() -> set[str]:
    """Returns the kinds of key that the engine builds from names of a game: `ask.…`, `did.….others`."""
    rooms = ("narration", "explain", "table_view", "cli", "project", "terminal", "commands")
    sources = [path for room in rooms for path in sorted((ROOT / "engine" / room).glob("*.py"))]
    sources += [ROOT / "engine" / "i18n" / file for file in ("readers.py", "message_sources.py", "localizer.py")]
    found: set[str] = set()
    for path in sources:
        for written in re.findall(r'f"((?:[a-z]+\.|\{)(?:\{[^{}"]*\}|[^"\s{}])*)"', path.read_text(encoding="utf-8")):
            found.add(re.sub(r"\{[^{}]*\}", "…", written))
    return found


# Keys of the engine's own texts and of messages for authors, not of a game's texts.
ENGINE_KEYS = (r"(start|seats|cli|side|command|full|help|house|menu|column|language|reason|trace|show|change|diagnostic|hint|seat|"
                r"balance|usage|test|why|refused|native)\.")
KINDS = ("ask", "option", "decline", "did", "event", "state", "panel", "letter", "label", "phase", "attribute", "variant", "clause",
         "score", "game", "worth", "became", "short", "then", "look", "line", "told", "because", "outlook", "standing")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_key_is_documented(kind: str):
    assert re.search(rf"`{kind}\.[^`]+`", author_text())


def test_each_key_of_the_engine_is_documented():
    shapes = {re.sub(r"<[^<>`]*>", "…", key) for key in re.findall(r"`([a-z]+\.[^`\s]+)`", author_text())}
    wanted = {key for key in find_key_kinds() if re.match(rf"({'|'.join(KINDS)})\.", key)}
    assert wanted and {key for key in wanted if not any(shape == key or shape.startswith(f"{key}.") for shape in shapes)} == set()
    stems = {key.split(".")[0] for key in find_key_kinds() if re.match(r"[a-z]+\.…", key) and not re.match(ENGINE_KEYS, key)}
    assert stems <= set(KINDS), stems


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_marker_and_form_is_documented(lang: str):
    grammar = grammar_of(lang)
    named = set(re.findall(r"`~?([a-z.]+)(?:: [^`]*)?`", author_text()))
    assert grammar.markers | grammar.stored <= named


def list_properties(node: object) -> set[str]:
    """Returns every property that a schema names, at any depth."""
    if isinstance(node, dict):
        inner = node.get("properties")
        own = set(inner) if isinstance(inner, dict) else set()
        return own.union(*(list_properties(part) for part in node.values()))
    return set().union(*map(list_properties, node)) if isinstance(node, list) else set()


@pytest.mark.parametrize("file", ["scenario.json", "house.json", "table.json", "notation.json"])
def test_each_property_of_a_schema_is_described_and_in_an_example(file: str):
    wanted = list_properties(json.loads((schema.SCHEMA_FOLDER / file).read_text(encoding="utf-8")))
    text = author_text()
    examples = "\n".join(content for _, kind, _, content in fenced_blocks(text) if kind == "yaml")
    assert {key for key in wanted if f"`{key}`" not in text} == set()
    assert {key for key in wanted if not re.search(rf"(?<!\w){key}:", examples)} == set()
