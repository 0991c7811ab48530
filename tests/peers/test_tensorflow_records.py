"""Every record that TensorFlow has a function for gives what that gives: value, dtype, shape, gradient, errors."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime
from runtime.dtypes import ANY, DType
from runtime.ops.records.families import load_all
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from runtime.shapes import TensorShape
from tests.peers.tensorflow_calls import (
    ALONE,
    CLASSES,
    FAMILIES_ALONE,
    GRADIENTS,
    LAXER,
    NO_VERDICT,
    REFUSES,
    SECOND,
    peer_of,
    same,
)  # fmt: skip
from tests.runtime.differences import Problem, wide_samples

REGISTRY = load_all()
PURE = [op for op in sorted(REGISTRY.values(), key=lambda op: op.name) if op.samples is not None and not op.stateful]
COMPARED = [op for op in PURE if peer_of(op.name) is not None and op.name not in ALONE]

each_op = pytest.mark.parametrize("op", COMPARED, ids=lambda op: op.name)

MOST = 4
"""Samples of each operation for second gradients."""

NO_KERNEL = (
    tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.UnimplementedError, AssertionError, TypeError,
    ValueError,
)  # fmt: skip
"""What TensorFlow raises for dtypes that it does not take."""


def attribute(value: Any) -> Any:
    """A Python value of a record as TensorFlow takes it."""
    if isinstance(value, DType):
        return getattr(tf, value.name)
    if isinstance(value, TensorShape):
        return None if value.dims is None else list(value.dims)
    return list(value) if isinstance(value, tuple) else value


def ask(op: Op, operands: list[Any], sample: Sample) -> list[Any]:
    """TensorFlow's results."""
    call = peer_of(op.name)
    assert call is not None
    fixed = len(op.tensors)
    arguments = [*operands[:fixed], *([operands[fixed:]] if op.variadic else [])]
    found = call(*arguments, **{k: attribute(v) for k, v in sample.attributes.items()})
    return list(found) if isinstance(found, tuple | list) else [found]


def arrays_of(results: list[Any]) -> list[np.ndarray]:
    found = []
    for result in results:
        value = result.numpy() if hasattr(result, "numpy") else result
        found.append(np.array(value, object) if isinstance(value, bytes) else np.asarray(value))
    return found


def our_results(op: Op, sample: Sample) -> list[Any]:
    tensors = [runtime.constant(o) for o in sample.operands]
    fixed = len(op.tensors)
    found = op(*tensors[:fixed], *([tensors[fixed:]] if op.variadic else []), **sample.attributes)
    return list(found) if isinstance(found, tuple) else [found]


def calls(op: Op) -> Iterator[tuple[Sample, list[Any]]]:
    """The samples, with TensorFlow's results; those of dtypes that it has no kernel for are left out."""
    for dtype in sorted(op.groups[0].allowed & ANY, key=lambda d: d.name):
        for sample in op.samples(dtype) if op.samples else ():
            try:
                yield sample, ask(op, [tf.constant(np.asarray(o)) for o in sample.operands], sample)
            except NO_KERNEL as error:
                refused = any(word in str(error).lower() for word in ("dtype", "type", "kernel", "device"))
                assert refused or op.name in LAXER, f"{op.name}{[np.shape(o) for o in sample.operands]}: {error}"


@each_op
def test_values(op: Op) -> None:
    count = 0
    for sample, wanted in calls(op):
        shapes = [(np.asarray(o).dtype.name, np.shape(o)) for o in sample.operands]
        try:
            same(op.name, arrays_of(our_results(op, sample)), arrays_of(wanted))
        except AssertionError as error:
            raise AssertionError(f"{op.name} of {shapes} {dict(sample.attributes)}: {error}") from None
        count += 1
    assert count, f"nothing of {op.name} was compared"


def gives_wide(problem: Problem) -> bool:
    """Whether nothing is lost in narrow floats."""
    results = problem.call(problem.with_moved(problem.start()))
    return all(r.dtype in (runtime.float64, runtime.complex128) for r in results)


DIFFERENTIABLE = [op for op in COMPARED if op.rule is not None and op.name not in ("eigh", "svd", "qr")]


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_gradients(op: Op) -> None:
    """Along the same random upstream; None counts as zeros."""
    for problem in problems(op):
        ours = problem.gradient([runtime.constant(a) for a in problem.start()])
        theirs, moved, _ = slopes(op, problem)
        compare_slopes(op, problem, ours, theirs, moved)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_second_gradients(op: Op) -> None:
    """Those of the gradient, along one more random upstream."""
    for problem in problems(op)[:MOST]:
        along = problem.direction()
        tensors = [runtime.constant(a) for a in problem.start()]
        with runtime.GradientTape() as tape:
            tape.watch(tensors)
            first = problem.gradient(tensors)
        ours = tape.gradient(first, tensors, [runtime.constant(d) for d in along], unconnected_gradients="zero")
        theirs, moved, second = slopes(op, problem, along)
        if None not in theirs and op.name not in SECOND:
            compare_slopes(op, problem, ours, second, moved)


def problems(op: Op) -> list[Problem]:
    """The samples that have gradients, each with the upstream of its results."""
    found = []
    for sample in wide_samples(op):
        problem = Problem(op, sample)
        if problem.moving and any(o.size for o in problem.start()) and gives_wide(problem):
            problem.loss(problem.start())
            found.append(problem)
    return found


def slopes(op: Op, problem: Problem, along: Any = None) -> tuple[list[Any], list[Any], list[Any]]:
    """TensorFlow's gradients, the operands, and the gradients of the gradients along a direction; None where it has
    none."""
    moved = [tf.constant(a) for a in problem.start()]
    nothing: list[Any] = [None] * len(moved)
    places = dict(zip(problem.moving, moved, strict=True))
    operands = [places.get(i, tf.constant(np.asarray(o))) for i, o in enumerate(problem.sample.operands)]
    try:
        with tf.GradientTape() as outer:
            outer.watch(moved)
            with tf.GradientTape() as tape:
                tape.watch(moved)
                results = [r for r in ask(op, operands, problem.sample) if r.dtype.is_floating or r.dtype.is_complex]
            weights = [tf.constant(w, r.dtype) for w, r in zip(problem.weights, results, strict=True)]
            first = tape.gradient(results, moved, output_gradients=weights)
        if along is None or any(g is None for g in first):
            return first, moved, nothing
        first = [tf.convert_to_tensor(g) for g in first]
        directions = [tf.constant(d, g.dtype) for d, g in zip(along, first, strict=True)]
        return first, moved, outer.gradient(first, moved, directions, unconnected_gradients="zero")
    except (LookupError, *NO_KERNEL):
        return nothing, moved, nothing


def compare_slopes(op: Op, problem: Problem, ours: list[Any], theirs: list[Any], moved: list[Any]) -> None:
    for one, other, x in zip(ours, theirs, moved, strict=True):
        if other is None or op.name in GRADIENTS or f"{op.name} of {x.dtype.name}" in GRADIENTS:
            continue
        other = tf.convert_to_tensor(other)
        width = 1e-6 if x.dtype in (tf.float64, tf.complex128) else 1e-3
        np.testing.assert_allclose(np.asarray(one), other.numpy(), width, width, err_msg=problem.describe())


def failures() -> list[Any]:
    return [
        pytest.param(op, failure, id=f"{op.name}-{number}")
        for op in COMPARED for number, failure in enumerate(op.errors)
    ]  # fmt: skip


@pytest.mark.parametrize(("op", "failure"), failures())
def test_what_is_refused_here_is_refused_there(op: Op, failure: Any) -> None:
    """With an error that is caught here by the name that catches it there."""
    sizes = len(op.tensors)
    arguments = list(failure.arguments[:sizes])
    rest = failure.arguments[sizes:]
    if op.variadic:
        arguments, rest = [*arguments, *rest[0]], rest[1:]
    names = [n for n in op.attributes]
    attributes = {**dict(zip(names, rest, strict=False)), **failure.attributes}
    try:
        arguments = [tf.constant(a) if isinstance(a, np.ndarray | np.generic) else a for a in arguments]
        ask(op, arguments, Sample(tuple(arguments), attributes))
    except Exception as error:
        name = type(error).__name__
        caught = getattr(runtime.errors, name, None) or getattr(builtins, name, None)
        assert name in NO_VERDICT or op.name in CLASSES or issubclass(failure.error, caught), error
        return
    shown = f"{op.name}{failure.arguments} {failure.attributes}"
    assert f"{op.name}: {failure.words}" in REFUSES, f"TensorFlow takes {shown}"


def test_every_record_is_compared_or_has_a_reason() -> None:
    known = {op.name for op in COMPARED} | ALONE.keys()
    others = [op for op in PURE if op.name not in known]
    left = [op.name for op in others if not op.__module__.removeprefix("runtime.ops.").startswith(FAMILIES_ALONE)]
    assert left == []
