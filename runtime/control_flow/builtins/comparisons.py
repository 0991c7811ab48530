"""`==`, `<` and the others of what holds tensors: item by item, as Python compares, and no further than it does.

    equal((x, 1), (2, y))                   # x == 2 and 1 == y
    ordered(operator.lt, (x, 1), (2, y))    # x < 2 or (x == 2 and 1 < y)
    equal(p, q)                             # of objects what their `__eq__` gives

What cannot be equal is not compared: text beside numbers, 2.5 beside integers, 300 beside uint8, None.
"""

from __future__ import annotations

import functools
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from autograph.operators.branch import if_exp
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.objects.ref_members import as_value
from runtime.control_flow.optional.flags import all_of, any_of, both, either, negated
from runtime.control_flow.optional.values import MaybeNone, is_none, presence
from runtime.control_flow.statement.reaching import Reaching
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.dtypes import float64
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "NEVER", "SCALARS", "alike", "equal", "equal_items", "not_equal", "ordered", "runs_no_code", "unless",
]  # fmt: skip

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

NEVER: Final = object()
SCALARS: Final = (bool, int, float, complex, str, bytes)
_SEQUENCES: Final[tuple[type, ...]] = (tuple, list, deque)

Order = Callable[[Any, Any], Any]


def equal(a: Any, b: Any) -> Any:
    """`a == b`; of two containers a bool or a bool scalar tensor."""
    if (parts := _parts(a, b)) is not None:
        return parts if isinstance(parts, bool) else _all_equal(*parts)
    return a == b


def not_equal(a: Any, b: Any) -> Any:
    """`a != b`, likewise; where Python makes it of `==`, its opposite."""
    if _parts(a, b) is None and not (_is_opposite(a, b) or _is_opposite(b, a)):
        return a != b
    return negated(equal(a, b))


def _is_opposite(a: Any, b: Any) -> bool:
    """Whether `a != b` is nothing but `not a == b`: of an object whose class has no `__ne__`."""
    return _has_no_other(a) and (_has_no_other(b) or isinstance(b, SCALARS))


def _has_no_other(value: Any) -> bool:
    kind: Any = type(value)
    return kind.__ne__ is object.__ne__


def ordered(order: Order, a: Any, b: Any) -> Any:
    """`a < b`, or what else `order` is; of two sequences a bool or a bool scalar tensor. Raises TypeError as Python."""
    pair = _sequences(a, b)
    if pair is None or getattr(type(a), name := f"__{order.__name__}__") is not getattr(pair, name):
        return order(a, b)
    firsts, seconds = list(a), list(b)
    may_decide: list[tuple[Any, Any]] = []
    result = order(len(firsts), len(seconds))
    for place, (x, y) in enumerate(zip(firsts, seconds, strict=False)):
        same = x is y or equal_items(x, y)
        if same is True:
            continue
        if same is False:
            result = ordered(order, x, y)
            break
        if not (runs_no_code(x) and runs_no_code(y)):
            rest = firsts[place + 1 :], seconds[place + 1 :]
            later = Reaching(functools.partial(ordered, order, *rest), rest)
            here = Reaching(functools.partial(ordered, order, x, y), (x, y))
            result = if_exp(same, later, here, "the items before are equal")
            break
        may_decide.append((same, ordered(order, x, y)))
    for same, there in reversed(may_decide):
        result = either(both(same, result), both(negated(same), there))
    return result


def equal_items(item: Any, element: Any) -> Any:
    """`item == element` as a bool or a bool scalar tensor."""
    if isinstance(item, MaybeNone):
        item, element = element, item
    if isinstance(element, MaybeNone):
        seen = presence(element)
        return is_none(element) if item is None else both(seen.present, equal_items(item, seen.value))
    if not isinstance(item, Tensor):
        if not isinstance(element, Tensor):
            same = equal(item, element)
            return as_bool_scalar(same, _IN) if isinstance(same, Tensor) else bool(same)
        item, element = element, item
    if not isinstance(element, Tensor):
        element = alike(element, item)
    same = False if element is NEVER else item == element
    return same if isinstance(same, bool) else as_bool_scalar(same, _IN)


_IN: Final = "comparison with an element, in `in`,"


def unless(found: list[Any], item: Any, element: Any) -> Any:
    """`item == element`, which is not asked where one of the tests before holds; it is True then."""
    if not found or (runs_no_code(item) and runs_no_code(element)):
        return equal_items(item, element)
    asked = Reaching(functools.partial(equal_items, item, element), (item, element))
    return if_exp(any_of(found), lambda: True, asked, "one before is equal")


def _sequences(a: Any, b: Any) -> type | None:
    """The class of sequences that both are of."""
    return next((kind for kind in _SEQUENCES if isinstance(a, kind) and isinstance(b, kind)), None)


def _is_of_python(value: Any) -> bool:
    """Whether a tensor stands for a number or text of Python's, which no list is equal to."""
    return isinstance(value, SymbolicTensor) and value.weak and not value.of_array and value.shape.rank == 0


def _parts(a: Any, b: Any) -> tuple[Sequence[Any], Sequence[Any]] | bool | None:
    """What Python compares of two containers, pair by pair; False where it need not, None of what are none."""
    if (_is_of_python(a) and type(b) in _SEQUENCES) or (_is_of_python(b) and type(a) in _SEQUENCES):
        return False
    kind = _sequences(a, b)
    if kind is not None and type(a).__eq__ is kind.__eq__ and type(b).__eq__ is kind.__eq__:
        return False if len(a) != len(b) else (list(a), list(b))
    if not (_is_dict(a) and _is_dict(b)):
        return None
    in_order = isinstance(a, OrderedDict) and isinstance(b, OrderedDict)
    if list(a) != list(b) if in_order else a.keys() != b.keys():
        return False
    return list(a.values()), [b[key] for key in a]


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict) and type(value).__eq__ in (dict.__eq__, OrderedDict.__eq__)


def _all_equal(firsts: Sequence[Any], seconds: Sequence[Any]) -> Any:
    """Whether all items are equal, of two sequences of one length; each is equal to itself, as for Python."""
    tests: list[Any] = []
    for place, (x, y) in enumerate(zip(firsts, seconds, strict=True)):
        if x is y:
            continue
        if tests and not (runs_no_code(x) and runs_no_code(y)):
            rest = firsts[place:], seconds[place:]
            later = Reaching(functools.partial(_all_equal, *rest), rest)
            return if_exp(all_of(tests), later, lambda: False, "the items before are equal")
        same = equal_items(x, y)
        if same is False:
            return False
        if same is not True:
            tests.append(same)
    return all_of(tests)


def runs_no_code(value: Any) -> bool:
    """Whether comparing it calls no method of the user's, so that it may be done whatever comes before."""
    if type(value) in (tuple, list):
        return all(map(runs_no_code, value))
    return value is None or isinstance(value, Tensor | np.generic | np.ndarray) or type(value) in SCALARS


def alike(value: Any, like: Any) -> Any:
    """A Python value as one that a tensor may equal, or NEVER. like: the tensor, or its type."""
    known, value = LeafType.of(like), as_value(value)
    if isinstance(value, list | tuple) and known.shape.rank == 0:
        return NEVER
    dtype = known.dtype
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Tensor | np.ndarray | list | tuple):
        return value
    if not isinstance(value, SCALARS) or isinstance(value, str | bytes) != (dtype.family == "string"):
        return NEVER
    if isinstance(value, str | bytes):
        return value if known.text is None or isinstance(value, known.text) else NEVER
    if dtype.is_complex:
        return complex(value) if isinstance(value, complex) or abs(value) <= float64.max else NEVER
    if isinstance(value, complex):
        if value.imag:
            return NEVER
        value = value.real
    if dtype.is_floating:
        return float(value) if isinstance(value, float) or abs(value) <= dtype.max else NEVER
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        return NEVER
    if dtype.is_bool:
        return bool(value) if value in (0, 1) else NEVER
    return int(value) if dtype.min <= value <= dtype.max else NEVER
