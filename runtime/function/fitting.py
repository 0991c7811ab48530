"""The trace that a call takes: where ndarrays are written to, one for arrays, and for the memory that they share.

    f(tensor)          with an input_signature one trace serves all ...
    f(array)           ... but for arrays, if the function writes to them
    f(v[1:], v[:-1])   traced for arrays in this pattern, if it writes to one of them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from runtime.function.signature import to_spec_or_array
from runtime.function.trace_types import Inputs, Key
from runtime.ndarrays.overlaps import groups_of, pattern_of

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.tracer import Tracer

__all__ = ["fit_sharing", "fit_specified"]

Arguments = dict[str, Any]
"""By parameter."""


def fit_sharing(
    tracer: Tracer, concrete: ConcreteFunction, key: Key, arguments: Arguments, tensors: Inputs, own: Inputs
) -> tuple[ConcreteFunction, Inputs]:
    """The trace for arrays that share memory, where one of them is written to; else the one that there is; with what it
    takes. own: what a trace for the key takes, and not `tensors`, where numbers of the call are inputs of the trace."""
    groups = groups_of(tensors.arrays)
    written = (place in concrete.uses.written for group in groups for place, _ in group)
    pattern = pattern_of(groups_of(own.arrays)) if any(written) else None
    return (concrete, tensors) if pattern is None else (tracer.sharing(key, arguments, pattern), own)


def fit_specified(
    tracer: Tracer, key: Key, arguments: Arguments, tensors: Inputs, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[ConcreteFunction, Key, Arguments, Inputs]:
    """The trace of the input_signature, with the key and the arguments that it is for, and their tensors; one for
    arrays where they are given, and it writes to them."""
    refused: Exception | None = None
    concrete: ConcreteFunction | None = None
    if not tracer.writes_arrays:
        try:
            concrete = tracer.concrete(key, arguments)
        except (TypeError, StagingError) as error:  # some writes have no meaning for tensors
            refused = error
        if concrete is not None and not concrete.uses.replaced:
            return concrete, key, arguments, tensors
    other, inputs, seen = tracer.encode(tracer.signature.conform(args, kwargs, to_spec_or_array))
    if any(concrete is None or place in concrete.uses.replaced for place, _ in inputs.arrays):
        try:
            found = tracer.concrete(other, seen)
            tracer.writes_arrays = concrete is None
            return found, other, seen, inputs
        except Exception:
            if refused is None:
                raise
    if refused is not None:
        raise refused
    if concrete is None:
        return tracer.concrete(key, arguments), key, arguments, tensors
    if any(place in concrete.uses.replaced for place in inputs.texts):
        return concrete, key, arguments, inputs  # which it refuses
    return concrete, key, arguments, tensors
