"""The user's names of operands that do not fit each other, for the message of the error.

    image @ kernel      # matmul: the inner sizes differ: 3 and 4 (operand shapes: (2, 3), (4, 5)): the operands are
                        # image, shape (2, 3), and kernel, shape (4, 5)
    x + n               # add: x is float32 but y is int32: ...: the operands are x, float32, and n, int32
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.rules import users_frame
from runtime.errors import OpError
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.state import READS
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["name_dtypes", "name_shapes"]


def name_shapes(error: OpError, tensors: Sequence[SymbolicTensor]) -> None:
    """Adds to the message of an error which variables of the program its operands are, as far as they are any."""
    _name(error, tensors, [f"shape {tensor.shape}" for tensor in tensors])


def name_dtypes(error: OpError, operands: Sequence[Any]) -> None:
    """The same with the dtypes of those that are tensors; of lists of operands, of their items."""
    flat = [item for value in operands for item in (value if isinstance(value, list) else [value])]
    tensors = [value for value in flat if isinstance(value, Tensor)]
    _name(error, tensors, [tensor.dtype.name for tensor in tensors])


def _name(error: OpError, tensors: Sequence[Tensor], facts: Sequence[str]) -> None:
    variables = users_frame(sys._getframe(2)).f_locals
    names = [_name_of(tensor, variables) for tensor in tensors]
    if not any(names):
        return
    shown = [f"{name or 'a value in between'}, {fact}" for name, fact in zip(names, facts, strict=True)]
    words = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])}, and {shown[-1]}"
    error.message = f"{error.message}: the operand{'s are' if len(shown) > 1 else ' is'} {words}"
    error.args = (error.message, *error.args[1:])


def _name_of(tensor: Tensor, variables: Mapping[str, Any]) -> str:
    """The variable that holds the tensor, the argument that it is, or the Variable that it was read from."""
    found = next((name for name, value in variables.items() if value is tensor), "")
    if found or not isinstance(tensor, SymbolicTensor):
        return found
    if tensor.op.op is placeholder:
        return str(tensor.op.name)
    return str(tensor.op.inputs[0].op.name) if tensor.op.op in READS else ""
