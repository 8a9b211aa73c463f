"""Tests of a game's rules against its rulebook.

The package plays scenarios, measures which rule lines they run, and traces each clause of the rulebook to its
rules and scenarios."""
