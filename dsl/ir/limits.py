"""What no step of a rule may exceed, and how wide the tables of the runtime are."""

from __future__ import annotations

STEPS = 30_000_000                   # from one decision to the next; what is counted is an upper bound, see budget.py
MUCH = 1_000                         # steps: a loop or function that may cost more counts what it does
SMALL = 50                           # steps: a block that costs no more is paid with the jump to it
LONGEST = 100_000                    # numbers in a range that a rule walks, things in a list: more is a slip, and must not hang the engine
LONG = 1_000                         # things in a list: writing a longer one counts
HEAVIEST = 1_000_000                 # numbers in all lists and sets within one value, and about as many in the values of one state
TOLD, TOLD_IN_ALL = 10_000, 200_000  # events of one decision, and of a whole game at a table
ENTRIES = 20_000                     # of a table that is worked out once
SUBSETS = 20_000                     # of one set: all of 14 things, say, or those of 5 among 20
WIDE = 14                            # bits of a mask that a table knows the members of
LISTED = 4 * WIDE                     # of a set with more, simulation does not list the members by tables
RECENT = 4            # results of a flood that are remembered, for as many players and questions as take turns at one board
