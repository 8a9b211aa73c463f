"""Measures the style of English prose: habits that confuse native readers, per 1,000 words.

    python tests/docs/prose.py [FILE.md ...]       # figures of pages (default: all), docstrings, messages and diagnostics

Pages are measured without code, tables, headings and links. `test_prose.py` holds every kind of text to its limits.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
LONG_SENTENCE_WORDS, LONG_PARAGRAPH_WORDS = 30, 90
HEADLESS_WHAT = r"\b[Ww]hat\b(?! (?:is|are|does|do|if|about|happens)\b)"
HABITS = {
    "what-clause": HEADLESS_WHAT,
    "of which/whom/what": r"\bof (?:which|whom|what)\b",
    "stand/lie": r"\b(?:stands?|lies?|lay|stood)\b",
    "tell/told": r"\b(?:tells?|told)\b",
    "headless who": r"(?:^|[.;:,] )(?:[Ww]hoever|[Ww]ho) ",
    "semicolon": r";",
    "old-fashioned word": r"\b(?:anew|nought|besides|beside|behind|reckon(?:s|ed)?|thereof|therein|hereby)\b",
    "will do": r"\bwill (?:not )?do\b|\bcould stand\b|\bno such\b",
    "one/oneself": r"\b(?:oneself|one's own|one’s own)\b",
}
FAMILIAR = r"\b[Yy]ou(?:r|rs|rself)?\b"
WORD = r"[A-Za-z’']+"


@dataclass(frozen=True)
class Figures:
    """The measures of a collection of paragraphs. Habits and `you` are per 1,000 words."""

    words: int
    habits: dict[str, float]
    you: float
    long_sentence_percent: float
    longest_sentence: str
    long_paragraphs: int

    @property
    def longest_sentence_words(self) -> int:
        return count_words(self.longest_sentence)


def count_words(text: str) -> int:
    """Returns the number of words."""
    return len(re.findall(WORD, text))


def split_page(text: str) -> list[str]:
    """Returns the paragraphs and list items of a Markdown page, without code, tables, headings and link targets."""
    text = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.M | re.S)
    for part in (r"(?m)^ {4,}.*$", r"(?m)^\|.*$", r"(?m)^#.*$", r"<[^>]+>"):
        text = re.sub(part, "", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return split_paragraphs(text)


def split_paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a text, with inline code replaced by X."""
    text = re.sub(r"`[^`\n]*`", "X", text)
    parts = re.split(r"\n\s*\n|\n(?=[*\-] |\d+\. )", text)
    return [re.sub(r"\s+", " ", part).strip(" *-") for part in parts if len(part.split()) > 2]


def split_sentences(paragraphs: Iterable[str]) -> list[str]:
    """Returns the sentences of paragraphs."""
    return [one for part in paragraphs for one in re.split(r"(?<=[.!?:])\s+(?=[A-Z“\"'(X])", part) if len(one.split()) > 2]


def measure(paragraphs: list[str]) -> Figures:
    """Returns the figures of paragraphs."""
    sentences = split_sentences(paragraphs)
    text = " ".join(sentences)
    words = count_words(text) or 1
    long_ones = sum(count_words(one) > LONG_SENTENCE_WORDS for one in sentences)
    return Figures(
        words=words,
        habits={name: 1000 * len(re.findall(habit, text)) / words for name, habit in HABITS.items()},
        you=1000 * len(re.findall(FAMILIAR, text)) / words,
        long_sentence_percent=100 * long_ones / (len(sentences) or 1),
        longest_sentence=max(sentences, key=count_words, default=""),
        long_paragraphs=sum(count_words(part) > LONG_PARAGRAPH_WORDS for part in paragraphs),
    )


def list_pages() -> list[Path]:
    """Returns the English pages: those of the root and of docs/, without style sheets."""
    pages = [*sorted(ROOT.glob("*.md")), ROOT / "tests" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if not re.search(r"\.(it|es|hu)$", page.stem) and not page.name.startswith("style-")]


def read_docstrings() -> list[str]:
    """Returns the paragraphs of all docstrings in dsl/ and engine/."""
    return [part for path in sorted([*(ROOT / "dsl").rglob("*.py"), *(ROOT / "engine").rglob("*.py")])
            for text in _docstrings(ast.parse(path.read_text(encoding="utf-8"))) for part in split_page(text)]


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (text := ast.get_docstring(node)):
            yield text


def read_messages() -> list[str]:
    """Returns the texts of the engine."""
    data = yaml.safe_load((ROOT / "engine" / "i18n" / "messages.yaml").read_text(encoding="utf-8"))
    return [part for value in data.values() for text in (value.values() if isinstance(value, dict) else [value])
            for part in split_paragraphs(str(text))]


def read_diagnostics() -> list[str]:
    """Returns the messages, notes and explanations of all diagnostics, without code examples."""
    data = yaml.safe_load((ROOT / "dsl" / "codes.yaml").read_text(encoding="utf-8"))
    return [part for code in data["codes"].values() for text in code.values() for part in split_page(str(text))]


def report(name: str, found: Figures) -> None:
    """Prints figures."""
    print(f"\n{name}: {found.words} words")
    for habit, figure in {**found.habits, "you/your": found.you, "sentences over 30 words, %": found.long_sentence_percent}.items():
        print(f"  {habit:28s}{figure:6.1f}")
    print(f"  longest sentence            {found.longest_sentence_words:4d}  {found.longest_sentence[:100]}")
    print(f"  paragraphs over 90 words    {found.long_paragraphs:4d}")


if __name__ == "__main__":
    named = [Path(name) for name in sys.argv[1:]]
    report("pages", measure([part for page in named or list_pages() for part in split_page(page.read_text(encoding="utf-8"))]))
    if not named:
        report("docstrings", measure(read_docstrings()))
        report("messages", measure(read_messages()))
        report("diagnostics", measure(read_diagnostics()))
