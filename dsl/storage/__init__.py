"""The layout of a position: which entry of its flat list belongs to what.

* `control_slots.py`: the first entries, which control the game.
* `layout.py`: one storage class for each way to store a state.
* `initial_state.py`: initial values of states.
* `state_literals.py`: entries of states by name, as YAML and scenarios write them."""
