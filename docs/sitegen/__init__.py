"""Builds the documentation site: `python docs/build.py` stages pages, adds generated ones, and runs MkDocs."""
