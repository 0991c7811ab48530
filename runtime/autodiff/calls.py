"""The gradient of `call`: a function of the library that goes back through the function that was called.

    f(n, x) = x * f(n - 1, x)       f_forward(n, x) -> (y, kept),   f_gradient(kept, dy) -> dx

What the way back needs is kept in one handle, whatever it is; where a function calls itself, what the inner call keeps
is a part of that. So the way back is as deep as the recursion was. Each function of the library gets its pair once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.rules import STRUCTURED, carries
from runtime.autodiff.saving import append_output, copied_constant, fitted, variable_type, zeros_for
from runtime.autodiff.sweep import sweep
from runtime.context import recording
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import DType, resource, variant
from runtime.graph.graph import Graph
from runtime.graph.library import free_name, settle_effects
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild
from runtime.ops.flow.control import call_node
from runtime.ops.lists.gradients import bundle, unbundle
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__: list[str] = []


class _Kept:
    """`GradientState.source` of the gradient of a function: its values come out of the bundle."""

    def __init__(self, graph: Graph, back: Graph, handle: SymbolicTensor) -> None:
        self.graph = graph
        self.values: list[SymbolicTensor] = []
        self._back = back
        self._handle = handle
        self._opened: Operation | None = None
        self._given: dict[int, SymbolicTensor] = {}

    def __call__(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        own = self.graph.recording.own_version(tensor)
        if own is None:
            return None
        found = self._given.get(id(own))
        if found is None:
            found = copied_constant(own, self._back)
        if found is None:
            found = self._take(own)
        self._given[id(own)] = found
        return found

    def _take(self, tensor: SymbolicTensor) -> SymbolicTensor:
        self.values.append(tensor)
        if self._opened is None:
            self._opened = self._back.add(unbundle, (self._handle,), {"dtypes": (), "shapes": ()})
        self._opened.attributes = {
            "dtypes": tuple(t.dtype for t in self.values),
            "shapes": tuple(t.shape for t in self.values),
        }
        return append_output(self._opened, tensor.dtype, tensor.shape)


class CallPair:
    """The two functions that take the place of one: forward, and back."""

    def __init__(self, root: Graph, name: str) -> None:
        function = root.functions[name]
        build = Rebuild(function)
        for operation in function.operations:
            build.copy(operation)
        build.remember()
        self.graph = build.finish()
        self.function = name
        self.graph.recording.nest_in(root)
        self.forward = free_name(root, f"{name}_forward")
        root.functions[self.forward] = self.graph
        self.name = free_name(root, f"{name}_gradient")
        self.back = root.functions[self.name] = Graph.within(root, self.name)
        self.kept = len(function.outputs)
        """Which result of the forward function is what it keeps."""
        self.results = [i for i, t in enumerate(function.outputs) if carries(t)]
        """The results that have upstreams."""
        self.types: dict[int, tuple[DType, TensorShape]] = {}
        """The operands that have gradients, and the types of those."""
        for i, tensor in enumerate(function.inputs):
            found = (tensor.dtype, tensor.shape) if tensor.dtype is not resource else variable_type(function, tensor)
            if carries(tensor) and found is not None:
                self.types[i] = found

    def build(self) -> None:
        """Makes the way back. Calls of the function within itself find this pair already."""
        ahead, back = self.graph, self.back
        values = back.recording.gradients.source = _Kept(ahead, back, back.placeholder(variant, [], "kept"))
        targets = [ahead.outputs[i] for i in self.results]
        slots = [back.placeholder(t.dtype, t.shape, "upstream") for t in targets]
        sources = [ahead.inputs[i] for i in self.types]
        with recording(back):
            found = sweep(ahead.operations, list(zip(targets, slots, strict=True)), sources)
            for gradient, source, kind in zip(found, sources, self.types.values(), strict=True):
                total = zeros_for(source, *kind) if gradient is None else gradient
                back.outputs.append(back.recording.localize(fitted(total, kind[1]), "gradient"))
        ahead.outputs.append(ahead.add(bundle, values.values, {}).outputs[0])


def _pair_of(root: Graph, name: str) -> CallPair:
    pair: CallPair | None = root.recording.gradients.pairs.get(name)
    if pair is None:
        pair = root.recording.gradients.pairs[name] = CallPair(root, name)
        root.recording.gradients.pairs_by_forward[pair.forward] = pair
        pair.build()
        settle_effects(root)
    return pair


def _pair_for(root: Graph, name: str, upstreams: Sequence[Any]) -> CallPair | None:
    """The pair that a call is a part of already, and that suits these upstreams.

    In a gradient of a gradient what is kept has an upstream, too: then the forward function gets a pair of its own.
    """
    last = max(i for i, u in enumerate(upstreams) if u is not None)
    found: CallPair | None = None
    pair: CallPair | None = root.recording.gradients.pairs_by_forward.get(name)
    while pair is not None and pair.kept > last:
        found, pair = pair, root.recording.gradients.pairs_by_forward.get(pair.function)
    return found


def _call(operation: Operation, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    outer, name = current_graph(), operation.attributes["function"]
    root, attributes = operation.graph.recording.root, operation.attributes
    pair = _pair_for(root, name, upstreams)
    if pair is None:
        pair = _pair_of(root, name)
        operation.attributes = {
            **attributes,
            "function": pair.forward,
            "dtypes": (*attributes["dtypes"], variant),
            "shapes": (*attributes["shapes"], TensorShape([])),
        }
        append_output(operation, variant, TensorShape([]))
    kept = operation.outputs[pair.kept]
    given = [zeros_for(operation.outputs[i]) if upstreams[i] is None else upstreams[i] for i in pair.results]
    shaped = [fitted(u, pair.graph.outputs[i].shape) for u, i in zip(given, pair.results, strict=True)]
    types = list(pair.types.values())
    made = outer.add(
        call_node,
        [outer.recording.localize(t, "gradient") for t in (kept, *shaped)],
        {
            "function": pair.name,
            "dtypes": tuple(dtype for dtype, _ in types),
            "shapes": tuple(shape for _, shape in types),
            "stateful": False,
        },
    )
    gradients: list[Any] = [None] * len(needed)
    for i, result in zip(pair.types, made.outputs, strict=True):
        if needed[i]:
            gradients[i] = result
    return gradients


STRUCTURED[call_node] = _call
