"""softmax, log_softmax, logsumexp and cross-entropies as the operations that their kernels are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import DType, bool_
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, memory, write
from runtime.native.rules import KERNELS, Refused, lowers
from runtime.native.values import Memory, NativeValue
from runtime.ops.arrays.shape import squeeze
from runtime.ops.elementwise.arithmetic import add, divide, subtract
from runtime.ops.elementwise.functions import exp, is_finite, log
from runtime.ops.elementwise.logic import where
from runtime.ops.flow.core import constant_node
from runtime.ops.networks.softmax import (
    log_softmax,
    softmax,
    sparse_softmax_cross_entropy_with_logits,
    sparse_softmax_errors,
)
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import normalized_axes
from runtime.ops.reductions.reduce import reduce_logsumexp, reduce_max, reduce_sum
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__: list[str] = []


class _Parts:
    """The operations that stand for one, as they are written."""

    def __init__(self, build: Build, operation: Operation) -> None:
        self.build, self.operation = build, operation
        self.made: list[SymbolicTensor] = []

    def add(
        self, op: Op, *inputs: SymbolicTensor, shape: TensorShape, dtype: DType | None = None, **attributes: Any
    ) -> SymbolicTensor:
        build, old = self.build, self.operation
        made = Operation(old.graph, op, old.name, inputs, attributes, old.location)
        made.outputs = (SymbolicTensor(made, 0, dtype or old.outputs[0].dtype, shape),)
        (build.values[id(made.outputs[0])],) = build.operation(made, [build.values[id(t)] for t in inputs])
        self.made.append(made.outputs[0])
        return made.outputs[0]

    def result(self) -> NativeValue:
        """What the last one gives; the others are done with."""
        for tensor in self.made[:-1]:
            self.build.release(self.build.values[id(tensor)])
        return self.build.values[id(self.made[-1])]


@lowers(softmax, log_softmax, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (x,), parts = operation.inputs, _Parts(build, operation)
    around, build.dying = build.dying, set()
    _softmax(parts, x, operands[0], operation.attributes["axis"])
    build.dying = around
    return parts.result()


def _softmax(parts: _Parts, x: SymbolicTensor, operand: Any, axis: int) -> None:
    """Adds the operations of softmax, or of its logarithm: negative where that is a loss."""
    shape = x.shape
    if shape.rank is None or not isinstance(operand, Memory) or not -shape.rank <= axis < shape.rank:
        raise Refused(parts.operation, "it has no such axis")
    dims = list(shape.dims or ())
    dims[axis] = 1
    along: dict[str, Any] = {"axis": (axis % shape.rank,), "keepdims": True, "shape": TensorShape(dims)}
    shifted = parts.add(subtract, x, parts.add(reduce_max, x, **along), shape=shape)
    powers = parts.add(exp, shifted, shape=shape)
    total = parts.add(reduce_sum, powers, **along)
    if parts.operation.op in (softmax, sparse_softmax_errors):
        parts.add(divide, powers, total, shape=shape)
        return
    logs = parts.add(log, total, shape=along["shape"])
    parts.add(subtract, *((shifted, logs) if parts.operation.op is log_softmax else (logs, shifted)), shape=shape)


@lowers(sparse_softmax_cross_entropy_with_logits, sparse_softmax_errors, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    """One element of each row: of the logarithms, which are the losses, or of the shares, which is 1 less."""
    labels, of_losses = memory(operation, operands[0]), operation.op is sparse_softmax_cross_entropy_with_logits
    x, parts, w = operation.inputs[1], _Parts(build, operation), build.w
    around, build.dying = build.dying, set()
    _softmax(parts, x, operands[1], -1)
    build.dying = around
    found = parts.result()
    build.fusion.close(build)
    assert isinstance(found, Memory)
    for mine, theirs in zip(labels.dims, found.dims, strict=False):
        if mine != theirs:
            w.fail_unless(w.let(f"icmp eq i64 {mine}, {theirs}"))
    losses = build.new_result(operation.outputs[0], labels.dims) if of_losses else found
    with build.each(build.elements(labels)) as row:
        label = as_int64(build, build.load(labels.data, row, labels))
        w.fail_unless(w.let(f"icmp ult i64 {label}, {found.dims[-1]}"))
        place = w.let(f"add i64 {w.let(f'mul i64 {row}, {found.dims[-1]}')}, {label}")
        chosen = build.load(found.data, place, found)
        if of_losses:
            build.store(losses.data, row, chosen)
        else:
            build.store(found.data, place, write(build, "fsub {t} {0}, 1.0", found.dtype, chosen))
    if of_losses:
        build.release(found)
    return losses


@lowers(reduce_logsumexp, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (x,), keeps, parts = operation.inputs, operation.attributes["keepdims"], _Parts(build, operation)
    if x.shape.rank is None or not isinstance(operands[0], Memory):
        raise Refused(operation, "it takes a single number")
    axes = normalized_axes(operation.attributes["axis"], x.shape.rank)
    whole = len(axes) == x.shape.rank and not keeps
    dims = [1 if axis in axes else dim for axis, dim in enumerate(x.shape.dims or ())]
    shape = TensorShape([] if whole else dims)
    along: dict[str, Any] = {"axis": axes, "keepdims": not whole, "shape": shape}
    around, build.dying = build.dying, set()
    top = parts.add(reduce_max, x, **along)
    zero = parts.add(constant_node, value=np.zeros((), x.dtype.numpy), shape=TensorShape([]))
    top = parts.add(where, parts.add(is_finite, top, shape=shape, dtype=bool_), top, zero, shape=shape)
    powers = parts.add(exp, parts.add(subtract, x, top, shape=x.shape), shape=x.shape)
    found = parts.add(add, parts.add(log, parts.add(reduce_sum, powers, **along), shape=shape), top, shape=shape)
    if not (keeps or whole):
        parts.add(squeeze, found, axis=tuple(axes), shape=operation.outputs[0].shape)
    build.dying = around
    return parts.result()


KERNELS.update({
    log_softmax, reduce_logsumexp, softmax, sparse_softmax_cross_entropy_with_logits, sparse_softmax_errors
})  # fmt: skip
