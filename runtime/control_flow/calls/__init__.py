"""Calls of functions: recursion, functions of the library, caches, functions that a tensor chooses among."""
