"""Every record: it leaves, and gives the same in onnxruntime; or there is a reason why it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runtime.dtypes import DType, from_numpy
from runtime.exits.onnx.nodes import ELEMENT_TYPES
from runtime.exits.onnx.table import leaves, reason
from runtime.ops.records.families import load_all
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.every_case import every_case
from tests.runtime.exits.export.running import check_sample, known_operands
from tests.runtime.op_samples import distinct

RECORDS = sorted(load_all().values(), key=lambda op: op.name)
LEAVING = [op for op in RECORDS if leaves(op) and op.samples is not None]

APART = {"text", "files", "rows"}
"""Folders of texts and bytes, of ragged and of sparse tensors."""


def is_counted(op: Op) -> bool:
    """Whether it is none of texts, ragged or sparse tensors, none with an effect, and none that handles errors."""
    *_, folder, family = op.__module__.split(".")
    return not (op.stateful or folder in APART or family in {"caught", "memo", "state"})


def fits(sample: Sample) -> bool:
    """Whether the format has the dtypes of all operands and attributes."""
    dtypes = [from_numpy(np.asarray(operand).dtype) for operand in sample.operands]
    named = [v for v in sample.attributes.values() if isinstance(v, DType)]
    return all(dtype in ELEMENT_TYPES for dtype in [*dtypes, *named])


def chosen(op: Op) -> list[Sample]:
    return [sample for sample in distinct(op) if fits(sample)]


def ways(op: Op) -> Iterator[dict[str, Any]]:
    """Shapes that are known, that are open, and those that are operands known."""
    yield {}
    if op.name != "unstack":  # which has as many results as there are slices
        yield {"dynamic": True}
    if known_operands(op):
        yield {"known": known_operands(op)}


@every_case(RECORDS, ids=lambda op: op.name)
def test_a_record_leaves_or_says_why(op: Op) -> None:
    assert leaves(op) != bool(reason(op))


def test_how_many_leave() -> None:
    counted = [op for op in RECORDS if is_counted(op)]
    assert sum(map(leaves, counted)) >= 0.85 * len(counted)


@every_case(LEAVING, ids=lambda op: op.name)
def test_some_samples(op: Op) -> None:
    samples = chosen(op)
    reasons = []
    for sample in samples[:: max(len(samples) // 2, 1)]:
        for way in ways(op):
            reasons.append(check_sample(op, sample, **way))
    assert None in reasons, reasons


@pytest.mark.slow
@pytest.mark.parametrize("op", LEAVING, ids=lambda op: op.name)
def test_all_samples(op: Op) -> None:
    for sample in chosen(op):
        for way in ways(op):
            check_sample(op, sample, **way)

