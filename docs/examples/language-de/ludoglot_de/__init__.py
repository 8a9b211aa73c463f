"""Ludoglot in German: grammar.py, and in de/ the language as data."""
