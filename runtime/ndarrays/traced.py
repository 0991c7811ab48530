"""`TracedArray`: what an ndarray is while a function is traced: a view of memory, which can be written to.

    @runtime.function
    def bump(a):             # called with an ndarray
        row = a[0]           # a view
        row[1] += 7.0        # seen through `a`, and by the caller when the graph has run

It works like an ndarray of numpy: Python's operators and numpy's functions give new arrays in numpy's dtypes, basic
indices give views, everything that writes changes the memory. Beside a tensor it is the tensor of what it holds now.
A number taken out of it (`a[0, 1]`, `a.sum()`) never changes: a tensor that keeps numpy's rules (`of_array`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.operators.stager import PYTHON
from runtime.as_python import raise_as_python
from runtime.context import recording
from runtime.dtypes import NUMBERS, DType, as_dtype
from runtime.errors import ShapeMismatchError
from runtime.ndarrays.bits import Bits
from runtime.ndarrays.buffer import READ_ONLY, Buffer, graph_of, home_of
from runtime.ndarrays.keys import is_basic, keys_in, layout_at, plain_key, same_view, symbols_in
from runtime.ndarrays.layout import layout_of
from runtime.ndarrays.rows import Rows
from runtime.ndarrays.sizes import sizes_of
from runtime.ndarrays.steps import Flat, Index, Part, Positions, Step, as_parts, put_through, read_through, repeated
from runtime.shapes import TensorShape
from runtime.tensor.array_numbers import as_number
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.numpy_calls.operands import operand, to
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["TracedArray", "array_of", "fresh"]

IS_PYTHON = True  # what numpy says of its arrays: see runtime.control_flow.tries.raised


class TracedArray(Operators):
    """A view of a buffer. See the module's docstring. steps: the way from the buffer to what it shows."""

    __slots__ = ("__weakref__", "_around", "_layout", "_seen", "buffer", "steps")

    __ag_traced_array__ = True
    __ag_stager__: Any = None  # set by runtime.control_flow.stager
    __ag_asked__: Any = None  # the same: what `isinstance` and `type` of the program say of it
    __array_ufunc__: Callable[..., Any]  # both set by runtime.ndarrays.calls
    __array_function__: Callable[..., Any]
    flat: Any

    def __init__(self, buffer: Buffer, steps: tuple[Step, ...] = (), layout: Any = None) -> None:
        """layout: an ndarray of nothing with the strides that numpy would give it; None where they are not known."""
        self.buffer = buffer
        self.steps = steps
        self._layout = buffer.layout if layout is None and not steps else layout
        self._around: TracedArray | None = None
        """The view that it is a view of, by the last step."""
        self._seen: tuple[Any, Any, Any, Any] | None = None
        buffer.add_view(self)
        self.note_known()

    def note_known(self) -> None:
        """The class says who stages what is done with it: Python, as long as all of it is known."""
        self.__class__ = KnownArray if is_known(self) else TracedArray  # pyright: ignore[reportAttributeAccessIssue]

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """The dtype of its elements."""
        if any(isinstance(step, Part | Bits) for step in self.steps):
            return self.value().dtype
        return as_dtype(self.buffer.content.dtype)

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]
        """What is known of its shape."""
        if self._layout is not None:
            return TensorShape(self._layout.shape)
        return sizes_of(self.value())

    @property
    def layout(self) -> Any:
        """An ndarray with its shape and strides, of which nothing but these is used; None where they are unknown."""
        if self._layout is None and not self.steps:
            shape = self.shape
            if shape.is_fully_defined():
                self._layout = np.zeros(shape.as_tuple(), np.bool_)  # memory that is never touched takes no room
        return self._layout

    def value(self) -> Any:
        """The tensor of what it holds now."""
        content = self.buffer.tensor()
        if not self.steps:
            return content
        recorder = home_of(content, *symbols_in(keys_in(self.steps)))
        seen = self._seen
        # what was recorded in the body of a `try` has moved into a graph of its own by its end
        if seen is None or seen[0] is not content or seen[1] is not recorder or graph_of(seen[2]) is not seen[3]:
            with recording(recorder):
                around = self._around
                made = read_through(self.steps, content) if around is None else self.steps[-1].read(around.value())
            self._seen = seen = content, recorder, made, graph_of(made)
        return seen[2]

    __as_tensor__ = value

    def set_shape(self, shape: Any) -> None:
        """Merges what the caller knows into the static shape, as for tensors."""
        self.value().set_shape(shape)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("op", "_part"):
            raise AttributeError(f"'ndarray' object has no attribute {name!r}")
        return getattr(self.value(), name)

    def known(self) -> Any:
        """What it shows, as a view of the memory, where all of that is known; else None."""
        array = self.buffer.read()
        return self.at(array) if isinstance(array, np.ndarray) and is_known(self) else None

    def at(self, array: Any) -> Any:
        """What it shows of an array in the place of the memory."""
        for step in self.steps:
            array = step.known(array)
        return array

    def through(self, *steps: Step, layout: Any = None) -> TracedArray:
        """A view of this view."""
        made = TracedArray(self.buffer, (*self.steps, *steps), layout)
        made._around = self if self.steps and len(steps) == 1 else None
        return made

    def __getitem__(self, key: Any) -> Any:
        if self.steps and isinstance(self.steps[-1], Flat):
            return fresh(Index(plain_key(key)).read(self.value()))  # a number, or a copy
        array = self.known()
        if array is not None and is_known(key):
            found = array[known_of(key)]
            if not isinstance(found, np.ndarray) or not is_basic(key):
                return fresh(found)
        if not is_basic(key):
            return fresh(Index(plain_key(key)).read(self.value()))
        key = plain_key(key)
        view = self._at(key, layout_at(self.layout, key))
        if array is not None and is_known(key):
            return view
        is_view = (value := view.value()).shape.rank != 0 or any(part is Ellipsis for part in as_parts(key))
        return view if is_view else as_number(value)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, TracedArray) and self._is_at(value, key):
            return  # `a[i] += v` has written to that view already
        if self.steps and isinstance(self.steps[-1], Flat):
            value = repeated(Index(plain_key(key)).read(self.value()), value)
        array = self.known()
        if array is not None and array.flags.writeable and is_known(key) and is_known(value):
            self.buffer.check()
            array[known_of(key)] = known_of(value)
        else:
            self._at(plain_key(key)).write(value)

    def _at(self, key: Any, layout: Any = None) -> TracedArray:
        last = self.steps[-1] if self.steps else None
        if isinstance(last, Index | Positions) and is_basic(key) and (together := last.then(key)) is not None:
            return TracedArray(self.buffer, (*self.steps[:-1], together), layout)
        return self.through(Index(key), layout=layout)

    def _is_at(self, other: TracedArray, key: Any) -> bool:
        """Whether another view is the one that this key gives."""
        return other.buffer is self.buffer and is_basic(key) and same_view(self._at(plain_key(key)), other)

    def write(self, value: Any) -> None:
        """`self[...] = value`: cast to its dtype as numpy casts, broadcast to its shape."""
        array = self.known()
        if array is not None and array.flags.writeable and is_known(value):
            self.buffer.check()
            array[...] = known_of(value)
            return
        content = self.buffer.tensor()
        try:
            self.buffer.write(put_through(self.steps, content, as_value(value, self.dtype)))
        except ShapeMismatchError as error:
            raise_as_python(error)  # it is the ValueError of numpy, where the program gets there

    def __len__(self) -> int:
        dims = self.shape.dims
        if dims is not None and not dims:
            raise TypeError("len() of unsized object")
        return len(self.value()) if dims is None or dims[0] is None else dims[0]

    def __iter__(self) -> Iterator[Any]:
        dims = self.shape.dims
        if not dims or dims[0] is None:
            return iter(self.value())
        return (self[i] for i in range(dims[0]))

    def __ag_parts__(self) -> Rows | None:
        """The rows, which are views, or the numbers, for a comprehension that may keep them; None where nobody knows
        how many there are."""
        dims = self.shape.dims
        return None if not dims or dims[0] is None else Rows(self)

    # -- Python's own protocols ----------------------------------------------------------------------------------

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The memory that a write to it may change."""
        return (self.buffer,)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return self.buffers

    def __ag_present__(self) -> Any:
        return self.value()

    def _nest_parts(self) -> list[tuple[str, Any]]:
        """As a value of a variable that a statement may bind to another array: its tensor."""
        return [("", self.value())]

    def _nest_rebuild(self, parts: Sequence[Any]) -> TracedArray:
        return TracedArray(Buffer(parts[0], self.buffer.label))

    def _nest_check(self, other: Any) -> None:
        if not isinstance(other, TracedArray):
            raise TypeError(f"{other!r} is no array")

    def with_contents(self, read: Callable[[Buffer], Any]) -> TracedArray:
        """An array of its own with what this view shows where the buffer holds what `read` says."""
        content = read(self.buffer)
        with recording(home_of(content, *symbols_in(keys_in(self.steps)))):
            shown = read_through(self.steps, convert_to_tensor(content))
        return TracedArray(Buffer(shown, self.buffer.label))

    def __copy__(self, order: Any = "C") -> TracedArray:
        array, layout = self.known(), self.layout
        layout = None if layout is None or order == "C" else np.empty_like(layout, order=order)
        return TracedArray(Buffer(self.value() if array is None else array.copy(order), self.buffer.label, layout))

    def __deepcopy__(self, memo: Any) -> TracedArray:
        return memo.setdefault(id(self), self.__copy__())

    def shown(self) -> Any:
        """What Python asks: the ndarray where that is known, else the tensor, which says what to do instead."""
        array = self.known()
        return self.value() if array is None else array

    def __bool__(self) -> bool:
        return bool(self.shown())

    def __int__(self) -> int:
        return int(self.shown())

    def __float__(self) -> float:
        return float(self.shown())

    def __complex__(self) -> complex:
        return complex(self.shown())

    def __index__(self) -> int:
        return int(self.shown().__index__())

    def __contains__(self, item: Any) -> bool:
        return item in self.shown()

    def __reduce__(self) -> Any:
        return self.shown().__reduce__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.shown().__array__(dtype, copy=copy)


class KnownArray(TracedArray):
    """A traced array of which all is known: Python goes through it and decides by its elements."""

    __slots__ = ()
    __ag_stager__ = PYTHON
    _nest_stands_for = TracedArray


def fresh(value: Any, layout: Any = None) -> Any:
    """A result of numpy as an array of its own; one of rank 0 is a number, which never changes: the tensor itself."""
    if isinstance(value, Tensor):
        layout = None if layout is None or value.shape.dims != layout.shape else layout
        return as_number(value) if value.shape.rank == 0 else TracedArray(Buffer(value, layout=layout))
    if isinstance(value, np.ndarray):
        layout = None if value.flags.c_contiguous else layout_of(value)
        refusal = "" if value.flags.writeable else READ_ONLY
        return TracedArray(Buffer(value, layout=layout, refusal=refusal)) if value.dtype.kind in NUMBERS else value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(fresh, value))
    return type(value)(map(fresh, value)) if type(value) in (list, tuple) else value


def as_value(value: Any, dtype: DType) -> Any:
    """What is written to elements, as a tensor of their dtype: numpy casts whatever comes."""
    return to(operand(value), dtype.numpy)


def array_of(value: Any) -> Any:
    """The array that a value is: itself, or one of its own where it is a tensor or an ndarray."""
    if isinstance(value, TracedArray):
        return value
    return TracedArray(Buffer(convert_to_tensor(value)))


# -- what Python knows


def is_known(value: Any) -> bool:
    """Whether Python knows a key, or a value that is written: there is nothing symbolic in it."""
    if isinstance(value, TracedArray):
        return value.buffer.is_known and is_known(keys_in(value.steps))
    if isinstance(value, Operators):
        return type(value) is EagerTensor
    if isinstance(value, slice):
        return is_known(value.start) and is_known(value.stop) and is_known(value.step)
    return all(map(is_known, value)) if isinstance(value, list | tuple) else True


def known_of(value: Any) -> Any:
    """The same with ndarrays in the place of traced arrays."""
    if isinstance(value, TracedArray):
        return value.known()
    if isinstance(value, EagerTensor):
        return np.asarray(value)
    if isinstance(value, slice):
        return slice(*map(known_of, (value.start, value.stop, value.step)))
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(map(known_of, value))
    return value
