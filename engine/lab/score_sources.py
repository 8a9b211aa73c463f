"""The sources of points, in games that count points during play.

Some of the games are replayed decision by decision, in the same way as the score table of one game
(explain/score_breakdown.py)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_python.runtime import RuleFault
from ..bots.native import NativeGame
from ..explain.score_breakdown import HasText, ScoreReplay
from ..position.position import Game
from .playout import NATIVE_SEEDS, BotNames, GameResult, PlayoutRun

MAX_REPLAYED_GAMES = 12                        # a replay takes about as long as a random game in Python


def average_score_sources(
    game: Game, games: Sequence[GameResult], bots: BotNames, limit: int, native: NativeGame | None, has: HasText
) -> dict[str, list[float]]:
    """Returns the mean points that each source gave each seat, by key (`score.harvest`), largest first.

    Only the first finished games are used. The result is empty if all points are computed at the end of a game.
    It is also empty if bots that search would have to play again without C."""
    if not any(term.entry is not None for term in game.module.terms):
        return {}
    if not can_replay(bots, native):
        return {}
    found: dict[str, list[float]] = {}
    followed = list(islice((played for played in games if played.has_ended and played.scores), MAX_REPLAYED_GAMES))
    for played in followed:
        for part in replay_ledger(game, played, bots, limit, native).list_parts(has):
            found.setdefault(part.source, [0.0] * game.players)[part.seat] += part.points / len(followed)
    return dict(sorted(found.items(), key=lambda pair: -sum(pair[1])))


def can_replay(bots: BotNames, native: NativeGame | None) -> bool:
    """Whether games can be played again in a short time: bots that search need C. Waits until C code is compiled."""
    if native is not None:
        native.wait()
    return set(bots) == {"random"} or native is not None and native.found is not None


def replay_ledger(game: Game, played: GameResult, bots: BotNames, limit: int, native: NativeGame | None) -> ScoreReplay:
    """Returns the score ledger of a game, by playing its decisions again."""
    ledger = ScoreReplay(game, played.seed)
    for code in replay_choices(game, played.seed, bots, limit, native):
        ledger.step += 1
        ledger.position.step(code)
    return ledger


def replay_choices(game: Game, seed: int, bots: BotNames, limit: int, native: NativeGame | None) -> list[int]:
    """Returns the codes of the options chosen in a game, by playing it again."""
    if native is not None and seed in NATIVE_SEEDS:
        try:
            playout = PlayoutRun(game, seed, bots, limit)
            playout.play_to_end(native)
            return playout.codes
        except (NativeError, NotMarshallableError, RuleFault):
            pass
    playout = PlayoutRun(game, seed, bots, limit)
    playout.play_to_end()
    return playout.codes
