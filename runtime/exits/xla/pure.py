"""`runtime.to_jax`: a Function as a pure function of JAX arrays.

    pure = runtime.to_jax(step)
    jax.jit(jax.vmap(pure))(x)
    jax.grad(lambda weights, x: pure(x, variables=weights))(pure.variables, x)
    result, changed = pure.update(x, variables=weights)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.dtypes import DType, as_dtype, string, variant
from runtime.errors import NotExportableError
from runtime.exits.problems import Problem, listed
from runtime.exits.traces import as_function, check_trace, trace_of
from runtime.exits.xla.library import jax_library, jnp
from runtime.exits.xla.lowering import Unlike, problems_of
from runtime.exits.xla.program import Program, jax_settings
from runtime.exits.xla.values import Row
from runtime.function.arguments import has_spec
from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.ops.flow.custom import custom_gradient_node
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import switches
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Pure", "PureTrace", "to_jax"]

WHAT = "to_jax"


@switches
def to_jax(
    function: Any, input_signature: Sequence[Any] | None = None, *, drop_checks: bool = False
) -> Callable[..., Any]:
    """A pure function of JAX, which jit, vmap, grad and shard_map take, of a Function, a Python function or a trace.

    It is called as the function is, with arrays in the place of tensors, and is traced for each of their shapes.
    `variables=` gives the values of Variables by name (a dict: a pytree), in the place of those that they have now;
    `pure.variables` is that dict. A function that writes to Variables is called by `pure.update`, which gives the
    result and the dict after it. Gradients are JAX's own: those of a loop in reverse need a known number of turns.

    It raises nothing for values: a division of integers by zero, an index outside and a whole number that is too
    large give some number, as in JAX. drop_checks: leaves out asserts and prints, which are refused otherwise.
    Raises NotExportableError, with all operations, lines and reasons; ImportError without the extra `jax`.
    """
    jax_library()
    if isinstance(function, ConcreteFunction):
        return Pure(function, drop_checks)
    made = as_function(WHAT, function)
    if input_signature is not None or made.input_signature is not None:
        return Pure(trace_of(WHAT, made, input_signature), drop_checks)
    return Pure(made, drop_checks)


class Pure:
    """What `to_jax` gives."""

    __ag_do_not_convert__ = True

    def __init__(self, function: Function[..., Any] | ConcreteFunction, dropped: bool) -> None:
        self._function, self._dropped = function, dropped
        self._traces: dict[int, PureTrace] = {}
        self.__name__ = getattr(function, "__name__", "pure")
        if isinstance(function, ConcreteFunction):
            self._trace(function)

    def __call__(self, *args: Any, variables: Mapping[str, Any] | None = None, **kwargs: Any) -> Any:
        """The result. Raises ValueError for a function that writes to Variables."""
        trace = self._fitting(args, kwargs)
        if trace.program.written:
            names = ", ".join(trace.names[i] for i in trace.program.written)
            raise ValueError(f"to_jax: {trace.header} writes to {names}; call `update`, which gives what they are then")
        return trace.run(args, kwargs, variables)[0]

    def update(
        self, *args: Any, variables: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """The result, and the Variables as they are after it."""
        return self._fitting(args, kwargs).run(args, kwargs, variables)

    @property
    def variables(self) -> dict[str, Any]:
        """The Variables by name, with their values of now. Raises ValueError before there is a trace."""
        if not self._traces:
            raise ValueError("to_jax: which Variables there are is known after a call, or with input_signature")
        found: dict[str, Any] = {}
        for trace in self._traces.values():
            found.update(trace.values())
        return found

    def _fitting(self, args: Any, kwargs: Any) -> PureTrace:
        if isinstance(self._function, ConcreteFunction):
            return self._trace(self._function)
        specs = nest.map_structure(_spec, (args, kwargs))
        return self._trace(self._function.get_concrete_function(*specs[0], **specs[1]))

    def _trace(self, concrete: ConcreteFunction) -> PureTrace:
        if id(concrete) not in self._traces:
            self._traces[id(concrete)] = PureTrace(WHAT, concrete, self._dropped)
        return self._traces[id(concrete)]


def _spec(leaf: Any) -> Any:
    """What a leaf is traced with: an array as any of its dtype and shape, a value of Python as itself."""
    if hasattr(leaf, "shape") and hasattr(leaf, "dtype"):
        return TensorSpec(np.shape(leaf), as_dtype(leaf.dtype))
    return leaf


class PureTrace:
    """One trace as a pure function. what: what it is for, in messages; guarded: it tells whether something failed."""

    def __init__(self, what: str, concrete: ConcreteFunction, dropped: bool, guarded: bool = False) -> None:
        check_trace(what, concrete)
        self._what, self._concrete = what, concrete
        self.header = concrete.header
        graph = self._graph = _graph_of(concrete)
        self._refuse(problems_of(graph, guarded, dropped))
        if any(tensor.dtype is string for tensor in (*graph.inputs, *graph.outputs)):
            raise NotExportableError(f"{what}: {self.header} takes or returns texts, which XLA has not")
        self.program = Program(graph, guarded, dropped)
        self.memories = concrete.captured_inputs
        if len(self.memories) != len(self.program.handles):
            raise NotExportableError(f"{what}: {self.header} has an argument that is a Variable; let it find it itself")
        self.names = _unique(memory.name.partition(":")[0] for memory in self.memories)

    def _refuse(self, problems: Sequence[Problem]) -> None:
        if problems:
            raise NotExportableError(listed(f"{self._what}: {self.header} cannot be a program of XLA:", problems))

    def values(self) -> dict[str, Any]:
        """The Variables by name, as they are now."""
        return {name: np.array(m.read()) for name, m in zip(self.names, self.memories, strict=True)}

    def run(self, args: Any, kwargs: Any, variables: Mapping[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """The result, and all Variables after it."""
        leaves = self.leaves(args, kwargs)
        given = {**self.values(), **(variables or {})}
        results, after = self.compute(leaves, [given[name] for name in self.names])
        rest = iter(results)
        result = nest.map_structure(lambda leaf: next(rest) if isinstance(leaf, SymbolicTensor) else leaf,
                                    self._concrete.structured_outputs)  # fmt: skip
        return result, {**given, **after}

    def compute(self, leaves: Sequence[Any], variables: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The outputs of the graph, flat, and the Variables that it has written, by name."""
        plain, after, _ = self.outcome(leaves, variables)
        return plain, {self.names[i]: value for i, value in zip(self.program.written, after, strict=True)}

    def outcome(self, leaves: Sequence[Any], variables: Sequence[Any]) -> tuple[list[Any], list[Any], Any]:
        """The outputs, the Variables of `program.written` after it, and whether something failed. Raises Misfit."""
        graph = self._graph
        dtypes = [t.dtype for i, t in enumerate(graph.inputs) if i not in self.program.handles]
        with jax_settings():
            arrays = [jnp.asarray(leaf, dtype.numpy) for leaf, dtype in zip(leaves, dtypes, strict=True)]
            values = [jnp.asarray(v, m.dtype.numpy) for v, m in zip(variables, self.memories, strict=True)]
            try:
                results, after, failed = self.program(arrays, values)
                plain = [_as_arrays(v, t.dtype) for v, t in zip(results, graph.outputs, strict=True)]
            except Unlike as problem:
                self._refuse([Problem(problem.operation, str(problem))])
                raise
        return plain, after, failed

    def leaves(self, args: Any, kwargs: Any) -> list[Any]:
        """The arrays among the arguments, in the order of the graph's inputs."""
        given = self._concrete._signature.signature.bind(*args, **kwargs).arguments
        found = []
        for parameter, spec in self._concrete._inputs.specs.items():
            if has_spec(spec):
                pairs = zip(nest.flatten(spec), nest.flatten_up_to(spec, given[parameter]), strict=True)
                found += [leaf for part, leaf in pairs if has_spec(part)]
        return found


def _graph_of(concrete: ConcreteFunction) -> Graph:
    """The optimised graph; but optimising drops gradients of the program's own, of which JAX has to be told."""
    roots = (concrete.graph, *concrete.graph.functions.values())
    inner = [graph for root in roots for graph in nested_graphs(root)]
    own = any(operation.op is custom_gradient_node for graph in inner for operation in graph.operations)
    return concrete.graph if own else concrete.optimized_graph


def _as_arrays(value: Any, dtype: DType) -> Any:
    if dtype is variant or isinstance(value, Row):
        raise NotExportableError("a program of XLA returns no list; return runtime.stack of it")
    return jnp.asarray(value)


def _unique(names: Any) -> list[str]:
    """The names, with numbers behind those that come again."""
    found: list[str] = []
    for name in names:
        number, made = 1, name
        while made in found:
            made, number = f"{name}_{number}", number + 1
        found.append(made)
    return found
