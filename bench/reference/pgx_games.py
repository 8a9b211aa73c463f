"""Plays random games of Pgx, which steps many matches in lockstep with JAX, on the processor.

Matches start again when they end, as in `ludoglot.api.vector`. The whole loop of decisions is one compiled function, so Python costs
nothing. JAX counts as one processor if the process is pinned to one (see `one_core` in bench/run.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import jax
    import pgx
    from pgx.experimental import auto_reset
except ImportError:
    jax = pgx = auto_reset = None

# The names of the same games in Pgx. Its chess ends a game after a limit of moves, and its hex has no option to swap.
IDS = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "hex": "hex", "chess": "chess", "backgammon": "backgammon",
       "reversi": "othello"}
STEPS = 50                           # decisions of each match in one call


def make_play(game: str, count: int) -> Callable[[], int] | None:
    """Returns a function that plays STEPS random decisions of each of `count` matches, and returns the number of decisions.

    Returns None if Pgx is not installed or does not have the game."""
    if pgx is None or game not in IDS:
        return None
    env = pgx.make(IDS[game])
    step = auto_reset(env.step, env.init)

    def play_decision(_: int, carried: tuple[Any, Any]) -> tuple[Any, Any]:
        key, states = carried
        key, choice, reset = jax.random.split(key, 3)
        actions = jax.random.categorical(choice, jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf), axis=-1)
        return key, jax.vmap(step)(states, actions, jax.random.split(reset, count))

    @jax.jit
    def play_decisions(key: Any, states: Any) -> tuple[Any, Any]:
        return jax.lax.fori_loop(0, STEPS, play_decision, (key, states))

    carried = [jax.random.key(1), jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(2), count))]

    def play() -> int:
        carried[:] = play_decisions(*carried)
        jax.block_until_ready(carried)
        return STEPS * count

    play()                           # compiles
    return play
