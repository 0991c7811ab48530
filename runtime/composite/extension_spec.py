"""`MyType.Spec`: what a value of an ExtensionType must look like, e.g. as an argument of a Function.

    Masked.Spec(TensorSpec([None]), TensorSpec([None], runtime.bool))
    Masked.Spec.from_value(value)

It has the fields of its type, with specs in the place of tensors. A class may write parts of it itself:

    class Masked(ExtensionType):
        ...
        class Spec:
            def __init__(self, shape, dtype=runtime.float32):
                self.values = TensorSpec(shape, dtype)
                self.mask = TensorSpec(shape, runtime.bool)
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Final

from runtime import structures
from runtime.composite.extension_annotations import SPECS
from runtime.composite.extension_fields import bound, close, fields_of, finished, refuse_change, signature_of
from runtime.composite.extension_layout import Layout, difference, is_spec
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = [
    "ExtensionTypeSpec", "alike", "check_alike", "rebuilt", "signature_without_self", "spec_class", "with_shapes",
]  # fmt: skip

FROM_TYPE: Final = ("shape", "dtype")
"""Properties of a type that its Spec has, too: they read specs there."""


class SpecMeta(type):
    """Finishes each Spec that a constructor has made."""

    value_type: Any

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        finished(made, fields_of(cls.value_type), "of_spec", cls.__qualname__)
        return made

    @property
    def __signature__(cls) -> inspect.Signature:
        if cls.__init__ is ExtensionTypeSpec.__init__:  # type: ignore[misc]
            return signature_of(fields_of(cls.value_type), with_defaults=False)
        return signature_without_self(cls.__init__)  # type: ignore[misc]


def signature_without_self(init: Any) -> inspect.Signature:
    """That of a class with this constructor."""
    found = inspect.signature(init)
    return found.replace(parameters=list(found.parameters.values())[1:])


class ExtensionTypeSpec(metaclass=SpecMeta):
    """See the module's docstring."""

    value_type: Any
    _nest_stands_for: Any
    _extension_layout: Layout
    _extension_parts: tuple[Any, ...]
    _nest_separable = True
    __ag_do_not_convert__ = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = fields_of(self.value_type)
        vars(self).update(bound(type(self).__qualname__, signature_of(fields, with_defaults=False), args, kwargs))

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The spec that describes a value. Raises TypeError for one of another type."""
        if type(value) is not cls.value_type:
            raise TypeError(f"{cls.__qualname__}.from_value: expected a {cls.value_type.__name__}, found {value!r}")
        return close(object.__new__(cls), value._extension_layout, list(map(_spec_of, value._extension_parts)))

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value (or a spec of one) fits: in its type, its Python fields, and its tensors."""
        other = spec_or_value
        if type(other) not in (type(self), self.value_type):
            return False
        if self._layout_key() != other._extension_layout.key:
            return False
        pairs = zip(self._extension_parts, other._extension_parts, strict=True)
        return all(bool(ours.is_compatible_with(theirs)) for ours, theirs in pairs)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether each value that satisfies this spec satisfies `other` too."""
        if not alike(self, other):
            return False
        pairs = zip(structures.flatten(self), structures.flatten(other), strict=True)
        return all(ours.is_subtype_of(theirs) for ours, theirs in pairs)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that this and all `others` are subtypes of; None where there is none."""
        if not all(alike(self, other) for other in others):
            return None
        leaves = zip(*map(structures.flatten, (self, *others)), strict=True)
        made = [leaf.most_specific_common_supertype(theirs) for leaf, *theirs in leaves]
        return None if None in made else structures.pack_sequence_as(self, made)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest spec that this and `other` are subtypes of. Raises ValueError where there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"no spec describes both {self!r} and {other!r}")
        return found

    def _layout_key(self) -> tuple[Any, ...]:
        return self._extension_layout.key

    def _key(self) -> tuple[Any, ...]:
        return type(self), self._layout_key(), self._extension_parts

    def __getattr__(self, name: str) -> Any:
        found = getattr(type(self).value_type, name, None) if name in FROM_TYPE else None
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        raise AttributeError(f"{type(self).__qualname__} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        refuse_change(self, name, fields_of(self.value_type))
        vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        refuse_change(self, name, fields_of(self.value_type))
        del vars(self)[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExtensionTypeSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={vars(self).get(field.name)!r}" for field in fields_of(self.value_type))
        return f"{type(self).__qualname__}({shown})"

    # -- as a structure (runtime.composite.protocol) -------------------------------------------------------------

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return list(zip(self._extension_layout.steps, self._extension_parts, strict=True))

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return rebuilt(self.value_type, self._extension_layout, parts)

    def _nest_check(self, other: Any) -> None:
        check_alike(self, other)

    def _nest_static(self) -> Any:
        return self._layout_key()


def _spec_of(part: Any) -> Any:
    if isinstance(part, Tensor):
        return TensorSpec(part.shape, part.dtype)
    kind: Any = SPECS.get(type(part)) or type(part).Spec
    return kind.from_value(part)


def rebuilt(value_type: Any, layout: Any, parts: Sequence[Any]) -> Any:
    """A value with these parts; its Spec, if they all are specs."""
    if parts and all(part is None for part in parts):  # these are gradients, and there are none
        return None
    kind = value_type.Spec if parts and all(map(is_spec, parts)) else value_type
    return close(object.__new__(kind), layout, parts)


def with_shapes(value: Any, change: Any) -> Any:
    """A value of a Batchable type, or its Spec, with other TensorShapes among its fields."""
    return close(object.__new__(type(value)), value._extension_layout.with_shapes(change), value._extension_parts)


def check_alike(one: Any, other: Any) -> None:
    """Raises TypeError where the fields that are no tensors differ."""
    layouts = one._extension_layout, other._extension_layout
    if layouts[0].key != layouts[1].key:
        name = getattr(type(one), "value_type", type(one)).__name__
        raise TypeError(
            f"two values of {name} have no common structure: {difference(*layouts)}. What differs must be a tensor"
        )


def alike(one: Any, other: Any) -> bool:
    """Whether two values or two specs are of one type, and have the same fields but for their tensors, at any depth."""
    try:
        structures.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return False
    return True


def spec_class(value_type: Any, own: Any) -> Any:
    """The class of the specs of a type. own: the class `Spec` that its class has written, if any."""
    bases = (ExtensionTypeSpec,) if own is None else (own, ExtensionTypeSpec)
    rows = {"_nest_with_shapes": with_shapes} if hasattr(value_type, "_nest_with_shapes") else {}
    names = {**rows, "__module__": value_type.__module__, "__qualname__": f"{value_type.__qualname__}.Spec"}
    doc = f"What a {value_type.__name__} must look like."
    return SpecMeta("Spec", bases, {**names, "__doc__": doc, "value_type": value_type, "_nest_stands_for": value_type})
