"""Algebra: operations whose result is that of fewer or cheaper ones.

    %y = multiply(%x, 1)          everything that reads %y reads %x
    %y = pow(%x, 2.0)       ->    %y = multiply(%x, %x)

A table: `ROWS` for what a pattern says, `RULES` for what depends on attributes. What is exact only in the real numbers
is left out, unless `runtime.config.inexact_algebra(True)` asks for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from runtime import config
from runtime.dtypes import ANY, BOOLS, COMPLEX, FLOATS, INTEGERS, REALS
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.graph.own_numbers import is_of_numbers
from runtime.graph.rebuild import Rebuild, holds_the_same, with_graphs
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import Op
from runtime.passes.patterns import Made, Row, Term
from runtime.passes.structural import RULES
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["ROWS", "simplify"]

ROWS: Final = (
    Row("multiply(x, 1)", "x", REALS),  # of complex numbers inf * 0 is in it
    Row("divide(x, 1)", "x", FLOATS),
    Row("floordiv(x, 1)", "x", INTEGERS),
    Row("add(x, 0)", "x", INTEGERS),
    Row("add(x, -0.0)", "x", FLOATS),  # -0.0 + 0.0 is 0.0
    Row("subtract(x, 0)", "x", REALS),
    Row("multiply(x, -1)", "negative(x)", REALS),
    Row("pow(x, 1)", "x", REALS),
    Row("pow(x, 2)", "multiply(x, x)", REALS),  # as numpy computes it, too
    Row("negative(negative(x))", "x", REALS | COMPLEX),
    Row("add(x, negative(y))", "subtract(x, y)", REALS),
    Row("subtract(x, negative(y))", "add(x, y)", REALS),
    Row("multiply(negative(x), negative(y))", "multiply(x, y)", REALS),
    Row("divide(negative(x), negative(y))", "divide(x, y)", FLOATS),
    Row("square(negative(x))", "square(x)", REALS),
    Row("abs(negative(x))", "abs(x)", REALS),
    Row("abs(abs(x))", "abs(x)", REALS),
    Row("square(abs(x))", "square(x)", REALS),
    Row("minimum(x, x)", "x", REALS),
    Row("maximum(x, x)", "x", REALS),
    Row("floor(floor(x))", "floor(x)", FLOATS),
    Row("ceil(ceil(x))", "ceil(x)", FLOATS),
    Row("invert(invert(x))", "x", INTEGERS),
    Row("logical_not(logical_not(x))", "x", BOOLS),
    Row("logical_and(x, True)", "x", BOOLS),
    Row("logical_or(x, False)", "x", BOOLS),
    Row("logical_and(x, x)", "x", BOOLS),
    Row("logical_or(x, x)", "x", BOOLS),
    Row("logical_not(equal(x, y))", "not_equal(x, y)", ANY),
    Row("logical_not(not_equal(x, y))", "equal(x, y)", ANY),
    Row("logical_not(less(x, y))", "greater_equal(x, y)", INTEGERS),  # nan is neither
    Row("logical_not(less_equal(x, y))", "greater(x, y)", INTEGERS),
    Row("logical_not(greater(x, y))", "less_equal(x, y)", INTEGERS),
    Row("logical_not(greater_equal(x, y))", "less(x, y)", INTEGERS),
    Row("where(c, x, x)", "x", ANY),
    Row("where(True, x, y)", "x", ANY),
    Row("where(False, x, y)", "y", ANY),
    Row("where(logical_not(c), x, y)", "where(c, y, x)", ANY),
    Row("add(x, 0.0)", "x", FLOATS, exact=False),
    Row("subtract(x, -0.0)", "x", FLOATS, exact=False),
    Row("pow(x, 0.5)", "sqrt(x)", FLOATS, exact=False),
    Row("pow(x, -1.0)", "reciprocal(x)", FLOATS, exact=False),
)
"""What stands for what. The dtypes are those of all names but conditions."""

MOST_STEPS: Final = 8
"""How often one operation is replaced by the next; each step leaves less to do."""

Rows = Mapping[Op | None, Sequence[Row]]
Table = Mapping[Op, Rows]


def simplify(graph: Graph) -> Graph:
    """Every value keeps its bits (but those of nan), its dtype, and the error that comes in its place.

    Integers that must not wrap around keep the operations that tell.
    """
    done: dict[int, Graph] = {}
    for current in nested_graphs(graph):
        done[id(current)] = _simplified(current, done)
    return done[id(graph)]


def _simplified(graph: Graph, done: Mapping[int, Graph]) -> Graph:
    """The graph itself where there is nothing to do."""
    table = _table(config.allows_inexact_algebra())
    concerned = [o for o in graph.operations if o.op in table or o.op in RULES]
    if holds_the_same(graph, done) and not any(_first(o, table) for o in concerned):
        return graph
    build = Rebuild(graph)
    for operation in graph.operations:
        if operation.op not in table and operation.op not in RULES:
            build.copy(operation, attributes=with_graphs(operation, done))
            continue
        inputs = tuple([build.tensor(t) for t in operation.inputs])
        made, steps = Made(operation.op, inputs, with_graphs(operation, done)), 0
        while isinstance(found := _replacement(operation, made, table), Made) and steps < MOST_STEPS:
            made, steps = found.in_graph(build), steps + 1
        if isinstance(found, SymbolicTensor):
            build.replace(operation.outputs[0], found)
        else:
            build.copy(operation, made.inputs, made.attributes, op=made.op)
    return build.finish()


def _first(operation: Operation, table: Table) -> bool:
    """Whether something stands for an operation as it is."""
    made = Made(operation.op, operation.inputs, operation.attributes)
    return _replacement(operation, made, table) is not None


def _replacement(operation: Operation, made: Made, table: Table) -> SymbolicTensor | Made | None:
    """What stands for what an operation has become so far."""
    rule = RULES.get(made.op)
    found: SymbolicTensor | Made | None = None if rule is None else rule(operation, made)
    if found is not None:
        return found
    rows = _possible(table.get(made.op, {}), made.inputs)
    if not rows or is_of_numbers(operation):
        return None
    for row in rows:
        found = row.apply(made.inputs, operation.outputs[0])
        if found is not None and (isinstance(found, SymbolicTensor) or not may_leave(operation)):
            return found
    return None


def _possible(rows: Rows, inputs: Sequence[SymbolicTensor]) -> list[Row]:
    """Those whose patterns have an operation that made an operand, or the same operand twice."""
    found = [row for tensor in inputs if tensor.op.op in rows for row in rows[tensor.op.op]]
    if None in rows and len({*map(id, inputs)}) < len(inputs):
        found += rows[None]
    return found


@cache
def _table(inexact: bool) -> Table:
    """The rows by their operation, and by the operations that make its operands."""
    found: dict[Op, dict[Op | None, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in ROWS:
        if row.exact or inexact:
            made = {_kind(part) for part in row.patterns[0].parts} - {None} or {None}
            for kind in made:
                found[row.patterns[0].op][kind].append(row)
    return found


def _kind(part: Any) -> Op | None:
    if isinstance(part, Term):
        return part.op
    return None if isinstance(part, str) else constant_node
