"""The signature of a trace as text.

double(a)
  Args:
    a: int32 Tensor, shape=()
  Returns:
    int32 Tensor, shape=()
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping
from typing import Any

from runtime import structures as nest
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.marker import Marker
from runtime.state.variable import Variable
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["describe", "header", "type_of"]


def header(name: str, arguments: Mapping[str, Any]) -> str:
    """`pow(a, b=2)`: parameters, with the Python values that the trace is made for."""
    shown = [n if _has_tensors(v) else f"{n}={v!r}" for n, v in arguments.items()]
    return f"{name}({', '.join(shown)})"


def describe(name: str, arguments: Mapping[str, Any], outputs: Any) -> str:
    """Header, arguments that are tensors, and what is returned."""
    lines = [header(name, arguments)]
    tensors = {n: v for n, v in arguments.items() if _has_tensors(v)}
    if tensors:
        lines.append("  Args:")
        for parameter, value in tensors.items():
            lines += _entry(f"{parameter}: ", value)
    lines.append("  Returns:")
    lines += _entry("", outputs)
    return "\n".join(lines)


def type_of(signature: inspect.Signature, arguments: Mapping[str, Any], outputs: Any) -> inspect.Signature:
    """A signature whose annotations are the specs of tensors, and the types of Python values."""
    found = {name: _spec_of(value) if _has_tensors(value) else type(value) for name, value in arguments.items()}
    parameters = [
        parameter.replace(annotation=found.get(name, parameter.annotation), default=parameter.empty)
        for name, parameter in signature.parameters.items()
    ]
    return inspect.Signature(parameters, return_annotation=_spec_of(outputs))


def _spec_of(value: Any) -> Any:
    if isinstance(value, MaybeNone):
        return _spec_of(presence(value).value)
    if nest.is_plain(value):
        return nest.map_structure(_spec_of, value)
    return TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value


def _entry(label: str, value: Any) -> list[str]:
    if not nest.is_nested(value):
        return [f"    {label}{_leaf(value)}"]
    leaves = nest.flatten(value)
    numbers = itertools.count(1)
    marks = [Marker(f"<{next(numbers)}>") if _is_tensor(leaf) else leaf for leaf in leaves]
    shape = nest.pack_sequence_as(value, marks)
    details = [f"      {mark}: {_leaf(leaf)}" for mark, leaf in zip(marks, leaves, strict=True) if _is_tensor(leaf)]
    return [f"    {label}{shape}", *details]


def _leaf(value: Any) -> str:
    if isinstance(value, MaybeNone):
        return f"{nest.map_structure(lambda part: Marker(_leaf(part)), presence(value).value)!r}, or None"
    if isinstance(value, SymbolicTensor) and value.weak:
        return f"any {'int' if value.dtype.is_integer else 'float'}"
    kind = "Variable" if isinstance(value, Variable) else "Tensor"
    return f"{value.dtype.name} {kind}, shape={value.shape}" if _is_tensor(value) else repr(value)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor | TensorSpec | MaybeNone | Variable)


def _has_tensors(value: Any) -> bool:
    return any(map(_is_tensor, nest.flatten(value)))
