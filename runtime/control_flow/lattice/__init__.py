"""What a variable can be: one lattice for branches, loops, `try`, calls and lists."""
