"""Datasets and their iterators in graphs: values of dtype variant.

    %d = dataset(%n) {make=dataset("range")} : variant[]
    %i = dataset_iterator(%d) : variant[]
    %m = dataset_more(%i) : bool[]                                          # is there another element?
    %x = dataset_next(%i) {dtypes=(int64,), shapes=(shape[],)} : int64[]    # EndOfDataError where there is none

The term names the kind of a dataset; what it holds in this process makes one of the operands (`runtime.data`). A graph
that was read from its text has no datasets. The operations keep their order, as all do that have an effect.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import EVERY, VARIANTS, DType, bool_, int64, variant
from runtime.ops.records.raises import ANYTHING
from runtime.ops.records.record import Array, op
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = ["dataset_cardinality", "dataset_iterator", "dataset_more", "dataset_next", "dataset_node"]


def _boxed(value: object) -> Array:
    made = np.empty((), variant.numpy)
    made["value"] = value
    return made


def _opened(array: Array) -> Any:
    """An operand of a dataset: an array, or what a handle holds."""
    return array if array.dtype.names is None else array.item()[0]


@op(
    raises=ANYTHING,
    name="dataset", shape=lambda *values, make: TensorShape([]), result=lambda *values, make: variant, dtypes=EVERY,
    mixed=True, stateful=True, holds=True,
)  # fmt: skip
def dataset_node(*values: Array, make: Term) -> Array:
    """A dataset that is made of these values. values: tensors, handles of datasets, Variables."""
    if make.held is None:
        raise RuntimeError(
            f"the graph makes a dataset ({', '.join(map(str, make.parts))}), and the text of a graph does not hold how:"
            " trace the function in this process to run it"
        )
    return _boxed(make.held(*map(_opened, values)))


@op(shape=lambda dataset: TensorShape([]), result=variant, dtypes={"dataset": VARIANTS}, stateful=True, raises=ANYTHING)
def dataset_iterator(dataset: Array) -> Array:
    """A new iterator over a dataset, before its first element."""
    return _boxed(_opened(dataset).iterate())


@op(
    shape=lambda iterator: TensorShape([]), result=bool_, dtypes={"iterator": VARIANTS}, stateful=True, raises=ANYTHING,
    runs_code=True,
)  # fmt: skip
def dataset_more(iterator: Array) -> Array:
    """Whether an iterator has another element, which is made if it is not there yet."""
    return np.array(_opened(iterator).more())


@op(
    runs_code=True,
    raises=ANYTHING,
    shape=lambda iterator, *, dtypes, shapes: shapes, result=lambda iterator, *, dtypes, shapes: dtypes,
    dtypes={"iterator": VARIANTS}, outputs=0, stateful=True,
)  # fmt: skip
def dataset_next(iterator: Array, *, dtypes: tuple[DType, ...], shapes: tuple[TensorShape, ...]) -> tuple[Array, ...]:
    """The leaves of the next element. Raises EndOfDataError where there is none."""
    row: tuple[Array, ...] = _opened(iterator).take()
    return row


@op(shape=lambda dataset: TensorShape([]), result=int64, dtypes={"dataset": VARIANTS}, stateful=True)
def dataset_cardinality(dataset: Array) -> Array:
    """How many elements a dataset has; -1 stands for infinitely many, -2 where it is not known."""
    return np.array(_opened(dataset).node.cardinality, np.int64)
