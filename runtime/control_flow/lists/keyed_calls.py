"""Dicts, sets and deques that become ones of the graph: by what they are made of, and by what is done with them.

    seen = set(t)               # t is a tensor: a KeyedSet
    d = {}; d[t] = 1            # d becomes a KeyedDict, under all its names
    q = deque([1], maxlen=n)    # n is a tensor: a GrowingDeque
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from autograph.operators.call import converted_call
from autograph.operators.library import register_calls, register_methods
from autograph.options import ConversionOptions
from runtime.context import current_recorder
from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.builtins.table import OVERLOADS
from runtime.control_flow.lists import keyed_sets
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.deques import GrowingDeque
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.keyed_counters import KeyedCounter, most_common
from runtime.control_flow.lists.keyed_dicts import FILLS, KeyedDict
from runtime.control_flow.lists.keyed_sets import KeyedSet
from runtime.control_flow.lists.replacements import KINDS, Replacement, replace_by
from runtime.control_flow.lists.taken_in import replaced_in_place
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.graph.graph import Graph
from runtime.heap.store import Holder
from runtime.ops.lists import lists
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["KEYED", "can_be_keyed", "grown_dict", "install", "is_staged_key"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_CONVERTED: Final = ConversionOptions(recursive=True, user_requested=True)
_WHY: Final = "Its keys are tensors, so it would become a {} of the graph"


def _dict(holder: Holder, elements: ElementType | None) -> KeyedDict:
    kind = KeyedCounter if type(holder.owner) is Counter else KeyedDict
    return kind(TensorList(list(holder.before.items())), _empty(holder.owner), holder.label)


def _set(holder: Holder, elements: ElementType | None) -> KeyedSet:
    return KeyedSet(TensorList(list(holder.before)), set(), holder.label)


def _deque(holder: Holder, elements: ElementType | None) -> GrowingDeque:
    items = TensorList(holder.before, kind=elements, instead_of=holder.owner)
    return GrowingDeque(items, _empty(holder.owner), holder.label)


def _empty(owner: Any) -> Any:
    kind = type(owner)
    if kind is deque:
        return deque(maxlen=owner.maxlen)
    return defaultdict(owner.default_factory) if kind is defaultdict else kind()


_COPY: Final = "or change a copy"
_WHICH: Final = "which they are"
KEYED: Final[dict[type, Replacement]] = {
    **dict.fromkeys(
        (dict, defaultdict, Counter), Replacement(_dict, "a dict of the graph", _WHY.format("dict"), _COPY, _WHICH)
    ),
    set: Replacement(_set, "a set of the graph", _WHY.format("set"), _COPY, _WHICH),
    deque: Replacement(
        _deque, "a deque of the graph", "Its length depends on a tensor, so it would become a deque of the graph", _COPY
    ),
}
KINDS[deque] = KEYED[deque]


def grown_dict(owner: Any, method: Any = None, is_statement: bool = False) -> Any:
    """What takes the place of a dict, set or deque of Python's: see `replaced_in_place`."""
    replace_by(owner, KEYED[type(owner)])
    return replaced_in_place(owner, method, is_statement)


def can_be_keyed(owner: Any) -> bool:
    """Whether a dict or set may become one whose keys are tensors."""
    return type(owner) in KEYED and isinstance(current_recorder(), Graph)


def has_scalars(owner: dict[Any, Any], value: Any) -> bool:
    """Whether all values of a dict, and a new one, are numbers, texts or tensors of rank 0."""
    return all(
        each.shape.rank == 0 if isinstance(each, Tensor) else type(each) in _SCALARS
        for each in (*owner.values(), value)
    )


_SCALARS: Final = frozenset({bool, int, float, str})


def is_staged_key(key: Any) -> bool:
    """Whether a key or member, or a part of one, is known to the run alone."""
    if isinstance(key, tuple):
        return any(map(is_staged_key, key))
    return isinstance(key, SymbolicTensor) and key.value is None


# -- methods of Python's own


def _method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`seen.add(v)` and its like."""
    owner, name = function.__self__, function.__name__
    is_searched = name in _SEARCHES and type(owner) is deque and any(map(is_staged_key, owner))
    if name in _BY_KEY and args and can_be_keyed(owner) and (is_searched or _is_of_graph(name, args)):
        if name in _OF_NEW_SETS:
            return getattr(_as_set(owner), name)(*args, **kwargs)
        return getattr(grown_dict(owner, function), name)(*args, **kwargs)
    return NotImplemented


def _counting(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`counter.update(t)` and `counter.subtract(t)`, which are no methods in C."""
    if type(args[0]) is Counter and len(args) == 2 and can_be_keyed(args[0]) and _is_of_graph("update", args[1:]):
        return getattr(grown_dict(args[0]), function.__name__)(*args[1:], **kwargs)
    return function(*args, **kwargs)


def _is_of_graph(name: str, args: tuple[Any, ...]) -> bool:
    if name in _BY_ITEMS:
        return any(isinstance(arg, Grown | TensorList) or _has_staged_items(arg) for arg in args)
    return is_staged_key(args[0])


_BY_ITEMS: Final = frozenset({
    "difference", "difference_update", "intersection", "intersection_update", "isdisjoint", "issubset", "issuperset",
    "symmetric_difference", "union", "update", "extend", "extendleft",
})  # fmt: skip
_SEARCHES: Final = frozenset({"count", "index", "remove"})
_OF_NEW_SETS: Final = frozenset({
    "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union",
})  # fmt: skip
_BY_KEY: Final = _BY_ITEMS | _SEARCHES | {"add", "discard", "insert", "pop", "rotate", "setdefault"}


def _has_staged_items(values: Any) -> bool:
    if isinstance(values, Mapping):
        return any(map(is_staged_key, values))
    if isinstance(values, list | tuple | set | deque):
        return any(map(is_staged_key, values))
    return is_staged(values) and not hasattr(type(values), "keys")


# -- what makes one


def _made(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if isinstance(current_recorder(), Graph):
        made = _MAKES[function](*args, **kwargs) if args or kwargs else NotImplemented
        if made is not NotImplemented:
            return made
    return function(*args, **kwargs)


def _items_of(values: Any) -> Any:
    """What a container is to be made of, as a list or a list that grows; NotImplemented where Python can do it."""
    if isinstance(values, KeyedDict):
        return values.keys_of().copy()
    if isinstance(values, Grown):
        return values.rows.copy()
    if not _has_staged_items(values):
        return NotImplemented
    if isinstance(values, Tensor) and values.shape.rank == 1:
        return values
    return collected(values)


def keyed_set(values: Any = (), like: Any = None) -> Any:
    """`set(values)`; NotImplemented where that is one of Python's."""
    like = set() if like is None else like
    items = _items_of(values)
    if isinstance(values, KeyedSet):
        return KeyedSet(items, like)
    if items is NotImplemented:
        return NotImplemented
    if isinstance(items, list) and not any(map(is_staged_key, items)):
        return type(like)(items)
    if (column := _column(items)) is None:
        return _filled(_fill_set, KeyedSet(TensorList(), like), items)
    from runtime.ops.reductions.counting import unique_in_order  # a family that is imported late

    found, leaf = unique_in_order(column)[0], ElementType.rows_of(column)
    handle = lists.list_extend(TensorList().handles[0], found, **leaf.leaves[0].attributes)
    return KeyedSet(TensorList.like(leaf, [handle]), like)


def _column(items: Any) -> Any:
    """The items as a vector; None where they are none."""
    if isinstance(items, list):
        items = TensorList(items)
    if isinstance(items, TensorList):
        if items.elements is None or items.elements.model is not None or items.elements.has_rows:
            return None
        column = items.stack()
        column.weak = items.elements.leaves[0].weak
        items = column
    return items if items.shape.rank == 1 else None


def _fill_set(made: Any, items: Any) -> None:
    for item in items:
        made.add(item)


def _fill_dict(made: Any, pairs: Any) -> None:
    for key, value in pairs:
        made[key] = value


def _count_into(made: Any, items: Any) -> None:
    for item in items:
        made[item] = made.get(item, 0) + 1


def _add_counts(made: Any, pairs: Any) -> None:
    for key, count in pairs:
        made[key] = count + made.get(key, 0)


def _fill_keys(made: Any, keys: Any, value: Any) -> None:
    for key in keys:
        made[key] = value


def _filled(code: Callable[..., None], made: Any, *what: Any) -> Any:
    converted_call(code, (made, *what), None, None, _CONVERTED)
    return made


def _is_dict(values: Any) -> bool:
    return isinstance(values, dict | KeyedDict)


def _fill(made: Any, other: Any) -> None:
    """`made.update(other)`."""
    _filled(_fill_dict, made, other.items() if _is_dict(other) else other)


def _count(made: Any, other: Any) -> None:
    """The same of a Counter."""
    if _is_dict(other):
        _filled(_add_counts, made, other.items())
    else:
        _filled(_count_into, made, other)


def _class_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`dict.fromkeys(keys, value)`."""
    is_known = not args or kwargs or not (isinstance(args[0], Grown) or _has_staged_items(args[0]))
    if function.__self__ is not dict or function.__name__ != "fromkeys" or is_known:
        return NotImplemented
    return _filled(_fill_keys, KeyedDict(TensorList(), {}), *(*args, None)[:2])


_OF_PAIRS: Final = frozenset({enumerate, list, tuple, zip})


def keyed_dict(pairs: Any = (), /, **named: Any) -> Any:
    """`dict(pairs)`; NotImplemented where that is one of Python's."""
    if isinstance(pairs, KeyedDict):
        return KeyedDict(pairs.rows.copy(), {})
    if named or isinstance(pairs, Mapping) or not (is_staged(pairs) or type(pairs) in _OF_PAIRS):
        return NotImplemented
    items = collected(pairs)
    if isinstance(items, list) and not any(
        type(pair) in (tuple, list) and pair and is_staged_key(pair[0]) for pair in items
    ):
        return dict(items)
    return _filled(_fill_dict, KeyedDict(TensorList(), {}), items)


def _counter(values: Any = None, /, **named: Any) -> Any:
    if isinstance(values, KeyedDict):
        return KeyedCounter(values.rows.copy(), Counter())
    items = NotImplemented if named or isinstance(values, Mapping) else _items_of(values)
    if items is NotImplemented:
        return NotImplemented
    if isinstance(items, list) and not any(map(is_staged_key, items)):
        return Counter(items)
    if (column := _column(items)) is None:
        return _filled(_count_into, KeyedCounter(TensorList(), Counter()), items)
    from runtime.ops.reductions.counting import unique_in_order  # as above

    keys, _, counts = unique_in_order(column, out_idx="int64")
    model = ElementType.of((0, 0))
    leaves = (ElementType.rows_of(column).leaves[0], model.leaves[1])
    columns = (keys, REGISTRY["cast"](counts, leaves[1].dtype))
    nothing = TensorList().handles[0]
    handles = [lists.list_extend(nothing, c, **leaf.attributes) for c, leaf in zip(columns, leaves, strict=True)]
    return KeyedCounter(TensorList.like(ElementType(model.model, leaves), handles), Counter())


def _growing_deque(values: Any = (), maxlen: Any = None) -> Any:
    if isinstance(values, GrowingDeque):
        values = values.rows.copy()
    known = not is_staged_key(maxlen)
    items = collected(values) if is_staged(values) else values
    if known and not isinstance(items, TensorList):
        return deque(items, maxlen)
    made = GrowingDeque(TensorList(), deque(maxlen=maxlen if known else None), longest=maxlen)
    made.extend(items if isinstance(items, TensorList) else list(items))
    return made


_MAKES: Final[Mapping[Any, Callable[..., Any]]] = {
    set: keyed_set,
    frozenset: lambda values=(): keyed_set(values, frozenset()),
    dict: keyed_dict,
    Counter: _counter,
    deque: _growing_deque,
}


def install() -> None:
    """Converted code asks here from now on."""
    OVERLOADS[set], OVERLOADS[dict] = keyed_set, keyed_dict
    keyed_sets.MAKE["set"] = _as_set
    FILLS.update(dict=_fill, count=_count)
    register_calls(_MAKES, _made)
    for kind in KEYED:
        register_methods(kind, _method)
    register_methods(type, _class_method)
    register_calls([Counter.update, Counter.subtract], _counting)
    register_calls([Counter.most_common], most_common)


def _as_set(values: Iterable[Any]) -> KeyedSet:
    made = keyed_set(values)
    if isinstance(made, KeyedSet):
        return made
    return KeyedSet(TensorList(list(set(values) if made is NotImplemented else made)), set())

