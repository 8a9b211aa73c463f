"""Questions that are no decision of a game: a choice from a list, a number, a line, a language."""

from __future__ import annotations

from typing import Any

from ...dsl.diagnostics.sanitize import visible
from ..cli.console import Voice
from ..i18n.languages import PSEUDO, all_names, known_language, own_names
from ..i18n.user_input import folded
from ..i18n.user_input import number as typed_number
from .completion import Fit
from .terminal import Terminal
from .text_columns import in_columns


class Asker:
    """Questions before a game begins."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.terminal = Terminal(voice, redraws=False)          # an empty line is an answer here

    def choose(self, texts: list[str], title: str = "", must: bool = False) -> int | None:
        """The index of the text that was picked by its number or its beginning; None at the end of input or, unless one must be picked,
        an empty line."""
        voice, texts = self.voice, [visible(text, keep="") for text in texts]      # each on its own line
        if title:
            voice.out(title)
        shown = [f"{n:>3}  {text}" for n, text in enumerate(texts, start=1)]
        for line in in_columns(shown, voice.width):
            voice.out(line)

        def near(typed: str) -> list[int]:
            wanted = folded(typed)
            exact = [n for n, text in enumerate(texts) if wanted in (str(n + 1), folded(text))]
            return exact or [n for n, text in enumerate(texts) if folded(text).startswith(wanted)]
        while True:
            typed = self.terminal.read(voice.text("ask.prompt") + "> ",
                                       lambda typed: [Fit(len(typed), texts[n], shown[n].strip()) for n in near(typed)])
            if typed is None or not typed.strip() and not must:
                return None
            if not typed.strip():                                  # no answer, and nothing to complain of
                continue
            found = near(typed)
            if len(found) == 1:
                return found[0]
            voice.say("menu.number", typed=typed.strip(), last=len(texts))

    def number(self, key: str, low: int, high: int) -> int | None:
        """A number in a range, `low` for an empty line; None at the end of input."""
        if low == high:
            return low
        while True:
            typed = self.terminal.read(self.voice.text(key, low=low, high=high) + "> ")
            if typed is None:
                return None
            if not typed.strip():
                return low
            found = typed_number(typed)
            if found is not None and low <= found <= high:
                return found
            self.voice.say("menu.between", typed=typed.strip(), low=low, high=high)

    def line(self, key: str, /, **args: Any) -> str | None:
        """A line as it was typed, without what surrounds it."""
        typed = self.terminal.read(self.voice.text(key, **args) + "> ")
        return None if typed is None else typed.strip()

    def language(self, who: str) -> str | None:
        """The language that somebody reads: by its code or name; the one spoken now for an empty line; None at the end of input."""
        voice = self.voice
        names = {folded(name): lang for name, lang in all_names().items()}
        while True:
            known = ", ".join(f"{lang} {name}" for lang, name in own_names().items())
            typed = self.line("menu.language_of", who=who, languages=known, lang=voice.lang)
            if not typed:
                return typed if typed is None else voice.lang
            lang = names.get(folded(typed)) or known_language(typed)
            if lang is not None and lang != PSEUDO:
                return lang
            voice.error("usage.language", name=typed, languages=", ".join(own_names()))
