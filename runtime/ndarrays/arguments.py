"""ndarrays as arguments of Functions: what of them a trace depends on, and how what was written reaches the caller.

    mark = mark_of(a)                  # part of the key of a trace: whether it may be written to, how it is laid out
    write_back([a], [made])            # after a run: `a` holds what the run left in it

A run writes to none of the arrays of the caller; what it has written is copied into them when all of it is over: a run
that raises leaves them as they were. (numpy keeps what was written before the exception.) Where there are other
threads, they may write to the same arrays meanwhile, as to other rows of one result: elements that the run leaves as it
has found them are theirs.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.ndarrays.buffer import READ_ONLY
from runtime.ops.records.record import Array
from runtime.tensor.array_classes import holds_numbers, plain_class
from runtime.tensor.literals import to_array
from runtime.tensor.spec import TensorSpec

__all__ = ["ArraySpec", "Mark", "Seen", "as_array_of", "as_found", "is_memory", "mark_of", "write_back"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a trace depends on besides dtype and shape. strides: None where the elements lie one after the other.
    refusal: why nothing may be written to it, if nothing may. kind: what it is in Python, if no ndarray
    (`runtime.ndarrays.guests`)."""

    strides: tuple[int, ...] | None = None
    refusal: str = ""
    kind: str = ""

    def __repr__(self) -> str:
        return "ARRAY"


_USUAL: Final = Mark()


def is_memory(value: Any) -> bool:
    """Whether it is an ndarray of numbers or bools: memory that the function may write to."""
    return isinstance(value, ArraySpec) or (isinstance(value, np.ndarray) and holds_numbers(value))


def mark_of(array: Any) -> Mark:
    """The mark of an ndarray, or of what stands for one."""
    if isinstance(array, ArraySpec):
        return array.mark
    flags = array.flags
    is_seen = type(array) is Seen
    if flags.c_contiguous and flags.writeable and not is_seen:
        return _USUAL
    refusal = array.refusal if type(array) in (_Cast, Seen) else "" if flags.writeable else READ_ONLY
    return Mark(None if flags.c_contiguous else array.strides, refusal, array.kind if is_seen else "")


@plain_class
class _Cast(np.ndarray[Any, Any]):
    """A copy in another dtype of an array of the caller, which a write would not reach."""

    refusal = READ_ONLY


@plain_class
class Seen(np.ndarray[Any, Any]):
    """The elements of an array of another library, or of a buffer of Python, in their own memory or in a copy."""

    kind = ""
    refusal = ""

    @classmethod
    def of(cls, array: Any, kind: str, refusal: str) -> Seen:
        """refusal: why nothing may be written to it, if nothing may. kind: as that of a `Mark`."""
        made = array.view(cls)
        made.kind, made.refusal = kind, refusal
        if refusal:
            made.flags.writeable = False
        return made


def as_array_of(array: Any, dtype: DType) -> Any:
    """An ndarray that is an argument, or a copy of it, in a dtype that its input_signature names.

    Raises TypeError where its numbers do not fit.
    """
    if array.dtype == dtype.numpy:
        return array
    made = to_array(array, dtype).view(_Cast)
    made.flags.writeable = False
    made.refusal = (
        f"an array of {array.dtype} is written to, but its input_signature says {dtype.name}, so that the function has"
        f" a copy: pass an array of {dtype.name}, or change the input_signature"
    )
    return made


class ArraySpec(TensorSpec):
    """What an ndarray must look like, where a trace leaves sizes open."""

    __slots__ = ("mark",)

    def __init__(self, spec: TensorSpec, mark: Mark) -> None:
        super().__init__(spec.shape, spec.dtype, spec.name)
        self.mark = mark


def as_found(arrays: Sequence[Any]) -> list[Array] | None:
    """What the arrays that a run will write to hold now, for the run and for `write_back`; None where no other thread
    can write to them."""
    return [np.array(array) for array in arrays] if arrays and threading.active_count() > 1 else None


def write_back(arrays: Sequence[Any], values: Sequence[Any], found: Sequence[Array] | None = None) -> None:
    """Copies what a run has written into the caller's arrays. found: what the run was given in their places."""
    if found is None:
        for array, value in zip(arrays, values, strict=True):
            np.copyto(array, value)
        return
    for array, value, before in zip(arrays, values, found, strict=True):
        np.copyto(array, value, where=_differing(before, value))


def _differing(one: Array, other: Array) -> Array:
    """Where the elements of two arrays of one shape have other bits: a zero may have got a sign, a NaN is one still."""
    unit = next(size for size in (8, 4, 2, 1) if one.itemsize % size == 0)
    bits = [array.astype(one.dtype, "C", copy=False).reshape(-1).view(f"u{unit}") for array in (one, other)]
    return np.asarray(np.not_equal(*bits).reshape(*one.shape, -1).any(-1))
