"""Functions of one element, carried out for many at once.

vectorized_map(lambda x: x * x + 1, runtime.constant([1.0, 2.0]))
block_graph(graph, 1)        # a graph from [] to [] as one from [n] to [n], or None
"""

from runtime.vectorize.interpreter import block_graph, on_block
from runtime.vectorize.mapping import vectorized_map

__all__ = ["block_graph", "on_block", "vectorized_map"]
