"""Convolutions and poolings as nodes: channels go to the front and back again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import bool_, float32
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.kernels.windows import axes_of
from runtime.ops.networks.convolution import convolution
from runtime.ops.networks.pooling import avg_pool, max_pool
from runtime.tensor.symbolic import SymbolicTensor

__all__: list[str] = []


def _front(build: Build, value: Value, count: int) -> Value:
    return build.node("Transpose", value, perm=[0, count + 1, *range(1, count + 1)])


def _back(build: Build, value: Value, count: int) -> Value:
    return build.node("Transpose", value, perm=[0, *range(2, count + 2), 1])


def _padding(tensor: SymbolicTensor, kernel: Any, strides: Any, padding: Any, dilations: Any) -> dict[str, Any]:
    """The attributes of the node for a padding."""
    if padding == "VALID":
        return {}
    if not isinstance(padding, str):
        return {"pads": [*(a for a, _ in padding), *(b for _, b in padding)]}
    dims: Any = tensor.shape.dims
    if dims is None or None in dims[1:-1]:
        if any(d != 1 for d in dilations):
            raise Refused("its padding SAME depends on sizes that are not known, which no node takes with dilations")
        return {"auto_pad": "SAME_UPPER"}
    axes = axes_of(dims[1:-1], kernel, strides, dilations, padding)
    return {"pads": [*(a.before for a in axes), *(a.after for a in axes)]}


@lowers(convolution)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x, w), given = operands, operation.attributes
    count = rank_of(operation) - 2
    kernel, channels = operation.inputs[1].shape, operation.inputs[0].shape[-1]
    if kernel.dims is None or None in kernel.dims or channels is None:
        raise Refused("the number of its channels and the size of its filters have to be known")
    sizes = kernel.dims[:-2]
    padding = _padding(operation.inputs[0], sizes, given["strides"], given["padding"], given["dilations"])
    weights = build.node("Transpose", w, perm=[count + 1, count, *range(count)])
    made = build.node(
        "Conv", _front(build, x, count), weights, strides=list(given["strides"]), dilations=list(given["dilations"]),
        group=max(channels // kernel.dims[-2], 1), kernel_shape=list(sizes), **padding,
    )  # fmt: skip
    return _back(build, made, count)


@lowers(max_pool, avg_pool)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,), given = operands, operation.attributes
    kernel, strides, count = given["ksize"], given["strides"], rank_of(operation) - 2
    padding = _padding(operation.inputs[0], kernel, strides, given["padding"], (1,) * count)
    window = {"kernel_shape": list(kernel), "strides": list(strides), **padding}
    front = _front(build, x, count)
    if operation.op is avg_pool:
        return _back(build, build.node("AveragePool", front, **window, count_include_pad=0), count)
    made = build.node("MaxPool", front, **window)
    nan = build.node("MaxPool", build.cast(build.node("IsNaN", front, dtype=bool_), float32), **window)
    return _back(build, build.where(build.cast(nan, bool_), build.number(x, np.nan), made), count)
