"""YAML with the place of every value (yamlfile.py), held against its schema (schema.py); the register of clauses (clauses.py)."""
