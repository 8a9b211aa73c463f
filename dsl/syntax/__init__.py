"""The concrete syntax of the rule language: grammar, keywords, parser, syntax tree, formatter.

Also here: hints for habits from other programming languages, and the caches of parsed files (parse_cache.py)."""
