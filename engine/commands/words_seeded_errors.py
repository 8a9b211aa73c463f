"""Mistakes put into sample lines on purpose, to test whether a reader of `ludoglot words sample` finds them.

There are doubled words, numbers moved behind a colon, names spelled like identifiers, and typical mistakes
of each language (`slips` in its `language.yaml`)."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from .words_sample import SampleLine

WORD_PATTERN = r"[^\W\d_]{3,}"
COMMON_MISTAKES = (
    ("twice", rf"\b({WORD_PATTERN}) (?={WORD_PATTERN})", r"\1 \1 "),               # the the
    ("colon", r"^(.+?) (\d+) ([^:.]{4,})\.$", r"\1 \3: \2."),      # Draw things: 4.
    ("identifier", rf"\b({WORD_PATTERN}) ({WORD_PATTERN})(?=[.,]?$)", r"\1_\2"),   # victory_points
)


@dataclass(frozen=True)
class SeededMistake:
    """A spoiled line: its number in the list (from 1), the kind of mistake, and its text before and after."""

    number: int
    place: str
    fault: str
    was: str
    now: str


def seed_mistakes(
    lines: list[SampleLine], many: int, seed: int, slips: tuple[tuple[str, str], ...]
) -> tuple[list[SampleLine], list[SeededMistake]]:
    """Returns the lines with up to `many` of them spoiled, taking each kind of mistake in turn, and the answer
    key."""
    rng = random.Random(seed)
    out, key = list(lines), dict[int, SeededMistake]()
    faults = [*COMMON_MISTAKES, *(("slip", pattern, instead) for pattern, instead in slips)]
    rng.shuffle(faults)
    orders = {fault: iter(rng.sample(range(len(lines)), len(lines))) for fault in faults}
    while orders and len(key) < many:
        for fault in list(orders)[: many - len(key)]:
            kind, pattern, instead = fault
            fitting = ((n, re.sub(pattern, instead, lines[n].text, count=1)) for n in orders[fault] if n not in key)
            n, now = next(((n, now) for n, now in fitting if now != lines[n].text), (-1, ""))
            if n < 0:                                              # this kind of mistake fits no other line
                del orders[fault]
                continue
            out[n] = replace(lines[n], text=now)
            key[n] = SeededMistake(n + 1, lines[n].place, kind, lines[n].text, now)
    return out, [key[n] for n in sorted(key)]
