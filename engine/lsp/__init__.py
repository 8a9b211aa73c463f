"""A game while it is being written: what the checker knows of each name and each line, for editors that speak the Language Server Protocol.
Nothing here reads rules by itself; who checks the game is handed in."""
