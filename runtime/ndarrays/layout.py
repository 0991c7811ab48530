"""How the elements of traced arrays lie in memory: arrays of one byte an element, of which only the strides are used.

    laid_out((2, 3), (1, 2))             as np.asfortranarray(np.zeros((2, 3), bool))
    result_layout([a.T, b])              numpy keeps the order of the operands in the results of ufuncs

Where numpy copies and where it gives a view depends on them. Memory that is never touched takes no room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime.context import current_recorder

__all__ = [
    "asked_layout", "bits_of", "known_layout", "laid_out", "layout_of", "memory_of", "memory_order", "needs_shape",
    "owner_of", "result_layout", "same_bits",
]  # fmt: skip


def laid_out(shape: Sequence[int], strides: Sequence[int]) -> Any:
    """An array with these strides, in elements."""
    steps = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    if 0 in shape:
        return np.zeros(tuple(shape), np.bool_)
    first = -sum(step for step in steps if step < 0)
    memory = np.zeros(first + 1 + sum(step for step in steps if step > 0), np.bool_)
    return np.ndarray(tuple(shape), np.bool_, memory, first, tuple(strides))


def result_layout(operands: Iterable[Any]) -> Any:
    """The layout of what a ufunc makes of these; None where it is the usual one, or nobody knows."""
    layouts = [getattr(operand, "layout", operand) for operand in operands]
    arrays = [layout for layout in layouts if isinstance(layout, np.ndarray)]
    if all(array.flags.c_contiguous for array in arrays):
        return None
    stand_ins = [array if array.itemsize == 1 else layout_of(array) for array in arrays]
    kinds = [np.dtype(np.bool_)] * (len(stand_ins) + 1)
    flags = [["readonly"]] * len(stand_ins) + [["writeonly", "allocate"]]
    try:
        views = [array.view(np.bool_) for array in stand_ins]
        return np.nditer([*views, None], ["refs_ok", "zerosize_ok"], flags, kinds).operands[-1]  # type: ignore[arg-type]
    except ValueError:  # operands that are not broadcast together: the function says so itself
        return None


def layout_of(array: Any) -> Any:
    """The layout of an ndarray."""
    return laid_out(array.shape, [stride // array.itemsize for stride in array.strides])


def asked_layout(array: Any) -> Any:
    """The layout of a traced array, for what is another program where the elements lie in another way: what is a view
    and what a copy."""
    if (recorder := current_recorder()) is not None:
        recorder.recording.tracing.writes.asks_layout = True
    return array.layout


def memory_order(layout: Any) -> tuple[int, ...]:
    """The axes as they lie in memory, the one with the longest stride first."""
    return tuple(sorted(range(layout.ndim), key=lambda axis: -abs(layout.strides[axis])))


def known_layout(array: Any, name: str) -> Any:
    """The layout of a traced array. Raises StagingError where nobody knows it."""
    layout = asked_layout(array)
    if layout is None:
        raise needs_shape(name)
    return layout


def needs_shape(name: str) -> StagingError:
    """For what is not to be done without the shape. name: the function of numpy that asks for it."""
    return StagingError(
        f"{name} needs to know the shape of the array while the function is traced: give it a copy in a shape of"
        " Python's numbers, a.reshape(3, 4).copy()"
    )


def bits_of(array: Any) -> Any:
    """The elements of an array of numbers as integers, large ones where that can be; nan is itself so."""
    flat = np.ascontiguousarray(array).reshape(-1)
    fits = flat.nbytes % 8 == 0 and (flat.itemsize in (1, 2, 4) or flat.itemsize % 8 == 0)
    return flat.view(np.uint64 if fits else np.uint8)


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arrays hold the very same: nan is itself, 0.0 is not -0.0, objects are compared by identity."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return bool(a.tobytes() == b.tobytes()) if a.dtype.hasobject else np.array_equal(bits_of(a), bits_of(b))


def owner_of(array: Any) -> Any:
    """The array that owns the memory of another one: itself, or that which it is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def memory_of(owner: Any) -> Any:
    """All of the memory of an array that owns it, as an array in C order; in another order where there are gaps."""
    return owner if owner.flags.c_contiguous else owner.transpose(memory_order(owner))
