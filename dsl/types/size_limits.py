"""Upper bounds for the memory that the data of a game may ask for.

A few characters in a YAML file can ask for all memory of a machine (`columns: 1000000`). The bounds therefore
apply to the sum of what all numbers of a game cause together, not to each number alone."""

import re

MAX_MEMBERS = 20_000                      # members of all types together, with cells, corners and copies of pieces
MAX_STATE_ENTRIES = 100_000                     # entries of all states together (searches copy the position at every node)
MAX_BOARD_TABLE_NUMBERS = 1_000_000                   # numbers in all tables of board geometry that are computed before the game
MAX_DIGITS = 18                                # of a number in data
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]+")


def is_too_long_number(value: object) -> bool:
    """Whether a value is a number with so many digits that it is read as a text."""
    return isinstance(value, str) and bool(WHOLE_NUMBER.fullmatch(value)) and len(value.lstrip("-+")) > MAX_DIGITS
