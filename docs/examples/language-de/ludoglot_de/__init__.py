"""Adds German to Ludoglot: grammar.py is its grammar, and de/ contains the language as data."""
