"""Arrays of other libraries among the arguments: pandas, JAX, torch, array.array, memoryview, and all that has the
protocols `__array__` or `__dlpack__`. The function sees ndarrays.

    f(series)          the values, not the index; read only
    f(torch_tensor)    in the memory of torch, so that a write reaches the caller
    f(jax_array)       read only, as JAX has it

No library is imported: what an object is, its class or a module that is there already says. Objects of the user's own
classes with `__array__` alone are objects, whose methods are converted.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.dtypes import NUMBERS
from runtime.function.leaves import name_of
from runtime.function.object_keys import UnhashableError
from runtime.heap.foreign import BUFFERS, elements_of, is_foreign_class
from runtime.ndarrays.arguments import Seen
from runtime.tensor.array_classes import holds_numbers

__all__ = ["ForeignError", "as_ndarray", "as_ndarrays", "in_plain_python", "is_foreign"]

class ForeignError(UnhashableError):
    """Says of an array of another library that no trace can be chosen by it before it is an ndarray."""


def is_foreign(value: Any) -> bool:
    """Whether it is an array of another library, or a buffer of Python."""
    return is_foreign_class(type(value)) or bool(_pandas_kind(value))


def as_ndarrays(arguments: Mapping[str, Any], function: str) -> dict[str, Any]:
    """Arguments with ndarrays in the place of such arrays; what is one object is one ndarray. Raises TypeError.

    function: its name, for messages.
    """
    known: dict[int, Any] = {}

    def made(leaf: Any) -> Any:
        if not is_foreign(leaf):
            return leaf
        if id(leaf) not in known:
            known[id(leaf)] = as_ndarray(leaf, name_of(arguments, leaf) or "x")
        return known[id(leaf)]

    found = {name: _mapped(made, value) for name, value in arguments.items()}
    if not known:  # it is where no part of an argument is looked for
        raise TypeError(f"{function}(): an array of another library is in a set: put it in a list or tuple")
    return found


def in_plain_python(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments for a call that is not traced: ndarrays for arrays of other libraries; Python's buffers as they are."""
    made = lambda leaf: as_ndarray(leaf, "x").view(np.ndarray) if _is_of_library(leaf) else leaf
    return tuple(_mapped(made, value) for value in args), {k: _mapped(made, v) for k, v in kwargs.items()}


def _is_of_library(value: Any) -> bool:
    return type(value) not in BUFFERS and is_foreign(value)


def _mapped(made: Any, value: Any) -> Any:
    """A value with what is made of its leaves; the very object where all of them are what they were."""
    if not nest.is_nested(value):
        return made(value)
    return nest.map_structure(made, value) if any(map(is_foreign, nest.flatten(value))) else value


def as_ndarray(value: Any, name: str) -> Seen:
    """The elements of such an array: in its own memory where that is possible, else in a copy that is read only.

    name: of the argument, for messages. Raises TypeError where there is none.
    """
    kind = _pandas_kind(value)
    if kind:
        _check_columns(value, kind, name)
        return Seen.of(value.to_numpy(), kind, _refusal(name, value, "is read only in a graph"))
    try:
        made = elements_of(value)
    except Exception as error:
        raise TypeError(f"the argument {name!r}, {_of(value)}, gives no ndarray: {error}") from error
    if not holds_numbers(made):
        raise TypeError(
            f"the argument {name!r}, {_of(value)}, has elements of {made.dtype}, and a graph takes numbers and bools:"
            " convert them before the call"
        )
    if type(value) in BUFFERS:
        return Seen.of(made, BUFFERS[type(value)], "" if made.flags.writeable else "cannot modify read-only memory")
    again = elements_of(value)
    if again.__array_interface__["data"][0] != made.__array_interface__["data"][0] and made.size:
        return Seen.of(made, "", _refusal(name, value, "gives a copy of its elements, which a write would not reach"))
    return Seen.of(made, "", "" if made.flags.writeable else _refusal(name, value, "is read only"))


def _refusal(name: str, value: Any, why: str) -> str:
    return (
        f"assignment destination is read-only: the argument {name!r}, {_of(value)}, {why}. Write to a copy"
        f" ({name} = np.array({name})) and return it, or pass an ndarray"
    )


def _of(value: Any) -> str:
    kind = type(value)
    words = BUFFERS.get(kind) or f"{kind.__module__.partition('.')[0]} {kind.__name__}"
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


# -- pandas


def _pandas_kind(value: Any) -> str:
    """What it is of pandas, with its labels in words; nothing for what is not of pandas."""
    pandas: Any = sys.modules.get("pandas")
    series: Any = getattr(pandas, "Series", None)
    frame: Any = getattr(pandas, "DataFrame", None)
    given: Any = value
    if isinstance(frame, type) and isinstance(value, frame):
        return "DataFrame"
    if isinstance(index_of_pandas := getattr(pandas, "Index", None), type) and isinstance(value, index_of_pandas):
        return "Index"
    if not isinstance(series, type) or not isinstance(value, series):
        return ""
    index = given.index
    numbers = getattr(index, "start", None), getattr(index, "step", None)
    return "Series" if numbers == (0, 1) else "Series with labels"


def _check_columns(value: Any, kind: str, name: str) -> None:
    """Raises TypeError for columns that are no numbers, or are missing some."""
    is_frame = kind == "DataFrame"
    columns = list(zip(value.columns, value.dtypes, strict=True)) if is_frame else [(value.name, value.dtype)]
    for label, dtype in columns:
        if not isinstance(dtype, np.dtype) or dtype.kind not in NUMBERS:
            which = f"the column {label!r} of {name!r}" if is_frame else f"the {kind.split()[0]} {name!r}"
            raise TypeError(
                f"{which} has elements of {dtype}, and a graph takes the numbers and bools of numpy: convert it before"
                f" the call (.astype(...), .cat.codes), or leave it out ({name}.select_dtypes('number'))"
            )
    bools = [label for label, dtype in columns if dtype.kind == "b"]
    if bools and len(bools) < len(columns):
        raise TypeError(
            f"the column {bools[0]!r} of {name!r} is of bools, beside others of numbers, so that there is no ndarray of"
            f" both: pass {name}.astype(float)"
        )
