"""A second opinion on the rules: plain Python, sharing nothing with the engine. See README.md."""
