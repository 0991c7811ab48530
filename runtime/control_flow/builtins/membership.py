"""`in` where tensors take part: whether any element equals the item, as one bool tensor.

    x in tensor          ->  reduce_any(equal(tensor, x))          elements are numpy's, at any rank
    x in [1, 4, y]       ->  reduce_any(equal(x, [1, 4])) or equal(x, y)
    x in range(0, n, 2)  ->  0 <= x and x <= last and x % 2 == 0
    "a" in text          ->  string_contains(text, "a")            for string tensors of rank 0

What is equal to an element, and what cannot be, is in comparisons.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime.control_flow.builtins.characters import is_text
from runtime.control_flow.builtins.comparisons import NEVER, SCALARS, alike, unless
from runtime.control_flow.optional.flags import all_of, any_of, both
from runtime.control_flow.optional.values import MaybeNone, is_none, presence, take
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.dtypes import float64
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.ndarrays.guests import BufferItems, Labelled
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.symbolic import text_class
from runtime.tensor.tensor import Tensor

__all__ = ["SEARCHES", "contains"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_FEW: Final = 16
"""A range of so few numbers is compared number by number."""



def contains(item: Any, container: Any) -> Any:
    """`item in container`: a bool where that is known while tracing, otherwise a bool scalar tensor."""
    if isinstance(container, Labelled):
        container.refuse("`in`")
    container = container if isinstance(container, BufferItems) else present_value(container)
    if isinstance(container, MaybeNone):
        container = take(container, "argument of type 'NoneType' is not iterable")
    if isinstance(item, MaybeNone) and not _has_text(container):
        seen = presence(item)
        is_found = both(seen.present, contains(seen.value, container))
        return any_of([is_found, both(is_none(item), contains(None, container))])
    search = SEARCHES.get(type(container))
    if search is not None:
        return search(item, container)
    if _has_text(container):
        return _in_text(item, container)
    if isinstance(container, Tensor):
        return _in_tensor(item, container)
    if isinstance(container, range) and isinstance(item, Tensor) and container[_FEW:] and item.dtype.is_numeric:
        return _in_range(item, container)
    if isinstance(container, Iterator):
        raise OperatorNotAllowedInGraphError(
            f"`in` consumes the {type(container).__name__} up to the first element that is equal, and which one that is"
            f" depends on a tensor; search a list of its elements: `x in list(...)`"
        )
    return _in_elements(item, list(container))


def _in_text(item: Any, text: Any) -> Any:
    if {text_class(item), text_class(text)} == {str, bytes}:
        raise TypeError("in: str and bytes are not taken together")
    if not _has_text(item):
        kind = f"a tensor of dtype {item.dtype.name}" if isinstance(item, Tensor) else type(item).__name__
        raise TypeError(f"'in <string>' requires string as left operand, not {kind}")
    return REGISTRY["string_contains"](text, item)


def _has_text(value: Any) -> bool:
    """Whether a value is one str or bytes, of Python's or of the graph."""
    return isinstance(value, str | bytes) or is_text(value) or text_class(value) is bytes


def _in_tensor(item: Any, tensor: Tensor) -> Any:
    item = alike(item, tensor)
    if item is NEVER:
        return False
    equal = tensor == item
    return equal if isinstance(equal, bool) else REGISTRY["reduce_any"](equal)


def _in_range(item: Any, numbers: range) -> Any:
    ordered = numbers if numbers.step > 0 else numbers[::-1]
    tests: list[Any] = []
    number: type[int] | type[float]
    if item.dtype.is_integer:  # the part of it that the dtype holds
        low, high = item.dtype.min, item.dtype.max
        below = max(0, -(-(low - ordered.start) // ordered.step))
        above = max(0, (high - ordered.start) // ordered.step + 1)
        ordered = ordered[below:above]
        if not ordered[_FEW:]:
            return _in_elements(item, list(ordered))
        number = int
    else:
        real, number = REGISTRY["cast"](item, float64), float  # which has all integers that programs count with
        if item.dtype.is_complex:
            tests.append(item == REGISTRY["cast"](real, item.dtype))
        item = real
    first, last, step = number(ordered[0]), number(ordered[-1]), number(ordered.step)
    tests += [item >= first, item <= last, item % step == first % step]
    return all_of(as_bool_scalar(test, "`in`") for test in tests)


SEARCHES: Final[dict[type, Callable[[Any, Any], Any]]] = {}
"""How a container of a type of its own is searched: (item, container) -> bool or bool tensor."""


def _in_elements(item: Any, elements: list[Any]) -> Any:
    if any(element is item for element in elements):
        return True
    found: list[Any] = []
    if isinstance(item, Tensor) and item.shape.rank == 0:
        numbers = [e for e in elements if isinstance(e, SCALARS)]
        elements = [e for e in elements if not isinstance(e, SCALARS)]
        numbers = [e for e in (alike(number, item) for number in numbers) if e is not NEVER]
        if len(numbers) > 1:
            found.append(REGISTRY["reduce_any"](REGISTRY["equal"](item, numbers)))
        else:
            elements = [*numbers, *elements]
    for element in elements:
        same = unless(found, element, item)
        if same is True:
            return True
        if same is not False:
            found.append(same)
    return any_of(found)
