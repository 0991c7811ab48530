"""Jacobians: the gradients of each element of a target, by one sweep for all of them, or by a sweep for each.

    tape.jacobian(y, x)              # of shape y.shape + x.shape
    tape.batch_jacobian(y, x)        # of shape [batch] + y.shape[1:] + x.shape[1:]

See rows.py: whichever it is, the size of a graph does not grow with the target's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.autodiff.rows import rows
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["batch_jacobian", "jacobian"]

Pull = Callable[[Any], Sequence[Any]]
"""From an upstream of the target's shape to the gradients of the sources."""


def jacobian(target: Any, sources: Sequence[Any], pull: Pull, at_once: bool) -> list[Any]:
    """For each source the gradients of all elements of the target by it, None if it is not connected."""
    shape = ops.shape(target)
    count = ops.size(target)
    one, zero = ops.ones([], dtype=target.dtype), ops.zeros([], dtype=target.dtype)
    connected = [g is not None for g in pull(ops.zeros_like(target))]

    def row(i: Any) -> list[Any]:
        upstream = ops.reshape(ops.one_hot(i, count, one, zero), shape)
        return [g for g, known in zip(pull(upstream), connected, strict=True) if known]

    live = [convert_to_tensor(s) for s, known in zip(sources, connected, strict=True) if known]
    made = iter(rows(row, count, live, at_once))
    found: list[Any] = []
    for source, known in zip(sources, connected, strict=True):
        if not known:
            found.append(None)
            continue
        stacked = next(made)
        whole = ops.reshape(stacked, ops.concat([shape, ops.shape(stacked)[1:]], axis=0))
        if hasattr(whole, "op"):
            whole.set_shape(target.shape.concatenate(source.shape))
        found.append(whole)
    return found


def batch_jacobian(target: Any, source: Any, pull: Pull, at_once: bool) -> Any:
    """The gradients of each example's target by the same example's source: their first axes count the examples.

    Raises ValueError for targets and sources without, or with different, first axes.
    """
    if target.shape.rank == 0 or source.shape.rank == 0 or not target.shape[:1].is_compatible_with(source.shape[:1]):
        raise ValueError(
            f"batch_jacobian: the first axes of target {target.shape} and source {source.shape} count the examples, and"
            " must be equal"
        )
    shape = ops.shape(target)
    count, each = shape[0], ops.reduce_prod(shape[1:])
    one, zero = ops.ones([], dtype=target.dtype), ops.zeros([], dtype=target.dtype)
    if pull(ops.zeros_like(target))[0] is None:
        return None

    def row(i: Any) -> list[Any]:  # the same element of all examples at once: no example depends on another one
        upstream = ops.broadcast_to(ops.expand_dims(ops.one_hot(i, each, one, zero), axis=0), ops.stack([count, each]))
        return list(pull(ops.reshape(upstream, shape)))

    (stacked,) = rows(row, each, [source], at_once)
    rank = stacked.shape.rank
    if rank is None:
        raise ValueError("batch_jacobian: the rank of the source must be known")
    swapped = ops.transpose(stacked, perm=(1, 0, *range(2, rank)))
    whole = ops.reshape(swapped, ops.concat([shape, ops.shape(source)[1:]], axis=0))
    if hasattr(whole, "op"):
        whole.set_shape(target.shape.concatenate(source.shape[1:]))
    return whole
