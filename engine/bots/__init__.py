"""Players that are programs. A bot is given a position, a seat and chances of its own, and answers with an option; of the table it
sits at, the people there and what is saved it knows nothing."""
