"""`np.nditer` over traced arrays: numpy itself goes through the numbers of their elements, each of which is a view.

    with np.nditer([a, None]) as it:
        for x, y in it:
            y[...] = x * x
        return it.operands[1]

The positions have to be known when the function is traced. What numpy would put into buffers of its own, it refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime.dtypes import as_dtype
from runtime.ndarrays.buffer import READ_ONLY, Buffer
from runtime.ndarrays.layout import known_layout, memory_order
from runtime.ndarrays.steps import Index, ReadOnly, unchanged
from runtime.ndarrays.traced import TracedArray, fresh
from runtime.ndarrays.views import VIEWS
from runtime.tensor.convert import as_operand
from runtime.tensor.numpy_protocol import WRITTEN
from runtime.tensor.tensor import Operators

__all__ = ["ElementIterator"]

_WRITABLE: Final = frozenset({"readwrite", "writeonly"})
_FLAGS: Final = frozenset(
    {
        "buffered", "c_index", "common_dtype", "external_loop", "f_index", "growinner", "multi_index", "reduce_ok",
        "refs_ok", "zerosize_ok",
    }
)  # fmt: skip
_INSTEAD: Final = "loop over np.ndindex(a.shape), and read and write a[place]"


class ElementIterator:
    """What stands for an `np.nditer`: its place is a number, so that code that a tensor decides about can move it."""

    def __init__(
        self, op: Any, flags: Any = None, op_flags: Any = None, op_dtypes: Any = None, order: Any = "K",
        casting: Any = "safe", op_axes: Any = None, itershape: Any = None, buffersize: Any = 0,
    ) -> None:  # fmt: skip
        given = list(op) if isinstance(op, list | tuple) else [op]
        flags = list(flags or ())
        if unknown := [flag for flag in flags if flag not in _FLAGS]:
            raise TypeError(f"np.nditer in a graph knows no flag {unknown[0]!r}: {_INSTEAD}")
        words = [_words(op_flags, place, operand) for place, operand in enumerate(given)]
        operands = [_operand(value, own) for value, own in zip(given, words, strict=True)]
        like_numpy = [None if value is None else _of_dtype(value) for value in operands]
        axes = {} if op_axes is None else {"op_axes": op_axes}
        settings = {"order": order, **axes, "itershape": itershape, "buffersize": buffersize}
        model = np.nditer(like_numpy, flags, op_flags, op_dtypes, casting=casting, **settings)
        made = [fresh(np.zeros_like(array)) for array in model.operands]
        operands = [new if old is None else old for old, new in zip(operands, made, strict=True)]
        self._writes = [not _WRITABLE.isdisjoint(own) for own in words]
        self._dtypes = model.dtypes
        self._sizes = {name: getattr(model, name) for name in ("shape", "ndim", "nop", "itersize")}
        self._operands: tuple[Any, ...] | None = tuple(operands)
        for place, operand in enumerate(operands):
            _check_dtype(operand, model.dtypes[place], self._writes[place])
        numbers = [_numbers(operand) for operand in operands]
        kinds: Any = [["readonly"]] * len(numbers)
        flags = [flag for flag in flags if flag != "common_dtype"]
        self._steps = list(_steps(np.nditer(numbers, flags, kinds, **settings)))
        self._places = [_places(array) for array in numbers]
        self._at = 0
        self._is_started = False
        self.finished = not self._steps

    # -- where it is -----------------------------------------------------------------------------------------------

    def __iter__(self) -> ElementIterator:
        return self

    def __next__(self) -> Any:
        if self._operands is None or self.finished or (self._is_started and not self.iternext()):
            raise StopIteration
        self._is_started = True
        return self.value

    def iternext(self) -> bool:
        """Goes to the next elements; whether there are any."""
        if self._operands is None or self._at + 1 >= len(self._steps):
            self.finished = True
            return False
        self._at += 1
        return True

    def reset(self) -> None:
        """Goes back to the first elements."""
        self._at, self._is_started, self.finished = 0, False, not self._steps

    def copy(self) -> ElementIterator:
        """Another one at the same place."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __getstate__(self) -> tuple[Any, ...]:
        return self._operands, self._at, self._is_started, self.finished

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._operands, self._at, self._is_started, self.finished = state

    def close(self) -> None:
        """There is nothing left to be written back."""
        self._operands = None

    def __enter__(self) -> ElementIterator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # -- what is there ---------------------------------------------------------------------------------------------

    @property
    def value(self) -> Any:
        """The view of the element, or of the elements of all operands."""
        found = tuple(self._element(place) for place in range(len(self._writes)))
        return found[0] if len(found) == 1 else found

    def _element(self, place: int) -> Any:
        number = self._step[0][place]
        assert self._operands is not None
        operand, table = self._operands[place], self._places[place]
        if not isinstance(operand, TracedArray):
            places = [table[int(one)] for one in number.reshape(-1)]
            found = operand[tuple(np.array(places).reshape(len(places), -1).T)]
            return found.reshape(number.shape).astype(self._dtypes[place])
        if number.ndim == 0:
            element: Any = operand.through(Index(table[int(number)]))
        else:
            element = _chunk(operand, number, table, self._writes[place])
        if self._dtypes[place] != operand.dtype.numpy:
            return element.astype(self._dtypes[place])
        return element if self._writes[place] else element.through(ReadOnly(unchanged, "nditer"))

    @property
    def _step(self) -> tuple[Any, Any, Any]:
        if self._operands is None or self.finished:
            raise ValueError("Iterator is past the end")
        return self._steps[self._at]

    def __len__(self) -> int:
        return len(self._writes)

    def __getitem__(self, key: Any) -> Any:
        found = tuple(range(len(self._writes)))[key]
        return tuple(map(self._element, found)) if isinstance(found, tuple) else self._element(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        place = range(len(self._writes))[key]
        if not self._writes[place]:
            raise RuntimeError(f"Iterator operand {place} is not writeable")
        self._element(place)[...] = value

    @property
    def multi_index(self) -> tuple[int, ...]:
        """The place in the shape that they have together."""
        if self._step[1] is None:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._step[1]

    @property
    def index(self) -> int:
        """The number of the place, in C or Fortran order."""
        if self._step[2] is None:
            raise ValueError("Iterator does not have an index")
        return self._step[2]

    @property
    def iterindex(self) -> int:
        """How many have been gone through."""
        return self._at

    @property
    def operands(self) -> tuple[Any, ...]:
        """The arrays, those that it has made among them."""
        if self._operands is None:
            raise ValueError("Iterator is invalid")
        return self._operands

    @property
    def dtypes(self) -> tuple[Any, ...]:
        """The dtypes of the elements."""
        return self._dtypes

    def __getattr__(self, name: str) -> Any:
        sizes = self.__dict__.get("_sizes", {})
        if name not in sizes:
            raise AttributeError(f"np.nditer in a graph has no {name!r}: {_INSTEAD}")
        return sizes[name]


def _words(op_flags: Any, place: int, operand: Any) -> Sequence[str]:
    """What is said of an operand."""
    if not op_flags:
        return ["writeonly"] if operand is None else ["readonly"]
    own: Sequence[str] = op_flags if isinstance(op_flags[0], str) else op_flags[place]
    return own


def _operand(value: Any, words: Sequence[str]) -> Any:
    """An operand as an array. Begins the trace again where an array that is no traced one yet is to be written to."""
    if value is None or isinstance(value, TracedArray):
        return value
    if not _WRITABLE.isdisjoint(words):
        for tell in WRITTEN:
            tell(value)
        if not isinstance(value, np.ndarray):
            raise StagingError(
                f"np.nditer would write to {'a tensor' if isinstance(value, Operators) else type(value).__name__},"
                " which never changes: give it an array (a = np.zeros(x.shape); a[...] = x), or leave `op_flags` out"
            )
    if isinstance(value, Operators):
        array = TracedArray(Buffer(as_operand(value), refusal=READ_ONLY))
        known_layout(array, "np.nditer")
        return array
    return np.asarray(value)


def _of_dtype(operand: Any) -> Any:
    """An ndarray of nothing that lies in memory as the operand does."""
    if not isinstance(operand, TracedArray):
        return operand
    layout, dtype = known_layout(operand, "np.nditer"), operand.dtype.numpy
    strides = [stride * dtype.itemsize for stride in layout.strides]
    first, size = _extent(layout)
    return np.ndarray(layout.shape, dtype, np.zeros(size, dtype), first * dtype.itemsize, strides)


def _extent(layout: Any) -> tuple[int, int]:
    """The number of the first element, and how many there are from the lowest to the highest."""
    steps = [(n - 1) * stride for n, stride in zip(layout.shape, layout.strides, strict=True)]
    first = -sum(step for step in steps if step < 0)
    return first, (1 + first + sum(step for step in steps if step > 0)) if 0 not in layout.shape else 1


def _numbers(operand: Any) -> Any:
    """The numbers of the elements in the memory, as an array that lies as the operand does."""
    if not isinstance(operand, TracedArray):
        at = [stride // max(operand.itemsize, 1) for stride in operand.strides]
        operand = np.lib.stride_tricks.as_strided(np.zeros(1, np.bool_), operand.shape, at)
        layout = operand
    else:
        layout = known_layout(operand, "np.nditer")
    first, size = _extent(layout)
    strides = [stride * 8 for stride in layout.strides]
    return np.ndarray(layout.shape, np.int64, np.arange(size), first * 8 if 0 not in layout.shape else 0, strides)


def _check_dtype(operand: Any, dtype: Any, is_written: bool) -> None:
    if is_written and dtype != as_dtype(operand.dtype).numpy:
        raise StagingError(
            f"np.nditer would write to an array of {as_dtype(operand.dtype).name} through a buffer of {dtype}: leave"
            " `op_dtypes` out, the elements are cast when they are written"
        )


def _steps(it: Any) -> Iterator[tuple[Any, Any, Any]]:
    """What it gives: the numbers of the elements, the place in all axes, and its number."""
    if it.itersize == 0:
        return
    for _ in it:
        own = tuple(np.array(part) for part in (it.value if it.nop > 1 else (it.value,)))
        yield own, it.multi_index if it.has_multi_index else None, it.index if it.has_index else None


def _places(numbers: Any) -> dict[int, tuple[int, ...]]:
    """By the number of an element its index."""
    return {int(number): place for place, number in np.ndenumerate(numbers)}


def _chunk(operand: TracedArray, numbers: Any, places: dict[int, tuple[int, ...]], is_written: bool) -> Any:
    """The view of several elements, for `external_loop`. Raises StagingError where it is none of a graph."""
    rows = np.array([places[int(number)] for number in numbers]).reshape(len(numbers), -1)
    key = [_part(column) for column in rows.T]
    if len(numbers) > 1 and (numbers == numbers[0]).all():
        if is_written:
            raise StagingError(f"np.nditer with 'external_loop' writes to one element many times at once: {_INSTEAD}")
        return VIEWS[np.broadcast_to](operand.through(Index(tuple(rows[0].tolist()))), (len(numbers),))
    if None not in key and sum(isinstance(part, slice) for part in key) <= 1:
        if len(numbers) == 1:
            key[-1] = slice(key[-1], key[-1] + 1)
        return operand.through(Index(tuple(key)))
    layout = known_layout(operand, "np.nditer")
    axes = memory_order(layout)
    turned = layout.transpose(axes)
    steps = np.diff(numbers)
    if not turned.flags.c_contiguous or (steps != steps[0]).any():
        raise StagingError(f"np.nditer with 'external_loop' has to copy elements of this array: {_INSTEAD}")
    first, last, step = int(numbers[0]), int(numbers[-1]), int(steps[0])
    end = last + step
    return operand.transpose(axes).reshape(-1)[slice(first, None if end < 0 else end, step)]


def _part(column: Any) -> Any:
    """The part of an index that gives these positions along an axis; None where there is none."""
    steps = np.diff(column)
    if not steps.any():
        return int(column[0])
    if (steps != steps[0]).any():
        return None
    end = int(column[-1]) + int(steps[0])
    return slice(int(column[0]), None if end < 0 else end, int(steps[0]))
