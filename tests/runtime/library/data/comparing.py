"""Elements of datasets as plain Python values, for comparing them with what plain Python makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.library.data import Dataset


def plain(value: Any) -> Any:
    """Arrays and numpy scalars as lists and numbers, whatever stands around them."""
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def elements(dataset: Dataset) -> list[Any]:
    """All elements."""
    return [plain(element) for element in dataset.as_numpy_iterator()]


def counted(calls: list[int], n: int) -> Any:
    """A function that returns a generator of 0 to n - 1, which notes what it has given."""

    def generator() -> Any:
        for i in range(n):
            calls.append(i)
            yield i

    return generator
