"""`ludoglot.api.openspiel`: games that OpenSpiel knows by their names."""

from ludoglot.engine.api.openspiel import register

__all__ = ["register"]
