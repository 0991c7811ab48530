"""Trace types: what a cached trace depends on, of one argument.

    constant([1.0, 2.0])  ->  dtype and shape; any tensor like it uses the same trace
    3, True, "relu"       ->  type and value
    [1, x], {"k": x}      ->  the kind of structure and the types of its parts
    model (an object)     ->  the object, by == and hash, held weakly: a dead object matches nothing

A key is a nested tuple that can be hashed. Keys of tensors hold the dims as a tuple (None: unknown) or None (any rank),
so a trace made for unknown dims can serve calls with known ones: `is_subtype`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MethodType
from typing import Any, Final

import numpy as np

from runtime import nest
from runtime.context import recording
from runtime.tensor.convert import constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Flattened", "ObjectKey", "TensorKey", "flatten_argument", "is_dead", "is_subtype", "remember"]

LITERALS: Final = (bool, int, str, bytes, type(None))


@dataclass(frozen=True, slots=True)
class TensorKey:
    """Dtype and static shape of a tensor."""

    dtype: str
    dims: tuple[int | None, ...] | None


@dataclass(frozen=True, slots=True)
class LiteralKey:
    """Type and value: 1, 1.0 and True are three different literals; nan is equal to itself and 0.0 is not -0.0."""

    kind: type
    value: Any


@dataclass(frozen=True, slots=True)
class StructureKey:
    """Kind of structure, how its parts are reached, and their keys."""

    kind: type
    steps: tuple[str, ...]
    parts: tuple[Any, ...]


class ObjectKey:
    """An object by its own == and hash, held weakly. What cannot be held weakly is held.

    `died` is called when the object is gone. A bound method lives as long as the object that it is bound to.
    """

    __slots__ = ("_hash", "_target", "kind")

    def __init__(self, target: Any, where: str, died: Callable[[Any], None] | None = None) -> None:
        try:
            self._hash = hash(target)
        except TypeError:
            raise TypeError(
                f"the argument {where} of type {type(target).__name__} cannot be hashed, so a trace for it could not be"
                " found again; pass tensors, Python values or structures of them"
            ) from None
        self.kind = type(target).__name__
        reference = weakref.WeakMethod if isinstance(target, MethodType) else weakref.ref
        try:
            self._target: Callable[[], Any] = reference(target, died)
        except TypeError:
            self._target = lambda: target

    def target(self) -> Any:
        """The object, or None if it is gone."""
        return self._target()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ObjectKey):
            return False
        mine, theirs = self._target(), other._target()
        return mine is not None and (mine is theirs or (type(mine) is type(theirs) and bool(mine == theirs)))

    def __repr__(self) -> str:
        target = self._target()
        return f"<{self.kind} that does not exist any more>" if target is None else repr(target)


@dataclass(slots=True)
class Flattened:
    """The tensors in some arguments, and what is needed to make their key."""

    tensors: list[Any]
    paths: list[str]
    """Names for the tensors, from the parameter and the way to them: `x`, `pair_0`."""
    died: Callable[[Any], None] | None = None
    """Called when an object that a key holds weakly is gone."""


def flatten_argument(value: Any, path: str, into: Flattened) -> Any:
    """The key of one argument; its tensors (ndarrays become tensors) are appended to `into`."""
    kind = type(value)
    if kind is EagerTensor:
        return _tensor_key(value, value._array.dtype.name, value._array.shape, path, into)
    if kind in LITERALS:
        return LiteralKey(kind, value)
    if kind is float or kind is complex:
        return LiteralKey(kind, repr(value))
    if kind is SymbolicTensor:
        return _tensor_key(value, value.dtype.numpy.name, value._shape.dims, path, into)
    if kind is TensorSpec:
        return _tensor_key(value, value.dtype.numpy.name, value.shape.dims, value.name or path, into)
    if isinstance(value, np.ndarray | np.generic):
        tensor = as_tensor(value)
        return _tensor_key(tensor, tensor._array.dtype.name, tensor._array.shape, path, into)
    if nest.is_nested(value):
        parts = nest.children(value)
        if isinstance(value, Mapping):
            steps = tuple(f"{type(key).__name__}{step}" for key, (step, _) in zip(nest.keys(value), parts, strict=True))
        else:
            steps = tuple(step for step, _ in parts)
        keys = tuple(flatten_argument(item, _path(path, step), into) for step, item in parts)
        return StructureKey(kind, steps, keys)
    return ObjectKey(value, repr(path), into.died)


def as_tensor(array: Any) -> EagerTensor:
    """An ndarray that is an argument: a value, not a constant of the graph that may be recorded just now."""
    with recording(None):
        tensor = constant(array)
    assert isinstance(tensor, EagerTensor)
    return tensor


def remember(leaf: Any) -> Any:
    """What a trace keeps of a leaf of its arguments: objects are held weakly, so that a trace keeps none alive."""
    if isinstance(leaf, (Tensor, TensorSpec, np.ndarray, np.generic, float, complex, *LITERALS)):
        return leaf
    return ObjectKey(leaf, "of a trace")


def is_dead(key: Any) -> bool:
    """Whether a key holds an object that is gone, so that no call can match it any more."""
    if isinstance(key, StructureKey):
        return any(map(is_dead, key.parts))
    if isinstance(key, tuple):
        return any(map(is_dead, key))
    return isinstance(key, ObjectKey) and key.target() is None


def _tensor_key(tensor: Any, dtype: str, dims: tuple[int | None, ...] | None, path: str, into: Flattened) -> TensorKey:
    into.tensors.append(tensor)
    into.paths.append(path)
    return TensorKey(dtype, dims)


def _path(path: str, step: str) -> str:
    return f"{path}_{step.strip('[].').strip(chr(39))}"


def is_subtype(key: Any, general: Any) -> bool:
    """Whether a call with `key` may use a trace for `general`: equal but for dims that the trace leaves open."""
    if isinstance(general, TensorKey):
        if not isinstance(key, TensorKey) or key.dtype != general.dtype:
            return False
        if general.dims is None:
            return True
        return (
            key.dims is not None
            and len(key.dims) == len(general.dims)
            and all(b is None or a == b for a, b in zip(key.dims, general.dims, strict=True))
        )
    if isinstance(general, tuple):
        return isinstance(key, tuple) and len(key) == len(general) and all(map(is_subtype, key, general))
    if isinstance(general, StructureKey):
        return (
            isinstance(key, StructureKey)
            and key.kind is general.kind
            and key.steps == general.steps
            and is_subtype(key.parts, general.parts)
        )
    return bool(key == general)
