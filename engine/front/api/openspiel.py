"""`ludoglot.api.openspiel`: games that OpenSpiel knows by their names."""

from ludoglot.engine.api.spiel import register

__all__ = ["register"]
