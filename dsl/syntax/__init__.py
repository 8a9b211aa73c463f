"""The concrete syntax of the rule language: grammar, keywords, parser, syntax tree, formatter.

Also here: hints for habits from other programming languages, and a cache on disk that is keyed by content (cache.py)."""
