"""The languages of texts and rules: which are available, and the directory of each (registry.py)."""
