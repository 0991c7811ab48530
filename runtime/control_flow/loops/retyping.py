"""The dtype that a number of Python takes in a staged loop, given to what was traced for another one.

    s = 0                       traced as a weak int64, which is what it is before the loop
    for x in xs:
        s = s + x               s becomes a float32: each iteration but the first would see one

Where the traced code uses the variable as that dtype alone (each use is a cast to it), the variable may have the dtype
from the start: no second trace is needed. Anything else (`s * 2 + x`) is computed with the numbers themselves, and may
come out differently in the other dtype.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.control_flow.lattice.leaf import LeafType
from runtime.dtypes import DType
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["retyped"]

Wanted = dict[int, tuple[SymbolicTensor, DType]]


def retyped(graphs: Sequence[Graph], before: Sequence[LeafType], after: Sequence[LeafType]) -> bool:
    """Gives the parameters of a loop, which were traced as the leaves `before`, the dtypes of the leaves `after`.

    graphs: those of the loop, whose first inputs are the parameters. False, with nothing changed, where that does not
    hold for all of them.
    """
    if len(before) != len(after):
        return False
    changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old.traced != new.traced]
    if not all(_differ_in_dtype(before[i], after[i]) for i in changed):
        return False
    wanted: Wanted = {}
    for graph in graphs:
        found = {id(t): (t, after[i].dtype) for i in changed for t in graph.inputs[i : i + 1]}
        if not _all_cast(graph, found, wanted):
            return False
    for tensor, dtype in wanted.values():
        tensor.dtype, tensor.weak, tensor.of_bytes, tensor.or_bool = dtype, False, False, None
        tensor.op.attributes = {**tensor.op.attributes, "dtype": dtype}
    return True


def _differ_in_dtype(old: LeafType, new: LeafType) -> bool:
    return old.weak and not new.weak and (old.shape, old.tag) == (new.shape, new.tag)


def _all_cast(graph: Graph, found: Wanted, wanted: Wanted) -> bool:
    """Whether a graph, and those inside, only cast these of its inputs to the dtypes. Adds all of them to `wanted`."""
    work = [(graph, found)]
    while work:
        graph, found = work.pop()
        wanted.update(found)
        if not all(id(output) not in found for output in graph.outputs):
            return False
        for operation in graph.operations:
            mine = [found[id(t)] for t in operation.inputs if id(t) in found]
            if not mine:
                continue
            inner = _captured(operation, mine)
            if inner is None and not all(_is_cast(operation, dtype) for _, dtype in mine):
                return False
            work += inner or ()
    return True


def _is_cast(operation: Operation, dtype: DType) -> bool:
    return operation.type == "cast" and operation.attributes["dtype"] is dtype


def _captured(operation: Operation, mine: Sequence[tuple[SymbolicTensor, DType]]) -> list[tuple[Graph, Wanted]] | None:
    """The tensors that stand for inputs of an operation in its graphs; None where it takes one of them itself."""
    if not operation.subgraphs or len({id(t) for t, _ in mine}) < len(mine):
        return None
    result: list[tuple[Graph, Wanted]] = []
    for graph in operation.subgraphs:
        captured = {id(outer): inner for outer, inner in graph.recording.captures}
        if any(id(tensor) not in captured for tensor, _ in mine):
            return None
        result.append((graph, {id(captured[id(t)]): (captured[id(t)], dtype) for t, dtype in mine}))
    return result
