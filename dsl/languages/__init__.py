"""The languages that people read and rules are written in: which there are, and the folder of each (found.py)."""
