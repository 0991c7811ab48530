"""`ExtensionType`: classes of a program whose values are made of tensors, and go wherever a tensor goes.

    class Masked(ExtensionType):
        values: runtime.Tensor
        mask: runtime.TensorSpec(None, runtime.bool)

        def filled(self, value):
            return runtime.where(self.mask, self.values, value)

    Masked([1.0, 2.0], mask=[True, False])              # its fields become tensors
    Masked.Spec(TensorSpec([None]), TensorSpec([None], runtime.bool))

A value never changes. Its tensors are its parts, all other fields choose the trace (`runtime.composite.protocol`).
After the constructor, which a class may write itself, fields are checked and converted; then `__validate__` is called.
"""

from __future__ import annotations

import abc
import functools
import inspect
import weakref
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, ClassVar, Final

from autograph.operators.stager import tracing_stager
from runtime import structures
from runtime.composite.extension_fields import bound, collected, fields_of, finished, refuse_change, signature_of
from runtime.composite.extension_kinds import ImmutableDict
from runtime.composite.extension_layout import Layout
from runtime.composite.extension_spec import (
    alike,
    check_alike,
    rebuilt,
    signature_without_self,
    spec_class,
    with_shapes,
)
from runtime.composite.whole_equality import same_values
from runtime.ops.records.gradients import ops
from runtime.state.calling import staged
from runtime.tensor.composites import DISPATCHED, HANDLERS

__all__ = ["NAMED", "BatchableExtensionType", "ExtensionType"]


NAMED: Final[MutableMapping[str, type]] = weakref.WeakValueDictionary()
"""Classes by the name that they have for saved models: `__name__ = "my_library.Masked"` in the class."""


class ExtensionMeta(abc.ABCMeta):
    """Makes the constructor and the Spec of each class, and finishes each value."""

    def __new__(meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **keywords: Any) -> Any:
        """The class, with its fields."""
        own_spec = namespace.pop("Spec", None)
        known = namespace.get("__name__")
        if known in NAMED:
            raise ValueError(f"{name}: there is an ExtensionType whose __name__ is {known!r} already")
        cls: Any = super().__new__(meta, name, bases, namespace, **keywords)
        parents: list[Any] = [base for base in bases if isinstance(base, ExtensionMeta)]
        adds = collected(cls, depth=2) or len(parents) != 1
        if "__init__" not in namespace and adds:
            cls.__init__ = _constructor(cls)
        if own_spec is None and not adds:
            own_spec = parents[0]._extension_own_spec
        cls._extension_own_spec, cls.Spec = own_spec, spec_class(cls, own_spec)
        if isinstance(known, str):
            NAMED[known] = cls
        above = next((base for base in bases if base in DISPATCHED), None)
        if above is not None:
            HANDLERS[cls] = HANDLERS[above]
            DISPATCHED.add(cls)
        return cls

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if vars(cls).get("_extension_is_base"):
            raise TypeError(f"{cls.__name__} has no values of its own: derive a class from it, with annotated fields")
        made: Any = super().__call__(*args, **kwargs)
        if issubclass(type(made), cls):  # a `__new__` may give anything
            finished(made, fields_of(cls), "of_value", cls.__name__)
            _validate(made)
        return made

    @property
    def __signature__(cls) -> inspect.Signature:
        init: Any = cls.__init__  # type: ignore[misc]
        owner = getattr(init, "_extension_owner", None)
        return signature_without_self(init) if owner is None else signature_of(fields_of(owner), with_defaults=True)


def _constructor(cls: Any) -> Any:
    """The `__init__` of a class that writes none: its fields by position or keyword."""

    signature = functools.cache(lambda: signature_of(fields_of(cls), with_defaults=True))

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        vars(self).update(bound(cls.__name__, signature(), args, kwargs))

    made: Any = __init__
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made._extension_owner = cls
    return made


def _validate(made: Any) -> None:
    check = type(made).__validate__
    if check is ExtensionType.__validate__:
        return
    if tracing_stager.get() is not None:
        check = staged(check)
    check(made)


class ExtensionType(metaclass=ExtensionMeta):
    """See the module's docstring. Fields are the annotated names of a class and its bases, in that order.

    Values of one type are equal if all their fields are: `a == b` is one bool (a tensor where tensors are compared).
    """

    Spec: ClassVar[Any]
    """What a value must look like, see `runtime.composite.extension_spec`."""

    _extension_is_base: ClassVar = True
    _nest_separable: ClassVar = True
    __array_ufunc__: ClassVar = None
    _extension_layout: Layout
    _extension_parts: tuple[Any, ...]
    __hash__ = None  # type: ignore[assignment]

    def __validate__(self) -> None:
        """Checks of a class beyond those of its annotations; it raises what it wants."""

    def __setattr__(self, name: str, value: Any) -> None:
        refuse_change(self, name, fields_of(type(self)))
        vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        refuse_change(self, name, fields_of(type(self)))
        del vars(self)[name]

    def __eq__(self, other: object) -> Any:
        return alike(self, other) and same_values(structures.flatten(self), structures.flatten(other))

    def __ne__(self, other: object) -> Any:
        same = self == other
        return not same if isinstance(same, bool) else ops.logical_not(same)

    def __repr__(self) -> str:
        fields = (field.name for field in fields_of(type(self)))
        return f"{type(self).__name__}({', '.join(f'{name}={vars(self).get(name)!r}' for name in fields)})"

    def __ag_print__(self) -> Iterator[Any]:
        yield f"{type(self).__name__}("
        for i, field in enumerate(fields_of(type(self))):
            yield f"{', ' if i else ''}{field.name}="
            value = vars(self)[field.name]
            yield repr(value) if isinstance(value, str) else dict(value) if type(value) is ImmutableDict else value
        yield ")"

    def __ag_watched__(self) -> list[Any]:
        """What staged code can change through a value: not its fields."""
        return [*self._extension_layout.filled(self._extension_parts).values(), *type(self).__mro__]

    # -- as a structure (runtime.composite.protocol) -------------------------------------------------------------

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return list(zip(self._extension_layout.steps, self._extension_parts, strict=True))

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return rebuilt(type(self), self._extension_layout, parts)

    def _nest_check(self, other: Any) -> None:
        check_alike(self, other)

    def _nest_static(self) -> Any:
        return self._extension_layout.key


class BatchableExtensionType(ExtensionType):
    """An ExtensionType of which several stand together as one, with one dimension more in each of its tensors (and in
    the TensorShapes among its fields).

    So `map_fn` and `Dataset.from_tensor_slices` take it row by row, and `Dataset.batch` puts values together.
    """

    _extension_is_base: ClassVar = True
    _nest_with_shapes = with_shapes
