"""A match in progress: the seats, the decisions taken, undo, and the save file on the disk.

The package stores what happens as data. Other packages turn it into words and pictures."""
