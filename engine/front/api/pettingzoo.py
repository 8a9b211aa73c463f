"""`ludoglot.api.pettingzoo`: games as PettingZoo environments."""

from ludoglot.engine.api.errors import require_extra

with require_extra("pettingzoo", ("numpy", "gymnasium", "pettingzoo")):
    from ludoglot.engine.api.pettingzoo import Environment, environment

__all__ = ["Environment", "environment"]
