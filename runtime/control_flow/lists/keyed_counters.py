"""`KeyedCounter`: a Counter of which only the run knows the keys.

    Counter(t) + Counter(u)             # loops of the graph over the pairs of both
    Counter(t).most_common(3)           # its pairs, sorted

Python's own code for the methods, which go through all pairs, is converted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.builtins.reductions import sorted_
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import add_grown_kind
from runtime.control_flow.lists.keyed import column_of, is_staged_key, items_of, list_of_columns
from runtime.control_flow.lists.keyed_dicts import KeyedDict
from runtime.control_flow.lists.operators import add_operators
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import as_literal
from runtime.ops.records.record import REGISTRY
from runtime.state.calling import call_converted
from runtime.tensor.tensor import Tensor

__all__ = ["KeyedCounter", "add_counter_methods", "keyed_counter", "most_common"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def most_common(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`Counter.most_common`, also of one whose keys are known, and not all of its counts."""
    counter = args[0]
    if not any(isinstance(count, Tensor) for count in dict.values(counter)):
        return function(*args, **kwargs)
    return in_order_of_counts(list(counter.items()), *args[1:], **kwargs)


def in_order_of_counts(pairs: Any, n: Any = None) -> Any:
    ordered = sorted_(pairs, key=lambda pair: pair[1], reverse=True)
    return ordered if n is None else ordered[:n]


class KeyedCounter(KeyedDict):
    """See the module's docstring."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def total(self) -> Any:
        """The sum of the counts."""
        return 0 if self.rows.elements is None else as_literal(REGISTRY["reduce_sum"](self.values().stack()))

    def update(self, counted: Any = None, /, **named: Any) -> None:
        self._count(_add, counted, named)

    def subtract(self, counted: Any = None, /, **named: Any) -> None:
        self._count(_subtract, counted, named)

    def _count(self, change: Callable[..., Any], counted: Any, named: dict[str, Any]) -> None:
        for other in (counted, named or None):
            if other is not None:
                call_converted(change, self, other)

    def __delitem__(self, key: Any) -> None:
        """Nothing where the key is not there, as Python's Counter."""
        self.drop(*self.find(key))


def elements_of(counter: Any) -> Any:
    found = []
    for key, count in counter.items():
        for _ in range(count):
            found.append(key)
    return found


def _add(counter: Any, other: Any) -> Any:
    pairs = other.items() if isinstance(other, dict) else ((key, 1) for key in other)
    for key, count in pairs:
        counter[key] = count + counter.get(key, 0)
    return counter


def _subtract(counter: Any, other: Any) -> None:
    pairs = other.items() if isinstance(other, dict) else ((key, 1) for key in other)
    for key, count in pairs:
        counter[key] = counter.get(key, 0) - count


def keyed_counter(values: Any = None, /, **named: Any) -> Any:
    if isinstance(values, KeyedDict):
        return KeyedCounter(values.rows.copy(), Counter())
    items = NotImplemented if named or isinstance(values, Mapping) else items_of(values)
    if items is NotImplemented:
        return NotImplemented
    if isinstance(items, list) and not any(map(is_staged_key, items)):
        return Counter(items)
    if (column := column_of(items)) is None:
        return call_converted(_add, KeyedCounter(TensorList(), Counter()), items)
    from runtime.ops.reductions.counting import unique_in_order  # a family that is imported late

    keys, _, counts = unique_in_order(column, out_idx="int64")
    model = ElementType.of((0, 0))
    leaves = (ElementType.rows_of(column).leaves[0], model.leaves[1])
    columns = (keys, REGISTRY["cast"](counts, leaves[1].dtype))
    return KeyedCounter(list_of_columns(ElementType(model.model, leaves), columns), Counter())


def as_keyed(counter: Any) -> Any:
    """A Counter of Python's as one of ours."""
    if isinstance(counter, KeyedCounter):
        return counter
    return KeyedCounter(TensorList(list(counter.items())), Counter())


def add_counter_methods(kind: Any, operand: Callable[[Any], Any], take: Callable[[Any, Any], None]) -> None:
    """Gives a class what Counters do with others, and tell of their counts: Python's own code, converted.

    operand, take: see `add_operators`.
    """

    def of_python(name: str) -> Callable[..., Any]:
        def method(self: Any, *others: Any) -> Any:
            given = list(map(operand, others))
            is_taken = not any(one is NotImplemented for one in given)
            return call_converted(getattr(Counter, name), self, *given) if is_taken else NotImplemented

        return method

    combined = lambda first, second, rule: call_converted(getattr(Counter, f"__{rule}__"), first, second)
    add_operators(kind, ("add", "sub", "and", "or"), combined, operand, take)
    for name in ("pos", "neg", "le", "lt", "ge", "gt"):
        setattr(kind, f"__{name}__", of_python(f"__{name}__"))
    kind.elements = lambda self: call_converted(elements_of, self)
    kind.most_common = lambda self, n=None: in_order_of_counts(self.items(), n)  # those of equal counts in their order


def _compared(relation: str) -> Callable[[Any, Any], Any]:
    def compare(first: Any, second: Any) -> Any:
        if isinstance(second, Counter | KeyedCounter):
            return call_converted(getattr(Counter, relation), first, as_keyed(second))
        return getattr(KeyedDict, relation)(first, second)

    return compare


add_counter_methods(
    KeyedCounter, lambda other: as_keyed(other) if isinstance(other, Counter | KeyedCounter) else NotImplemented,
    lambda self, made: self.rows.take(self.own_rows(as_keyed(made).rows)),
)  # fmt: skip
for _name in ("__eq__", "__ne__"):
    setattr(KeyedCounter, _name, _compared(_name))

SEARCHES[KeyedCounter] = SEARCHES[KeyedDict]
add_grown_kind(KeyedCounter, "dict")
