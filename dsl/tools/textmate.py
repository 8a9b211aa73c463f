"""A TextMate grammar of the rule language, for editors that highlight by patterns.

It is generated from the keywords, so that it is always up to date.

    python -m ludoglot.dsl.tools.textmate > docs/editors/vscode/syntaxes/ludoglot.tmLanguage.json"""

from __future__ import annotations

import json
import re
from typing import Any

from ..check.builtins import BUILTINS
from ..syntax.lark_parser import keywords

DECLARATION_TERMINALS = (
    "_STATE",
    "_PER",
    "_DEF",
    "PROC",
    "PHASE",
    "STANDING",
    "ESTIMATE",
    "ALWAYS",
    "_LET",
    "_SEEN",
    "HIDDEN",
    "SATURATING",
)
CONSTANT_TERMINALS = ("TRUE", "FALSE", "NONE")
OPERATOR_TERMINALS = ("AND", "OR", "NOT", "_IN")
TYPE_TERMINALS = ("_OF", "_SET", "_LIST", "_BAG", "_PILE", "_BOOL", "_INT")


def build_grammar(language: str = "en") -> dict[str, Any]:
    """Returns the grammar as data for JSON."""
    table = keywords(language)
    rows = {**table["words"], **table["soft"]}
    groups = {
        "storage.type": DECLARATION_TERMINALS,
        "constant.language": CONSTANT_TERMINALS,
        "keyword.operator.word": OPERATOR_TERMINALS,
        "support.type": TYPE_TERMINALS,
    }
    told = {name for names in groups.values() for name in names}
    groups["keyword.control"] = tuple(name for name in rows if name not in told)
    folds, functions = "|".join(table["folds"]), "|".join(sorted(BUILTINS))
    patterns: list[dict[str, Any]] = [
        {"name": "comment.line.number-sign.ludoglot", "match": "#.*$"},
        {"name": "entity.other.attribute-name.clause.ludoglot", "match": "@[A-Z0-9]+(?:-[A-Z0-9]+)*"},
        {"match": rf"^({rows['_DEF']}|{rows['PROC']}|{rows['PHASE']})\s+([^\W\d]\w*)",
         "captures": {"1": {"name": "storage.type.ludoglot"}, "2": {"name": "entity.name.function.ludoglot"}}},
        {"match": rf"^({rows['_STATE']})\s+([^\W\d]\w*)",
         "captures": {"1": {"name": "storage.type.ludoglot"}, "2": {"name": "variable.other.ludoglot"}}},
        {"name": "support.function.fold.ludoglot", "match": rf"\b(?:{folds})(?=[ \t]*\()"},
        {"name": "support.function.builtin.ludoglot", "match": rf"(?<!\.)\b(?:{functions})(?=[ \t]*\()"},
    ]
    for scope, names in groups.items():
        spelt = sorted((rows[name] for name in names), key=lambda word: (-word.count(" "), word))
        words = "|".join(r"[ \t]+".join(map(re.escape, word.split())) for word in spelt)
        patterns.append({"name": f"{scope}.ludoglot", "match": rf"(?<![\w.])(?:{words})(?!\w)"})
    patterns += [
        {"name": "entity.name.type.ludoglot", "match": r"\b[A-Z][A-Za-z0-9]*\b"},
        {"name": "constant.numeric.ludoglot", "match": r"\b[0-9]+\b"},
        {"name": "variable.other.member.ludoglot", "match": r"(?<=\.)[^\W\d]\w*"},
        {"name": "keyword.operator.ludoglot", "match": r"==|!=|<=|>=|\+=|-=|//|\.\.|[-+*%&<>=?]"},
    ]
    return {"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "name": "Ludoglot",
            "scopeName": "source.ludoglot", "fileTypes": ["rules"], "patterns": patterns}


def render_grammar(language: str = "en") -> str:
    """Returns the grammar as the text of its JSON file."""
    return json.dumps(build_grammar(language), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    print(render_grammar(), end="")
