"""Bots: players that are programs.

A bot gets a position, a seat and its own random generator, and returns an option. It knows nothing about the
table, the people there, or saves."""
