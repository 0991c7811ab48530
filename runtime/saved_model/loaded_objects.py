"""What `saved_model.load` gives: objects with the attributes of those that were saved, without their classes.

    loaded.weights, loaded.layers[0].bias          # Variables, lists, other objects
    loaded.step(x), loaded(x)                      # Functions, by their saved traces
    loaded.activation                              # AttributeError: ... was a function, which is not saved

Where a Module was saved there is a Module again, where a dataclass was saved its fields are the parts of a structure.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from runtime import structures as nest
from runtime.function import pickling
from runtime.function.function import Function
from runtime.heap.code import as_users
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = [
    "LOADED", "LoadedFields", "LoadedModule", "LoadedObject", "NotSaved", "Origin", "give_origin", "is_loaded",
    "kind_of", "origin_of",
]  # fmt: skip

ORIGIN: Final = "__origin__"
"""The attribute that has the Origin: no attribute of a program is saved under such a name."""


class Origin:
    """What is known of the object that was saved."""

    __slots__ = ("class_name", "freezes", "listed_by_name", "lost")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.listed_by_name = True
        """Whether its Variables are listed by the names of attributes, as those of Modules."""
        self.freezes = False
        """Whether its `trainable` counts, as that of layers."""
        self.lost: dict[str, str] = {}
        """What the attributes were that were not saved, by name."""


def origin_of(loaded: Any) -> Origin:
    """What is known of the object that was saved, of one that was loaded."""
    return vars(loaded)[ORIGIN]


def give_origin(loaded: Any, origin: Origin) -> None:
    """Tells a loaded object what it was."""
    vars(loaded)[ORIGIN] = origin


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls the Function that was the object's `__call__`. Raises TypeError if none was saved."""
    call = vars(self).get("__call__")
    if not isinstance(call, Function):
        raise TypeError(
            f"the loaded {origin_of(self).class_name} cannot be called: its __call__ was no Function when it was saved;"
            " decorate it with runtime.function (or, if it is a layer, call it once), and save again"
        )
    return call(*args, **kwargs)


def _missing(self: Any, name: str) -> NoReturn:
    known = vars(self).get(ORIGIN)
    kind, lost = ("object", None) if known is None else (known.class_name, known.lost.get(name))
    if lost is None:
        raise AttributeError(f"the loaded {kind} has no attribute {name!r}; of methods, Functions are saved")
    raise AttributeError(f"the attribute {name!r} of the saved {kind} was {lost}, which a file does not hold")


def _copied(self: Any, memo: dict[int, Any]) -> Any:
    """A copy with copies of the attributes, which share what these share."""
    made = memo[id(self)] = object.__new__(type(self))
    vars(made).update({name: copy.deepcopy(value, memo) for name, value in vars(self).items()})
    return made


def _held_copy(self: Any) -> Any:
    """A copy with the same attributes."""
    made = object.__new__(type(self))
    vars(made).update(vars(self))
    return made


def _pickled(self: Any) -> Any:
    """As a saved model, in which everything has the Variables that it had."""
    return pickling.by_graph(self)


def _shown(self: Any) -> str:
    return f"<{origin_of(self).class_name}, loaded from a saved model>"


class LoadedObject:
    """An object that was no Module."""

    __ag_do_not_convert__ = True
    __call__ = _call
    __getattr__ = _missing
    __repr__ = _shown
    __copy__ = _held_copy
    __deepcopy__ = _copied
    __reduce__ = _pickled


class LoadedFields:
    """An object of a dataclass: a structure of its attributes."""

    __ag_do_not_convert__ = True
    __call__ = _call
    __getattr__ = _missing
    __repr__ = _shown
    __copy__ = _held_copy
    __deepcopy__ = _copied
    __reduce__ = _pickled

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f".{name}", value) for name, value in vars(self).items() if name != ORIGIN]

    def _nest_rebuild(self, parts: Sequence[Any]) -> LoadedFields:
        made = object.__new__(LoadedFields)
        names = [name for name in vars(self) if name != ORIGIN]
        vars(made).update({ORIGIN: vars(self)[ORIGIN], **dict(zip(names, parts, strict=True))})
        return made

    def _nest_check(self, other: Any) -> None:
        if not isinstance(other, LoadedFields) or list(vars(other)) != list(vars(self)):
            raise TypeError(f"{self!r} and {other!r} have not the same attributes")


class LoadedModule(Module):
    """A Module: `variables`, `trainable_variables` and `submodules` are those that it had."""

    __ag_do_not_convert__ = True
    __call__ = _call
    __getattr__ = _missing
    __repr__ = _shown
    __copy__ = _held_copy
    __deepcopy__ = _copied
    __reduce__ = _pickled

    @property
    def _listed_by_name(self) -> bool:  # type: ignore[override]
        return origin_of(self).listed_by_name

    @property
    def _freezes(self) -> bool:
        return origin_of(self).freezes

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are trainable; where a layer was saved, none of a layer that is not trained."""
        found = tuple(v for v in self.variables if v.trainable)
        if not self._freezes:
            return found
        inside = [m for m in (self, *self.submodules) if vars(m).get("trainable", True) is False]
        frozen = {id(v) for module in inside for v in module.variables}
        return tuple(v for v in found if id(v) not in frozen)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are not trained."""
        trained = {id(v) for v in self.trainable_variables}
        return tuple(v for v in self.variables if id(v) not in trained)


LOADED: Final[dict[str, Any]] = {"fields": LoadedFields, "module": LoadedModule, "object": LoadedObject}
"""The classes by the kinds of nodes."""

for _kind in LOADED.values():
    as_users(_kind)  # what a program does with their attributes is its own affair


def is_loaded(value: Any) -> bool:
    """Whether an object comes from a saved model."""
    return isinstance(value, LoadedFields | LoadedModule | LoadedObject)


def kind_of(value: Any) -> str:
    """The kind of node that an object becomes."""
    if isinstance(value, Module):
        return "module"
    return "fields" if nest.has_fields(value) or isinstance(value, LoadedFields) else "object"


class NotSaved:
    """Stands in a list or dict for what a saved model does not hold."""

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"<not saved: {self.what}>"
