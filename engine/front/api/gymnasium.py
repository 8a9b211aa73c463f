"""`ludoglot.api.gymnasium`: games as vector environments of Gymnasium."""

from ludoglot.engine.api.errors import require_extra

with require_extra("gymnasium", ("numpy", "gymnasium")):
    from ludoglot.engine.api.gymnasium import VectorEnvironment, vector_environment

__all__ = ["VectorEnvironment", "vector_environment"]
