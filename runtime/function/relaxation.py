"""`reduce_retracing`: a trace that leaves open which dims differ from those of the traces that there are.

calls with shapes [2, 3], then [4, 3]      ->  the second trace is for [None, 3], and serves [5, 3] too
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime import nest
from runtime.function.trace_types import VARIABLES, Key, TensorKey, is_input
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec

__all__ = ["relaxed"]


def relaxed(arguments: dict[str, Any], key: Key, alike: Sequence[tuple[TensorKey, ...]]) -> dict[str, Any]:
    """The arguments, whose key is given, with specs in the place of tensors. `alike`: the tensors of similar traces."""
    if not alike:
        return arguments
    shapes = [TensorShape(dims) for _, dims in key[1]]
    for specs in alike:
        shapes = [shape.relax_with(TensorShape(dims)) for shape, (_, dims) in zip(shapes, specs, strict=True)]
    open_specs = (TensorSpec(shape, dtype) for shape, (dtype, _) in zip(shapes, key[1], strict=True))
    return {
        name: nest.map_structure(lambda leaf: _opened(leaf, open_specs) if is_input(leaf) else leaf, value)
        for name, value in arguments.items()
    }


def _opened(leaf: Any, specs: Iterator[TensorSpec]) -> Any:
    """Variables keep their shape."""
    spec = next(specs)
    return leaf if isinstance(leaf, VARIABLES) else spec
