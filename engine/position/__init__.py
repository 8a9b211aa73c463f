"""A game at one moment, as plain data: the position itself, what may be decided in it, what each seat may see of it and imagine about
the rest, and its entries as people write them. Knows the language and nothing else of the engine: no words, no players, no screen."""
