"""The trace that a call takes: where ndarrays are written to, one for arrays, and for the memory that they share.

    f(tensor)          with an input_signature one trace serves all ...
    f(array)           ... but for arrays, if the function writes to them
    f(v[1:], v[:-1])   traced for arrays in this pattern, if it writes to one of them
    f(model.w)         ... and for an array that the function finds elsewhere, too
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from runtime.function.signature import to_spec_or_array
from runtime.function.trace_types import Inputs, Key

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.tracer import Tracer

__all__ = ["fit_sharing", "fit_specified", "known_sharing"]

Arguments = dict[str, Any]
"""By parameter."""


def fit_sharing(
    tracer: Tracer, concrete: ConcreteFunction, key: Key, arguments: Arguments, tensors: Inputs, own: Inputs
) -> tuple[ConcreteFunction, Inputs, bool]:
    """The trace for arrays that share memory, where one of them is written to; else the one that there is; with what it
    takes, and whether they are known to be right for it. own: what a trace for the key takes, and not `tensors`, where
    numbers of the call are inputs of the trace."""
    from runtime.function.sharing import are_apart_in, is_right_for, sharing_of

    trace = concrete.in_calls or concrete
    if trace.sharing is not None or are_apart_in(trace, tensors):
        return concrete, tensors, True
    found = sharing_of(trace, tensors, own)
    if found is None:
        return concrete, tensors, False
    return tracer.sharing(key, arguments, found, partial(is_right_for, tensors=own)), own, False


def known_sharing(tracer: Tracer, stale: ConcreteFunction, key: Key, tensors: Inputs) -> ConcreteFunction | None:
    """The trace for arrays that share memory, if there is one that is right, where the one for others is not."""
    from runtime.function.sharing import is_right_for, sharing_of

    found = sharing_of(stale.in_calls or stale, tensors, tensors)
    trace = None if found is None else tracer.traces.exactly(((*key[0], found), key[1]))
    is_right = trace is not None and trace.guards.changed() is None and is_right_for(trace, tensors)
    return trace if is_right else None


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
