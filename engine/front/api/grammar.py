"""`ludoglot.api.grammar`: what a package with a further language builds its grammar on."""

from ludoglot.engine.i18n.grammar import Grammar, Thing

__all__ = ["Grammar", "Thing"]
