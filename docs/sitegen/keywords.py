"""Builds the reference of the keywords in four languages, and of the grammar."""

from __future__ import annotations

from typing import Any

import yaml

from .markdown import table
from .staging import LANGUAGE_NAMES, ROOT, Stage

GROUPS = {
    "words": ("Statements and declarations", "You cannot use these words as names."),
    "soft": ("Types, counts and endings", "You can also use these words as names."),
    "folds": ("Folds", "A parenthesis follows a fold, as in `count(cell in Cell where stone[cell] == player)`."),
}


def add_pages(stage: Stage) -> None:
    """Adds the page of keywords and the page of the grammar."""
    stage.add("reference/keywords.md", keyword_page())
    grammar = (ROOT / "dsl" / "syntax" / "grammar.lark").read_text(encoding="utf-8")
    text = ["# Grammar", "", "This is the complete grammar of rule files, in the notation of Lark.",
            "[Keywords](keywords.md) lists the spelling of its words.", "", "```text title=\"grammar.lark\"", grammar.rstrip(), "```", ""]
    stage.add("reference/grammar.md", "\n".join(text))


def keyword_page() -> str:
    """Returns the tables of keywords, one for each group."""
    def read(path: str) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
        return found
    english = read("dsl/syntax/keywords.yaml")
    others = {lang: read(f"locale/{lang}/keywords.yaml") for lang in LANGUAGE_NAMES if lang != "en"}
    lines = ["# Keywords", "", "You can write rules in the words of each language.",
             "`ludoglot fmt --keywords hu` rewrites a rule file in Hungarian, and `--keywords en` in English.", ""]
    for group, (title, note) in GROUPS.items():
        own = english[group]
        names = [str(word) for word in (own.values() if isinstance(own, dict) else own)]
        rows = [[f"`{name}`", *(f"`{spelling(other, name)}`" for other in others.values())] for name in sorted(names)]
        lines += [f"## {title}", "", note, "", table(list(LANGUAGE_NAMES.values()), rows)]
    return "\n".join(lines)


def spelling(other: dict[str, dict[str, str]], name: str) -> str:
    """Returns a keyword in another language."""
    return next((str(words[name]) for words in other.values() if isinstance(words, dict) and name in words), name)
