"""The methods of ufuncs, and the ufuncs that stand apart."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "reduce": lambda x: (
        np.add.reduce(x),
        np.multiply.reduce(x, 1),
        np.add.reduce(x, (0, 1)),
        np.maximum.reduce(x, None),
    ),
    "reduce all given": lambda x, k: (
        np.add.reduce(k, 0, np.float64, None, True),
        np.minimum.reduce(x, axis=-1, keepdims=True),
    ),
    "reduce of truth": lambda b, x: (
        np.logical_and.reduce(b),
        np.logical_or.reduce(x, axis=1),
        np.logical_xor.reduce(b, axis=None),
    ),
    "reduce in any order": lambda x: (
        np.hypot.reduce(x),
        np.logaddexp.reduce(x, axis=1),
        np.fmax.reduce(x, axis=(0, 1)),
    ),
    "reduce of nan": lambda gaps: (
        np.fmin.accumulate(gaps, axis=1),
        np.fmax.reduce(gaps),
        np.fmin.reduce(gaps, axis=1),
        np.maximum.reduce(gaps),
    ),
    "reduce of bits": lambda n, k: (
        np.bitwise_or.reduce(n),
        np.bitwise_xor.reduce(k, axis=1),
        np.bitwise_and.reduce(k),
    ),
    "reduce of integers": lambda n: (
        np.gcd.reduce(n),
        np.lcm.reduce(n[4:]),
        np.gcd.reduce(n, initial=4, keepdims=True),
    ),
    "reduce one by one": lambda x, v: (np.subtract.reduce(x), np.divide.reduce(x, axis=1), np.fmod.reduce(v)),
    "reduce from": lambda x, one: (np.subtract.reduce(x, initial=one), np.fmax.reduce(x, axis=1, initial=0.5)),
    "reduce where": lambda n, x: (
        np.bitwise_xor.reduce(n, where=[True, False, True, True, False, True]),
        np.logaddexp.reduce(x, where=x > 0),
        np.hypot.reduce(x, 1, where=x > 0),
    ),
    "accumulate": lambda x: (np.maximum.accumulate(x), np.minimum.accumulate(x, axis=1), np.add.accumulate(x)),
    "accumulate of integers": lambda n, k: (
        np.maximum.accumulate(n),
        np.gcd.accumulate(n[::-1]),
        np.bitwise_or.accumulate(k, 1),
    ),
    "accumulate of truth": lambda b: (np.logical_or.accumulate(b, axis=1), np.logical_and.accumulate(b)),
    "accumulate in any order": lambda x: (np.logaddexp.accumulate(x), np.fmin.accumulate(x, axis=1)),
    "accumulate one by one": lambda x, v: (
        np.subtract.accumulate(x),
        np.true_divide.accumulate(v),
        np.subtract.accumulate(x, 1),
    ),
    "accumulate dtype": lambda n: (np.add.accumulate(n, dtype=np.float64), np.maximum.accumulate(n, dtype=np.float32)),
    "reduceat": lambda long: (np.add.reduceat(long, [0, 4, 1, 7]), np.multiply.reduceat(long, [3, 3, 10])),
    "reduceat axis": lambda x: (np.add.reduceat(x, [0, 3, 1], axis=1), np.maximum.reduceat(x, [0, 2])),
    "reduceat of the run": lambda n, k: (np.minimum.reduceat(n, k[1]), np.add.reduceat(k, [0], axis=1, dtype=float)),
    "outer": lambda v, x: (
        np.multiply.outer(v, x),
        np.subtract.outer(x[0], v),
        np.maximum.outer([0, 1], v),
        np.power.outer(2.0, v),
    ),
    "drawdown": lambda long: np.max(np.maximum.accumulate(np.cumsum(long)) - np.cumsum(long)),
    "logaddexp2": lambda x, y: np.logaddexp2(x, y),
    "ldexp": lambda x, k, one: (np.ldexp(x[:2, :3], k), np.ldexp(x, 3), np.ldexp(one, [1, -2]), np.ldexp(x, -1060)),
    "frexp": lambda x, n: (np.frexp(x * 100), np.frexp(n), np.frexp(np.exp2(n)), np.frexp(x / 0), np.frexp(x * 1e-310)),
    "spacing": lambda x, small: (np.spacing(x), np.spacing(small)),
    "bitwise_count": lambda n, bytes: (np.bitwise_count(n * 77), np.bitwise_count(-n), np.bitwise_count(bytes)),
    "where and out": lambda x, y: np.add(x, y, dtype=np.float32, casting="same_kind"),
}

SIZES = set[str]()
SLOPES = {
    "reduce in any order",
    "reduce one by one",
    "accumulate",
    "accumulate in any order",
    "accumulate one by one",
    "reduceat",
    "reduceat axis",
    "outer",
    "drawdown",
    "logaddexp2",
    "ldexp",
    "reduce from",
}
