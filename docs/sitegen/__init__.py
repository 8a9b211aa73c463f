"""Builds the documentation site: `python docs/build.py` stages pages, adds generated pages, and runs MkDocs."""
