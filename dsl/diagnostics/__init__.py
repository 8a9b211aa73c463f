"""What is found wrong: a code, a place and named arguments (diagnostics.py), said in words (render.py) in which nothing can harm a screen
(visible.py)."""
