"""`ludoglot.api.gymnasium`: games as vector environments of Gymnasium."""

from ludoglot.engine.api.errors import require_extra

with require_extra("gymnasium", ("numpy", "gymnasium")):
    from ludoglot.engine.api.gymnasium import VectorEnvironment

__all__ = ["VectorEnvironment"]
