"""Find games and load them.

Games come with Ludoglot, or are in any folder on disk. Every part of the program that gets the name of a game
comes here: from a command line, a save or a scenario."""
