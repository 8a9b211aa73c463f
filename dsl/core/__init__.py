"""The core: a game's rules resolved and typed, as frozen trees that every later pass reads. Nothing after it looks at syntax.

nodes.py   expressions and statements          program.py  states, routines, families, the whole
lower.py   from a checked tree to the core     show.py     the core as text
walk.py    going over nodes                    verify.py   what holds of every core, looked at between passes in tests
"""
