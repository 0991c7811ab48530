"""What stands in brackets: every kind of index, alone and mixed; `np.r_` and `np.c_`."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "numbers": lambda x: (x[1, 2], x[-1], x[..., 0], x[None, 1], x[1, None], x[:, -1]),
    "slices": lambda x, v: (x[::2, ::-1], v[::-2], v[3:0:-1], v[-2:], v[10:], x[:, 1:3], x[2:0:-1, ...]),
    "nothing": lambda x: (x[[]], x[:, []], x[()], x[...], x[0:0]),
    "ranges": lambda x: (x[range(2)], x[:, range(3, 0, -1)], x[range(2), range(1, 3)], x[range(0)]),
    "positions": lambda x, n: (x[[0, 2]], x[[2, 0, 2], [1, 1, 3]], x[:, [3, 0]], x[[[0, 1], [2, 0]]], x[n % 3]),
    "positions of two axes": lambda x, k: (x[[[0], [2]], [1, 3]], x[k % 3, k % 4], x[k % 3, 1]),
    "positions and slices": lambda cube: (
        cube[[0, 1], :, [1, 2]], cube[:, [0, 2], [1, 1]], cube[1, [0, 2]], cube[0, :, [1, 2]], cube[[1, 0], 1:],
        cube[..., [0, 3]], cube[[0], ..., 1]),
    "positions and None": lambda cube: (
        cube[:, None, [0, 1]], cube[[0, 1], None, [1, 2]], cube[None, [0, 1], :, [1, 1]]),
    "masks": lambda x, b: (x[b], x[b[:, 0]], x[:, b[0]], x[x > 0], x[~b], x[b[:, 1], 1]),
    "masks and others": lambda x, b: (
        x[b[:, 0], 1:], x[[True, False, True], [0, 2]], x[np.array([True, False, True]), :2]),
    "masks of several axes": lambda cube, b: (
        cube[:, b], cube[np.array([[True, False, True], [False, True, False]])], cube[1, [True, True, False]],
        cube[[True, False], [0]], cube[:, [True, False, True], 1]),
    "ix_": lambda cube: (
        cube[np.ix_([0, 1], [2, 0], [1, 3])], cube[np.ix_([True, False], [0, 2], [True, False, True, True])]),
    "positions that are found": lambda x, v: (
        x[np.nonzero(x > 0)], x[np.where(x > 0)], x[np.unravel_index(5, (3, 4))], x[np.triu_indices(3)],
        x[np.diag_indices(3)], v[np.argsort(v)], v[np.argsort(-v)][:2], v[v.argsort()[::-1]],
        x[np.arange(3), np.argmax(x, axis=1)]),
    "index expressions": lambda x: (x[np.s_[1:, ::2]], x[np.index_exp[0, 1:]]),
    "r_": lambda x, v, one, two, small: (
        np.r_[v, 0, v], np.r_[1:4, v, 2:5:2], np.r_[x, x], np.r_[one, 0, 1], np.r_[small, 0.5], np.r_[small, v],
        np.r_[0:two, v], np.r_[-1:1:3j, v]),
    "c_": lambda x, v: (np.c_[v, v], np.c_[x, x], np.c_[v, np.ones(5)], np.c_[v]),
    "item": lambda x, k, one: (x.item(3) * k, x.item(1, 2), k.item((0, 1)), np.sum(k).item() * k, one.item()),
    "element by element": lambda v: (sum(i[0] * a for i, a in np.ndenumerate(v)), sum(a * 2 for a in np.nditer(v))),
}  # fmt: skip

SIZES = {"element by element"}
SLOPES = {"positions and slices", "masks", "positions that are found", "r_", "c_", "item"}
ALONE = {"r_", "c_", "item"}
OF_NUMPY = {"r_", "c_", "index expressions", "element by element"}
TRACED_ALONE = {"r_", "c_"}
"""What is numpy's own eagerly."""
