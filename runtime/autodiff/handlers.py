"""Gradients of what the handlers of a `try` remember: the values that variables had where the exception came.

    y = x                       # memo_get(memo, default=x): x if nothing was remembered
    try:
        y = y * x               # memo_set(memo, y) stands before what raises
        y = check(y)
    except ValueError:
        z = y * 5.0             # its gradient goes back into a body that has not come to its end

Of such a body nothing is there but what it remembered, and where. So what led to that is computed again, from what the
body was given, and the gradient goes back through it. That must be pure: random numbers, values of Variables, code of
Python may be others now. And it must not be in a loop of the body, which may have ended in any iteration. Else it is an
error of the run, in the gradient of the handler: where no exception comes, all is well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from runtime.autodiff.body_sites import Site, sites_of
from runtime.autodiff.places import capture_key
from runtime.autodiff.rules import STRUCTURED, carries
from runtime.autodiff.saving import zeros_for
from runtime.autodiff.sweep import sweep
from runtime.context import outwards, recording
from runtime.control_flow.functions import cond
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, try_node, while_node
from runtime.ops.flow.memo import memo_get, memo_has, memo_set
from runtime.ops.records.gradients import ops
from runtime.tensor.symbolic import SymbolicTensor
from runtime.vectorize.staged import chosen

__all__ = ["recalled", "through_body", "unknown_reads", "why_unknown"]


LOST: Final = (
    "a gradient cannot go back to where that was: into a loop or another `try`, or through random numbers, Variables or"
    " code of Python"
)
WITHIN: Final = "a gradient that is asked for within the handler cannot go back into the body"
"""Why a gradient by what a handler has from the body is not there."""


def recalled(handler: Graph) -> list[Operation]:
    """Where a handler reads what was remembered of variables that can have gradients."""
    return [o for o in handler.operations if o.op is memo_get and carries(o.outputs[0])]


def through_body(
    operation: Operation, handler: Graph, read: Operation, upstream: Any, wanted: Sequence[int]
) -> list[list[Any]]:
    """The gradients of the wanted operands by one of those reads: a list of them (or None) for each place of the body
    that may have been the last to remember it. Lets the graph that records raise LookupError for all other places.

    operation: the `try`, which has graphs of its own. upstream: the gradient of what was read.
    """
    body: Graph = operation.attributes["body_graph"]
    (place,) = [i for i, t in enumerate(handler.inputs) if t is read.inputs[0]]
    name, memo = read.attributes["name"], handler.inputs[place]
    if name not in _remembered_names(body, place, wanted):
        return []
    sites, others = sites_of(body, place, name)
    known = [site for site in sites if site.is_pure and site.value.dtype is read.outputs[0].dtype]
    was_here = [ops.memo_has(memo, name=site.mark) for site in known]
    if others or len(known) < len(sites):
        is_known = ops.logical_not(ops.memo_has(memo, name=name))
        for here in was_here:
            is_known = ops.logical_or(is_known, here)
        ops.check(is_known, message=why_unknown(read, LOST), exception="LookupError")
    return [_again(site, handler, here, upstream, wanted) for site, here in zip(known, was_here, strict=True)]


def _again(site: Site, handler: Graph, is_here: Any, upstream: Any, wanted: Sequence[int]) -> list[Any]:
    """The gradients of the wanted operands where the body ended at this site; zeros where it did not."""
    taken, not_taken = Graph.within(current_graph(), "body_gradient"), Graph.within(current_graph(), "no_gradient")
    with recording(taken):
        copies = site.computed_again(handler.inputs)
        sources = [copies[id(site.inputs[i])] for i in wanted]
        found = sweep(list(taken.operations), [(copies[id(site.value)], upstream)], sources)
        taken.outputs = [taken.recording.localize(g, "gradient") for g in found if g is not None]
    with recording(not_taken):
        pairs = zip(wanted, found, strict=True)
        zeros = [zeros_for(handler.inputs[i], g.dtype, g.shape) for i, g in pairs if g is not None]
        not_taken.outputs = [not_taken.recording.localize(zero, "gradient") for zero in zeros]
    results = iter(chosen(is_here, [taken, not_taken], is_cond=True) if taken.outputs else ())
    return [None if g is None else next(results) for g in found]


def why_unknown(read: Operation, why: str = WITHIN) -> str:
    """What is to be said of a variable that a handler has from the body."""
    name = read.attributes["name"].partition(":")[0]
    place = f" (at {read.location})" if read.location is not None else ""
    return (
        f"gradient: a handler{place} reads {name!r} with the value that the body of the `try` gave it, and {why}."
        " Compute it before the `try` or in the handler, or use runtime.stop_gradient there"
    )


def _remembered_names(body: Graph, memo: int, starts: Iterable[int]) -> set[str]:
    """The names under which a body remembers what may depend on some of its inputs. memo, starts: their positions."""
    found: set[str] = set()
    work = [(body, body.inputs[memo], [body.inputs[i] for i in starts])]
    while work:
        graph, handle, tensors = work.pop()
        known = set(map(id, tensors))
        for operation in graph.operations:
            if operation.op is memo_set and operation.inputs[0] is handle:
                pairs = zip(operation.attributes["names"], operation.inputs[1:], strict=True)
                found.update(name for name, value in pairs if id(value) in known)
            if operation.op.no_gradient is not None or not any(id(t) in known for t in operation.inputs):
                continue
            known.update(id(t) for t in operation.outputs if carries(t))
            work += _inside(operation, handle, known)
    return found


def _inside(
    operation: Operation, handle: SymbolicTensor, known: set[int]
) -> list[tuple[Graph, SymbolicTensor, list[SymbolicTensor]]]:
    """The graphs in an operation that have the memo, and what in them may be known: in a loop all that changes."""
    first = 0 if operation.op in (while_node, try_node, call_node) else 1
    operands = operation.inputs[first:]
    memo = next((i for i, t in enumerate(operands) if t is handle), None)
    if memo is None:
        return []
    changing = len(operation.outputs) if operation.op is while_node else 0
    places = [i for i, t in enumerate(operands) if carries(t) and (id(t) in known or i < changing)]
    return [(graph, graph.inputs[memo], [graph.inputs[i] for i in places]) for graph in operation.subgraphs]


def unknown_reads(
    events: Sequence[Operation | SymbolicTensor], chain: Sequence[Graph], starts: Iterable[SymbolicTensor]
) -> list[Operation]:
    """Where handlers that are being traced read what the body of their `try` made of what a tape watches.

    events: what the tape has recorded, and watches. chain: the graphs that are being traced. starts: what it watches,
    too.
    """
    inside = set(map(id, chain))
    operations = [event for event in events if not isinstance(event, SymbolicTensor)]
    reads = [o for o in operations if o.op is memo_get and id(o.graph) in inside and carries(o.outputs[0])]
    if not reads:
        return []
    graphs = {id(o.graph): o.graph for o in operations}
    key = capture_key([*chain, *(graph for graph in graphs.values() if id(graph) not in inside)])
    known, found = set(map(key, starts)), set[tuple[int, str]]()
    loops = {i for i, graph in graphs.items() if i not in inside and _has_state(graph)}
    for event in events:
        if isinstance(event, SymbolicTensor):
            known.add(key(event))
        elif event.op is memo_set:
            memo, *values = event.inputs
            pairs = zip(event.attributes["names"], values, strict=True)
            changing = id(event.graph) in loops
            found.update((key(memo), n) for n, v in pairs if carries(v) and (changing or key(v) in known))
        elif event.op.no_gradient is None and any(key(t) in known for t in event.inputs):
            known.update(key(t) for t in event.outputs if carries(t))
    return [read for read in reads if (key(read.inputs[0]), read.attributes["name"]) in found]


def _has_state(graph: Graph) -> bool:
    """Whether a graph, up to that of the function, is in the body of a loop: it has inputs that capture nothing."""
    inside = (around for around in outwards(graph) if around.recording.outer is not None)
    return any(len(around.inputs) > len(around.recording.captures) for around in inside)


def _default(record: Any, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    """The gradient of what stands in the place of something that was not remembered."""
    memo, default = record.inputs
    if not needed[1]:
        return [None, None]
    has = ops.memo_has(memo, name=record.attributes["name"])
    return [None, cond(has, lambda: ops.zeros_like(default), lambda: upstreams[0])]


STRUCTURED[memo_get] = _default
STRUCTURED[memo_has] = lambda record, upstreams, needed: [None]
