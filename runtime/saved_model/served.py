"""The signatures of a saved model: traces under names, which take their tensors by name and return a dict of tensors.

    served = signatures_of(module, tree, {"serving_default": module.predict})
    served["serving_default"](x=constant([1.0]))          # {"output_0": ...}
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from runtime import structures as nest
from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.function.guards import Guards
from runtime.function.loaded import stand_in
from runtime.function.signature import Signature
from runtime.function.trace_types import encode
from runtime.function.tracing import Trace
from runtime.graph.rebuild import Rebuild
from runtime.saved_model.loaded_objects import is_loaded
from runtime.saved_model.objects import Tree
from runtime.state.parameters import Parameter
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["DEFAULT", "signatures_of"]

DEFAULT: Final = "serving_default"


def signatures_of(root: Any, tree: Tree, given: Any) -> dict[str, ConcreteFunction]:
    """The signatures that a user gave, or the one that there is by default. Raises TypeError, ValueError."""
    if given is None and is_loaded(root) and "signatures" in vars(root):
        return dict(vars(root)["signatures"])  # it has those that it was saved with
    if given is None:
        found = _by_default(root, tree)
        return {} if found is None else {DEFAULT: found}
    named = given if isinstance(given, Mapping) else {DEFAULT: given}
    served = {}
    for name, function in named.items():
        if not isinstance(name, str):
            raise TypeError(f"saved_model.save: the name of a signature is a str; got {name!r}")
        served[name] = _served(name, _trace_of(name, function, tree))
    return served


def _trace_of(name: str, function: Any, tree: Tree) -> ConcreteFunction:
    if isinstance(function, ConcreteFunction):
        return function
    if not isinstance(function, Function):
        raise TypeError(
            f"saved_model.save: the signature {name!r} is a Function or a trace of one (get_concrete_function);"
            f" got {function!r}"
        )
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = tree.traces_of(function)
    if len(traces) != 1:
        raise ValueError(
            f"saved_model.save: the signature {name!r} is the Function {function._name!r} with {len(traces)} traces;"
            " say which is meant: function.get_concrete_function(...), or give it an input_signature"
        )
    return traces[0]


def _by_default(root: Any, tree: Tree) -> ConcreteFunction | None:
    """The one trace of the one Function of the root object that can be a signature, if there is just one."""
    possible = []
    for _, value in tree.attributes(root):
        if isinstance(value, ConcreteFunction):
            traces = [value]
        elif isinstance(value, Function):
            traces = [value.get_concrete_function()] if value.input_signature is not None else tree.traces_of(value)
        else:
            continue
        if len(traces) == 1 and _problem(traces[0]) is None:
            possible.append(traces[0])
    return _served(DEFAULT, possible[0]) if len(possible) == 1 else None


def _problem(trace: ConcreteFunction) -> str | None:
    """Why a trace cannot be a signature; None if it can."""
    for name, value in trace._arguments.items():
        if any(isinstance(leaf, Parameter) for leaf in nest.flatten(value)):
            return f"its argument {name!r} is a Variable, and a signature takes tensors"
    if trace.state.first:
        return f"it writes to {trace.state.first!r} of the program; keep the tensor in a Variable, or return it"
    if trace.uses.written:
        return "it writes to an array of its caller; let it write to a copy, and return that"
    try:
        _named_outputs(trace)
    except ValueError as error:
        return str(error)
    return None


def _named_outputs(trace: ConcreteFunction) -> dict[str, SymbolicTensor]:
    result = trace.structured_outputs
    if result is None:
        return {}
    if not isinstance(result, dict):
        parts = list(result) if isinstance(result, list | tuple) else [result]
        result = {f"output_{i}": part for i, part in enumerate(parts)}
    for name, part in result.items():
        if not isinstance(name, str) or not isinstance(part, SymbolicTensor):
            raise ValueError(
                "a signature returns a tensor, a list of tensors, or a dict of tensors by names; it returns"
                f" {trace.structured_outputs!r}"
            )
    return result


def _served(name: str, trace: ConcreteFunction) -> ConcreteFunction:
    """The trace with its tensors as arguments by name and a dict as its result; Python arguments stay what they are."""
    problem = _problem(trace)
    if problem is not None:
        raise ValueError(f"saved_model.save: {trace.header} cannot be the signature {name!r}: {problem}")
    given = [leaf for value in trace._arguments.values() for leaf in nest.flatten(value)]
    leaves = [leaf for leaf in given if isinstance(leaf, SymbolicTensor)]
    names = _names(leaves)
    kind = inspect.Parameter.KEYWORD_ONLY if len(names) > 1 else inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.Signature([inspect.Parameter(parameter, kind) for parameter in names])
    arguments = dict(zip(names, leaves, strict=True))
    outputs = _named_outputs(trace)
    graph = trace.graph
    in_order = nest.flatten(outputs)
    if any(a is not b for a, b in zip(in_order, graph.outputs, strict=True)):  # output_10 comes before output_2
        build = Rebuild(graph)
        for operation in graph.operations:
            build.copy(operation)
        graph = build.finish(outputs=in_order)
        outputs = nest.pack_sequence_as(outputs, graph.outputs)
        arguments = dict(zip(names, graph.inputs, strict=False))
    key, _ = encode(arguments)
    made = Trace(graph, outputs, arguments, memories=trace._memories, diverges=trace._diverges, uses=trace.uses)
    signature = Signature(stand_in(trace.name, parameters), False, None)
    return ConcreteFunction(trace.name, signature, made, Guards((), {}), key)


def _names(leaves: list[SymbolicTensor]) -> list[str]:
    """What the inputs are called: as in the graph, as far as those are names of parameters."""
    found: list[str] = []
    for leaf in leaves:
        name = leaf.op.name
        if not name.isidentifier():
            name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
            name = name if name.isidentifier() else f"input_{len(found)}"
        while name in found:
            name += "_"
        found.append(name)
    return found
