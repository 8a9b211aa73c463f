"""The machine: what compiled rules do to a position, as a tree of words, masks, tuples, loops and tests. No rule construct is left in
it, and nothing yet of the language that it is written out in."""
