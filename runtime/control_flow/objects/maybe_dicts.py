"""What a dict or set does of which a tensor decides what it has: see maybe_contents.py.

    d["b"]                    # a check that it is there, which raises KeyError('b'); then the value
    d.get("b", y)             # x if <it is there> else y
    d.pop("b")                # the same as d["b"], after which it is not there

What is there, and what goes through it, is in maybe_views.py.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

from runtime.control_flow.branches.if_statement import one_of
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.lists.grown import asked
from runtime.control_flow.lists.keyed_sets import keyed_set_of
from runtime.control_flow.lists.operators import add_set_methods
from runtime.control_flow.objects.maybe_contents import (
    DICTS,
    MaybeContainer,
    MaybeDict,
    MaybeSet,
    dict_in_place_of,
    write_contents,
)
from runtime.control_flow.objects.maybe_counts import methods_of
from runtime.control_flow.objects.maybe_ends import forget, popitem
from runtime.control_flow.objects.maybe_places import WHERE, in_graph, read_place, read_where, there
from runtime.control_flow.objects.maybe_views import (
    View,
    certain,
    found_by,
    in_view,
    is_in,
    is_of_the_run,
    key_of,
    length,
    looked_up,
    sorted_view,
    truth,
)
from runtime.control_flow.objects.maybe_wholes import as_maybe_set, equal, push_members, set_of_keys
from runtime.control_flow.objects.turns import in_order, put_turn, turns_of
from runtime.control_flow.optional.flags import any_of, both, either, negated
from runtime.control_flow.optional.values import MaybeUndefined, is_state_access
from runtime.control_flow.statement.reaching import Reaching
from runtime.heap.open_objects import if_there, is_maybe
from runtime.heap.placeholders import Absent, is_undefined
from runtime.ops.records.record import REGISTRY
from runtime.tensor.text import mark

__all__ = ["install", "made_of"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_NO_DEFAULT: Final = object()


# -- one key


def _by_tensor(self: MaybeDict, key: Any, found: list[tuple[Any, Any]], otherwise: Callable[[], Any]) -> Any:
    """The value under a key of the run."""
    for flag, value in reversed(found):
        maybe = MaybeUndefined(value, flag, Absent(KeyError(key)))
        otherwise = partial(read_where, maybe, otherwise, f"{self.called}[...]", self)
    return otherwise()


def _item(self: MaybeDict, key: Any) -> Any:
    if is_of_the_run(key) and (found := found_by(self, key)):
        REGISTRY["check"](any_of([flag for flag, _ in found]), [key], message="", exception="KeyError")
        return _by_tensor(self, key, found[:-1], lambda: found[-1][1])
    value = looked_up(self, key)
    if is_state_access():
        if type(value) is Absent:
            raise KeyError(key)
        return value
    return read_place(value, KeyError(key))


def _put(self: MaybeContainer, key: Any, value: Any) -> None:
    if is_undefined(value):  # the state of a statement is set
        self.contents.pop(key, None)
        return
    if is_state_access() or is_maybe(value):  # the contents are written after that, in their order
        self.contents[key] = value
        return
    key = key_of(self, key)
    last = next(reversed(self.contents), None)
    if is_maybe(self.contents.get(key)) and there(self.contents[key]) is not True and key != last:
        self.is_ordered = False  # it stands where it was, or comes last
    if self.turns is not None:
        put_turn(self.turns, key, there(looked_up(self, key)))
    self.contents[key] = value


def _remove(self: MaybeContainer, key: Any) -> None:
    if is_of_the_run(key) and isinstance(self, MaybeDict):
        _item(self, key)
        forget(self, key)
        return
    read_place(looked_up(self, key), KeyError(key))
    del self.contents[key_of(self, key)]


# -- methods of dicts


def _get(self: MaybeDict, key: Any, default: Any = None) -> Any:
    if is_of_the_run(key):
        return _by_tensor(self, key, found_by(self, key), lambda: default)
    return read_where(looked_up(self, key), lambda: default, f"{self.called}.get({key!r})", self)


def _pop(self: MaybeDict, key: Any, default: Any = _NO_DEFAULT) -> Any:
    if is_of_the_run(key):
        found = _item(self, key) if default is _NO_DEFAULT else _get(self, key, default)
        forget(self, key)
        return found
    value = looked_up(self, key)
    if default is _NO_DEFAULT:
        found = read_place(value, KeyError(key))
    else:
        found = read_where(value, lambda: default, f"{self.called}.pop({key!r})", self)
    self.contents.pop(key_of(self, key), None)
    return found


def _put_default(self: MaybeDict, key: Any, default: Callable[[], Any], name: str) -> Any:
    found = read_where(looked_up(self, key), default, f"{self.called}{name}", self)
    _put(self, key, found)
    return found


def _update(self: MaybeContainer, *others: Any, **named: Any) -> None:
    for other in (*others, named):
        if isinstance(other, View):
            other = other.owner
        if isinstance(other, MaybeContainer):
            for key, value in list(other.contents.items()):
                _when(self, there(value), partial(_put, self, key, if_there(value)))
        else:
            for key, value in dict(other).items():
                _put(self, key, value)


def _when(self: MaybeContainer, flag: Any, change: Callable[[], None]) -> None:
    """`if flag: change()`."""
    if flag is True:
        change()
    elif flag is not False:
        flag = in_graph(flag)
        one_of(flag, (Reaching(change, (self,)), Reaching(lambda: None, ())), self.called, WHERE)


def _union(first: Any, second: Any) -> Any:
    """`first | second` of dicts, one of them ours: of the class of the second one if that is derived from the other."""
    if not all(isinstance(value, MaybeDict) or type(value) in DICTS for value in (first, second)):
        return NotImplemented
    whole, other = (v if isinstance(v, MaybeDict) else dict_in_place_of(v, v, "") for v in (first, second))
    is_derived = isinstance(other.like, type(whole.like)) and type(other) is not type(whole)
    made = (other if is_derived else whole).with_contents(dict(whole.contents))
    made.is_ordered = whole.is_ordered
    _update(made, other)
    return made


def _merged(made: Any, other: Any) -> Any:
    """`{**made, **other}`."""
    found = MaybeDict({}, "")
    _update(found, made, other)
    return found


def _updated_in_place(self: MaybeContainer, other: Any) -> Any:
    _update(self, other)
    return self


def _found(self: MaybeDict, key: Any) -> tuple[Any, Any]:
    """Whether a key is there, and the value where it is: for `match`."""
    value = looked_up(self, key)
    flag = there(value)
    if not isinstance(flag, bool):
        flag = in_graph(flag)
    return flag, if_there(value)


# -- methods of sets


def _discard(self: MaybeSet, member: Any) -> None:
    self.contents.pop(key_of(self, member), None)


_RULES: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "or": either, "and": both, "sub": lambda a, b: both(a, negated(b)),
    "xor": lambda a, b: either(both(a, negated(b)), both(negated(a), b)),
}  # fmt: skip
"""Whether a member is in `s | t` and the like, which is in s, or in t."""


def _combined(first: MaybeSet, second: MaybeSet, rule: str) -> Any:
    contents: dict[Any, Any] = {}
    for key in {**first.contents, **second.contents}:
        flag = _RULES[rule](there(looked_up(first, key)), there(looked_up(second, key)))
        if flag is not False:
            contents[key] = True if flag is True else MaybeUndefined(True, flag, Absent(KeyError(key)))
    return (first if first.called else second).with_contents(contents)


def _take(self: MaybeSet, made: MaybeSet) -> None:
    self.contents = made.contents


# -- the whole


def _of_python(self: MaybeContainer, name: str) -> Any:
    """A method that is not given above: that of a dict or set of Python's, where all is known."""
    if not hasattr(self.like, name) or name.startswith("__"):
        raise AttributeError(f"{type(self.like).__name__!r} object has no attribute {name!r}")

    def call(*args: Any, **kwargs: Any) -> Any:
        plain = certain(self, f"used by {name}()")
        found = getattr(plain, name)(*args, **kwargs)
        self.contents = dict.fromkeys(plain, True) if isinstance(self, MaybeSet) else plain
        self.turns = None if self.turns is None else in_order(plain)
        return found

    return call


def _copy(self: MaybeContainer) -> Any:
    return self.with_contents(dict(self.contents))


def _as(kind: type[MaybeDict], source: Any, **named: Any) -> Any:
    if not isinstance(source, MaybeDict):
        return NotImplemented
    made: Any = kind({}, source.called, source.is_ordered)
    made.turns = source.turns
    write_contents(made, {**source.contents, **turns_of(source.contents, source.turns)})
    made.update(named)
    return made


MAKES: Final[dict[Any, Callable[..., Any]]] = {
    **{pythons: partial(_as, kind) for pythons, kind in DICTS.items() if isinstance(kind.like, dict)},
    set: lambda source: set_of_keys(source) if isinstance(source, MaybeContainer) else NotImplemented,
    frozenset: lambda source: keyed_set_of(set_of_keys(source), frozenset()),
    copy.copy: lambda source: _copy(source) if isinstance(source, MaybeContainer) else NotImplemented,
}  # fmt: skip
"""What makes a dict or set of one."""


def made_of(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`dict(d)` and its like; NotImplemented for other calls."""
    if len(args) != 1 or not isinstance(args[0], MaybeContainer) or not isinstance(function, Hashable):
        return NotImplemented
    make = MAKES.get(function)
    return NotImplemented if make is None else make(*args, **kwargs)


def _shown(self: MaybeContainer) -> str:
    if (text := mark(self, "r")) is not None:
        return text
    parts = [f"{key!r}?" if is_maybe(value) else repr(key) for key, value in self.contents.items()]
    return f"<a {type(self.like).__name__} with {', '.join(parts)}>"


def install() -> None:
    """Gives the classes their methods."""
    both: dict[str, Any] = {
        "__contains__": lambda self, key: bool(is_in(self, key)), "__len__": lambda self: len(certain(self, "used")),
        "__ag_len__": length, "__ag_truth__": truth, "__bool__": lambda self: bool(truth(self)), "__eq__": equal,
        "__ne__": lambda self, other: negated(equal(self, other)), "__getattr__": _of_python, "__repr__": _shown,
        "__iter__": lambda self: iter(certain(self, "gone through by what is not converted")),
        "update": _update,
        "clear": lambda self: self.contents.clear(), "copy": _copy, "__ag_sorted__": sorted_view,
        "__ior__": _updated_in_place,
    }  # fmt: skip
    of_dicts: dict[str, Any] = {
        "__getitem__": _item, "__setitem__": _put, "__delitem__": _remove, "get": _get, "pop": _pop,
        "setdefault": lambda self, key, default=None: _put_default(self, key, lambda: default, f".setdefault({key!r})"),
        "__or__": _union, "__ror__": lambda self, other: _union(other, self),
        "popitem": lambda self: popitem(self), "keys": lambda self: View(self, "keys"),
        "values": lambda self: View(self, "values"), "items": lambda self: View(self, "items"),
        "__ag_push__": lambda self, consumer: View(self, "keys").__ag_push__(consumer),
        "__ag_reversed__": lambda self: View(self, "keys").__ag_reversed__(), "__ag_merged__": staticmethod(_merged),
        "__ag_found__": _found, "__ag_without__": lambda self, keys: self.with_contents(
            {key: value for key, value in self.contents.items() if key not in keys}
        ),
    }  # fmt: skip
    of_sets: dict[str, Any] = {
        "add": lambda self, member: _put(self, member, True), "discard": _discard, "remove": _remove,
        "__ag_class__": staticmethod(lambda: set), "__ag_push__": push_members,
    }  # fmt: skip
    of_each = dict(methods_of({**of_dicts, "put_default": _put_default}))
    of_each[MaybeDict] |= both | of_dicts
    of_each[MaybeSet] = both | of_sets
    for kind, methods in of_each.items():
        for name, method in {**methods, "__ag_asked__": staticmethod(asked)}.items():
            setattr(kind, name, method)
        SEARCHES[kind] = lambda item, container: is_in(container, item)
    add_set_methods(MaybeSet, _combined, as_maybe_set, _take)
    SEARCHES[View] = in_view
