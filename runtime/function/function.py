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

import copy
import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, cast, overload

from autograph.contexts import binding
from autograph.operators.tracebacks import show_users_frames
from runtime import config
from runtime.context import current_recorder
from runtime.engine.short_calls import MISSED
from runtime.errors import IntegerRangeError, NotRealError
from runtime.function.fitting import fit_sharing, fit_specified
from runtime.function.foreign_arrays import in_plain_python
from runtime.function.generators import items_of
from runtime.function.leaves import SPECS
from runtime.function.number_arguments import has_effects
from runtime.function.options import Options
from runtime.function.pickling import method_name, reduced
from runtime.function.quick_calls import OFTEN, array_of, in_order, known_for, remember, run_arrays, shorten
from runtime.function.signature import Signature, to_spec_or_array
from runtime.function.trace_protocol import with_objects, with_placeholders
from runtime.function.trace_types import Inputs
from runtime.function.tracer import Tracer
from runtime.tensor.eager import EagerTensor

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.lowering import Lowered

__all__ = ["CacheInfo", "Function"]

P = ParamSpec("P")
Q = ParamSpec("Q")
R_co = TypeVar("R_co", covariant=True)
S = TypeVar("S")

_inlining: ContextVar[tuple[tuple[int, Any, int], ...]] = ContextVar("runtime_functions_inlined", default=())
"""The Functions, types of their arguments and graphs of the calls that are being traced into another trace."""


class CacheInfo(NamedTuple):
    """What `Function.cache_info` tells."""

    traces: int
    """How many traces there are: types of arguments, and earlier traces that may be of use again."""
    made: int
    """How often the function has been traced."""
    retraced: int
    """How many of these were for types that were known, because something that it takes from Python had changed."""


class Function(Generic[P, R_co]):
    """A Python function with its traces. Made by `runtime.function`."""

    __ag_do_not_convert__ = True

    def __init__(self, python_function: Any, options: Options | None = None, *, tracer: Tracer | None = None) -> None:
        if not callable(python_function):
            hint = "; put it below @classmethod or @property" if hasattr(python_function, "__get__") else ""
            raise TypeError(f"runtime.function decorates a callable; got {python_function!r}{hint}")
        self._static = isinstance(python_function, staticmethod)
        python_function = python_function.__func__ if isinstance(python_function, staticmethod) else python_function
        functools.update_wrapper(self, python_function)
        self._tracer = Tracer(python_function, options or Options()) if tracer is None else tracer
        self._name = self._tracer.name
        self._traces = self._tracer.traces
        self._quick = self._traces.quick
        self._lock = threading.RLock()
        self._orders: set[Any] = set()
        self._bound: dict[int, Function[..., Any]] = {}
        self._instance: Any = None
        self._held_from: Function[..., Any] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        try:
            if kwargs:
                args, kwargs = in_order(args, kwargs, self._tracer.signature, self._orders)
            if not kwargs and not config._attentive and current_recorder() is None:
                result = self._traces.short(args)
                if result is not MISSED:
                    return cast("R_co", result)
                concrete = arrays = None
                try:
                    if not args or type(args[0]) is EagerTensor:  # what is raised costs as much as a short call
                        arrays = [*map(array_of, args)]
                        concrete = self._quick.get(tuple([(a.dtype, a.shape) for a in arrays]))
                except TypeError:  # not all are eager tensors
                    pass
                if concrete is None:
                    concrete, arrays = known_for(args, self._quick, bool(self._tracer.numbers.opened))
                if concrete is not None and concrete.guards.hold():
                    concrete.met += 1
                    if concrete.met >= OFTEN and not concrete.met & (concrete.met - 1):
                        shorten(args, concrete, self._traces)
                    return concrete.run_eager(arrays) if type(arrays) is list else run_arrays(concrete, arrays)
            return self._call(args, kwargs)
        except (Exception, KeyboardInterrupt) as error:
            beyond = isinstance(error, IntegerRangeError | NotRealError)
            if beyond and (found := self._for_value(args, kwargs)) is not None:
                return found[0].run(found[1])
            show_users_frames(error)
            raise

    def _for_value(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[ConcreteFunction, Sequence[Any]] | None:
        """For a call that the trace for all values of its numbers has refused: the trace for these values alone.

        None where that trace has effects, or none was asked.
        """
        tracer = self._tracer
        if not tracer.numbers.opened or current_recorder() is not None:
            return None
        key, tensors, arguments = tracer.encode(tracer.signature.conform(args, kwargs))
        general = None if tracer.traces.find(key) is not None else tracer.numbers.fit(tracer, key, arguments)
        if general is None or has_effects(general[0].graph) or general[0].state.named:
            return None
        return tracer.concrete(key, arguments), tensors

    def _call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        if config.functions_run_eagerly() and not self._tracer.is_fixed:
            args, kwargs = in_plain_python(args, kwargs)
            return items_of(self._tracer.python_function)(*self._tracer.instance(), *args, **kwargs)
        signature = self._tracer.signature
        if current_recorder() is not None and not self._tracer.is_fixed:
            key, _, arguments = self._tracer.encode(signature.conform(args, kwargs, to_spec_or_array))
            return self._inline(key, arguments)
        convert = to_spec_or_array if self._tracer.is_fixed else None
        key, tensors, arguments = self._tracer.encode(signature.conform(args, kwargs, convert))
        if (spec := _type_alone(tensors)) is not None:
            raise TypeError(f"{self._name}() was called with a {spec}; those are for get_concrete_function")
        tracer, wanted, is_right = self._tracer, cast("Any", tensors), False
        if signature.specs is None or tracer.is_fixed:
            concrete, wanted = tracer.fit(key, arguments, tensors)
        else:
            concrete, key, arguments, wanted = fit_specified(tracer, key, arguments, tensors, args, kwargs)
        if concrete.parts_arrays and not tracer.is_fixed:
            own = tensors if signature.specs is None else wanted
            concrete, wanted, is_right = fit_sharing(tracer, concrete, key, arguments, wanted, own)
        if not kwargs and all(type(t) is EagerTensor for t in wanted):
            remember(args, wanted, concrete, self._traces)
        run: Callable[[], Any] = functools.partial(concrete.run, wanted, False if is_right else None)
        if concrete.state.named or concrete.in_calls is not None:
            from runtime.function.containers_of_call import run_with_containers

            others = tracer.python_function, dict(zip(("self",), tracer.instance(), strict=False))
            bound = signature.bind(args, kwargs)
            run = functools.partial(run_with_containers, concrete, wanted, bound, others)
        for watch in config.watchers:
            run = watch(concrete, run)
        return run()

    def _inline(self, key: Any, arguments: dict[str, Any]) -> Any:
        """Calls the function within the trace of another one."""
        active = _inlining.get()
        mark = (id(self._traces), key, id(current_recorder()))
        if mark in active:
            shown = ", ".join(f"{k}: {v!r}" for k, v in arguments.items())
            raise RecursionError(
                f"the Function {self._name!r} calls itself with arguments of the same types, {shown}, and no condition"
                " on a tensor in between: it would never end."
            )
        from runtime.function.array_arguments import Arrays, with_tensors
        from runtime.function.tracing import as_outputs

        arrays = Arrays()
        seen = {name: arrays.given(name, value, with_tensors(value)) for name, value in arguments.items()}
        seen = {name: with_placeholders(value) for name, value in seen.items()}
        args, kwargs = self._tracer.signature.split(seen)
        with binding(_inlining, (*active, mark)):
            result = self._tracer.call_recorded(args, kwargs)
            arrays.check_kept(f"{self._name}()", current_recorder())
            return with_objects(as_outputs(result, self._name, self._tracer.python_function))

    # -- traces --------------------------------------------------------------------------------------------------

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments (tensors, TensorSpecs or Python values); traced if need be, not run.

        TensorSpecs get a trace of just them, also beside a more general one. With a signature they may be left out.
        """
        signature = self._tracer.signature
        if signature.specs is not None and not args and not kwargs:
            args = tuple(signature.spec_values())
        arguments = signature.conform(args, kwargs)
        key, tensors, arguments = self._tracer.encode(arguments)
        concrete = self._tracer.concrete(key, arguments, exact=_type_alone(tensors) is not None)
        concrete = self._tracer.with_constants(concrete, arguments)
        if concrete.copied:
            self._tracer.warn_of_copies(concrete)
        return concrete

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The graph, the optimised graph and the plan for these arguments, as `get_concrete_function` takes them."""
        from runtime.function.lowering import Lowered

        return Lowered(self.get_concrete_function(*args, **kwargs))

    def cache_info(self) -> CacheInfo:
        """Numbers of traces. Of a method that is looked up in its class: those of all its objects together."""
        known = [self._traces, *(bound._traces for bound in list(self._bound.values()))]
        return CacheInfo(sum(t.kept() for t in known), sum(t.made for t in known), sum(t.retraced for t in known))

    def cache_clear(self) -> None:
        """Drops all traces, earlier ones too; the next call traces anew. Of a method that is looked up in its class:
        those of all its objects. ConcreteFunctions that are held elsewhere stay as they are."""
        functions: list[Function[..., Any]] = [self, *self._bound.values()]
        for function in functions:
            function._tracer.forget()

    def __ag_trace__(self, *args: Any, **kwargs: Any) -> None:
        """Traces anew, keeps nothing: for `autograph.explain`."""
        self._tracer.tell(self._tracer.signature.conform(args, kwargs))

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Function[P, R_co]: ...
    @overload
    def __get__(self: Function[Concatenate[S, Q], R_co], instance: S, owner: Any = None) -> Function[Q, R_co]: ...
    @overload
    def __get__(self, instance: object, owner: Any = None) -> Function[P, R_co]: ...  # a static method
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Decorated methods: each instance has traces of its own, which do not keep it alive.

        What is made of tensors is an argument as any other: one trace serves all values of one type.
        """
        if instance is None or self._static:
            return self
        bound = self._bound.get(id(instance))
        if bound is None:
            if hasattr(type(instance), "_nest_parts"):
                return MethodType(self, instance)
            with self._lock:
                bound = self._bound.get(id(instance)) or self._bind(instance)
        return bound._held(instance)

    def _bind(self, instance: Any) -> Function[..., Any]:
        try:
            weakref.finalize(instance, self._bound.pop, id(instance), None).atexit = False
        except TypeError:
            raise TypeError(
                f"{type(instance).__name__}.{self._name} is a Function, with traces for each instance; objects of"
                f" {type(instance).__name__} cannot be held weakly: add '__weakref__' to its __slots__"
            ) from None
        tracer = self._tracer.for_instance(instance)
        bound = self._bound[id(instance)] = Function(tracer.python_function, tracer=tracer)
        return bound

    def _held(self, instance: Any) -> Function[..., Any]:
        """This Function of an instance (the same traces), for a caller that holds nothing else of the instance."""
        made, own = object.__new__(Function), self.__dict__.copy()
        own["_instance"], own["_held_from"] = instance, self
        function = self._tracer.python_function
        if type(function) is FunctionType:  # its signature has no `self`
            own["__wrapped__"] = MethodType(function, instance)
        made.__dict__ = own
        return made

    def _trace_identity(self) -> Function[..., Any]:
        """What stands for this Function where it is an argument: something that lives as long as its traces."""
        return self._held_from or self

    def __ag_memory__(self) -> list[Any]:
        """As of its traces, where these are all that there will be."""
        return [part for trace in self._traces for part in trace.__ag_memory__()] if self._tracer.is_fixed else []

    def __reduce__(self) -> Any:
        """Pickled by reference: by the name that leads to it, or its object and name; without a name by its graphs."""
        instance = self._tracer.instance()
        if instance:
            return getattr, (instance[0], method_name(instance[0], self, self._name))
        return reduced(self, [getattr(self, "__qualname__", self._name), self._name])

    def __copy__(self) -> Function[..., Any]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[..., Any]:
        """As of Python's own: a function is not copied, and a method of an object is the method of its copy."""
        if self._tracer.is_fixed:
            return self._tracer.copied(self, memo)  # type: ignore[attr-defined]
        method, instance = self._tracer.python_function, self._tracer.instance()
        if instance:
            return getattr(copy.deepcopy(instance[0], memo), method_name(instance[0], self, self._name))
        if not isinstance(method, MethodType) or (copied := copy.deepcopy(method, memo)).__self__ is method.__self__:
            return self
        return Function(copied, self._tracer.options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._traces is other._traces

    def __hash__(self) -> int:
        return id(self._traces)

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def python_function(self) -> Callable[P, R_co]:
        """The function that was decorated; for a method of an instance, bound to it."""
        instance = self._tracer.instance()
        function = self._tracer.python_function
        return function.__get__(*instance) if instance else function

    @property
    def function_spec(self) -> Signature:
        """The parameters, and the specs of input_signature."""
        return self._tracer.signature

    @property
    def input_signature(self) -> Any:
        """The option that it was made with."""
        return self._tracer.options.input_signature

    def experimental_get_tracing_count(self) -> int:
        """How many times this Function has been traced."""
        return self._traces.made

    def pretty_printed_concrete_signatures(self) -> str:
        """The types of arguments and results of each trace."""
        return "\n\n".join(c.pretty_printed_signature() for c in self._traces)

    def __repr__(self) -> str:
        return f"<runtime.Function {self._name} with {(n := len(self._traces))} trace{'s' * (n != 1)}>"


def _type_alone(inputs: Inputs) -> str | None:
    """The kind of the first argument that is a type and no value: a spec or a TraceType; None if there is none."""
    types = [typed.type for typed in inputs.types if not typed.has_value]
    return next((type(t).__name__ for t in (*types, *(t for t in inputs if type(t) in SPECS))), None)
