"""`items.index(x)`, `items.count(x)`, `items.remove(x)`, `d.get(x)` where a tensor is an item, or is looked for.

    [a, b].count(2)        0 + cast(a == 2) + cast(b == 2)
    [a, b].index(2)        where(a == 2, 0, 1), and ValueError when the graph runs and neither is 2
    grown.index(2)         argmax(grown.stack() == 2), of a list that grows in the graph
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from autograph.errors import StagingTypeError
from autograph.operators.branch import if_exp
from autograph.operators.slices import get_item
from runtime.control_flow.builtins.comparisons import SCALARS, unless
from runtime.control_flow.builtins.membership import SEARCHES, contains
from runtime.control_flow.lists.keyed import equal_places, first_place, known_key
from runtime.control_flow.lists.rows import Row
from runtime.control_flow.lists.taken_in import grown_in_place
from runtime.control_flow.lists.tensor_list import TensorList, add_methods
from runtime.control_flow.loops.iteration import as_literal
from runtime.control_flow.optional.flags import all_of, ensure
from runtime.control_flow.optional.values import MaybeNone
from runtime.control_flow.statement.reaching import Reaching, given
from runtime.dtypes import int32
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["count", "get", "index", "remove"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def get(items: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`items.get(key, default)` of a key that only the run knows."""
    key = known_key(key)
    if not isinstance(key, SymbolicTensor):
        return items.get(key, default)
    found = contains(key, items)
    if isinstance(found, bool):
        return get_item(items, key) if found else default
    there = Reaching(lambda: get_item(items, key), (items,))
    return if_exp(found, there, given(default), "the key is in the dict")


# -- lists and tuples of Python


def count(method: Any, value: Any) -> Any:
    """How many items are equal to a value. method: `count` of a list or tuple."""
    if _is_plain(method.__self__, value):
        return NotImplemented
    equal = [contains(value, [item]) for item in method.__self__]
    known = sum(flag for flag in equal if isinstance(flag, bool))
    staged = [REGISTRY["cast"](flag, "int32") for flag in equal if not isinstance(flag, bool)]
    return as_literal(sum(staged[1:], staged[0]) + known) if staged else known


def index(method: Any, value: Any, start: int = 0, stop: int = sys.maxsize) -> Any:
    """The place of the first item that is equal. Raises ValueError, perhaps when the graph runs, if there is none."""
    if _is_plain(method.__self__, value):
        return NotImplemented
    kind = type(method.__self__).__name__
    return _place(method.__self__, value, slice(start, stop), f"{kind}.index(x): x not in {kind}")


def remove(method: Any, value: Any) -> Any:
    """`items.remove(value)`: the list grows from then on if only the run knows which item that is."""
    items: list[Any] = method.__self__
    if _is_plain(items, value):
        return NotImplemented
    place = _place(items, value, slice(None), "list.remove(x): x not in list")
    if isinstance(place, int):
        del items[place]
    else:
        grown_in_place(items, method).pop(place)
    return None


def _is_plain(items: Sequence[Any], value: Any) -> bool:
    """Whether Python can compare."""
    return all(value is None or type(value) in SCALARS for value in (*items, value))


def _place(items: Sequence[Any], value: Any, where: slice, message: str) -> Any:
    found: list[tuple[int, Any]] = []
    for place in range(*where.indices(len(items))):
        equal = items[place] is value or unless([flag for _, flag in found], items[place], value)
        if equal is not False:
            found.append((place, equal))
        if equal is True:
            break
    if not found:
        raise ValueError(message)
    if found[-1][1] is not True:
        flags = [flag for _, flag in found]
        ensure(flags[0] if len(flags) == 1 else REGISTRY["reduce_any"](REGISTRY["stack"](flags)), ValueError(message))
    result: Any = found[-1][0]
    for place, equal in reversed(found[:-1]):
        result = REGISTRY["where"](equal, place, result)
    return as_literal(result)


# -- lists that grow in a graph


def _equal_places(items: TensorList, value: Any) -> Any:
    """For each element whether it is equal to a value, as a vector of bools; None where none can be."""
    kind = items.known("search")
    if any(leaf.shape.rank != 0 for leaf in kind.leaves) or isinstance(value, MaybeNone):
        raise StagingTypeError(
            "what is looked for in a list that grows in a graph, or an element of it, is no scalar: which elements are"
            " equal is not defined. Compare in a `for` statement"
        )
    return equal_places(items, value)


def _contained(value: Any, items: TensorList) -> Any:
    if items.elements is None:  # it is empty
        return False
    flags = _equal_places(items, value)
    return False if flags is None else REGISTRY["reduce_any"](flags)


def _count(items: TensorList, value: Any) -> Any:
    if items.elements is None:
        return 0
    flags = _equal_places(items, value)
    return 0 if flags is None else as_literal(REGISTRY["reduce_sum"](REGISTRY["cast"](flags, int32)))


def _index(items: TensorList, value: Any, start: Any = 0, stop: Any = None) -> Any:
    return _place_in(items[start:stop], value, "list.index(x): x not in list") + _begin(items, start)


def _begin(items: TensorList, start: Any) -> Any:
    """Where a slice begins."""
    if type(start) is int and start == 0:
        return 0
    length = items.length()
    return REGISTRY["where"](start < 0, REGISTRY["maximum"](start + length, 0), start)


def _place_in(items: TensorList, value: Any, message: str) -> Any:
    flags = _equal_places(items, value)
    if flags is None:
        flags = REGISTRY["zeros_like"](items.columns()[0], dtype="bool")
    REGISTRY["check"](REGISTRY["reduce_any"](flags), message=message, exception="ValueError")
    return first_place(flags)


def _remove(items: TensorList, value: Any) -> None:
    items.pop(_place_in(items, value, "list.remove(x): x not in list"))


def _equal(items: TensorList, other: Any) -> Any:
    """`items == other`: as many elements, and each equal to the one in its place."""
    if items is other:
        return True
    if type(other) is not list and not isinstance(other, TensorList):
        return NotImplemented
    other = TensorList(other) if type(other) is list else other
    length, size = items.length(), other.length()
    if items.elements is None or other.elements is None:
        return REGISTRY["equal"](length, size)
    kind = items.elements.join(other.elements)
    items, other = (TensorList.like(kind, each.handles_as(kind)) for each in (items, other))
    common = REGISTRY["minimum"](length, size)
    pairs = zip(items[:common].columns(), other[:common].columns(), strict=True)
    parts = [REGISTRY["reduce_all"](REGISTRY["equal"](a, b)) for a, b in pairs]
    return all_of([REGISTRY["equal"](length, size), *parts])


def _differ(items: TensorList, other: Any) -> Any:
    equal = _equal(items, other)
    return equal if equal is NotImplemented else equal is not True and REGISTRY["logical_not"](equal)


SEARCHES[TensorList] = SEARCHES[Row] = _contained
add_methods(__eq__=_equal, __ne__=_differ, count=_count, index=_index, remove=_remove)
