"""The rules of expansion, one file per family; importing the package fills the table (runtime.exits.rules)."""

from runtime.exits.expansions import (
    activations,
    arithmetic,
    counting,
    diagonals,
    gammas,
    items,
    matrices,
    order,
    reductions,
    running,
    special,
    state,
    stays,
    windows,
)

__all__ = [
    "activations", "arithmetic", "counting", "diagonals", "gammas", "items", "matrices", "order",
    "reductions", "running", "special", "state", "stays", "windows",
]  # fmt: skip
