"""Python's builtins, iterators, operators and text over tensors, and numpy's functions."""
