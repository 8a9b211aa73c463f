"""A language server (Language Server Protocol) for editors: completion, hover, rename, diagnostics and
navigation in rules and data."""
