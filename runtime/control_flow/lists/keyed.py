"""`Keyed`: what is looked up by a key in a list that grows: a dict or set of which only the run knows the keys.

    d = {}
    for v in t: d[v] = d.get(v, 0) + 1      # rows: a list that grows of pairs (key, value), in Python's order
    seen = set()
    seen.add(v)                             # rows: a list that grows of the members

A key is looked for among all keys, in one comparison.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograph.errors import StagingTypeError
from runtime import structures as nest
from runtime.as_python import raise_as_python
from runtime.control_flow.builtins.comparisons import NEVER, alike
from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.element_types import ElementType, LeafType, nothing
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import as_literal
from runtime.control_flow.objects.ref_members import as_value, is_valued
from runtime.control_flow.optional.flags import all_of
from runtime.dtypes import float64, int32, int64
from runtime.graph.location import here
from runtime.ops.lists import lists
from runtime.ops.records.record import REGISTRY
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor, text_class
from runtime.tensor.tensor import Tensor

__all__ = [
    "Keyed", "column_of", "equal_places", "equal_rows", "first_place", "has_staged_items",
    "is_staged_key", "items_of", "known_key", "list_of_columns", "part_of_rows", "plain_key", "plain_keys",
    "with_own_keys",
]  # fmt: skip

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


class Keyed(Grown):
    """What is looked up by a key: see the module's docstring."""

    __slots__ = ()

    def keys_of(self) -> TensorList:
        """The list of the keys."""
        return self.rows

    def find(self, key: Any) -> tuple[Any, Any]:
        """The position of a key, or how many there are; and whether it is there."""
        keys, key = self.keys_of(), key if self.of_python is None else _of_python(key)
        if keys.elements is None:
            return 0, False
        equal = equal_places(keys, key)
        if equal is None:
            return keys.length(), False
        return first_place(equal), REGISTRY["reduce_any"](equal)

    def own(self, key: Any) -> Any:
        """A key as it is kept. Raises StagingTypeError for one of another kind than those that are there."""
        if self.of_python is None:
            return key
        own, known = _of_python(key), self.keys_of().elements
        if known is None or (known.model is None) is isinstance(own, tuple):
            return own
        for leaf, part in zip(known.leaves, nest.flatten(own), strict=False):
            kinds = [each.dtype.family for each in (LeafType.of(as_value(part)), leaf)]
            if kinds[0] != kinds[1]:
                raise StagingTypeError(
                    f"a key or member of {self._named()} is of kind {kinds[0]}{here()}, and others are of kind"
                    f" {kinds[1]}: those that the graph keeps are of one kind. Write `float(key)`, `int(key)` or"
                    " `str(key)`, or keep others in a dict or set of their own"
                )
        return own

    def own_rows(self, rows: TensorList) -> TensorList:
        """The rows of another one, with keys as they are kept here."""
        if self.of_python is None or rows.elements is None:
            return rows
        kind = with_own_keys(rows.elements, isinstance(self.like, dict))
        return TensorList.like(kind, rows.handles_as(kind))

    def ensure(self, key: Any, row: Any) -> Any:
        """Adds a row at the end where its key is not there yet; returns its position."""
        place, there = self.find(key)
        self._add(row, there)
        return place

    def put(self, key: Any, row: Any) -> None:
        """Adds a row at the end, or puts it in the place of the one that has its key."""
        place, there = self.find(key)
        self._add(row, there)
        if there is not False:
            self.rows[place] = row

    def _add(self, row: Any, there: Any) -> None:
        rows = self.rows
        length = rows.length()
        rows.append(row)
        if there is not False:
            kept = REGISTRY["where"](there, length, length + 1)
            rows.handles = tuple(lists.list_slice(handle, 0, kept, 1) for handle in rows.handles)

    def drop(self, place: Any, there: Any) -> None:
        """Removes the row at a position that `find` gave, where its key is there."""
        if there is not False:
            self.rows.take(self.rows[:place] + self.rows[place + 1 :])

    def check(self, key: Any) -> Any:
        """The position of a key, after a check that it is there."""
        place, there = self.find(key)
        if there is False:
            raise_as_python(KeyError(key))
        REGISTRY["check"](there, [key] if not isinstance(key, tuple) else [], message="", exception="KeyError")
        return place


def equal_places(keys: TensorList, key: Any) -> Any:
    """Of each key whether it is equal to another one, as a vector of bools; None where none can be."""
    known = keys.known("search")
    if any(leaf.shape.rank != 0 for leaf in known.leaves):
        raise StagingTypeError(
            f"a key of a dict, or a member of a set, is a tensor of several numbers{here()}: take a tuple of them"
        )
    try:
        parts = known.flat(key)
    except TypeError:  # another structure
        return None
    equal = [_equal(*triple) for triple in zip(keys.columns(), known.leaves, parts, strict=True)]
    return None if any(flags is None for flags in equal) else all_of(equal)


def first_place(flags: Any) -> Any:
    """The place of the first flag in a vector that holds, or how many there are."""
    ended = REGISTRY["concat"]([REGISTRY["cast"](flags, int32), [1]], 0)
    return as_literal(REGISTRY["cast"](REGISTRY["argmax"](ended, 0), int32))


def equal_rows(first: Sequence[Any], second: Sequence[Any]) -> Any:
    """Of each row of columns whether it is equal to each row of others, as a matrix of bools."""
    return all_of(REGISTRY["equal"](a[:, None], b[None]) for a, b in zip(first, second, strict=True))


def _equal(column: Any, leaf: Any, part: Any) -> Any:
    """Of each element of a column whether it is equal to a part of a key; None where none can be."""
    part = as_value(part)
    if isinstance(part, Tensor):
        if {leaf.text, LeafType.of(part).text} == {str, bytes}:
            return None
        first, second = (replace(each, members=None, enumeration=None) for each in (leaf, LeafType.of(part)))
        wanted = ElementType(None, (first,)).join(ElementType(None, (second,))).leaves[0]  # literals adapt
        column = column if wanted.dtype is leaf.dtype else REGISTRY["cast"](column, wanted.dtype)
    elif (part := alike(part, leaf)) is NEVER:
        return None
    return REGISTRY["equal"](column, part)


def part_of_rows(rows: TensorList, number: int) -> TensorList:
    """The list of the keys (0) or values (1) of a list of pairs."""
    known = rows.elements
    if known is None:
        return TensorList()
    counts = [len(nest.flatten(part)) for part in known.model]
    where = slice(0, counts[0]) if number == 0 else slice(counts[0], None)
    part = known.model[number]
    kind = ElementType(part if nest.is_nested(part) else None, known.leaves[where], known.of_row)
    if number:
        rows.note_use(copies=True)
    return TensorList.like(kind, rows.handles[where])


def plain_keys(keys: TensorList) -> list[Any]:
    """Keys or members as Python's numbers, texts and tuples of them, outside of a trace."""
    known = keys.elements
    items = keys.to_list()
    if known is None:
        return items
    leaves = [leaf for leaf in known.leaves if isinstance(leaf, LeafType)]
    return [known.pack(map(LeafType.plain, leaves, known.flat(item))) for item in items]


def plain_key(key: Any) -> Any:
    """A key or member outside of a trace, in which there may be tensors: with the numbers and texts that these hold."""
    if isinstance(key, tuple):
        return tuple(map(plain_key, key))
    return LeafType.of(key).plain(key) if isinstance(key, EagerTensor) else key


# -- what one is made of


def is_staged_key(key: Any) -> bool:
    """Whether a key or member, or a part of one, is known to the run alone."""
    if isinstance(key, tuple):
        return any(map(is_staged_key, key))
    return (isinstance(key, SymbolicTensor) and key.value is None) or is_valued(key)


def _of_python(key: Any) -> Any:
    """A key that is a number or text of Python's, for one that is a tensor or has tensors in it."""
    if type(key) is tuple:
        return nest.changed(key, _of_python)
    return as_literal(key) if isinstance(key, SymbolicTensor) and not key.weak else key


def with_own_keys(known: ElementType, is_dict: bool) -> ElementType:
    """What rows are, with keys or members that are numbers and texts of Python's."""
    count = len(nest.flatten(known.model[0])) if is_dict else len(known.leaves)
    wide = {"int": int64, "float": float64}
    keys = [
        replace(leaf, dtype=wide.get(leaf.dtype.family, leaf.dtype), weak=True, of_array=False)
        for leaf in known.leaves[:count] if isinstance(leaf, LeafType)
    ]  # fmt: skip
    return replace(known, leaves=(*keys, *known.leaves[count:])) if len(keys) == count else known


def known_key(key: Any) -> Any:
    """A key with its value in the place of a tensor of which that is known already."""
    if type(key) is tuple:
        return nest.changed(key, known_key)
    if not isinstance(key, SymbolicTensor) or key.value is None or key.value.ndim:
        return key
    value: Any = key.value[()]
    if isinstance(value, bytes):
        return value if text_class(key) is bytes else value.decode()
    return value.item()


def has_staged_items(values: Any) -> bool:
    """Whether a container of Python's, or what is gone through, has items that are known to the run alone."""
    if isinstance(values, Mapping):
        return any(map(is_staged_key, values))
    if isinstance(values, list | tuple | set | deque):
        return any(map(is_staged_key, values))
    return is_staged(values) and not hasattr(type(values), "keys")


def items_of(values: Any) -> Any:
    """What a container is to be made of, as a list or a list that grows; NotImplemented where Python can do it."""
    if isinstance(values, Grown):
        return (values.keys_of() if isinstance(values, Keyed) else values.rows).copy()
    if not has_staged_items(values):
        return NotImplemented
    if isinstance(values, Tensor) and values.shape.rank == 1:
        return values
    return collected(values)


def column_of(items: Any) -> Any:
    """The items as a vector; None where they are none."""
    if isinstance(items, list):
        items = TensorList(items)
    if isinstance(items, TensorList):
        if items.elements is None or items.elements.model is not None or items.elements.has_rows:
            return None
        column = items.stack()
        (leaf,) = items.elements.leaves
        assert isinstance(leaf, LeafType)
        column.weak, column.of_bytes = leaf.weak, leaf.text is bytes
        items = column
    return items if items.shape.rank == 1 else None


def list_of_columns(kind: ElementType, columns: Sequence[Any]) -> TensorList:
    """The list of elements of which each column is given."""
    empty, leaves = nothing(), zip(columns, kind.leaves, strict=True)
    handles = [lists.list_extend(empty, column, **leaf.attributes) for column, leaf in leaves]
    return TensorList.like(kind, handles)
