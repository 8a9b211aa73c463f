"""Lowering from the core to the IR.

| module | content |
|---|---|
| `module.py` | the whole module: names, constants, blocks, assembly |
| `procedures.py`, `loops.py`, `choices.py`, `options.py`, `places.py` | statements, in the block form |
| `expressions.py`, `calls.py`, `comprehensions.py`, `builtins.py` | expressions |
| `explain_form.py`, `condition_probe.py` | the explain form, for `why` |
| `incremental_sets.py`, `value_index.py` | sets that writes keep up to date |
| `delta_conditions.py`, `static_tables.py`, `score_terms.py` | delta evaluation, tables, terms of the score |
| `linker.py` | slot numbers for symbolic addresses |
| `protocols.py` | the interfaces between these parts |"""
