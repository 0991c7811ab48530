"""Python's builtins on tensors: `len(x)`, `range(n)`, `round(x)`, `pow(a, b, m)` in a graph, and the table of all.

The table is asked first for calls with a tensor among the arguments, and while a function is traced also for the
builtins that look at what they are given (`any([a > 0, b > 0])`). A builtin that is not in the table, or whose function
gives NotImplemented, runs as Python's own.

Numbers are in numbers.py, iterators in iterables.py and zipping.py, what makes one value of many in reductions.py.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from runtime.array_errors import ScalarError
from runtime.control_flow.builtins import (
    characters,
    iterables,
    mathematics,
    next_item,
    numbers,
    reductions,
    searching,
    zipping,
)
from runtime.control_flow.builtins.number_items import as_numbers
from runtime.control_flow.lists import read_lists
from runtime.control_flow.lists.array_elements import note_rows
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.of_arrays import numbers_of
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops import endless
from runtime.control_flow.loops.iteration import as_literal, items_of, length_of
from runtime.dtypes import int64
from runtime.errors import InvalidArgumentError, of_the_trace
from runtime.ndarrays.traced import TracedArray, fresh
from runtime.ops.records.record import REGISTRY
from runtime.ops.text import elements as text_elements
from runtime.ops.text.output import PUBLIC
from runtime.tensor.literals import literal_dtype
from runtime.tensor.none_operands import refuse_none_as_an_integer
from runtime.tensor.tensor import Tensor

__all__ = ["COLLECT", "HAND_ON", "ITERATE", "OF_LISTS", "OVERLOADS", "check_element", "of_items"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def check_element(function: Any, args: tuple[Any, ...]) -> None:
    """Raises what numpy says where `int(array)` is asked for an array that is no one number to Python."""
    if function in (int, float, complex) and args and isinstance(args[0], TracedArray):
        shape = args[0].shape
        if shape.is_fully_defined():
            function(np.zeros(shape.as_tuple()))


def of_items(function: Any, args: tuple[Any, ...], result: Any) -> Any:
    """The result of a builtin; where it has gone through the items of an array, one of numpy's, as they are."""
    if function in COLLECT or (function in OF_ITEMS and function is not builtins.sum):  # which makes a new one
        result = numbers_of(args[0], note_rows(args[0], result)) if args else result
    if function in OF_NUMBERS:
        return as_numbers(result, args)
    if function not in OF_ITEMS or not isinstance(result, Tensor) or not isinstance(args[0], TracedArray):
        return result
    counted = args[0].dtype.is_bool and result.dtype.is_integer  # numpy's bools are added to Python's 0
    return fresh(REGISTRY["cast"](result, "int64") if counted else result)


def _len(x: Any) -> Any:
    """The first dimension: a Python int where it is known, else a tensor; of a text its characters."""
    if not isinstance(x, Tensor):
        if hasattr(type(x), "__ag_len__"):
            return x.__ag_len__()
        if hasattr(type(x), "__ag_iter__"):
            return type(x).__len__(x)
        if isinstance(x, iterables.StagedIterator | iterables.PushedIterator):
            raise TypeError(f"object of type '{x.kind}' has no len()")
        return as_literal(items_of(x).length)
    shape = x.shape
    if shape.rank == 0:
        if x.dtype.family == "string":
            return as_literal(text_elements.string_length(x, unit="UTF8_CHAR" if characters.is_text(x) else "BYTE"))
        raise ScalarError(f"len requires a non-scalar tensor, got one of shape {shape}")
    if shape.rank is None:
        rank = REGISTRY["rank"](x)
        REGISTRY["check"](rank > 0, [rank], message="len requires non-zero rank, got ", exception="ValueError")
    return as_literal(length_of(x))


_ABSENT: Final = object()


def _range(start: Any, stop: Any = _ABSENT, step: Any = 1) -> Any:
    if stop is _ABSENT:
        start, stop = 0, start
    for bound in (start, stop, step):
        if bound is None:
            refuse_none_as_an_integer()
        dtype = bound.dtype if isinstance(bound, Tensor) else literal_dtype(bound)
        if not (dtype.is_integer or dtype.is_bool):
            raise TypeError(
                f"'{dtype.name}' object cannot be interpreted as an integer; use runtime.range for steps of floats"
            )
    if isinstance(step, Tensor):
        REGISTRY["check"](step != 0, message="range() arg 3 must not be zero", exception="ValueError")
    elif step == 0:
        raise ValueError("range() arg 3 must not be zero")
    bounds = (REGISTRY["cast"](b, int64) if isinstance(b, Tensor) else b for b in (start, stop, step))
    counted = REGISTRY["range"](*bounds)
    counted.weak = True  # its items are Python numbers, which take the dtype of a tensor beside them
    return counted


def _print(*values: Any, **options: Any) -> Any:
    unknown = sorted(set(options) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError(f"invalid keyword arguments: {', '.join(unknown)}")
    options.pop("flush", None)
    if (file := options.pop("file", None)) is not None:
        options["output_stream"] = file
    return PUBLIC["print"](*values, **options)


def _reversed(sequence: Any) -> Any:
    if isinstance(sequence, Tensor) and sequence.shape.rank == 0 and not characters.is_text(sequence):
        raise InvalidArgumentError(f"cannot reverse a scalar tensor: {sequence} has no rows")
    return iterables.reversed_(sequence)


def _list(iterable: Any = ()) -> Any:
    """`list(iterable)`: a Python list where the length is known while tracing, else a list that grows in the graph."""
    if isinstance(iterable, TensorList):
        return iterable.copy()
    iterable = characters.characters(iterable)
    if not isinstance(iterable, Tensor):
        return collected(iterable)
    if iterable.shape.rank == 0 or isinstance(length_of(iterable), int):
        return NotImplemented
    return TensorList(iterable)


def _tuple(iterable: Any = ()) -> Any:
    """`tuple(iterable)` of what has a length that is known while tracing."""
    if isinstance(iterable, Tensor | TensorList):
        return NotImplemented
    made = collected(iterable)
    if isinstance(made, TensorList):
        raise of_the_trace(TypeError(
            "tuple() of items whose number is only known when the graph runs: the length of a tuple is part of its"
            " structure; use list()"
        ))
    return tuple(made)


OF_NUMBERS: Final = frozenset({builtins.float, builtins.pow, builtins.round, builtins.sorted})
"""What gives numbers of Python, made of such alone."""

COLLECT: Final = frozenset({builtins.list, builtins.tuple, builtins.sorted})
"""What keeps the items of its argument: those of an array are views of it."""

ITERATE: Final = frozenset(
    {builtins.enumerate, builtins.filter, builtins.iter, builtins.map, builtins.reversed, builtins.zip}
)
"""What hands on the items of its arguments one by one."""

HAND_ON: Final = ITERATE | {builtins.max, builtins.min, builtins.next, dict.get, itertools.repeat}
"""What may give one of its arguments itself, or hands on what these hold: it is asked with the values as they are."""

OF_ITEMS: Final = frozenset({builtins.max, builtins.min, builtins.sum})
"""What gives one item of an array, or something that is computed from them."""

OF_LISTS: Final[dict[Any, Callable[..., Any]]] = {**read_lists.OVERLOADS, list.remove: searching.remove}
"""What changes lists: asked with the values as they are, for these are only moved."""

OVERLOADS: Final[dict[Any, Callable[..., Any]]] = {
    builtins.all: partial(reductions.quantified, stops_at=False),
    builtins.any: partial(reductions.quantified, stops_at=True),
    builtins.bool: numbers.bool_,
    builtins.enumerate: iterables.enumerate_,
    builtins.filter: iterables.filter_,
    builtins.float: numbers.float_,
    builtins.int: numbers.int_,
    builtins.iter: iterables.iterator,
    itertools.count: endless.count,
    itertools.cycle: endless.cycle,
    itertools.repeat: endless.repeat,
    dict.get: searching.get,
    list.count: searching.count,
    list.index: searching.index,
    builtins.len: _len,
    builtins.list: _list,
    builtins.map: zipping.map_,
    builtins.max: partial(reductions.extreme, "max"),
    builtins.min: partial(reductions.extreme, "min"),
    builtins.next: next_item.next_,
    builtins.pow: numbers.pow_,
    builtins.print: _print,
    builtins.range: _range,
    builtins.reversed: _reversed,
    builtins.round: numbers.round_,
    builtins.sorted: reductions.sorted_,
    builtins.sum: reductions.sum_,
    builtins.tuple: _tuple,
    builtins.zip: zipping.zip_,
    **characters.OVERLOADS,
    **numbers.IN_BASES,
    builtins.complex: mathematics.complex_,
}
