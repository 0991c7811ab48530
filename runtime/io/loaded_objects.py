"""What `saved_model.load` gives: objects with the attributes of those that were saved, without their classes.

    loaded.weights, loaded.layers[0].bias          # Variables, lists, other objects
    loaded.step(x), loaded(x)                      # Functions, by their saved traces
    loaded.activation                              # AttributeError: ... was a function, which is not saved
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["LoadedObject", "NotSaved"]


class LoadedObject(Module):
    """An object of a saved model. It is a Module: `variables`, `trainable_variables`, `submodules` work."""

    __ag_do_not_convert__ = True

    _class_name: str
    _lost_attributes: dict[str, str]
    _freezes: bool

    signatures: Mapping[str, ConcreteFunction]
    """Of the root object: its signatures by name."""

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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the Function that was the object's `__call__`. Raises TypeError if none was saved."""
        call = vars(self).get("__call__")
        if not isinstance(call, Function):
            raise TypeError(
                f"the loaded {self._class_name} cannot be called: its __call__ was no Function when it was saved;"
                " decorate it with runtime.function, and save again"
            )
        return call(*args, **kwargs)

    def __getattr__(self, name: str) -> NoReturn:
        lost = self.__dict__.get("_lost_attributes", {}).get(name)
        kind = self.__dict__.get("_class_name", "object")
        if lost is None:
            raise AttributeError(
                f"the loaded {kind} has no attribute {name!r}; of methods, those are saved that are Functions"
            )
        raise AttributeError(f"the attribute {name!r} of the saved {kind} was {lost}, which a file does not hold")

    def __repr__(self) -> str:
        return f"<{self._class_name}, loaded from a saved model>"


class NotSaved:
    """Stands in a list or dict for what a saved model does not hold."""

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"<not saved: {self.what}>"
