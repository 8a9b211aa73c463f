"""The one door to a screen: what a text may do there is to be read.

Names, messages, catalogues, saves and rules come from strangers. What would move the cursor, set a title, turn the writing direction or
break a line unseen is shown by its number: <U+001B>. Nothing is dropped, and what is harmless stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
JOIN_CONTROLS = "\u00ad\u200c\u200d"       # soft hyphens, and what holds letters and emoji together or apart
_SUSPECT = re.compile(r"[^\n\t\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u05ff]")


class SafeText(str):
    """A text that is harmless already and may hold styles of our own."""

    __slots__ = ()


def is_control_or_bidi(char: str) -> bool:
    """Whether a character does something to a screen instead of being read."""
    return char not in JOIN_CONTROLS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def sanitize(text: str, keep: str = "\n\t") -> str:
    """A text with everything harmful in it shown by its number; of control characters only those of `keep` stay."""
    if isinstance(text, SafeText):
        return text

    def escape(found: re.Match[str]) -> str:
        char = found[0]
        return f"<U+{ord(char):04X}>" if is_control_or_bidi(char) else char
    out = _SUSPECT.sub(escape, text)
    return out if keep == "\n\t" else "".join(f"<U+{ord(c):04X}>" if c in "\n\t" and c not in keep else c for c in out)


def escape_json(json: str) -> str:
    """JSON with everything harmful written as JSON writes it, so that whoever reads it has the very same text."""
    def escape(found: re.Match[str]) -> str:
        char = found[0]
        if not is_control_or_bidi(char):
            return char
        raw = char.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{int.from_bytes(raw[n : n + 2], 'big'):04x}" for n in range(0, len(raw), 2))
    return _SUSPECT.sub(escape, json)
