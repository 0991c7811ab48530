"""What the annotation of a field of an ExtensionType asks for.

    kind_of(Tuple[int, ...], "M.counts")        # Items((PythonValue(int),), any_number=True)
    kind_of(List[int], "M.counts")              # TypeError that says what to write instead
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.composite.extension_kinds import AnyTensor, Either, Items, Kind, MappingOf, OfClass, PythonValue
from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor, SparseTensorSpec
from runtime.dtypes import DType
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["SPECS", "kind_of"]

PYTHON_TYPES: Final = (int, float, bool, str, bytes, type(None), TensorShape, DType)
"""Values that stay Python's: a trace is made for each."""

KEY_TYPES: Final = (int, float, bool, str, bytes)

SPECS: Final[dict[type, Any]] = {RaggedTensor: RaggedTensorSpec, SparseTensor: SparseTensorSpec}
"""The specs of the values of several tensors; classes of ExtensionTypes have theirs as `Spec`."""


def kind_of(annotation: Any, where: str) -> Kind:
    """What an annotation asks for. Raises TypeError, which names the place, for what no field can be."""
    if annotation is None:
        annotation = type(None)
    if isinstance(annotation, TensorSpec):
        return AnyTensor(annotation)
    described = getattr(type(annotation), "_nest_stands_for", None)
    if described is not None:
        return OfClass(described, annotation)
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return _of_class(annotation, where)
    maker = _GENERIC.get(typing.get_origin(annotation))
    arguments = typing.get_args(annotation)
    if maker is None or (not arguments and annotation not in _EMPTY_TUPLES):
        raise _unsupported(annotation, where)
    return maker(arguments, where)


def _of_class(annotation: type, where: str) -> Kind:
    if annotation in PYTHON_TYPES:
        return PythonValue(annotation)
    if annotation is Tensor:
        return AnyTensor(None)
    if annotation in SPECS or hasattr(annotation, "_extension_fields"):
        return OfClass(annotation)
    raise _unsupported(annotation, where)


_EMPTY_TUPLES: Final = (tuple[()], typing.Tuple[()])  # noqa: UP006


def _tuple(arguments: Sequence[Any], where: str) -> Kind:
    any_number = len(arguments) == 2 and arguments[1] is Ellipsis
    return Items(tuple(kind_of(a, where) for a in arguments[: 1 if any_number else None]), any_number)


def _mapping(arguments: Sequence[Any], where: str) -> Kind:
    key, item = arguments
    if key not in KEY_TYPES:
        raise TypeError(f"{where}: the keys of a mapping are int, float, bool, str or bytes; found {key!r}")
    return MappingOf(PythonValue(key), kind_of(item, where))


def _either(arguments: Sequence[Any], where: str) -> Kind:
    return Either(tuple(kind_of(a, where) for a in arguments))


_GENERIC: Final[dict[Any, Callable[[Sequence[Any], str], Kind]]] = {
    tuple: _tuple,
    collections.abc.Mapping: _mapping,
    typing.Union: _either,
    types.UnionType: _either,
}
"""By the origin of an annotation with arguments: what makes its kind of them."""


def _unsupported(annotation: Any, where: str) -> TypeError:
    remedy = _INSTEAD.get(getattr(typing.get_origin(annotation) or annotation, "__name__", ""), "")
    return TypeError(
        f"{where}: {annotation!r} is no type for a field of an ExtensionType{remedy}. Fields are tensors (Tensor, a"
        " TensorSpec, RaggedTensor, SparseTensor, ExtensionTypes), int, float, bool, str, bytes, None, TensorShape,"
        " DType, and Tuple[...], Mapping[...], Union[...], Optional[...] of these"
    )


_INSTEAD: Final = {
    "list": "; say Tuple[X, ...]",
    "Sequence": "; say Tuple[X, ...]",
    "tuple": "; say what it holds: Tuple[X, ...]",
    "dict": "; say Mapping[K, V]",
    "Mapping": "; say what it holds: Mapping[K, V]",
    "Variable": ": a value never changes, and a Variable does. Say Tensor, and keep the Variable in a Module",
}
