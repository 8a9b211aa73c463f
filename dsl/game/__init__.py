"""All passes in order, from a game directory to a compiled game.

* variants.py, ruleset.py: check and compile one variant.
* adhoc_expressions.py: evaluate expressions on a position.
* table_config.py, notation_config.py: the table and the notation that a game declares."""
