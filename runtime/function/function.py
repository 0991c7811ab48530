"""`function`: turns a Python function into one that is traced into graphs and runs them.

    @runtime.function
    def relu(x):
        if x > 0:
            return x
        return 0

    relu(constant(-2.5))      # traced for a float32 scalar, then run; the next call like it only runs

One Function holds many traces, one for each combination of argument types (`runtime.function.trace_types`). A Function
that is called while another one is traced becomes part of that trace.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import FunctionType, MethodType
from typing import Any, Final

import numpy as np

import autograph
from autograph.operators.tracebacks import show_users_frames
from runtime import config, nest
from runtime.context import current_recorder
from runtime.control_flow.recursion import call_function
from runtime.function.cache import TraceCache
from runtime.function.concrete import ConcreteFunction
from runtime.function.guards import Guards
from runtime.function.own_effects import OwnEffects
from runtime.function.relaxation import relaxed
from runtime.function.retracing import RetraceCounter
from runtime.function.signature import Signature
from runtime.function.trace_types import SPECS, Key, as_tensor, encode
from runtime.function.tracing import as_outputs, trace_function
from runtime.tensor.eager import EagerTensor

__all__ = ["Function"]

ARRAYS: Final = (np.ndarray, np.generic)

_array_of: Final = EagerTensor.__dict__["_array"].__get__
"""The array of an eager tensor; raises TypeError for everything else."""

_inlining: ContextVar[tuple[tuple[int, Any, int], ...]] = ContextVar("runtime_functions_inlined", default=())
"""The Functions, types of their arguments and graphs of the calls that are being traced into another trace."""


class Function:
    """A Python function with its traces. Made by `runtime.function`."""

    __ag_do_not_convert__ = True

    def __init__(
        self,
        python_function: Any,
        name: str | None = None,
        input_signature: Any = None,
        autograph: bool = True,
        jit_compile: bool | None = None,
        experimental_autograph_options: Any = None,
        reduce_retracing: bool = False,
        *,
        instance: Any = None,
    ) -> None:
        if not callable(python_function):
            hint = "; put it below @classmethod or @property" if hasattr(python_function, "__get__") else ""
            raise TypeError(f"runtime.function decorates a callable; got {python_function!r}{hint}")
        self._static = type(python_function) is staticmethod
        python_function = python_function.__func__ if self._static else python_function
        functools.update_wrapper(self, python_function)
        self._python_function: Callable[..., Any] = python_function
        self._instance: Callable[[], Any] | None = None if instance is None else weakref.ref(instance)
        self._options: dict[str, Any] = {
            "name": name,
            "input_signature": input_signature,
            "autograph": autograph,
            "jit_compile": jit_compile,
            "experimental_autograph_options": experimental_autograph_options,
            "reduce_retracing": reduce_retracing,
        }
        self.input_signature = input_signature
        self._name = str(name or getattr(python_function, "__name__", type(python_function).__name__))
        self._signature_: Signature | None = None
        if input_signature is not None or instance is not None:
            self._signature_ = Signature(python_function, instance is not None, input_signature)
        self._converted: list[Callable[..., Any]] = []
        """The function to trace, once it is known; shared with the Functions of instances."""
        self._lock = threading.RLock()
        self._traces: TraceCache[ConcreteFunction] = TraceCache()
        self._quick = self._traces.quick
        self._retraced = RetraceCounter()
        self._effects = OwnEffects()
        self._bound: dict[int, Function] = {}
        self._held_from: Function | None = None

    # -- calling -------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if not kwargs and not config._eagerly and current_recorder() is None:
                try:
                    arrays = [*map(_array_of, args)]
                    concrete = self._quick[tuple([(a.dtype, a.shape) for a in arrays])]
                except (KeyError, TypeError):  # not known, or not all are eager tensors
                    pass
                else:
                    if concrete.guards.hold():
                        return concrete.run_eager(arrays)
            return self._call(args, kwargs)
        except Exception as error:
            show_users_frames(error)
            raise

    def _call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        if config.functions_run_eagerly():
            return self._python_function(*self._self(), *args, **kwargs)
        arguments = self._signature.conform(args, kwargs)
        key, tensors = self._encode(arguments)
        if current_recorder() is not None:
            return self._inline(key, arguments)
        if (spec := next((type(t).__name__ for t in tensors if type(t) in SPECS), None)) is not None:
            raise TypeError(f"{self._name}() was called with a {spec}; those are for get_concrete_function")
        concrete = self._concrete(key, arguments)
        if not kwargs and len(args) == len(tensors) and all(type(a) is EagerTensor for a in args):
            self._traces.remember(tuple([(a._array.dtype, a._array.shape) for a in args]), concrete)
        return concrete.run(tensors)

    def _inline(self, key: Any, arguments: dict[str, Any]) -> Any:
        """Calls the function within the trace of another one."""
        active = _inlining.get()
        mark = (id(self._traces), key, id(current_recorder()))
        if mark in active:
            raise RecursionError(
                f"the Function {self._name!r} calls itself with arguments of the same types,"
                f" {self._describe(arguments)}, and no condition on a tensor in between: it would never end."
            )
        args, kwargs = self._signature.split({n: _with_tensors(v) for n, v in arguments.items()})
        token = _inlining.set((*active, mark))
        try:
            return as_outputs(self._call_recorded(args, kwargs), self._name, self._python_function)
        finally:
            _inlining.reset(token)

    def _call_recorded(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the function to trace in the graph that is recording."""
        function, instance = self._traceable(), self._self()
        original = getattr(self._python_function, "__func__", self._python_function)
        if type(original) is not FunctionType:
            return function(*args, **kwargs)
        if isinstance(function, MethodType):
            return call_function(function.__func__, original, (function.__self__, *args), kwargs)
        return call_function(self._converted[0], original, (*instance, *args), kwargs)

    def _describe(self, arguments: dict[str, Any]) -> str:
        return ", ".join(f"{k}: {v!r}" for k, v in arguments.items())

    # -- traces --------------------------------------------------------------------------------------------------

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments (tensors, TensorSpecs or Python values); traced if need be, not run.

        TensorSpecs get a trace that is made for just them, also where a more general one exists. With an
        input_signature the arguments may be left out.
        """
        if self.input_signature is not None and not args and not kwargs:
            args = tuple(self._signature.spec_values())
        arguments = self._signature.conform(args, kwargs)
        key, tensors = self._encode(arguments)
        return self._concrete(key, arguments, exact=any(type(t) in SPECS for t in tensors))

    def _concrete(self, key: Key, arguments: dict[str, Any], exact: bool = False) -> ConcreteFunction:
        concrete = self._traces.exactly(key) if exact else self._traces.find(key)
        if concrete is None:
            concrete = self._traces.get_or_make(key, lambda: self._trace(key, arguments, exact), exact)
        if concrete.guards.hold() or (changed := concrete.guards.changed()) is None:
            return concrete
        return self._traced_again(concrete, key, arguments, changed)

    def _trace(self, key: Key, arguments: dict[str, Any], exact: bool) -> tuple[Key, ConcreteFunction]:
        """A new trace that serves these arguments, and the key that it is made for."""
        if self._signature.specs is not None:
            arguments = self._specified(arguments)
        elif self._options["reduce_retracing"] and not exact:
            arguments = self._relaxed(key, arguments)
        key, _ = self._encode(arguments)
        known = self._traces.exactly(key)
        if known is not None:
            return key, known
        concrete = self._traced(arguments)
        if not exact:
            self._retraced.traced(self._name, arguments, self._options["reduce_retracing"])
        return concrete.key, concrete

    def _traced(self, arguments: dict[str, Any]) -> ConcreteFunction:
        roots = dict(zip(("self",), self._self(), strict=False)) | arguments
        world = self._effects.begin(self._python_function, roots)
        trace = trace_function(self._traceable(), self._signature, self._name, arguments, self._call_recorded)
        if trace.by_identity:
            self._traces.by_identity = True
        key, _ = self._encode(arguments)
        called = [function for find in trace.graph.called.values() if (function := find()) is not None]
        self._effects.end(world, self._name, called)
        return ConcreteFunction(self._name, self._signature, trace, Guards(called, roots, self._effects.tokens), key)

    def _traced_again(
        self, stale: ConcreteFunction, key: Key, arguments: dict[str, Any], changed: str
    ) -> ConcreteFunction:
        """What takes the place of a trace that Python has left behind: another one whose guards hold, or a new one."""

        def make() -> ConcreteFunction:
            self._retraced.changed(self._name, changed)
            return self._traced(arguments if key == stale.key else relaxed(arguments, stale.key, [stale.key[1]]))

        return self._traces.exchange(stale.key, stale, lambda known: known.guards.changed() is None, make)

    def _encode(self, arguments: dict[str, Any]) -> tuple[Key, list[Any]]:
        return encode(arguments, self._traces.died, self._traces.by_identity)

    def __ag_trace__(self, *args: Any, **kwargs: Any) -> None:
        """Traces anew, keeps nothing: for `autograph.explain`."""
        arguments = self._signature.conform(args, kwargs)
        if self._signature.specs is not None:
            arguments = self._specified(arguments)
        self._traced(arguments).guards.tell()

    def _specified(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with the specs of the input_signature in the place of tensors: there is one trace for all."""
        args, kwargs = self._signature.split(arguments)
        specs = self._signature.spec_values()
        return self._signature.bind([*specs, *args[len(specs) :]], kwargs)

    def _relaxed(self, key: Key, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with specs that leave open which dims differ from those of the traces that there are."""
        return relaxed(arguments, key, self._traces.similar(key))

    def _traceable(self) -> Callable[..., Any]:
        """The function to trace: converted by autograph, unless that is switched off."""
        if not self._converted:
            made = self._python_function
            if self._options["autograph"]:
                features = self._options["experimental_autograph_options"] or ()
                made = autograph.converted(made, recursive=True, optional_features=features)
            self._converted.append(made)
        instance = self._self()
        return functools.partial(self._converted[0], *instance) if instance else self._converted[0]

    @property
    def _signature(self) -> Signature:
        if self._signature_ is None:
            self._signature_ = Signature(self._python_function, False, self.input_signature)
        return self._signature_

    # -- methods -------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Function:
        """Decorated methods: each instance has traces of its own, which do not keep it alive."""
        if instance is None or self._static:
            return self
        bound = self._bound.get(id(instance))
        if bound is None:
            with self._lock:
                bound = self._bound.get(id(instance)) or self._bind(instance)
        return bound._held(instance)

    def _bind(self, instance: Any) -> Function:
        try:
            weakref.finalize(instance, self._bound.pop, id(instance), None).atexit = False
        except TypeError:
            raise TypeError(
                f"{type(instance).__name__}.{self._name} is a Function, with traces for each instance; objects of"
                f" {type(instance).__name__} cannot be held weakly: add '__weakref__' to its __slots__"
            ) from None
        bound = self._bound[id(instance)] = Function(self._python_function, **self._options, instance=instance)
        bound._converted = self._converted
        bound._effects = OwnEffects(self._effects.warned)
        return bound

    def _held(self, instance: Any) -> Function:
        """This Function of an instance (the same traces), for a caller that holds nothing else of the instance."""
        made = object.__new__(Function)
        made.__dict__.update(self.__dict__)
        made._instance = lambda: instance
        made._held_from = self
        if type(self._python_function) is FunctionType:
            made.__dict__["__wrapped__"] = MethodType(self._python_function, instance)  # its signature has no `self`
        return made

    def _trace_identity(self) -> Function:
        """What stands for this Function where it is an argument: something that lives as long as its traces."""
        return self._held_from or self

    def _self(self) -> tuple[Any, ...]:
        if self._instance is None:
            return ()
        instance = self._instance()
        if instance is None:
            raise ReferenceError(f"the object whose method {self._name!r} was called does not exist any more")
        return (instance,)

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: Any) -> Function:
        return self  # as Python's own functions, which are not copied either

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._traces is other._traces

    def __hash__(self) -> int:
        return id(self._traces)

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function that was decorated; for a method of an instance, bound to it."""
        instance = self._self()
        return self._python_function.__get__(*instance) if instance else self._python_function

    @property
    def function_spec(self) -> Signature:
        """The parameters, and the specs of input_signature."""
        return self._signature

    def experimental_get_tracing_count(self) -> int:
        """How many times this Function has been traced."""
        return self._traces.made

    def pretty_printed_concrete_signatures(self) -> str:
        """The types of arguments and results of each trace."""
        return "\n\n".join(c.pretty_printed_signature() for c in self._traces)

    def __repr__(self) -> str:
        return f"<runtime.Function {self._name} with {len(self._traces)} traces>"


def _with_tensors(value: Any) -> Any:
    """An argument with tensors in the place of ndarrays."""
    if not any(isinstance(leaf, ARRAYS) for leaf in nest.flatten(value)):
        return value
    return nest.map_structure(lambda leaf: as_tensor(leaf) if isinstance(leaf, ARRAYS) else leaf, value)
