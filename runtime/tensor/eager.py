"""`EagerTensor`: a tensor that has its value, around a numpy array that nobody may write to.

>>> print(constant([1, 2]))
tf.Tensor([1 2], shape=(2,), dtype=int32)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.operators.stager import WHILE_TRACING
from runtime.config import CPU_NAME
from runtime.dtypes import DType, from_numpy
from runtime.ops.records.record import REGISTRY, Array, is_wrapped
from runtime.ops.text.strings import format_of, repr_of, str_of, text_in
from runtime.shapes import TensorShape
from runtime.tensor.methods import no_attribute
from runtime.tensor.numpy_protocol import array_function, array_ufunc
from runtime.tensor.tensor import Tensor

__all__ = ["EagerTensor"]


class EagerTensor(Tensor):
    """A tensor with a value. `numpy()` gives it as an array (or numpy scalar) that is read-only."""

    __slots__ = ("__weakref__", "_array", "_part")

    __ag_stager__ = WHILE_TRACING  # in a trace a loop over a captured tensor is the graph's; elsewhere it just runs
    __array_ufunc__ = array_ufunc
    __array_function__ = array_function

    def __init__(self, array: Array) -> None:
        """Takes ownership of `array`: the caller hands over an array that no one else writes to."""
        self._array = array

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        found = from_numpy(self._array.dtype)
        assert found is not None
        return found

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]
        return TensorShape(self._array.shape)

    @property
    def ndim(self) -> int:
        return self._array.ndim

    @property
    def device(self) -> str:
        return CPU_NAME

    def set_shape(self, shape: Any) -> None:
        """Checks what the caller says of the shape, as in a trace, where it is made use of. Raises ValueError."""
        self.shape.merge_with(shape)

    def numpy(self) -> Array | Any:
        """The value: a read-only numpy array, for rank 0 a numpy scalar (bytes for strings)."""
        array = self._array
        if array.ndim == 0:
            return array[()]
        view = array.view()
        view.flags.writeable = False
        return view

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False and dtype is not None and np.dtype(dtype) != self._array.dtype:
            raise ValueError("a copy is needed to change the dtype")
        if dtype is not None and np.dtype(dtype) != self._array.dtype:
            return self._array.astype(dtype)
        view = self._array.copy() if copy else self._array.view()
        if not copy:
            view.flags.writeable = False
        return view

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise ValueError(
                f"The truth value of a tensor of shape {self.shape} is ambiguous; "
                "use runtime.reduce_any or runtime.reduce_all"
            )
        return bool(self._array.reshape(())[()])

    def __int__(self) -> int:
        return int(self._one("int"))

    def __float__(self) -> float:
        return float(self._one("float"))

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if not self.dtype.is_integer or self._array.ndim:
            raise TypeError(f"only a scalar integer tensor is an index; got shape {self.shape}, {self.dtype.name}")
        return int(self._array[()])

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._one("round").item(), digits)

    def _one(self, what: str) -> Any:
        if self._array.size != 1:
            raise TypeError(f"{what}() needs a tensor with one element; got shape {self.shape}")
        array = self._array.reshape(())
        return text_in(array) if array.dtype == object else array[()]

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("len() of a scalar tensor")
        return len(self._array)

    def __iter__(self) -> Iterator[EagerTensor]:
        if not self._array.ndim:
            raise TypeError("Cannot iterate over a scalar tensor")
        if is_wrapped() and self.dtype.family in ("float", "complex"):  # a tape wants to know where the rows come from
            return iter(REGISTRY["unstack"](self) or ())
        return (EagerTensor(np.asarray(row, dtype=self._array.dtype)) for row in self._array)

    def __contains__(self, item: Any) -> bool:
        if self._array.ndim == 0 and self._array.dtype == object:
            return bool(REGISTRY["string_contains"](self, item)._array)  # it is text
        return bool(np.any(np.asarray(self == item)))

    def __format__(self, spec: str) -> str:
        return format_of(self._array, spec)

    def __str__(self) -> str:
        return str_of(self._array)

    def __repr__(self) -> str:
        return repr_of(self._array)

    def _repr_html_(self) -> str:
        from runtime.pictures.reading import type_text  # loaded when a notebook shows a tensor
        from runtime.pictures.tables import of_array

        numbers = self.dtype.is_floating or self.dtype.is_integer
        return of_array(self._array, "Tensor", type_text(self), numbers)

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return EagerTensor, (self._array,)

    def __getattr__(self, name: str) -> Any:
        if name in ("op", "graph", "name"):
            raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled: the tensor has a value")
        raise no_attribute(name)


def wrap(result: Any, dtype: np.dtype[Any]) -> EagerTensor:
    """The tensor around the result of a kernel: an array of the right dtype, or a numpy scalar made into one."""
    if type(result) is not np.ndarray or result.dtype != dtype:
        result = np.asarray(result, dtype=dtype)
    return EagerTensor(result)
