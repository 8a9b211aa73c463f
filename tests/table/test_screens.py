"""Records screens of questions, in four languages and at three widths.

The record contains the first question with its explanation (`teach`), and the first question whose options are places of the board. It
also contains the output of `look` for one of these places, and the news. `--record` draws them again. Read the changes afterwards."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rich.cells import cell_len

from .terminal_harness import HUMAN, Desk

GOLDEN_FOLDER = Path(__file__).parent / "asked"
GAMES = {"dominant-species": 3, "evolution": 3, "trias": 3}
SIZES = {80: 24, 100: 30, 140: 45}
MAX_QUESTIONS = 60                   # questions, at most
LOOK_COMMANDS = {"en": "look", "it": "guarda", "es": "mira", "hu": "nézd"}
NEWS_COMMANDS = {"en": "news", "it": "novità", "es": "novedades", "hu": "hírek"}


def record_screens(game: str, lang: str, columns: int) -> str:
    """Returns the screens of a game with random answers, until the player has looked at a place."""
    desk = Desk(game, [HUMAN, *["bot:random"] * (GAMES[game] - 1)], seed=3, lang=lang, columns=columns, lines=SIZES[columns])
    desk.session.teaching = True
    rng, parts, known, left = random.Random(3), [], [0], []
    boards, put = bool(desk.table.game.model.boards), desk.session.show_prompt

    def has_places(question):
        return any(question.option_places(one) for one in question.choices)

    def wanted(question):
        return len(desk.screens) > 1 and (has_places(question) or not boards and len(desk.screens) > 7)

    def put_quickly(question, table=None):
        """Computes previews only for the screens that are recorded."""
        desk.session.hinting = not parts or has_places(question) or not boards and len(desk.screens) > 6
        put(question, table)
    desk.session.show_prompt = put_quickly

    def answer(screen):
        new, known[0] = screen.lines[known[0]:], len(screen.lines)
        question = desk.session.question
        if not parts or left:
            parts.append("\n".join(new))
        if len(left) == 2:
            return None
        if left:
            left.append("news")
            return NEWS_COMMANDS[lang]
        if len(desk.screens) > MAX_QUESTIONS:
            return None
        if wanted(question):
            parts.append("\n".join(new))
            left.append("look")
            what = question.choices[0].text.partition(" ")[0] if has_places(question) else desk.session.narrator.player_name(1)
            return f"{LOOK_COMMANDS[lang]} {what}"
        return rng.choice(question.choices).token
    desk.script.answer = answer
    desk.run()
    return "\n".join(line.rstrip() for line in "\n\n==========\n\n".join(parts).split("\n")).strip() + "\n"


@pytest.mark.parametrize("columns", list(SIZES))
@pytest.mark.parametrize("lang", list(LOOK_COMMANDS))
@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.long
def test_screens_match_the_golden_files(game, lang, columns, recorded):
    shown = record_screens(game, lang, columns)
    assert max(map(cell_len, shown.split("\n"))) <= columns
    recorded(GOLDEN_FOLDER / f"{game}.{lang}.{columns}.txt", shown)
