"""The sound of a Hungarian word: whether a or az precedes it, and which ending a name, a label or a number
takes.

The lexicon stores the forms of a game's nouns. The rules here are for what no lexicon can contain: names of
people, labels of places (d3), and numbers."""

from __future__ import annotations

import re
import unicodedata

from .base import leading_group

# endings after back, front and rounded front vowels; the `v` of an ending doubles the last consonant instead
ENDINGS = {
    "acc": ("t", "t", "t"), "dat": ("nak", "nek", "nek"), "ine": ("ban", "ben", "ben"), "ill": ("ba", "be", "be"),
    "ela": ("ból", "ből", "ből"), "sup": ("n", "n", "n"), "sub": ("ra", "re", "re"), "del": ("ról", "ről", "ről"),
    "ade": ("nál", "nél", "nél"), "all": ("hoz", "hez", "höz"), "abl": ("tól", "től", "től"), "ins": ("val", "vel", "vel"),
    "tra": ("vá", "vé", "vé"), "cau": ("ért", "ért", "ért"), "ter": ("ig", "ig", "ig"), "for": ("ként", "ként", "ként"),
}
_LINK = ("o", "e", "ö")
_DIGRAPHS = ("dzs", "cs", "dz", "gy", "ly", "ny", "sz", "ty", "zs")
_NO_LINK = ("n", "l", "r", "s", "z", "j", "ly", "ny", "sz", "zs")    # Jánost, Pétert: no vowel before -t
_VOWELS = "aáeéiíoóöőuúüű"
_SPOKEN_LETTERS = {
    "a": "á", "b": "bé", "c": "cé", "d": "dé", "e": "é", "f": "ef", "g": "gé", "h": "há", "i": "í", "j": "jé", "k": "ká", "l": "el",
    "m": "em", "n": "en", "o": "ó", "p": "pé", "q": "kú", "r": "er", "s": "es", "t": "té", "u": "ú", "v": "vé", "w": "vé", "x": "iksz",
    "y": "ipszilon", "z": "zé"}
_ONES = ("nulla", "egy", "kettő", "három", "négy", "öt", "hat", "hét", "nyolc", "kilenc")
_TENS = ("", "tíz", "húsz", "harminc", "negyven", "ötven", "hatvan", "hetven", "nyolcvan", "kilencven")
_ACCUSATIVES = {                                                    # irregular: 3-at, 10-et
    "három": "at", "nyolc": "at", "húsz": "at", "harminc": "at", "hatvan": "at", "nyolcvan": "at", "száz": "at", "tíz": "et",
    "negyven": "et", "ötven": "et", "hetven": "et", "kilencven": "et", "ezer": "et", "el": "et", "en": "et", "er": "et", "es": "et"}


def starts_with_vowel(text: str) -> bool:
    """Whether the first thing read aloud in `text` begins with a vowel, so that `az` precedes it: az erdő, az 5, az
    f2, a 10."""
    found = re.search(r"\d+(?:[\u00a0\u202f]\d{3})*|[^\W\d_]+", text)
    if not found:
        return False
    word = found.group()
    if word[0].isdecimal():
        if "-" in text[:found.start()] or "−" in text[:found.start()]:
            return False                                            # mínusz
        group, groups = leading_group(int(re.sub(r"\D", "", word)))
        return group == 1 or str(group)[0] == "5"                   # egy, ezer, egymillió; öt, ötven, ötszáz
    if _is_spelled_out(word, text[found.end():]):
        return _base_letter(_SPOKEN_LETTERS.get(_base_letter(word[0]), "b"))[0] in "aeiou"
    if word[0] in "yY":
        return _base_letter(word[1]) not in "aeiou"
    return _base_letter(word[0]) in "aeiou"


def decline(name: str, case: str) -> str:
    """Returns a person's name or a label with the ending of `case`: ANNÁNAK, Pieróval, d3-ra.

    A name that ends in a digit or is spelled letter by letter takes a hyphen, and the ending of the spoken word."""
    spoken = _word_read_at_end(name)
    if spoken is not None:
        return f"{name}-{ending(spoken, case, hyphen=True)}" if spoken else name
    long = {"a": "á", "e": "é", "o": "ó", "ö": "ő", "A": "Á", "E": "É", "O": "Ó", "Ö": "Ő"}
    stem = name[:-1] + long.get(name[-1], name[-1])
    end = ending(name.lower(), case)
    last = _find_last_letter(name.lower())
    if ENDINGS[case][0][0] == "v" and len(last) > 1 and not _ends_in_vowel(name.lower()):
        stem = stem[:-len(last)] + stem[-len(last)] + stem[-len(last):]   # Balázs: Balázzsal
    return stem + (end.upper() if len(name) > 1 and name.isupper() else end)


def ending(word: str, case: str, hyphen: bool = False) -> str:
    """Returns the ending of `case` after a word that sounds like `word` (lower case).

    After a hyphen a doubled consonant is written only once, because the digit or letter stands for the first
    half: 3-mal, 1-gyel."""
    harmony = _vowel_harmony(word)
    plain = ENDINGS[case][harmony]
    if _ends_in_vowel(word):
        return plain
    if case in ("acc", "sup"):
        special = _ACCUSATIVES.get(word) if case == "acc" and hyphen else None
        if special:
            return special
        linked = case == "sup" or _find_last_letter(word) not in _NO_LINK
        return (_LINK[harmony] if linked else "") + plain
    if plain[0] != "v":
        return plain
    last = _find_last_letter(word)
    if hyphen:
        return last + plain[1:]
    doubled = word[-2:-1] == last or len(last) > 1                # Bernadett: Bernadettel; Balázs: see decline
    return ("" if doubled else last) + plain[1:]


def last_word_of_number(n: int) -> str:
    """Returns the last word of a number read aloud: 23 → három, 40 → negyven, 300 → száz."""
    n = abs(n)
    if n % 10 or n == 0:
        return _ONES[n % 10]
    if n % 100:
        return _TENS[n // 10 % 10]
    if n % 1000:
        return "száz"
    return "ezer" if n % 1_000_000 else "millió"


def _word_read_at_end(name: str) -> str | None:
    """Returns the spoken word for the end of a label, or "" if there is none.

    Returns None for a name that is read as a word."""
    digits = re.search(r"\d+$", name)
    if digits:
        return last_word_of_number(int(digits.group()))
    word = re.search(r"[^\W\d_]+$", name)
    if not word:
        inner = re.search(r"[^\W\d_]+(?=\W+$)", name)                # Anna (2): no ending possible; Anna (bot): read as "bot"
        return inner.group().lower() if inner else ""
    if _is_spelled_out(word.group(), "") or any(c.isdigit() for c in name.split()[-1]):      # d3.k, but not the word in: 3. játékos
        return _SPOKEN_LETTERS.get(_base_letter(name[-1]), "é")
    return None


def _is_spelled_out(word: str, after: str) -> bool:
    """Whether a word is read letter by letter: one letter, a letter before a digit, or no vowel at all."""
    if len(word) <= 2 and after[:1].isdigit():
        return True
    return len(word) == 1 and word.lower() not in "aeosóőö" or not any(_base_letter(c) in "aeiouy" for c in word)


def _base_letter(letter: str) -> str:
    """Returns a letter in lower case, without its accent."""
    return unicodedata.normalize("NFD", letter.lower())[0]


def _vowel_harmony(word: str) -> int:
    """Returns the vowel harmony class: 0 back, 1 front, 2 front with a rounded last vowel.

    The vowels i, í and é are neutral, so the vowels before them decide."""
    vowels = [c for c in word if c in _VOWELS or _base_letter(c) in "aeiou"]
    telling = [c for c in vowels if c not in "iíé"]
    if not telling:
        return 1
    last = telling[-1]
    if last in "öőüű":
        return 2 if vowels[-1] == last else 1
    return 0 if _base_letter(last) in "aou" else 1


def _ends_in_vowel(word: str) -> bool:
    if word[-1:] == "y":
        return word[-2:-1] not in ("g", "l", "n", "t")              # Mary, but György
    return _base_letter(word[-1]) in "aeiou"


def _find_last_letter(word: str) -> str:
    return next((d for d in _DIGRAPHS if word.endswith(d)), word[-1])
