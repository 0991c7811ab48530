"""Whether the integers of Python that a staged loop computes stay within 64 bits, as Python's own need not.

    for i in range(1000):
        x = x * (i * i + 1)       i is in [0, 999], i * i + 1 in [1, 998002]: fits
        f = f * i                 f grows with each iteration: it does not, and Python's f would have been exact

Interval arithmetic over what was traced (R. E. Moore, Interval Analysis, 1966). A variable of a loop of n iterations is
taken to move by at most n times what one iteration moves it by, which is then checked for the whole interval. What
tensors give is a number of the run (None): it wraps around, as documented.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.kernels.list_value import EMPTY, unboxed
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Bounds", "Exceeds"]

Interval = tuple[Any, Any] | None
Known = dict[int, Interval]

_LEAST, _MOST = -(2**63), 2**63 - 1
_MOST_WORK: Final = 200_000
"""Operations that are looked at in one check; a nest of loops that takes more is unrolled."""
_DEPTH: Final = 60
_LARGE_CONSTANT: Final = 100_000


class Exceeds(Exception):
    """A number may leave 64 bits, or Python would raise where the graph goes on."""


class Bounds:
    """What is known of the numbers of one trace."""

    def __init__(self) -> None:
        self.trips: dict[int, tuple[Operation, int, int]] = {}
        """Of loops over what Python knows: how many iterations there are, and which variable counts them."""
        self._results: dict[int, tuple[SymbolicTensor, Interval]] = {}
        self._work = 0
        self._strict = False

    def check_loop(self, operation: Operation) -> None:
        """Raises Exceeds for a loop that no other one is around of which the iterations are known."""
        self._work = 0
        known = {id(t): self._outside(t) for t in operation.inputs}
        results = self._loop(operation, [known[id(t)] for t in operation.inputs], 0)
        for tensor, bounds in zip(operation.outputs, results, strict=True):
            self._results[id(tensor)] = tensor, bounds

    def check(self, graph: Graph) -> None:
        """Raises Exceeds for what is computed behind such loops."""
        if not self._results:
            return
        self._work, self._strict = 0, True
        known: Known = {}
        for op in graph.operations:
            if not op.subgraphs:
                self._step(op, known, 0)
            known.update((id(t), self._results[id(t)][1]) for t in op.outputs if id(t) in self._results)

    def _outside(self, tensor: SymbolicTensor) -> Interval:
        """Bounds of a tensor of the graph around."""
        if id(tensor) in self._results:
            return self._results[id(tensor)][1]
        if tensor.op.type in _OUTSIDE:
            return _OF_LISTS[tensor.op.type]([self._outside(t) for t in tensor.op.inputs])
        return _of_constant(tensor) if tensor.op.op is constant_node else None

    def _graph(self, graph: Graph, known: Known, depth: int) -> list[Interval]:
        """Bounds of the results of a graph. known: those of its inputs."""
        if depth > _DEPTH:
            raise Exceeds("the loops and branches in it are nested too deep to be followed")
        for op in graph.operations:
            self._step(op, known, depth)
        return [known.get(id(t)) for t in graph.outputs]

    def _step(self, op: Operation, known: Known, depth: int) -> None:
        self._work += 1
        if self._work > _MOST_WORK:
            raise Exceeds("the loops in it are too many to be followed")
        if op.op is placeholder:
            return
        found = [known.get(id(t)) for t in op.inputs]
        if op.op is constant_node:
            known[id(op.outputs[0])] = _of_constant(op.outputs[0])
        elif op.type == "while":
            known.update(zip(map(id, op.outputs), self._loop(op, found, depth + 1), strict=True))
        elif op.type == "cond":
            sides = [
                self._graph(g, dict(zip(map(id, g.inputs), found[1:], strict=True)), depth + 1) for g in op.subgraphs
            ]
            known.update((id(t), _union(bounds)) for t, *bounds in zip(op.outputs, *sides, strict=True))
        elif op.subgraphs:
            for graph in op.subgraphs:
                self._graph(graph, {}, depth + 1)
        elif op.type in _OF_LISTS:
            bounds = _OF_LISTS[op.type](found)
            known.update((id(tensor), bounds) for tensor in op.outputs)
        elif len(op.outputs) == 1:
            known[id(op.outputs[0])] = self._result(op, found)

    def _result(self, op: Operation, found: Sequence[Interval]) -> Interval:
        rule = _RULES.get(op.type)
        operands = [interval for interval in found if interval is not None]
        if rule is None or len(operands) < len(found):
            return operands[0] if op.type in _PARTS and found and found[0] is not None else None
        bounds = rule(*operands)
        tensor = op.outputs[0]
        if not (self._strict and tensor.weak):
            return bounds
        where = f" (at {op.location})" if op.location else ""
        if bounds is None:
            raise Exceeds(f"Python may raise, or give another kind of number, for {op.type!r} of its numbers{where}")
        if tensor.dtype.is_integer and not (bounds[0] >= _LEAST and bounds[1] <= _MOST):
            raise Exceeds(f"its whole numbers may leave 64 bits, which those of Python do not{where}")
        return bounds

    def _loop(self, op: Operation, start: Sequence[Interval], depth: int) -> list[Interval]:
        body, carried = op.attributes["body_graph"], len(op.outputs)
        _, trips, counter = self.trips.get(id(op), (op, 0, -1))
        strict, self._strict = self._strict, False
        try:
            bounds = self._settled(body, list(start), carried, trips, counter, depth)
        finally:
            self._strict = strict
        for graph in (op.attributes["cond_graph"], body):
            self._strict = True
            try:
                self._graph(graph, dict(zip(map(id, graph.inputs), bounds, strict=True)), depth)
            finally:
                self._strict = strict
        return bounds[:carried]

    def _settled(
        self, body: Graph, start: list[Interval], carried: int, trips: int, counter: int, depth: int
    ) -> list[Interval]:
        """Bounds of a loop's inputs in all iterations, and of its variables behind it."""
        if not trips:  # as many as the run decides: what changes is a number of the run
            same = [body.outputs[i] is body.inputs[i] for i in range(carried)]
            return [b if i >= carried or same[i] else None for i, b in enumerate(start)]
        if counter >= 0:
            start[counter] = (0, trips - 1)

        def after(bounds: list[Interval]) -> list[Interval]:
            results = self._graph(body, dict(zip(map(id, body.inputs), bounds, strict=True)), depth)
            if counter >= 0:
                results[counter] = start[counter]
            return [*results[:carried], *start[carried:]]

        bounds = start
        for _ in range(3):  # what each iteration sets anew, or takes from a fixed range
            wider = [_union(pair) for pair in zip(bounds, after(bounds), strict=True)]
            if wider == bounds:
                return bounds
            bounds = wider
        steps: list[Interval] = [(0, 0)] * len(start)
        bounds = start
        for _ in range(4):  # what each iteration adds to
            moves = [_step(*row) for row in zip(bounds, after(bounds), steps, strict=True)]
            if moves == steps:
                return bounds
            steps = moves
            bounds = [_moved(*row, trips) for row in zip(start, steps, strict=True)]
        raise Exceeds("a number of it grows with each iteration, and Python's have no limit")


def _step(now: Interval, after: Interval, before: Interval) -> Interval:
    """Bounds of what an iteration adds, at least `before`."""
    if now is None or after is None or before is None:
        return None
    return min(after[0] - now[0], before[0]), max(after[1] - now[1], before[1])


def _moved(start: Interval, step: Interval, trips: int) -> Interval:
    """Bounds of a number after as many steps."""
    return None if start is None or step is None else (start[0] + trips * step[0], start[1] + trips * step[1])


def _union(bounds: Sequence[Interval]) -> Interval:
    known = [b for b in bounds if b is not None]
    if not known or len(known) < len(bounds):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _of_constant(tensor: SymbolicTensor) -> Interval:
    value = tensor.op.attributes["value"]
    if tensor.dtype is variant:
        return _NOTHING if unboxed(value) is EMPTY else None
    if value.dtype.kind not in "iuf" or not 0 < value.size <= _LARGE_CONSTANT or not np.isfinite(value).all():
        return None
    return value.min().item(), value.max().item()


def _corners(compute: Callable[[Any, Any], Any]) -> Callable[..., Interval]:
    """Of what is monotonic in each operand."""

    def rule(x: Any, y: Any) -> Interval:
        try:
            found = [compute(a, b) for a in x for b in y]
        except (OverflowError, ValueError):
            return None
        return min(found), max(found)

    return rule


def _divided(compute: Callable[[Any, Any], Any]) -> Callable[..., Interval]:
    corners = _corners(compute)
    return lambda x, y: None if y[0] <= 0 <= y[1] else corners(x, y)


def _modulo(x: Any, y: Any) -> Interval:
    if y[0] <= 0 <= y[1]:
        return None
    if x[0] >= 0 and x[1] < y[0]:
        return x
    return (0, y[1]) if y[0] > 0 else (y[0], 0)


def _power(x: Any, y: Any) -> Interval:
    whole = all(type(v) is int for v in (*x, *y))
    if y[0] < 0 or (whole and y[1] > 10_000) or (not whole and x[0] < 0):
        return None
    try:
        found = [a**b for a in (*x, *((0,) if x[0] < 0 < x[1] else ())) for b in y]
        if x[0] < 0:
            found += [a ** (y[1] - 1) for a in x if y[1] > y[0]]
    except OverflowError:
        return None
    return min(found), max(found)


def _same(x: Any) -> Interval:
    return x


def _magnitude(x: Any) -> Interval:
    most = max(abs(x[0]), abs(x[1]))
    return (0 if x[0] <= 0 <= x[1] else min(abs(x[0]), abs(x[1]))), most


def _anding(x: Any, y: Any) -> Interval:
    if x[0] >= 0 or y[0] >= 0:
        return 0, min(v[1] for v in (x, y) if v[0] >= 0)
    return _LEAST, _MOST


_ALL_BITS: Final[Callable[..., Interval]] = lambda x, y: (_LEAST, _MOST)

_RULES: Final[Mapping[str, Callable[..., Interval]]] = {
    "add": _corners(operator.add),
    "subtract": _corners(operator.sub),
    "multiply": _corners(operator.mul),
    "negative": lambda x: (-x[1], -x[0]),
    "abs": _magnitude,
    "square": lambda x: (_magnitude(x)[0] ** 2, _magnitude(x)[1] ** 2),  # type: ignore[index]
    "sign": lambda x: (-1, 1),
    "maximum": lambda x, y: (max(x[0], y[0]), max(x[1], y[1])),
    "minimum": lambda x, y: (min(x[0], y[0]), min(x[1], y[1])),
    "divide": _divided(operator.truediv),
    "floordiv": _divided(operator.floordiv),
    "floormod": _modulo,
    "pow": _power,
    "left_shift": lambda x, y: None if y[0] < 0 or y[1] > 10_000 else _corners(operator.lshift)(x, y),
    "right_shift": lambda x, y: None if y[0] < 0 else _corners(operator.rshift)(x, y),
    "bitwise_and": _anding,
    "bitwise_or": _ALL_BITS,
    "bitwise_xor": _ALL_BITS,
    "identity": _same,
    "cast": _same,
}
"""By operation: the bounds of the result for those of the operands; None where Python might raise."""

_PARTS: Final = frozenset({"getitem", "gather"})
"""What gives elements of its first operand."""

_NOTHING: Final = (0, 0)
"""Bounds of what is in an empty list: a number, so that those that are put into it are known."""

_OUTSIDE: Final = frozenset({"list_new", "list_stack", "unstack"})
"""What makes a list of numbers, and numbers of a list, so that there is no way without end through them."""

_OF_LISTS: Final[Mapping[str, Callable[[Sequence[Interval]], Interval]]] = {
    "list_new": lambda elements: _union([_NOTHING, *elements]),
    **dict.fromkeys(("list_push", "list_set", "list_insert", "list_concat"), lambda row: _union([row[0], row[-1]])),
    **dict.fromkeys(("list_get", "list_pop", "list_slice", "list_stack", "list_cast", "unstack"), lambda row: row[0]),
    "list_length": lambda row: (0, 2**31),
}
"""By operation: bounds of the elements of the list, or of the one that is read, for those of the operands."""
