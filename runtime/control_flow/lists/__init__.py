"""Lists that grow in a graph, and how they take the place of Python's."""
