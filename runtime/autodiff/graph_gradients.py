"""`gradients`: the gradients of tensors of the graph that is being traced, without a tape.

    @runtime.function
    def slope(x):
        y = x * x
        return runtime.gradients(y, x)[0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.autodiff.handlers import recalled, why_unknown
from runtime.autodiff.places import capture_key, chain_of_graphs, loop_states
from runtime.autodiff.rules import carries
from runtime.autodiff.sweep import sweep
from runtime.autodiff.tape import UnconnectedGradients
from runtime.autodiff.upstreams import upstream_of
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.ops.flow.core import placeholder
from runtime.ops.records.gradients import ops
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["gradients"]


@switches
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
    accepted for compatibility. Raises RuntimeError outside of a trace: use a GradientTape there; StagingError in the
    body of a loop where the gradient would flow through earlier iterations.
    """
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise RuntimeError("gradients is for graphs that are being traced; use runtime.GradientTape with eager values")
    unconnected = UnconnectedGradients(unconnected_gradients)
    targets, sources = [_in_graph(y, graph) for y in nest.flatten(ys)], nest.flatten(xs)
    given = [None] * len(targets) if grad_ys is None else nest.flatten(grad_ys)
    pairs = [(y, upstream_of(y, g)) for y, g in zip(targets, given, strict=True) if carries(y)]
    stops = [_in_graph(t, graph) for t in nest.flatten([] if stop_gradients is None else stop_gradients)]
    wanted = [_in_graph(x, graph, source=True) for x in sources]
    key = capture_key()  # of what these have just captured, too
    stopped = set(map(key, stops))
    chain = chain_of_graphs()
    records = [
        operation
        for around in reversed(chain)
        for operation in list(around.operations)
        if operation.op is not placeholder and not any(key(t) in stopped for t in operation.outputs)
    ]
    known = stopped | set(map(key, wanted))
    loose = [(t, why) for t, why in _loose(chain) if key(t) not in known]
    found = sweep(records, pairs, [*wanted, *(t for t, _ in loose)], key)
    for (_, why), gradient in zip(loose, found[len(wanted) :], strict=True):
        if gradient is not None:
            raise StagingError(why)
    found = found[: len(wanted)]
    if unconnected is UnconnectedGradients.ZERO:
        found = [ops.zeros_like(convert_to_tensor(x)) if g is None else g for g, x in zip(found, sources, strict=True)]
    return found


_LOOP: Final = (
    "gradients: a y depends on a variable that a staged loop changes: the gradient would flow through earlier"
    " iterations, which are not there while the loop's body is traced. Ask for it after the loop, or give the variable"
    " as one of xs or stop_gradients"
)


def _loose(chain: Sequence[Graph]) -> list[tuple[Any, str]]:
    """What comes from where there is no way back to, while it is traced, and what to say of it."""
    reads = [read for graph in chain for read in recalled(graph)]
    return [*((t, _LOOP) for t in loop_states(chain)), *((read.outputs[0], why_unknown(read)) for read in reads)]


def _in_graph(value: Any, graph: Graph, source: bool = False) -> Any:
    if isinstance(value, Variable):
        return value._handle(graph) if source else value.value()
    if not isinstance(value, Tensor):
        raise TypeError(f"gradients takes tensors and Variables; got {value!r}")
    return graph.recording.localize(value, "gradients")
