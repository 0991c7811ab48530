"""Functions whose traces come from a file: called like all others, and never traced.

    f = loaded_function("f", signature); add_trace(f, trace)
    f(constant([1.0, 2.0]))            # the trace that the Function which was saved would have used
    f(constant("text"))                # ValueError: lists the traces that there are

What a saved trace asks for may also be given as Python numbers, lists of them, arrays and Variables, as far as they
can be tensors of its dtypes: there is nothing to trace them with as the values that they are.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from runtime import structures as nest
from runtime.errors import SignatureError
from runtime.function.array_arguments import check_given
from runtime.function.cache import TraceCache
from runtime.function.function import Function
from runtime.function.leaves import is_input
from runtime.function.number_arguments import NumberArguments
from runtime.function.options import Options
from runtime.function.signature import Signature
from runtime.function.trace_protocol import with_types
from runtime.function.trace_types import Inputs, Key, encode
from runtime.function.words import in_words
from runtime.marker import Marker
from runtime.ndarrays.overlaps import groups_of, pattern_of
from runtime.ops.arrays.slices import ensure_shape
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.tracer import Tracer

__all__ = ["LoadedTracer", "add_trace", "loaded_function", "stand_in"]

SHOWN: Final = 10
"""So many traces are listed by an error."""


def loaded_function(name: str, signature: Signature, prepared: Callable[[Any], Any]) -> Function[..., Any]:
    """A Function without traces, to which `add_trace` adds those that it will have. `prepared`: what is done to each
    argument before anything else."""
    tracer = LoadedTracer(name, signature, prepared)
    asked = cast("Tracer", tracer)  # what Function asks of one, it has
    function: Function[..., Any] = Function(tracer.python_function, tracer=asked)
    function._static = True  # it is no method, wherever it is put
    return function


def add_trace(function: Function[..., Any], trace: ConcreteFunction) -> None:
    """Gives a Function of `loaded_function` one of its traces."""
    function._traces.get_or_make(trace.key, lambda: (trace.key, trace), True)
    function._traces.made = 0


def stand_in(name: str, parameters: inspect.Signature) -> Callable[..., Any]:
    """What says which parameters there are, in the place of the Python function."""

    def function(*args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{name}() was loaded from a file, which does not hold its Python code")

    function.__name__ = function.__qualname__ = name
    function.__signature__ = parameters  # type: ignore[attr-defined]
    return function


class LoadedTracer:
    """What `runtime.function.tracer.Tracer` is to other Functions, for given traces."""

    is_fixed = True

    def __init__(self, name: str, signature: Signature, prepared: Callable[[Any], Any]) -> None:
        self.name = name
        self.signature = signature
        self.options = Options(name=name, input_signature=None if signature.specs is None else list(signature.specs))
        self.traces: TraceCache[ConcreteFunction] = TraceCache()
        self.prepared = prepared
        self.numbers = NumberArguments()
        self.python_function = stand_in(name, signature.signature)

    def instance(self) -> tuple[Any, ...]:
        """It is no method of an object."""
        return ()

    def copied(self, function: Function[..., Any], memo: dict[int, Any]) -> Function[..., Any]:
        """The Function of the copies of its Variables, for `copy.deepcopy`: what is loaded is copied as a whole."""
        made = memo[id(function)] = loaded_function(self.name, self.signature, self.prepared)
        for trace in function._traces:
            add_trace(made, copy.deepcopy(trace, memo))
        return made

    def forget(self) -> NoReturn:
        """Raises RuntimeError: what was dropped could not be made again."""
        raise RuntimeError(f"{self.name}() was loaded from a file: its traces cannot be made again, so they are kept")

    def tell(self, arguments: dict[str, Any]) -> NoReturn:
        """Raises TypeError: nothing is converted."""
        raise TypeError(f"{self.name}() was loaded from a file: there is no Python code that would be converted")

    def encode(self, arguments: dict[str, Any]) -> tuple[Key, Inputs, dict[str, Any]]:
        """As of other tracers."""
        arguments = {name: self.prepared(value) for name, value in arguments.items()}
        key, inputs = encode(arguments, self.traces.died)
        if inputs.types:
            arguments = {name: with_types(value, inputs.types) for name, value in arguments.items()}
        return key, inputs, arguments

    def with_constants(self, concrete: ConcreteFunction, arguments: dict[str, Any]) -> ConcreteFunction:
        """The trace itself, which reads no places of the program."""
        return concrete

    def concrete(self, key: Key, arguments: dict[str, Any], exact: bool = False) -> ConcreteFunction:
        """The trace for these arguments. Raises SignatureError, a ValueError, where there is none."""
        return self.fit(key, arguments, Inputs())[0]

    def fit(
        self, key: Key, arguments: dict[str, Any], tensors: Inputs
    ) -> tuple[ConcreteFunction, Inputs]:
        """The trace for these arguments, and their tensors as it takes them. Raises SignatureError."""
        placed = getattr(tensors, "arrays", ())
        pattern = pattern_of(groups_of(placed)) if len(placed) > 1 else ()
        found = (self.traces.served(((*key[0], pattern), key[1])) if pattern else None) or self.traces.served(key)
        if found is not None:
            return found, tensors
        why = ""
        for trace in self.traces:
            if not _alike(trace.wanted, arguments):
                continue
            try:
                inputs = trace.tensors_of(arguments)
                check_given(trace, inputs)
            except SignatureError as error:
                why = str(error)
                continue
            inputs[:] = map(_as_wanted, inputs, trace.inputs)
            return trace, inputs
        raise SignatureError(self._no_trace(arguments, why)) from None

    def _no_trace(self, arguments: Mapping[str, Any], why: str) -> str:
        traces = list(self.traces)
        start = f"{self.name}() was loaded from a saved model, and"
        if not traces:
            return (
                f"{start} it had not been traced when it was saved; call it once before it is saved, or give it an"
                " input_signature"
            )
        shown = [_listed(trace.wanted) for trace in traces[:SHOWN]]
        if len(traces) > SHOWN:
            shown.append(f"... and {len(traces) - SHOWN} more")
        one = len(traces) == 1
        which = "its one saved trace does not fit" if one else f"none of its {len(traces)} saved traces fits"
        lines = "".join(f"\n    {line}" for line in shown)
        which += f" this call ({why})" if why else " this call"
        return f"{start} {which}.\n  given:\n    {_listed(arguments)}\n  saved:{lines}"


def _alike(wanted: Any, given: Any) -> bool:
    """Whether structures have the types of those that a trace was made with, down to its tensors."""
    if not nest.is_plain(wanted):
        return True
    if type(wanted) is not type(given):
        return False
    inner = nest.children(wanted), nest.children(given)
    same = [step for step, _ in inner[0]] == [step for step, _ in inner[1]]
    return same and all(_alike(a, b) for (_, a), (_, b) in zip(*inner, strict=True))


def _as_wanted(tensor: Any, parameter: Any) -> Any:
    """A tensor of another trace, of whose shape less is known than the saved trace needs: checked when that runs."""
    if isinstance(tensor, SymbolicTensor) and not tensor.shape.is_subtype_of(parameter.shape):
        return ensure_shape(tensor, parameter.shape)
    return tensor


def _listed(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {_shown(value)}" for name, value in arguments.items()) or "no arguments"


def _shown(value: Any) -> str:
    if not nest.is_nested(value):
        return in_words(value)
    if not any(map(is_input, nest.flatten(value))):
        return in_words(value)
    return repr(nest.map_structure(lambda leaf: Marker(in_words(leaf)), value))
