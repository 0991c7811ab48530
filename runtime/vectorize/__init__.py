"""Functions of one element, carried out for many at once.

block_graph(graph, 1)        # a graph from [] to [] as one from [n] to [n], or None
"""

from runtime.vectorize.interpreter import block_graph, on_block

__all__ = ["block_graph", "on_block"]
