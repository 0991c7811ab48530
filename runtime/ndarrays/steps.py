"""The steps from a buffer to a view of it: each says how to read its part, and how to put a changed part back.

    step = Index((1,))                 # a[1]
    step.read(a)                       # the row
    step.put(a, row)                   # a with that row in the place of its own

A view is a tuple of such steps. To write to it is to read on the way down and to put back on the way up; what is read
and not used is removed from the graph, and plans write in place where nobody can tell.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from autograph.errors import StagingError
from runtime.ndarrays.buffer import READ_ONLY
from runtime.ndarrays.layout import laid_out
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.indexing import index_tensor, put_item
from runtime.tensor.numpy_calls.operands import call, operand, to
from runtime.tensor.tensor import Tensor

__all__ = [
    "Flat",
    "Index",
    "Part",
    "Permute",
    "Positions",
    "ReadOnly",
    "Reshape",
    "Step",
    "Undecided",
    "as_parts",
    "put_through",
    "read_through",
    "repeated",
    "steps_to",
    "unchanged",
    "view_in_shape",
]  # fmt: skip

IS_PYTHON: Final = True  # what numpy says of its arrays: see runtime.control_flow.tries.raised


class Step(Protocol):
    """See the module's docstring. x, part: tensors; `known` does the same for an ndarray, whose memory it shares."""

    def read(self, x: Any) -> Any:
        """The part of x."""

    def put(self, x: Any, part: Any) -> Any:
        """x with another part."""

    def known(self, array: Any) -> Any:
        """The part of an ndarray, as a view of it."""


@dataclass(frozen=True, eq=False)
class Index:
    """`x[key]`, where the key is made of integers, slices, None and ...: numpy gives a view. Writes take any key."""

    key: Any

    def read(self, x: Any) -> Any:
        return index_tensor(x, self.key)

    def put(self, x: Any, part: Any) -> Any:
        return put_item(x, self.key, part)

    def known(self, array: Any) -> Any:
        return array[self.key]

    def then(self, key: Any) -> Index | None:
        """One step in the place of this one and `x[key]` after it, where both are easily one: `a[i][j]`, `a[i][1:]`."""
        first, second = as_parts(self.key), as_parts(key)
        if all(map(_is_position, first)) and not any(part is Ellipsis or part is None for part in second):
            return Index((*first, *second))
        return None


def view_in_shape(array: Any, shape: tuple[Any, ...]) -> Any:
    """A view of an ndarray in another shape; None where numpy would copy, of which nothing is read then.

    Raises ValueError for another number of elements.
    """
    if _RESHAPES_WITHOUT_A_COPY:
        try:
            return array.reshape(shape, copy=False)
        except ValueError:
            sizes = [size for size in shape if size != -1]
            many = math.prod(sizes)
            fits = array.size == many if len(sizes) == len(shape) else many > 0 and array.size % many == 0
            if not fits:
                raise
            return None
    view = array.view()
    try:
        view.shape = shape
    except AttributeError:
        return None
    return view


_RESHAPES_WITHOUT_A_COPY: Final = np.lib.NumpyVersion(np.__version__) >= "2.1.0"
"""Whether `reshape` takes `copy=False`; setting the shape, the way before, is deprecated since numpy 2.5."""


@dataclass(frozen=True)
class Reshape:
    """The same elements, in their order, in another shape (one size may be -1). before: the shape of x, if known."""

    shape: tuple[Any, ...]
    before: tuple[int, ...] | None = None

    def read(self, x: Any) -> Any:
        return call("reshape", x, list(self.shape))

    def put(self, x: Any, part: Any) -> Any:
        return call("reshape", part, call("shape", x) if self.before is None else list(self.before))

    def known(self, array: Any) -> Any:
        view = view_in_shape(array, self.shape)
        if view is None:  # no view of numpy's: what is written goes the way of what only the graph knows
            view = array.reshape(self.shape)
            view.flags.writeable = False
        return view


@dataclass(frozen=True)
class Flat(Reshape):
    """`a.flat`: a view for what is written; what is read of it, numbers excepted, is a copy."""


@dataclass(frozen=True, eq=False)
class Undecided(Reshape):
    """The elements in another shape, of which only the run knows whether they are a view or a copy: the same to whom
    reads them, as long as nothing is written to either. buffer: the memory; content: what was in it."""

    buffer: Any = None
    content: Any = None
    refusal: str = ""

    def read(self, x: Any) -> Any:
        if self.buffer.tensor() is not self.content:
            raise StagingError(self.refusal)
        return super().read(x)

    def put(self, x: Any, part: Any) -> Any:
        raise StagingError(self.refusal)


@dataclass(frozen=True)
class Permute:
    """The axes in another order, as `transpose`."""

    order: tuple[int, ...]

    def read(self, x: Any) -> Any:
        return call("transpose", x, perm=self.order)

    def put(self, x: Any, part: Any) -> Any:
        return call("transpose", part, perm=tuple(int(axis) for axis in np.argsort(self.order)))

    def known(self, array: Any) -> Any:
        return array.transpose(self.order)


@dataclass(frozen=True)
class Part:
    """The real or the imaginary part of complex numbers."""

    imaginary: bool

    def read(self, x: Any) -> Any:
        return call("imag" if self.imaginary else "real", x)

    def put(self, x: Any, part: Any) -> Any:
        other = call("real" if self.imaginary else "imag", x)
        part = call("broadcast_to", part, call("shape", x))
        return call("complex", other, part) if self.imaginary else call("complex", part, other)

    def known(self, array: Any) -> Any:
        return array.imag if self.imaginary else array.real


@dataclass(frozen=True, eq=False)
class ReadOnly:
    """What numpy gives as a view that cannot be written to (`np.broadcast_to`, `a.diagonal()`): a function of x."""

    function: Any
    what: str

    def read(self, x: Any) -> Any:
        return self.function(x)

    def put(self, x: Any, part: Any) -> Any:
        raise ValueError(READ_ONLY)

    def known(self, array: Any) -> Any:
        view = np.asarray(self.function(array)).view()
        view.flags.writeable = False
        return view


@dataclass(frozen=True, eq=False)
class Positions:
    """Elements by their numbers in the memory: what any view is, whatever its strides are, in elements."""

    numbers: Any
    first: int
    strides: tuple[int, ...]

    @classmethod
    def of(cls, array: Any, owner: Any) -> Positions:
        """The step from memory to a view of it. owner: an array of all of that memory, in C order."""
        size, start = array.itemsize, owner.__array_interface__["data"][0]
        first = (array.__array_interface__["data"][0] - start) // size
        return cls.at(first, array.shape, tuple(stride // size for stride in array.strides))

    @classmethod
    def at(cls, first: int, shape: Sequence[int], strides: tuple[int, ...]) -> Positions:
        """The step to a view with these strides."""
        numbers = np.full(shape, first, np.int64)
        for axis, (length, stride) in enumerate(zip(shape, strides, strict=True)):
            steps = np.arange(length, dtype=np.int64) * stride
            numbers += steps.reshape([-1 if i == axis else 1 for i in range(len(shape))])
        return cls(numbers, first, strides)

    @functools.cached_property
    def meets(self) -> bool:
        """Whether several elements are one in the memory."""
        return bool(len(np.unique(self.numbers)) < self.numbers.size)

    def then(self, key: Any) -> Positions | None:
        """One step in the place of this one and `x[key]` after it, where all that is written by it should be no more
        than that: what elements that meet hold is said once."""
        parts = as_parts(key)
        if not self.meets or any(isinstance(part, Tensor) for part in parts):
            return None
        key = parts if any(part is Ellipsis for part in parts) else (*parts, ...)
        return Positions(self.numbers[key], self.first, laid_out(self.numbers.shape, self.strides)[key].strides)

    def read(self, x: Any) -> Any:
        return call("gather", call("reshape", x, [-1]), self.numbers)

    def put(self, x: Any, part: Any) -> Any:
        if self.meets:
            raise StagingError(
                "elements of a view that lie at the same place are written to at once, or at a place that only the run"
                " knows: write to one of them by numbers that Python knows (w[0, 1] = v), or to the array itself"
            )
        part = call("reshape", call("broadcast_to", part, list(self.numbers.shape)), [-1])
        numbers, flat = convert_to_tensor(self.numbers.reshape(-1)), call("reshape", x, [-1])
        return call("reshape", call("setitem", flat, part, [numbers], spec=("array",)), call("shape", x))

    def known(self, array: Any) -> Any:
        size = array.itemsize
        strides = tuple(stride * size for stride in self.strides)
        memory = array.reshape(-1)[int(self.numbers.flat[0]) :] if self.numbers.size else array
        return np.lib.stride_tricks.as_strided(memory, self.numbers.shape, strides)


def steps_to(first: int, shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> tuple[Step, ...]:
    """The steps from memory of so many elements, with one axis, to a view of it; none, if the view is all of it."""
    if len(shape) == 1 and strides[0] != 0:
        if (first, shape, strides) == (0, (size,), (1,)):
            return ()
        end = first + (shape[0] - 1) * strides[0] + (1 if strides[0] > 0 else -1)
        return (Index((slice(first, None if end < 0 else end, strides[0]),)),)
    count = math.prod(shape)
    order = tuple(int(axis) for axis in np.argsort([-stride for stride in strides], kind="stable"))
    sizes = tuple(shape[axis] for axis in order)
    usual = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
    if any(n > 1 and strides[axis] != step for n, axis, step in zip(sizes, order, usual, strict=True)):
        return (Positions.at(first, shape, strides),)
    part: tuple[Step, ...] = () if count == size else (Index((slice(first, first + count),)),)
    turned = order == tuple(range(len(shape)))
    back = () if turned else (Permute(tuple(int(axis) for axis in np.argsort(order))),)
    return (*part, Reshape(sizes, (count,)), *back)


def repeated(part: Any, value: Any) -> Any:
    """What is written to a part of `a.flat`: its elements in turn, which numpy takes from the beginning again."""
    whole = convert_to_tensor(operand(value))
    if whole.shape.rank == 0:
        return value
    given = call("reshape", whole, [-1])
    numbers = call("range", to(0, np.int64), call("size", part, np.int64), to(1, np.int64))
    return call("gather", given, call("floormod", numbers, call("size", given, np.int64)))


def unchanged(x: Any) -> Any:
    """For `ReadOnly`: all of x."""
    return x


def as_parts(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _is_position(part: Any) -> bool:
    """Whether a part of a key is an integer, which takes one axis away."""
    if isinstance(part, Tensor):
        return part.shape.rank == 0 and part.dtype.is_integer
    return hasattr(part, "__index__") and not isinstance(part, bool | np.bool_ | np.ndarray)


def read_through(steps: Sequence[Step], x: Any) -> Any:
    """What a view of x is."""
    for step in steps:
        x = step.read(x)
    return x


def put_through(steps: Sequence[Step], x: Any, part: Any) -> Any:
    """x after a write of `part` to the view."""
    if not steps:
        return _whole(x, part)
    outer = [x]
    for step in steps[:-1]:
        outer.append(step.read(outer[-1]))
    if not isinstance(steps[-1], Index):
        part = _whole(steps[-1].read(outer[-1]), part)
    for step, around in zip(reversed(steps), reversed(outer), strict=True):
        part = step.put(around, part)
    return part


def _whole(x: Any, part: Any) -> Any:
    """The new content where all of the memory is written: `part`, broadcast to the shape of x."""
    part = adopt(convert_to_tensor(part), x.dtype, "an assignment to an array")
    if part.shape.is_fully_defined() and part.shape == x.shape:
        return part
    return call("setitem", x, part, [], spec=("...",))
