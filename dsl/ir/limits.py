"""What no step of a rule may exceed, and how wide the tables of the runtime are."""

from __future__ import annotations

MAX_STEPS_PER_DECISION = 30_000_000                   # from one decision to the next; what is counted is an upper bound, see budget.py
CHARGE_THRESHOLD = 1_000                         # steps: a loop or function that may cost more counts what it does
FREE_BLOCK_STEPS = 50                           # steps: a block that costs no more is paid with the jump to it
# numbers in a range that a rule walks, things in a list: more is a slip, and must not hang the engine
MAX_LIST_LENGTH = 100_000
CHARGED_LIST_LENGTH = 1_000                         # things in a list: writing a longer one counts
# numbers in all lists and sets within one value, and about as many in the values of one state
MAX_NUMBERS_IN_VALUE = 1_000_000
MAX_EVENTS_PER_DECISION, MAX_EVENTS_PER_MATCH = 10_000, 200_000  # events of one decision, and of a whole game at a table
MAX_TABLE_ENTRIES = 20_000                     # of a table that is worked out once
MAX_SUBSETS = 20_000                     # of one set: all of 14 things, say, or those of 5 among 20
BIT_TABLE_BITS = 14                            # bits of a mask that a table knows the members of
MAX_TABLED_SET_BITS = 4 * BIT_TABLE_BITS                     # of a set with more, simulation does not list the members by tables
FLOOD_CACHE_SIZE = 4            # results of a flood that are remembered, for as many players and questions as take turns at one board
