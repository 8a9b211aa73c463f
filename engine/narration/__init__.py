"""A game told in a language: values, questions, options and events as sentences, with the game's own words where it has them and the
engine's where it has not. The one place where what happens at a table meets the words."""
