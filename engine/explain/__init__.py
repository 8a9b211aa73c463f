"""Answers questions about a match: why a move is not legal, which part of which rule forbids it, and where each
player's points come from. The package finds the answers in the rules themselves and puts them into words."""
