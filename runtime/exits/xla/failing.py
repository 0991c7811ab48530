"""What fails, for values that are known when a program runs: kernels raise there, and XLA goes on with some number.

Each rule is a bool, or an array of them. Whether shapes fit is known before; these rules look at elements alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from runtime.exits.rules import arguments_of
from runtime.exits.xla.library import jax, jnp
from runtime.exits.xla.rules import RULES, fails, is_known
from runtime.exits.xla.values import Row
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.graph.own_numbers import is_of_numbers, is_shift
from runtime.ops.elementwise.arithmetic import abs_, pow_
from runtime.ops.elementwise.bitwise import left_shift
from runtime.ops.kernels.index_spec import filled
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.reduce import count_of

__all__ = ["python_failures"]

SURE: Final = 1 - 1e-6
"""Estimates in floats have errors: what is nearer to the limits than that counts as outside, and is computed again."""


def python_failures(operation: Operation, given: Sequence[Any]) -> Iterator[Any]:
    """What fails because the numbers are Python's own (runtime.graph.own_numbers, .overflow)."""
    if is_shift(operation):
        yield jnp.asarray(given[1]) < 0
    if is_of_numbers(operation):
        kind = operation.outputs[0].dtype.numpy
        if operation.op is abs_:
            yield jnp.logical_not(jnp.isfinite(jnp.abs(jnp.asarray(given[0]))))
            return
        base, other = (jnp.asarray(value, kind) for value in given)
        if operation.op is pow_:
            yield jnp.logical_not(jnp.isfinite(jnp.power(base, other)))
            if kind.kind == "f":
                yield (base < 0) & (other != jnp.floor(other))
        else:
            yield other == 0
    if may_leave(operation):
        limits = np.iinfo(operation.outputs[0].dtype.numpy)
        estimate = _estimate(operation, [jnp.asarray(value, np.float64) for value in given])
        yield jnp.logical_not((estimate > limits.min * SURE) & (estimate < limits.max * SURE))


def _estimate(operation: Operation, floats: list[Any]) -> Any:
    """What an operation on integers would give without limits, nearly."""
    if operation.op is left_shift:
        return floats[0] * jnp.exp2(floats[1])
    rule = RULES[operation.op]
    return rule(**arguments_of(rule, operation, floats))


def outside(positions: Any, size: Any) -> Any:
    """Which positions are not below a size, or negative."""
    return (positions < 0) | (positions >= size)


# -- elements ---------------------------------------------------------------------------------------------------------


@fails(ops.floordiv, ops.floormod, ops.fmod)
def _(y: Any) -> Any:
    return (y == 0) & np.issubdtype(y.dtype, np.integer)


@fails(ops.pow)
def _(y: Any) -> Any:
    return (y < 0) & np.issubdtype(y.dtype, np.signedinteger)


@fails(ops.left_shift, ops.right_shift)
def _(y: Any) -> Any:
    return outside(y, 8 * y.dtype.itemsize)


@fails(ops.cast)
def _(x: Any, operation: Operation) -> Any:
    result = jnp.asarray(x).astype(operation.outputs[0].dtype.numpy)
    if operation.outputs[0].dtype.is_floating:
        return jnp.isfinite(x) & jnp.logical_not(jnp.isfinite(result))
    return result.astype(x.dtype) != x


@fails(ops.in_domain)
def _(result: Any, given: Any) -> Any:
    wrong = jnp.any(jnp.isnan(result)) & jnp.logical_not(_any(jnp.any(jnp.isnan(x)) for x in given))
    return wrong | (jnp.any(jnp.isinf(result)) & jnp.logical_not(_any(jnp.any(~jnp.isfinite(x)) for x in given)))


def _any(parts: Iterator[Any]) -> Any:
    found: Any = np.asarray(False)
    for part in parts:
        found = jnp.logical_or(found, part)
    return found


def _not_whole(first: Any, *_: Any) -> Any:
    return jnp.logical_not(jnp.abs(first.astype(np.float64)) < 2.0**62)


def _not_small(first: Any, *others: Any) -> Any:
    return _any(iter([outside(value, 1 << 20) for value in (first, *others)])) | (first > 60)


_CALLS: Final[dict[str, Any]] = {
    "floor": _not_whole, "ceil": _not_whole, "trunc": _not_whole, "round": _not_whole,
    "factorial": lambda n: outside(n, 21), "isqrt": lambda n: n < 0,
    "perm": _not_small, "comb": _not_small, "lcm": _not_small,
}  # fmt: skip


@fails(ops.integer_call)
def _(values: Any, call: str) -> Any:
    """What is not a number of 64 bits, or may be none; the kernel knows more exactly."""
    return _CALLS[call](*map(jnp.asarray, values)) if call in _CALLS else np.asarray(False)


@fails(ops.check)
def _(condition: Any) -> Any:
    return jnp.logical_not(condition)


@fails(ops.check_finite)
def _(x: Any) -> Any:
    return jnp.logical_not(jnp.isfinite(x))


@fails(getattr(ops, "raise"))
def _() -> Any:
    return np.asarray(True)


# -- positions --------------------------------------------------------------------------------------------------------


@fails(ops.gather)
def _(params: Any, indices: Any, axis: int | None) -> Any:
    return outside(indices, params.shape[axis or 0])


@fails(ops.take_along_axis, ops.add_along_axis)
def _(x: Any, positions: Any, axis: int) -> Any:
    return (positions < -x.shape[axis]) | (positions >= x.shape[axis])


@fails(ops.getitem, ops.setitem, ops.add_item)
def _(x: Any, indices: Any, spec: Any) -> Any:
    return wrong_places(x.shape, indices, spec)


def wrong_places(shape: Sequence[int], indices: Sequence[Any], spec: Any) -> Any:
    """Whether an index is outside of a shape. Whether a known one fits is known."""
    found: Any = np.asarray(False)
    entries = filled(spec, indices)
    used = sum(_width(entry) for entry in entries if entry is not None and not isinstance(entry, str))
    axis = 0
    for entry in entries:
        if isinstance(entry, str):
            axis += len(shape) - used
        elif entry is not None:
            if not isinstance(entry, int | tuple) and entry.dtype != np.bool_:
                found = jnp.logical_or(found, jnp.any((entry < -shape[axis]) | (entry >= shape[axis])))
            elif isinstance(entry, int):
                found = found | (not -shape[axis] <= entry < shape[axis])
            axis += _width(entry)
    return found


def _width(entry: Any) -> int:
    return entry.ndim if hasattr(entry, "dtype") and entry.dtype == np.bool_ else 1


@fails(ops.gather_nd)
def _(params: Any, indices: Any, batch_dims: int) -> Any:
    return outside(indices, np.array(params.shape[batch_dims : batch_dims + indices.shape[-1]], indices.dtype))


@fails(ops.tensor_scatter_nd_update, ops.tensor_scatter_nd_add, ops.tensor_scatter_nd_sub,
       ops.tensor_scatter_nd_max, ops.tensor_scatter_nd_min)
def _(tensor: Any, indices: Any) -> Any:
    return outside(indices, np.array(tensor.shape[: indices.shape[-1]], indices.dtype))


@fails(ops.scatter_nd)
def _(indices: Any, shape: Any) -> Any:
    return outside(indices, jnp.asarray(shape)[: indices.shape[-1]]) if is_known(shape) else True


@fails(ops.unsorted_segment_sum, ops.unsorted_segment_prod, ops.unsorted_segment_mean, ops.unsorted_segment_sqrt_n,
       ops.unsorted_segment_max, ops.unsorted_segment_min)
def _(segment_ids: Any, num_segments: Any) -> Any:
    return segment_ids >= num_segments


@fails(ops.count_values)
def _(arr: Any) -> Any:
    return arr < 0


@fails(ops.sparse_softmax_cross_entropy_with_logits, ops.sparse_softmax_errors)
def _(labels: Any, logits: Any) -> Any:
    return outside(labels, logits.shape[-1])


@fails(ops.scatter_variable)
def _(indices: Any, operation: Operation) -> Any:
    return outside(indices, np.array(_sizes(operation)[0], indices.dtype))


@fails(ops.scatter_nd_variable)
def _(indices: Any, operation: Operation) -> Any:
    return outside(indices, np.array(_sizes(operation)[: indices.shape[-1]], indices.dtype))


@fails(ops.setitem_variable)
def _(indices: Any, spec: Any, operation: Operation) -> Any:
    return wrong_places(_sizes(operation), indices, spec)


def _sizes(operation: Operation) -> tuple[int, ...]:
    shape = operation.attributes["shape"]
    return tuple(shape.as_tuple()) if shape.is_fully_defined() else (0,) * 32


# -- matrices ---------------------------------------------------------------------------------------------------------


@fails(ops.matrix_inverse)
def _(matrix: Any) -> Any:
    return jnp.any(jnp.linalg.det(matrix) == 0) | jnp.any(~jnp.isfinite(jnp.linalg.inv(matrix)))


@fails(ops.matrix_solve)
def _(matrix: Any) -> Any:
    return jnp.any(jnp.linalg.det(matrix) == 0) | jnp.any(~jnp.isfinite(jnp.linalg.inv(matrix)))


@fails(ops.cholesky)
def _(input: Any) -> Any:
    return jnp.isnan(jax.lax.linalg.cholesky(input, symmetrize_input=False))


@fails(ops.eigh, ops.eigvalsh, ops.svd, ops.svdvals)
def _(tensor: Any) -> Any:
    return jnp.logical_not(jnp.isfinite(tensor))


@fails(ops.pseudo_inverse)
def _(matrix: Any) -> Any:
    return jnp.logical_not(jnp.isfinite(matrix))


@fails(ops.triangular_solve)
def _(matrix: Any) -> Any:
    return jnp.diagonal(matrix, 0, -2, -1) == 0


# -- lists ------------------------------------------------------------------------------------------------------------


@fails(ops.list_get, ops.list_pop, ops.list_set)
def _(handle: Row, index: Any) -> Any:
    size = handle.length.value()
    return (index < -size) | (index >= size)


@fails(ops.array_read)
def _(handle: Row, index: Any) -> Any:
    return outside(index, handle.length.value())


@fails(ops.array_write)
def _(handle: Row, index: Any, dynamic_size: bool) -> Any:
    if not dynamic_size:
        return outside(index, handle.length.value())
    return jnp.asarray(index) < 0 if is_known(index) else outside(index, handle.bound + 1)


@fails(ops.array_gather)
def _(handle: Row, positions: Any) -> Any:
    return outside(positions, handle.length.value())


@fails(ops.array_scatter)
def _(handle: Row, positions: Any, dynamic_size: bool) -> Any:
    return positions < 0 if dynamic_size else outside(positions, handle.length.value())


@fails(ops.list_add)
def _(handle: Row, index: Any) -> Any:
    return np.asarray(False) if is_known(index) else jnp.asarray(index) > handle.bound


@fails(ops.list_add_rows)
def _(handle: Row, positions: Any) -> Any:
    known_before = is_known(positions)
    return np.asarray(False) if known_before else jnp.asarray(positions) >= handle.bound + positions.shape[0]


@fails(ops.array_split)
def _(handle: Row, lengths: Any, dynamic_size: bool) -> Any:
    return np.asarray(False) if dynamic_size else lengths.shape[0] > handle.length.value()


@fails(ops.list_insert)
def _() -> Any:
    """A position outside counts as the begin or the end."""
    return np.asarray(False)


# -- nothing ----------------------------------------------------------------------------------------------------------


@fails(ops.argmax, ops.argmin)
def _(input: Any, axis: int | None) -> Any:
    return np.asarray(input.shape[axis or 0] == 0 and input.size == 0)


@fails(ops.reduce_mean)
def _(input_tensor: Any, axis: Any) -> Any:
    return np.asarray(np.issubdtype(input_tensor.dtype, np.integer) and not count_of(input_tensor, axis))
