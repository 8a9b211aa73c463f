"""`ludoglot` alone on a terminal."""

from __future__ import annotations

import io
import sys

from ludoglot.engine.cli.main import main


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def typed(monkeypatch, text: str) -> str:
    out = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(text))
    monkeypatch.setattr(sys, "stdout", out)
    assert main([]) == 0
    return out.getvalue()


def test_a_language_a_game_and_away(monkeypatch, ludoglot):
    said = typed(monkeypatch, "4\nmagyar\njáték\nnégy\nd1\nkilépés\n5\n")
    assert "hova ejted a korongodat" in said and "Az utolsó játék folytatása" in said


def test_the_rules_and_the_last_game(monkeypatch, ludoglot):
    said = typed(monkeypatch, "read\nhex\nresume\nplay\ntic\nquit\n2\nquit\nx\n\n")
    assert "2 players" in said and said.count("where do you put your mark?") == 2


def test_elsewhere_it_is_the_help_page(ludoglot):
    assert "Commands" in ludoglot().out
