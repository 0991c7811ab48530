"""Polynomials and sets: both are vectors of which numpy leaves something out."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "polyval": lambda v, x: np.polyval(v, x),
    "polyval numbers": lambda one: (np.polyval([3, 0, 1], one), np.polyval([2.0, 1], np.multiply([1, 2, 3], one))),
    "polyval of integers": lambda n: (np.polyval(n, 2), np.polyval([1, 2], n), np.polyval(n, 0.5)),
    "polyadd": lambda v, small: (np.polyadd(v, small), np.polyadd(small, v), np.polyadd(v, v)),
    "polysub": lambda v, n: (np.polysub([1, 2], v), np.polysub(n, 1)),
    "polymul": lambda v, small: (np.polymul(v, small), np.polymul(v, [0, 0, 2, 1]), np.polymul(small, 0)),
    "polydiv": lambda v, small: np.polydiv(v, small),
    "polydiv even": lambda small: np.polydiv(np.convolve(small, [1.0, 2.0]), [1.0, 2.0]),
    "polydiv short": lambda v, small: np.polydiv(small, v),
    "polyder": lambda v: (np.polyder(v), np.polyder(v, 3), np.polyder(v, 0), np.polyder(v, 7)),
    "polyder of integers": lambda n: np.polyder(n),
    "polyint": lambda v: (np.polyint(v), np.polyint(v, 2), np.polyint(v, 2, k=[1, 2]), np.polyint(v, m=3, k=6)),
    "polyint of the run": lambda n, v, one: (np.polyint(n), np.polyint(v, k=one)),
    "polyfit": lambda v, w: (np.polyfit(v, w, 2), np.polyfit(v, w, 0)),
    "polyfit rows": lambda tall, v: np.polyfit(v, tall, 3),
    "polyfit weights": lambda v, w, s: np.polyfit(s, w, 2, w=v),
    "polyfit full": lambda v, w: np.polyfit(v, w, 2, full=True),
    "polyfit cov": lambda v, w: (np.polyfit(v, w, 1, cov=True), np.polyfit(v, w, 2, cov="unscaled")),
    "polyfit cov rows": lambda tall, v: np.polyfit(v, tall, 1, cov=True),
    "poly": lambda v, n: (np.poly(v), np.poly(n)),
    "poly of a matrix": lambda m: np.poly(m),
    "roots": lambda small: np.roots(small),
    "roots of zeros": lambda k: (np.roots(k[1]), np.roots([0, 0, 2] * k[1]), np.roots(0 * k[0])),
    "vander": lambda v: (np.vander(v), np.vander(v, 3), np.vander(v, 7, increasing=True), np.vander(v, 1)),
    "vander dtypes": lambda n, small, c: (np.vander(n, 3), np.vander(small), np.vander(c, 2)),
    "trim_zeros": lambda k: (np.trim_zeros(k[1]), np.trim_zeros(np.array([0, 0, 1]) * k[0], "f"),
                             np.trim_zeros([0, 1, 0] * k[0], trim="b")),
    "union1d": lambda n, k: (np.union1d(n, k), np.union1d(n, [0.5, 2])),
    "intersect1d": lambda n, k: (np.intersect1d(n, k), np.intersect1d(n, [9]), np.intersect1d(n, [1.0, 2.0])),
    "intersect1d places": lambda n, k: np.intersect1d(n, k, return_indices=True),
    "intersect1d of sets": lambda s, v: np.intersect1d(v, np.stack([v[3], s[0], 9, v[0]]), True, return_indices=True),
    "setdiff1d": lambda n, k: (np.setdiff1d(n, k), np.setdiff1d(n, [2, 0], assume_unique=True), np.setdiff1d(n, [2.5])),
    "setxor1d": lambda n, k: (np.setxor1d(n, k), np.setxor1d([3, 5], n[:3], assume_unique=True)),
    "isin": lambda k, n, gaps: (np.isin(k, n), np.isin(k, [1], invert=True), np.isin(gaps, gaps), np.isin(n, [])),
    "isin bools": lambda b: np.isin(b, [True]),
    "unique rows": lambda k, b: (np.unique(b, axis=0), np.unique(k, axis=1)),
    "unique rows all": lambda n: np.unique(np.stack([n % 2, n * 0, n % 3], 1), True, True, True, axis=0),
    "unique columns": lambda k: np.unique(k[:, [0, 1, 0, 2]], axis=-1, return_inverse=True, return_counts=True),
    "unique blocks": lambda n: np.unique(np.reshape(np.stack([n, n[::-1], n]), (3, 2, 3)), axis=0, return_counts=True),
    "unique nan": lambda gaps: (np.unique(gaps, equal_nan=False), np.unique(gaps, return_counts=True)),
    "unique complex": lambda c: np.unique(np.concatenate([c, c[:3]]), return_index=True, return_inverse=True),
    "unique_all": lambda n, gaps: (np.unique_all(n), np.unique_all(gaps)),
    "unique_counts": lambda k: np.unique_counts(k),
    "unique_inverse": lambda k: np.unique_inverse(k),
    "unique_values": lambda k, b: (np.sort(np.unique_values(k)), np.sort(np.unique_values(b))),
    "lexsort": lambda n, v: (np.lexsort((n,)), np.lexsort((v, n[:5])), np.lexsort((n, n % 2))),
    "lexsort rows": lambda k, x: (np.lexsort(k), np.lexsort([x, np.round(x)]), np.lexsort([x, np.round(x)], axis=0)),
    "sort_complex": lambda c, n: (np.sort_complex(c), np.sort_complex(n)),
}  # fmt: skip

COMPLEX = {"poly of a matrix", "roots", "roots of zeros"}
SIZES = {"polydiv", "polydiv even", "polydiv short", "poly", "poly of a matrix", "unique columns", "unique blocks",
         "unique rows", "lexsort rows"}  # fmt: skip
SLOPES = {"polyval", "polyfit", "polyfit weights", "polymul", "polydiv", "polyint", "vander", "poly", "roots"}
UNSEEN = {np.roots}
"""What numpy does not pass on."""
