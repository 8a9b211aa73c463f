"""`ludoglot.api.grammar`: the base classes for the grammar of an additional language."""

from ludoglot.engine.i18n.grammar import Grammar, Thing

__all__ = ["Grammar", "Thing"]
