"""Every record that JAX has a function for gives what that gives, in float64 and complex128: values and gradients.

JAX's gradient of complex numbers is the conjugate of TensorFlow's, and of ours.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import runtime
from runtime.dtypes import DType
from runtime.ops.records.families import load_all
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.peers.jax_calls import CONSTANT, EMPTY, FAMILIES_ALONE, NOTHING, SYMMETRIC, call_of
from tests.runtime.differences import Problem, wide_samples

REGISTRY = load_all()
PURE = [op for op in sorted(REGISTRY.values(), key=lambda op: op.name) if op.samples is not None and not op.stateful]
COMPARED = [op for op in PURE if call_of(op.name) is not None]
MOST = 3
FREE_SIGNS = {"eigh", "svd", "qr"}

pytestmark = pytest.mark.filterwarnings("ignore")

each_op = pytest.mark.parametrize("op", COMPARED, ids=lambda op: op.name)


def attribute(value: Any) -> Any:
    return value.numpy if isinstance(value, DType) else value


def ask(op: Op, operands: list[Any], sample: Sample) -> list[Any]:
    """JAX's results."""
    call = call_of(op.name)
    assert call is not None
    fixed = len(op.tensors)
    arguments = [*operands[:fixed], *([operands[fixed:]] if op.variadic else [])]
    found = call(*arguments, **{k: attribute(v) for k, v in sample.attributes.items()})
    return list(found) if isinstance(found, tuple | list) else [found]


def compare(op: Op, sample: Sample) -> None:
    problem = Problem(op, sample)
    fixed = [np.asarray(o) for o in sample.operands]

    def run(*moved: Any) -> list[Any]:
        places = dict(zip(problem.moving, moved, strict=True))
        return ask(op, [places.get(i, o) for i, o in enumerate(fixed)], sample)

    if not problem.moving or op.rule is None:
        ours = op(*[runtime.constant(o) for o in fixed[: len(op.tensors)]],
                  *([[runtime.constant(o) for o in fixed[len(op.tensors) :]]] if op.variadic else []),
                  **sample.attributes)  # fmt: skip
        same(op, list(ours) if isinstance(ours, tuple) else [ours], ask(op, fixed, sample), 1e-10)
        return
    results, pull = jax.vjp(lambda *moved: list(filter(_moves, run(*moved))), *problem.start())
    ours = problem.call(problem.with_moved([runtime.constant(a) for a in problem.start()]))
    if op.name not in FREE_SIGNS:
        same(op, ours, results, 1e-10)
    if not any(a.size for a in problem.start()) or op.name in FREE_SIGNS | CONSTANT:
        return
    problem.loss(problem.start())
    weights = [np.conj(w).astype(r.dtype) for w, r in zip(problem.weights, results, strict=True)]
    slopes = [np.conj(g) for g in pull(weights)]
    ours = problem.gradient([runtime.constant(a) for a in problem.start()])
    if op.name in SYMMETRIC:
        slopes, ours = ([g + np.conj(np.swapaxes(np.asarray(g), -1, -2)) for g in which] for which in (slopes, ours))
    same(op, ours, slopes, 1e-8)


def _moves(result: Any) -> bool:
    return bool(jax.numpy.issubdtype(result.dtype, jax.numpy.inexact))


def same(op: Op, found: list[Any], wanted: list[Any], width: float) -> None:
    for one, other in zip(found, wanted, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert one.shape == other.shape, (one.shape, other.shape)
        if op.name in EMPTY:
            one, other = (np.where(np.isfinite(other), values, 0) for values in (one, other))
        np.testing.assert_allclose(one, other, width, width)


def samples(op: Op) -> list[Sample]:
    """Wide ones, a few of each kind of number: JAX compiles each call anew."""
    found = [s for s in wide_samples(op) if s.attributes.get("dtype") != runtime.string]
    if runtime.int32 not in op.groups[0].allowed and not any(d.is_floating for d in op.groups[0].allowed):
        found = list(op.samples(min(op.groups[0].allowed, key=lambda d: d.name))) if op.samples else []
    kinds: dict[Any, list[Sample]] = {}
    for sample in found:
        kinds.setdefault(tuple(np.asarray(o).dtype for o in sample.operands), []).append(sample)
    return [s for kind in kinds.values() for s in kind[:: -(-len(kind) // MOST)]]


@each_op
def test_values_and_gradients(op: Op) -> None:
    for sample in samples(op):
        try:
            compare(op, sample)
        except AssertionError as error:
            raise AssertionError(f"{Problem(op, sample).describe()}: {error}") from None


def test_every_record_is_compared_or_has_a_reason() -> None:
    known = {op.name for op in COMPARED} | NOTHING.keys()
    others = [op for op in PURE if op.name not in known]
    left = [op.name for op in others if not op.__module__.removeprefix("runtime.ops.").startswith(FAMILIES_ALONE)]
    assert left == []
    assert len(COMPARED) > 180
