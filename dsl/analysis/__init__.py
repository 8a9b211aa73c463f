"""What is found out about a program by reading its core: effects, secrecy, cost. Each analysis gives a table; none changes the core."""
