"""Checks that the Debian hunspell dictionaries or the lists know every word of the texts for players and authors.

    python .ci/spelling.py            needs hunspell with hunspell-it, -es, -hu, -en-gb

Lists: .ci/spelling/<language>.txt, one word per line, with its reason after `#`. The check ignores `backquotes`, code examples (indented
lines), and {fields} with their ~markers.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
DICTIONARIES = {"it": "it_IT", "es": "es_ES", "hu": "hu_HU", "en": "en_GB"}
NOT_TEXT = re.compile(
    r"`[^`]*`|\{[^{}]*\}(?:~[a-z._]+)?|--?[a-z][\w-]*|[A-Z]+=\w+|\w+[.:]\w[\w.:]*|\b[A-Z]\d{3}\b|^[ ]{2,}.*$", re.M)
# Any text may contain words of the rule language, YAML keys, and commands.
CODE = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")


def texts(lang: str) -> dict[str, list[str]]:
    """Returns each word in the catalogues of a language, with the keys of the texts that contain it."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "locale" / lang / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file)
        for message in catalogue:
            if not message.id:
                continue
            strings = message.string if isinstance(message.string, tuple | list) else [message.string]
            for text in strings:
                plain = CODE.sub(" ", NOT_TEXT.sub(" ", str(text)))
                for word in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", plain):
                    if word.isupper() and len(word) > 1:           # placeholders of usage lines: FILE, GAME
                        continue
                    found.setdefault(word, []).append(f"{path.stem}: {message.context}")
    return found


def listed(lang: str) -> set[str]:
    path = Path(__file__).parent / "spelling" / f"{lang}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {line.split("#")[0].strip().lower() for line in lines} - {""}


def unknown(lang: str, words: set[str]) -> set[str]:
    """Returns the words that hunspell does not know."""
    command = ["hunspell", "-d", DICTIONARIES[lang], "-i", "utf-8", "-l"]
    done = subprocess.run(command, input="\n".join(sorted(words)), capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def main() -> int:
    bad = 0
    for lang in DICTIONARIES:
        words = texts(lang)
        allowed = listed(lang)
        strange = {word for word in unknown(lang, set(words)) if word.lower() not in allowed}
        places = {word: next((keys[0] for whole, keys in words.items() if word in whole), "?") for word in strange}
        for word in sorted(strange, key=str.lower):
            print(f"{lang}: {word}  ({places[word]})")
        bad += len(strange)
        print(f"{lang}: {len(words)} words, {len(strange)} unknown, {len(allowed)} listed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
