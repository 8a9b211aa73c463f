"""The table of a game as it looks: a position is laid out as panels, and panels become plain text, a coloured screen, a picture, or the
pictures of a whole game. A drawing shows what the one before it may see; it decides and explains nothing."""
