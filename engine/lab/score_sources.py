"""Where the points of many games come from, in a game that counts them up while it goes on: some of the games are followed decision by
decision, as the score table of one game is (explaining/scoring.py)."""

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

MAX_REPLAYED_GAMES = 12                        # games: following one takes about as long as playing it at random without C


def average_score_sources(
    game: Game, games: Sequence[GameResult], bots: BotNames, limit: int, native: NativeGame | None, has: HasText
) -> dict[str, list[float]]:
    """What each source gave each seat, on the average of the first games that came to an end, by key (`score.harvest`); the largest first.
    Nothing where all points are worked out at the end, or where bots that think would have to do so without C once more."""
    if not any(term.entry is not None for term in game.module.terms):
        return {}
    if native is not None:
        native.wait()
    if set(bots) != {"random"} and (native is None or native.found is None):
        return {}
    found: dict[str, list[float]] = {}
    followed = list(islice((played for played in games if played.has_ended and played.scores), MAX_REPLAYED_GAMES))
    for played in followed:
        for part in replay_ledger(game, played, bots, limit, native).list_parts(has):
            found.setdefault(part.source, [0.0] * game.players)[part.seat] += part.points / len(followed)
    return dict(sorted(found.items(), key=lambda pair: -sum(pair[1])))


def replay_ledger(game: Game, played: GameResult, bots: BotNames, limit: int, native: NativeGame | None) -> ScoreReplay:
    """A game played once more, with a list of what was counted."""
    ledger = ScoreReplay(game, played.seed)
    for code in replay_choices(game, played.seed, bots, limit, native):
        ledger.step += 1
        ledger.position.step(code)
    return ledger


def replay_choices(game: Game, seed: int, bots: BotNames, limit: int, native: NativeGame | None) -> list[int]:
    """What was chosen in a game, decision by decision."""
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
