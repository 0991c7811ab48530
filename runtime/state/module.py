"""`Module`: an object that knows the Variables and Modules in it, however deep in lists, dicts and tuples.

    class Dense(runtime.Module):
        def __init__(self, size, name=None):
            super().__init__(name)
            self.size, self.w = size, None

        @runtime.Module.with_name_scope
        def __call__(self, x):
            if self.w is None:                                    # created when the size of x is known
                self.w = runtime.Variable(runtime.zeros([x.shape[-1], self.size]), name="w")
            return x @ self.w

    Dense(3, name="last").variables            # () before the first call, then ("last/w:0",)

A program may leave out `super().__init__()`. Nothing is recorded when attributes are set: the collections look at what
is there when they are asked for.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from runtime import structures as nest
from runtime.state.calling import call_users
from runtime.state.expected import WAITING, settle
from runtime.state.scopes import name_scope
from runtime.state.variable import Variable

__all__ = ["Module"]

_OWN: Final = frozenset({"_module_name", "_module_scope"})


class Module:
    """A part of a model with Variables of its own. See the module's docstring."""

    _listed_by_name = True
    """Whether what is found is in the order of the names of attributes, or in that in which they were first set."""

    def __init__(self, name: str | None = None) -> None:
        """name: a Python identifier; by default the name of the class in snake_case. Raises ValueError for others."""
        if name is not None and not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(f"{name!r} is not a valid module name: it must be a Python identifier")
        self._module_name = name

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if WAITING:
            settle(self, name)

    @property
    def name(self) -> str:
        """The name of the module, for messages and the names of its Variables."""
        return self.__dict__.get("_module_name") or _snake_case(type(self).__name__)

    @property
    def name_scope(self) -> name_scope:
        """`with module.name_scope:` names of Variables made inside start with the module's name."""
        return name_scope(self.name)

    def _saved_parts(self) -> dict[str, Any]:
        """What may be saved of it, by name: see `runtime.checkpoint.objects`."""
        return {name: value for name, value in vars(self).items() if name not in _OWN}

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All Variables of this module and of those inside of it, each once: its own first, by attribute name."""
        return tuple(_found(self, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are not trainable."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules inside of this one, at any depth, each once."""
        return tuple(_found(self, Module))

    def _repr_html_(self) -> str:
        """A table of what is in it, for notebooks."""
        from runtime.pictures.tables import of_module  # as everything that draws, loaded when it is asked for

        count = sum(v.shape.num_elements() or 0 for v in self.variables)
        return of_module(_facts(self), count)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for methods: what they create is named after the module, as in `dense/w:0`."""

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return call_users(method, self, *args, **kwargs)

        return scoped


def _snake_case(name: str) -> str:
    """`MLPBlock` -> `mlp_block`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _found(module: Module, kind: type) -> Iterator[Any]:
    """What there is of a type in a module and, after that, in each of those inside of it."""
    seen: set[int] = {id(module)}
    waiting: list[Module] = [module]
    while waiting:
        inner: list[Module] = []
        for leaf in _leaves(waiting.pop()):
            if id(leaf) in seen:
                continue
            seen.add(id(leaf))
            if isinstance(leaf, kind):
                yield leaf
            if isinstance(leaf, Module):
                inner.append(leaf)
        waiting += reversed(inner)


def _facts(module: Module) -> Any:
    """What `runtime.pictures.tables` shows of a module and of those in it, each once; lists are filled outside in."""
    from runtime.pictures.reading import type_text

    root: Any = (_title(module), [], [])
    known, waiting = {id(module)}, [(module, root)]
    while waiting:
        outer, (_, variables, inner) = waiting.pop()
        for leaf in _leaves(outer):
            if id(leaf) in known:
                continue
            known.add(id(leaf))
            if isinstance(leaf, Variable):
                variables.append((leaf.name, type_text(leaf), "" if leaf.trainable else "not trained"))
            else:
                inner.append((_title(leaf), [], []))
                waiting.append((leaf, inner[-1]))
    return root


def _title(module: Module) -> str:
    return f"{type(module).__name__} {module.name!r}"


def _leaves(module: Module) -> Iterator[Any]:
    """Variables and Modules that a module holds directly: in attributes and containers in them."""
    attributes = list(vars(module).items())
    if module._listed_by_name:
        attributes.sort(key=lambda item: item[0])
    stack: list[Any] = [value for name, value in reversed(attributes) if name not in _OWN]
    seen: set[int] = set()
    while stack:
        value = stack.pop()
        if isinstance(value, Variable | Module):
            yield value
        elif id(value) not in seen and (parts := _parts(value)):
            seen.add(id(value))
            stack += reversed(parts)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [value[key] for key in nest.keys(value)]
    if isinstance(value, set | frozenset):
        return list(value)
    return nest.parts(value) if nest.is_nested(value) else []
