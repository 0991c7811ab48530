"""Trace types: what a cached trace depends on, of its arguments.

    constant([1.0, 2.0])  ->  dtype and shape; any tensor like it uses the same trace
    np.float64(1.0)       ->  dtype, and that numpy's rules hold for it
    3, True, "relu"       ->  type and value: 1, 1.0 and True differ, nan is equal to itself, 0.0 is not -0.0
    [1, x], {"k": x}      ->  the kind of structure and the types of its parts
    v, [v, w] (Variables) ->  dtype, shape, and which of the arguments are the same Variable
    model (an object)     ->  the object, by == and hash, held weakly: a dead object matches nothing
    an object with __tf_tracing_type__  ->  the TraceType that it returns

A key has two parts: the arguments with a mark in the place of each tensor, as nested tuples that can be hashed; and
dtype and dims of the tensors in order, then the TraceTypes that objects returned. So a trace that was made for unknown
dims (None; dims None: any rank) is found for calls with known ones by comparing the second part alone: `is_subtype`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.function.foreign_arrays import ForeignError, is_foreign
from runtime.function.leaves import INPUTS, is_input, is_number_of_numpy, is_open, name_of, open_dims
from runtime.function.numbers import Number
from runtime.function.object_keys import Died, ObjectKey, UnhashableError, is_dead
from runtime.function.trace_protocol import (
    TraceType,
    TracingContext,
    Typed,
    TypedParts,
    UselessTypeError,
    has_tracing_type,
    is_of_type,
)
from runtime.marker import Marker
from runtime.ndarrays.arguments import ArraySpec, is_memory, mark_of
from runtime.state.parameters import VariableSpec
from runtime.state.variable import Variable
from runtime.tensor.array_classes import check_plain
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import to_array
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "Inputs",
    "Key",
    "ObjectKey",
    "Specs",
    "as_tensor",
    "encode",
    "is_alike",
    "is_dead",
    "is_subtype",
    "remember",
    "same",
    "tensor_keys",
]

TensorKey = tuple[np.dtype[Any], tuple[int | None, ...] | None]
Specs = tuple[TensorKey | TraceType, ...]
Key = tuple[tuple[Any, ...], Specs]


EAGER: Final = {EagerTensor}

TENSOR: Final = Marker("TENSOR")
"""Stands for a tensor in a key."""
SCALAR: Final = Marker("SCALAR")
"""Stands for a number of numpy's own, for which numpy's rules hold."""
TYPED: Final = Marker("TYPED")
"""Stands for an object with a TraceType of its own."""


class Inputs(list[Any]):
    """The tensors and Variables of a call, in order."""

    types: tuple[Typed, ...] = ()
    """Its objects that have TraceTypes of their own, in order."""
    stated: tuple[tuple[int, TensorSpec], ...] = ()
    """Positions of those of which a TraceType says what the trace depends on, and what it says."""
    arrays: tuple[tuple[int, Any], ...] = ()
    """Positions of those that are ndarrays of the caller, and these."""
    texts: tuple[int, ...] = ()
    """Positions of those that are ndarrays of text or objects, which are no memory of a graph."""
    alike: tuple[Any, ...] = ()
    """Its objects that may be equal to others."""
    orders: tuple[tuple[Any, ...], ...] = ()
    """The keys of its dicts that are in another order than that of their values."""
    numbers: tuple[int, ...] = ()
    """Positions of those that are numbers of Python."""
    open: tuple[int, ...] = ()
    """Positions of those whose first dimension a trace leaves open (`runtime.composite.protocol`)."""


def encode(arguments: Mapping[str, Any], died: Died | None = None, identities: bool = False) -> tuple[Key, Inputs]:
    """The key of a call's arguments, and its tensors and Variables in order; ndarrays have become tensors.

    `identities`: which Variables and objects they are counts, too.

    `died` is called when an object that the key holds weakly is gone. Raises TypeError that names the argument where
    a part of it has no hash, ValueError for one that contains itself, ForeignError for an array of another library.
    """
    inputs = Inputs()
    try:
        structure = tuple([_encode(value, inputs, died) for value in arguments.values()])
    except ForeignError:
        raise
    except UnhashableError as error:
        raise TypeError(
            f"{_which(arguments, error.args[0])} of type {type(error.args[0]).__name__} cannot be hashed, so a trace"
            " for it could not be found again; pass tensors, Python values or structures of them"
        ) from None
    except UselessTypeError as error:
        raise TypeError(f"{_which(arguments, error.value)}: {error}") from None
    except RecursionError:
        nest.check_depth(arguments)  # says so if this is the reason
        raise
    if identities:
        structure += tuple([ObjectKey(t.handle, died) for t in inputs if isinstance(t, Variable)])
        objects = (*inputs.alike, *[typed.value for typed in inputs.types if typed.has_value])
        structure += tuple([ObjectKey(value, died, is_itself=True) for value in objects])
    keys: tuple[TensorKey, ...] = tuple(
        [(t._array.dtype, t._array.shape) if type(t) is EagerTensor else (t.dtype.numpy, t.shape.dims) for t in inputs]
    )
    if inputs.open:
        keys = tuple([(t, open_dims(dims)) if i in inputs.open else (t, dims) for i, (t, dims) in enumerate(keys)])
    if inputs.stated:
        said = {position: (spec.dtype.numpy, spec.shape.dims) for position, spec in inputs.stated}
        keys = tuple([said.get(i, key) for i, key in enumerate(keys)])
    specs: Specs = (*keys, *[typed.type for typed in inputs.types]) if inputs.types else keys
    return (structure, specs), inputs


def _which(arguments: Mapping[str, Any], part: Any) -> str:
    name = name_of(arguments, part)
    return "an argument" if name is None else f"the argument {name!r}"


def _encode(value: Any, inputs: Inputs, died: Died | None) -> Any:
    kind = type(value)
    if kind is EagerTensor:
        inputs.append(value)
        return TENSOR
    encoder = _ENCODERS.get(kind)
    return _encode_other(value, inputs, died) if encoder is None else encoder(value, inputs, died)


def _encode_number(value: Number, inputs: Inputs, died: Died | None) -> Any:
    inputs.numbers += (len(inputs),)
    inputs.append(value.tensor())
    return Number, type(value.value)


def _encode_text(value: Any, inputs: Inputs, died: Died | None) -> Any:
    return type(value), repr(value)


def _encode_tensor(value: Any, inputs: Inputs, died: Died | None) -> Any:
    inputs.append(value)
    return TENSOR


def _encode_array(value: Any, inputs: Inputs, died: Died | None) -> Any:
    """Of an array its place, or that of the first argument that is the same one: a write to one is seen in both."""
    check_plain(value)
    if not is_memory(value):
        inputs.texts += (len(inputs),) if isinstance(value, np.ndarray) else ()
        inputs.append(as_tensor(value))
        return SCALAR if is_number_of_numpy(value) else TENSOR
    first = next((place for place, other in inputs.arrays if other is value), len(inputs))
    inputs.arrays += ((len(inputs), value),)
    inputs.append(value if isinstance(value, ArraySpec) else as_tensor(value))
    return mark_of(value) if first == len(inputs) - 1 else (mark_of(value), first)


def _encode_variable(value: Any, inputs: Inputs, died: Died | None) -> Any:
    """Its place among the tensors, or that of the first argument that is the same Variable."""
    inputs.append(value)
    first = next(i for i, t in enumerate(inputs) if t is value)
    return Variable, first, value.trainable


def _encode_items(value: Any, inputs: Inputs, died: Died | None) -> Any:
    return type(value), _encode_all(value, inputs, died)


def _encode_subclass(value: Any, inputs: Inputs, died: Died | None) -> Any:
    """Of a class that derives from containers: what is in its objects, and their attributes."""
    key = (_encode_mapping if isinstance(value, Mapping) else _encode_items)(value, inputs, died)
    names = tuple(nest.attributes(value))
    return (key, names, _encode_all([getattr(value, name) for name in names], inputs, died)) if names else key


def _encode_mapping(value: Any, inputs: Inputs, died: Died | None) -> Any:
    if (keys := nest.keys(value)) != list(value):
        inputs.orders += (tuple(value),)
    return type(value), tuple(keys), (*map(type, keys),), _encode_all([value[key] for key in keys], inputs, died)


def _encode_all(values: Any, inputs: Inputs, died: Died | None) -> tuple[Any, ...]:
    if {*map(type, values)} == EAGER:
        inputs += values
        return (TENSOR,) * len(values)
    return tuple([_encode(value, inputs, died) for value in values])


def _encode_set(value: Any, inputs: Inputs, died: Died | None) -> Any:
    parts = []
    for item in value:  # in no order: what has a TraceType counts by it alone
        within = Inputs()
        parts.append((_encode(item, within, died), *[typed.type for typed in within.types]))
    return type(value), frozenset(parts)


def _encode_maybe_none(value: Any, inputs: Inputs, died: Died | None) -> Any:
    seen = presence(value)
    return MaybeNone, _encode(seen.value, inputs, died), _encode(seen.present, inputs, died)


def _encode_slice(value: Any, inputs: Inputs, died: Died | None) -> Any:
    bounds = (value.start, value.stop, value.step)
    if any(isinstance(bound, INPUTS) for bound in bounds):
        raise UnhashableError(value)
    return slice, _encode_items(bounds, inputs, died)


def _encode_typed(value: Any, inputs: Inputs, died: Died | None) -> Any:
    inputs.types += (value,)
    if not isinstance(value, TypedParts):
        return TYPED
    marks = []
    for spec, tensor in zip(value.type.flatten(), value.tensors(), strict=True):
        if isinstance(spec, TensorSpec):
            inputs.stated += ((len(inputs), spec),)
        marks.append(_encode(tensor, inputs, died))
    return TYPED, *marks


_ENCODERS: Final[dict[type, Callable[[Any, Inputs, Died | None], Any]]] = {
    **dict.fromkeys((bool, int, str, bytes, type(None), range), lambda value, inputs, died: (type(value), value)),
    **dict.fromkeys((float, complex), _encode_text),
    **dict.fromkeys((SymbolicTensor, TensorSpec), _encode_tensor),
    **dict.fromkeys((Variable, VariableSpec), _encode_variable),
    **dict.fromkeys((list, tuple), _encode_items),
    dict: _encode_mapping,
    Number: _encode_number,
    **dict.fromkeys((np.ndarray, ArraySpec), _encode_array),
    **dict.fromkeys((frozenset, set), _encode_set),
    slice: _encode_slice,
    MaybeNone: _encode_maybe_none,
    **dict.fromkeys((Typed, TypedParts), _encode_typed),
}


def _encode_other(value: Any, inputs: Inputs, died: Died | None) -> Any:
    """The key of what is known by an abstract type only: arrays, subclasses of containers, dataclasses, objects."""
    if has_tracing_type(value):
        return _encode_typed(Typed.of(value, TracingContext()), inputs, died)
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(value, inputs, died)
    if isinstance(value, Variable):
        return _encode_variable(value, inputs, died)
    if isinstance(value, Mapping | list | tuple):
        return _encode_subclass(value, inputs, died)
    if not nest.is_nested(value):
        if is_foreign(value):
            raise ForeignError(value)
        inputs.alike += (value,) if vars(object)["__eq__"] is not type(value).__eq__ else ()
        return _object_key(value, died)
    kind: Any = getattr(type(value), "_nest_stands_for", type(value))
    if (static := nest.static_of(value)) is not None:
        kind = (kind, static)
    parts = []
    for step, part in nest.children(value):
        if is_open(value, step, part):
            inputs.open += (len(inputs),)
        parts.append(_encode(part, inputs, died))
    return kind, tuple(nest.attributes(value)), tuple(parts)


def _object_key(value: Any, died: Died | None = None) -> ObjectKey:
    # A Function that was read from an object is made for that one use: what it stands for lives longer.
    stand_in = getattr(type(value), "_trace_identity", None)
    return ObjectKey(value if stand_in is None else stand_in(value), died)


def as_tensor(array: Any) -> EagerTensor:
    """An ndarray that is an argument: a value, not a constant of the graph that may be recorded just now."""
    return EagerTensor(to_array(array))


def remember(leaf: Any) -> Any:
    """What a trace keeps of a leaf of its arguments: objects are held weakly, so that a trace keeps none alive."""
    if type(leaf) is Typed:
        return Typed(leaf.type)
    if type(leaf) is set:
        return set(leaf)  # the caller may change its own
    return leaf if is_input(leaf) or type(leaf) in _ENCODERS else _object_key(leaf)


def same(given: Any, traced: Any) -> bool:
    """Whether a Python value is the one that a trace remembers, by the rule that chooses traces."""
    if type(traced) is Typed:
        return is_of_type(given, traced)
    try:
        key = _encode(given, Inputs(), None)
        return bool(key == (traced if isinstance(traced, ObjectKey) else _encode(traced, Inputs(), None)))
    except UnhashableError:
        return False


def tensor_keys(specs: Specs) -> list[TensorKey]:
    """Those of the tensors: without the TraceTypes at the end."""
    return [spec for spec in specs if not isinstance(spec, TraceType)]


def is_subtype(given: Specs, general: Specs) -> bool:
    """Whether a call may use a trace for `general`: equal but for dims that the trace leaves open, and subtypes."""
    return all(a == b or _is_subtype(a, b) for a, b in zip(given, general, strict=True))


def _is_subtype(given: TensorKey | TraceType, general: TensorKey | TraceType) -> bool:
    if isinstance(given, TraceType) or isinstance(general, TraceType):
        return isinstance(given, TraceType) and bool(given.is_subtype_of(general))
    return given[0] == general[0] and _fits(given[1], general[1])


def is_alike(a: Specs, b: Specs) -> bool:
    """Whether one trace could serve both: dtypes are equal, and TraceTypes have a type above them."""
    if [dtype for dtype, _ in tensor_keys(a)] != [dtype for dtype, _ in tensor_keys(b)]:
        return False
    types = [(s, t) for s, t in zip(a, b, strict=True) if isinstance(s, TraceType)]
    return all(s == t or s.most_specific_common_supertype([t]) is not None for s, t in types)


def _fits(dims: tuple[int | None, ...] | None, general: tuple[int | None, ...] | None) -> bool:
    if general is None or dims is None:
        return general is None
    return len(dims) == len(general) and all(b is None or a == b for a, b in zip(dims, general, strict=True))
