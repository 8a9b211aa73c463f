"""The campaigns of bench/fuzz.py: each makes inputs from a seed, tries them in this process, and reports findings."""
