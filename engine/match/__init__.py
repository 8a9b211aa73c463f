"""A game being played: who sits where, what was decided and by whom, taking back, and the save that holds all of it on the disk. What
happens is kept as data here; other rooms put it into words and pictures."""
