"""Explains why rules or bots run in Python instead of compiled C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dsl.backend_c.toolchain import INSTALL_COMMAND
from .console import LocalizedConsole

if TYPE_CHECKING:
    from ..bots.native import NativeGame


class NativeNotice:
    """Reports on standard error why games could not be compiled, each reason once."""

    def __init__(self, voice: LocalizedConsole, games: Sequence[NativeGame]) -> None:
        self.voice, self.games = voice, games
        self.told: set[str] = set()

    def print_reasons(self) -> None:
        """Prints the reasons that are known by now and were not printed before."""
        for reason in dict.fromkeys(native.hindrance for native in self.games):
            if reason and reason not in self.told:
                self.told.add(reason)
                self.voice.print_stderr(self.voice.text(f"native.{reason}", command=INSTALL_COMMAND))
