"""Transformations that many transformers need: a-normal form, and control flow as calls of operators.

Example:
    node = anf.transform(node, ctx)           # each call and operator in a statement of its own
    node = staging.transform(node, ctx)       # if, while, for as ag__.if_stmt(...), ag__.while_stmt(...)
"""

from autograph.pyct.common_transformers import anf, staging

__all__ = ["anf", "staging"]
