"""Programs of this folder that are refused in some mode, each with a part of the message, and why."""

from __future__ import annotations

from typing import Final

__all__ = ["REFUSED"]

MIXED: Final = ("nothing is cast silently", "tensors of two dtypes in one operation: runtime.cast")
LISTS: Final = ("asked for its value by `.tolist", "a list of Python's of which only the run knows the length")

REFUSED: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("binomial_tree", "numbers"): MIXED,
    ("crc32", "tensors"): MIXED,
    ("heap_sort", "tensors"): ("cannot be assigned here", "a tensor that an inner function writes to never changes"),
    ("histogram", "numbers"): MIXED,
    ("histogram", "tensors"): MIXED,
    ("logistic_regression", "tensors"): MIXED,
    ("mandelbrot_by_masks", "tensors"): MIXED,
    ("otsu_threshold", "tensors"): MIXED,
    ("perceptron", "numbers"): MIXED,
    ("polynomial_product", "tensors"): MIXED,
    ("run_lengths_by_differences", "arrays"): LISTS,
    ("run_lengths_by_differences", "tensors"): LISTS,
    ("sharpened", "tensors"): MIXED,
    ("two_layer_network", "tensors"): MIXED,
    ("euler_decay", "numbers"): MIXED,
    ("ising", "numbers"): MIXED,
    ("matrix_chain", "tensors"): MIXED,
    ("minor_and_cofactor", "numbers"): MIXED,
    ("newton_fractal", "tensors"): MIXED,
    ("simpson", "numbers"): MIXED,
    ("smith_waterman", "numbers"): MIXED,
    ("floyd_warshall_by_rows", "tensors"): ("never changes", "`out=` of a tensor"),
}
"""By name and mode: words of the error, and the reason."""
