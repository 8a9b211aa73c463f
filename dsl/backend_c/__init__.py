"""The C backend: compiles a game for fast bulk play if a C compiler is available. Python remains the
reference."""
