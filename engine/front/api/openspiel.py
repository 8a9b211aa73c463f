"""`ludoglot.api.openspiel`: registers the games with OpenSpiel."""

from ludoglot.engine.api.openspiel import register

__all__ = ["register"]
