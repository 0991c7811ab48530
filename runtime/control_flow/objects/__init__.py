"""Which objects the names of a program stand for, and elements of them."""
