"""`Tensor`: what eager and symbolic tensors share, which is the Python operators and the static facts.

`Operators` has the operators alone, for all that works like a tensor in Python's expressions (a Variable does, too).

    >>> runtime.constant([1, 2]) + 1
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([2, 3], dtype=int32)>

Each operator is an operation of the registry under the name in the method; the operand's rules are those of the
operation (tensors never change dtype by themselves, Python numbers adapt to the tensor).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from autograph.operators.patterns import SequencePattern
from runtime.context import current_recorder
from runtime.dtypes import DType
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape
from runtime.tensor.methods import ArrayMethods
from runtime.tensor.none_operands import MAYBE_NONE, refuse_none, words
from runtime.tensor.operator_rules import (
    ARRAYS,
    INSTEAD,
    REFLECTED,
    beside_an_array,
    counted,
    of_numbers_of_arrays,
    of_numpys_bools,
)
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor_like import TensorLike

__all__ = ["REPEATED", "Operators", "Tensor"]

REPEATED: Final[dict[type, Any]] = {}
"""By the type of a sequence: (sequence, tensor) -> it repeated; NotImplemented for what is no integer scalar."""


def _call(name: str, *operands: Any) -> Any:
    if type(operands[-1]) in MAYBE_NONE:
        operands = (operands[0], _taken(operands[1], name))
    of_array = len(operands) == 2 and (type(operands[0]) in ARRAYS or type(operands[1]) in ARRAYS)
    if of_array and (made := beside_an_array(name, *operands)) is not None:
        return made
    try:
        return REGISTRY[name](*operands)
    except TypeError:
        if (made := of_numpys_bools(name, operands)) is not None:
            return made
        if (made := of_numbers_of_arrays(name, operands)) is not None:
            return made
        if (numbers := counted(operands)) is not None:
            return REGISTRY[name](*numbers)
        if len(operands) == 2 and _has_operator_of_its_own(operands[1], name):
            return NotImplemented
        if operands[0] is not None and operands[-1] is not None:
            raise
    refuse_none(name, *operands)


def _taken(maybe: Any, name: str) -> Any:
    """The value of a right operand that may be None; Python's words for a tensor on the left where it is."""
    return type(maybe).__ag_take__(maybe, words(name, "Tensor", "NoneType"))


def _product(a: Any, b: Any) -> Any:
    """a @ b as numpy has it: a vector is a row on the left, a column on the right (`runtime.matmul` takes none)."""
    if a is None or b is None or _has_operator_of_its_own(b, "matmul"):
        return _call("matmul", a, b)
    vectors = [(x.ndim if isinstance(x, Operators) else np.ndim(x)) == 1 for x in (a, b)]
    if not any(vectors):
        return _call("matmul", a, b)
    left, right = ((_widened(x, axis) if vector else x) for x, axis, vector in ((a, 0, vectors[0]), (b, 1, vectors[1])))
    added = [axis for axis, vector in zip((-2, -1), vectors, strict=True) if vector]
    return REGISTRY["squeeze"](REGISTRY["matmul"](left, right), axis=added)


def _widened(x: Any, axis: int) -> Any:
    return REGISTRY["expand_dims"](x, axis=axis) if isinstance(x, Operators) else np.expand_dims(x, axis)


def _has_operator_of_its_own(value: Any, name: str) -> bool:
    """Whether the right operand is an object, no tensor and no array, whose class says what the operator means."""
    kind = type(value)
    if isinstance(value, Operators) or kind.__module__ in ("builtins", "numpy"):
        return False
    is_number = hasattr(kind, "as_integer_ratio")  # a Fraction, say, whose operators know no tensors
    if is_number or (name not in ("equal", "not_equal") and any(hasattr(kind, attribute) for attribute in INSTEAD)):
        return False
    method = getattr(kind, REFLECTED[name], None)
    return method is not None and method is not getattr(object, REFLECTED[name], None)


class Operators(ArrayMethods):
    """Python's operators as operations, and numpy's methods. Subclasses have a dtype and a static shape."""

    __slots__ = ()

    dtype: DType
    shape: TensorShape

    # Hashing by value is impossible (== is elementwise) and by identity misleading: `ref()` says what is meant.
    __hash__ = None  # type: ignore[assignment]

    # numpy arrays on the left give way to the reflected operators below.
    __array_priority__ = 100

    def get_shape(self) -> TensorShape:
        """The static shape, the same as `shape`."""
        return self.shape

    @property
    def ndim(self) -> int | None:
        """The number of dimensions; None when it is not known statically."""
        return self.shape.rank

    def __add__(self, other: TensorLike) -> Tensor:
        return _call("add", self, other)

    def __radd__(self, other: TensorLike) -> Tensor:
        return _call("add", other, self)

    def __sub__(self, other: TensorLike) -> Tensor:
        return _call("subtract", self, other)

    def __rsub__(self, other: TensorLike) -> Tensor:
        return _call("subtract", other, self)

    def __mul__(self, other: TensorLike) -> Tensor:
        if type(other) in REPEATED and (made := REPEATED[type(other)](other, self)) is not NotImplemented:
            return made
        return _call("multiply", self, other)

    def __rmul__(self, other: TensorLike) -> Tensor:
        if type(other) in REPEATED and (made := REPEATED[type(other)](other, self)) is not NotImplemented:
            return made
        return _call("multiply", other, self)

    def __truediv__(self, other: TensorLike) -> Tensor:
        return _call("divide", self, other)

    def __rtruediv__(self, other: TensorLike) -> Tensor:
        return _call("divide", other, self)

    def __floordiv__(self, other: TensorLike) -> Tensor:
        return _call("floordiv", self, other)

    def __rfloordiv__(self, other: TensorLike) -> Tensor:
        return _call("floordiv", other, self)

    def __mod__(self, other: TensorLike) -> Tensor:
        return _call("floormod", self, other)

    def __rmod__(self, other: TensorLike) -> Tensor:
        return _call("floormod", other, self)

    def __divmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]:
        if other is None:
            refuse_none("divmod", self, other)
        if type(other) in MAYBE_NONE:
            other = _taken(other, "divmod")
        return self // other, self % other

    def __rdivmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]:
        if other is None:
            refuse_none("divmod", other, self)
        found: Any = other // self, other % self
        return found

    def __pow__(self, other: TensorLike) -> Tensor:
        return _call("pow", self, other)

    def __rpow__(self, other: TensorLike) -> Tensor:
        return _call("pow", other, self)

    def __matmul__(self, other: TensorLike) -> Tensor:
        return _product(self, other)

    def __rmatmul__(self, other: TensorLike) -> Tensor:
        return _product(other, self)

    def __and__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_and", self, other)

    def __rand__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_and", other, self)

    def __or__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_or", self, other)

    def __ror__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_or", other, self)

    def __xor__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_xor", self, other)

    def __rxor__(self, other: TensorLike) -> Tensor:
        return _call("bitwise_xor", other, self)

    def __lshift__(self, other: TensorLike) -> Tensor:
        return _call("left_shift", self, other)

    def __rlshift__(self, other: TensorLike) -> Tensor:
        return _call("left_shift", other, self)

    def __rshift__(self, other: TensorLike) -> Tensor:
        return _call("right_shift", self, other)

    def __rrshift__(self, other: TensorLike) -> Tensor:
        return _call("right_shift", other, self)

    def __invert__(self) -> Tensor:
        return _call("invert", self)

    def __neg__(self) -> Tensor:
        return _call("negative", self)

    def __pos__(self) -> Tensor:
        return self  # type: ignore[return-value]  # a Variable gives its value

    def __abs__(self) -> Tensor:
        return _call("abs", self)

    def __lt__(self, other: TensorLike) -> Tensor:
        return _call("less", self, other)

    def __le__(self, other: TensorLike) -> Tensor:
        return _call("less_equal", self, other)

    def __gt__(self, other: TensorLike) -> Tensor:
        return _call("greater", self, other)

    def __ge__(self, other: TensorLike) -> Tensor:
        return _call("greater_equal", self, other)

    def __eq__(self, other: object) -> Tensor:  # type: ignore[override]
        if getattr(type(other), "__ag_maybe_none__", False):
            return NotImplemented  # it knows what to do where it is None
        found: Any = False if self._never_equal(other) else _call("equal", self, other)
        return found

    def __ne__(self, other: object) -> Tensor:  # type: ignore[override]
        if getattr(type(other), "__ag_maybe_none__", False):
            return NotImplemented
        found: Any = True if self._never_equal(other) else _call("not_equal", self, other)
        return found

    def _never_equal(self, other: object) -> bool:
        """== with None, or with a tensor whose shape cannot broadcast, is a plain False rather than an error."""
        if other is None:
            return True
        if not isinstance(other, Tensor):
            return False
        a, b = self.shape.dims, other.shape.dims
        if a is None or b is None:
            return False
        return any(x not in (y, 1, None) and y not in (1, None) for x, y in zip(a[::-1], b[::-1], strict=False))

    def __getitem__(self, key: Any) -> Tensor:
        from runtime.tensor.indexing import index_tensor  # it needs this class

        return index_tensor(self, key)


class Tensor(Operators):
    """A multi-dimensional array of one dtype that never changes. Made by operations, not by calling this class."""

    __slots__ = ()

    __ag_stack__: Any = None  # set by runtime.control_flow.lists.data_structures: autograph.stack outside of a trace
    _part: Any  # of a tensor that was read from a place of a Variable: what writes there

    @property
    def assign(self) -> Any:
        """`v[1:3].assign(value)` sets these elements of the Variable `v`. Other tensors have no such method."""
        return self._part.assign

    def ref(self) -> Reference:
        """A hashable handle that is equal only to handles of this very tensor: a key for dicts and sets."""
        return Reference(self)

    def _copied(self) -> Any:
        """What a program gets that asks for a copy: where a tensor is written to, it matters which one that is."""
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "A tensor cannot be changed in place; build a new one, e.g. with runtime.where or runtime.concat"
            " (in a converted function an assignment to an element makes a new tensor by itself)"
        )

    def __delitem__(self, key: Any) -> None:
        raise TypeError("The elements of a tensor cannot be deleted; build a new one, with slices and runtime.concat")

    def __ag_set_item__(self, key: Any, value: Any) -> Any:
        """What a converted function makes of `x[key] = value`: the new tensor that x is bound to."""
        from runtime.tensor.indexing import written  # it needs this class

        recorder: Any = current_recorder()
        if recorder is not None:
            recorder.recording.tracing.writes.note(self, is_item=True)
        return written(self, key, value)


SequencePattern.register(Tensor)  # `case [a, b]` takes a tensor of two rows, in plain Python too


class Reference:
    """A hashable handle of a tensor; `deref()` gives the tensor back."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def deref(self) -> Tensor:
        return self._tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._tensor is self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._tensor!r}>"


TensorSpec.value_type = Tensor
