"""Every record that has a lowering gives what its kernel gives, or refuses with a reason; what fails is found."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.dtypes import from_numpy, resource, string, variant
from runtime.errors import OpError
from runtime.exits.rules import Refused
from runtime.exits.xla.lowering import Misfit, reason_of
from runtime.exits.xla.program import Program, jax_settings
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REQUIRED, Op
from runtime.ops.records.samples import Failure, Sample
from tests.every_case import every_case
from tests.runtime.exits.xla.running import arrays_of, check_sample, known_operands
from tests.runtime.leaving import sample_graph
from tests.runtime.op_samples import distinct

RECORDS = [op for op in sorted(load_all().values(), key=lambda op: op.name) if op.samples is not None]
LEAVING = [op for op in RECORDS if not reason_of(op)]
FAILING = [(op, failure) for op in LEAVING for failure in op.errors]

MOST = 12
"""So many samples of each record are compared: JAX compiles anew for each shape and dtype."""

pytestmark = pytest.mark.filterwarnings("ignore")


def chosen(op: Op) -> list[Sample]:
    return [sample for sample in distinct(op) if all(map(fits, map(np.asarray, sample.operands)))]


def fits(operand: np.ndarray) -> bool:
    """No text, no handle, and no array of lists."""
    dtype = from_numpy(operand.dtype)
    return dtype is not string and dtype is not resource and (dtype is not variant or not operand.ndim)


def reason(op: Op, sample: Sample) -> str | None:
    """Why a sample cannot leave, also where the operands that say shapes are known."""
    found = check_sample(op, sample)
    return check_sample(op, sample, known_operands(op)) if found is not None and known_operands(op) else found


@every_case(LEAVING[::9], ids=lambda op: op.name)
def test_some_samples(op: Op) -> None:
    samples = chosen(op)
    reasons = [reason(op, sample) for sample in samples[:: max(len(samples) // 2, 1)]]
    assert None in reasons, reasons


@pytest.mark.slow
@pytest.mark.parametrize("op", LEAVING, ids=lambda op: op.name)
def test_many_samples(op: Op) -> None:
    samples = chosen(op)
    reasons = [reason(op, sample) for sample in samples[:: len(samples) // MOST + 1]]
    assert None in reasons, reasons


@every_case(FAILING[::5], ids=lambda case: f"{case[0].name} {case[1].words}")
def test_what_fails_is_found(case) -> None:
    check_failure(*case)


def check_failure(op: Op, failure: Failure) -> None:
    """A call that raises here is refused, or known to fail, or fails when the program runs."""
    given = dict(zip(op.parameters, failure.arguments, strict=False)) | dict(failure.attributes)
    operands = [given[name] for name in op.tensors if name in given]
    if op.variadic:
        operands += list(given.get(op.variadic, ()))
    attributes = {name: given.get(name, default) for name, default in op.attributes.items()}
    if any(value is REQUIRED for value in attributes.values()):
        return
    sample = Sample(tuple(map(np.asarray, operands)), attributes)
    try:
        graph = sample_graph(op, sample, (), dynamic=True)
    except (OpError, TypeError, ValueError, IndexError):
        return  # it is refused while the graph is built
    try:
        with jax_settings():
            _, _, failed = Program(graph, guarded=True)(arrays_of(sample), [])
    except (Refused, Misfit):
        return
    assert failed


@pytest.mark.slow
def test_all_that_fails_is_found() -> None:
    for case in FAILING:
        check_failure(*case)
