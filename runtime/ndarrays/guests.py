"""Arrays of other libraries and buffers of Python, as a function sees them while it is traced.

    m[0] + m[1]        m a memoryview: items are Python's numbers, which do not wrap around
    np.sum(m)          numpy's functions take it as an ndarray of the same memory
    s.std()            s a pandas Series: refused, for numpy's and pandas' methods of one name differ

What Python or pandas does in another way than an ndarray is refused, and `np.asarray(x)` is the remedy: from there on
it is an ndarray, in Python and in a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn

import numpy as np

from autograph.errors import StagingError
from runtime.dtypes import DType
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.operator_rules import ARRAYS
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators

__all__ = ["BufferItems", "Guest", "Labelled", "as_guest", "check_choice", "check_labels", "plain", "row_reader"]


class Guest(TracedArray):
    """What both have in common: a name for messages, and what is refused."""

    __slots__ = ("kind",)

    kind: str

    def note_known(self) -> None:
        """It stays what it is, whatever Python knows of it."""

    def plain(self) -> TracedArray:
        """The ndarray that np.asarray makes of it."""
        return TracedArray(self.buffer, self.steps, self._layout)

    @property
    def words(self) -> str:
        """What it is, for messages."""
        return f"{'an' if self.kind[0] in 'aI' else 'a'} {self.kind}"

    def like(self, view: TracedArray) -> Any:
        """A view of it, which is of its kind."""
        made = type(self)(view.buffer, view.steps, view._layout)
        made.kind = self.kind
        return made

    def refuse(self, what: str) -> NoReturn:
        """Raises TypeError."""
        name = self.buffer.label or "x"
        raise TypeError(
            f"{what} of {name!r}, {self.words}, is not what it is of an ndarray: write np.asarray({name}), which is an"
            " ndarray of its elements, and then what you mean by it"
        )

    def with_operand(self, other: Any, words: str) -> None:
        """Raises TypeError where Python or pandas does something else than an ndarray with the two of them."""

    def _nest_rebuild(self, parts: Sequence[Any]) -> TracedArray:
        self.check_choice()
        raise AssertionError("it was refused")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in _INNER:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.refuse(f".{name}")

    def check_choice(self) -> None:
        """Raises StagingError: a variable must not be a guest on some ways only."""
        raise StagingError(
            f"a statement that a tensor decides binds a variable to {self.buffer.label!r}, {self.words}, or to another"
            " value: write np.asarray(...) before the statement"
        )


class BufferItems(Guest):
    """An array.array or a memoryview: its items are Python's numbers, its slices no arrays."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if self.kind != "memoryview":
                self.refuse("a slice")
            return self.like(self.plain()[key])
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) != self.shape.rank or not all(map(_is_position, keys)):
            self.refuse(f"the index {key!r}")
        if self.dtype.name == "uint64":
            self.refuse("an item")
        return _number(self.plain()[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self.refuse("a write to a slice")
        if self.buffer.refusal:
            raise TypeError(self.buffer.refusal)
        self.plain()[key] = _item(value, self.dtype, ValueError if self.kind == "bytearray" else OverflowError)

    def with_operand(self, other: Any, words: str) -> None:
        is_python = isinstance(other, BufferItems) or getattr(other, "weak", False)
        if words.strip("_") in COMPARED or is_python or not isinstance(other, Operators | np.ndarray | np.generic):
            self.refuse(f"the operator {words}")

    def __ag_present__(self) -> Any:
        """For what Python does with all items: they are its numbers, which do not wrap around."""
        return _number(self.plain().value())

    def __iter__(self) -> Iterator[Any]:
        dims = self.shape.dims
        if dims is None or len(dims) != 1 or dims[0] is None:
            self.refuse("iteration")
        return (self[i] for i in range(dims[0]))


class Labelled(Guest):
    """A pandas Series, DataFrame or Index: an array of its values; what asks for labels is refused."""

    __slots__ = ()

    @property
    def by_place(self) -> bool:
        """Whether the labels of a Series are 0, 1, 2, ...: then they are places."""
        return self.kind == "Series"

    def __getitem__(self, key: Any) -> Any:
        if self.kind == "Index" and not isinstance(key, slice | tuple | str) and not np.ndim(key):
            return self.plain()[key]  # which asks for no label
        if not self.by_place or isinstance(key, slice | tuple | str) or np.ndim(key):
            self.refuse("an index" if isinstance(key, Operators) else f"the index {key!r}")
        if not isinstance(key, Operators) and key < 0:
            self.refuse(f"the index {key!r}")
        if isinstance(key, SymbolicTensor):
            message = f"a negative index of {self.buffer.label!r}, a Series, is no label of it"
            REGISTRY["check"](key >= 0, message=message, exception="KeyError")
        return self.plain()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.buffer.check()

    @property
    def values(self) -> TracedArray:
        """Its elements, as pandas calls them."""
        return self.plain()

    def to_numpy(self) -> TracedArray:
        """Its elements, as pandas calls them."""
        return self.plain()

    def row(self, position: Any) -> Any:
        """The element at a place, whatever its label: for iteration."""
        if self.shape.rank != 1:
            self.refuse("iteration")
        return self.plain()[position]

    def __iter__(self) -> Iterator[Any]:
        if self.shape.rank != 1:
            self.refuse("iteration")
        return iter(self.plain())

    def with_operand(self, other: Any, words: str) -> None:
        check_labels((self, other))


def as_guest(kind: str, array: TracedArray) -> TracedArray:
    """What stands for an argument of this kind (`Mark.kind`) in a trace."""
    made = (BufferItems if kind in BUFFERS else Labelled)(array.buffer, array.steps, array._layout)
    made.kind = kind
    return made


BUFFERS: Final = ("memoryview", "array.array", "bytearray")


def plain(value: Any) -> Any:
    """An argument of a function of numpy, with ndarrays in the place of guests."""
    if isinstance(value, Guest):
        return value.plain()
    if type(value) in (list, tuple) and any(isinstance(part, Guest) for part in value):
        return type(value)(map(plain, value))
    return value


def check_choice(arrays: Sequence[TracedArray]) -> None:
    """Raises StagingError for guests among the arrays that a variable may be."""
    for array in arrays:
        if isinstance(array, Guest):
            array.check_choice()


def row_reader(array: TracedArray) -> Callable[[Any], Any]:
    """Gives the item at a place: for iteration."""
    return array.row if isinstance(array, Labelled) else lambda position: array[position]


def check_labels(operands: Sequence[Any]) -> None:
    """Raises TypeError for two operands with labels: pandas puts elements together that have the same."""
    found = [value for value in operands if isinstance(value, Labelled)]
    if len(found) > 1 and not all(value.by_place for value in found):
        a, b = (value.buffer.label for value in found[:2])
        raise TypeError(
            f"{a!r} and {b!r} are of pandas, which puts elements together that have one label, and a graph knows no"
            f" labels: write np.asarray({a}) for one of them, and it goes by places"
        )


# -- items of buffers


def _is_position(key: Any) -> bool:
    if isinstance(key, SymbolicTensor):
        return key.shape.rank == 0 and not key.dtype.is_floating
    return hasattr(type(key), "__index__") and np.ndim(key) == 0


def _number(value: Any) -> Any:
    """An element as the number of Python that it is."""
    if not isinstance(value, Operators):
        return value.item() if isinstance(value, np.generic) else value
    if value.dtype.is_bool or value.dtype.is_complex:
        return value
    if isinstance(value, SymbolicTensor):
        made = REGISTRY["cast"](value, "int64" if value.dtype.is_integer else "float64")
        made.weak, made.of_array = True, False
        return made
    return value


def _item(value: Any, dtype: DType, error: type[Exception]) -> Any:
    """A value that is written to an item. Raises TypeError as Python does, and `error` for what does not fit."""
    if isinstance(value, TracedArray) or (getattr(value, "ndim", 0) not in (0, None)):
        raise TypeError("an item of a buffer is one number")
    given: Any = value.dtype if isinstance(value, Operators) else None
    if dtype.is_integer:
        if (given is None and not hasattr(type(value), "__index__")) or (given is not None and not given.is_integer):
            raise TypeError("an item of a buffer of integers is an integer")
        if isinstance(value, SymbolicTensor) and not np.can_cast(value.dtype.numpy, dtype.numpy):
            _check_range(value, value.dtype, np.iinfo(dtype.numpy), error)
    elif given is not None and given.is_complex and not dtype.is_complex:
        raise TypeError("an item of a buffer of floats is no complex number")
    try:
        return value if given is not None else np.array(value, dtype.numpy)[()]
    except OverflowError as found:
        raise error(str(found)) from None


def _check_range(value: Any, given: Any, limits: Any, error: type[Exception]) -> None:
    """Raises `error` in the run for an integer that the item cannot hold."""
    wide = np.iinfo(given.numpy)
    message = f"the number does not fit an item of {limits.dtype.name}"
    for name, limit in (("greater_equal", limits.min), ("less_equal", limits.max)):
        if wide.min < limit < wide.max:
            REGISTRY["check"](REGISTRY[name](value, limit), message=message, exception=error.__name__)


# -- what is refused, and what is passed on

COMPARED: Final = ("lt", "le", "gt", "ge", "eq", "ne")

_ARITHMETIC: Final = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift",
                      "rshift")  # fmt: skip

_INNER: Final = frozenset({"op", "kind"})
"""Names of other objects that a graph works on, which no user asks for."""

_OWN: Final = frozenset({"shape", "ndim", "dtype"})
"""Attributes of ndarrays that stay."""


def _refused(name: str) -> Any:
    def refuse(self: Guest, *args: Any, **kwargs: Any) -> NoReturn:
        self.refuse(name)

    return refuse


def _operator(name: str) -> Any:
    def method(self: Guest, *other: Any) -> Any:
        for value in other:
            self.with_operand(value, name)
        return getattr(TracedArray, name)(self.plain(), *map(plain, other))

    return method


def _install() -> None:
    ARRAYS.update((BufferItems, Labelled))
    owned: Any = Guest
    for name in dir(np.ndarray):
        if not name.startswith("_") and name not in _OWN:
            setattr(owned, name, property(_refused(f".{name}")))
    for name in _ARITHMETIC:
        for kind in ("", "r"):
            setattr(owned, f"__{kind}{name}__", _operator(f"__{kind}{name}__"))
        setattr(owned, f"__i{name}__", _refused(f"the operator __i{name}__"))
    for name in (*COMPARED, "neg", "pos", "abs", "invert"):
        setattr(owned, f"__{name}__", _operator(f"__{name}__"))
    for name in ("neg", "pos", "abs", "invert"):
        setattr(BufferItems, f"__{name}__", _refused(f"the operator __{name}__"))
    for name in ("bool", "contains", "copy", "deepcopy"):
        setattr(owned, f"__{name}__", _refused(f"the method __{name}__"))


_install()
