"""Systems of equations and Cholesky's factors, row by row in a loop."""

from __future__ import annotations

from typing import Any

from runtime.control_flow.functions import while_loop
from runtime.dtypes import int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.expansions.items import counted
from runtime.exits.rules import expands
from runtime.ops.linear.solving import slogdet, triangular_solve
from runtime.ops.linear.square import cholesky, matrix_determinant, matrix_inverse, matrix_solve
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape

__all__: list[str] = []


def _size(x: Any) -> Any:
    return ops.shape(x, out_type=int64)[-1]


def _column(x: Any, j: Any) -> Any:
    return ops.getitem(x, [j], spec=("...", "at"))


def _row(x: Any, j: Any) -> Any:
    return ops.getitem(x, [j], spec=("...", "at", (None, None, None)))


def _loop(count: Any, turn: Any, *state: Any) -> tuple[Any, ...]:
    """The state after turn(j, *state) for j = 0, 1, ... before count."""

    def body(j: Any, *state: Any) -> tuple[Any, ...]:
        made = turn(j, *state)
        for new, old in zip(made, state, strict=True):
            new.set_shape(old.shape)
        return (ops.add(j, constant(j, 1)), *made)

    return tuple(while_loop(lambda j, *state: ops.less(j, count), body, (ops.zeros_like(count), *state))[1:])


def _together(a: Any, b: Any) -> tuple[Any, Any]:
    """Matrices whose batches are broadcast to each other."""
    before = ops.shape(a)[:-2], ops.shape(b)[:-2]
    if a.shape.rank == 2 and b.shape.rank == 2:
        return a, b
    zeros = ops.add(ops.zeros(before[0], dtype=a.dtype), ops.zeros(before[1], dtype=a.dtype))
    rank = max(a.shape.rank, b.shape.rank)
    made = []
    for x in (a, b):
        wide = ops.broadcast_to(x, ops.concat([ops.shape(zeros), ops.shape(x)[-2:]], axis=0))
        made.append(ops.ensure_shape(wide, shape=TensorShape([None] * rank)))
    return made[0], made[1]


def _eliminated(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """By Gauss and Jordan with the largest pivot: the solution, the product of the signs of the pivots and row swaps,
    and the sum of the logarithms of their sizes."""
    count = _size(a)
    rows = counted(count)
    both = ops.concat([a, b], axis=-1)
    both.set_shape([None] * a.shape.rank)
    sign = ops.ones_like(ops.reduce_sum(a, axis=(-2, -1)))

    def turn(j: Any, both: Any, sign: Any, log: Any) -> tuple[Any, Any, Any]:
        column = _column(both, j)
        sizes = ops.where(ops.greater_equal(rows, j), ops.abs(column), constant(column, -1))
        best = ops.expand_dims(ops.argmax(sizes, axis=a.shape.rank - 2), axis=-1)
        order = ops.where(ops.equal(rows, j), best, ops.where(ops.equal(rows, best), j, rows))
        places = ops.broadcast_to(ops.expand_dims(order, axis=-1), ops.shape(both))
        both = ops.take_along_axis(both, places, axis=-2)
        row, column = _row(both, j), _column(both, j)
        pivot = _column(row, j)
        swapped = ops.where(ops.equal(ops.squeeze(best, axis=-1), j), constant(sign, 1), constant(sign, -1))
        sign = ops.multiply(sign, ops.multiply(swapped, ops.sign(pivot)))
        log = ops.add(log, ops.log(ops.abs(pivot)))
        row = ops.expand_dims(ops.divide(row, ops.expand_dims(pivot, axis=-1)), axis=-2)
        here = ops.expand_dims(ops.equal(rows, j), axis=-1)
        rest = ops.subtract(both, ops.multiply(ops.expand_dims(column, axis=-1), row))
        return ops.where(here, row, rest), sign, log

    both, sign, log = _loop(count, turn, both, sign, ops.zeros_like(sign))
    return ops.getitem(both, [count], spec=("...", ("at", None, None))), sign, log


@expands(matrix_solve)
def _(matrix: Any, rhs: Any) -> Any:
    if matrix.shape.rank is None or rhs.shape.rank is None:
        return NotImplemented
    return _eliminated(*_together(matrix, rhs))[0]


@expands(matrix_inverse)
def _(matrix: Any) -> Any:
    if matrix.shape.rank is None:
        return NotImplemented
    count = _size(matrix)
    unit = ops.eye(count, count, dtype=matrix.dtype)
    return _eliminated(*_together(matrix, unit))[0]


def _without(x: Any) -> Any:
    """No right sides."""
    return x[..., :0]


@expands(slogdet)
def _(input: Any) -> Any:
    if input.shape.rank is None:
        return NotImplemented
    _, sign, log = _eliminated(input, _without(input))
    singular = ops.logical_or(ops.is_nan(log), ops.equal(sign, constant(sign, 0)))
    singular = ops.logical_or(singular, ops.is_nan(sign))
    return ops.where(singular, constant(sign, 0), sign), ops.where(singular, constant(log, float("-inf")), log)


@expands(matrix_determinant)
def _(input: Any) -> Any:
    if input.shape.rank is None:
        return NotImplemented
    sign, log = ops.slogdet(input)
    return ops.multiply(sign, ops.exp(log))


@expands(cholesky)
def _(input: Any) -> Any:
    if input.shape.rank is None:
        return NotImplemented
    count = _size(input)
    rows = counted(count)

    def turn(j: Any, made: Any) -> tuple[Any]:
        known = ops.matmul(made, ops.expand_dims(_row(made, j), axis=-1))
        rest = ops.subtract(_column(input, j), ops.squeeze(known, axis=-1))
        root = ops.expand_dims(ops.sqrt(_column(rest, j)), axis=-1)
        column = ops.where(ops.greater_equal(rows, j), ops.divide(rest, root), constant(rest, 0))
        return (ops.where(ops.equal(rows, j), ops.expand_dims(column, axis=-1), made),)

    return _loop(count, turn, ops.zeros_like(input))[0]


@expands(triangular_solve)
def _(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    if matrix.shape.rank is None or rhs.shape.rank is None:
        return NotImplemented
    if adjoint:
        rank = matrix.shape.rank
        matrix, lower = ops.transpose(matrix, perm=(*range(rank - 2), rank - 1, rank - 2)), not lower
    matrix, rhs = _together(matrix, rhs)
    count = _size(matrix)
    rows = counted(count)

    def turn(step: Any, made: Any) -> tuple[Any]:
        j = step if lower else ops.subtract(ops.subtract(count, step), constant(step, 1))
        row = _row(matrix, j)
        others = ops.where(ops.equal(rows, j), constant(row, 0), row)
        inner = ops.less(rows, j) if lower else ops.greater(rows, j)
        others = ops.where(inner, others, constant(row, 0))
        known = ops.matmul(ops.expand_dims(others, axis=-2), made)
        rest = ops.subtract(ops.expand_dims(_row(rhs, j), axis=-2), known)
        pivot = ops.expand_dims(ops.expand_dims(_column(row, j), axis=-1), axis=-1)
        here = ops.expand_dims(ops.equal(rows, j), axis=-1)
        return (ops.where(here, ops.divide(rest, pivot), made),)

    return _loop(count, turn, ops.zeros_like(rhs))[0]
