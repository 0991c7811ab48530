"""Functions of one element, carried out for many at once: their graphs, operation by operation.

block_graph(graph, 1)                                     # a graph from [] to [] as one from [n] to [n], or None
on_block(graph, [Part(X, True, 0)], count, exact=False)   # the outputs of a graph for a block of elements
"""

from runtime.vectorize.interpreter import block_graph, on_block

__all__ = ["block_graph", "on_block"]
