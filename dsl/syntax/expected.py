"""Describes the words and signs that could follow in a rule file: "Expected: `:`, `where`, @CLAUSE."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lark import Token

from ..diagnostics.diagnostic import Phrase, PhraseList

MAX_EXPECTED = 8
TERMINAL_PHRASES = {"_NL": "line_end", "_INDENT": "indented_block", "_DEDENT": "block_end", "NAME": "name", "TYPE": "type", "INT": "number",
           "$END": "file_end"}
TERMINAL_SPELLINGS = {
    "CITE": "@CLAUSE",
    "CMP": "`==`",
    "FOLD": "`count(`",
    "ASSIGN": "`=`",
    "ADD": "`+`",
    "MINUS": "`-`",
    "MUL": "`*`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "QMARK": "`?`",
    "__ANON_0": "`..`",
}
# Terminals that a finding names first, and last. Keywords are between them.
LIKELY_TERMINALS = ("COLON", "EQUAL", "ASSIGN", "NAME", "TYPE", "INT", "RPAR", "RSQB", "RBRACE", "COMMA", "__ANON_0", "_INDENT")
UNLIKELY_TERMINALS = ("_NL", "_DEDENT", "$END", "CMP", "ADD", "MINUS", "MUL", "LPAR", "LSQB", "LBRACE", "DOT", "QMARK", "CITE")


# By the first word of a line: its parts in their order. A terminal or a sign, and how it is shown with what follows it.
PART_ORDERS: dict[str, tuple[tuple[str, str], ...]] = {
    "_CHOOSE": (("_IN", " x {} …"), ("_THEN", " {} y {_IN} …"), ("_WHERE", " {} …"), ("_BY", " {} …"), ("_AS", " {} …"),
                ("OR_STOP", " {}")),
    "_ROUNDS": (("_OF", " {}"), ("_IN", " x {} …"), ("_WHERE", " {} …"), ("_UNTIL", " {} …")),
    "_STATE": ((":", " x{} …"), ("=", " {} …"), ("_PER", " {} …"), ("_SEEN", " {} {_BY} …"), ("HIDDEN", "")),
    "PROC": (("(", " x{}…)"), ("_BY", " {} …"), (":", "{}")),
}
PART_ORDERS["PHASE"] = PART_ORDERS["PROC"]


def find_part_order(token: Token, line: str, keywords: Mapping[str, str]) -> str:
    """Returns the order of the parts of a line if an unexpected token shows that they have another order, or ""."""
    code = line.split("#")[0]
    before, after = code[: (token.column or 1) - 1], code[(token.end_column or 1) - 1 :]
    spelling = {name: keywords.get(name, name) for parts in PART_ORDERS.values() for name, _ in parts}

    def has_part(text: str, name: str) -> bool:
        word = spelling[name]
        return re.search(rf"\b{re.escape(word)}\b" if word[0].isalpha() else re.escape(word), text) is not None
    for first, parts in PART_ORDERS.items():
        names = [name for name, _ in parts]
        if not re.search(rf"\b{re.escape(keywords[first])}\b", before):
            continue
        is_binder = first == "_CHOOSE" and re.match(rf"\s*{spelling['_IN']}\b", after) is not None      # the name before `in`
        own = "_IN" if is_binder else next((name for name in names if spelling[name].split()[0] == token), "")
        if own and (any(has_part(before, name) for name in names[names.index(own) + 1 :])
                    or any(has_part(after, name) for name in names[: names.index(own)])):
            return keywords[first] + "".join(shown.format(spelling[name], **keywords) for name, shown in parts)
    return ""


def describe_expected(terminals: Iterable[str], keywords: Mapping[str, str]) -> PhraseList:
    """Returns the descriptions of the terminals that could follow, the most likely first. `keywords` maps terminals to words."""
    ranked = sorted((_rank(name), str(phrase), phrase) for name in terminals for phrase in (_terminal_phrase(name, keywords),))
    phrases = list(dict.fromkeys(phrase for _, _, phrase in ranked))
    return PhraseList((*phrases[:MAX_EXPECTED], "…") if len(phrases) > MAX_EXPECTED else tuple(phrases))


def _rank(terminal: str) -> int:
    """Returns the place of a terminal in a list of expected ones: negative if it is likely, 0 for a keyword."""
    if terminal in LIKELY_TERMINALS:
        return LIKELY_TERMINALS.index(terminal) - len(LIKELY_TERMINALS)
    return UNLIKELY_TERMINALS.index(terminal) + 1 if terminal in UNLIKELY_TERMINALS else 0


def _terminal_phrase(terminal: str, keywords: Mapping[str, str]) -> Phrase | str:
    """Returns the description of a grammar terminal for messages."""
    if word := keywords.get(terminal):
        return f"`{word}`"
    return Phrase(f"syntax_{TERMINAL_PHRASES[terminal]}") if terminal in TERMINAL_PHRASES else TERMINAL_SPELLINGS.get(terminal, terminal)
