"""numpy's functions in converted code: where a tensor is among their arguments, they are asked for their operations.

    np.zeros(n)            ->   zeros([n]): numpy itself would want to know n now
    np.sum([x, y])         ->   reduce_sum(stack([x, y])): numpy asks no items of a list
    np.take(array, x)      ->   gather(array, x): numpy asks the first argument only

What numpy passes on by itself goes the same way. Everything else is numpy's own call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final, TypeGuard

import numpy as np

from autograph.operators.library import register_calls, register_methods, register_results
from runtime.context import current_recorder
from runtime.control_flow.lists.element_structures import of_columns
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.ref_members import as_value
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional.values import MaybeNone, presence, take
from runtime.ndarrays.calls import array_call
from runtime.ndarrays.iterators import ITERATORS
from runtime.ndarrays.parts import note_array
from runtime.ndarrays.restart import are_traced, as_seen
from runtime.ndarrays.sizes import with_sizes
from runtime.ndarrays.strided import STRIDED
from runtime.ndarrays.traced import TracedArray
from runtime.structures import items_within
from runtime.tensor.array_numbers import are_numbers, as_arrays
from runtime.tensor.eager import EagerTensor
from runtime.tensor.numpy_calls.operands import kind_of_elements, operand, to
from runtime.tensor.numpy_protocol import array_function
from runtime.tensor.tensor import Operators

__all__ = ["call_numpy", "install", "look_for_scipy"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def call_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a function of numpy in converted code."""
    if current_recorder() is None:
        return function(*args, **kwargs)
    if any(_may_be_none(value) for value in items_within([*args, *kwargs.values()])):
        args, kwargs = _there(args, function), {name: _there(value, function) for name, value in kwargs.items()}
    if any(type(value) is Ref for value in items_within([*args, *kwargs.values()])):
        args, kwargs = _with_values(args), {name: _with_values(value) for name, value in kwargs.items()}
    args, kwargs = tuple(map(with_sizes, args)), {name: with_sizes(value) for name, value in kwargs.items()}
    if any(map(_grows, items_within(args))):
        rows = tuple(map(_rows, args))
        is_array = function in (np.array, np.asarray, np.stack) and are_traced()
        return (array_call if is_array or _holds_arrays(rows) else array_function)(None, function, (), rows, kwargs)
    if function in STRIDED and (_holds_symbolic(args) or _holds_arrays(args)):
        return STRIDED[function](*args, **kwargs)
    if function in ITERATORS and (function is np.ndindex or _holds_arrays(args) or _is_gone_through(function, args)):
        return ITERATORS[function](*args, **kwargs)
    if not (_holds_symbolic(args) or _holds_symbolic(kwargs.values())):
        result = function(*args, **kwargs)
        given = (*args, *kwargs.values())
        return [as_seen(part, function, given) for part in result] if type(result) is list else result
    if function in CREATE or (_is_of_list(function, args) and are_traced()):  # an array of its own
        return array_call(None, function, (), args, kwargs)
    from runtime.tensor.numpy_calls.refused import is_refused
    from runtime.tensor.numpy_calls.scipy_modules import scipy_name
    from runtime.tensor.numpy_calls.table import FUNCTIONS, name_of

    of_numbers = are_numbers(items_within([*args, *kwargs.values()]))
    if isinstance(function, np.ufunc) or isinstance(getattr(function, "__self__", None), np.ufunc):
        is_at = getattr(function, "__name__", "") == "at"  # its second argument is a key
        result = function(*(args if is_at else map(_joined, args)), **kwargs)
        return as_arrays(result) if of_numbers else result
    if _holds_arrays(args) or _holds_arrays(kwargs.values()):
        return array_call(None, function, (), args, kwargs)
    if function in FUNCTIONS or is_refused(name_of(function)) or scipy_name(function):
        result = array_function(None, function, (), args, kwargs)
        if _is_of_list(function, args):
            note_array(result)
        return as_arrays(result) if of_numbers else result
    return function(*args, **kwargs)


def _may_be_none(value: Any) -> TypeGuard[MaybeNone]:
    """Whether it is an array where it is not None."""
    return isinstance(value, MaybeNone) and isinstance(presence(value).value, TracedArray)


def _there(value: Any, function: Any) -> Any:
    """An operand with the array itself where it may be None, also in a list: None is an error then."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(_there(part, function) for part in value)
    if not _may_be_none(value):
        return value
    if isinstance(function, np.ufunc) and function.nin == 1:
        of_none = f"argument 0 of type NoneType which has no callable {function.__name__} method"
        return take(value, f"loop of ufunc does not support {of_none}")
    return take(value, f"None is no array: np.{getattr(function, '__name__', function)} needs one")


def _with_values(value: Any) -> Any:
    """An operand with the numbers that members of enumerations are, also in a list."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(map(_with_values, value))
    return as_value(value)


def _is_gone_through(function: Any, args: Any) -> bool:
    """Whether the elements of a tensor are read one by one."""
    if function is np.broadcast:
        return _holds_symbolic(args)
    return function in (np.nditer, np.ndenumerate) and _holds_symbolic(args[:1])


def _grows(value: Any) -> bool:
    """Whether it is a list that grows."""
    kind = type(value)
    return hasattr(kind, "__as_tensor__") and hasattr(kind, "__ag_stack__") and not isinstance(value, Operators)


def _rows(value: Any) -> Any:
    """A list that grows as one tensor or array of all its elements, also in a list."""
    if isinstance(value, list | tuple):
        return type(value)(map(_rows, value))
    if not _grows(value):
        return value
    if isinstance(value, TensorList) and (known := value.known("stack")).holds_numbers:
        wanted = np.result_type(*(np.dtype(kind_of_elements(leaf.dtype, leaf.weak)) for leaf in known.leaves))
        rows = of_columns(known.pack([to(column, wanted) for column in value.columns()]))
        return value.__as_tensor__() if rows is None else as_arrays(rows)
    stacked = value.stack() if isinstance(value, TensorList) else None
    return stacked if isinstance(stacked, TracedArray) else value.__as_tensor__()


_MADE: Final[tuple[Any, ...]] = (
    np.zeros, np.ones, np.empty, np.full, np.arange, np.eye, np.identity, np.tri, np.linspace
)  # fmt: skip
CREATE: Final = frozenset(_MADE)
"""Functions that make an array of its own out of sizes and numbers."""


def _is_of_list(function: Any, args: Any) -> bool:
    """Whether it makes an array of a list, which is a tensor as long as the trace writes to no arrays."""
    return function in (np.array, np.asarray) and bool(args) and isinstance(args[0], list | tuple)


def _holds_symbolic(values: Iterable[Any]) -> bool:
    """Whether a value, or an item of a list or tuple, is one that only the run will know."""
    return any(isinstance(value, Operators) and type(value) is not EagerTensor for value in items_within(values))


def _joined(value: Any) -> Any:
    """A list that holds what only the run knows, for a ufunc: numpy asks no items of a list."""
    if not isinstance(value, list | tuple) or not _holds_symbolic(value):
        return value
    return array_call(None, np.array, (), (value,), {}) if _holds_arrays(value) else operand(value)


def _holds_arrays(values: Iterable[Any]) -> bool:
    """Whether a value, or an item of a list or tuple, is a traced array."""
    return any(isinstance(value, TracedArray) for value in items_within(values))


def _functions() -> list[Any]:
    public = [*vars(np).values(), *vars(np.linalg).values(), *vars(np.fft).values()]
    public = [f for f in public if callable(f) and (not isinstance(f, type) or issubclass(f, np.number | np.bool_))]
    return [*public, *ITERATORS, *STRIDED]


def look_for_scipy() -> None:
    """Converted code asks here for SciPy's functions in Python, too, if the program has imported them."""
    if "scipy" not in sys.modules:
        return
    from runtime.tensor.numpy_calls.scipy_modules import MODULES, imported, public
    from runtime.tensor.numpy_calls.table import FUNCTIONS

    if new := [name for name in MODULES if name in sys.modules and name not in _LOOKED_FOR]:
        FUNCTIONS.update(imported())
        register_calls(list(public()), call_numpy)
        _LOOKED_FOR.update(new)


_LOOKED_FOR: Final[set[str]] = set()


def install() -> None:
    """Converted code asks here from now on."""
    register_calls(_functions(), call_numpy)
    register_methods(np.ufunc, call_numpy)
    register_results(as_seen)
