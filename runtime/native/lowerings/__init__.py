"""The rules of machine code, one file per family; importing the package fills the table (runtime.native.rules)."""

from runtime.native.lowerings import (
    arithmetic,
    control,
    division,
    elements,
    extremes,
    functions,
    lists,
    moves,
    numbers,
    products,
    reductions,
    shapes,
)

__all__ = [
    "arithmetic", "control", "division", "elements", "extremes", "functions", "lists", "moves", "numbers", "products",
    "reductions", "shapes",
]  # fmt: skip
