"""Statistics about games, from many games played by bots.

The package plays games in one process, in several processes or on a cluster. It records facts about each
game, computes statistics with confidence intervals, and compares house rules with the base game. Every game
follows from its seed and can be replayed."""

MAX_GAME_DECISIONS = 20_000                       # a game of this length counts as one that does not end
