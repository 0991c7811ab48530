"""The methods and attributes of numpy's arrays on tensors: `x.sum(axis=0)`, `x.reshape(2, -1)`, `x.T`, `x.astype(...)`.

>>> runtime.constant([[1, 2], [3, 4]]).T.sum(axis=0)
<tf.Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>

Each is the function of numpy under its name (`x.sum()` is `np.sum(x)`), so it is recorded while a graph is traced and
has numpy's dtypes. What would change an array in place is refused; what needs the value is there for eager tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from runtime.dtypes import DType, as_dtype
from runtime.ops.records.record import REGISTRY, Array
from runtime.shapes import TensorShape
from runtime.tensor.numpy_protocol import WRITTEN

if TYPE_CHECKING:
    from runtime.tensor.tensor import Tensor

__all__ = ["ArrayMethods", "no_attribute"]

_INSTEAD: Final = {
    "flat": "np.ravel(x) has the elements in a row", "view": "make it before the call, and pass the result",
    "byteswap": "make it before the call, and pass the result", "choose": "np.choose(x, arrays)",
    "tofile": "return the tensor",
    "argpartition": "np.argsort(x) has all of them in order", "base": "tensors share no memory",
    "strides": "a graph has no say in where elements lie", "flags": "tensors never change", "data": "return the tensor",
    "setflags": "tensors never change", "itemset": "`x[i] = v` in a converted function makes a new one",
} | dict.fromkeys(
    ("append", "clear", "count", "extend", "index", "insert", "pop", "remove", "reverse"),
    "a tensor is no list: `x = list(x)` makes one of its elements",
)  # fmt: skip
"""Attributes of numpy's arrays and of lists that tensors do not have, with what to take."""


def no_attribute(name: str) -> AttributeError:
    """The error for an attribute that tensors do not have."""
    remedy = f"; {_INSTEAD[name]}" if name in _INSTEAD else ""
    if name[:1] == "_" and name[:2] != "__":
        remedy = "; a library that takes values alone is to be called by a function given to runtime.py_function"
    return AttributeError(f"'Tensor' object has no attribute {name!r}{remedy}")


def _function(function: Any) -> Callable[..., Tensor]:
    """The method that calls a function of numpy with the tensor as its first argument."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = function.__name__
    method.__doc__ = f"The same as `np.{function.__name__}` of the tensor."
    return method


def _in_place(name: str, remedy: str) -> Callable[..., NoReturn]:
    def method(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(self, f"x.{name}(...)", remedy)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "Refused: tensors never change."
    return method


def _refuse(tensor: Any, what: str, remedy: str) -> NoReturn:
    for tell in WRITTEN:
        tell(tensor)
    raise TypeError(f"{what} would change a tensor in place, and tensors never change: {remedy}")


_TURNED: Final = "in a converted function `y = x.T` and then `y[i] = v` makes a new one"


def _part(name: str, doc: str, function: Any, remedy: str) -> Any:
    """What is a view of an array, and cannot be set."""

    def write(self: Any, value: Any) -> NoReturn:
        _refuse(self, f"x.{name} = ...", remedy)

    return property(lambda self: function(self), write, doc=doc)


# numpy's stubs do not know that its functions take whatever has `__array_function__`.
_compress: Any = np.compress
_reshape: Any = np.reshape
_size: Any = np.size
_transpose: Any = np.transpose


def _tensor(x: Any) -> Any:
    """The tensor itself; of a Variable, its present value."""
    method = getattr(type(x), "__as_tensor__", None)
    return x if method is None else method(x)


class ArrayMethods:
    """What tensors share with numpy's arrays. See the module's docstring."""

    __slots__ = ()

    dtype: DType
    shape: TensorShape

    if TYPE_CHECKING:  # what each kind has in its own way; symbolic tensors refuse what needs the value

        @property
        def device(self) -> str: ...
        def numpy(self) -> Array | Any: ...
        def set_shape(self, shape: Any) -> None: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __len__(self) -> int: ...
        def __contains__(self, item: Any) -> bool: ...
        def __bool__(self) -> bool: ...
        def __int__(self) -> int: ...
        def __index__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __round__(self, digits: int | None = None) -> Any: ...
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array: ...

    sum = _function(np.sum)
    prod = _function(np.prod)
    mean = _function(np.mean)
    std = _function(np.std)
    var = _function(np.var)
    min = _function(np.min)
    max = _function(np.max)
    argmin = _function(np.argmin)
    argmax = _function(np.argmax)
    any = _function(np.any)
    all = _function(np.all)
    cumsum = _function(np.cumsum)
    cumprod = _function(np.cumprod)
    dot = _function(np.dot)
    trace = _function(np.trace)
    diagonal = _function(np.diagonal)
    ravel = _function(np.ravel)
    flatten = _function(np.ravel)
    squeeze = _function(np.squeeze)
    swapaxes = _function(np.swapaxes)
    repeat = _function(np.repeat)
    take = _function(np.take)
    clip = _function(np.clip)
    round = _function(np.round)
    argsort = _function(np.argsort)
    searchsorted = _function(np.searchsorted)
    nonzero: Callable[..., tuple[Tensor, ...]] = _function(np.nonzero)  # type: ignore[assignment]
    conj = _function(np.conjugate)
    conjugate = _function(np.conjugate)

    fill = _in_place("fill", "np.full_like(x, value) makes a new one")
    sort = _in_place("sort", "np.sort(x) makes a new one")
    partition = _in_place("partition", "np.sort(x) makes a new one")
    put = _in_place("put", "np.where makes a new one, as does `x[i] = v` in a converted function")
    resize = _in_place("resize", "x.reshape(shape) makes a new one")

    def compress(self, condition: Any, axis: int | None = None, out: Any = None) -> Tensor:
        """The elements (or the slices along an axis) where a vector of bools is true."""
        return _compress(condition, self, axis, out)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Tensor:
        """The elements in another shape, given as a tuple or as its sizes; one of them may be -1."""
        wanted = shape[0] if len(shape) == 1 else shape
        return _reshape(self, wanted, order=order)

    def transpose(self, *axes: Any) -> Tensor:
        """The axes in another order, given as a tuple or one by one; reversed without arguments."""
        order = None if not axes or axes == (None,) else axes[0] if len(axes) == 1 else axes
        return _transpose(self, order)

    T: Tensor = _part("T", "The tensor with its axes in reversed order.", lambda x: REGISTRY["transpose"](x), _TURNED)
    mT: Tensor = _part("mT", "The tensor with its last two axes exchanged.", lambda x: x.swapaxes(-1, -2), _TURNED)
    real: Tensor = _part("real", "The tensor itself, if it is real.", np.real, "y + 1j * x.imag makes a new one")
    imag: Tensor = _part("imag", "Zeros, if the tensor is of real numbers.", np.imag, "x.real + 1j * y makes a new one")

    @property
    def flat(self) -> NoReturn:
        """No attribute of tensors: np.ravel(x) has the elements in a row."""
        raise AttributeError("flat")

    @flat.setter
    def flat(self, value: Any) -> NoReturn:
        _refuse(self, "x.flat = ...", "np.reshape(y, x.shape) makes a new one")

    @property
    def size(self) -> Any:
        """The number of elements: an integer, or where it is not known statically a tensor."""
        return _size(self)

    @property
    def itemsize(self) -> int:
        """Bytes an element."""
        return self.dtype.size

    @property
    def nbytes(self) -> Any:
        """Bytes of all elements."""
        return self.size * self.itemsize

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Tensor:
        """The tensor in another dtype. casting: which changes are allowed, as in numpy; TypeError for others."""
        tensor, wanted = _tensor(self), as_dtype(np.dtype(dtype) if isinstance(dtype, type) else dtype)
        if not np.can_cast(tensor.dtype.numpy, wanted.numpy, casting):  # type: ignore[arg-type]
            raise TypeError(f"Cannot cast a tensor from {tensor.dtype.name} to {wanted.name} by the rule {casting!r}")
        if tensor.dtype is wanted and not getattr(tensor, "weak", False):
            return tensor._copied() if copy else tensor
        return REGISTRY["cast"](tensor, wanted)

    def copy(self, order: str = "C") -> Tensor:
        """A tensor with the same elements; of a Variable, with its present value."""
        return _tensor(self)._copied()

    def item(self, *position: Any) -> Any:
        """The only element, or the one at a position, as a Python number: of a symbolic tensor, one that adapts."""
        tensor = _tensor(self)
        return tensor.item(*position) if tensor is not self else self._known("item").item(*position)

    def tolist(self) -> Any:
        """The elements as Python numbers, in nested lists; of a symbolic tensor, numbers that adapt."""
        return self._known("tolist").tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The elements as bytes, one after the other. Symbolic tensors have none yet."""
        return self._known("tobytes").tobytes(order)

    def _known(self, method: str) -> Array:
        tensor = _tensor(self)
        if not hasattr(type(tensor), "numpy"):
            tensor._refuse(
                f"asked for its value by `.{method}()`",
                "work on with the tensor itself, and ask the result of the function for its value",
            )
        return np.asarray(tensor)

    def __dlpack__(
        self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:  # fmt: skip
        """The value for other libraries, without a copy where they can be told that nobody may write to it."""
        array = self._known("__dlpack__")
        if max_version is None or max_version < (1, 0):
            return array.copy().__dlpack__(stream=stream)
        return array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU."""
        return np.empty(0).__dlpack_device__()
