"""The traces of a Function that a saved model gets: as they would serve a call now.

    current_traces(model.step)
"""

from __future__ import annotations

from typing import Any

from runtime import structures as nest
from runtime.dtypes import NUMBERS
from runtime.function.array_uses import specs_of
from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.ndarrays.arguments import ArraySpec, Mark
from runtime.tensor.spec import TensorSpec

__all__ = ["current_traces"]


def current_traces(function: Function[..., Any]) -> list[ConcreteFunction]:
    """See the module's docstring. A Function with an input_signature is traced, if need be; one that Python has left
    behind is made again."""
    if function._tracer.signature.specs is not None and not function._tracer.is_fixed:
        _trace_specified(function)
    return list(dict.fromkeys(_current(function, trace) for trace in function._traces))


def _current(function: Function[..., Any], trace: ConcreteFunction) -> ConcreteFunction:
    """The trace, or what takes its place where Python has changed since."""
    if trace.state.only_reads:
        return function._tracer.with_constants(trace, specs_of(trace))
    if trace.guards.hold() or (changed := trace.guards.changed()) is None:
        return trace
    if trace.uses.marks or any(tensor.of_array for tensor in trace.graph.inputs):
        return function._tracer._traced_again(trace, trace.key, specs_of(trace), changed)
    args, kwargs = trace.structured_input_signature
    return function.get_concrete_function(*args, **kwargs)


def _trace_specified(function: Function[..., Any]) -> None:
    """Traces a Function with an input_signature, if need be, and for ndarrays as well where it writes to them."""
    signature = function._tracer.signature
    if not len(function._traces):
        function.get_concrete_function()
    if any(trace.uses.replaced for trace in function._traces) and not any(t.uses.written for t in function._traces):
        specs = [nest.map_structure(_as_array, spec) for spec in signature.spec_values()]
        function.get_concrete_function(*specs)


def _as_array(spec: Any) -> Any:
    is_memory = isinstance(spec, TensorSpec) and spec.shape.rank != 0 and spec.dtype.numpy.kind in NUMBERS
    return ArraySpec(spec, Mark()) if is_memory else spec
