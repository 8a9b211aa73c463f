"""The intermediate representation (IR): a tree of slots, masks, tuples, loops and tests.

It describes what compiled rules do to a position. Rule constructs are already lowered, and nothing in it
depends on the target language (Python or C) yet."""
