"""The operations behind `custom_gradient` and `recompute_grad`: they compute nothing, and gradients stop at them.

    %y = custom_gradient(%result, %x) {count=1, rule=python("model", "log1pexp")}
    %y = custom_gradient(%result, %x, %e) {count=1, rule=rule("graph log1pexp(%upstream: ..., %e: ...) ...", (True,))}
    %again = distinct(%x) {number=3}

A rule is a function of this process, which a text does not hold: a graph that is read from one runs, but has no
gradient there. In saved models it is a graph: its inputs are the gradients of the results and the last operands (here
%e), its outputs the gradients of the other operands, for those where there is one.
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import EVERY, DType
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import unary
from runtime.ops.records.shape_rules import same_shape
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = ["custom_gradient_node", "distinct"]


def _shapes(*values: Operand, count: int, rule: Term) -> tuple[TensorShape, ...]:
    return tuple(v.shape for v in values[:count])


def _dtypes(*values: Operand, count: int, rule: Term) -> tuple[DType, ...]:
    return tuple(v.dtype for v in values[:count])


@op(
    name="custom_gradient", shape=_shapes, result=_dtypes, dtypes=EVERY, mixed=True, outputs=0, holds=True,
)  # fmt: skip
def custom_gradient_node(
    *values: Array, count: int = 0, rule: Term = Term("python", ("", ""))  # noqa: B008
) -> tuple[Array, ...]:
    """The first `count` values. The gradients of the others are what the rule makes of the gradients of these."""
    return values[:count]


@op(shape=same_shape, view=True, samples=unary(number=1), reference=lambda input, number: input)
def distinct(input: Array, *, number: int) -> Any:
    """The same value. Operations on it are not the same as those on `input`, or on it under another number."""
    return input


@distinct.gradient
def _(upstream: Any) -> Any:
    return upstream
