"""Whether a game's rules are what its rulebook says: scenarios written beside the rules and played, the lines of the rules that ran
while they were, and the way of each clause from rulebook to rule to scenario."""
