"""`RaggedTensor`: rows of different lengths, as one tensor of all values and where each row begins in it.

>>> rows = RaggedTensor.from_row_splits(values=[3, 1, 4, 1, 5], row_splits=[0, 2, 2, 5])
>>> rows
<tf.RaggedTensor [[3, 1], [], [4, 1, 5]]>
>>> rows[2], rows.row_lengths()

Row i is values[row_splits[i]:row_splits[i + 1]]. The values may be ragged themselves: `ragged_rank` is how often.
A RaggedTensor never changes. Operations that work element by element take it as they take tensors, see
`runtime.composite.ragged_calls`; converted code goes through its rows with `for`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autograph.operators.stager import WHILE_TRACING
from runtime.composite import ragged_build as build
from runtime.composite.protocol import WithOperators, is_value, with_operators
from runtime.dtypes import DType, as_dtype, int64
from runtime.errors import OperatorNotAllowedInGraphError, ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.rows.rows import row_ids, row_splits_checked
from runtime.ops.rows.text import in_rows, text_of_rows
from runtime.shapes import TensorShape
from runtime.tensor.composites import HANDLERS
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["RaggedTensor"]


@with_operators
class RaggedTensor(WithOperators):
    """See the module's docstring. It is made by `from_row_splits` and its like, or `runtime.ragged.constant`."""

    __slots__ = ("_row_splits", "_uniform", "_values")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __array_priority__ = 150
    __hash__ = None  # type: ignore[assignment]

    _nest_open = frozenset({".values"})

    def __init__(self, values: Any, row_splits: Any, internal: bool = False, uniform: int | None = None) -> None:
        if not internal:
            raise ValueError(
                "a RaggedTensor is made by RaggedTensor.from_row_splits, from_row_lengths, from_value_rowids, ... or"
                " runtime.ragged.constant, which check that the rows fit the values"
            )
        self._values = values
        self._row_splits = row_splits
        self._uniform = uniform  # what is known of these row_splits: the length of every row

    from_nested_row_lengths = classmethod(build.from_nested_row_lengths)
    from_nested_row_splits = classmethod(build.from_nested_row_splits)
    from_nested_value_rowids = classmethod(build.from_nested_value_rowids)
    from_row_lengths = classmethod(build.from_row_lengths)
    from_row_limits = classmethod(build.from_row_limits)
    from_row_splits = classmethod(build.from_row_splits)
    from_row_starts = classmethod(build.from_row_starts)
    from_tensor = classmethod(build.from_tensor)
    from_uniform_row_length = classmethod(build.from_uniform_row_length)
    from_value_rowids = classmethod(build.from_value_rowids)

    @classmethod
    def from_sparse(cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = int64) -> Any:
        """The rows of a SparseTensor of rank 2, whose values stand at the beginning of their rows, without gaps."""
        from runtime.composite.ragged_dense import from_sparse

        return from_sparse(cls, st_input, as_dtype(row_splits_dtype))

    # -- what it is made of --------------------------------------------------------------------------------------

    @property
    def values(self) -> Any:
        """The rows one after the other: a tensor, or a RaggedTensor if ragged_rank > 1."""
        return self._values

    @property
    def row_splits(self) -> Tensor:
        """Where each row begins among the values, and where the last one ends: an integer vector."""
        return self._row_splits

    @property
    def flat_values(self) -> Tensor:
        """The innermost values, a tensor."""
        return self._levels()[-1]._values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row_splits of all ragged axes, the outermost first."""
        return tuple(level._row_splits for level in self._levels())

    def _levels(self) -> list[RaggedTensor]:
        """This tensor, its values if they are ragged, and so on."""
        levels: list[RaggedTensor] = [self]
        while isinstance(levels[-1]._values, RaggedTensor):
            levels.append(levels[-1]._values)
        return levels

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self._levels())

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape: None for ragged axes, unless all rows are known to have one length."""
        return self._shape([level._uniform for level in self._levels()])

    def _shape(self, sizes: Sequence[int | None]) -> TensorShape:
        """The static shape with these sizes of the ragged axes."""
        flat = self.flat_values.shape
        inner = flat[1:] if flat.rank is not None else TensorShape(None)
        return TensorShape([self._static_rows(), *sizes]).concatenate(inner)

    def get_shape(self) -> TensorShape:
        """The static shape, the same as `shape`."""
        return self.shape

    def _static_rows(self) -> int | None:
        size = self._row_splits.shape[0]
        return None if size is None else size - 1

    @property
    def uniform_row_length(self) -> Any:
        """The length of all rows, an integer scalar; None where they are not known to have one length.

        `from_uniform_row_length` and `from_tensor` know it. An argument of a Function, a branch and a loop forget it.
        """
        return None if self._uniform is None else convert_to_tensor(self._uniform, self._row_splits.dtype)

    # -- rows ----------------------------------------------------------------------------------------------------

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """How many rows there are, an integer scalar."""
        count = ops.shape(self._row_splits, out_type=_type_of_splits(self, out_type))[0]
        return ops.subtract(count, 1, name=name)

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The lengths of the rows: a vector; of a deeper ragged axis a RaggedTensor."""
        if axis > 1:
            deeper = self._values.row_lengths(axis - 1, name) if isinstance(self._values, RaggedTensor) else None
            if deeper is None:
                raise ShapeMismatchError(f"row_lengths: axis {axis} is no ragged axis of shape {self.shape}")
            return self._with(deeper)
        return ops.subtract(self._row_splits[1:], self._row_splits[:-1], name=name)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """The lengths of the rows of all ragged axes, the outermost first."""
        return tuple(level.row_lengths() for level in self._levels())

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row begins among the values."""
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends among the values."""
        return self._row_splits[1:]

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The number of the row of each value."""
        return row_ids(self._row_splits, name=name)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """`value_rowids` of all ragged axes, the outermost first."""
        return tuple(level.value_rowids() for level in self._levels())

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape of the smallest box that all rows fit into, or its size along an axis (or several of them)."""
        from runtime.composite.ragged_dense import bounding_shape

        return bounding_shape(self, axis, _type_of_splits(self, out_type))

    # -- with other parts ----------------------------------------------------------------------------------------

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values, of which there are as many. Raises ShapeMismatchError.

        Where a graph knows the numbers only when it runs, it is an InvalidArgumentError then.
        """
        values = new_values if isinstance(new_values, RaggedTensor) else convert_to_tensor(new_values)
        old, new = self._values.shape[:1], values.shape[:1]
        if values.shape.rank == 0 or not old.is_compatible_with(new):
            raise ShapeMismatchError(f"with_values: {new} new values cannot replace {old}: the shape is {values.shape}")
        if not (old.is_fully_defined() and new.is_fully_defined()):
            splits = row_splits_checked(self._row_splits, build.count_of(values, self._row_splits.dtype))
            return RaggedTensor(values, splits, internal=True, uniform=self._uniform)
        return self._with(values)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows, at all depths, of other innermost values. Raises as `with_values`."""
        *outer, inner = self._levels()
        made = inner.with_values(new_values)
        for level in reversed(outer):
            made = level._with(made)
        return made

    def _with(self, values: Any) -> RaggedTensor:
        """The same rows of other values, of which there are known to be as many."""
        return RaggedTensor(values, self._row_splits, internal=True, uniform=self._uniform)

    def _with_flat(self, values: Any) -> RaggedTensor:
        """The same rows, at all depths, of other innermost values, of which there are known to be as many."""
        made: Any = values
        for level in reversed(self._levels()):
            made = level._with(made)
        return made

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same rows with row_splits of dtype int32 or int64."""
        made: Any = self.flat_values
        for level in reversed(self._levels()):
            made = RaggedTensor(made, ops.cast(level._row_splits, as_dtype(dtype)), True, level._uniform)
        return made

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """The axes from outer_axis to inner_axis as one."""
        from runtime.composite.ragged_joins import merge_dims

        return merge_dims(self, outer_axis, inner_axis)

    # -- in other forms ------------------------------------------------------------------------------------------

    def to_tensor(self, default_value: Any = None, name: str | None = None, shape: Any = None) -> Tensor:
        """A tensor with rows of one length: shorter ones are filled with default_value (0), longer ones are cut.

        shape: its shape, None for the length of the longest row.
        """
        from runtime.composite.ragged_dense import to_tensor

        return to_tensor(self, default_value, shape)

    def to_sparse(self, name: str | None = None) -> Any:
        """A SparseTensor with these values, in the bounding box of the rows."""
        from runtime.composite.ragged_dense import to_sparse

        return to_sparse(self)

    def to_list(self) -> list[Any]:
        """The rows as nested lists. Raises OperatorNotAllowedInGraphError while they are only known in a graph."""
        made: list[Any] = self._eager("to_list()").tolist()
        for splits in reversed(self.nested_row_splits):
            made = [made[a:b] for a, b in itertools.pairwise(splits._array.tolist())]
        return made

    def numpy(self) -> Any:
        """The rows as an ndarray if they all have one length, else as an object array of ndarrays."""
        return in_rows(self._eager("numpy()").copy(), [splits._array for splits in self.nested_row_splits])

    def _eager(self, what: str) -> Any:
        """The innermost values as an array. Raises OperatorNotAllowedInGraphError while a graph is to compute them."""
        parts = [self.flat_values, *self.nested_row_splits]
        if not all(isinstance(part, EagerTensor) for part in parts):
            raise OperatorNotAllowedInGraphError(
                f"{what} needs the values of a RaggedTensor, which are only known when the graph runs"
            )
        return parts[0]._array

    def __repr__(self) -> str:
        parts: list[Any] = [self.flat_values, *self.nested_row_splits] if self._is_complete() else []
        if parts and all(isinstance(part, EagerTensor) for part in parts):
            return text_of_rows(parts[0]._array, [splits._array for splits in parts[1:]])
        return f"tf.RaggedTensor(values={self._values!r}, row_splits={self._row_splits!r})"

    def __ag_print__(self) -> list[Any]:
        return [ops.ragged_text(self.flat_values, list(self.nested_row_splits))]

    def _is_complete(self) -> bool:
        return all(is_value(level._row_splits) for level in self._levels()) and is_value(self.flat_values)

    # -- as a sequence of rows -----------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        from runtime.composite.ragged_index import item

        return item(self, key)

    def __iter__(self) -> Iterator[Any]:
        count = self._static_rows()
        if count is None:
            raise OperatorNotAllowedInGraphError(
                "the number of rows of a RaggedTensor is not known while the function is traced, so Python cannot go"
                " through them; a `for` statement in a converted function can"
            )
        return (self[i] for i in range(count))

    def __ag_items__(self) -> tuple[Any, Callable[[Any], Any]]:
        count = self._static_rows()
        return (self.nrows(out_type="int32") if count is None else count), lambda position: self[position]

    def __bool__(self) -> bool:
        raise TypeError("a RaggedTensor has no truth value; reduce it first, e.g. with runtime.reduce_any")

    # -- as a structure (runtime.composite.protocol) -------------------------------------------------------------

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".values", self._values), (".row_splits", self._row_splits)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        if isinstance(parts[1], TensorSpec):
            from runtime.composite.ragged_spec import RaggedTensorSpec

            return RaggedTensorSpec.of_parts(*parts)
        values, row_splits = parts
        if row_splits is None:  # these are gradients, and integers have none
            return None if values is None else RaggedTensor(values, self._row_splits, internal=True)
        known = self._uniform if row_splits is self._row_splits else None  # of other row_splits nothing is known
        return RaggedTensor(values, row_splits, internal=True, uniform=known)

    def _nest_invariant(self, shape: Any) -> Any:
        from runtime.composite.ragged_spec import RaggedTensorSpec

        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _nest_check(self, other: Any) -> None:
        if not isinstance(other, RaggedTensor):
            raise TypeError(f"a RaggedTensor and a value of type {type(other).__name__} have no common structure")
        if self.ragged_rank != other.ragged_rank:
            raise TypeError(
                f"RaggedTensors of ragged_rank {self.ragged_rank} and {other.ragged_rank} have no common structure"
            )


def _carried_out(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """An operation on ragged tensors; what carries them out is imported with the first of them."""
    from runtime.composite.ragged_calls import handle

    return handle(op, args, kwargs)


HANDLERS[RaggedTensor] = _carried_out


def _type_of_splits(ragged: RaggedTensor, out_type: Any) -> DType:
    dtype: DType = ragged._row_splits.dtype
    return dtype if out_type is None else as_dtype(out_type)

