"""Previews of moves: what an option would change, as far as the deciding player may know.

Each option is played on a copy of the position. The lookahead stops at hidden information, at chance, and at
decisions of other players. The result is shown next to the options as short texts."""
