"""The first entries of a position, which control where the game continues and who decides.

| slot | content |
|---|---|
| `PC` | number of the block that runs next (0: the game is over) |
| `SEAT` | the seat that decides (-1: nobody) |
| `OPTIONS` | the codes of the moves |
| `ANSWER` | the code of the move that was chosen |
| `RANDOM` | state of the random generator |
| `ROUND` | number of rounds that have begun |
| `EVENTS` | events collected so far, only while a step runs |
| `SCRIPT` | prescribed results of chance, only while a step runs |

The states of the game begin at `FIRST_STATE_SLOT`."""

from __future__ import annotations

PC, SEAT, OPTIONS, ANSWER, RANDOM, ROUND, EVENTS, SCRIPT = range(8)
FIRST_STATE_SLOT = 8
