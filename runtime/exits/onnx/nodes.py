"""What an ONNX model is made of, as plain data: written by lowerings, turned into the file's messages at the end.

Nothing here needs the library `onnx`: what cannot leave is known before it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from runtime import dtypes
from runtime.dtypes import DType
from runtime.ops.records.record import Array

__all__ = ["ELEMENT_TYPES", "Handle", "Node", "Subgraph", "Value", "type_of"]

ELEMENT_TYPES: Final[dict[DType, int]] = {
    dtypes.float32: 1, dtypes.uint8: 2, dtypes.int8: 3, dtypes.uint16: 4, dtypes.int16: 5, dtypes.int32: 6,
    dtypes.int64: 7, dtypes.bool_: 9, dtypes.float16: 10, dtypes.float64: 11, dtypes.uint32: 12,
    dtypes.uint64: 13,
}  # fmt: skip
"""The numbers that ONNX gives to the types of elements; those of which onnxruntime has hardly a kernel are left out,
and texts, which it cuts off at a zero byte."""


def type_of(dtype: DType) -> int:
    """The number of a dtype."""
    return ELEMENT_TYPES[dtype]


@dataclass(frozen=True, slots=True)
class Value:
    """A value in the making: its name, and what its elements are. Of a list (`is_list`) what its elements are."""

    name: str
    dtype: DType
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Handle:
    """A Variable, where a graph has its handle."""

    name: str
    dtype: DType


@dataclass(slots=True)
class Subgraph:
    """Nodes in their order: the model, a branch or the body of a loop, which see the values around them, a function."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    inputs: list[Value] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)


@dataclass(slots=True)
class Node:
    """One node. attributes: integers, floats, texts, lists of them, arrays and Subgraphs."""

    type: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]
    line: str = ""
    domain: str = ""
