"""`vectorized_map`: a function of one row, computed for all rows together."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from runtime import structures
from runtime.composite.rows import of_row, of_rows
from runtime.context import current_recorder
from runtime.control_flow.loops.folds import Rows, converted, map_fn
from runtime.control_flow.statement.subgraph import trace
from runtime.control_flow.tries.raised import UNREACHABLE
from runtime.function.decorator import function
from runtime.graph.graph import Graph
from runtime.ndarrays.callbacks import apart
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor
from runtime.vectorize.interpreter import on_block
from runtime.vectorize.rules import NotVectorizable, Part

__all__ = ["vectorized_map"]


@switches
def vectorized_map(fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """As map_fn, without a loop over the rows: each operation of `fn` is carried out once, for all rows of elems.

    Branches and loops are, too; where a condition differs from row to row they are computed for the rows that they are
    for. What has no such form (effects, random numbers, lists whose length differs from row to row) is done row by row,
    as map_fn does it, with a warning unless warn=False; or it is a ValueError with fallback_to_while_loop=False.
    """
    rows = Rows("vectorized_map", elems)
    others = {type(leaf).__name__ for leaf in rows.leaves if not isinstance(leaf, Tensor)}
    if others:
        why = f"the rows of a {' and a '.join(sorted(others))} differ in shape"
        return _row_by_row(fn, elems, None, why, fallback_to_while_loop, warn)
    if current_recorder() is None:
        each = converted(fn, traced=True)

        def whole(*leaves: Any) -> Any:
            return vectorized_map(each, rows.pack(leaves), fallback_to_while_loop, warn)

        return function(whole, autograph=False)(*rows.leaves)
    return _in_graph(fn, rows, elems, fallback_to_while_loop, warn)


def _row_by_row(fn: Callable[..., Any], elems: Any, signature: Any, why: Any, falls_back: bool, warn: bool) -> Any:
    """What `map_fn` gives, if that is wanted."""
    if not falls_back:
        raise ValueError(f"vectorized_map: {why}") from None
    if warn:
        warnings.warn(f"vectorized_map goes row by row, as map_fn: {why}", UserWarning, stacklevel=3)
    return map_fn(fn, elems, fn_output_signature=signature)


def _in_graph(fn: Callable[..., Any], rows: Rows, elems: Any, falls_back: bool, warn: bool) -> Any:
    outer = current_recorder()
    assert isinstance(outer, Graph)
    call = apart(converted(fn))
    graph = Graph.within(outer, "row")
    specs = [TensorSpec(leaf.shape[1:] if leaf.shape.rank else None, leaf.dtype) for leaf in rows.leaves]
    inputs = [graph.placeholder(spec.dtype, spec.shape, f"row_{i}") for i, spec in enumerate(specs)]

    def body() -> Any:
        result = structures.map_structure(convert_to_tensor, call(of_row(rows.pack(inputs))))
        return structures.map_structure(lambda leaf: graph.recording.localize(leaf, "vectorized_map"), result)

    result = trace(graph, body, "the function of vectorized_map")
    if result is UNREACHABLE:
        raise TypeError("vectorized_map: the function raises for all rows, so that its results have no type")
    graph.outputs = structures.flatten(result)
    graph.inputs = [*inputs, *(inner for _, inner in graph.recording.captures)]
    parts = [Part(leaf, True, spec.shape.rank) for leaf, spec in zip(rows.leaves, specs, strict=True)]
    parts += [Part(tensor, False, tensor.shape.rank) for tensor, _ in graph.recording.captures]
    try:
        made = on_block(graph, parts, convert_to_tensor(rows.count), exact=False)
    except NotVectorizable as error:
        # what was recorded so far has no effects, and is pruned: nothing needs it
        signature = structures.map_structure(lambda leaf: TensorSpec(leaf.shape, leaf.dtype), result)
        return _row_by_row(fn, elems, signature, error, falls_back, warn)
    for tensor, output in zip(made, graph.outputs, strict=True):
        tensor.set_shape(TensorShape([rows.static]).concatenate(output.shape))
    return of_rows(structures.pack_sequence_as(result, made), rows.static)
