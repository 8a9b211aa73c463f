"""From the raw data of a game, packs laid over it, to its model for one number of players and one setting of options; numbers that
follow from others are worked out here (derived.py)."""
