"""The machine written out as Python: syntax trees with the file and line of each rule, and what they call while they run."""
