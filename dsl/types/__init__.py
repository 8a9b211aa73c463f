"""Types of the language and boards with their geometry: what every other room of the rules speaks of, and what needs nothing itself."""
