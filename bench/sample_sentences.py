"""Draws sample sentences with numbers and nouns for an editor: `python bench/sample_sentences.py [--count 400] [--seed 1] [--games
trias,hex]`.

The script plays part of each game and notes which texts appear with which fields. It varies each text with other numbers (0, 1, 2, 5, if
the game can have them) and with other nouns of the same type. For each language it draws `--count` sentences that together show as much as
possible: each text, each noun with each number, each gender, and each kind of word beginning (vowel, consonant, letters that change an
article) with each marker. It rewrites tests/words/sentences/LANGUAGE.txt. Read all of these sentences before you commit them.
`pytest --record tests/words` renders the same sentences again and draws no others.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import product
from pathlib import Path

from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.commands import words_sample
from ludoglot.engine.i18n import LANGUAGES, Localizer
from ludoglot.engine.i18n.readers import ENGINE_DOMAIN
from ludoglot.engine.i18n.template import parse_template
from ludoglot.engine.library.find import list_game_ids

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "words"))
from rendered_sentences import FOLDER, Case, format_value, get_localizer, render_case, render_cases

COUNTS = ("0", "1", "2", "5")
ROUNDS = 8
LONG = {"dominant-species": 5, "go": 3, "chess": 6, "amazons": 3}     # rounds of games with long turns
# Texts that always have the same nouns.
FIXED = ("clause", "with", "game", "phase", "variant", "Card", "Action", "Trait", "Box", "show")
HINT = "worth."
PEOPLE = ('"Anna"', '"Ed"', '"Ödön"')
MOST = 200                                                           # occurrences noted for one text
SOME, WAYS = 6, 12                                                   # occurrences and nouns to try, ways to fill the fields of a text
WORTH = {"counted": 5, "noun": 4, "n": 3, "thing": 1, "key": 2}      # value of showing it once
EACH = 3                                                             # maximum number of cases for one text
NOUN = re.compile(r"[A-Z]\w*\.\w+(#\d+)?")
STARTS = {"it": r"[sS][^aeiouAEIOU]|[zZ]|[gG]n|[pP]s|[xXyY]|[aeiouàèéìòùAEIOU]",
          "es": r"[hH]?[aá]|[hH]?i|[hH]?o|[eu]", "hu": r"[aáeéiíoóöőuúüű]", "en": r"[aeiou]"}


Fields = dict[str, str]
Heard = dict[tuple[str, str], list[Fields]]                          # by game and key, the fields of each occurrence


def heard(games: list[str]) -> Heard:
    """Returns every text of these games in part of a match, with the fields that it names in any language."""
    found: Heard = {}
    game = ""
    say = Localizer.text

    def text(self: Localizer, key: str, /, **args: object) -> str:
        fields = {name: value for name, given in args.items() if (value := format_value(given)) is not None}  # type: ignore[arg-type]
        kept = {name: value for name, value in fields.items() if name in named(game, key)}
        if kept and named(game, key) <= set(kept):
            said = found.setdefault((game, key), [])
            if kept not in said and len(said) < MOST:
                said.append(kept)
        return say(self, key, **args)  # type: ignore[arg-type]

    for game in games:
        words_sample.MAX_ROUNDS, words_sample.DECISIONS_PER_TABLE = LONG.get(game, ROUNDS), 5
        loaded = load_game(LocalizedConsole("en"), game)
        Localizer.text = text  # type: ignore[method-assign]
        try:
            for _ in words_sample.iter_game_lines(loaded, "en", seed=3):
                pass
        finally:
            Localizer.text = say  # type: ignore[method-assign]
    return found


def named(game: str, key: str) -> set[str]:
    """Returns the fields that a text names in any of the four languages."""
    return {name for lang in LANGUAGES for name in get_localizer(lang, game).names(key)}


def of_the_engine() -> Heard:
    """Returns the texts of the engine that count something and have no other fields."""
    words = get_localizer("en", ENGINE_DOMAIN)
    found: Heard = {}
    for key, text in words.english.items():
        variants = (text,) if isinstance(text, str) else text
        fields = [part for variant in variants for part in parse_template(variant).fields]
        if not key.startswith(("diagnostic.", "hint.", "frame.")) and fields and all(
                part.noun or part.name == "n" and len(variants) > 1 for part in fields):
            found[ENGINE_DOMAIN, key] = [{part.name: "1" for part in fields}]
    return found


def cases(said: Heard, lang: str, rng: random.Random) -> Iterator[Case]:
    """Yields each text as it occurred, and with other numbers and nouns."""
    for (game, key), times in sorted(said.items()):
        words = get_localizer(lang, game)
        counted = {part.name for variant in variants_of(words, key) for part in parse_template(variant).fields if part.noun}
        for fields in rng.sample(times, min(SOME, len(times))):
            choices = []
            for name, value in sorted(fields.items()):
                if name in counted or name == "n" and len(variants_of(words, key)) > 1:
                    choices.append(numbers(words, key, {heard_of[name] for heard_of in times}))
                elif key.partition(".")[0] in FIXED or any(of_one(name, other) for other in fields):
                    choices.append([value])                            # another noun would not match the rest of the text
                else:
                    choices.append([value, *others(words, value, rng)])
            for chosen in some(choices, rng):
                yield Case(game, key, tuple(zip(sorted(fields), chosen)))


def of_one(one: str, other: str) -> bool:
    """Whether a field is a part of another, such as `card` and `card_suit`."""
    return one.startswith(f"{other}_") or other.startswith(f"{one}_")


def some(choices: list[list[str]], rng: random.Random) -> Iterator[tuple[str, ...]]:
    """Yields a few ways to fill the fields, or all of them if there are only a few."""
    size = 1
    for values in choices:
        size *= len(values)
    if size <= WAYS:
        yield from product(*choices)
    else:
        yield from (tuple(rng.choice(values) for values in choices) for _ in range(WAYS))


def variants_of(words: Localizer, key: str) -> tuple[str, ...]:
    found = words.english.get(key, "")
    return (found,) if isinstance(found, str) else tuple(found)


def numbers(words: Localizer, key: str, values: set[str]) -> list[str]:
    """Returns the numbers to try. It returns 0 only if 0 occurred. A hint for 0 has its own key."""
    nothing = "0" in values and not (key.startswith(HINT) and words.has(f"{key}.none"))
    return [n for n in COUNTS if n != "0" or nothing]


def others(words: Localizer, value: str, rng: random.Random) -> list[str]:
    """Returns a few nouns of the same type, or people with other names."""
    if value.startswith(("Player.", "seat:")):
        return list(PEOPLE)
    if not NOUN.fullmatch(value) or "#" in value:
        return []
    owner = value.partition(".")[0]
    alike = sorted(key.removesuffix(".name") for key in words.english if re.fullmatch(rf"{owner}\.\w+\.name", key))
    return rng.sample(alike, min(SOME, len(alike)))


def shows(case: Case, lang: str) -> set[tuple[str, ...]]:
    """Returns the features that this sentence shows an editor."""
    words = get_localizer(lang, case.domain)
    out: set[tuple[str, ...]] = {("key", case.key)}
    fields = dict(case.fields)
    template = words.template(words.key_for_number(case.key, int(fields["n"]) if fields.get("n", "").isdigit() else None))
    for part in parse_template(template).fields:
        value = fields.get(part.name, "")
        if part.noun:
            out.add(("counted", part.noun, value if value in COUNTS else "5"))
        elif NOUN.fullmatch(value):
            forms = words.lookup_noun(value.partition("#")[0]).forms
            name = words.noun(value.partition("#")[0])
            begins = re.match(STARTS[lang], name.lower())
            begin = begins[0] if begins and lang in ("it", "es") else str(bool(begins))
            out.add(("noun", forms.get("g", ""), begin, ".".join(sorted(part.markers)), str(name[-1:] in "aáeéiíoóöőuúüű")))
            out.add(("thing", value.partition("#")[0]))
    if "n" in fields:
        out.add(("n", case.key, fields["n"]))
    return out


def worth(what: set[tuple[str, ...]]) -> int:
    """Returns the value of the features of a sentence."""
    return sum(WORTH[kind] for kind, *_ in what)


def drawn(found: list[Case], lang: str, count: int, rng: random.Random) -> list[Case]:
    """Draws `count` cases, always the one that shows most new features."""
    found = sorted(set(found), key=str)
    rng.shuffle(found)
    waiting = [(-worth(what), n, what) for n, case in enumerate(found) if (what := shows(case, lang))]
    heapify(waiting)
    seen: set[tuple[str, ...]] = set()
    often: Counter[str] = Counter()
    out: dict[str, Case] = {}
    while len(out) < count and waiting:
        hoped, n, what = heappop(waiting)
        case, now = found[n], often[found[n].key] - worth(what - seen)
        if now > hoped and waiting and now > waiting[0][0]:            # its value has dropped: others come first
            heappush(waiting, (now, n, what))
        elif often[case.key] < EACH and (said := render_case(lang, case)) not in out:
            seen |= what
            often[case.key] += 1
            out[said] = case
    return sorted(out.values(), key=str)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", default=",".join(list_game_ids()))
    options = parser.parse_args()
    said = heard(options.games.split(",")) | of_the_engine()
    for lang in LANGUAGES:
        rng = random.Random(options.seed)
        found = drawn(list(cases(said, lang, rng)), lang, options.count, rng)
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{lang}.txt").write_text(render_cases(lang, found), encoding="utf-8")
        print(f"{lang}: {len(found)}")


if __name__ == "__main__":
    main()
