"""Breaks in `runtime/function`: the cache, trace types, guards, signatures, warnings.

python -m tests.mutations runtime/function
"""

from .runner import Mutation

__all__ = ["OF_FUNCTIONS"]

CACHE, TYPES = "runtime/function/cache.py", "runtime/function/trace_types.py"
FUNCTION, CONCRETE = "runtime/function/function.py", "runtime/function/concrete.py"
GUARDS, SNAPSHOTS = "runtime/function/guards.py", "runtime/function/snapshots.py"
TRACING, TRACER = "runtime/function/tracing.py", "runtime/function/tracer.py"

OF_FUNCTIONS = (
    Mutation(
        "of several traces that fit, the most specific is taken",
        CACHE,
        "(best is None or is_subtype(general, best))",
        "best is None",
        ("tests/runtime/function/test_traces.py",),
    ),
    Mutation(
        "a more specific trace that comes later is taken from then on",
        CACHE,
        "        self._served.clear()  # the new trace may be",
        "        # the new trace may be",
        ("tests/runtime/function/test_choice_of_traces.py",),
    ),
    Mutation(
        "threads trace each type once",
        CACHE,
        "        with self._lock, self._changing():\n            self._forget_dead()\n            trace = self._exact",
        "        with self._changing():\n            self._forget_dead()\n            trace = self._exact",
        ("tests/runtime/function/test_cache.py", "tests/runtime/function/test_threads_memory.py"),
    ),
    Mutation(
        "an older trace is taken up again when its values come back",
        CACHE,
        "next((other for other in others if is_valid(other)), None)",
        "None",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "traces for objects that are gone are dropped",
        CACHE,
        "        self._deaths.append(reference)\n",
        "        return\n",
        ("tests/runtime/state/test_lifetime.py", "tests/runtime/function/test_threads_memory.py"),
    ),
    Mutation(
        "what dies in the midst of a change is forgotten afterwards",
        CACHE,
        "                if not self._is_changing:",
        "                if False:",
        ("tests/runtime/state/test_lifetime.py",),
    ),
    Mutation(
        "1, 1.0 and True have traces of their own",
        TYPES,
        "    return type(value), value\n",
        "    return value\n",
        ("tests/runtime/function/test_traces.py",),
    ),
    Mutation(
        "nan is one value, 0.0 and -0.0 are two",
        TYPES,
        "    return type(value), repr(value)\n",
        "    return type(value), value\n",
        ("tests/runtime/function/test_traces.py",),
    ),
    Mutation(
        "which Variables among the arguments are the same counts",
        TYPES,
        "first = next(i for i, t in enumerate(inputs) if t is value)",
        "first = len(inputs) - 1",
        ("tests/runtime/state/test_arguments.py",),
    ),
    Mutation(
        "lists and tuples have traces of their own",
        TYPES,
        "    return type(value), _encode_all(value, inputs, died)\n",
        "    return list, _encode_all(value, inputs, died)\n",
        ("tests/runtime/function/test_traces.py",),
    ),
    Mutation(
        "a key does not keep an object alive",
        TYPES,
        "            self._target: Callable[[], Any] = reference(target, died)\n",
        "            self._target: Callable[[], Any] = lambda: target\n",
        ("tests/runtime/function/test_traces.py",),
    ),
    Mutation(
        "a trace for open dims does not serve other ranks",
        TYPES,
        "    return len(dims) == len(general) and all(",
        "    return all(",
        ("tests/runtime/function",),
    ),
    Mutation(
        "a function runs as Python when functions run eagerly, also where there is a trace",
        FUNCTION,
        "if not kwargs and not config._eagerly and current_recorder() is None:",
        "if not kwargs and current_recorder() is None:",
        ("tests/runtime/test_seed_programs.py",),
    ),
    Mutation(
        "the shortest way to a trace looks at its guards",
        FUNCTION,
        "concrete is not None and concrete.guards.hold()",
        "concrete is not None",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "endless recursion is an error that says so",
        FUNCTION,
        "        if mark in active:\n",
        "        if False:\n",
        ("tests/runtime/calls", "tests/runtime/function"),
    ),
    Mutation(
        "each instance has traces of its own",
        FUNCTION,
        "bound = self._bound.get(id(instance))\n        if bound is None:",
        "bound = next(iter(self._bound.values()), None)\n        if bound is None:",
        ("tests/runtime/function/test_decorator.py",),
    ),
    Mutation(
        "changed globals and attributes are seen",
        GUARDS,
        "_compiled(sources, plain) if sources else _always",
        "_always",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "an equal value of the same type is no change",
        SNAPSHOTS,
        "        return repr(value) == self.shown if self.shown else bool(value == self.value)\n",
        "        return False\n",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "a guarded value of another type is a change",
        SNAPSHOTS,
        "        if type(value) is not type(self.value):\n            return False\n",
        "",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "arrays are guarded by their elements",
        SNAPSHOTS,
        "(value.shape, value.dtype) == self._form and np.array_equal(_bits(value), self._elements)",
        "(value.shape, value.dtype) == self._form",
        ("tests/runtime/function/test_guards.py",),
    ),
    Mutation(
        "what a function changes itself is not guarded",
        "runtime/function/own_effects.py",
        "            changed.update(tokens_of(holder, now))\n",
        "",
        ("tests/runtime/function/test_guarded_objects.py",),
    ),
    Mutation(
        "the warning about a change while tracing comes once",
        "runtime/function/own_effects.py",
        "            self.warned.update(places)\n",
        "",
        ("tests/runtime/function/test_trace_effects.py",),
    ),
    Mutation(
        "frequent tracing is reported with the argument that makes it so",
        "runtime/function/retracing.py",
        "OFTEN: Final = 5\n",
        "OFTEN: Final = 6\n",
        ("tests/runtime/function/test_retracing.py",),
    ),
    Mutation(
        "reduce_retracing leaves open what differs",
        TRACER,
        "elif self.options.reduce_retracing and not exact:",
        "elif False:",
        ("tests/runtime/function/test_cache.py",),
    ),
    Mutation(
        "an input_signature makes one trace for all calls",
        TRACER,
        "            arguments = self._specified(arguments)\n        elif",
        "            pass\n        elif",
        ("tests/runtime/function/test_input_signature.py",),
    ),
    Mutation(
        "a shape that the input_signature does not allow is an error",
        "runtime/function/signature.py",
        "value.dtype is not spec.dtype or not shape.is_compatible_with(spec.shape)",
        "value.dtype is not spec.dtype",
        ("tests/runtime/function/test_input_signature.py",),
    ),
    Mutation(
        "Python arguments of a ConcreteFunction must be those of its trace",
        TYPES,
        "        return bool(key == (traced if",
        "        return bool(key != (traced if",
        ("tests/runtime/function/test_concrete_arguments.py",),
    ),
    Mutation(
        "a ConcreteFunction that is called in a trace keeps the lines of its operations",
        CONCRETE,
        "            copy.location = called_at(operation.location, place)\n",
        "",
        ("tests/runtime/function",),
    ),
    Mutation(
        "what cannot be a result is refused",
        TRACING,
        "        if isinstance(leaf, CONVERTIBLE):\n            return convert_to_tensor(leaf)\n",
        "        return convert_to_tensor(leaf)\n",
        ("tests/runtime/function/test_results.py",),
    ),
    Mutation(
        "what only raises raises when the graph runs, after the effects before it",
        TRACING,
        "(graph.stateful or holds_tensors(error))",
        "holds_tensors(error)",
        ("tests/runtime/control_flow/test_staged_raise.py",),
    ),
    Mutation(
        "an unknown option is an error that names the nearest",
        "runtime/function/options.py",
        "close = difflib.get_close_matches(",
        "close = [] and difflib.get_close_matches(",
        ("tests/runtime/function/test_decorator.py",),
    ),
)
