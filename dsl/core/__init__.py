"""The core language: the resolved and typed rules of a game, as immutable trees.

Every later pass reads the core. No pass after this one looks at syntax.

nodes.py         expressions and statements
program.py       states, routines, families, and the whole program
lower.py         lowers a checked syntax tree to the core
walk.py          tree traversal
typing_rules.py  the type that each operator gives
verify.py        checks the invariants of every core (used by tests)
printer.py       prints the core as text
fingerprint.py   hashes what the rules mean"""
