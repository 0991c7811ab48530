"""`KeyedCounter`: a Counter of which only the run knows the keys.

    Counter(t) + Counter(u)             # loops of the graph over the pairs of both
    Counter(t).most_common(3)           # its pairs, sorted

Python's own code for the methods, which go through all pairs, is converted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from autograph.operators.call import converted_call
from autograph.options import ConversionOptions
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.builtins.reductions import sorted_
from runtime.control_flow.lists.grown import add_grown_kind
from runtime.control_flow.lists.keyed_dicts import KeyedDict
from runtime.control_flow.lists.operators import add_operators
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import as_literal
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["KeyedCounter", "most_common"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_CONVERTED: Final = ConversionOptions(recursive=True, user_requested=True)


def most_common(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`Counter.most_common`, also of one whose keys are known, and not all of its counts."""
    counter = args[0]
    if not any(isinstance(count, Tensor) for count in dict.values(counter)):
        return function(*args, **kwargs)
    return _most_common(list(counter.items()), *args[1:], **kwargs)


def _most_common(pairs: Any, n: Any = None) -> Any:
    ordered = sorted_(pairs, key=lambda pair: pair[1], reverse=True)
    return ordered if n is None else ordered[:n]


class KeyedCounter(KeyedDict):
    """See the module's docstring."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def most_common(self, n: Any = None) -> Any:
        """The pairs with the greatest counts, those of equal counts in their order."""
        return _most_common(self.items(), n)

    def total(self) -> Any:
        """The sum of the counts."""
        return 0 if self.rows.elements is None else as_literal(REGISTRY["reduce_sum"](self.values().stack()))

    def elements(self) -> Any:
        """Each key as often as it was counted."""
        return _run(_elements, self)

    def subtract(self, counted: Any = None, /, **named: Any) -> None:
        for other in (counted, named or None):
            if other is not None:
                _run(_subtract, self, other)

    def __delitem__(self, key: Any) -> None:
        """Nothing where the key is not there, as Python's Counter."""
        place, there = self.find(key)
        if there is not False:
            self.rows.take(self.rows[:place] + self.rows[place + 1 :])

    def __pos__(self) -> Any:
        return _run(_positive, self.with_rows(TensorList()), self)

    def __neg__(self) -> Any:
        return _run(_negative, self.with_rows(TensorList()), self)


def _run(function: Callable[..., Any], *args: Any) -> Any:
    return converted_call(function, args, None, None, _CONVERTED)


def _elements(counter: Any) -> Any:
    found = []
    for key, count in counter.items():
        for _ in range(count):
            found.append(key)
    return found


def _subtract(counter: Any, other: Any) -> None:
    if isinstance(other, dict):
        for key, count in other.items():
            counter[key] = counter.get(key, 0) - count
    else:
        for key in other:
            counter[key] = counter.get(key, 0) - 1


def _plus(made: Any, first: Any, second: Any) -> Any:
    for key, count in first.items():
        new = count + second.get(key, 0)
        if new > 0:
            made[key] = new
    for key, count in second.items():
        if key not in first and count > 0:
            made[key] = count
    return made


def _minus(made: Any, first: Any, second: Any) -> Any:
    for key, count in first.items():
        new = count - second.get(key, 0)
        if new > 0:
            made[key] = new
    for key, count in second.items():
        if key not in first and count < 0:
            made[key] = 0 - count
    return made


def _positive(made: Any, counter: Any) -> Any:
    for key, count in counter.items():
        if count > 0:
            made[key] = count
    return made


def _negative(made: Any, counter: Any) -> Any:
    for key, count in counter.items():
        if count < 0:
            made[key] = 0 - count
    return made


def _and(made: Any, first: Any, second: Any) -> Any:
    for key, count in first.items():
        new = min(count, second.get(key, 0))
        if new > 0:
            made[key] = new
    return made


def _or(made: Any, first: Any, second: Any) -> Any:
    for key, count in first.items():
        new = max(count, second.get(key, 0))
        if new > 0:
            made[key] = new
    for key, count in second.items():
        if key not in first and count > 0:
            made[key] = count
    return made


def _compared(relation: str) -> Callable[[Any, Any], Any]:
    """How two Counters compare: where a key is not there its count is 0."""

    def compare(first: Any, second: Any) -> Any:
        if not isinstance(second, Counter | KeyedCounter):
            as_dicts = getattr(KeyedDict, f"__{relation}__", None) if relation in ("eq", "ne") else None
            return NotImplemented if as_dicts is None else as_dicts(first, second)
        other = as_keyed(second)
        within, around = (_run(_included, *pair) for pair in ((first, other), (other, first)))
        return _RELATIONS[relation](within, around)

    return compare


def _included(first: Any, second: Any) -> Any:
    return all(count <= second.get(key, 0) for key, count in first.items()) and all(
        count >= first.get(key, 0) for key, count in second.items()
    )


_RELATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "eq": lambda within, around: REGISTRY["logical_and"](within, around),
    "ne": lambda within, around: REGISTRY["logical_not"](REGISTRY["logical_and"](within, around)),
    "le": lambda within, around: within,
    "ge": lambda within, around: around,
    "lt": lambda within, around: REGISTRY["logical_and"](within, REGISTRY["logical_not"](around)),
    "gt": lambda within, around: REGISTRY["logical_and"](around, REGISTRY["logical_not"](within)),
}


def as_keyed(counter: Any) -> Any:
    """A Counter of Python's as one of ours."""
    if isinstance(counter, KeyedCounter):
        return counter
    return KeyedCounter(TensorList(list(counter.items())), Counter())


_RULES: Final = {"add": _plus, "sub": _minus, "and": _and, "or": _or}


def _combined(first: KeyedCounter, second: KeyedCounter, rule: str) -> Any:
    return _run(_RULES[rule], first.with_rows(TensorList()), first, second)


def _operand(other: Any) -> Any:
    return as_keyed(other) if isinstance(other, Counter | KeyedCounter) else NotImplemented


add_operators(KeyedCounter, _RULES, _combined, _operand, lambda self, made: self.rows.take(made.rows))
for _name in _RELATIONS:
    setattr(KeyedCounter, f"__{_name}__", _compared(_name))

SEARCHES[KeyedCounter] = SEARCHES[KeyedDict]
add_grown_kind(KeyedCounter, "dict")
