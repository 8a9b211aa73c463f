"""The state of a game at one moment, as plain data.

This package holds the position, the moves of a decision, what each seat may see, and determinization: drawing
the hidden part again. It also reads state entries as scenarios write them. It depends on the rule language
only, not on texts, players or screens."""
