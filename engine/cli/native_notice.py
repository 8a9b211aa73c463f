"""Why something is not as quick as was asked for: rules or bots that stay in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dsl.backend_c.toolchain import INSTALL_COMMAND
from .console import LocalizedConsole

if TYPE_CHECKING:
    from ..bots.native import NativeGame


class NativeNotice:
    """Says of games that were to be compiled why they cannot be: each reason once, beside the result."""

    def __init__(self, voice: LocalizedConsole, games: Sequence[NativeGame]) -> None:
        self.voice, self.games = voice, games
        self.told: set[str] = set()

    def print_reasons(self) -> None:
        """What is known by now and has not been said."""
        for reason in dict.fromkeys(native.hindrance for native in self.games):
            if reason and reason not in self.told:
                self.told.add(reason)
                self.voice.print_stderr(self.voice.text(f"native.{reason}", command=INSTALL_COMMAND))
