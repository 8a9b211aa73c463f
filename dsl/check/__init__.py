"""The checker: resolves names, infers types, and reports diagnostics for the rule files of one variant.

builtins.py     arity and types of the built-in functions
checker.py      runs all passes
declare.py      first pass: declarations
expressions.py  types of expressions
scope.py        declarations, symbol table, scopes, and the results of resolution
statements.py   procedures and choices"""
