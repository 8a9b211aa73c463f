"""Builds the model of a game from its raw data, after packs were applied: build_model.py.

Numbers that are computed from other data are in computed_values.py."""
