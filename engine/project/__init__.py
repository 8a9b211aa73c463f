"""Work on a game or pack while it is written: checks, also incremental ones, watching files, unused data, pack schemas,
descriptions of things, and house rules merged into a copy of a game."""
