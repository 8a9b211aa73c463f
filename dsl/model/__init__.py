"""The declarations of a game by name (model.py), and the codecs that read and write values of each type (codec.py)."""
