"""The state of a game at one moment, as plain data.

* `position.py`, `options.py`: the position, and the moves of a decision.
* `visibility.py`, `observation.py`: who may see an entry, and what a seat sees of a position.
* `determinize.py`: drawing the hidden part again.
* `call_stack.py`, `rule_trace.py`, `observed_slots.py`: the procedures that run, their lines and their writes.

It depends on the rule language only, not on texts, players or screens."""
