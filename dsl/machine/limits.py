"""What no step of a rule may exceed, and how wide the tables of the runtime are."""

from __future__ import annotations

BUDGET = 100_000                     # jumps without a decision before a rule is said to run for ever
LONGEST = 100_000                    # numbers in a range that a rule walks, things in a list: more is a slip, and must not hang the engine
WIDE = 14                            # bits of a mask that a table knows the members of
