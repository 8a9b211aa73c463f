"""A second opinion on the rules: plain Python, written from the clauses, sharing nothing with the engine. See README.md."""
