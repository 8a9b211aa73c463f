"""What the names of a tree mean and what type each expression has: written beside the tree (scope.py), and all that is wrong with it
reported at its place."""
