"""The short way to a trace: a key for calls with eager tensors, ndarrays, flat structures of tensors, and literals.

    quick_key([tensor, {"w": weights, "b": bias}, 3])
    # ((None, (dict, "b", "w"), (int, 3)), ((float32, (2,)), (float32, (3,)), (float32, (2, 3)))), and the three arrays

Calls with equal keys have equal keys of `trace_types.encode`, which takes ten times as long; for all other calls there
is only that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.engine.short_calls import ARRAYS, Call, make
from runtime.function.numbers import Number, array_of_number, is_number
from runtime.function.trace_types import Inputs
from runtime.ndarrays.arguments import as_found, write_back
from runtime.ops.records.record import Array
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.cache import TraceCache
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.signature import Signature

__all__ = ["OFTEN", "array_of", "in_order", "known_for", "quick_key", "remember", "run_arrays", "shorten"]

array_of: Final = EagerTensor.__dict__["_array"].__get__
"""The array of an eager tensor; raises TypeError for everything else."""

LITERALS: Final = frozenset({bool, int, str, bytes, NoneType})
"""Types whose values are equal only if they are the same to a trace; floats are not: 0.0 == -0.0."""

OFTEN: Final = 16
"""After so many calls that have found a trace by a key, and twice, four times as many, those like the last one get a
shorter way."""

NUMBERS: Final = frozenset({int, float})

SIMPLE: Final = LITERALS | NUMBERS | ARRAYS

ONLY_TEXT: Final = {str}


NDARRAY: Final = np.ndarray


class Given(list[Array]):
    """The arrays of a call, with the caller's ndarrays among them, and these with their places."""

    __slots__ = ("caller",)

    caller: Sequence[tuple[int, Array]]


def quick_key(args: Sequence[Any], open_numbers: bool = False) -> tuple[Any, list[Array]]:
    """The key of positional arguments, and the arrays of their tensors. Raises TypeError where there is none.

    open_numbers: Python's numbers are inputs, too.
    """
    arrays: list[Array] = []
    structure: list[Any] = []
    caller: list[tuple[int, Array]] = []
    for value in args:
        kind = type(value)
        if kind is EagerTensor:
            arrays.append(value._array)
            structure.append(None)
        elif kind in NUMBERS:
            if open_numbers and is_number(value):
                arrays.append(array_of_number(value))
                structure.append((Number, kind))
            else:
                structure.append((kind, value or repr(value)))  # the sign of a zero counts
        elif kind is NDARRAY:
            if not value.flags.carray:
                raise TypeError  # laid out in a way of its own
            for _, other in caller:
                if other is value:
                    raise TypeError
            structure.append(kind)
            caller.append((len(arrays), value))
            arrays.append(value)
        elif kind is dict:
            keys = sorted(value)
            if {*map(type, keys)} != ONLY_TEXT:  # 1 == True, but a function sees which of them it is
                raise TypeError
            arrays += map(array_of, map(value.__getitem__, keys))
            structure.append((dict, *value))
        elif kind is tuple and value and type(value[0]) is not EagerTensor:
            structure.append((tuple, *map(_literal, value)))
        elif kind is list or kind is tuple:
            arrays += map(array_of, value)
            structure.append((kind, len(value)))
        else:
            structure.append(_literal(value))
    key = tuple(structure), tuple([(a.dtype, a.shape) for a in arrays]) if arrays else ()
    if caller:
        arrays = Given(arrays)
        arrays.caller = caller
    return key, arrays


def _literal(value: Any) -> tuple[type, Any]:
    """The key of a value of Python that is a constant of its trace."""
    kind = type(value)
    if kind is float:
        return float, value or repr(value)  # the sign of a zero counts
    if kind not in LITERALS:
        raise TypeError
    return kind, value


def known_for(
    args: Sequence[Any], quick: Mapping[Any, ConcreteFunction], open_numbers: bool
) -> tuple[ConcreteFunction | None, list[Array]]:
    """The trace for a call with flat structures and literals, if it was called so before, and its arrays.

    quick: the traces by their keys; open_numbers: whether there are such for all values of numbers.
    """
    try:
        key, arrays = quick_key(args)
        found = quick.get(key)
        if found is None and open_numbers:
            key, arrays = quick_key(args, True)
            found = quick.get(key)
    except TypeError:
        return None, []
    if found is not None and type(arrays) is Given and found.parts_arrays and not _are_apart(arrays.caller, found):
        return None, []
    return found, arrays


def _are_apart(caller: Sequence[tuple[int, Array]], concrete: ConcreteFunction) -> bool:
    """Whether arrays certainly share no memory with each other, and with those that a trace finds in places."""
    if not concrete.state.first:
        return len(caller) == 1 or all(array.base is None for _, array in caller)
    return all(array.base is None for _, array in caller) and concrete.state.owners().isdisjoint(
        [id(array) for _, array in caller]
    )


def run_arrays(concrete: ConcreteFunction, arrays: Any) -> Any:
    """A call with ndarrays of the caller. A graph with effects could hand them on to somebody: it gets copies."""
    if not _only_computes(concrete):
        for place, array in arrays.caller:
            arrays[place] = array.copy()
        tensors = Inputs(map(EagerTensor, arrays))
        tensors.arrays = tuple(arrays.caller)
        return concrete.run(tensors, checks=False)
    written = concrete.uses.written
    targets = [arrays[place] for place in written]
    if (found := as_found(targets)) is not None:
        for place, array in zip(written, found, strict=True):
            arrays[place] = array
    given = {*map(id, arrays)}
    made = [
        result if result.base is None and id(result) not in given else result.copy()
        for result in concrete.compute(arrays)
    ]
    if written:
        write_back(targets, made[-len(written) :], found)
        made = made[: -len(written)]
    return concrete.pack(made)


def _only_computes(concrete: ConcreteFunction) -> bool:
    """Whether the results are all that comes of a run."""
    return concrete.plain_arrays and not concrete.state.first


def remember(args: Sequence[Any], tensors: Any, concrete: ConcreteFunction, traces: TraceCache[Any]) -> None:
    """Keeps the short way to the trace of a call, if there is one. tensors: those of the long way."""
    numbers, placed = getattr(tensors, "numbers", ()), getattr(tensors, "arrays", ())
    is_plain = not concrete.parts_arrays or _writes_plainly(concrete)
    if concrete.state.named or concrete.in_calls is not None:
        return
    if placed and (concrete.sharing is not None or not is_plain):
        return
    try:
        key, arrays = quick_key(args, bool(numbers))
    except TypeError:
        return
    caller = getattr(arrays, "caller", ())
    if [place for place, _ in placed] != [place for place, _ in caller]:
        return
    if not all(array.dtype.isnative and holds_numbers(array) for _, array in caller):
        return
    others = {*numbers, *(place for place, _ in placed)}
    pairs = zip(tensors, arrays, strict=False)
    if len(arrays) == len(tensors) and all(t._array is a or i in others for i, (t, a) in enumerate(pairs)):
        only_tensors = all(part is None for part in key[0])
        traces.remember(key[1] if only_tensors else key, concrete)


def _writes_plainly(concrete: ConcreteFunction) -> bool:
    """Whether arrays that it writes to can meet nothing that it reads or writes elsewhere, but in the places that
    `_are_apart` looks at."""
    if not (concrete.state.first or _only_computes(concrete)):
        return False
    from runtime.ndarrays.captured import ArrayMemory

    memories = any(isinstance(memory, ArrayMemory) for memory in concrete.captured_inputs)
    return not (memories or concrete.reads or concrete.uses.replaced)


def shorten(args: Sequence[Any], concrete: ConcreteFunction, traces: TraceCache[Any]) -> None:
    """Makes the short way to a trace for calls like this one, if they are of tensors, ndarrays and constants alone."""
    plan, memories = concrete._plan, concrete.captured_inputs
    if plan is None or concrete.state.first or concrete.parts_arrays or not SIMPLE.issuperset(map(type, args)):
        return
    arrays = sum(type(a) in ARRAYS for a in args)  # others are constants of the trace, or inputs of their own
    if arrays + len(memories) != len(concrete.graph.inputs):
        return
    if NDARRAY in map(type, args) and not _only_computes(concrete):
        return
    result, pack = concrete.structured_outputs, concrete.pack
    if type(result) is tuple and all(type(part) is SymbolicTensor for part in result):
        pack = tuple
    call = Call(plan, concrete.guards, args, memories, None if type(result) is SymbolicTensor else pack)
    traces.shorten(make(call), concrete)


def in_order(args: tuple[Any, ...], kwargs: dict[str, Any], signature: Signature, orders: set[Any]) -> Any:
    """The same call by position, where its keywords are those of the parameters that come next. orders: how many
    arguments by position, and then which keywords, are known to be that."""
    order = (len(args), *kwargs)
    if order not in orders:
        parameters = [*signature.signature.parameters.values()][len(args) :][: len(kwargs)]
        if [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] != [*kwargs]:
            return args, kwargs
        orders.add(order)
    return (*args, *kwargs.values()), {}
