"""What a person asks about a game when its course alone does not say it: why something may not be done, by which part of which rule,
and where each player's points come from; found in the rules themselves, and put into words."""
