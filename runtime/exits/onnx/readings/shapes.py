"""Nodes that move elements, and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import float32, int64
from runtime.exits.onnx.reading import NodeView, Unreadable, known, reads
from runtime.ops.records.gradients import ops

__all__: list[str] = []


@reads("Constant")
def _(node: NodeView) -> Any:
    value = node.get("value")
    if value is None:
        for name, dtype in (("value_float", np.float32), ("value_int", np.int64), ("value_floats", np.float32),
                            ("value_ints", np.int64)):  # fmt: skip
            if node.get(name) is not None:
                value = np.asarray(node.get(name), dtype)
    if value is None:
        raise Unreadable("a constant without a value that is known")
    return ops.identity(value)


@reads("ConstantOfShape")
def _(node: NodeView, shape: Any) -> Any:
    value = node.get("value")
    if value is None:
        return ops.zeros(shape, dtype=float32)
    return ops.fill(shape, np.asarray(value).reshape(()))


@reads("Shape")
def _(node: NodeView, x: Any) -> Any:
    return ops.shape(x, out_type=int64)[node.get("start", 0) : node.get("end")]


@reads("Size")
def _(node: NodeView, x: Any) -> Any:
    return ops.size(x, out_type=int64)


@reads("Reshape")
def _(node: NodeView, x: Any, shape: Any) -> Any:
    """Zeros stand for the size that is there, unless `allowzero` is set."""
    if not node.get("allowzero") and (getattr(shape, "value", None) is None or 0 in known(shape, "the shape")):
        before = ops.shape(x, out_type=int64)
        count, rank = shape.shape[0], x.shape.rank
        if count is None or rank is None:
            raise Unreadable("a shape of which nothing is known, without allowzero")
        wide = before[:count] if rank >= count else ops.pad(before, [[0, count - rank]], np.int64(0))
        shape = ops.where(ops.equal(shape, np.int64(0)), wide, shape)
    return ops.reshape(x, shape)


@reads("Transpose")
def _(node: NodeView, x: Any) -> Any:
    perm = node.get("perm")
    return ops.transpose(x, perm=None if perm is None else tuple(perm))


def _axes(tensor: Any) -> list[int]:
    return [int(a) for a in known(tensor, "the axes").reshape(-1)]


@reads("Unsqueeze")
def _(node: NodeView, x: Any, axes: Any) -> Any:
    places = _axes(axes)
    if x.shape.rank is None:
        raise Unreadable("the number of dimensions is not known")
    rank = x.shape.rank + len(places)
    for axis in sorted(a % rank for a in places):
        x = ops.expand_dims(x, axis=axis)
    return x


@reads("Squeeze")
def _(node: NodeView, x: Any, axes: Any = None) -> Any:
    return ops.squeeze(x, axis=None if axes is None else tuple(_axes(axes)))


@reads("Concat")
def _(node: NodeView, *parts: Any) -> Any:
    return ops.concat(list(parts), axis=node.get("axis"))


@reads("Split")
def _(node: NodeView, x: Any, sizes: Any = None) -> Any:
    axis = node.get("axis", 0)
    if sizes is None:
        return tuple(ops.split(x, num_or_size_splits=node.outputs, axis=axis))
    return tuple(ops.split(x, num_or_size_splits=tuple(int(n) for n in known(sizes, "the sizes")), axis=axis))


@reads("Expand")
def _(node: NodeView, x: Any, shape: Any) -> Any:
    """In both directions."""
    return ops.where(ops.fill(shape, True), x, x)


@reads("Tile")
def _(node: NodeView, x: Any, repeats: Any) -> Any:
    return ops.tile(x, repeats)


@reads("Pad")
def _(node: NodeView, x: Any, pads: Any, value: Any = None, axes: Any = None) -> Any:
    rank = x.shape.rank
    if rank is None:
        raise Unreadable("the number of dimensions is not known")
    if axes is not None:
        places = [a % rank for a in _axes(axes)]
        given = known(pads, "the pads").reshape(2, -1)
        full = np.zeros((2, rank), np.int64)
        full[:, places] = given
        pads = ops.identity(full.reshape(-1))
    amounts = ops.transpose(ops.reshape(pads, [2, rank]))
    mode = node.get("mode", "constant")
    if mode not in ("constant", "reflect"):
        raise Unreadable(f"the mode {mode!r}")
    filled = np.zeros((), x.dtype.numpy) if value is None else value
    return ops.pad(x, amounts, filled, mode=mode.upper())


@reads("Slice")
def _(node: NodeView, x: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Any:
    rank = x.shape.rank
    count = starts.shape[0]
    if rank is None or count is None:
        raise Unreadable("the number of dimensions is not known")
    places = range(count) if axes is None else [a % rank for a in _axes(axes)]
    strides = [1] * count if steps is None else [int(s) for s in known(steps, "the steps")]
    spec: list[Any] = [(None, None, None)] * rank
    operands: list[Any] = []
    for i, axis in enumerate(places):
        ends_of: list[Any] = []
        for bounds in (starts, ends):
            value = getattr(bounds, "value", None)
            ends_of.append("at" if value is None else int(np.asarray(value)[i]))
            operands += [bounds[i]] if value is None else []
        spec[axis] = (*ends_of, strides[i])
    return ops.getitem(x, operands, spec=tuple(spec))
