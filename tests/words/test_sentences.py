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

from .rendered_sentences import FOLDER, Case, get_localizer, parse_cases, render_cases

SENTENCE_COUNT = 400
VOWELS = "aáàâeéèiíìoóöőòuúüű"


def read_recorded_cases(lang: str) -> list[Case]:
    return [case for case, _ in parse_cases((FOLDER / f"{lang}.txt").read_text(encoding="utf-8"))]


@pytest.mark.long_cases("it", "hu")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_match_the_reviewed_files(lang: str, recorded):
    recorded(FOLDER / f"{lang}.txt", render_cases(lang, read_recorded_cases(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_cover_numbers_genders_and_initials(lang: str):
    cases = read_recorded_cases(lang)
    numbers: Counter[str] = Counter()
    begun: Counter[tuple[str, bool]] = Counter()
    for case in cases:
        words, fields = get_localizer(lang, case.domain), dict(case.fields)
        numbers["0"] += case.key.endswith(".none")
        for part in parse_template(words.template(case.key)).fields:
            value = fields.get(part.name, "")
            if part.noun or part.name == "n":
                numbers[value] += 1
            elif re.fullmatch(r"[A-Z]\w*\.\w+", value):
                gender = words.lookup_noun(value).forms.get("g", "")
                begun[gender, words.noun(value)[0].lower() in VOWELS] += 1
    assert len(set(cases)) == SENTENCE_COUNT
    assert all(numbers[n] >= 3 for n in ("0", "1", "2", "5")), numbers
    genders = ("m", "f") if lang in ("it", "es") else ("",)
    assert all(begun[gender, vowel] >= 2 for gender in genders for vowel in (True, False)), begun


def test_recorded_sentences_have_no_unfilled_fields():
    for lang in LANGUAGES:
        text = (FOLDER / f"{lang}.txt").read_text(encoding="utf-8")
        assert not re.search(r"[{}~⟦⟧]|\(z\)", "".join(said for _, said in parse_cases(text)))
