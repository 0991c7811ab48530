"""Python's `sum`, `any`, `all`, `min`, `max` and `sorted` in a graph.

Over the elements of a tensor they are one operation; over other staged iterables (`sum(x * x for x in t)`) a loop.
Results are Python's on the same values, with these limits: a float sum of a tensor adds in another order, so its last
bits may differ; how nan sorts is not specified, as in Python (here: last). `min` and `max` keep the first of equals,
and pass over nan unless it comes first, as Python's comparisons do.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from autograph.operators.branch import if_exp
from autograph.operators.builtins import call_builtin
from autograph.operators.consumer import Consumer
from runtime import structures as nest
from runtime.as_python import raise_as_python
from runtime.control_flow.builtins.characters import characters
from runtime.control_flow.builtins.comparisons import ordered
from runtime.control_flow.builtins.iterables import is_staged, push, truth
from runtime.control_flow.builtins.orders import has_objects, in_order, order_of, ranks
from runtime.control_flow.builtins.zipping import map_
from runtime.control_flow.lattice.stacked import number_at
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.tensor_list import TensorList, add_methods
from runtime.control_flow.loops.iteration import length_of
from runtime.control_flow.objects.ref_items import is_number
from runtime.control_flow.optional.flags import all_of, any_of, ensure, negated
from runtime.control_flow.statement.reaching import given
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.errors import InvalidArgumentError, OperatorNotAllowedInGraphError, of_the_trace
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["extreme", "fold", "quantified", "sorted_", "sum_"]

_NONE: Final = object()
_COMPARED: Final = type(functools.cmp_to_key(lambda a, b: 0))
"""The class of keys that a function of two items compares."""


def _rows_needed(x: Any, what: str) -> None:
    if x.shape.rank == 0:
        raise InvalidArgumentError(f"{what} needs something to go through, and a scalar tensor has no rows: {x}")


# -- sum, any, all -------------------------------------------------------------------------------------------------


def sum_(iterable: Any, /, start: Any = 0) -> Any:
    """`sum(iterable, start)`; of a tensor, over its first axis and in its dtype."""
    if isinstance(iterable, Tensor):
        _rows_needed(iterable, "sum")
        rows = REGISTRY["cast"](iterable, "int32") if iterable.dtype.is_bool else iterable
        total = REGISTRY["reduce_sum"](rows, axis=0)
        return total if isinstance(start, int) and start == 0 else start + total
    if not is_staged(iterable):
        return NotImplemented
    total = [start]

    def add(item: Any) -> None:
        total[0] = total[0] + item

    fold(iterable, add, total, "sum")
    return total[0]


def quantified(iterable: Any, stops_at: bool) -> Any:
    """`any(iterable)`, which stops at the first that is true, or `all(iterable)`, at the first that is false."""
    if isinstance(iterable, Tensor):
        _rows_needed(iterable, "any" if stops_at else "all")
        if iterable.shape.rank not in (1, None):
            raise ValueError(
                f"The truth value of a row of shape {iterable.shape[1:]} is ambiguous; use runtime.reduce_any or"
                " runtime.reduce_all"
            )
        return REGISTRY["reduce_any" if stops_at else "reduce_all"](truth(iterable))
    if isinstance(iterable, list | tuple):  # nothing is left to evaluate
        return _combined(list(map(truth, iterable)), stops_at) if _holds_tensor(iterable) else NotImplemented
    found: list[Any] = [not stops_at]

    def look(item: Any) -> None:
        found[0] = truth(item)

    wanted = (lambda: negated(found[0])) if stops_at else (lambda: found[0])
    fold(iterable, look, found, "any" if stops_at else "all", wanted)
    return found[0]


def _combined(values: Sequence[Any], stops_at: bool) -> Any:
    if any(value is stops_at for value in values):
        return stops_at
    flags = [as_bool_scalar(v, "a value in any() or all()") if isinstance(v, Tensor) else v for v in values]
    return any_of(flags) if stops_at else all_of(flags)


def fold(
    iterable: Any, body: Callable[[Any], None], cell: list[Any], what: str, wanted: Callable[[], Any] | None = None
) -> None:
    """`for item in iterable: body(item)`, where the body changes what is in the cell."""

    def put(values: tuple[Any, ...]) -> None:
        cell[0] = values[0]

    push(iterable, Consumer(body, wanted, lambda: (cell[0],), put, (f"the result of {what}",), {}))


def _holds_tensor(values: Any) -> bool:
    return any(isinstance(leaf, Tensor) for value in values for leaf in nest.flatten(value))


# -- min, max ------------------------------------------------------------------------------------------------------


def extreme(what: str, *args: Any, key: Any = None, default: Any = _NONE) -> Any:
    """`min(...)`: the first of the smallest; `max(...)`: the first of the largest."""
    if len(args) != 1:
        if default is not _NONE:
            raise TypeError(f"Cannot specify a default for {what}() with multiple positional arguments")
        known = [value if isinstance(value, TracedArray) else present_value(value) for value in args]
        return _best_of(what, known, key) if known and _stages(known, key) else NotImplemented
    iterable = characters(present_value(args[0]))
    if not is_staged(iterable) and isinstance(iterable, list | tuple | set | frozenset | dict):
        known = list(iterable)
        return _best_of(what, known, key) if known and _stages(known, key) else NotImplemented
    values: Any = iterable if isinstance(iterable, Tensor) else collected(iterable)
    if isinstance(values, list):
        if not values and default is _NONE:
            raise_as_python(ValueError(_empty_message(what)))
        if values and _stages(values, key):
            return _best_of(what, values, key)
        return getattr(builtins, what)(values, key=key) if values else default
    return _best_row(what, values, key, default)


def _stages(values: Sequence[Any], key: Any) -> bool:
    """Whether the comparisons depend on a tensor."""
    return _holds_tensor(values) or key is not None


def _best_of(what: str, values: Sequence[Any], key: Any) -> Any:
    """The best of values that are known one by one."""
    best = values[0]
    best_key = best if key is None else key(best)
    for value in values[1:]:
        value_key = value if key is None else key(value)
        _check_scalar(what, best_key, value_key)
        better = ordered(operator.lt if what == "min" else operator.gt, value_key, best_key)
        if not isinstance(better, Tensor):
            if better:
                best, best_key = value, value_key
            continue
        chosen = _chosen(better, (value, value_key), (best, best_key))
        best, best_key = chosen
    return best


def _chosen(better: Any, pair: Any, other: Any) -> Any:
    if pair[0] is pair[1] and is_number(pair[0]) and is_number(other[0]):
        number = number_at(better, (other[0], pair[0]))
        if number is not NotImplemented:
            return number, number
    return if_exp(better, given(pair), given(other), "the comparison")


def _check_scalar(what: str, *values: Any) -> None:
    for value in values:
        if isinstance(value, Tensor) and value.shape.rank not in (0, None):
            raise ValueError(
                f"{what}(arg1, arg2, *args) currently support only scalar tensor, got one of shape {value.shape}; use"
                f" runtime.{what}imum for an element-wise result"
            )


def _best_row(what: str, values: Any, key: Any, default: Any) -> Any:
    """The best of the rows of a tensor, or of the elements of a growing list."""
    keys = _keys(values, key)
    if keys.shape.rank not in (1, None):
        hint = "" if key is not None else f"; use runtime.reduce_{what}, or a key"
        raise ValueError(f"{what}(arg) currently support only tensor with rank 1, got one of shape {keys.shape}{hint}")
    length = length_of(keys)
    if default is _NONE:
        ensure(length > 0, ValueError(_empty_message(what)))
        return values[_first_best(what, keys)]
    if isinstance(length, int):
        return default if length == 0 else values[_first_best(what, keys)]
    return if_exp(length > 0, lambda: values[_first_best(what, keys)], given(default), "there are items")


def _keys(values: Any, key: Any) -> Any:
    """What is compared, as one tensor."""
    if key is not None:
        values = collected(map_(key, values))
    if isinstance(values, TensorList):
        stacked = values.stack()
        return stacked if isinstance(stacked, Tensor) else ranks(_columns(stacked))
    return convert_to_tensor(values)


def _columns(rows: Any) -> list[Any]:
    """What decides between tuples or lists, first to last. Raises TypeError for other structures."""
    if isinstance(rows, Tensor):
        return [rows]
    if not isinstance(rows, list | tuple):
        raise TypeError(f"'<' not supported between instances of {type(rows).__name__!r}; give a key of numbers")
    return [column for part in rows for column in _columns(part)]


def _first_best(what: str, keys: Any) -> Any:
    """The position of the best key: the first of equals; nan only if it comes first."""
    if keys.dtype.is_bool:
        keys = REGISTRY["cast"](keys, "int32")
    if keys.dtype.family == "string":
        return REGISTRY["argsort"](keys, direction="ASCENDING" if what == "min" else "DESCENDING")[0]
    if not keys.dtype.is_floating:
        return REGISTRY["argmin" if what == "min" else "argmax"](keys, axis=0)
    is_nan = REGISTRY["not_equal"](keys, keys)
    worst = float("inf") if what == "min" else float("-inf")
    found = REGISTRY["argmin" if what == "min" else "argmax"](REGISTRY["where"](is_nan, worst, keys), axis=0)
    return REGISTRY["where"](is_nan[0], REGISTRY["zeros_like"](found), found)


def _empty_message(what: str) -> str:
    """Python's own words, which differ between its versions."""
    try:
        getattr(builtins, what)(())
    except ValueError as error:
        return str(error)
    raise AssertionError("Python's min and max of nothing raise ValueError")


# -- sorted --------------------------------------------------------------------------------------------------------


def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted(iterable, key=key, reverse=reverse)`, stable in both directions; a list that grows in a graph.

    Of a tensor without a key: its elements, which have rank 1.
    """
    iterable = characters(iterable)
    if key is None and hasattr(type(iterable), "__ag_sorted__") and not isinstance(reverse, Tensor):
        ordered_items = iterable.__ag_sorted__(reverse)
        if ordered_items is not iterable:
            return collected(ordered_items)
    known = not is_staged(iterable) and isinstance(iterable, list | tuple | set | frozenset | dict)
    values: Any = list(iterable) if known else iterable if isinstance(iterable, Tensor) else collected(iterable)
    if type(key) is _COMPARED and (not isinstance(values, list) or _holds_tensor(values)):
        raise of_the_trace(OperatorNotAllowedInGraphError(
            "functools.cmp_to_key() makes keys that no operation compares: give sorted() a key= that makes a number, or"
            " a tuple of numbers, of each item"
        ))
    keyed: Any = None
    if isinstance(values, list):
        keyed = values if key is None else [key(value) for value in values]
        order = None if isinstance(reverse, Tensor) else _known_order(keyed, reverse)
        if order is not None:
            return in_order(values, order)
    objects = values if keyed is not None and has_objects(values) else None
    if objects is None and keyed is not None:
        values = TensorList(values)
    keys = _keys(values, key) if keyed is None else _keys_known(keyed, values if key is None else keyed)
    if keys.shape.rank not in (1, None):
        raise ValueError(f"sorted() compares single values, got keys of shape {keys.shape[1:]}; give another key")
    order = _ordered(REGISTRY["cast"](keys, "int32") if keys.dtype.is_bool else keys, reverse)
    if objects is not None:
        return in_order(objects, order)
    if not isinstance(values, TensorList):
        return TensorList(REGISTRY["gather"](values, order))
    columns = [TensorList(REGISTRY["gather"](column, order)) for column in values.columns()]
    return TensorList.like(values.elements, [column.handles[0] for column in columns])


def _known_order(keys: Sequence[Any], reverse: Any) -> Any:
    """The places of the keys in their order, where comparing them says it; None where it takes an operation."""
    if has_objects(keys):
        return order_of(keys, reverse)
    known, places = _deciding(keys) if _holds_tensor(keys) else keys, builtins.range(builtins.len(keys))
    return None if known is None else builtins.sorted(places, key=known.__getitem__, reverse=reverse)


def _keys_known(keyed: Sequence[Any], values: Any) -> Any:
    """What is compared, as one tensor. keyed: the keys, one by one; values: all of them, or a list that grows."""
    rows = [nest.flatten(key) for key in keyed if isinstance(key, list | tuple)]
    if rows and builtins.len(rows) == builtins.len(keyed) and builtins.len({*map(builtins.len, rows)}) == 1:
        return ranks([convert_to_tensor(column) for column in builtins.zip(*rows, strict=True)])
    return _keys(values, None)


def _sort(items: TensorList, *, key: Any = None, reverse: Any = False) -> None:
    """`items.sort(key=key, reverse=reverse)` of a list that grows in the graph."""
    if items.elements is not None:  # else it is empty
        items.take(call_builtin(builtins.sorted, (items,), {"key": key, "reverse": reverse}, None, True))


add_methods(sort=_sort)


def _deciding(keys: Sequence[Any]) -> Sequence[Any] | None:
    """What stands before the first tensor in each of several tuples, as in `sorted(d.items())`, where that decides."""
    if not all(isinstance(key, tuple) for key in keys):
        return None
    known = [tuple(itertools.takewhile(lambda part: not _holds_tensor([part]), key)) for key in keys]
    order = builtins.sorted(known)
    return None if any(b[: builtins.len(a)] == a for a, b in itertools.pairwise(order)) else known


def _ordered(keys: Any, reverse: Any) -> Any:
    if isinstance(reverse, Tensor):
        return REGISTRY["where"](truth(reverse), _ordered(keys, reverse=True), _ordered(keys, reverse=False))
    return REGISTRY["argsort"](keys, direction="DESCENDING" if reverse else "ASCENDING")
