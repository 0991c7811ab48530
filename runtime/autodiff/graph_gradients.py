"""`gradients`: the gradients of tensors of the graph that is being traced, without a tape.

    @runtime.function
    def slope(x):
        y = x * x
        return runtime.gradients(y, x)[0]
"""

from __future__ import annotations

from typing import Any

from runtime import structures as nest
from runtime.autodiff.places import capture_key, chain_of_graphs
from runtime.autodiff.rules import carries
from runtime.autodiff.sweep import sweep
from runtime.autodiff.tape import UnconnectedGradients, upstream_of
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.ops.core import placeholder
from runtime.ops.gradients import ops
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["gradients"]


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of the sum of `ys` by each of `xs`, a list; None for one that no y depends on.

    ys: a tensor or a list of them. xs: tensors and Variables. grad_ys: what each y's gradient is multiplied with; ones
    unless given. stop_gradients: tensors that count as constants. `name`, `gate_gradients` and `aggregation_method` are
    accepted for compatibility. Raises RuntimeError outside of a trace: use a GradientTape there.
    """
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise RuntimeError("gradients is for graphs that are being traced; use runtime.GradientTape with eager values")
    unconnected = UnconnectedGradients(unconnected_gradients)
    key = capture_key()
    targets, sources = [_in_graph(y, graph) for y in nest.flatten(ys)], nest.flatten(xs)
    given = [None] * len(targets) if grad_ys is None else nest.flatten(grad_ys)
    pairs = [(y, upstream_of(y, g)) for y, g in zip(targets, given, strict=True) if carries(y)]
    stopped = {key(_in_graph(t, graph)) for t in nest.flatten([] if stop_gradients is None else stop_gradients)}
    records = [
        operation
        for around in reversed(chain_of_graphs())
        for operation in list(around.operations)
        if operation.op is not placeholder and not any(key(t) in stopped for t in operation.outputs)
    ]
    found = sweep(records, pairs, [_in_graph(x, graph, source=True) for x in sources], key)
    if unconnected is UnconnectedGradients.ZERO:
        found = [ops.zeros_like(convert_to_tensor(x)) if g is None else g for g, x in zip(found, sources, strict=True)]
    return found


def _in_graph(value: Any, graph: Graph, source: bool = False) -> Any:
    if isinstance(value, Variable):
        return value._handle(graph) if source else value.value()
    if not isinstance(value, Tensor):
        raise TypeError(f"gradients takes tensors and Variables; got {value!r}")
    return graph.localize(value, "gradients")
