"""YAML with source spans (located_yaml.py), schema validation (schema.py), edits that keep comments (yaml_edit.py).

Also keys with a name from an earlier version (old_keys.py), the clause index of a game (clause_index.py) and gettext
catalogues (po_files.py)."""
