"""Prints the text of one decision of a traced game, or of all decisions if DECISION is missing.

Usage: `cd tests && python -m traces GAME SETTING SEED DECISION`"""

from __future__ import annotations

import sys

from traces.trace import find_traced_game, get_full_text, iter_texts

game, setting, seed, *rest = sys.argv[1:]
which = find_traced_game(game, setting, int(seed))
if rest:
    print(get_full_text(which, int(rest[0])), end="")
else:
    for n, (text, _) in enumerate(iter_texts(which)):
        print(f"---- {n}\n{text}", end="")
