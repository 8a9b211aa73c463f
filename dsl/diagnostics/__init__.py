"""Diagnostics: codes with spans and arguments (diagnostic.py), and their display (render.py).

Also here: the safe reading of files (safe_read.py) and the removal of terminal control characters (sanitize.py)."""
