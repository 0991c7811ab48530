"""numpy's windows of a size that only the run knows, and the Bessel function."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "hanning": lambda n: [np.hanning(n[i]) for i in (1, 2, 5)],
    "hamming": lambda n: [np.hamming(n[i]) for i in (0, 2, 5)],
    "blackman": lambda n: np.blackman(n[2] + 1),
    "bartlett": lambda n: np.bartlett(n[2]),
    "kaiser": lambda n, one: (np.kaiser(n[2], 8.6), np.kaiser(6, one), np.kaiser(n[5], one)),
    "i0": lambda x: np.i0(x),
    "i0 far": lambda v: np.i0(v * 90),
    "a window of a known size": lambda long: long * np.blackman(16),
}

SLOPES = {"i0", "kaiser"}
UNSEEN = {np.hanning, np.hamming, np.blackman, np.bartlett, np.kaiser}
"""What numpy does not pass on: it takes numbers."""
ALONE = {"a window of a known size"}
"""What puts tensors and arrays of float64 together by operators."""
