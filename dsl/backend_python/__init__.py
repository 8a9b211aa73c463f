"""The Python backend: generates syntax trees with the file and line of each rule, and provides their runtime
functions."""
