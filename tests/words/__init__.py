"""Tests of sentences, grammars, and catalogues: how they read in each language, and the checks that keep four languages in step."""
