"""`ludoglot.api.pettingzoo`: games as environments of PettingZoo."""

from ludoglot.engine.api.pettingzoo import Environment, environment

__all__ = ["Environment", "environment"]
