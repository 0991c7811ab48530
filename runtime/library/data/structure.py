"""What the elements of a dataset look like: a structure of tuples and dicts with specs as leaves.

    >>> structure = structure_of(({"x": 1.0}, "label"))
    >>> structure.spec
    ({'x': TensorSpec(shape=(), dtype=tf.float32, name=None)}, TensorSpec(shape=(), dtype=tf.string, name=None))
    >>> structure.pack([1.5, b"cat"])
    ({'x': 1.5}, b'cat')

Tuples, named tuples, dicts, dataclasses and attrs classes are structure; a list is a tensor. None stands for itself and
is no leaf. A leaf is a tensor or a dataset (what `window` gives), described by a TensorSpec or a `DatasetSpec`. Ragged
and sparse tensors are structure as well, whose leaves are their parts; with tensors and datasets they are *components*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from runtime import structures
from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.rows import of_row, of_rows
from runtime.dtypes import variant
from runtime.library.data.composites import batch_spec, is_composite, row_spec, spec_of, with_shape
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["DatasetSpec", "Leaf", "Structure", "as_leaves", "is_inner", "mapped_components", "structure_of"]

Value = TypeVar("Value")


class DatasetSpec:
    """The type of a dataset: the structure of its elements. `element_spec`: specs in that structure."""

    __slots__ = ("element_spec",)

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec

    dtype = variant
    shape = TensorShape([])

    # -- as a type of arguments: a structure with the spec of the handle as its one part (runtime.composite.protocol)

    _nest_stands_for: type
    value_type: type
    _nest_make: Callable[..., Any]

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".handle", TensorSpec([], variant))]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        if isinstance(parts[0], TensorSpec):
            return DatasetSpec(self.element_spec)
        return type(self)._nest_make(parts[0], Structure(self.element_spec))

    def _nest_check(self, other: Any) -> None:
        if not self.is_compatible_with(other):
            raise TypeError(f"a dataset of {self.element_spec!r} was expected; got {other!r}")

    def _nest_static(self) -> Any:
        return "dataset", repr(self.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the elements of another dataset (or spec) can have this type."""
        theirs = getattr(spec_or_value, "element_spec", None)
        return theirs is not None and Structure(self.element_spec).accepts(Structure(theirs))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(repr(self.element_spec))

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, TensorShape([]))"


Leaf = TensorSpec | DatasetSpec


def is_outer(value: Any) -> bool:
    """Whether a value is structure of components."""
    return structures.is_separable(value) and not isinstance(value, list)


def is_inner(value: Any) -> bool:
    """Whether a value is structure of leaves. Lists are not, nor is what stands for a tensor."""
    return is_outer(value) or is_composite(value)


def as_leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    """The leaves of an element, None left out, each with how it is reached."""
    if value is None:
        return []
    if not is_inner(value):
        return [(path, value)]
    return [leaf for step, part in structures.children(value) for leaf in as_leaves(part, path + step)]


def _components(value: Any) -> list[Any]:
    if value is None:
        return []
    if not is_outer(value):
        return [value]
    return [component for _, part in structures.children(value) for component in _components(part)]


def _rebuilt(model: Any, leaves: Any) -> Any:
    if model is None:
        return None
    if not is_inner(model):
        return next(leaves)
    return structures.rebuild(model, [_rebuilt(part, leaves) for _, part in structures.children(model)])


class Structure:
    """The structure of the elements of a dataset. `spec`: specs in that structure; `leaves`: the specs in order."""

    __slots__ = ("_key", "components", "leaves", "pack", "spec")

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self._key = ""
        found = as_leaves(spec)
        for path, leaf in found:
            if not isinstance(leaf, TensorSpec | DatasetSpec):
                raise TypeError(
                    f"an element_spec is a structure of TensorSpecs; at {path or 'the top'} it has {leaf!r}"
                )
        self.leaves: tuple[Leaf, ...] = tuple(leaf for _, leaf in found)
        self.components: tuple[Any, ...] = tuple(_components(spec))
        """Specs of tensors, datasets, ragged and sparse tensors, in order."""
        self.pack: Callable[[Sequence[Any]], Any] = self._packer()
        """From the values of the leaves to an element."""

    @property
    def key(self) -> str:
        """Equal for equal structures."""
        if not self._key:
            self._key = repr(self.spec)
        return self._key

    def _packer(self) -> Callable[[Sequence[Any]], Any]:
        spec = self.spec
        if spec is not None and not is_inner(spec):
            return lambda values: values[0]
        if type(spec) is tuple and not any(part is None or is_inner(part) for part in spec):
            return tuple
        return lambda values: _rebuilt(spec, iter(values))

    def flatten(self, element: Any, what: str = "the element") -> list[Any]:
        """The values of the leaves of an element. Raises TypeError where its structure differs."""
        if type(self.spec) is TensorSpec:
            return [element]
        try:
            return self._parts(self.spec, element)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{what} has not the structure {self.spec!r}: {error}") from None

    def _parts(self, model: Any, value: Any) -> list[Any]:
        if model is None:
            if value is not None:
                raise TypeError(f"None was expected in the place of {value!r}")
            return []
        if not is_inner(model) or (isinstance(model, RaggedTensorSpec) and not model.ragged_rank):
            return [value]
        if isinstance(model, tuple) and isinstance(value, list):
            value = tuple(value)
        pairs = structures.corresponding(model, value, check_types=False)
        return [leaf for part, given, _ in pairs for leaf in self._parts(part, given)]

    @property
    def has_composites(self) -> bool:
        """Whether ragged or sparse tensors are among the components."""
        return len(self.components) != len(self.leaves) or any(map(is_composite, self.components))

    def by_component(self, values: Sequence[Value]) -> list[tuple[Any, list[Value]]]:
        """Each component's spec with what belongs to its leaves. values: one for each leaf."""
        remaining = iter(values)
        return [(spec, [next(remaining) for _ in as_leaves(spec)]) for spec in self.components]

    def map_components(self, function: Callable[[Any], Any]) -> Structure:
        """The structure with other components. function: from the spec of a component to another spec."""
        return Structure(mapped_components(self.spec, function))

    def map(self, function: Callable[[Leaf], Any]) -> Any:
        """The structure with something else in the place of each spec."""
        return self.pack([function(leaf) for leaf in self.leaves])

    def accepts(self, other: Structure) -> bool:
        """Whether elements of another structure can be elements of this one."""
        try:
            structures.assert_same_structure(_outline(self), _outline(other))
        except (TypeError, ValueError):
            return False
        pairs = zip(self.components, other.components, strict=True)
        return all(type(a) is type(b) and a.is_compatible_with(b) for a, b in pairs)

    def relaxed(self, other: Structure, what: str) -> Structure:
        """The structure for elements of both. Raises TypeError if they have no type in common."""
        try:
            structures.assert_same_structure(_outline(self), _outline(other))
            found = map(_relaxed, self.components, other.components)
            return self.map_components(lambda component: next(found))
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{what}: the datasets have elements of different types, {self.spec!r} and {other.spec!r}"
            ) from error

    def require_rows(self, what: str) -> None:
        """Raises TypeError where a class of the program's is among the elements that is not Batchable."""
        for spec in extension_specs(self.spec):
            if not structures.has_rows(spec):
                raise TypeError(
                    f"{what}: several values of {spec.value_type.__name__} are not known to make one, with rows; derive"
                    " it from runtime.experimental.BatchableExtensionType if their tensors have these rows"
                )

    def refuse_types(self, what: str) -> None:
        """Raises TypeError where a class of the program's is among the elements."""
        for spec in extension_specs(self.spec):
            raise TypeError(f"{what}: {spec.value_type.__name__} is no type for this step; map it to its tensors first")

    def with_leading(self, size: int | None) -> Structure:
        """The structure of batches: each component has this dim in front."""
        self.require_rows("batch")
        batches = mapped_components(self.spec, lambda component: _batched(component, size))
        return Structure(of_rows(batches, size))

    def without_leading(self) -> Structure:
        """The structure of the rows of the elements."""
        return Structure(of_row(mapped_components(self.spec, row_spec)))

    def __repr__(self) -> str:
        return f"Structure({self.spec!r})"


def extension_specs(model: Any) -> list[Any]:
    """The specs of ExtensionTypes in a structure of specs."""
    if not is_outer(model):
        return []
    inner = [found for _, part in structures.children(model) for found in extension_specs(part)]
    return inner if structures.is_plain(model) else [model, *inner]


def _outline(structure: Structure) -> Any:
    """The structure of components, without their types."""
    return mapped_components(structure.spec, lambda component: 0)


def _batched(component: Any, size: int | None) -> Any:
    if isinstance(component, DatasetSpec):
        raise TypeError("datasets among the elements cannot be batched; flat_map makes their elements one sequence")
    return batch_spec(component, size)


def mapped_components(model: Any, function: Callable[[Any], Any]) -> Any:
    """The structure of components with something else in the place of each."""
    if model is None:
        return None
    if not is_outer(model):
        return function(model)
    return structures.rebuild(model, [mapped_components(part, function) for _, part in structures.children(model)])


def _relaxed(a: Any, b: Any) -> Any:
    if type(a) is not type(b):
        raise TypeError("values of different kinds")
    if isinstance(a, DatasetSpec):
        return DatasetSpec(Structure(a.element_spec).relaxed(Structure(b.element_spec), "elements").spec)
    if getattr(a, "ragged_rank", None) != getattr(b, "ragged_rank", None):
        raise TypeError("ragged tensors of different ragged_rank")
    tensors = [TensorSpec(spec.shape, spec.dtype) for spec in (a, b)]
    return with_shape(a, tensors[0].most_specific_compatible_type(tensors[1]).shape)


def structure_of(value: Any) -> Structure:
    """The structure of an element that is given as a value: exact specs of its tensors."""
    return Structure(_specs(value))


def _specs(value: Any) -> Any:
    if value is None:
        return None
    if is_composite(value):
        return spec_of(value)
    if is_inner(value):
        return structures.rebuild(value, [_specs(part) for _, part in structures.children(value)])
    spec = getattr(value, "element_spec", None)
    if spec is not None and hasattr(type(value), "_nest_parts"):
        return DatasetSpec(spec)
    if isinstance(value, Tensor | np.ndarray):
        tensor: Any = value if isinstance(value, Tensor) else convert_to_tensor(value)
        return TensorSpec(tensor.shape, tensor.dtype)
    tensor = convert_to_tensor(value)
    return TensorSpec(tensor.shape, tensor.dtype)
