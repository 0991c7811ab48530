"""Arithmetic, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC, STRINGS
from runtime.ops.record import Array, op
from runtime.ops.shape_rules import broadcast

__all__ = ["add"]


@op(shape=broadcast, dtypes=NUMERIC | STRINGS, ufunc=np.add, scalar="{0} + {1}")
def add(x: Array, y: Array) -> Any:
    """x + y with broadcasting. x, y: numeric tensors of one dtype, or strings, which are concatenated.

    Integers wrap around at their width.
    """
    return np.add(x, y)
