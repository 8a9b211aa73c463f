"""Records the screens of two rounds of each game, in each language, on terminals of three widths.

The record contains the first screen of each kind of question, as much as the terminal shows. `pytest tests/table --record` writes the
screens again. Look at them afterwards."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .terminal_harness import HUMAN, Desk, random_script

GOLDEN_FOLDER = Path(__file__).parent / "screens"
GAMES = [("dominant-species", [HUMAN, "bot:random", "bot:random"]), ("evolution", [HUMAN, HUMAN, "bot:random"]),
         ("trias", [HUMAN, "bot:random"]),
         ("hex", [HUMAN, "bot:random"]), ("connect-four", [HUMAN, HUMAN]), ("breakthrough", [HUMAN, "bot:random"]),
         ("tic-tac-toe", [HUMAN, HUMAN])]
TERMINALS = [("en", 80, 24), ("en", 100, 40), ("en", 140, 50), ("it", 100, 40), ("es", 80, 24), ("hu", 140, 50), ("hu", 100, 40)]
QUICK_TERMINAL = ("hu", 100, 40)
NAMES = ["Anna", "Béla", "Piero"]
MAX_SCREENS = 14                     # screens of one session
MAX_DECISIONS = 400                  # decisions after which the person leaves, if two rounds take longer


def record_session(desk: Desk, rounds: int = 2) -> str:
    """Returns the first screen of each kind of question, and the last screen."""
    kept: dict[str, str] = {}
    answer = random_script(lambda: desk, random.Random(11), MAX_DECISIONS)

    def keep(screen):                                              # type: ignore[no-untyped-def]
        decision = desk.table.position.decision
        key = decision.key if screen.prompt else "next"
        kept.setdefault(key, "\n".join([*screen.lines, screen.prompt][-desk.lines:]))
        return answer(screen) if desk.table.position.rounds <= rounds else None
    desk.script.answer = keep
    desk.run()
    ends = "\n".join(desk.console.written[-desk.lines:])
    return "\n".join(f"{'=' * 20} {key}\n{text}" for key, text in [*list(kept.items())[:MAX_SCREENS], ("the end", ends)]) + "\n"


@pytest.mark.long_cases("hex-hu-100-40", "breakthrough-hu-100-40")
@pytest.mark.heavy_long
@pytest.mark.parametrize(
    "lang, columns, lines", [pytest.param(*one, marks=[] if one == QUICK_TERMINAL else pytest.mark.long) for one in TERMINALS]
)
@pytest.mark.parametrize("game, seats", GAMES, ids=[name for name, _ in GAMES])
def test_screens_while_playing(game, seats, lang, columns, lines, recorded):
    desk = Desk(game, seats, lang=lang, columns=columns, lines=lines, names=NAMES[: seats.count(HUMAN)], seed=4)
    recorded(GOLDEN_FOLDER / f"{game}.{lang}.{columns}.txt", record_session(desk))


@pytest.mark.long
@pytest.mark.parametrize("game, seats", GAMES, ids=[name for name, _ in GAMES])
def test_screens_in_colour(game, seats, recorded):
    desk = Desk(game, seats, columns=100, lines=40, colours="truecolor", names=NAMES[: seats.count(HUMAN)], seed=4)
    recorded(GOLDEN_FOLDER / f"{game}.ansi", record_session(desk))


@pytest.mark.long_cases("hex")
@pytest.mark.heavy_long
@pytest.mark.parametrize("game, seats", GAMES, ids=[name for name, _ in GAMES])
def test_plain_lines(game, seats, recorded):
    desk = Desk(game, seats, lang="it", columns=80, lines=24, plain=True, names=NAMES[: seats.count(HUMAN)], seed=4)
    recorded(GOLDEN_FOLDER / f"{game}.plain.txt", record_session(desk))
