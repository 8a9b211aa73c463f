"""What a game declares, by name (model.py), and one codec for each type of value: its first value, its bounds, how it is written and read
(codec.py)."""
