"""`Resource`: the memory of one Variable. Graphs and eager code read and write it; whoever reads sees a value.

    memory = Resource(np.zeros(3, np.float32), TensorShape([3]), "w:0")
    before = memory.read()            # the array itself, no copy
    memory.update(np.add, one)        # `before` is still in use: the sum goes into a new array
    del before
    memory.update(np.add, one)        # nobody else sees the array: the sum is written in place

A read never copies, and what has been read never changes: a write goes into the array only while nothing but the
Resource refers to it (views of an array refer to it, too), otherwise into a new one. A value may be elsewhere, and is
fetched when somebody wants it. So `numpy()`, results of graphs
and constants made from a Variable are values like all others, and an update in a loop takes no new memory. A lock makes
each read and each write one step for other threads.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = ["Resource", "replace_all"]


class Resource:
    """See the module's docstring. `shape` is what every value must have; dims may be open."""

    __slots__ = ("__weakref__", "_array", "_elsewhere", "_lock", "dtype", "name", "shape", "trainable", "variable")

    def __init__(self, array: Array, dtype: DType, shape: TensorShape, name: str, trainable: bool = True) -> None:
        """Takes ownership of `array`, which nobody else may write to."""
        self._array = _owned(array)
        self._elsewhere: Callable[[], Array] | None = None
        self._lock = threading.RLock()  # a finalizer may use the Variable while this thread has the lock
        self.dtype = dtype
        self.shape = shape
        self.name = name
        self.trainable = trainable
        self.variable: Callable[[], Any] = lambda: None
        """A weak reference to the Variable that the program has for this memory."""

    def read(self) -> Array:
        """The value: an array that never changes."""
        with self._lock:
            if self._elsewhere is not None:
                self._fetch()
            return self._array

    @property
    def elsewhere(self) -> Callable[[], Array] | None:
        """What fetches the value while it is not here; see `leave`."""
        return self._elsewhere

    def leave(self, fetch: Callable[[], Array], instead_of: Array | None = None) -> None:
        """The value is what `fetch` gives, for example of other devices: it comes here when it is read or changed.

        instead_of: the value that has been moved there; a newer one is not replaced.
        """
        with self._lock:
            if instead_of is None or self._array is instead_of:
                self._array, self._elsewhere = np.empty(0), fetch

    def _fetch(self) -> None:
        fetch: Any = self._elsewhere
        self._array, self._elsewhere = _owned(fetch()), None

    def assign(self, value: Array) -> None:
        """Sets the value to that of an array that nobody writes to. Raises ShapeMismatchError if it does not fit."""
        with self._lock:
            if self._elsewhere is not None:
                self._fetch()
            if value.shape == self._array.shape and sys.getrefcount(self._array) <= _ALONE:
                np.copyto(self._array, value)
                return
            self._check(value, "assign")
            self._array = _owned(value)

    def take(self, value: Array) -> None:
        """As `assign`, for an array that the caller hands over: nobody writes to it any more."""
        with self._lock:
            if self._elsewhere is not None:
                self._fetch()
            if value.shape != self._array.shape:
                self._check(value, "assign")
            self._array = _owned(value)

    def update(self, ufunc: Callable[..., Array], value: Array) -> None:
        """Sets the value to `ufunc(value now, value)`: in place where nobody else sees the array.

        Raises ShapeMismatchError for a value of another shape. numpy's warnings are the caller's business.
        """
        with self._lock:
            if self._elsewhere is not None:
                self._fetch()
            if value.shape != self._array.shape:
                raise ShapeMismatchError(
                    f"the variable {self.name!r} has the shape {TensorShape(self._array.shape)} and cannot be"
                    f" updated with a value of shape {TensorShape(value.shape)}: they must be the same"
                )
            if sys.getrefcount(self._array) <= _ALONE:
                ufunc(self._array, value, self._array)
            else:
                self._array = np.asarray(ufunc(self._array, value), self._array.dtype)

    def advance(self, value: Array) -> Array:
        """As `update` with a sum. Returns the value before: of several threads each gets another one."""
        with self._lock:
            before = self.read()
            self.update(np.add, value)
            return before

    def change(self, change: Callable[[Array], None]) -> None:
        """Lets `change` write to the array, or to a copy where somebody sees it. It checks before it writes."""
        with self._lock:
            if self._elsewhere is not None:
                self._fetch()
            made = self._array if sys.getrefcount(self._array) <= _ALONE else self._array.copy()
            change(made)
            self._array = made

    def _check(self, value: Array, what: str) -> None:
        if not self.shape.is_compatible_with(value.shape):
            raise ShapeMismatchError(mismatch(what, self.name, self.shape, TensorShape(value.shape)))

    def __repr__(self) -> str:
        return f"<Resource {self.name!r}>"


def replace_all(changes: Sequence[tuple[Resource, Array, Array]]) -> bool:
    """Gives Variables new values, (memory, before, after), in one step for other threads; not if one of them has
    another value than the array that `read` gave before. Whether it did so."""
    with contextlib.ExitStack() as stack:
        for memory in sorted((memory for memory, _, _ in changes), key=id):
            stack.enter_context(memory._lock)
        if any(memory._array is not before for memory, before, _ in changes):
            return False
        for memory, _, after in changes:
            memory._array = _owned(after)
    return True


def mismatch(what: str, name: str, wanted: TensorShape, found: Any) -> str:
    """What is said of a value that has not the shape of the variable."""
    return f"{what}: the variable {name!r} has the shape {wanted}, the value has the shape {found}"


def _owned(array: Array) -> Array:
    """The array, if its references tell who sees its memory: it must own that itself."""
    return array if array.base is None and array.flags.writeable else array.copy()


class _Probe:
    """Counts the references to an array that nothing but one attribute holds, the way `Resource` does."""

    __slots__ = ("_array",)

    def __init__(self) -> None:
        self._array = np.zeros(1)

    def count(self) -> int:
        return sys.getrefcount(self._array)


_ALONE: Final = _Probe().count()


def checked_indices(indices: Array, limit: int, name: str) -> Array:
    """Positions along the first axis. Raises InvalidArgumentError for one that is outside."""
    wrong = indices[(indices < 0) | (indices >= limit)]
    if wrong.size:
        raise InvalidArgumentError(f"the variable {name!r}: index {wrong.flat[0]} is outside [0, {limit})")
    return indices
