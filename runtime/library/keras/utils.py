"""What programs take from `keras.utils` around their models."""

from __future__ import annotations

import random as of_python
from typing import Any

import numpy as np

from runtime.library import random
from runtime.names.elsewhere import explain

__all__ = ["set_random_seed", "to_categorical"]

explain(__name__)


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Rows of zeros with a 1 at the place of each integer, as an array of float64.

    x: integers from 0; a last axis of size 1 goes away. num_classes: by default one more than the largest.
    """
    labels = np.asarray(x, np.int64)
    shape = labels.shape[:-1] if labels.ndim > 1 and labels.shape[-1] == 1 else labels.shape
    count = int(labels.max()) + 1 if num_classes is None else num_classes
    if labels.size and not 0 <= labels.min() <= labels.max() < count:
        raise IndexError(f"to_categorical: classes are 0 to {count - 1}; got {labels.min()} to {labels.max()}")
    return np.eye(count)[labels.reshape(shape)]


def set_random_seed(seed: int) -> None:
    """Seeds Python's `random`, `numpy.random` and `runtime.random`."""
    of_python.seed(seed)
    np.random.seed(seed)
    random.set_seed(seed)
