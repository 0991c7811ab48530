"""Writes to parts of Variables: the whole is read, changed and assigned."""

from __future__ import annotations

from typing import Any, Final

from runtime.exits.rules import expands
from runtime.ops.arrays.scatter import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.flow.state import scatter_nd_variable, scatter_variable, setitem_variable
from runtime.ops.records.gradients import ops

__all__: list[str] = []

CHANGES: Final = {
    "update": tensor_scatter_nd_update, "add": tensor_scatter_nd_add, "sub": tensor_scatter_nd_sub,
    "min": tensor_scatter_nd_min, "max": tensor_scatter_nd_max,
}  # fmt: skip
"""What the words in `runtime.ops.flow.state.SCATTERS` are for tensors, where there is such an operation."""


def _scattered(resource: Any, indices: Any, values: Any, shape: Any, how: str) -> Any:
    if how not in CHANGES:
        return NotImplemented
    before = ops.read_variable(resource, dtype=values.dtype, shape=shape)
    ops.assign_variable(resource, CHANGES[how](before, indices, values), shape=shape)
    return ()


@expands(scatter_nd_variable)
def _(resource: Any, indices: Any, values: Any, shape: Any, how: str) -> Any:
    return _scattered(resource, indices, values, shape, how)


@expands(scatter_variable)
def _(resource: Any, indices: Any, values: Any, shape: Any, how: str) -> Any:
    before = ops.read_variable(resource, dtype=values.dtype, shape=shape)
    wanted = ops.concat([ops.shape(indices), ops.shape(before)[1:]], axis=0)
    return _scattered(resource, ops.expand_dims(indices, axis=-1), ops.broadcast_to(values, wanted), shape, how)


@expands(setitem_variable)
def _(resource: Any, value: Any, indices: Any, shape: Any, spec: Any) -> Any:
    before = ops.read_variable(resource, dtype=value.dtype, shape=shape)
    ops.assign_variable(resource, ops.setitem(before, value, indices, spec=spec), shape=shape)
    return ()

