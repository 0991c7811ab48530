"""Trace types: what a cached trace depends on, of its arguments.

    constant([1.0, 2.0])  ->  dtype and shape; any tensor like it uses the same trace
    3, True, "relu"       ->  type and value: 1, 1.0 and True differ, nan is equal to itself, 0.0 is not -0.0
    [1, x], {"k": x}      ->  the kind of structure and the types of its parts
    v, [v, w] (Variables) ->  dtype, shape, and which of the arguments are the same Variable
    model (an object)     ->  the object, by == and hash, held weakly: a dead object matches nothing

A key has two parts: the arguments with a mark in the place of each tensor, as nested tuples that can be hashed; and
dtype and dims of the tensors in order. So a trace that was made for unknown dims (None; dims None: any rank) is found
for calls with known ones by comparing the second part alone: `is_subtype`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, Final

import numpy as np

from runtime import nest
from runtime.control_flow.optional import MaybeNone, presence
from runtime.state.parameters import VariableSpec
from runtime.state.variable import Variable
from runtime.tensor.convert import to_array
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "SPECS",
    "VARIABLES",
    "Key",
    "ObjectKey",
    "TensorKey",
    "as_tensor",
    "encode",
    "input_names",
    "is_dead",
    "is_input",
    "is_subtype",
    "remember",
    "same",
]

SPECS: Final = (TensorSpec, VariableSpec)

VARIABLES: Final = (Variable, VariableSpec)

INPUTS: Final = (Tensor, TensorSpec, np.ndarray, np.generic, *VARIABLES)
"""What becomes an input of the graph: tensors, what stands for them, arrays, and Variables."""

TensorKey = tuple[np.dtype[Any], tuple[int | None, ...] | None]
Key = tuple[tuple[Any, ...], tuple[TensorKey, ...]]
Died = Callable[[Any], None]


class _Mark:
    """Stands for a tensor in a key."""

    def __repr__(self) -> str:
        return "TENSOR"


TENSOR: Final = _Mark()


class ObjectKey:
    """An object by its own == and hash, held weakly. What cannot be held weakly is held.

    `died` is called when the object is gone. A bound method lives as long as the object that it is bound to.
    """

    __slots__ = ("_hash", "_target", "kind")

    def __init__(self, target: Any, died: Died | None = None) -> None:
        try:
            self._hash = hash(target)
        except TypeError:
            raise _UnhashableError(target) from None
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


class _UnhashableError(Exception):
    """A part of the arguments has no hash; `args[0]` is that part."""


def encode(
    arguments: Mapping[str, Any], died: Died | None = None, identities: bool = False
) -> tuple[Key, list[Any]]:
    """The key of a call's arguments, and its tensors and Variables in order; ndarrays have become tensors.

    `identities`: which Variables they are counts, too.

    `died` is called when an object that the key holds weakly is gone. Raises TypeError that names the argument where
    a part of it cannot be hashed, ValueError for a structure that contains itself.
    """
    tensors: list[Any] = []
    try:
        structure = tuple([_encode(value, tensors, died) for value in arguments.values()])
    except _UnhashableError as error:
        raise _cannot_be_hashed(arguments, error.args[0]) from None
    except RecursionError:
        for value in arguments.values():
            nest.flatten(value)  # says so if this is the reason
        raise
    if identities:
        structure += tuple([ObjectKey(t.handle, died) for t in tensors if isinstance(t, Variable)])
    return (structure, tuple([_tensor_key(t) for t in tensors])), tensors


def _encode(value: Any, tensors: list[Any], died: Died | None) -> Any:
    kind = type(value)
    if kind is EagerTensor:
        tensors.append(value)
        return TENSOR
    encoder = _ENCODERS.get(kind)
    return _encode_other(value, tensors, died) if encoder is None else encoder(value, tensors, died)


def _encode_literal(value: Any, tensors: list[Any], died: Died | None) -> Any:
    return type(value), value


def _encode_text(value: Any, tensors: list[Any], died: Died | None) -> Any:
    return type(value), repr(value)


def _encode_tensor(value: Any, tensors: list[Any], died: Died | None) -> Any:
    tensors.append(value)
    return TENSOR


def _encode_variable(value: Any, tensors: list[Any], died: Died | None) -> Any:
    """Its place among the tensors, or that of the first argument that is the same Variable."""
    tensors.append(value)
    first = next(i for i, t in enumerate(tensors) if t is value)
    return Variable, first, value.trainable


def _encode_items(value: Any, tensors: list[Any], died: Died | None) -> Any:
    return type(value), tuple([_encode(item, tensors, died) for item in value])


def _encode_mapping(value: Any, tensors: list[Any], died: Died | None) -> Any:
    keys = nest.keys(value)
    return type(value), tuple([(type(key), key, _encode(value[key], tensors, died)) for key in keys])


def _encode_set(value: Any, tensors: list[Any], died: Died | None) -> Any:
    return type(value), frozenset([_encode(item, tensors, died) for item in value])


def _encode_maybe_none(value: Any, tensors: list[Any], died: Died | None) -> Any:
    seen = presence(value)
    return MaybeNone, _encode(seen.value, tensors, died), _encode(seen.present, tensors, died)


def _encode_slice(value: Any, tensors: list[Any], died: Died | None) -> Any:
    bounds = (value.start, value.stop, value.step)
    if any(isinstance(bound, INPUTS) for bound in bounds):
        raise _UnhashableError(value)
    return slice, _encode_items(bounds, tensors, died)


_ENCODERS: Final[dict[type, Callable[[Any, list[Any], Died | None], Any]]] = {
    **dict.fromkeys((bool, int, str, bytes, type(None), range), _encode_literal),
    **dict.fromkeys((float, complex), _encode_text),
    **dict.fromkeys((SymbolicTensor, TensorSpec), _encode_tensor),
    **dict.fromkeys((Variable, VariableSpec), _encode_variable),
    **dict.fromkeys((list, tuple), _encode_items),
    dict: _encode_mapping,
    frozenset: _encode_set,
    slice: _encode_slice,
    MaybeNone: _encode_maybe_none,
}


def _encode_other(value: Any, tensors: list[Any], died: Died | None) -> Any:
    """The key of what is known by an abstract type only: arrays, subclasses of containers, dataclasses, objects."""
    if isinstance(value, np.ndarray | np.generic):
        tensors.append(as_tensor(value))
        return TENSOR
    if isinstance(value, Variable):
        return _encode_variable(value, tensors, died)
    if isinstance(value, Mapping):
        return _encode_mapping(value, tensors, died)
    if isinstance(value, list | tuple):
        return _encode_items(value, tensors, died)
    if nest.is_nested(value):
        kind = (type(value), value._nest_static()) if hasattr(value, "_nest_static") else type(value)
        return kind, tuple([_encode(part, tensors, died) for _, part in nest.children(value)])
    return _object_key(value, died)


def _object_key(value: Any, died: Died | None = None) -> ObjectKey:
    # A Function that was read from an object is made for that one use: what it stands for lives longer.
    stand_in = getattr(type(value), "_trace_identity", None)
    return ObjectKey(value if stand_in is None else stand_in(value), died)


def as_tensor(array: Any) -> EagerTensor:
    """An ndarray that is an argument: a value, not a constant of the graph that may be recorded just now."""
    return EagerTensor(to_array(array))


def _tensor_key(tensor: Any) -> TensorKey:
    if type(tensor) is EagerTensor:
        return tensor._array.dtype, tensor._array.shape
    return tensor.dtype.numpy, tensor.shape.dims


def _cannot_be_hashed(arguments: Mapping[str, Any], culprit: Any) -> TypeError:
    leaves = [leaf for parameter, value in arguments.items() for leaf in _named_leaves(parameter, value)]
    where = next((name for name, leaf in leaves if leaf is culprit), None)
    which = "an argument" if where is None else f"the argument {where!r}"
    return TypeError(
        f"{which} of type {type(culprit).__name__} cannot be hashed, so a trace for it could not be found again;"
        " pass tensors, Python values or structures of them"
    )


def is_input(leaf: Any) -> bool:
    """Whether a leaf of the arguments is an input of the graph rather than a fixed part of the trace."""
    return isinstance(leaf, INPUTS)


def input_names(parameter: str, value: Any) -> list[str]:
    """Names for the tensors of one argument, from the parameter and the way to them: `x`, `pair_0`.

    A TensorSpec's own name comes first.
    """
    names = [(leaf.name if type(leaf) in SPECS else None) or n for n, leaf in _named_leaves(parameter, value)]
    return [n for n, (_, leaf) in zip(names, _named_leaves(parameter, value), strict=True) if is_input(leaf)]


def _named_leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    if not nest.is_nested(value):
        return [(name, value)]
    return [
        leaf
        for step, part in nest.children(value)
        for leaf in _named_leaves(f"{name}_{step.strip('[].').strip(chr(39))}", part)
    ]


def remember(leaf: Any) -> Any:
    """What a trace keeps of a leaf of its arguments: objects are held weakly, so that a trace keeps none alive."""
    return leaf if is_input(leaf) or type(leaf) in _ENCODERS else _object_key(leaf)


def same(given: Any, traced: Any) -> bool:
    """Whether a Python value is the one that a trace remembers, by the rule that chooses traces."""
    try:
        key = _encode(given, [], None)
        return bool(key == (traced if isinstance(traced, ObjectKey) else _encode(traced, [], None)))
    except _UnhashableError:
        return False


def is_dead(key: Any) -> bool:
    """Whether a key holds an object that is gone, so that no call can match it any more."""
    if isinstance(key, tuple | frozenset):
        return any(map(is_dead, key))
    return isinstance(key, ObjectKey) and key.target() is None


def is_subtype(given: tuple[TensorKey, ...], general: tuple[TensorKey, ...]) -> bool:
    """Whether tensors like `given` may use a trace for `general`: equal but for dims that the trace leaves open."""
    return all(a == b or (a[0] == b[0] and _fits(a[1], b[1])) for a, b in zip(given, general, strict=True))


def _fits(dims: tuple[int | None, ...] | None, general: tuple[int | None, ...] | None) -> bool:
    if general is None or dims is None:
        return general is None
    return len(dims) == len(general) and all(b is None or a == b for a, b in zip(dims, general, strict=True))
