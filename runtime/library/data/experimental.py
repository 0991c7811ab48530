"""`runtime.data.experimental`: names that programs know from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.library.data.dataset import Dataset
from runtime.library.data.datasets_of_files import CsvDataset, make_csv_dataset
from runtime.library.data.node import INFINITE, UNKNOWN
from runtime.library.data.steps import AUTOTUNE

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Counter", "CsvDataset", "cardinality",
           "dense_to_ragged_batch", "make_csv_dataset", "rejection_resample"]  # fmt: skip


def cardinality(dataset: Dataset[Any]) -> Any:
    """The number of elements, as `dataset.cardinality()`."""
    return dataset.cardinality()


def Counter(start: Any = 0, step: Any = 1, dtype: Any = "int64") -> Dataset[Any]:
    """Numbers without end, as `Dataset.counter`."""
    return Dataset.counter(start, step, dtype)


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: int | None = None
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """`Dataset.rejection_resample` as a function for `Dataset.apply`."""
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = "int64"
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """`ragged_batch` as a function for `Dataset.apply`."""
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)
