"""Prints the text of one decision of a traced game, or of all decisions if DECISION is missing.

Usage: `cd tests && python -m traces GAME SETTING SEED DECISION`"""

from __future__ import annotations

import sys

from traces.trace import full, texts, which_of

game, setting, seed, *rest = sys.argv[1:]
which = which_of(game, setting, int(seed))
if rest:
    print(full(which, int(rest[0])), end="")
else:
    for n, (text, _) in enumerate(texts(which)):
        print(f"---- {n}\n{text}", end="")
