"""The traces of one Function: found for a call's arguments, made where there are none, made anew where they are stale.

tracer = Tracer(python_function, options)
key, tensors = tracer.encode(arguments)              # arguments: values by parameter, in canonical form
tracer.concrete(key, arguments).run(tensors)
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import autograph
from autograph.operators.classes import own_attributes
from autograph.operators.scope import without_conversion
from autograph.options import Feature
from runtime.context import current_recorder
from runtime.function.cache import TraceCache
from runtime.function.fitting import known_sharing
from runtime.function.foreign_arrays import ForeignError, as_ndarrays
from runtime.function.generators import items_of
from runtime.function.leaves import with_open_parts
from runtime.function.number_arguments import NumberArguments, check_effects, expected_results, undone
from runtime.function.numbers import plain_number
from runtime.function.options import Options
from runtime.function.own_effects import OwnEffects, fixed_tensors
from runtime.function.relaxation import relaxed
from runtime.function.retracing import RetraceCounter
from runtime.function.signature import Signature
from runtime.function.trace_protocol import with_types, with_values
from runtime.function.trace_types import Inputs, Key, encode
from runtime.graph.graph import Graph

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.containers_of_call import OfCall
    from runtime.function.places import Places
    from runtime.function.sharing import Sharing

__all__ = ["Tracer"]

Arguments = dict[str, Any]
Taken: TypeAlias = "Sequence[OfCall]"
Fits: TypeAlias = "Callable[[ConcreteFunction], bool]"

_COMPARISONS: Final = (Feature.EQUALITY_OPERATORS, Feature.ORDER_OPERATORS)


class Tracer:
    """A Python function that is traced, with its traces. `instance`: the object whose method it is, held weakly."""

    is_fixed = False
    """Whether there are no other traces than those that there are: those of a file (`runtime.function.loaded`)."""

    def __init__(self, python_function: Callable[..., Any], options: Options, instance: Any = None) -> None:
        self.python_function = python_function
        self.options = options
        self.name = str(options.name or getattr(python_function, "__name__", type(python_function).__name__))
        self.traces: TraceCache[ConcreteFunction] = TraceCache()
        self._instance: Callable[[], Any] | None = None if instance is None else weakref.ref(instance)
        self._signature: Signature | None = None
        if options.input_signature is not None:
            self._signature = self._read_signature()
        self.writes_arrays = False
        """Whether the function, with an input_signature, has been found to write to arrays as no tensor can be."""
        self._converted: dict[bool, tuple[Any, Callable[..., Any]]] = {}
        """The function to trace, once it is known, without and with `==` converted, with the code that it was made of;
        shared with the methods of other instances."""
        self._stages_comparisons = False
        self._retraced = RetraceCounter()
        self._effects = OwnEffects()
        self.numbers = NumberArguments()

    def for_instance(self, instance: Any) -> Tracer:
        """A tracer of the same method, with traces of its own, for an object. TypeError: it has no weak references."""
        made = Tracer(self.python_function, self.options, instance)
        made._converted = self._converted
        made._effects = OwnEffects(self._effects.warned)
        return made

    @property
    def signature(self) -> Signature:
        """The parameters, without `self`, and the specs of the input_signature."""
        if self._signature is None:
            self._signature = self._read_signature()
        return self._signature

    def _read_signature(self) -> Signature:
        return Signature(self.python_function, self._instance is not None, self.options.input_signature)

    def instance(self) -> tuple[Any, ...]:
        """The object whose method it is; nothing if it is no method of an object."""
        if self._instance is None:
            return ()
        instance = self._instance()
        if instance is None:
            raise ReferenceError(f"the object whose method {self.name!r} was called does not exist any more")
        return (instance,)

    # -- calling -------------------------------------------------------------------------------------------------

    def call_recorded(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the function to trace in the graph that is recording."""
        if not self.options.autograph:
            with without_conversion():
                return self._call(args, kwargs)
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from runtime.control_flow.calls.recursion import call_function, note_call

        form, instance = self._form(), self.instance()
        original = getattr(self.python_function, "__func__", self.python_function)
        if type(original) is not FunctionType:
            inner, recorder = _function_in(original), current_recorder()
            if inner is not None and isinstance(recorder, Graph):
                note_call(recorder, inner)
            return form(*instance, *args, **kwargs)
        if isinstance(form, MethodType):
            return call_function(form.__func__, original, (form.__self__, *args), kwargs)
        return call_function(form, original, (*instance, *args), kwargs)

    def _traceable(self) -> Callable[..., Any]:
        """The function to trace."""
        form, instance = self._form(), self.instance()
        return functools.partial(form, *instance) if instance else form

    def _form(self) -> Callable[..., Any]:
        """The function, converted by autograph, unless that is switched off; without the object whose method it is."""
        comparisons = self._stages_comparisons
        code = getattr(getattr(self.python_function, "__func__", self.python_function), "__code__", None)
        known = self._converted.get(comparisons)
        if known is None or known[0] is not code:  # editors give functions other code
            made = items_of(self.python_function)
            if self.options.autograph:
                features = self.options.experimental_autograph_options
                features = (*features, *_COMPARISONS) if comparisons else features
                made = autograph.converted(made, recursive=True, optional_features=features)
            known = self._converted[comparisons] = code, made
        return known[1]

    @contextmanager
    def _other_form(self) -> Iterator[Callable[[], bool]]:
        """Around a trace that may begin again: what has comparisons of tuples, lists and objects staged from then on,
        and says whether that is new. It stays so if the trace succeeds."""

        def stage_comparisons() -> bool:
            is_new = self.options.autograph and not self._stages_comparisons
            self._stages_comparisons = self._stages_comparisons or is_new
            return is_new

        before = self._stages_comparisons
        try:
            yield stage_comparisons
        except BaseException:
            self._stages_comparisons = before
            raise

    # -- traces --------------------------------------------------------------------------------------------------

    def encode(self, arguments: dict[str, Any]) -> tuple[Key, Inputs, dict[str, Any]]:
        """Key, the tensors among them, and the arguments with what has a TraceType of its own marked as such, and
        arrays of other libraries as ndarrays."""
        try:
            key, inputs = encode(arguments, self.traces.died, self.traces.by_identity)
        except ForeignError:
            arguments = as_ndarrays(arguments, self.name)
            key, inputs = encode(arguments, self.traces.died, self.traces.by_identity)
        if inputs.types:
            arguments = {name: with_types(value, inputs.types) for name, value in arguments.items()}
        if inputs.orders:  # in which the function goes through a dict
            key = (*key[0], inputs.orders), key[1]
        return key, inputs, arguments

    def concrete(
        self, key: Key, arguments: dict[str, Any], exact: bool = False, tensors: Inputs | None = None
    ) -> ConcreteFunction:
        """The trace for these arguments, whose key is given; exact: a trace for more general types is no answer.
        tensors: those among them, where a trace for the memory that they share may be taken."""
        concrete = self.traces.exactly(key) if exact else self.traces.find(key)
        is_new = concrete is None
        if concrete is None:
            concrete = self.traces.get_or_make(key, lambda: self._trace(key, arguments, exact), exact)
        return self._up_to_date(concrete, key, arguments, is_new, tensors)

    def _up_to_date(
        self, concrete: ConcreteFunction, key: Key, arguments: Arguments, is_new: bool, tensors: Inputs | None = None
    ) -> ConcreteFunction:
        """The trace, or the one in its place where Python has left it behind. is_new: whether this call has made it."""
        guards = concrete.guards
        if guards.hold() or (is_new and guards.hold_for_first_call) or (changed := guards.changed()) is None:
            return concrete
        if tensors is not None and concrete.parts_arrays and (found := known_sharing(self, concrete, key, tensors)):
            return found
        return self._traced_again(concrete, key, arguments, changed)

    def fit(
        self, key: Key, arguments: dict[str, Any], tensors: Inputs
    ) -> tuple[ConcreteFunction, Inputs]:
        """The trace for these arguments, and their tensors as it takes them."""
        if self.traces.find(key) is None and self.options.autograph:
            general = self.numbers.fit(self, key, arguments)
            if general is not None:
                return general
        return self.concrete(key, arguments, tensors=tensors), tensors

    def sharing(self, key: Key, arguments: dict[str, Any], sharing: Sharing, fits: Fits) -> ConcreteFunction:
        """The trace for ndarrays that share memory in this way. fits: whether they share it as in a trace."""
        key = (*key[0], sharing), key[1]
        is_new = self.traces.exactly(key) is None
        make = lambda: ((trace := self._traced(arguments, sharing)).key, trace)
        found = self._up_to_date(self.traces.get_or_make(key, make, True), key, arguments, is_new)
        return found if fits(found) else self._traced_again(found, key, arguments, "the memory of arrays", fits)

    def with_constants(self, concrete: ConcreteFunction, arguments: dict[str, Any]) -> ConcreteFunction:
        """A trace that has as constants what calls read in places: for who keeps the trace itself."""
        return self._traced(arguments, concrete.sharing) if concrete.state.only_reads else concrete

    def warn_of_copies(self, concrete: ConcreteFunction) -> None:
        """To be called where a trace itself is to run, and not what a call of the Function would."""
        function = getattr(self.python_function, "__func__", self.python_function)
        code = [function] if isinstance(function, FunctionType) else []
        self._effects.warn_of_copies(concrete.copied, self.name, code)

    def forget(self) -> None:
        """Drops all traces."""
        self._retraced = RetraceCounter()
        self.traces.clear()

    def tell(self, arguments: dict[str, Any]) -> None:
        """Traces anew, keeps nothing: for `autograph.explain`."""
        arguments = self.signature.specified(arguments)
        self._traced(self.encode(arguments)[2]).guards.tell()
        self.numbers.tell(arguments, self.python_function)

    def _trace(self, key: Key, arguments: dict[str, Any], exact: bool) -> tuple[Key, ConcreteFunction]:
        """A new trace that serves these arguments, and the key that it is made for."""
        if self.signature.specs is not None:
            arguments = self.signature.specified(arguments)
        elif self.options.reduce_retracing and not exact:
            arguments = relaxed(arguments, key, self.traces.similar(key))
        key, _, _ = self.encode(arguments)
        known = self.traces.exactly(key)
        if known is not None:
            return key, known
        concrete = self._traced(arguments)
        if not exact:
            self._retraced.traced(self.name, arguments, self.options.reduce_retracing, self.numbers.reasons)
        return concrete.key, concrete

    def _traced(
        self, arguments: dict[str, Any], sharing: Sharing | None = None, stale: ConcreteFunction | None = None
    ) -> ConcreteFunction:
        """A new trace; where it changes copies of containers of the caller, with another one that calls run."""
        concrete, places = self._recorded(arguments, sharing, stale)
        if places.containers.copied:
            places.restore()
            concrete.in_calls, _ = self._recorded(arguments, sharing, stale, places.containers.copied)
            concrete.key = concrete.in_calls.key
        return concrete

    def _places(
        self, roots: Mapping[str, Any], arguments: Arguments, stale: ConcreteFunction | None, *others: Any
    ) -> Places:
        from runtime.function.places import Places

        objects = {name: with_values(value) for name, value in roots.items()}
        world = self._effects.begin(self.python_function, objects)
        before, are_copies = stale.state if stale else None, self.signature.specs is not None
        changed = stale.guards.changed_locations() if stale and stale.state.guesses else frozenset()
        return Places(world, (self.python_function, objects), arguments, are_copies, before, changed, *others)

    def _recorded(
        self, arguments: Arguments, sharing: Sharing | None, stale: ConcreteFunction | None, taken: Taken = ()
    ) -> tuple[ConcreteFunction, Places]:
        """A new trace, and what it leaves. taken: the containers of the caller that its runs change, and no copies."""
        from runtime.control_flow.outside.foreign_calls import knowing_opaque
        from runtime.function.captured_arrays import arrays_read
        from runtime.function.concrete import ConcreteFunction
        from runtime.function.guards import Guards
        from runtime.function.restarting import traced_with_arrays
        from runtime.function.sharing import callers_of
        from runtime.function.snapshots import memory_of_the_graph
        from runtime.function.tracing import trace_function

        roots = dict(zip(("self",), self.instance(), strict=False))
        roots |= {name: plain_number(value) for name, value in arguments.items()}
        key, inputs, _ = self.encode(arguments)  # before the trace changes them
        places = self._places(roots, arguments, stale, taken, callers_of(sharing, inputs.arrays))
        world, expected = places.world, expected_results()
        parts = self.signature, self.name, {n: with_open_parts(v) for n, v in arguments.items()}, self.call_recorded
        more = places.containers, world.classes(), expected
        make = lambda memory: trace_function(self._traceable(), *parts, memory, *more)
        used = knowing_opaque(world.opaque, self.name, self._effects.warned)
        with undone(world) if expected else nullcontext(), self._other_form() as other_form, used:
            trace, owners = traced_with_arrays(world, places, [array for _, array in inputs.arrays], make, other_form)
            state = places.state(trace.uses)
            if expected:
                check_effects(world, state)
        if (trace.by_identity or state.first) and not self.traces.by_identity:
            self.traces.by_identity = True
            key, _, _ = self.encode(arguments)
        key = ((*key[0], sharing), key[1]) if sharing else key
        called = [f for find in trace.graph.recording.tracing.called.values() if (f := find()) is not None]
        changes = self._effects.end(world, self.name, called, places.containers.is_copied)
        self._effects.warn_of_copies(trace.changed_copies, self.name, called)
        self._effects.warn_of_fixed(fixed_tensors(arguments, called), self.name, called)
        objects = roots if isinstance(self.python_function, FunctionType) else {"self": self.python_function} | roots
        with memory_of_the_graph([*owners, *places.owners], places.wholes), places.given.guarded() as found:
            guards = Guards(called, objects, trace.graph.recording.tracing.asked, found)
        guards.leave_out(places.containers.locations)
        trace.graph.recording.tracing.asked.clear()  # what it holds may be gone before the trace is
        self._effects.add(guards, changes)  # while `world` lives
        concrete = ConcreteFunction(self.name, self.signature, trace, guards, key, state)
        concrete.backend, concrete.whole = self.options.engine, bool(self.options.jit_compile)
        concrete.sharing = sharing
        if concrete.parts_arrays:
            places.given.meets.others = tuple(arrays_read(world, guards, places.given.owners))
        if trace.uses.asks_identity or any(number < len(inputs) for number in trace.uses.written):
            concrete.reads = tuple(places.given.meets.others)
        return concrete, places

    def _traced_again(
        self, stale: ConcreteFunction, key: Key, arguments: dict[str, Any], changed: str, fits: Fits = lambda _: True
    ) -> ConcreteFunction:
        """What takes the place of a trace that Python has left behind: another one whose guards hold, or a new one."""

        def make() -> ConcreteFunction:
            self._retraced.changed(self.name, changed)
            if key == stale.key or stale.sharing:
                return self._traced(arguments, stale.sharing, stale)
            return self._traced(relaxed(arguments, stale.key, [stale.key[1]]), None, stale)

        is_valid = lambda known: known.guards.changed() is None and fits(known)
        return self.traces.exchange(stale.key, stale, is_valid, make)


def _function_in(called: Any) -> FunctionType | None:
    """The function behind a partial or an object that is called."""
    while isinstance(called, functools.partial):
        called = called.func
    if not isinstance(called, FunctionType | MethodType):
        classes = [own_attributes(base) for base in type(called).__mro__]  # a trace exchanges methods for a while
        called = next((held["__call__"] for held in classes if "__call__" in held), None)
    called = getattr(called, "__func__", called)
    return called if isinstance(called, FunctionType) else None
