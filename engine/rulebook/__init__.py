"""The printed rulebook of a game, built from its rules.

It contains the components, the set-up, the course of play in the order of the rules, and
the things one by one. Examples come from the scenario tests. Writers render it as a web
page, as Markdown or as plain text, in any language."""
