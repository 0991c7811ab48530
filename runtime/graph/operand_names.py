"""The user's names of operands that do not fit, for the message of the error.

    image @ kernel      # matmul: the inner sizes differ: 3 and 4 (operand shapes: (2, 3), (4, 5)): the operands are
                        # image, shape (2, 3), and kernel, shape (4, 5)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any

from runtime.errors import OpError
from runtime.graph.location import is_own
from runtime.ops.core import placeholder
from runtime.ops.state import READS
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["name_operands"]


def name_operands(error: OpError, tensors: Sequence[SymbolicTensor]) -> None:
    """Adds to the message of an error which variables of the program its operands are, as far as they are any."""
    variables = _variables_here()
    names = [_name_of(tensor, variables) for tensor in tensors]
    if not any(names):
        return
    shown = [f"{name or 'a value in between'}, shape {t.shape}" for name, t in zip(names, tensors, strict=True)]
    words = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])}, and {shown[-1]}"
    error.message = f"{error.message}: the operand{'s are' if len(shown) > 1 else ' is'} {words}"
    error.args = (error.message, *error.args[1:])


def _variables_here() -> Mapping[str, Any]:
    """The variables of the function of the user that runs just now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return {} if frame is None else frame.f_locals


def _name_of(tensor: SymbolicTensor, variables: Mapping[str, Any]) -> str:
    """The variable that holds the tensor, the argument that it is, or the Variable that it was read from."""
    found = next((name for name, value in variables.items() if value is tensor), "")
    if found or tensor.op.op is placeholder:
        return found or tensor.op.name
    return tensor.op.inputs[0].op.name if tensor.op.op in READS else ""
