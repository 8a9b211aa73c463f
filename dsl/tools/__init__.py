"""What the passes print of a game for who reads rules: each stage of a line (stages.py), the grammar for editors (textmate.py)."""
