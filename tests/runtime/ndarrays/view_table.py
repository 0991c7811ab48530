"""Every way to see a part of an array, and every way to write to what is seen: the tables of `test_views`.

A view has a name and a function of an array of shape (4, 4) and dtype float64; a way to write has one of the view and
a number that only the graph may know. Where numpy copies, the test sees that the array stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["VIEWS", "WRITES"]

VIEWS: Final[dict[str, Callable[[Any], Any]]] = {
    "itself": lambda a: a,
    "all": lambda a: a[...],
    "slice": lambda a: a[1:3],
    "step": lambda a: a[::2],
    "backwards": lambda a: a[::-1],
    "corner": lambda a: a[1:, :-1],
    "column": lambda a: a[:, 1],
    "row": lambda a: a[2],
    "last row": lambda a: a[-1],
    "columns backwards": lambda a: a[:, ::-2],
    "beyond": lambda a: a[2:10],
    "empty": lambda a: a[3:1],
    "new axis": lambda a: a[:, None, 1:],
    "ellipsis": lambda a: a[..., 2],
    "ellipsis and new axis": lambda a: a[None, ..., 1:2],
    "slice object": lambda a: a[slice(0, 3, 2)],
    "of a slice": lambda a: a[1:][:, 1:][1],
    "of a backward slice": lambda a: a[::-1][1:][0],
    "take of rows": lambda a: a[[0, 2]],
    "mask": lambda a: a[np.array([True, False, True, False])],
    "ravel": lambda a: a.ravel(),
    "np.ravel": lambda a: np.ravel(a),
    "ravel of a turned one": lambda a: a.T.ravel(),
    "ravel in memory order": lambda a: a.T.ravel("K"),
    "ravel F": lambda a: a.ravel("F"),
    "ravel of a part": lambda a: a[:, 1:].ravel(),
    "flatten": lambda a: a.flatten(),
    "reshape": lambda a: a.reshape(2, 8),
    "reshape -1": lambda a: a.reshape(-1),
    "reshape tuple": lambda a: a.reshape((8, -1)),
    "np.reshape": lambda a: np.reshape(a, (2, 2, 4)),
    "reshape of a turned one": lambda a: a.T.reshape(8, 2),
    "reshape of rows": lambda a: a[1:3].reshape(-1),
    "reshape F": lambda a: a.reshape((8, 2), order="F"),
    "T": lambda a: a.T,
    "T of a part": lambda a: a[1:].T[0],
    "mT": lambda a: a.mT,
    "transpose": lambda a: a.transpose(),
    "transpose axes": lambda a: a.transpose(1, 0),
    "transpose tuple": lambda a: a.transpose((1, 0)),
    "np.transpose": lambda a: np.transpose(a, (1, 0)),
    "swapaxes": lambda a: a.swapaxes(0, 1),
    "np.swapaxes": lambda a: np.swapaxes(a, 0, -1),
    "moveaxis": lambda a: np.moveaxis(a, 0, 1),
    "rollaxis": lambda a: np.rollaxis(a, 1),
    "permute_dims": lambda a: np.permute_dims(a, (1, 0)),
    "squeeze": lambda a: a[:, :1].squeeze(),
    "np.squeeze": lambda a: np.squeeze(a[None], axis=0),
    "expand_dims": lambda a: np.expand_dims(a, 0),
    "expand_dims axes": lambda a: np.expand_dims(a, (0, -1)),
    "atleast_1d": lambda a: np.atleast_1d(a),
    "atleast_2d": lambda a: np.atleast_2d(a[1]),
    "atleast_3d": lambda a: np.atleast_3d(a),
    "diagonal": lambda a: a.diagonal(),
    "np.diagonal": lambda a: np.diagonal(a, 1),
    "np.diag": lambda a: np.diag(a),
    "broadcast_to": lambda a: np.broadcast_to(a, (2, 4, 4)),
    "broadcast_arrays": lambda a: np.broadcast_arrays(a, a[0])[0],
    "real": lambda a: a.real,
    "np.real": lambda a: np.real(a),
    "imag": lambda a: a.imag,
    "view": lambda a: a.view(),
    "view of its dtype": lambda a: a.view(np.float64),
    "flat": lambda a: a.flat,
    "split": lambda a: np.split(a, 2)[1],
    "array_split": lambda a: np.array_split(a, 3)[0],
    "hsplit": lambda a: np.hsplit(a, 2)[1],
    "vsplit": lambda a: np.vsplit(a, [1, 3])[1],
    "dsplit": lambda a: np.dsplit(a.reshape(2, 4, 2), 2)[1],
    "split along an axis": lambda a: np.split(a, [1, 2], axis=1)[1],
    "unstack": lambda a: np.unstack(a)[1],
    "flip": lambda a: np.flip(a),
    "flip axis": lambda a: np.flip(a, 1),
    "fliplr": lambda a: np.fliplr(a),
    "flipud": lambda a: np.flipud(a),
    "rot90": lambda a: np.rot90(a),
    "rot90 twice": lambda a: np.rot90(a, 2),
    "copy": lambda a: a.copy(),
    "np.copy": lambda a: np.copy(a),
    "astype": lambda a: a.astype(np.float64),
    "astype without copy": lambda a: a.astype(np.float64, copy=False),
    "array": lambda a: np.array(a),
    "array without copy": lambda a: np.array(a, copy=None),
    "asarray": lambda a: np.asarray(a),
    "asarray other": lambda a: np.asarray(a, np.float32),
    "asanyarray": lambda a: np.asanyarray(a),
    "ascontiguousarray": lambda a: np.ascontiguousarray(a.T),
    "asfortranarray": lambda a: np.asfortranarray(a),
    "require": lambda a: np.require(a, np.float64),
    "tuple of rows": lambda a: tuple(a)[1],
    "list of rows": lambda a: list(a)[3],
    "unpacked": lambda a: [row for row in a][2],
    "roll": lambda a: np.roll(a, 1),
    "repeat": lambda a: np.repeat(a, 2, axis=0),
    "where": lambda a: np.where(a > 3, a, 0),
    "take": lambda a: a.take([1, 2], axis=0),
    "sliding windows": lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 2)),
    "base and back": lambda a: a[1:].reshape(3, 4).T.T,
}  # fmt: skip


def assign(v: Any, x: Any) -> None:
    v[...] = x


def item(v: Any, x: Any) -> None:
    v[0] = x


def last(v: Any, x: Any) -> None:
    v[-1] = x * 2


def add(v: Any, x: Any) -> None:
    v += x


def divide(v: Any, x: Any) -> None:
    v /= x


def item_add(v: Any, x: Any) -> None:
    v[0] += x


def item_multiply(v: Any, x: Any) -> None:
    v[1:] *= x


def masked(v: Any, x: Any) -> None:
    v[v > 5] = x


def masked_add(v: Any, x: Any) -> None:
    v[v > 5] += x


def fancy(v: Any, x: Any) -> None:
    v[[0, -1]] = x


def fancy_add(v: Any, x: Any) -> None:
    v[np.array([0, 0])] += x


def backwards(v: Any, x: Any) -> None:
    v[::-1] = v + x


def out(v: Any, x: Any) -> None:
    np.add(v, x, out=v)


def out_where(v: Any, x: Any) -> None:
    np.multiply(v, x, out=v, where=v > 3)


def copyto(v: Any, x: Any) -> None:
    np.copyto(v, x)


def copyto_where(v: Any, x: Any) -> None:
    np.copyto(v, x, where=v > 4)


def put(v: Any, x: Any) -> None:
    np.put(v, [0, 2], x)


def put_method(v: Any, x: Any) -> None:
    v.put([1], x)


def place(v: Any, x: Any) -> None:
    np.place(v, v > 2, [x, 0.0])


def putmask(v: Any, x: Any) -> None:
    np.putmask(v, v > 2, x)


def fill(v: Any, x: Any) -> None:
    v.fill(x)


def fill_diagonal(v: Any, x: Any) -> None:
    np.fill_diagonal(v, x)


def put_along_axis(v: Any, x: Any) -> None:
    np.put_along_axis(v, np.argsort(v, axis=-1)[..., :1], x, axis=-1)


def sort(v: Any, x: Any) -> None:
    v *= -x
    v.sort()


def sort_axis(v: Any, x: Any) -> None:
    v *= -x
    v.sort(axis=0)


def partition(v: Any, x: Any) -> None:
    v *= -x
    v.partition(0)
    v.sort()


def add_at(v: Any, x: Any) -> None:
    np.add.at(v, [0, 0, -1], x)


def multiply_at(v: Any, x: Any) -> None:
    np.multiply.at(v, [0, 0], x)


def maximum_at(v: Any, x: Any) -> None:
    np.maximum.at(v, [0], x)


def negative_at(v: Any, x: Any) -> None:
    np.negative.at(v, [0, 0])


def rows(v: Any, x: Any) -> None:
    for row in v:
        row[...] = x


def nested(v: Any, x: Any) -> None:
    v[0][0] = x


def pair(v: Any, x: Any) -> None:
    v[0, 1] /= x


def flat_item(v: Any, x: Any) -> None:
    v.flat[1] = x


def flat_all(v: Any, x: Any) -> None:
    v.flat = x


def swap(v: Any, x: Any) -> None:
    v[0], v[-1] = v[-1] * x, v[0] * 1


def reduce_out(v: Any, x: Any) -> None:
    np.add.reduce(v * x, axis=0, out=v[0])


def sum_out(v: Any, x: Any) -> None:
    np.sum(v * x, axis=0, out=v[0])


def method_out(v: Any, x: Any) -> None:
    (v * x).cumsum(axis=0, out=v)


def clip(v: Any, x: Any) -> None:
    np.clip(v, x, 9.0, out=v)


def clip_method(v: Any, x: Any) -> None:
    v.clip(x, 9.0, out=v)


def at_tensor(v: Any, x: Any) -> None:
    v[int(x)] = x


def matmul_out(v: Any, x: Any) -> None:
    np.matmul(v * x, np.eye(4), out=v)


def real_part(v: Any, x: Any) -> None:
    v.real = x


def delegated(v: Any, x: Any) -> None:
    put(v[1:], x)


WRITES: Final = (
    assign, item, last, add, divide, item_add, item_multiply, masked, masked_add, fancy, fancy_add, backwards, out,
    out_where, copyto, copyto_where, put, put_method, place, putmask, fill, fill_diagonal, put_along_axis, sort,
    sort_axis, partition, add_at, multiply_at, maximum_at, negative_at, rows, nested, pair, flat_item, flat_all, swap,
    reduce_out, sum_out, method_out, clip, clip_method, at_tensor, matmul_out, real_part, delegated,
)  # fmt: skip
