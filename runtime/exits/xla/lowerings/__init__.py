"""The rules of XLA, one file per family; importing the package fills the table (runtime.exits.xla.rules)."""

from runtime.exits.xla.lowerings import (
    arithmetic,
    arrays,
    counting,
    elementwise,
    indices,
    list_gradients,
    lists,
    matrices,
    reasons,
    reductions,
    shapes,
    state,
    windows,
)

__all__ = [
    "arithmetic", "arrays", "counting", "elementwise", "indices", "list_gradients", "lists", "matrices",
    "reasons", "reductions", "shapes", "state", "windows",
]  # fmt: skip
