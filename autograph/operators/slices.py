"""Elements: `x[k]`, `x[k] = v` and `x[k] += v`, where x, k or v may belong to a stager.

A write returns the container, for a tensor never changes: generated code binds the result to the variable again.

Example (generated):
    y = ag__.get_item(x, i)                         # y = x[i]
    x = ag__.set_item(x, i, v)                      # x[i] = v
    ag__.del_item(x, i)                             # del x[i]
    x = ag__.update_item(x, 0, x[0], '+=', f())     # x[0] += f(), which reads x[0] first
    ag__.set_item(CACHE, i, v, 'CACHE')             # CACHE[i] = v, where this function cannot rebind CACHE
    ag__.set_item_of(self, 'w', i, v)               # self.w[i] = v
    x = ag__.put(v, ag__.place(x).item(i), j)       # x[i][j] = v
    ag__.place(self).attr('w').read(i).update('+=', v)      # self.w[i] += v
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.augmented import update
from autograph.operators.stager import PYTHON, Stager, stager_of, stager_of_all

__all__ = ["Place", "del_item", "get_item", "place", "put", "set_item", "set_item_of", "slice_", "update_item"]

_PLAIN: Final = frozenset({int, str, type(None), type(...), bool, float, bytes})
"""Parts of a key that surely belong to no stager."""


def get_item(x: Any, k: Any) -> Any:
    """`x[k]`, decided by the owner of the key: any other object knows its own elements."""
    kind = type(k)
    if kind is int or kind is str:
        return x[k]
    return _owner_of_key(k).get_item(x, k)


def _owner_of_key(k: Any) -> Stager:
    kind = type(k)
    if kind in _PLAIN:
        return PYTHON
    if kind is slice:
        return stager_of_all(k.start, k.stop, k.step)
    if kind is not tuple:
        return stager_of(k)
    owner: Stager = PYTHON
    for part in k:
        if type(part) not in _PLAIN and (found := _owner_of_key(part)) is not PYTHON:
            if owner is not PYTHON and found is not owner:
                return stager_of_all(*k)  # raises MixedStagersError
            owner = found
    return owner


def _owner(x: Any, k: Any, v: Any) -> Stager:
    owner = _owner_of_key(k)
    return stager_of_all(x, v) if owner is PYTHON else owner


def slice_(start: Any, stop: Any, step: Any = None) -> slice:
    """`slice(start, stop, step)`, for a program that has a variable of that name."""
    return slice(start, stop, step)


def set_item(x: Any, k: Any, v: Any, name: str | None = None) -> Any:
    """`x[k] = v`; returns what x is after it: x itself, or the value that takes its place.

    name: given where x cannot be bound to another value. Raises StagingError if it would have to be.
    """
    kind = type(x)
    if kind is list or kind is dict:
        key = type(k)
        if key is int or key is str:
            x[k] = v
            return x
    result = _owner(x, k, v).set_item(x, k, v)
    if name is None or result is x or getattr(type(result), "__ag_takes_place__", False):
        return result
    return _refuse(name)


def del_item(x: Any, k: Any) -> None:
    """`del x[k]`, decided by the owner of the key: any other object knows its own elements."""
    owner = _owner_of_key(k)
    if owner is PYTHON or owner.builtin(operator.delitem, (x, k), {}) is NotImplemented:
        del x[k]


def update_item(x: Any, k: Any, item: Any, sign: str, v: Any, name: str | None = None) -> Any:
    """`x[k] += v` and the like, of which `item` was read before; `sign` is the operator with its `=`.

    Returns as `set_item` does.
    """
    return set_item(x, k, update(item, sign, v), name)


def set_item_of(owner: Any, attribute: str, k: Any, v: Any) -> None:
    """`owner.attribute[k] = v`; the attribute is assigned only where another value takes the place of its own."""
    x = getattr(owner, attribute)
    result = set_item(x, k, v)
    if result is not x:
        setattr(owner, attribute, result)


def put(v: Any, where: Place, k: Any, now: Callable[[], Any] | None = None) -> Any:
    """`where[k] = v`, of which the value was evaluated first; returns what the variable at the root is after it.

    now: reads that variable, where it may have got another value in the meantime.
    """
    return where.write(k, v, now)


class Place:
    """Where an assignment like `root.a[i][j] = v` goes: each step is taken when it is written, in Python's order.

    name: given where the root cannot be bound to another value.
    """

    __slots__ = ("_item", "_key", "_name", "_root", "_steps", "_value")

    def __init__(self, root: Any, name: str | None = None) -> None:
        self._root = self._value = root
        self._name = name
        self._steps: tuple[tuple[Any, bool, Any], ...] = ()

    def attr(self, name: str) -> Place:
        """The step to an attribute."""
        self._steps += ((self._value, True, name),)
        self._value = getattr(self._value, name)
        return self

    def item(self, k: Any) -> Place:
        """The step to an element."""
        self._steps += ((self._value, False, k),)
        owner = stager_of(self._value)
        found = NotImplemented if owner is PYTHON else owner.builtin(operator.getitem, (self._value, k), {})
        self._value = get_item(self._value, k) if found is NotImplemented else found
        return self

    def read(self, k: Any) -> Place:
        """The last step of `place[k] += v`: the element is read before `v` is evaluated."""
        self._key = k
        self._item = get_item(self._value, k)
        return self

    def update(self, sign: str, v: Any, now: Callable[[], Any] | None = None) -> Any:
        """`place[k] += v`; returns as `put` does."""
        return self.write(self._key, update(self._item, sign, v), now)

    def write(self, k: Any, v: Any, now: Callable[[], Any] | None = None) -> Any:
        """Write the element, and then each container on the way back that another value takes the place of."""
        old = self._value
        new = set_item(old, k, v)
        for holder, is_attribute, key in reversed(self._steps):
            if new is old and (is_attribute or not _copies_item(holder, key)):
                break
            old = holder
            if is_attribute:
                setattr(holder, key, new)
                new = holder
            else:
                new = set_item(holder, key, new)
        else:
            if new is not self._root:
                return new if self._name is None else _refuse(self._name)
        return self._root if now is None else now()


def _copies_item(holder: Any, key: Any) -> bool:
    """Whether the item may be a copy, made where a stager's key chooses among the objects of a list or dict."""
    kind = type(holder)
    return getattr(kind, "__ag_copies_items__", False) or (
        kind in (list, tuple, dict) and _owner_of_key(key) is not PYTHON
    )


place = Place


def _refuse(name: str) -> Any:
    raise StagingError(
        f"a tensor never changes, so an assignment to an element gives its variable a new tensor: {name!r} cannot be"
        " assigned here. Assign the tensor to a local variable first; a variable of an outer function or of the module"
        " has to be declared nonlocal or global."
    )
