"""Highlights blocks of rules: a lexer for Pygments with the keywords of the language."""

from __future__ import annotations

from pathlib import Path

import yaml
from pygments import lexers
from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Text

__all__ = ["RulesLexer"]                                           # Pygments reads this list
KEYWORDS = yaml.safe_load((Path(__file__).parents[2] / "dsl" / "syntax" / "keywords.yaml").read_text(encoding="utf-8"))


def _keywords(group: str) -> list[str]:
    return sorted({word for spelling in KEYWORDS[group].values() for word in str(spelling).split()})


class RulesLexer(RegexLexer):
    """Colours rules: keywords, types, numbers, comments and cited clauses."""

    name = "Ludoglot rules"
    aliases = ["rules"]
    tokens = {"root": [
        (r"#.*$", Comment.Single),
        (r"@[\w.-]+", Name.Decorator),
        (words(_keywords("words"), prefix=r"\b", suffix=r"\b"), Keyword),
        (words(_keywords("soft"), prefix=r"\b", suffix=r"\b"), Keyword.Type),
        (words(KEYWORDS["folds"], prefix=r"\b", suffix=r"\b(?=\()"), Name.Builtin),
        (r"\b[A-Z]\w*", Name.Class),
        (r"\b\d+\b", Number),
        (r"[-+*/%<>=!&|~^?]+|\.\.", Operator),
        (r"\w+", Name),
        (r"\s+|.", Text),
    ]}


def register_rules_lexer() -> None:
    """Registers the language `rules` with Pygments in this process."""
    lexers.LEXERS["RulesLexer"] = (__name__, RulesLexer.name, tuple(RulesLexer.aliases), (), ())
