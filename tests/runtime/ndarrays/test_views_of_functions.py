"""Functions of NumPy that give a view, or the array itself: what is written to the array later is seen there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def table(u: Any) -> Any:
    return u.reshape(2, 3)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "asarray": np.asarray, "asanyarray": np.asanyarray, "asarray_chkfinite": np.asarray_chkfinite,
    "ascontiguousarray": np.ascontiguousarray, "array": lambda u: np.array(u, copy=None), "require": np.require,
    "atleast_1d": np.atleast_1d, "atleast_2d": np.atleast_2d, "atleast_3d": np.atleast_3d,
    "broadcast_to": lambda u: np.broadcast_to(u, (2, 6)),
    "broadcast_arrays": lambda u: np.broadcast_arrays(u, np.ones((2, 1)))[0],
    "diagonal": lambda u: np.diagonal(table(u)), "linalg.diagonal": lambda u: np.linalg.diagonal(table(u)),
    "linalg.diagonal of several": lambda u: np.linalg.diagonal(u.reshape(1, 2, 3), offset=1),
    "einsum": lambda u: np.einsum("ij->ji", table(u)), "expand_dims": lambda u: np.expand_dims(u, 0),
    "flip": np.flip, "fliplr": lambda u: np.fliplr(table(u)), "flipud": lambda u: np.flipud(table(u)),
    "rot90": lambda u: np.rot90(table(u)), "imag": lambda u: np.imag(u.view(np.complex128)), "real": np.real,
    "matrix_transpose": lambda u: np.matrix_transpose(table(u)),
    "linalg.matrix_transpose": lambda u: np.linalg.matrix_transpose(table(u)),
    "moveaxis": lambda u: np.moveaxis(table(u), 0, 1), "rollaxis": lambda u: np.rollaxis(table(u), 1),
    "swapaxes": lambda u: np.swapaxes(table(u), 0, 1), "transpose": lambda u: np.transpose(table(u)),
    "ravel": np.ravel, "ravel of rows": lambda u: table(u).T.ravel("K"), "reshape": lambda u: np.reshape(u, (3, 2)),
    "split": lambda u: np.split(u, 2)[0], "array_split": lambda u: np.array_split(u, 4)[0],
    "vsplit": lambda u: np.vsplit(table(u), 2)[1], "dsplit": lambda u: np.dsplit(u.reshape(1, 2, 3), 3)[0],
    "squeeze": lambda u: np.squeeze(u[None]), "real_if_close": np.real_if_close, "trim_zeros": np.trim_zeros,
    "sliding_window_view": lambda u: np.lib.stride_tricks.sliding_window_view(u, 3),
    "as_strided": lambda u: np.lib.stride_tricks.as_strided(u, (3, 3), (8, 8)),
    "nan_to_num": lambda u: np.nan_to_num(u, copy=False),
    "view": lambda u: u.view(np.int64), "astype": lambda u: u.astype(float, copy=False), "copy": np.copy,
    "sort": np.sort, "clip": lambda u: np.clip(u, 0, 9), "rows": lambda u: u[np.arange(3)],
    "pad": lambda u: np.pad(u, 0),
    "where": lambda u: np.where(True, u, u), "take": lambda u: np.take(u, [0, 3]),
    "concatenate": lambda u: np.concatenate([u]),
}  # fmt: skip


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_written_later_is_seen_as_in_numpy(name: str) -> None:
    def later(u: Any, x: Any) -> Any:
        found = VIEWS[name](u)
        u[0], u[3] = x, 2 * x
        return np.array(found)

    mine, numpys = np.arange(1.0, 7.0), np.arange(1.0, 7.0)
    found = tf.function(later)(mine, tf.constant(7.0, tf.float64))
    np.testing.assert_array_equal(found, later(numpys, 7.0))
    np.testing.assert_array_equal(mine, numpys)


def test_infinite_elements_are_refused_where_numpy_refuses_them() -> None:
    checked = tf.function(lambda u: np.asarray_chkfinite(u) * 2)
    assert checked(np.ones(2)).numpy().tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="must not contain infs or NaNs"):
        checked(np.array([1.0, np.inf]))
