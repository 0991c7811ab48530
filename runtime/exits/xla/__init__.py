"""Graphs as programs of XLA, by JAX: a graph is carried out on values that JAX traces."""
