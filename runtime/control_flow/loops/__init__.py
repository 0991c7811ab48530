"""`while` and `for`: the state of a loop, its types, and what it goes through."""
