"""Statements that write to arrays, one by one: the arrays of the caller are afterwards what numpy makes of them."""

from __future__ import annotations

import linecache
import re
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.tensor.numpy_calls.families import VALUES
from tests.runtime.tensor.numpy_calls.test_functions import assert_same

STATEMENTS = """
    x[1, 2] = 5
    x[1] = y[0]
    x[:, 1] = 7
    x[::2, ::-1] = y[1:]
    x[[0, 2]] = y[:2]
    x[[0, 2], [1, 3]] = 9
    x[[0, 2], [1, 3]] += 9
    x[[0, 0], [1, 1]] += 1
    x[n % 3, 1] = v[0]
    x[x > 0] = 0
    x[x > 0] *= -1
    x[b] = y[b]
    x[b[:, 0]] = 1
    x[:, b[0]] = y[:, b[0]]
    x[b[:, 0], 1] = 5
    x[b[:, 0], 1:] = y[b[:, 0], 1:]
    x[[True, False, True], [0, 2]] = 8
    cube[[0, 1], :, [1, 2]] = y[:2, :3]
    cube[:, [0, 2], [1, 1]] = 3
    cube[1, [0, 2]] = y[:2]
    cube[..., [0, 3]] = 1
    cube[np.array([[True, False, True], [False, True, False]])] = 0
    cube[np.ix_([0, 1], [2, 0], [1, 3])] = 4
    cube[:, b] = 2
    x[np.nonzero(x > 0)] = -x[np.nonzero(x > 0)]
    x[np.triu_indices(3)] = 0
    x[np.diag_indices(3)] += 10
    x.flat[3] = 9
    x.flat[1:4] = 2
    x.flat[[0, 5]] = [1, 2]
    x.flat = 4
    x[...] = y
    x[()] = 1
    x[None, 1] = 3
    x[1, None] = 3
    x[:] = v[:4]
    x[:, None, 1] = 5
    np.add.at(x, [0, 0, 1], 1)
    np.add.at(x, ([0, 0], [1, 1]), y[0, :2])
    np.subtract.at(v, n[3:], 1)
    np.maximum.at(v, [0, 1, 1], [5, -5, 1])
    np.multiply.at(v, n[3:], w[:3])
    np.negative.at(v, [0, 1])
    np.logical_or.at(b, (0, [1, 3]), True)
    np.add.at(k, (slice(None), [0, 0]), 1)
    np.put(x, [0, 5], [9, 8])
    np.put(x, [0, 25], 9, mode="clip")
    np.put(x, [0, 25], 9, mode="wrap")
    np.place(x, x > 0, [1, 2])
    np.putmask(x, x > 0, y)
    np.putmask(x, x > 0, [1, 2])
    np.copyto(x, y, where=b)
    np.copyto(x, 3)
    np.copyto(x[0], y[1])
    np.fill_diagonal(m, 0)
    np.fill_diagonal(tall, [1, 2, 3], wrap=True)
    np.put_along_axis(x, np.argmax(x, 1, keepdims=True), 99, 1)
    np.put_along_axis(v, n[3:], 1, None)
    x.fill(2)
    x.sort()
    x.sort(axis=0)
    x[0].sort()
    v.partition(2)
    x.put([1, 2], 3)
    x *= 2
    x += y
    x **= 2
    k //= 2
    k <<= 1
    k ^= 1
    b |= True
    b &= x > 0
    np.add(x, y, out=x)
    np.add(x, 1, x)
    np.multiply(x[:, ::2], 2, out=x[:, ::2])
    np.sqrt(np.abs(x), out=x, where=x > 0)
    np.cumsum(x, axis=1, out=x)
    np.clip(x, -1, 1, out=x)
    np.sum(y, axis=0, out=x[0])
    np.dot(m, p, out=batch[0])
    np.subtract(x, x.mean(0), out=x)
    np.divide(x, y, out=x, where=b)
    np.modf(x, out=(x, y))
    np.divmod(x, 2, out=(x, y))
    np.frexp(x, out=(y, np.zeros((3, 4), np.int32)))
    x.T[0] = 9
    x.ravel()[2] = 7
    x.reshape(2, 6)[0] = 1
    x.reshape(-1)[::3] = 1
    x.swapaxes(0, 1)[1] = 2
    c.real = 3
    c.imag[2] = 9
    c.real[1:3] *= 2
    np.split(x, 2, axis=1)[1][:] = 0
    np.nan_to_num(gaps, copy=False)
    np.nan_to_num(gaps, False, 1.0)
    np.fmax(x, 0, out=x)
    x[0], x[1] = x[1].copy(), x[0].copy()
    x[[0, 1]] = x[[1, 0]]
    x[:, [0, 1]] = x[:, [1, 0]]
    x[0, 0], x[1, 1] = x[1, 1], x[0, 0]
    x[1:] -= x[:-1]
    x[1:] = x[:-1]
    v[1:] += v[:-1]
    v[::-1] = v
    v[::2], v[1::2] = 0, 1
    x[range(2)] = 1
    x[range(2), 1] += 1
    x[np.arange(3), np.argmax(x, axis=1)] = 0
    x[np.arange(3)[:, None], [0, 2]] = y[:, :2]
    np.minimum(x, y, out=y)
    x[x < y] = y[x < y]
    np.exp(x, x)
    np.matmul(m, m, out=m)
    np.einsum("ij,jk", m, p, out=m)
    np.take(x, [1, 0, 2], 0, out=y)
    np.round(x, 1, x)
    x.clip(0, 1, out=x)
    x.round(1, out=x)
    np.concatenate([x[:1], y[:2]], out=x)
    np.add.reduce(x, 0, out=v[:4])
    np.add.accumulate(x, 0, out=x)
    np.add.outer(v, w, out=np.zeros((5, 5)))
    np.logical_not(b, out=b)
    np.negative(x, x)
    x[1, :] = [1, 2, 3, 4]
    x[1, 1:3] = (5, 6)
    x[0] = range(4)
    bytes[:] = 300 - 256
    bytes[0] += 100
    n[1] = 2.7
    n[:3] = x[0, :3]
    small[0] = 1.0000000001
    b[0, 0] = 3
    x[-1, -1] = np.nan
    x[k % 3, k % 4] = 0
    x[k % 3, k % 4] += 1
    x[two] = 1
    x[two - 1, 0] = one
    x[n[0] - 1 :] = 0
    x[: n[3]] = y[: n[3]]
    del_ = np.delete(x, 1, 0); del_[0] = 1
    w_ = np.where(b, x, y); w_[0] = 1
    for r in x: r[0] = 1
    for r, s_ in zip(x, y): r += s_
    for i, r in enumerate(x): r[i] = i
    for i in range(3): x[i] /= x[i].sum()
    for e in np.nditer(x, op_flags=['readwrite']): e[...] = 2
    for i, e in np.ndenumerate(x): y[i] = e * 2
    for i in np.ndindex(x.shape): x[i] += 1
    for g, h in np.broadcast(x, y[0]): y[0] += g * h + np.broadcast(x, y).size
    while x[0, 0] < 5: x[0, 0] += 1
    if x[0, 0] > 100: x[:] = 0
""".strip().splitlines()


def function_of(statement: str) -> tuple[Any, list[str]]:
    """A function of the arrays that a statement names, which returns copies of them, and the names."""
    used = [name for name in VALUES if re.search(rf"(?<![\w.\"']){name}\b", statement)]
    text = f"def f({', '.join(used)}):\n    {statement}\n    return [{', '.join(f'{name}.copy()' for name in used)}]\n"
    place = f"<{statement}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    space: dict[str, Any] = {"np": np, "__name__": "statements"}
    exec(compile(text, place, "exec"), space)
    return space["f"], used


@pytest.mark.parametrize("statement", [line.strip() for line in STATEMENTS])
def test_it_writes_as_numpy_does(statement: str) -> None:
    function, used = function_of(statement)
    arrays, given = ([np.copy(VALUES[name]) for name in used] for _ in range(2))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = function(*arrays)
        found = tf.function(function)(*given)
    assert_same(list(found), wanted, statement)
    assert_same(given, arrays, f"{statement}: the caller's arrays")
