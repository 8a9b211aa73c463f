"""The rulebook of a game, printed from its rules: what is in the box, how to set up, the course of play in the order in which the rules
walk through it, the things one by one, examples out of the scenario tests; as a web page or as Markdown, in any language."""
