"""Turns values, questions, moves and events of a match into sentences of one language.

This is the only package where the course of a match meets the texts. It uses the texts of the game, and the
engine's own texts where the game has none."""
