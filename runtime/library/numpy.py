"""`runtime.numpy`: NumPy's functions under their own names, on tensors; also `runtime.experimental.numpy`.

    from runtime.library import numpy as tnp

    tnp.linspace(0, 1, 5).sum()             # a tensor; NumPy's dtypes: float64
    tnp.linalg.svd(tnp.ones((2, 2)))        # `linalg`, `fft` and `random` too

Arguments are tensors, arrays, lists and numbers; results are tensors with the dtypes that NumPy gives, eagerly and in
graphs, with gradients. Arrays that a Function works on stay arrays, which can be written to. What NumPy has and this
module has not raises AttributeError, with what to take instead. docs/numpy.md lists the functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from runtime import dtypes, promotion
from runtime.ops.records.record import REGISTRY
from runtime.structures import items_within
from runtime.tensor.convert import constant
from runtime.tensor.numpy_calls.operands import NotCovered
from runtime.tensor.numpy_calls.refused import OF_PYTHON, OUTSIDE, REFUSED
from runtime.tensor.numpy_calls.table import FUNCTIONS, function_call
from runtime.tensor.numpy_calls.ufunc_methods import METHODS, ufunc_call
from runtime.tensor.numpy_calls.ufuncs import UFUNCS
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["experimental_enable_numpy_behavior", "fft", "linalg", "ndarray", "random"]

ndarray = Tensor

_NARROW: Final = {
    dtypes.float64: dtypes.float32, dtypes.int64: dtypes.int32, dtypes.complex128: dtypes.complex64,
}  # fmt: skip
"""What `prefer_float32` makes of results that come from Python's numbers alone."""

_OWN: Final = OF_PYTHON | {
    "e", "euler_gamma", "finfo", "iinfo", "inf", "nan", "newaxis", "pi", "dtype", "errstate", "ndenumerate", "ndindex",
    "s_", "index_exp", "c_", "r_",
}  # fmt: skip
"""What is NumPy's own here: constants, dtypes, settings."""


@switches
def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> Any:
    """From now on operands of two dtypes are given a common one, in operators and operations, where they would be a
    DtypeMismatchError. (Tensors have NumPy's methods and indexing anyway.)

    dtype_conversion_mode: "legacy", NumPy's promotion; "all", a lattice in which integers beside a float take its
    dtype; "safe", of that only what loses nothing and widens nothing; "off", as without it. prefer_float32: Python's
    numbers alone are float32 and int32 in this module, and floats beside integers make float32. Traces that exist
    stay. In a `with` statement it holds until the end of the block.
    """
    return promotion.set_behavior(dtype_conversion_mode, prefer_float32)


def _carried_out(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    given = items_within([*args, *kwargs.values()])
    if any(hasattr(type(value), "__ag_traced_array__") for value in given):
        return function(*args, **kwargs)  # arrays of a graph know what it does to them
    try:
        if isinstance(function, np.ufunc):
            return ufunc_call(function, "__call__", _with_arrays(args), kwargs)
        return function_call(function, args, kwargs)
    except NotCovered as error:
        raise TypeError(f"runtime.numpy.{function.__name__}: {error}") from None


def _with_arrays(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands of a ufunc, as arrays where no tensor says what Python's numbers are."""
    return args if any(isinstance(value, Operators) for value in items_within(args)) else tuple(map(np.asarray, args))


def _wrapped(function: Any, name: str) -> Callable[..., Any]:
    @functools.wraps(function, assigned=("__doc__",), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        result = _carried_out(function, args, kwargs)
        given = items_within([*args, *kwargs.values()])
        is_new = not any(isinstance(value, Operators | np.ndarray | np.generic) for value in given)
        return _as_results(result, is_new and promotion.prefers_float32() and kwargs.get("dtype") is None)

    call.__name__ = call.__qualname__ = name
    if isinstance(function, np.ufunc):
        for method in METHODS:
            setattr(call, method, functools.partial(_method, function, method))
    return call


def _method(function: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
    """`add.reduce(x)` and the like."""
    given = tuple(constant(np.asarray(value)) if isinstance(value, list | tuple) else value for value in args[:1])
    return ufunc_call(function, method, (*given, *args[1:]), kwargs)


def _as_results(result: Any, narrow: bool) -> Any:
    """Tensors in the place of NumPy's arrays and numbers; shapes and numbers of axes are Python's."""
    if isinstance(result, list | tuple):
        parts = [_as_results(part, narrow) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    if isinstance(result, np.ndarray | np.generic):
        result = constant(result)
    if narrow and isinstance(result, Tensor) and result.dtype in _NARROW:
        return REGISTRY["cast"](result, _NARROW[result.dtype])
    return result


def _array(object: Any, dtype: Any = None, **kwargs: Any) -> Any:
    made = function_call(np.array, (object,), {"dtype": dtype, **kwargs} if dtype is not None else kwargs)
    return REGISTRY["identity"](made) if made is object else made


class _Room:
    """A module of NumPy, function by function."""

    def __init__(self, module: Any, place: str) -> None:
        self._module, self._place = module, place

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._module, name, None)
        if function is None:
            raise AttributeError(f"module 'numpy{self._place}' has no attribute {name!r}")
        if name in _OWN or (isinstance(function, type) and issubclass(function, np.generic)):
            return function
        known = self._place.removeprefix(".") + "." * bool(self._place) + name
        if (instead := REFUSED.get(known, OUTSIDE.get(known))) is not None:
            raise AttributeError(f"runtime.numpy{self._place}.{name} is not there: {instead}")
        try:
            is_here = function in FUNCTIONS or function in UFUNCS
        except TypeError:
            is_here = False
        if not is_here:
            raise AttributeError(f"runtime.numpy{self._place}.{name} is not there: it has no operation")
        made = _wrapped(function, name)
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return sorted(self._names())

    def _names(self) -> Iterator[str]:
        for name in self._module.__all__:
            try:
                getattr(self, name)
            except AttributeError:
                continue
            yield name


linalg = _Room(np.linalg, ".linalg")
fft = _Room(np.fft, ".fft")
_ROOM: Final = _Room(np, "")


def _drawn(low: Any, high: Any, size: Any, dtype: Any) -> Any:
    from runtime.library.random import uniform

    return uniform([] if size is None else np.atleast_1d(size).tolist(), low, high, dtype)


def _normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    from runtime.library.random import normal

    return normal([] if size is None else np.atleast_1d(size).tolist(), loc, scale, _float())


def _seed(s: int) -> None:
    from runtime.library.random import set_seed

    set_seed(s)


def _float() -> Any:
    return dtypes.float32 if promotion.prefers_float32() else dtypes.float64


random = SimpleNamespace(
    normal=_normal,
    rand=lambda *size: _drawn(0.0, 1.0, size or None, _float()),
    randint=lambda low, high=None, size=None: _drawn(
        0 if high is None else low, low if high is None else high, size, dtypes.int64
    ),
    randn=lambda *size: _normal(size=size or None),
    random=lambda size=None: _drawn(0.0, 1.0, size, _float()),
    seed=_seed,
    standard_normal=lambda size=None: _normal(size=size),
    uniform=lambda low=0.0, high=1.0, size=None: _drawn(low, high, size, _float()),
)
"""Draws of NumPy's shapes and dtypes by the operations of `runtime.random`: in a graph, anew in each run."""

array = _array


def __getattr__(name: str) -> Any:
    return getattr(_ROOM, name)


def __dir__() -> list[str]:
    return sorted({*__all__, "array", *dir(_ROOM)})
