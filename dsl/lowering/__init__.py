"""From the core to the machine: blocks cut at decisions, the uncut form for simulation, the form that explains, values that are kept
instead of worked out again."""
