"""Describes the words and signs that could follow in a rule file: "Expected: `:`, `where`, @CLAUSE."."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
