"""Shared code of all commands.

This covers click in the reader's language, the console, loading games, reading files and saves, and
batches of
games.

It does not depend on any single command."""
