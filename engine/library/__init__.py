"""The games that there are: those that travel with Ludoglot and any folder on disk, where each of them lies, and one of them taken down,
its rules ready to be played. Whoever names a game, on a command line, in a save or in a scenario, comes here."""
