"""The surface of the language: grammar and keywords, the parser, one frozen dataclass for each rule of the grammar, the formatter, hints
for habits of other languages; and what is kept between runs, by content (cache.py)."""
