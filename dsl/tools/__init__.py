"""Output of the passes for developers: each stage of a rule (dump.py), and a grammar for editors (textmate.py)."""
