"""What the way back of a gradient starts with: the gradients of the targets, as given, or ones.

    upstreams_of(None, (y, z))      # [None, None]
    upstream_of(y, None)            # ones, of the shape of y
"""

from __future__ import annotations

from typing import Any

from runtime import structures as nest
from runtime.autodiff.parts import parts_of
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["upstream_of", "upstreams_of"]


def upstreams_of(output_gradients: Any, target: Any) -> list[Any]:
    """The output gradients, one (or None) for each target."""
    count = len(parts_of(target))
    if output_gradients is None:
        return [None] * count
    if not nest.is_nested(target) and not (nest.is_nested(output_gradients) and len(output_gradients) == 1):
        return [output_gradients]
    given = parts_of(output_gradients)
    if len(given) != count:
        raise ValueError(f"gradient: {count} targets, and {len(given)} output_gradients; give one for each")
    return given


def upstream_of(target: Any, given: Any) -> Any:
    """The gradient that a sweep starts with: what was given, if it fits, or ones."""
    if given is None:
        return ops.ones_like(target)
    tensor = convert_to_tensor(given, target.dtype)
    if not tensor.shape.is_compatible_with(target.shape):
        raise ShapeMismatchError(
            f"gradient: the output gradient has the shape {tensor.shape}, its target {target.shape}: they must be equal"
        )
    return tensor
