"""`TensorArray`: tensors of one dtype that are written and read by position, one by one or all together.

    squares = runtime.TensorArray(runtime.int32, size=0, dynamic_size=True)
    for i in runtime.range(n):
        squares = squares.write(i, i * i)
    return squares.stack()

It is a value: `write`, `scatter`, `unstack` and `split` return the array with the change, and leave it as it was. In
eager code and in graphs alike; so it can be the state of a loop and the result of a branch. An array that is returned
and never used is most likely a mistake, and a warning.
"""

from __future__ import annotations

import operator
import sys
import warnings
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from autograph.operators.stager import WHILE_TRACING
from autograph.rules import users_frame
from runtime.context import current_recorder
from runtime.dtypes import as_dtype
from runtime.errors import DtypeMismatchError, InvalidArgumentError, OperatorNotAllowedInGraphError
from runtime.ops.lists import lists
from runtime.ops.lists import tensor_array as ops
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.switches import switches
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["TensorArray", "warn_of_lost_changes"]

_CHANGES: Final = frozenset({ops.array_write, ops.array_scatter, ops.array_split})

_LOST: Final = (
    "a TensorArray that was returned by write, scatter, unstack or split was never used, so the change is lost: write"
    " `array = array.write(index, value)`"
)


def warn_of_lost_changes(graphs: Iterable[Any]) -> None:
    """Warns, at its line, of each change of an array whose result nothing uses. graphs: of one finished trace."""
    for graph in graphs:
        made = {id(o.outputs[0]): o for o in graph.operations if o.op in _CHANGES}
        if not made:
            continue
        used = {id(t) for o in graph.operations for t in o.inputs} | {id(t) for t in graph.outputs}
        for key, operation in made.items():
            if key not in used and operation.location is not None:
                place = operation.location
                warnings.warn_explicit(_LOST, UserWarning, place.filename, place.lineno)


def _known(index: Any) -> int | None:
    """The position, where it is known."""
    value = index.value if isinstance(index, SymbolicTensor) else index
    try:
        return None if value is None else operator.index(value)
    except TypeError:
        return None  # the operation has the words


class TensorArray:
    """See the module's docstring.

    dtype: of the elements. size: how many there are, an integer or integer scalar tensor, 0 by default. dynamic_size:
    whether writes beyond the size make it larger. element_shape: what is known of the shape of the elements.
    infer_shape: whether all elements have the shape of the first one. clear_after_read: whether an element may be read
    once only; None: in eager code, not in graphs. `tensor_array_name`, `flow`, `colocate_with_first_write_call` and
    `name` are accepted for compatibility and change nothing.
    """

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __hash__ = None  # type: ignore[assignment]

    @switches
    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None and size is not None:
            raise ValueError("TensorArray takes a size or the handle of another array, not both")
        self._dtype = as_dtype(dtype)
        self._shape: TensorShape = as_shape(element_shape)
        self._infers = bool(infer_shape)
        self._dynamic = bool(dynamic_size)
        self._clears = clear_after_read
        self._reads: frozenset[Any] = frozenset()
        self._handle = ops.array_new(0 if size is None else size) if handle is None else handle
        self._made_at: tuple[str, int] | None = None

    def _with(self, handle: Any, shape: TensorShape | None = None) -> TensorArray:
        """The array after a change. shape: what is now known of the elements."""
        made = self._like(handle, self._shape if shape is None else shape)
        if not isinstance(handle, EagerTensor):
            return made  # a trace may be thrown away; `warn_of_lost_changes` looks at what is kept
        frame = users_frame(sys._getframe(2))
        made._made_at = frame.f_code.co_filename, frame.f_lineno
        return made

    def _like(self, handle: Any, shape: TensorShape) -> TensorArray:
        made = object.__new__(TensorArray)
        made._dtype, made._shape, made._infers, made._dynamic = self._dtype, shape, self._infers, self._dynamic
        made._handle, made._made_at, made._clears, made._reads = handle, None, self._clears, frozenset()
        return made

    def __del__(self) -> None:
        place = getattr(self, "_made_at", None)
        if place is not None and sys is not None and not sys.is_finalizing():
            warnings.warn_explicit(_LOST, UserWarning, *place)

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of the elements."""
        return self._shape

    @property
    def dynamic_size(self) -> bool:
        """Whether writes beyond the size make it larger."""
        return self._dynamic

    @property
    def handle(self) -> Any:
        """The immutable tensor of dtype variant that holds the elements."""
        self._made_at = None
        return self._handle

    @property
    def flow(self) -> Any:
        """The same as `handle`: what orders reads after writes."""
        return self.handle

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, an int32 scalar tensor."""
        return lists.list_length(self.handle, name=name)

    length = size

    def identity(self) -> TensorArray:
        """The same array."""
        made = self._like(self.handle, self._shape)
        made._reads = self._reads
        return made

    def mark_used(self) -> None:
        """Says that the array need not be used."""
        self._made_at = None

    def close(self, name: str | None = None) -> None:
        """Does nothing: an array is freed with the last reference to it."""
        self._made_at = None

    # -- changing ------------------------------------------------------------------------------------------------

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at a position. Raises OutOfRangeError; DtypeMismatchError for another dtype."""
        element = self._converted(value)
        shape = self._learnt(element.shape)
        handle = ops.array_write(
            self.handle, index, element, dynamic_size=self._dynamic, **self._kinds(), name=name
        )
        made = self._with(handle, shape)
        position = _known(index)
        if self._reads and position is not None:
            made._reads = frozenset(read for read in self._reads if read[0] != position)
        return made

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` at these positions, a vector of integers."""
        rows = self._converted(value)
        shape = self._learnt(rows.shape[1:])
        handle = ops.array_scatter(
            self.handle, indices, rows, dynamic_size=self._dynamic, **self._kinds(), name=name
        )
        return self._with(handle, shape)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """An array with the rows of `value` as its elements, of that size."""
        rows = self._converted(value)
        shape = self._learnt(rows.shape[1:])
        count = REGISTRY["shape"](rows)[0]
        empty = ops.array_new(count)
        handle = ops.array_scatter(
            empty, REGISTRY["range"](0, count, 1), rows, dynamic_size=True, **self._kinds(), name=name
        )
        self._made_at = None
        return self._with(handle, shape)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with pieces of `value` of these lengths as its first elements."""
        rows = self._converted(value)
        handle = ops.array_split(self.handle, rows, lengths, dynamic_size=self._dynamic, **self._kinds(), name=name)
        return self._with(handle)

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at a position; zeros where nothing is written and the shape is known. Raises OutOfRangeError, and
        InvalidArgumentError for one that was read before and cleared by that; in graphs as far as that is known."""
        self.mark_used()
        reader = current_recorder()
        clears = reader is None if self._clears is None else self._clears
        read = (_known(index), reader and weakref.ref(reader)) if clears else None
        if read is not None and read in self._reads:
            raise InvalidArgumentError(
                f"Could not read index {read[0]} twice because it was cleared after a previous read; make the"
                " TensorArray with clear_after_read=False, or keep what was read"
            )
        element = self._element(index, name)
        if read is not None and read[0] is not None:
            self._reads |= {read}
        return element

    def _element(self, index: Any, name: str | None = None) -> Any:
        return ops.array_read(self.handle, index, **self._kinds(), name=name)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at these positions, a vector of integers, as one tensor with a new first axis."""
        return ops.array_gather(self.handle, indices, **self._kinds(), name=name)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor with a new first axis."""
        return ops.array_stack(self.handle, **self._kinds(), name=name)

    def concat(self, name: str | None = None) -> Tensor:
        """All elements one after the other along their first axis."""
        return ops.array_concat(self.handle, **self._kinds(), name=name)

    __as_tensor__ = stack

    def __len__(self) -> int:
        if not isinstance(self._handle, EagerTensor):
            raise OperatorNotAllowedInGraphError(
                "the length of a TensorArray is not known while the function is traced; call `size()`"
            )
        return int(self.size())

    def __iter__(self) -> Iterator[Any]:
        return iter([self._element(i) for i in range(len(self))])

    def __repr__(self) -> str:
        return f"<TensorArray of {self._dtype.name}{self._shape}>"

    # -- inside --------------------------------------------------------------------------------------------------

    def _kinds(self) -> dict[str, Any]:
        return {"element_dtype": self._dtype, "element_shape": self._shape}

    def _converted(self, value: Any) -> Any:
        try:
            element = convert_to_tensor(value, self._dtype)
        except (TypeError, ValueError) as error:
            raise DtypeMismatchError(f"a value for a TensorArray of {self._dtype.name}: {error}") from None
        return element

    def _learnt(self, shape: TensorShape) -> TensorShape:
        """What is known of the elements after one of this shape. Raises ValueError for one that does not fit."""
        if not self._shape.is_compatible_with(shape):
            raise ValueError(
                f"Inconsistent shapes: saw {shape} but expected {self._shape} (the elements of a TensorArray have one"
                " shape, unless it is made with infer_shape=False)"
            )
        return self._shape.merge_with(shape) if self._infers else self._shape

    # -- as a structure with its handle as the one part (runtime.nest)

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".handle", self.handle)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> TensorArray:
        return self._like(parts[0], self._shape)

    def _nest_check(self, other: Any) -> None:
        if self._dtype is not other._dtype:
            raise TypeError(f"a TensorArray of {self._dtype.name} and one of {other._dtype.name} have no common type")

    @staticmethod
    def _nest_joined(values: Sequence[TensorArray]) -> TensorShape | None:
        """What is known of the elements of all of them; None if their dtypes differ."""
        if any(value._dtype is not values[0]._dtype for value in values):
            return None
        shape = values[0]._shape
        for value in values[1:]:
            shape = shape.relax_with(value._shape)
        return shape

    def _nest_as(self, wanted: TensorShape | None) -> TensorArray:
        """The array, of whose elements no more is known than this."""
        return self if wanted is None else self._like(self.handle, wanted)

    def _nest_static(self) -> Any:
        """What of it is no tensor: two arrays that differ in it need a trace each."""
        return self._dtype.name, str(self._shape), self._infers, self._dynamic, self._clears
