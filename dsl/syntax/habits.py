"""How other languages write what this one writes otherwise: `&&` for `and`, `while` for `rounds until`, `null` for `none`."""

from __future__ import annotations

import re

# What stands there, and how it is written here. Where two fit, the first one counts.
SIGNS: list[tuple[re.Pattern[str], str]] = [(re.compile(pattern), meant) for pattern, meant in (
    (r"\+\+", "+= 1"), (r"--(?=\s*$)", "-= 1"), (r"&&", "and"), (r"\|\|?", "or"), (r"[!=]==", "=="), (r"<>", "!="), (r"=>", ">="),
    (r"=<", "<="), (r"!(?!=)", "not"), (r":=", "="), (r"(?<![/=])/(?![/=])", "//"), (r"[*/]=", "="), (r"\*\*", "*"),
    (r"\?(?=[^?:]*:)", "… if … else …"), (r"(?<!\S)per\b(?=\s+\w+\s+in\b)", "for"), (r"\belse\s+if\b", "elif"), (r"\bfor\s+each\b", "for"),
)]
WORDS = {
    "while": "rounds until", "loop": "repeat", "elseif": "elif", "elsif": "elif", "foreach": "for", "function": "proc",
    "func": "proc", "fn": "def", "procedure": "proc", "sub": "proc", "method": "proc", "var": "let", "const": "let", "local": "let",
    "break": "stop", "return": "stop", "exit": "stop", "print": "tell", "say": "tell", "log": "tell", "emit": "tell", "switch": "if",
    "select": "choose", "pick": "choose", "assert": "always", "invariant": "always", "when": "if", "unless": "if not",
    "mentre": "rounds until", "mientras": "rounds until", "is": "==", "xor": "!=", "mod": "%", "div": "//", "then": ":",
}
VALUES = {
    "null": "none", "nil": "none", "None": "none", "Null": "none", "undefined": "none", "nothing": "none", "True": "true", "False": "false",
    "yes": "true", "no": "false", "length": "size", "len": "size",
    "random": "by chance", "self": "player", "String": "bool", "Integer": "int",
    "Number": "int", "Boolean": "bool",
}
CALLS = {"random": "choose … by chance", "rand": "choose … by chance", "randint": "choose … by chance", "roll": "choose … by chance",
         "len": "size", "length": "size"}


def habit(line: str, column: int) -> tuple[int, str, str] | None:
    """What was written by habit around a place of a line (from 1) that cannot be read: its column, itself, how it is written here."""
    for pattern, meant in SIGNS:
        for found in pattern.finditer(line):
            if found.start() + 1 <= column <= found.end() + 1:
                return found.start() + 1, found[0], meant
    for word in re.finditer(r"[^\W\d]\w*", line):
        near = word.start() + 1 <= column <= word.end() or column > word.end() and not line[word.end():column - 1].strip()
        if near and word[0] in WORDS:
            return word.start() + 1, word[0], WORDS[word[0]]
    return None
