"""Finds sentences that say the same as another one in similar words, such as the text of a game and one of its clauses.

A word counts the more, the fewer texts of the game contain it (inverse document frequency). A sentence repeats a text if the
words that both have make up most of the weight of the sentence."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

COMMON_SHARE = 0.25                                # a word in more than this share of the texts counts nothing
RARE_TEXTS = 2                                  # a word in so many texts always counts
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")
FIELD = re.compile(r"\{(\w+)\}(?:~[\w.]+)*")
SUFFIXES = ("ies", "ing", "ed", "es", "s", "e")          # of English, because the texts of shipped games are English
MIN_STEM_CHARS = 3


class WordWeights:
    """The weights of the words of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        found = [stem_words(text) for text in texts]
        self.count = len(found)
        self.texts_with = Counter(word for words in found for word in words)

    def weigh(self, word: str) -> float:
        """Returns the weight of a word."""
        number = self.texts_with[word]
        return math.log((self.count + 1) / (number + 0.5)) if number <= max(RARE_TEXTS, self.count * COMMON_SHARE) else 0.0

    def repeats(self, text: str, other: str, limits: Iterable[tuple[float, int]]) -> bool:
        """Whether a sentence of `text` repeats words of `other`.

        Each of the `limits` is a share of the weight of the sentence and a number of words: both must be reached."""
        theirs, levels = stem_words(other), list(limits)
        for sentence in SENTENCE_END.split(text):
            weights = {word: weight for word in stem_words(sentence) if (weight := self.weigh(word)) > 0}
            shared = [weight for word, weight in weights.items() if word in theirs]
            if any(len(shared) >= number and sum(shared) >= share * sum(weights.values()) for share, number in levels):
                return True
        return False


def stem_words(text: str) -> set[str]:
    """Returns the words of a text without endings. A field counts as the words of its name."""
    text = FIELD.sub(lambda found: found[1].replace("_", " "), text).casefold().replace("’", "'")
    return {stem_word(word) for word in re.findall(r"\w+", text)}


def stem_word(word: str) -> str:
    """Returns a word without its ending."""
    return next((word[: -len(suffix)] for suffix in SUFFIXES if word.endswith(suffix) and len(word) - len(suffix) >= MIN_STEM_CHARS), word)
