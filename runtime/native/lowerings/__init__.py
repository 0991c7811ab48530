"""The rules of machine code, one file per family; importing the package fills the table (runtime.native.rules)."""

from runtime.native.lowerings import (
    arithmetic,
    complexes,
    compositions,
    control,
    division,
    draws,
    elements,
    extremes,
    fills,
    functions,
    list_parts,
    lists,
    masks,
    matrices,
    moves,
    numbers,
    order,
    products,
    reductions,
    scans,
    scatter,
    shapes,
    tries,
    whiles,
)

__all__ = [
    "arithmetic", "complexes", "compositions", "control", "division", "draws", "elements", "extremes", "fills",
    "functions", "list_parts", "lists", "masks", "matrices", "moves", "numbers", "order", "products", "reductions",
    "scans", "scatter", "shapes", "tries", "whiles",
]  # fmt: skip
