"""Checks 400 rendered sentences in each language, with numbers, genders, and elisions. An editor has read all of them.

`pytest tests/words/test_sentences.py --record` renders them again. Then read the changes. `python bench/sample_sentences.py` draws
others.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from ludoglot.engine.i18n.languages import LANGUAGES
from ludoglot.engine.i18n.template import parse_template

from .rendered_sentences import FOLDER, Case, cases_of, told, words_of

WHOLE = 400
VOWELS = "aáàâeéèiíìoóöőòuúüű"


def kept(lang: str) -> list[Case]:
    return [case for case, _ in cases_of((FOLDER / f"{lang}.txt").read_text(encoding="utf-8"))]


@pytest.mark.long_cases("it", "hu")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_are_said_as_they_were_read(lang: str, recorded):
    recorded(FOLDER / f"{lang}.txt", told(lang, kept(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_they_show_numbers_genders_and_beginnings(lang: str):
    cases = kept(lang)
    numbers: Counter[str] = Counter()
    begun: Counter[tuple[str, bool]] = Counter()
    for case in cases:
        words, fields = words_of(lang, case.domain), dict(case.fields)
        numbers["0"] += case.key.endswith(".none")
        for part in parse_template(words.template(case.key)).fields:
            value = fields.get(part.name, "")
            if part.noun or part.name == "n":
                numbers[value] += 1
            elif re.fullmatch(r"[A-Z]\w*\.\w+", value):
                gender = words.lookup_noun(value).forms.get("g", "")
                begun[gender, words.noun(value)[0].lower() in VOWELS] += 1
    assert len(set(cases)) == WHOLE
    assert all(numbers[n] >= 3 for n in ("0", "1", "2", "5")), numbers
    genders = ("m", "f") if lang in ("it", "es") else ("",)
    assert all(begun[gender, vowel] >= 2 for gender in genders for vowel in (True, False)), begun


def test_a_field_that_nobody_fills_would_be_seen():
    for lang in LANGUAGES:
        assert not re.search(r"[{}~⟦⟧]|\(z\)", "".join(said for _, said in cases_of((FOLDER / f"{lang}.txt").read_text(encoding="utf-8"))))
