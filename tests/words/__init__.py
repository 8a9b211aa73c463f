"""Sentences, grammars, catalogues: what a reader of each language sees, and what keeps the four in step."""
