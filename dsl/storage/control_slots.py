"""The first entries of a position: where the rules go on, who decides what, chance, and what only a step that runs needs.

`PC` is the block that goes on (0: the game is over), `SEAT` who decides (-1: nobody), `OPTIONS` the codes that are offered, `ANSWER` the
one that was taken, `RANDOM` the generator, `ROUND` how many of the largest units have begun. `EVENTS` collects what happens and `SCRIPT`
what chance is to give, both only while a step runs. The states begin at `CONTROL`.
"""

from __future__ import annotations

PC, SEAT, OPTIONS, ANSWER, RANDOM, ROUND, EVENTS, SCRIPT = range(8)
FIRST_STATE_SLOT = 8
