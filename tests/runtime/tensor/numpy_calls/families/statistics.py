"""Order statistics, histograms, covariances."""

from __future__ import annotations

from typing import Any

import numpy as np

METHODS = (
    "linear", "lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased", "normal_unbiased",
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
)  # fmt: skip

CALLS: dict[str, Any] = {
    "median": lambda cube: (np.median(cube, axis=(0, 2)), np.median(cube, axis=(1, -1), keepdims=True)),
    "median keepdims": lambda cube: np.median(cube, keepdims=True),
    "median of integers": lambda k: np.median(k, 1),
    "median of float32": lambda small: np.median(small),
    "median of nan": lambda gaps: (np.median(gaps, 0), np.median(gaps, 1)),
    "nanmedian": lambda gaps: (np.nanmedian(gaps), np.nanmedian(gaps, axis=1), np.nanmedian(gaps, 0, keepdims=True)),
    "percentile": lambda x: np.percentile(x, 30),
    "percentile several": lambda x: np.percentile(x, [0, 33.3, 50, 100], axis=1),
    "percentile keepdims": lambda cube: np.percentile(cube, [[10, 20, 25]], axis=(0, 2), keepdims=True),
    "percentile of integers": lambda k: (np.percentile(k, 40), np.percentile(k, 40, method="lower", axis=0)),
    "percentile of float32": lambda small: (np.percentile(small, 25), np.percentile(small, [25, 75])),
    "quantile": lambda x: np.quantile(x, 0.1, axis=0),
    "quantile of the run": lambda v, one: (np.quantile(v, one), np.quantile(v, one, keepdims=True)),
    "quantile methods": lambda v: [np.quantile(v, [0, 0.1, 0.3, 0.5, 0.8, 0.95, 1], method=m) for m in METHODS],
    "quantile methods even": lambda x: [np.quantile(x, [0.125, 0.25, 0.5, 0.7], 1, method=m) for m in METHODS],
    "quantile of nan": lambda gaps: np.quantile(gaps, [0.2, 0.9], axis=1),
    "nanquantile": lambda gaps: (np.nanquantile(gaps, 0.3), np.nanquantile(gaps, [0.2, 0.9], axis=1)),
    "nanpercentile": lambda gaps: np.nanpercentile(gaps, [50, 60], axis=0, method="hazen", keepdims=True),
    "histogram": lambda x: np.histogram(x),
    "histogram bins": lambda x: np.histogram(x, bins=4, range=(-1, 1)),
    "histogram edges": lambda x, s: (np.histogram(x, bins=s), np.histogram(x, [-1, 0, 0.5, 2])),
    "histogram density": lambda x: np.histogram(x, 5, density=True),
    "histogram weights": lambda x, y: np.histogram(x, 4, weights=y),
    "histogram of counts": lambda n: (np.histogram(n, bins=3), np.histogram(n, [0, 1, 3, 5]),
                                      np.histogram(n, 2, (0, 4))),
    "histogram of one value": lambda one: np.histogram(np.stack([one, one]), 3),
    "histogram of none": lambda v: np.histogram(v[:0], 3),
    "histogram of float32": lambda small: np.histogram(small, 3),
    "histogram_bin_edges": lambda x: (np.histogram_bin_edges(x, 6), np.histogram_bin_edges(x, [0, 1, 2])),
    "histogram2d": lambda x, y: np.histogram2d(np.ravel(x), np.ravel(y), bins=3),
    "histogram2d bins": lambda x, y: np.histogram2d(np.ravel(x), np.ravel(y), [2, 4], [[-1, 1], [-2, 2]], density=True),
    "histogram2d edges": lambda v, w, s: np.histogram2d(v, w, bins=s),
    "histogram2d both": lambda v, w: np.histogram2d(v, w, bins=[2, [-2, 0, 2]], weights=v),
    "histogramdd": lambda tall: np.histogramdd(tall, bins=(2, 3, 2)),
    "histogramdd list": lambda v, w: np.histogramdd([v, w], 2, density=True),
    "bincount weights": lambda n, v: np.bincount(n[:5], weights=v, minlength=8),
    "digitize": lambda x: (np.digitize(x, [-1, 0, 1]), np.digitize(x, [1, 0, -1]), np.digitize(x, [1, 0, -1], True)),
    "digitize ties": lambda n, k: (np.digitize(n, [0, 2, 5]), np.digitize(n, [5, 2, 0]),
                                   np.digitize(k, [4, 3, 1], True)),
    "digitize of the run": lambda x, s: (np.digitize(x, s), np.digitize(x, s[::-1]), np.digitize(s, s, right=True)),
    "cov": lambda x, y: (np.cov(x, y), np.cov(x[0], y[0])),
    "cov weights": lambda x, n: (
        np.cov(x, fweights=n[2:]), np.cov(x, aweights=[1, 2, 3, 4]), np.cov(x, bias=True, fweights=[1, 2, 1, 3],
                                                                           aweights=[0.5, 1, 1, 2])),
    "corrcoef": lambda x, y: (np.corrcoef(x, y), np.corrcoef(x[0], y[1]), np.corrcoef(x[0])),
    "corrcoef columns": lambda x: np.corrcoef(x, rowvar=False),
    "nanargmax": lambda gaps: (np.nanargmax(gaps), np.nanargmax(gaps, axis=1), np.nanargmin(gaps, 0, keepdims=True)),
    "nanargmin of integers": lambda k: np.nanargmin(k, axis=1),
    "cumulative_sum": lambda x: (np.cumulative_sum(x, axis=1), np.cumulative_sum(x, axis=0, include_initial=True)),
    "cumulative_prod": lambda n: (np.cumulative_prod(n), np.cumulative_prod(n, include_initial=True, dtype=float)),
    "average returned": lambda x: np.average(x, axis=1, weights=[1, 2, 3, 4], returned=True),
    "average all returned": lambda x: np.average(x, returned=True),
}  # fmt: skip

SIZES = {"histogramdd"}
SLOPES = {"median", "nanmedian", "quantile", "percentile several", "quantile of the run", "histogram weights", "cov",
          "corrcoef", "histogram2d both", "cumulative_sum", "bincount weights"}  # fmt: skip
