"""Independent referees: the rules of games in plain Python, sharing no code with the engine. See README.md."""
