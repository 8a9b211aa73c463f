"""The commands of `ludoglot`, one module each, and `main`, which finds them. A command turns its options into calls of the packages below
and prints what they return."""
