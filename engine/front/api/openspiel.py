"""`ludoglot.api.openspiel`: registers the games with OpenSpiel."""

from ludoglot.engine.api.errors import require_extra

with require_extra("openspiel", ("numpy", "pyspiel", "open_spiel")):
    from ludoglot.engine.api.openspiel import register

__all__ = ["register"]
