"""Nodes that reduce axes, windows, and running sums."""

from __future__ import annotations

from typing import Any

from runtime.exits.onnx.reading import NodeView, Unreadable, known, reads
from runtime.ops.records.gradients import ops

__all__: list[str] = []

_REDUCTIONS = {
    "ReduceSum": ops.reduce_sum, "ReduceProd": ops.reduce_prod, "ReduceMean": ops.reduce_mean,
    "ReduceMax": ops.reduce_max, "ReduceMin": ops.reduce_min,
}  # fmt: skip


@reads(*_REDUCTIONS)
def _(node: NodeView, x: Any, axes: Any = None) -> Any:
    keeps = bool(node.get("keepdims", 1))
    given = node.get("axes") if axes is None else [int(a) for a in known(axes, "the axes").reshape(-1)]
    if not given:
        if given is not None and node.get("noop_with_empty_axes"):
            return ops.identity(x)
        return _REDUCTIONS[node.type](x, axis=None, keepdims=keeps)
    return _REDUCTIONS[node.type](x, axis=tuple(given), keepdims=keeps)


@reads("CumSum")
def _(node: NodeView, x: Any, axis: Any) -> Any:
    place = int(known(axis, "the axis").reshape(()))
    return ops.cumsum(x, axis=place, exclusive=bool(node.get("exclusive")), reverse=bool(node.get("reverse")))


def _last(x: Any) -> Any:
    rank = x.shape.rank
    return ops.transpose(x, perm=(0, *range(2, rank), 1))


def _second(x: Any) -> Any:
    rank = x.shape.rank
    return ops.transpose(x, perm=(0, rank - 1, *range(1, rank - 1)))


def _padding(node: NodeView, count: int) -> Any:
    auto = node.get("auto_pad", "NOTSET")
    if auto in ("SAME_UPPER", "VALID"):
        return "SAME" if auto == "SAME_UPPER" else "VALID"
    if auto != "NOTSET" or node.get("ceil_mode"):
        raise Unreadable(f"the padding {auto!r}, or windows that go over the end")
    pads = node.get("pads", [0] * 2 * count)
    return tuple(zip(pads[:count], pads[count:], strict=True))


@reads("Conv")
def _(node: NodeView, x: Any, w: Any, bias: Any = None) -> Any:
    if x.shape.rank is None or w.shape.rank is None:
        raise Unreadable("the number of dimensions is not known")
    count = x.shape.rank - 2
    ones = [1] * count
    filters = ops.transpose(w, perm=(*range(2, count + 2), 1, 0))
    made = ops.convolution(
        _last(x), filters, strides=tuple(node.get("strides", ones)), padding=_padding(node, count),
        dilations=tuple(node.get("dilations", ones)),
    )  # fmt: skip
    return _second(made if bias is None else ops.add(made, bias))


@reads("MaxPool", "AveragePool")
def _(node: NodeView, x: Any) -> Any:
    if x.shape.rank is None or node.outputs != 1:
        raise Unreadable("the number of dimensions is not known, or places are asked for")
    count = x.shape.rank - 2
    padding = _padding(node, count)
    if set(node.get("dilations", [1])) != {1} or (node.get("count_include_pad") and padding != "VALID"):
        raise Unreadable("windows with gaps, or padding that counts")
    pool = ops.max_pool if node.type == "MaxPool" else ops.avg_pool
    window = {"ksize": tuple(node.get("kernel_shape")), "strides": tuple(node.get("strides", [1] * count))}
    return _second(pool(_last(x), **window, padding=padding))
