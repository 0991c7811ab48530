"""The gradients of one operation: calls the rule of its record with what the rule asks for.

pull(record, [upstream], needed)        # [gradient of each input, or None]

Control flow, calls and reads of Variables have rules here in `STRUCTURED`: they see the whole operation.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NoReturn, Protocol

from runtime.dtypes import resource, variant
from runtime.ops.flow.state import read_variable
from runtime.ops.records.gradients import ops, sum_to_shape
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import broadcast
from runtime.shapes import TensorShape

__all__ = ["STRUCTURED", "Recorded", "carries", "pull", "refuse", "zeros_of"]


class Recorded(Protocol):
    """An operation that was recorded: one of a graph, or one that has run (`runtime.tensor.taping.Record`)."""

    @property
    def op(self) -> Op:
        """Its record."""
        ...

    @property
    def inputs(self) -> Sequence[Any]:
        """Its operands."""
        ...

    @property
    def attributes(self) -> Any:
        """Its attributes."""
        ...

    @property
    def outputs(self) -> Sequence[Any]:
        """Its results."""
        ...


Gradients = Sequence[Any]
Structured = Callable[[Any, Gradients, Sequence[bool]], Gradients]

STRUCTURED: Final[dict[Op, Structured]] = {read_variable: lambda record, upstreams, needed: upstreams}
"""Rules that are given the operation, an upstream (or None) for each result, and which inputs' gradients are wanted."""


def carries(value: Any) -> bool:
    """Whether a tensor, or the memory of a Variable, can have a gradient: lists can, for their elements."""
    dtype = value.dtype
    return bool(dtype.is_floating or dtype.is_complex or dtype is variant or dtype is resource)


def zeros_of(value: Any) -> Any:
    """The gradient of a result that nothing depends on: zeros, an empty list; None for what has no gradient."""
    if value.dtype is variant:
        return ops.list_new([])
    return ops.zeros_like(value) if carries(value) else None


def pull(record: Recorded, upstreams: Gradients, needed: Sequence[bool]) -> Gradients:
    """The gradient of each input, None where there is none. Raises LookupError for an operation without a rule."""
    op = record.op
    structured = STRUCTURED.get(op)
    if structured is not None:
        return structured(record, upstreams, needed)
    if op.rule is None:
        if op.no_gradient is None:
            refuse(record, "has no gradient rule")
        return [None] * len(record.inputs)
    found = _call(op, record, upstreams, needed)
    if op.shape is broadcast:
        found = [g if g is None else sum_to_shape(g, x) for g, x in zip(found, record.inputs, strict=True)]
    return [_checked(op, g, x) if n else None for g, x, n in zip(found, record.inputs, needed, strict=True)]


def refuse(record: Recorded, why: str) -> NoReturn:
    """Raises LookupError, with the line of the operation."""
    place = getattr(record, "location", None)
    raise LookupError(
        f"the operation {record.op.name!r}{f' (made at {place})' if place else ''} {why}: its result has no gradient;"
        " use runtime.stop_gradient where none should flow, or runtime.custom_gradient to say what it is"
    )


@cache
def _parameters(rule: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(rule).parameters)


def _call(op: Op, record: Recorded, upstreams: Gradients, needed: Sequence[bool]) -> Gradients:
    """What the rule returns, a gradient for each input."""
    assert op.rule is not None
    inputs, results = record.inputs, record.outputs
    fixed = len(op.tensors)
    values: dict[str, Any] = dict(record.attributes)
    values.update(zip(op.tensors, inputs, strict=False))
    if op.variadic:
        values[op.variadic] = list(inputs[fixed:])
    wanted = _parameters(op.rule)
    values["needed"] = needed
    if op.outputs == 1:
        values["upstream"], values["result"] = upstreams[0], results[0]
    elif "upstream" in wanted:
        pairs = zip(upstreams, results, strict=True)
        values["upstream"] = tuple([zeros_of(r) if u is None else u for u, r in pairs])
        values["result"] = tuple(results)
    found = op.rule(**{name: values[name] for name in wanted})
    if op.variadic is None:
        return found if isinstance(found, tuple | list) else (found,)
    if not fixed and not (isinstance(found, tuple) and len(found) == 1 and isinstance(found[0], list | tuple)):
        found = (found,)
    rest = found[fixed]
    return [*found[:fixed], *([None] * (len(inputs) - fixed) if rest is None else rest)]


def _checked(op: Op, gradient: Any, x: Any) -> Any:
    """The gradient, if it is of the type of the operand: a defect of a rule shows here, not somewhere behind."""
    if gradient is None:
        return None
    shape: TensorShape = gradient.shape
    if gradient.dtype is not x.dtype or not shape.is_compatible_with(x.shape):
        raise TypeError(
            f"the gradient rule of {op.name!r} gave {gradient.dtype.name}{shape} for an operand that is"
            f" {x.dtype.name}{x.shape}"
        )
    return gradient
