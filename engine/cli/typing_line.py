"""A line typed on a terminal, with what fits shown below it: prompt_toolkit, which is only loaded where somebody types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from .layout import in_columns
from .terminal import SHOWN, Fit, Fits, nothing_fits
from .voice import Voice

STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "prompt": "bold"})
DEPTHS = {None: ColorDepth.DEPTH_1_BIT, "standard": ColorDepth.DEPTH_4_BIT, "256": ColorDepth.DEPTH_8_BIT,
          "truecolor": ColorDepth.DEPTH_24_BIT}


class Filling(Completer):
    """Tab fills in what fits."""

    def __init__(self) -> None:
        self.fits: Fits = nothing_fits

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        for fit in self.fits(document.text_before_cursor):
            yield Completion(fit.text, start_position=-fit.back, display=fit.shown)


class TypingLine:
    """The line of one person: what was typed before is called back with the arrow keys."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.filling = Filling()
        self.bar = ""
        self.session: PromptSession[str] = PromptSession(
            completer=self.filling, complete_style=CompleteStyle.READLINE_LIKE, reserve_space_for_menu=0, style=STYLE,
            bottom_toolbar=self.below, color_depth=DEPTHS[voice.colours])

    def read(self, prompt: str, fits: Fits, bar: str) -> str:
        self.filling.fits, self.bar = fits, bar
        return self.session.prompt([("class:prompt", prompt)])

    def below(self) -> Any:
        """What stands under the line: the words that help, or what fits to what was typed so far."""
        typed = self.session.default_buffer.document.text_before_cursor
        fits: list[Fit] = self.filling.fits(typed) if typed.strip() else []
        if not fits:
            return self.bar
        lines = in_columns([fit.shown for fit in fits], self.voice.width)
        rest = len(lines) - SHOWN
        return "\n".join(lines[:SHOWN]) + ("\n…" if rest > 0 else "")
