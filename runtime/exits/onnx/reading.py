"""The table of what nodes of ONNX are here: for each type a function from tensors to tensors.

    @reads("Gemm")
    def _(node, a, b, c=None): ...

The functions stand in runtime/exits/onnx/readings. An operand that is left out is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.exits.onnx.nodes import ELEMENT_TYPES
from runtime.ops.records.record import Array
from runtime.ops.records.tables import enter

__all__ = ["READINGS", "NodeView", "Unreadable", "dtype_of", "known", "reads", "same"]


class Unreadable(Exception):
    """A node that is none of ours, or not with these operands; the text says why."""


@dataclass(frozen=True)
class NodeView:
    """A node as rules see it: its type, its attributes as Python values, how many results it has."""

    type: str
    attributes: Mapping[str, Any]
    outputs: int

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute, or the default."""
        return self.attributes.get(name, default)


Reading = Callable[..., Any]

READINGS: Final[dict[str, Reading]] = {}

_DTYPES: Final[dict[int, DType]] = {number: dtype for dtype, number in ELEMENT_TYPES.items()}


def reads(*types: str) -> Callable[[Reading], Reading]:
    """Decorator: the function carries out nodes of these types."""

    def register(rule: Reading) -> Reading:
        enter(READINGS, types, rule, "is read")
        return rule

    return register


def same(table: Mapping[str, Callable[..., Any]]) -> None:
    """Says which types are one operation of the same meaning, with the operands as they are."""
    for type, op in table.items():
        reads(type)(lambda node, *operands, _op=op: _op(*operands))


def dtype_of(number: int) -> DType:
    """The dtype of a number of ONNX. Raises Unreadable."""
    if number not in _DTYPES:
        raise Unreadable(f"elements of type {number} are not known")
    return _DTYPES[number]


def known(tensor: Any, what: str) -> Array:
    """The value of an operand that has to be known. Raises Unreadable."""
    value = getattr(tensor, "value", None)
    if value is None:
        value = getattr(tensor, "_array", None)
    if value is None:
        raise Unreadable(f"{what} has to be a constant")
    return np.asarray(value)
