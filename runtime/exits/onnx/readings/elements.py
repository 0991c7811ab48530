"""Nodes that read and write elements by position."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import int64
from runtime.exits.onnx.reading import NodeView, Unreadable, reads
from runtime.ops.records.gradients import ops

__all__: list[str] = []

COLON = (None, None, None)


@reads("Gather")
def _(node: NodeView, x: Any, indices: Any) -> Any:
    """Positions may count from the end."""
    if x.shape.rank is None or indices.shape.rank is None:
        raise Unreadable("the number of dimensions is not known")
    axis = node.get("axis", 0) % max(x.shape.rank, 1)
    return ops.getitem(x, [indices], spec=(*(COLON,) * axis, "array" if indices.shape.rank else "at"))


@reads("GatherElements")
def _(node: NodeView, x: Any, indices: Any) -> Any:
    return ops.take_along_axis(x, indices, axis=node.get("axis", 0))


@reads("GatherND")
def _(node: NodeView, x: Any, indices: Any) -> Any:
    return ops.gather_nd(x, indices, batch_dims=node.get("batch_dims", 0))


@reads("ScatterElements")
def _(node: NodeView, x: Any, indices: Any, updates: Any) -> Any:
    """Of a vector, or sums along an axis."""
    how = node.get("reduction", "none")
    if how == "add":
        return ops.add_along_axis(x, indices, updates, axis=node.get("axis", 0))
    change = {
        "none": ops.tensor_scatter_nd_update, "max": ops.tensor_scatter_nd_max, "min": ops.tensor_scatter_nd_min,
    }.get(how)  # fmt: skip
    if change is None or x.shape.rank != 1:
        raise Unreadable(f"the reduction {how!r} of more than a vector, or none that is known")
    places = ops.where(ops.less(indices, np.int64(0)), ops.add(indices, ops.size(x, out_type=int64)), indices)
    return change(x, ops.expand_dims(places, axis=-1), updates)


@reads("NonZero")
def _(node: NodeView, x: Any) -> Any:
    return ops.transpose(ops.argwhere(x))


@reads("Compress")
def _(node: NodeView, x: Any, mask: Any) -> Any:
    return ops.boolean_mask(x, mask, axis=node.get("axis", 0))


@reads("TopK")
def _(node: NodeView, x: Any, k: Any) -> Any:
    if x.shape.rank is None:
        raise Unreadable("the number of dimensions is not known")
    axis = node.get("axis", -1) % x.shape.rank
    order = ops.argsort(x, axis=axis, direction="DESCENDING" if node.get("largest", 1) else "ASCENDING")
    spec = (*(COLON,) * axis, (None, "at", None))
    places = ops.getitem(order, [ops.reshape(k, [])], spec=spec)
    return ops.take_along_axis(x, places, axis=axis), ops.cast(places, dtype=int64)


@reads("ArgMax", "ArgMin")
def _(node: NodeView, x: Any) -> Any:
    axis = node.get("axis", 0)
    found = (ops.argmax if node.type == "ArgMax" else ops.argmin)(x, axis=axis)
    return ops.expand_dims(found, axis=axis) if node.get("keepdims", 1) else found


@reads("Unique")
def _(node: NodeView, x: Any) -> Any:
    if not node.get("sorted", 1) or node.get("axis") is not None:
        raise Unreadable("different elements that are not in order, or rows of them")
    return tuple(ops.unique_sorted(x))[: node.outputs]
