"""Prompts outside of a game: a choice from a list, a number, a line, a language."""

from __future__ import annotations

from typing import Any

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..i18n.languages import PSEUDO_LANGUAGE, language_codes_by_name, native_language_names, parse_language_code
from ..i18n.text_layout import arrange_columns
from ..i18n.user_input import normalize
from ..i18n.user_input import parse_int as typed_number
from ..position.answer_index import AnswerIndex, IndexEntry
from .completion import InputCompletion
from .terminal import Terminal


class MenuPrompt:
    """Prompts before a game begins."""

    def __init__(self, console: LocalizedConsole) -> None:
        self.console = console
        self.terminal = Terminal(console, redraws=False)          # an empty line is a valid answer here

    def choose(self, texts: list[str], title: str = "", must: bool = False) -> int | None:
        """Returns the index of the text that was chosen by its number or its beginning.

        None at the end of input or for an empty line; with `must`, an empty line is not accepted."""
        console, texts = self.console, [sanitize(text, keep="") for text in texts]      # one line each
        if title:
            console.print_line(title)
        shown = [f"{n:>3}  {text}" for n, text in enumerate(texts, start=1)]
        for line in arrange_columns(shown, console.width):
            console.print_line(line)

        entries = AnswerIndex((IndexEntry(n, (text, str(n + 1))) for n, text in enumerate(texts)), normalize)

        def find_matches(typed: str) -> list[int]:
            return entries.find(typed) if typed.strip() else entries.values
        while True:
            typed = self.terminal.read(console.text("ask.prompt") + "> ",
                                       lambda typed: [InputCompletion(len(typed), texts[n], shown[n].strip()) for n in find_matches(typed)])
            if typed is None or not typed.strip() and not must:
                return None
            if not typed.strip():                                  # an empty line: ask again without a message
                continue
            found = find_matches(typed)
            if len(found) == 1:
                return found[0]
            console.print_message("menu.number", typed=typed.strip(), last=len(texts))

    def ask_number(self, key: str, low: int, high: int) -> int | None:
        """Returns a number in a range, `low` for an empty line; None at the end of input."""
        if low == high:
            return low
        while True:
            typed = self.terminal.read(self.console.text(key, low=low, high=high) + "> ")
            if typed is None:
                return None
            if not typed.strip():
                return low
            found = typed_number(typed)
            if found is not None and low <= found <= high:
                return found
            self.console.print_message("menu.between", typed=typed.strip(), low=low, high=high)

    def ask_line(self, key: str, /, **args: Any) -> str | None:
        """Returns a typed line, stripped; None at the end of input."""
        typed = self.terminal.read(self.console.text(key, **args) + "> ")
        return None if typed is None else typed.strip()

    def ask_language(self, who: str) -> str | None:
        """Returns a language given by code or name, the current one for an empty line; None at the end of input."""
        console = self.console
        names = {normalize(name): lang for name, lang in language_codes_by_name().items()}
        while True:
            known = ", ".join(f"{lang} {name}" for lang, name in native_language_names().items())
            typed = self.ask_line("menu.language_of", who=who, languages=known, lang=console.lang)
            if not typed:
                return typed if typed is None else console.lang
            lang = names.get(normalize(typed)) or parse_language_code(typed)
            if lang is not None and lang != PSEUDO_LANGUAGE:
                return lang
            console.print_error("usage.language", name=typed, languages=", ".join(native_language_names()))
