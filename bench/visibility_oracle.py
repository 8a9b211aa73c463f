"""Lists the hidden states of each game with secrets, and the seats that may look at them, by the rulebooks alone.

It uses neither the declarations of states in the rules nor the engine. Everything that is not listed here is open on the table.

The sentences are those of the rulebooks that the games of Ludoglot follow (`rules/*/clauses.yaml` has their numbers).
"""

from __future__ import annotations

NOBODY = "nobody"                    # a shuffled pile, a closed bag
OWN = "own"                          # the first index is a seat, and only that seat may look
OTHERS = "others"                    # the last index is a seat, and every seat except that one may look
DICE = "dice"                        # the first index is a thing, and `owner` is its owner
KNOWN = "known"                      # everybody knows it without looking: it never changes here

EYES: dict[str, dict[str, str]] = {
    # The talon is face down. Both players have seen the card turned up under it, the trick and captured cards. Hands are hidden.
    "brisca": {"talon": NOBODY, "hand": OWN},
    "snapszer": {"talon": NOBODY, "hand": OWN},
    # All cards are dealt. The last bidder knows the two cards that were put down, and they are turned up for the payment.
    "ulti": {"deck": NOBODY, "hand": OWN, "talon": OWN},
    # The cards on the table are face up, and those still to be dealt are face down.
    "scopa": {"talon": NOBODY, "hand": OWN},
    # All cards are dealt at once, so the deck is empty whenever somebody decides. Partners do not see each other's cards.
    "scopone": {"deck": NOBODY, "hand": OWN},
    "whistle": {"deck": NOBODY, "hand": OWN},
    # All cards are dealt. Players choose the cards to pass before they see new ones. The receiver sees them in hand.
    "hearts": {"deck": NOBODY, "hand": OWN, "passed": OWN},
    # Hands are hidden. Cards for the crib are put aside face down, so each player knows their own. The crib is shown when it is counted.
    "cribbage": {"deck": NOBODY, "hand": OWN, "put": OWN},
    # You never see your own cards, and all other players see them. The deck is face down.
    "hanabi": {"deck": NOBODY, "hand": OTHERS},
    # Cards are dealt face down. Shared cards are turned up, and the hands of those who have not folded are shown at the end.
    "limit-holdem": {"deck": NOBODY, "hand": OWN},
    # The stock is face down. Discards are face down too, and each player knows their own. All hands are shown when they are counted.
    "mus": {"deck": NOBODY, "hand": OWN, "discards": OWN},
    # The stock is face down. The discards are face up, and both hands are shown after a knock.
    "gin-rummy": {"stock": NOBODY, "hand": OWN},
    # Players throw under a cup and look alone. The dice are shown when somebody doubts. The sides of a die never change.
    "liars-dice": {"face": DICE, "sides": KNOWN},
    # The traits of the deck are hidden. You may look through your own discard pile, but not another player's. A card on the table hides its
    # traits if it is an animal, and shows the chosen trait if it is a trait. The player who played it knows it.
    "evolution": {"deck": NOBODY, "hand": OWN, "discards": OWN, "printed": DICE},
    # Draw one card and keep it secret. The deck is face down, with the "1" cards on top. The number is printed on the backs.
    "trias": {"deck": NOBODY, "ones": NOBODY, "hand": OWN},
    # Discs are drawn from the bag unseen. Tiles are in face-down stacks with the top tile turned up. The Dominance cards are face down.
    "dominant-species": {"bag": NOBODY, "shuffled": NOBODY, "stack": NOBODY, "deck": NOBODY},
    # Goods and development cards are held in the hand, and the cards of this turn with them. The deck is face down. The lands and harbours
    # of the random map are all laid out before somebody decides.
    "catan": {"deck": NOBODY, "hand": OWN, "lost": OWN, "cards": OWN, "bought": OWN},
    # Decks are face down. Everybody has seen the mines reserved from the market, and only their player those reserved from a deck.
    "splendor": {"deck": NOBODY, "secret": OWN},
    # The first line of its rules: hidden hands, a shuffled deck.
    "parry": {"deck": NOBODY, "hand": OWN},
}
OWNER = {"liars-dice": "owner", "evolution": "owner"}
# The attribute printed on the back of things, by game and kind: everybody sees it, wherever they are.
BACKS = {"trias": {"Card": "back"}, "splendor": {"Card": "level"}}
# States that one step shows and hides again. They are not dealt again, because the events would rightly differ.
SOON = {"cribbage": {"put"}}
# Events by which the rulebook shows something to everybody that is hidden again before the next decision. Here, the next deal follows.
ANNOUNCED = {"limit-holdem": {"shows"}}
