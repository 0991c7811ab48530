"""The tensors of structures that gradients are asked of: of a ragged tensor the values, and not where its rows begin.

    parts_of([rows, x])                      # [rows.flat_values, x]
    with_parts([rows, x], [g, h])            # [a ragged tensor like rows with the values g, h]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import structures
from runtime.autodiff.rules import carries

__all__ = ["parts_of", "with_parts"]


def _has_gradient(part: Any) -> bool:
    return hasattr(part, "dtype") and carries(part)


def parts_of(structure: Any) -> list[Any]:
    """The leaves; of values that are made of several tensors only those parts that can have gradients."""
    leaves: list[Any] = []
    for leaf in structures.flatten(structure, structures.is_plain):
        whole = not structures.is_nested(leaf)
        leaves += [leaf] if whole else filter(_has_gradient, structures.flatten(leaf))
    return leaves


def with_parts(structure: Any, found: Sequence[Any]) -> Any:
    """The structure with these in the place of `parts_of(structure)`, and None in the place of other parts."""
    remaining = iter(found)

    def packed(leaf: Any) -> Any:
        if not structures.is_nested(leaf):
            return next(remaining)
        made = [next(remaining) if _has_gradient(part) else None for part in structures.flatten(leaf)]
        return structures.pack_sequence_as(leaf, made)

    return structures.map_structure(packed, structure, nested=structures.is_plain)
