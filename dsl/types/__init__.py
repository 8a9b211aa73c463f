"""Types of the rule language, and boards with their geometry.

Every other package of `dsl` uses this one. It depends on none of them."""
