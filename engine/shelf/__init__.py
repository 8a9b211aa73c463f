"""The games that there are: those that travel with Ludoglot and any folder on disk, and where each of them lies. Whoever names a game,
on a command line, in a save or in a scenario, comes here."""
