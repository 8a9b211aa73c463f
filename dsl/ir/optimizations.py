"""Switches that turn single optimisations of the compiler off.

The environment variable `LUDOGLOT_NO_OPT` lists the names of optimisations that are off, such as
`LUDOGLOT_NO_OPT=value-index,delta-conditions`. The word `all` stands for every name. The rules mean the same with
and without each of them. Switch one off to find out whether it causes a wrong result, or what it is worth:

| name | module | effect |
|---|---|---|
| `incremental-sets` | `dsl/lowering/incremental_sets.py` | a set follows each write |
| `value-index` | `dsl/lowering/value_index.py` | one bitmask for each value of a state |
| `delta-conditions` | `dsl/lowering/delta_conditions.py` | the end of a loop is tested where the last turn wrote |
| `member-filters` | `dsl/lowering/member_filters.py` | a condition selects the members of a set with one mask |
| `recent-ways` | `dsl/lowering/ways.py` | a search for any way first tries the last one |
| `static-tables` | `dsl/lowering/static_tables.py` | values of constant data are looked up |
"""

from __future__ import annotations

import os

ENVIRONMENT_VARIABLE = "LUDOGLOT_NO_OPT"
OPTIMIZATIONS = ("incremental-sets", "value-index", "delta-conditions", "member-filters", "recent-ways", "static-tables")


def is_enabled(name: str) -> bool:
    """Whether the optimisation `name` is on. Raises KeyError for a name that is not in OPTIMIZATIONS."""
    if name not in OPTIMIZATIONS:
        raise KeyError(name)
    switched_off = os.environ.get(ENVIRONMENT_VARIABLE, "").split(",")
    return name not in switched_off and "all" not in switched_off
