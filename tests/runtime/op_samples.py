"""The samples of the operations' records, for tests of all operations: every one, or a few of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import runtime
from runtime.dtypes import DType
from runtime.ops.records.record import REQUIRED, Op
from runtime.ops.records.samples import Sample
from tests.runtime.bfloat16.rounding import NARROW

__all__ = ["distinct", "dtypes_of", "samples"]


def dtypes_of(op: Op) -> list[DType]:
    """The dtypes of its first group of operands; the samples choose those of others."""
    return sorted((d for d in op.groups[0].allowed if d is not runtime.bfloat16 or NARROW), key=lambda d: d.name)


def samples(op: Op) -> Iterator[tuple[DType, Sample, dict[str, Any]]]:
    """For each dtype each sample, with all attributes, also those that the sample leaves out."""
    assert op.samples is not None
    for dtype in dtypes_of(op):
        for sample in op.samples(dtype):
            if NARROW is None and any(v is runtime.bfloat16 for v in sample.attributes.values()):
                continue
            given = {k: v for k, v in op.attributes.items() if v is not REQUIRED}
            yield dtype, sample, {**given, **sample.attributes}


SOME = {"bool", "complex64", "float32", "int64", "string", "uint8"}


def distinct(op: Op) -> Iterator[Sample]:
    """One sample for each dtype and all ranks and sizes, of some dtypes also for all attributes."""
    seen: set[Any] = set()
    for dtype, sample, _ in samples(op):
        arrays = [np.asarray(o) for o in sample.operands]
        few = dtype.name not in SOME and SOME & {d.name for d in op.groups[0].allowed}
        key = (*((a.dtype, a.ndim, a.size > 0) for a in arrays), None if few else repr(sample.attributes))
        if key not in seen:
            seen.add(key)
            yield sample
