"""Limits for rules at run time, and sizes of the tables and caches that compiled code uses."""

from __future__ import annotations

MAX_STEPS_PER_DECISION = 30_000_000                   # an upper bound of the work is counted, see fuel.py
CHARGE_THRESHOLD = 1_000                         # a loop or function that may cost more charges its steps
FREE_BLOCK_STEPS = 50                           # a cheaper block is paid for by the jump to it
# of lists and of ranges in loops; longer ones are bugs in rules
MAX_LIST_LENGTH = 100_000
CHARGED_LIST_LENGTH = 1_000                         # writing a longer list or sparse state charges steps
# over all nested lists and sets; one state may hold about as many
MAX_NUMBERS_IN_VALUE = 1_000_000
MAX_EVENTS_PER_DECISION, MAX_EVENTS_PER_MATCH = 10_000, 200_000
MAX_TABLE_ENTRIES = 20_000                     # of a table that is computed once
STEPS_PER_VISIT = 60                       # of each place that the search for a longest trail visits
MAX_SUBSETS = 20_000                     # of one set: for example all subsets of 14 members, or all with 5 of 20
FLOOD_CACHE_SIZE = 4            # flood fills kept for each board: several players and questions alternate on it
RECENT_WAYS = 4                 # places for which each search keeps the ways that it found last
WAYS_FROM_PLACE = 4             # ways kept for each of these places
MAX_WAY_NUMBERS = 512           # numbers in these ways
