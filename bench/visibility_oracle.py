"""Who may look at what in each game with secrets, written down from the rulebooks and from nothing else: not from the word behind a state
in the rules, and not from what the engine makes of it. What is not named here lies open on the table.

The sentences are those of the rulebooks that the games of Ludoglot follow (`rules/*/clauses.yaml` has their numbers)."""

from __future__ import annotations

NOBODY = "nobody"                    # a shuffled pile, a closed bag
OWN = "own"                          # the first index is a seat, and only that seat looks
DICE = "dice"                        # the first index is a thing, and `owner` says whose it is
KNOWN = "known"                      # everybody knows it without looking: it is never changed here

EYES: dict[str, dict[str, str]] = {
    # The talon lies face down; the card turned up under it, the trick and what was taken were seen by both. Cards are held hidden.
    "brisca": {"talon": NOBODY, "hand": OWN},
    "snapszer": {"talon": NOBODY, "hand": OWN},
    # The cards on the table are face up, those still to be dealt face down.
    "scopa": {"talon": NOBODY, "hand": OWN},
    # Everything is dealt. Cards that are passed on are picked before anybody looks at those that come: the receiver sees them in hand.
    "hearts": {"deck": NOBODY, "hand": OWN, "passed": OWN},
    # Cards are held hidden; those for the crib are put aside face down, so each knows their own. The crib is laid open when it is counted.
    "cribbage": {"deck": NOBODY, "hand": OWN, "put": OWN},
    # Each throws under a cup and looks alone; what lay there is laid open when somebody doubts. A die has the six sides it has.
    "liars-dice": {"face": DICE, "sides": KNOWN},
    # The traits of the deck stay hidden; one's own discard pile may be looked through, another player's not; a card that lies on the table
    # as an animal hides its traits, as a trait it shows the one that was chosen. Whoever laid it knows it.
    "evolution": {"deck": NOBODY, "hand": OWN, "discards": OWN, "printed": DICE},
    # Draw one card and keep it secret. The deck lies face down, the "1" cards on top; the number is printed on the backs.
    "trias": {"deck": NOBODY, "ones": NOBODY, "hand": OWN},
    # Discs are drawn from the bag unseen; tiles lie in face-down stacks, the top one turned up; the Dominance cards lie face down.
    "dominant-species": {"bag": NOBODY, "shuffled": NOBODY, "stack": NOBODY, "deck": NOBODY},
    # Its first line: hidden hands, a shuffled deck.
    "parry": {"deck": NOBODY, "hand": OWN},
}
OWNER = {"liars-dice": "owner", "evolution": "owner"}
# What is printed on the backs of things, by game and kind: an attribute that everybody sees, wherever they lie.
BACKS = {"trias": {"Card": "back"}}
# What is laid open and taken away again while one step runs: it is not dealt anew, or what is heard would rightly differ.
SOON = {"cribbage": {"put"}}
