"""All passes in their order, from a folder to a game that can be played: one variant (variants.py, ruleset.py), questions put to a position
as the rules would (questions.py), the table and the notation that a game declares (panels.py, notation.py)."""
