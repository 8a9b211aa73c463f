"""Makes texts from strangers safe to print: names, messages, catalogues, saves and rules.

Characters that could move the cursor, set a title, change the writing direction or break a line are replaced by their
code point: <U+001B>. Nothing is removed, and harmless characters stay unchanged."""

from __future__ import annotations

import re
import unicodedata

BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
JOIN_CONTROLS = "\u00ad\u200c\u200d"       # soft hyphen and the (non-)joiners of letters and emoji
_SUSPECT = re.compile(r"[^\n\t\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u05ff]")


class SafeText(str):
    """A text that is already safe and may contain our own styles."""

    __slots__ = ()


def is_control_or_bidi(char: str) -> bool:
    """Whether a character controls the screen instead of being readable."""
    return char not in JOIN_CONTROLS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def sanitize(text: str, keep: str = "\n\t") -> str:
    """Returns a text with all harmful characters replaced by code points. Control characters in `keep` stay."""
    if isinstance(text, SafeText):
        return text

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        return f"<U+{ord(char):04X}>" if is_control_or_bidi(char) else char
    out = _SUSPECT.sub(escape, text)
    return out if keep == "\n\t" else "".join(f"<U+{ord(c):04X}>" if c in "\n\t" and c not in keep else c for c in out)


def sanitize_markup(markup: str) -> str:
    """Returns HTML with all harmful characters replaced by code points that a browser shows as text."""
    return _SUSPECT.sub(lambda match: f"&lt;U+{ord(match[0]):04X}&gt;" if is_control_or_bidi(match[0]) else match[0], markup)


def escape_json(json: str) -> str:
    """Returns JSON with all harmful characters as JSON escapes. Parsers still read the same text."""
    def escape(match: re.Match[str]) -> str:
        char = match[0]
        if not is_control_or_bidi(char):
            return char
        raw = char.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{int.from_bytes(raw[n : n + 2], 'big'):04x}" for n in range(0, len(raw), 2))
    return _SUSPECT.sub(escape, json)
