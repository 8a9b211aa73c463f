"""Where every value of a position lies: one kind of cell for each way of lying (layout.py), first values (start.py), the words of control
(control.py), entries of families by name (entries.py)."""
