"""Gradients of operations against central differences, in float64 and complex128, along random directions.

    problem = Problem(op, sample)            # the operation on the operands of one of its samples
    problem.check(order=2)                   # the gradient, and the gradient of the gradient

The loss is the real part of the sum of the results times fixed weights. A gradient g of complex operands is right if
the loss changes by Re(conj(g) d) along each direction d, which is the convention of TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import runtime
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample

Arrays = list[np.ndarray]

SYMMETRIC = {"cholesky", "eigh", "eigvalsh"}
"""Of their operand only one triangle is read: the directions are symmetric, so that both conventions agree."""

PHASES: dict[str, Callable[..., list[Any]]] = {
    "eig": lambda w, v: [w, _outer(v, v)],
    "eigh": lambda w, v: [w, _outer(v, v)],
    "svd": lambda s, u, v: [s, _outer(u, v), _outer(u, u), _outer(v, v)],
}
"""Of complex vectors that are unique up to their phases: what does not see the phases."""


def _outer(u: Any, v: Any) -> Any:
    """The sum of k u[:, k] conj(v[:, k])', of the columns that both have."""
    count = runtime.minimum(runtime.shape(u)[-1], runtime.shape(v)[-1])
    weights = runtime.cast(runtime.range(1, count + 1), u.dtype)
    return runtime.matmul(u[..., :count] * weights, v[..., :count], adjoint_b=True)


STEP = 1e-5
HUGE = 1e100  # what stands for the extreme of nothing: no weight makes sense of it
WIDE = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}


def wide_samples(op: Op) -> Iterator[Sample]:
    """The samples with operands in float64 and complex128, one set for each of them that the operation takes."""
    assert op.samples is not None
    allowed = op.groups[0].allowed
    floats = [d for d in (runtime.float64, runtime.complex128) if d in allowed]
    for dtype in floats or [runtime.int32]:
        for sample in op.samples(dtype):
            operands = [np.asarray(o) for o in sample.operands]
            wide = [o.astype(WIDE.get(o.dtype, o.dtype)) if takes(op, i) else o for i, o in enumerate(operands)]
            yield Sample(tuple(wide), sample.attributes)


def takes(op: Op, place: int) -> bool:
    """Whether the operand at this place may be float64."""
    name = op.tensors[place] if place < len(op.tensors) else op.variadic
    return any(name in g.names and runtime.float64 in g.allowed for g in op.groups)


def is_number(array: Any) -> bool:
    return np.asarray(array).dtype.kind in "fc"


def pairing(a: Sequence[Any], b: Sequence[Any]) -> float:
    """Re of the sum of conj(a) * b."""
    return float(sum(np.sum(np.conj(np.asarray(x)) * np.asarray(y)).real for x, y in zip(a, b, strict=True)))


class Problem:
    """One call of an operation, its operands of floats free to move."""

    def __init__(self, op: Op, sample: Sample) -> None:
        self.op, self.sample = op, sample
        self.operands = [np.array(o) for o in sample.operands]
        self.moving = [i for i, o in enumerate(self.operands) if is_number(o)]
        self.random = np.random.default_rng(7)
        self.weights: list[Any] = []

    def call(self, tensors: Sequence[Any]) -> list[Any]:
        """The results of floats or complex numbers."""
        fixed = len(self.op.tensors)
        arguments = [*tensors[:fixed], *([list(tensors[fixed:])] if self.op.variadic else [])]
        found = self.op(*arguments, **self.sample.attributes)
        results = list(found) if isinstance(found, tuple) else [found]
        if self.op.name in PHASES and results[-1].dtype.is_complex:
            results = PHASES[self.op.name](*results)
        return [r for r in results if r.dtype.is_floating or r.dtype.is_complex]

    def with_moved(self, moved: Sequence[Any]) -> list[Any]:
        places = dict(zip(self.moving, moved, strict=True))
        return [places[i] if i in places else runtime.constant(o) for i, o in enumerate(self.operands)]

    def start(self) -> Arrays:
        return [self.operands[i] for i in self.moving]

    def loss(self, arrays: Sequence[np.ndarray]) -> float:
        results = [np.asarray(r) for r in self.call(self.with_moved([runtime.constant(a) for a in arrays]))]
        if not self.weights:
            self.weights = [np.where(np.abs(r) > HUGE, 0, self.like(r)) for r in results]
        return pairing(self.weights, [np.where(np.abs(r) > HUGE, 0, r) for r in results])

    def like(self, array: np.ndarray) -> np.ndarray:
        """Random numbers of this shape and kind."""
        real = self.random.normal(size=array.shape)
        return np.asarray(real + 1j * self.random.normal(size=array.shape) if array.dtype.kind == "c" else real)

    def direction(self) -> Arrays:
        found = [self.like(a) for a in self.start()]
        return [d + np.conj(np.swapaxes(d, -1, -2)) for d in found] if self.op.name in SYMMETRIC else found

    def gradient(self, tensors: Sequence[Any]) -> list[Any]:
        """What the tape says, with zeros in the place of None."""
        with runtime.GradientTape() as tape:
            for tensor in tensors:
                tape.watch(tensor)
            results = self.call(self.with_moved(tensors))
        weights = [runtime.constant(w.astype(r.dtype.numpy)) for w, r in zip(self.weights, results, strict=True)]
        found = tape.gradient(results, list(tensors), output_gradients=weights)
        return [runtime.zeros_like(t) if g is None else g for g, t in zip(found, tensors, strict=True)]

    def slope(self, function: Callable[[Arrays], float], along: Arrays) -> float:
        ends = [[x + s * STEP * d for x, d in zip(self.start(), along, strict=True)] for s in (1, -1)]
        return (function(ends[0]) - function(ends[1])) / (2 * STEP)

    def check(self, order: int = 1) -> None:
        """Compares each gradient up to this order with the slope of what it is the gradient of."""
        self.loss(self.start())
        tensors = [runtime.constant(a) for a in self.start()]
        found = [np.asarray(g) for g in self.gradient(tensors)]
        for gradient, x in zip(found, self.start(), strict=True):
            assert gradient.shape == x.shape and gradient.dtype == x.dtype, self.describe()
        along = self.direction()
        self.compare(pairing(found, along), self.slope(self.loss, along), "first")
        if order == 2:
            self.check_second(tensors, along)

    def check_second(self, tensors: Sequence[Any], along: Arrays) -> None:
        inner = [runtime.constant(d) for d in along]
        with runtime.GradientTape() as tape:
            for tensor in tensors:
                tape.watch(tensor)
            first = self.gradient(tensors)
        found = tape.gradient(first, list(tensors), output_gradients=inner)
        second = [np.zeros(t.shape) if g is None else np.asarray(g) for g, t in zip(found, tensors, strict=True)]

        def slope_along(arrays: Arrays) -> float:
            return pairing(along, self.gradient([runtime.constant(a) for a in arrays]))

        other = self.direction()
        self.compare(pairing(second, other), self.slope(slope_along, other), "second")

    def compare(self, found: float, wanted: float, which: str) -> None:
        close = abs(found - wanted) <= 1e-5 * max(1.0, abs(wanted), abs(found))
        assert close, f"{which} gradient of {self.describe()}: {found}, by differences {wanted}"

    def describe(self) -> str:
        shapes = ", ".join(f"{o.dtype}{o.shape}" for o in self.operands)
        return f"{self.op.name}({shapes}, {dict(self.sample.attributes)})"
