"""Arguments that many functions have: `out`, `where`, `dtype`, `keepdims`, `axis`; and the rest of what is complex."""

from __future__ import annotations

from typing import Any

import numpy as np


def _zeros(*shape: int, dtype: Any = np.float64) -> Any:
    return np.zeros(shape, dtype)


def _like(x: Any, *shape: int) -> Any:
    return np.zeros(shape, x.dtype)


CALLS: dict[str, Any] = {
    "ufunc out": lambda x, y: (
        np.multiply(x, 2, out=np.empty((3, 4))), np.exp(x, out=_zeros(3, 4)), np.add(x, 1, _zeros(3, 4)),
        np.add(x, y, out=_zeros(2, 3, 4)), np.multiply(x, 2, out=_zeros(3, 4, dtype=np.float32), casting="same_kind")),
    "ufunc where": lambda x, b: (
        np.add(x, 1, where=b, out=_zeros(3, 4)), np.sqrt(x, where=x > 0, out=_zeros(3, 4)),
        np.divide(x, x - x[0], where=(x - x[0]) != 0, out=np.ones((3, 4)))),
    "reduction out": lambda x: (
        np.sum(x, axis=0, out=_zeros(4)), np.mean(x, axis=1, out=_zeros(3)), np.max(x, 0, out=_zeros(4)),
        np.cumsum(x, axis=1, out=_zeros(3, 4)), np.std(x, 0, out=_zeros(4)), np.prod(x, 0, None, _zeros(4)),
        np.any(x > 0, 0, out=_zeros(4, dtype=bool)), np.argmax(x, 0, out=_zeros(4, dtype=np.int64)),
        np.median(x, 0, out=_zeros(4)), np.quantile(x, 0.3, 0, out=_zeros(4)), np.ptp(x, 0, out=_zeros(4))),
    "out of others": lambda x, y: (
        np.dot(x, y.T, out=_like(x, 3, 3)), np.matmul(x, y.T, out=_like(x, 3, 3)),
        np.clip(x, -1, 1, out=_like(x, 3, 4)), np.round(x, 1, _like(x, 3, 4)),
        np.take(x, [1, 0], 0, out=_like(x, 2, 4)), np.outer(x[0], y[0], out=_like(x, 4, 4)),
        np.concatenate([x, y], out=_like(x, 6, 4)), np.stack([x, y], out=_like(x, 2, 3, 4)),
        np.einsum("ij,ij->i", x, y, out=_like(x, 3)), np.trace(x, out=_like(x)),
        np.choose([0, 1, 0, 1], [x[0], y[0]], out=_like(x, 4)),
        np.compress([True, False, True], x, axis=0, out=_like(x, 2, 4))),
    "out of nan": lambda gaps: (
        np.nansum(gaps, 0, out=_zeros(4)), np.nanmean(gaps, 0, out=_zeros(4)), np.nanmax(gaps, 0, out=_zeros(4))),
    "dtype": lambda k, small: (
        np.sum(k, dtype=np.float32), np.cumsum(k, 1, dtype=np.float32), np.mean(k, dtype=np.float32),
        np.add(k, k, dtype=np.float32), np.prod(small, dtype=np.float64), np.std(small, dtype=np.float64),
        np.sqrt(k, dtype=np.float64), np.add.reduce(small, dtype=np.float64), np.trace(k, dtype=np.float32),
        np.concatenate([k, k], dtype=np.float32), np.stack([k, k], dtype=np.float32, casting="unsafe"),
        np.vstack([k, k], dtype=np.float64)),
    "keepdims": lambda cube: (
        np.sum(cube, (0, 2), keepdims=True), np.mean(cube, keepdims=True), np.argmax(cube, 1, keepdims=True),
        np.any(cube > 0, (0, 1), keepdims=True), np.median(cube, 2, keepdims=True),
        np.quantile(cube, [0.1, 0.5], 1, keepdims=True), np.average(cube, 1, keepdims=True),
        np.ptp(cube, 1, keepdims=True), np.count_nonzero(cube > 0, 1, keepdims=True),
        np.linalg.norm(cube, axis=(0, 1), keepdims=True), np.nanstd(cube, 0, keepdims=True)),
    "axes": lambda cube: (
        np.std(cube, (0, 1)), np.var(cube, (0, 2), ddof=1), np.prod(cube, (1, 2)), np.max(cube, (0, -1)),
        np.all(cube > -9, ()), np.sum(cube, ())),
    "einsum paths": lambda x, y, m: (
        np.einsum("ij,kj,kl->il", x, y, y, optimize="greedy"), np.einsum("ij,jk,kl->il", m, m, x, optimize="optimal"),
        np.einsum("ij,jk,kl", m, m, x, optimize=["einsum_path", (0, 1), (0, 1)]), np.einsum("ii,ii->i", m, m),
        np.einsum("ij,ji->", m, m), np.einsum("i...,i...", x, y), np.einsum("...j->...", x)),
    "einsum_path": lambda x, m: np.einsum(
        "ij,jk->ik", m, x, optimize=np.einsum_path("ij,jk->ik", m, x, optimize="optimal")[0]),
    "cholesky upper": lambda p, z: (
        np.linalg.cholesky(p, upper=True), np.linalg.cholesky(np.add(z @ z.conj().T, np.eye(3)), upper=True)),
    "complex spread": lambda c: (
        np.var(c), np.std(c, ddof=1), np.var(np.stack([c, c + 1]), axis=0), np.var(c, where=c.real > 0), np.nanvar(c)),
    "complex round": lambda c: (np.round(c), np.around(c, 2), c.round(1)),
    "pad odd": lambda x, v, k: (
        np.pad(x, 1, "reflect", reflect_type="odd"), np.pad(v, (2, 1), "symmetric", reflect_type="odd"),
        np.pad(k, ((0, 1), (2, 0)), "reflect", reflect_type="odd")),
    "lines to arrays": lambda x: np.apply_along_axis(lambda a: np.array([a.min(), a.max()]), 1, x),
    "turned": lambda cube: (np.rot90(cube, 1, (1, 2)), np.rot90(cube, k=3, axes=(0, 2)), np.rot90(cube, 2, (2, 1))),
    "weights of bins": lambda x, n: (
        np.histogram(x, 3, (-5, 5), density=True), np.histogram(n, np.arange(7), weights=n), np.bincount(n, n)),
}  # fmt: skip

SIZES = {"einsum_path", "pad odd"}
SLOPES = {"einsum paths", "complex spread", "pad odd", "lines to arrays", "axes"}
OF_NUMPY = {"ufunc out", "ufunc where", "reduction out", "out of others", "out of nan", "dtype"}
ALONE = {"lines to arrays"}
"""What becomes numpy's own array eagerly, in a dtype of its own."""
