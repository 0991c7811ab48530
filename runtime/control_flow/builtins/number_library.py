"""Functions of the standard library that are staged where a tensor is among their arguments: `math.sqrt(x)`.

    from math import sqrt               # or `import math as m`: what counts is the function that is called
    sqrt(x)                             # FUNCTIONS[math.sqrt](x) while a function is traced, and x is a tensor

All other calls are the library's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from autograph.operators import logic, membership
from autograph.operators.library import register_calls
from autograph.operators.slices import get_item
from runtime.context import current_recorder
from runtime.control_flow.builtins import kinds, mathematics, numbers, ordered_lists, statistics_functions
from runtime.control_flow.builtins.iterables import truth
from runtime.control_flow.builtins.number_items import as_numbers, holds_staged, whole
from runtime.control_flow.builtins.orders import has_objects
from runtime.heap.code import is_user_class
from runtime.ndarrays.chosen import ChosenArray
from runtime.ndarrays.guests import Guest
from runtime.ndarrays.traced import KnownArray, TracedArray
from runtime.state.variable import present_value
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["FUNCTIONS", "install"]

_OF_LATER_VERSIONS: Final[Mapping[str, Callable[..., Any]]] = {  # Python 3.14
    "is_none": lambda x: membership.is_(x, None),
    "is_not_none": lambda x: membership.is_not(x, None),
}

_COMPARING: Final[Mapping[Any, Callable[..., Any]]] = {
    **ordered_lists.FUNCTIONS,
    operator.contains: lambda container, item: membership.in_(item, container),
    operator.eq: logic.eq,
    operator.ge: logic.ge,
    operator.gt: logic.gt,
    operator.le: logic.le,
    operator.lt: logic.lt,
    operator.ne: logic.not_eq,
}
"""What compares what it is given: also objects of the user's, whose methods are code."""

FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    **ordered_lists.METHODS,
    **mathematics.FUNCTIONS,
    **statistics_functions.FUNCTIONS,
    **numbers.OF_CLASSES,
    **_COMPARING,
    operator.getitem: get_item,
    operator.index: lambda n: whole("index", n),
    operator.is_: membership.is_,
    operator.is_not: membership.is_not,
    operator.not_: logic.not_,
    operator.truth: truth,
    **{getattr(operator, name): staged for name, staged in _OF_LATER_VERSIONS.items() if hasattr(operator, name)},
}
"""What is called, and how it is staged."""


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if current_recorder() is None:
        return function(*args, **kwargs)
    values = (*args, *kwargs.values())
    if function in ordered_lists.METHODS and is_user_class(type(getattr(args[0], "_mapping", args[0]))):
        return FUNCTIONS[function](*args, **kwargs)
    if not holds_staged(values) and not (function in _COMPARING and has_objects(values)):
        return function(*args, **kwargs)
    given = [*map(present_value, args)]
    return as_numbers(FUNCTIONS[function](*given, **kwargs), given)


def install() -> None:
    """Converted code asks here from now on."""
    register_calls(FUNCTIONS, _call)
    SymbolicTensor.__ag_asked__ = staticmethod(kinds.asked)
    for kind in (TracedArray, KnownArray, ChosenArray, Guest):
        kind.__ag_asked__ = staticmethod(kinds.asked_of_array)
