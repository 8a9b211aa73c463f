"""House-rule packs: what they say (reading.py), and how it is laid over a game, before the checker: over its data (data.py), over the
trees of its rules (rules.py, steps.py) and over its texts (words.py). Everything behind this room sees one game and knows nothing of packs;
each part keeps its place, so whatever is said of it names the pack's file and line.

    bundle_of(path)          the files of a pack: one YAML file, a folder, or what a save carries
    lay_packs(source, ...)   all packs in use, in their order, over a game that has been read
"""

from .bundle import Bundle, bundle_of
from .lay import lay_packs

__all__ = ["Bundle", "bundle_of", "lay_packs"]
