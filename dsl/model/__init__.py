"""The declarations of a game by name (model.py), and the codecs that read and write values of each type (codec.py).

`build_model.py` builds the model from the YAML of a game, after packs were applied. Numbers that are computed from
other data are in `computed_values.py`."""
