"""Random valid graphs, made from the records of the operations: input for the differential tests of the engine.

    case = random_case(7)            # the same seed gives the same graph and arguments
    case.graph, case.arguments

Elementwise operations are called on whatever is there and fits; all others with the operands of their own samples,
some of them replaced by values of the same type that the graph computed before. Branches, loops (zero iterations too),
views, dead code, values that are returned twice and inputs with unknown dimensions come in by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from runtime.dtypes import DType, as_dtype, bool_, float32, float64, int8, int32, int64, string, uint8
from runtime.errors import OpError
from runtime.graph.graph import Graph
from runtime.ops.records.families import LATE_FAMILIES
from runtime.ops.records.record import REGISTRY, Op
from runtime.ops.records.samples import Sample, values
from runtime.shapes import TensorShape, broadcast_shapes
from runtime.tensor.symbolic import SymbolicTensor

DTYPES = (int32, int64, int8, uint8, float32, float64, bool_, string)
SHAPES = ((), (3,), (2, 3), (4, 2, 3))

FULL = (None, None, None)
"""A slice of everything."""

MOST_ELEMENTS = 10_000
"""A larger result, of a constant shape that came about by chance, is left lying."""

SPECIALS = {"float": (0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-40, 3e38), "int": (0, 1, -1), "uint": (0, 1)}

Tensors = list[SymbolicTensor]


@dataclass(frozen=True)
class Case:
    """A graph, and arguments for its inputs."""

    seed: int
    graph: Graph
    arguments: list[np.ndarray]


@cache
def records() -> tuple[Op, ...]:
    """The operations that every program has; which of the others are there depends on what was imported before."""
    late = {name for names in LATE_FAMILIES.values() for name in names}
    return tuple(REGISTRY[name] for name in sorted(REGISTRY) if name not in late)


@cache
def elementwise() -> tuple[Op, ...]:
    """Operations on one to three tensors without attributes, whose operands broadcast."""
    found = [op for op in records() if op.samples and op.tensors and not op.attributes and not op.stateful]
    return tuple(op for op in found if op.shape.__name__ in ("broadcast", "same_shape") and not op.variadic)


@cache
def others() -> tuple[tuple[Op, Sample], ...]:
    """Every other operation with each of its samples, for the dtypes that are used here."""
    pairs = []
    for op in records():
        if op.samples is None or op.stateful or op in elementwise():
            continue
        for dtype in dict.fromkeys(DTYPES):
            if op.groups and dtype in op.groups[0].allowed:
                pairs += [(op, sample) for sample in op.samples(dtype)]
    return tuple(pairs)


def random_case(seed: int, size: int = 14) -> Case:
    """The case of a seed, with about `size` operations outside of branches and loops."""
    author = Author(seed)
    graph = Graph(f"case_{seed}")
    pool: Tensors = [author.input(graph) for _ in range(author.random.randint(2, 4))]
    author.grow(graph, pool, size, depth=0)
    count = author.random.randint(1, 4)
    graph.outputs = [author.random.choice(pool[-8:] if author.random.random() < 0.7 else pool) for _ in range(count)]
    return Case(seed, graph, author.arguments)


class Author:
    """Writes one graph."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.arguments: list[np.ndarray] = []
        # Few types in one graph, so that its operations find operands in one another's results.
        self.dtypes = [bool_, *self.random.sample(DTYPES, 2)]
        self.shapes = [(), *self.random.sample(SHAPES, 1)]
        self.elementwise = elementwise()
        self.aliasing = seed % 3 == 0
        if self.aliasing:  # one type, ufuncs and views: who shares memory with whom is all that matters
            self.dtypes, self.shapes = [float32], [(2, 2)]
            self.elementwise = tuple(REGISTRY[n] for n in ("add", "negative", "maximum", "subtract"))

    # -- leaves ---------------------------------------------------------------------------------------------------

    def value(self, dtype: DType, shape: Sequence[int]) -> np.ndarray:
        array = values(dtype, shape, -3, 3, self.random.randrange(1000))
        if dtype.family in SPECIALS and self.random.random() < 0.4:
            choices = [*SPECIALS[dtype.family], *([dtype.min, dtype.max] if dtype.is_integer else [])]
            flat = array.reshape(-1)
            with np.errstate(all="ignore"):
                for i in range(flat.size):
                    if self.random.random() < 0.5:
                        flat[i] = self.random.choice(choices)
        return array

    def input(self, graph: Graph, array: np.ndarray | None = None, dtype: DType | None = None) -> SymbolicTensor:
        """A new input; what is known of its shape varies."""
        if array is None or dtype is None:
            dtype = self.random.choice(self.dtypes)
            array = self.value(dtype, self.random.choice(self.shapes))
        self.arguments.append(array)
        chance = self.random.random()
        if self.aliasing:
            shape = TensorShape(array.shape)
        elif chance < 0.15:
            shape = TensorShape(None)
        elif chance < 0.35:
            shape = TensorShape([d if self.random.random() < 0.5 else None for d in array.shape])
        else:
            shape = TensorShape(array.shape)
        return graph.placeholder(dtype, shape, "x")

    def leaf(self, graph: Graph, array: np.ndarray, dtype: DType, depth: int) -> SymbolicTensor:
        """A constant, or outside of branches and loops maybe a new input."""
        if depth == 0 and self.random.random() < 0.4:
            return self.input(graph, array, dtype)
        return graph.constant(np.array(array, dtype.numpy))

    # -- operations -----------------------------------------------------------------------------------------------

    def grow(self, graph: Graph, pool: Tensors, size: int, depth: int) -> None:
        """Adds operations; their results join the pool."""
        for _ in range(size):
            chance = self.random.random()
            step: Callable[[Graph, Tensors, int], Tensors] = self.element
            if chance < 0.3:
                step = self.alias if chance < 0.15 or self.aliasing else self.sampled
                if self.aliasing and self.random.random() < 0.5:
                    step = self.update
            if depth < 3 and chance > 0.82:
                step = self.random.choice((self.branch, self.choice, self.loop, self.loop))
            pool += step(graph, pool, depth)

    def element(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        first = self.random.choice(pool[-4:] if self.random.random() < 0.6 else pool)
        op = self.random.choice(self.elementwise)
        operands: Tensors = []
        for name in op.tensors:
            allowed = next(g for g in op.groups if name in g.names).allowed
            known = [t.dtype for t, n in zip(operands, op.tensors, strict=False) if self.same_group(op, n, name)]
            dtype = known[0] if known else first.dtype
            if dtype not in allowed:
                dtype = self.random.choice(
                    [d for d in self.dtypes if d in allowed] or [d for d in DTYPES if d in allowed]
                )
            fitting = [t for t in pool if t.dtype is dtype and self.fits([*operands, t])]
            if any(t is first for t in fitting) and not operands and self.random.random() < 0.8:
                operands.append(first)
            elif fitting and self.random.random() < 0.8:
                operands.append(self.random.choice(fitting))
            else:
                shape = self.random.choice([t.shape.as_tuple() for t in operands if t.shape.is_fully_defined()] or [()])
                operands.append(self.leaf(graph, self.value(dtype, shape), dtype, depth))
        return self.add(graph, op, operands, {})

    def alias(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        """A view of a recent value."""
        name = self.random.choice(("identity", "transpose", "transpose"))
        op = REGISTRY[name]
        return self.add(graph, op, [self.random.choice(pool[-3:])], dict(op.attributes))

    def update(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        """A recent value with a row of another one, or all of it turned round, in the place of some of its own."""
        target, source = self.random.choice(pool[-3:]), self.random.choice(pool[-4:])
        if target.shape.dims != (2, 2) or source.shape.dims != (2, 2):
            return []
        places: list[tuple[Any, ...]] = [(0,), (-1,), (FULL, 1), ((None, None, -1),), ((1, None, None), FULL)]
        spec = self.random.choice(places)
        if self.random.random() < 0.3:
            rows = graph.constant(np.array([self.random.randint(0, 1)] * 2, np.int32))
            return self.add(graph, REGISTRY["setitem"], [target, source, rows], {"spec": ("array",)})
        part = source
        if spec != places[3]:
            part = graph.add(REGISTRY["getitem"], [source], {"spec": self.random.choice(places[:3])}).outputs[0]
        if self.random.random() < 0.3:
            number = graph.add(REGISTRY["getitem"], [source], {"spec": (1, 0)}).outputs[0]
            return self.add(graph, REGISTRY["setitem"], [target, number], {"spec": (0, -1)})
        return self.add(graph, REGISTRY["setitem"], [target, part], {"spec": spec})

    @staticmethod
    def same_group(op: Op, a: str, b: str) -> bool:
        return any(a in g.names and b in g.names for g in op.groups)

    @staticmethod
    def fits(operands: Tensors) -> bool:
        try:
            broadcast_shapes(*(t.shape for t in operands))
        except ValueError:
            return False
        return True

    def sampled(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        op, sample = self.random.choice(others())
        operands: Tensors = []
        flat: list[Any] = []
        for operand in sample.operands:
            flat += operand if isinstance(operand, list | tuple) else [operand]
        for operand in flat:
            array = np.asarray(operand)
            dtype = string if array.dtype.kind in "OSU" else as_dtype(array.dtype)
            same = [t for t in pool if t.dtype is dtype and t.shape.dims == array.shape]
            if same and self.random.random() < 0.6:
                operands.append(self.random.choice(same))
            else:
                operands.append(self.leaf(graph, array, dtype, depth))
        return self.add(graph, op, operands, {**op.attributes, **sample.attributes})

    def add(self, graph: Graph, op: Op, operands: Tensors, attributes: dict[str, Any]) -> Tensors:
        try:
            outputs = graph.add(op, operands, attributes).outputs
        except OpError:
            return []  # shapes or constant indices that do not fit
        return [t for t in outputs if (t.shape.num_elements() or 0) < MOST_ELEMENTS]

    # -- control flow ---------------------------------------------------------------------------------------------

    def inner(self, name: str, outer: Graph, operands: Tensors) -> Graph:
        graph = Graph.within(outer, name)
        for tensor in operands:
            graph.placeholder(tensor.dtype, tensor.shape, "p")
        return graph

    def some(self, pool: Tensors, most: int) -> Tensors:
        return [self.random.choice(pool) for _ in range(self.random.randint(0, most))]

    def like(self, graph: Graph, pool: Tensors, wanted: SymbolicTensor, depth: int) -> SymbolicTensor:
        """A tensor of the pool whose type is at least as narrow; often the newest one."""
        found = [t for t in pool if t.dtype is wanted.dtype and t.shape.is_subtype_of(wanted.shape)]
        if found and self.random.random() < 0.9:
            return found[-1] if self.random.random() < 0.6 else self.random.choice(found)
        shape = [3 if d is None else d for d in wanted.shape.dims or ()]
        return graph.constant(self.value(wanted.dtype, shape))

    def scalar(self, graph: Graph, pool: Tensors, dtype: DType, array: np.ndarray, depth: int) -> SymbolicTensor:
        found = [t for t in pool if t.dtype is dtype and t.shape.dims == ()]
        return (
            self.random.choice(found) if found and self.random.random() < 0.7 else self.leaf(graph, array, dtype, depth)
        )

    def branches(self, graph: Graph, pool: Tensors, depth: int, count: int) -> tuple[Tensors, list[Graph]]:
        operands = self.some(pool, 4)
        graphs: list[Graph] = []
        for number in range(count):
            inner = self.inner(f"branch_{number}", graph, operands)
            inside = list(inner.inputs) or [inner.constant(self.value(int32, ()))]
            self.grow(inner, inside, self.random.randint(0, 5), depth + 1)
            if graphs:
                inner.outputs = [self.like(inner, inside, t, depth + 1) for t in graphs[0].outputs]
            else:
                inner.outputs = self.some(inside, 3)
            graphs.append(inner)
        return operands, graphs

    def branch(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        predicate = self.scalar(graph, pool, bool_, np.array(self.random.random() < 0.5), depth)
        operands, (first, second) = self.branches(graph, pool, depth, 2)
        attributes = {"then_graph": first, "else_graph": second}
        return self.add(graph, REGISTRY["cond"], [predicate, *operands], attributes)

    def choice(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        index = self.scalar(graph, pool, int32, np.array(self.random.randint(-1, 3), np.int32), depth)
        operands, graphs = self.branches(graph, pool, depth, self.random.randint(1, 4))
        return self.add(graph, REGISTRY["switch"], [index, *operands], {"branches": tuple(graphs)})

    def loop(self, graph: Graph, pool: Tensors, depth: int) -> Tensors:
        """A loop of 0 to 3 turns: its first state counts down; body and condition may use all of the state."""
        counter = self.leaf(graph, np.array(self.random.randint(0, 3), np.int32), int32, depth)
        state, invariants = self.some(pool, 4), self.some(pool, 2)
        operands = [counter, *state, *invariants]
        body, test = self.inner("body", graph, operands), self.inner("test", graph, operands)
        if counter.shape.rank != 0:
            return []
        inside = list(body.inputs)
        self.grow(body, inside, self.random.randint(0, 5), depth + 1)
        one = body.constant(np.array(1, np.int32))
        less = body.add(REGISTRY["subtract"], [body.inputs[0], one], {}).outputs[0]
        body.outputs = [less, *(self.like(body, inside, t, depth + 1) for t in body.inputs[1 : len(state) + 1])]
        if any(not a.shape.is_subtype_of(b.shape) for a, b in zip(body.outputs, body.inputs, strict=False)):
            return []
        zero = test.constant(np.array(0, np.int32))
        test.outputs = list(test.add(REGISTRY["greater"], [test.inputs[0], zero], {}).outputs)
        limit = self.random.choice((None, None, None, 0, 2))
        attributes = {"cond_graph": test, "body_graph": body, "maximum_iterations": limit}
        return self.add(graph, REGISTRY["while"], operands, attributes)
