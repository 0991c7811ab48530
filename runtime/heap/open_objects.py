"""Objects with an attribute that is there in some runs only: while one has such an attribute, it is of a class of ours.

    if x > 0: self.cache = x      # vars(self) has MaybeUndefined(x, defined=x > 0) under "cache" now, and self is open:
    return self.cache             # what is read is the value, where a check in the graph finds that it is there

Such a class derives from the object's own and looks like it to the program. An object is open as long as it holds such
a value: `Kind.write` opens and closes it, so that to put contents back is all that is needed. What reading means is
said by `runtime.control_flow.objects.maybe_attributes`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn
from weakref import WeakValueDictionary

from autograph.rules import is_user_code
from runtime.heap.code import as_class

__all__ = ["USES", "can_be_open", "if_there", "is_maybe", "own_class", "set_open"]

USES: Final[dict[str, Callable[..., Any]]] = {}
"""What is done with an open object: "read", "delete", "ask" (`hasattr`, `getattr`), "find" (`match`), "refuse", "note"
(opened)."""

_OPERATORS: Final = "autograph.operators."
_classes: WeakValueDictionary[int, type] = WeakValueDictionary()
"""By the id of a class, the one of its open objects, which keeps it alive."""


def is_maybe(value: Any) -> bool:
    """Whether it is there in some runs only."""
    return getattr(type(value), "__ag_maybe_undefined__", False) is True


def if_there(value: Any) -> Any:
    """What a place has in the runs in which it has something."""
    return value.value if is_maybe(value) else value


def _methods(kind: type) -> dict[str, Any]:
    """What the class of open objects has, beside what the class of the object has."""
    own: Any = kind

    def attribute(self: Any, name: str) -> Any:
        if name == "__class__":
            return kind
        value = own.__getattribute__(self, name)
        if name == "__dict__" and _asks_for_the_program():
            _refuse(self, value)
        return USES["read"](self, name, value) if is_maybe(value) else value

    def delete(self: Any, name: str) -> None:
        try:
            value = own.__getattribute__(self, name)
        except AttributeError:
            value = None
        if is_maybe(value):
            USES["delete"](self, name, value)
        own.__delattr__(self, name)

    return {
        "__slots__": (),
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "__getattribute__": attribute,
        "__delattr__": delete,
        "__ag_class__": staticmethod(lambda: kind),  # what `type(value)` is
        "__ag_found_attribute__": lambda self, name: USES["find"](self, name),
        "__ag_asked__": staticmethod(lambda function, args, kwargs=None: USES["ask"](function, args)),
    }


def _asks_for_the_program() -> bool:
    """Whether it is the user's code that looks at the attributes as a dict."""
    frame = sys._getframe(2)
    return is_user_code(frame.f_code.co_filename) or str(frame.f_globals.get("__name__")).startswith(_OPERATORS)


def _refuse(owner: Any, contents: dict[str, Any]) -> NoReturn:
    name = next((name for name, value in contents.items() if is_maybe(value)), "")
    USES["refuse"](owner, name)
    raise AssertionError("it raises")


def _is_open(value: Any) -> bool:
    return "__getattribute__" in vars(type(value)) and "__ag_asked__" in vars(type(value))


def own_class(value: Any) -> type:
    """The class of an object as the program sees it."""
    return type(value).__mro__[1] if _is_open(value) else type(value)


def _open_class(kind: type) -> type:
    """Raises TypeError for a class that would be told of it."""
    made = _classes.get(id(kind))
    if made is None:
        told = getattr(kind.__init_subclass__, "__func__", None)
        if told is not None and told.__module__ != "typing":
            raise TypeError("it keeps account of the classes that derive from it")
        made = type.__new__(type(kind), kind.__name__, (kind,), _methods(kind))
        as_class(made, kind)
        _classes[id(kind)] = made
    return made


def can_be_open(value: Any) -> bool:
    """Whether an object can be opened: whether Python lets it have another class."""
    kind = type(value)
    if _is_open(value):
        return True
    try:
        _set_class(value, _open_class(kind))
    except TypeError:
        return False
    _set_class(value, kind)
    return True


def set_open(owner: Any, contents: Iterable[Any]) -> None:
    """Opens an object whose attributes have these values, or closes it."""
    if any(map(is_maybe, contents)):
        if not _is_open(owner):
            _set_class(owner, _open_class(type(owner)))
            USES["note"](owner)
    elif _is_open(owner):
        _set_class(owner, own_class(owner))


def _set_class(owner: Any, kind: type) -> None:
    vars(object)["__class__"].__set__(owner, kind)
