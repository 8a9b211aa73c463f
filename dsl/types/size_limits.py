"""How much may come out of the numbers that stand in the data of a game. A stranger's number costs a few letters and may ask for all of a
machine's memory; so what is bounded is not each number but what all of them bring about together."""

MAX_MEMBERS = 20_000                      # members, cells, corners, copies of all types
MAX_STATE_ENTRIES = 100_000                     # entries of all states: a position is copied for every thought of a bot
MAX_BOARD_TABLE_NUMBERS = 1_000_000                   # numbers in what is worked out about boards before the game
