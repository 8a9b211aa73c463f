"""`ludoglot.api.pettingzoo`: games as PettingZoo environments."""

from ludoglot.engine.api.pettingzoo import Environment, environment

__all__ = ["Environment", "environment"]
