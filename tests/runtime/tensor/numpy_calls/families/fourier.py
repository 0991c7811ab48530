"""`np.fft`: every transform, sizes, axes, norms."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "fft": lambda v: np.fft.fft(v),
    "fft complex": lambda c: np.fft.fft(c),
    "fft float32": lambda small: np.fft.fft(small),
    "fft integers": lambda k: np.fft.fft(k, axis=0),
    "fft of bools": lambda b: np.fft.fft(b, norm="ortho"),
    "fft longer": lambda x: np.fft.fft(x, 7),
    "fft shorter": lambda x: np.fft.fft(x, n=2, axis=0, norm="forward"),
    "ifft": lambda c: np.fft.ifft(c),
    "ifft longer": lambda c: np.fft.ifft(c, 11, norm="ortho"),
    "ifft forward": lambda x: np.fft.ifft(x, axis=0, norm="forward"),
    "there and back": lambda x: np.fft.ifft(np.fft.fft(x)).real,
    "rfft": lambda v: np.fft.rfft(v),
    "rfft even": lambda x: np.fft.rfft(x, axis=1, norm="ortho"),
    "rfft sizes": lambda cube: (np.fft.rfft(cube, 5, axis=0), np.fft.rfft(cube, 2, -1, "forward")),
    "rfft float32": lambda small: np.fft.rfft(small),
    "irfft": lambda c: np.fft.irfft(c),
    "irfft odd": lambda c: np.fft.irfft(c, 9),
    "irfft axis": lambda z: np.fft.irfft(z, axis=0, norm="ortho"),
    "irfft longer": lambda z: np.fft.irfft(z, n=11, norm="forward"),
    "irfft of reals": lambda x: np.fft.irfft(x),
    "hfft": lambda c: (np.fft.hfft(c), np.fft.hfft(c, 9, norm="ortho"), np.fft.hfft(c, norm="forward")),
    "ihfft": lambda x: (np.fft.ihfft(x), np.fft.ihfft(x, 5, 0, "ortho"), np.fft.ihfft(x, norm="forward")),
    "fft2": lambda cube: np.fft.fft2(cube),
    "fft2 sizes": lambda x: np.fft.fft2(x, s=(2, 6), norm="ortho"),
    "ifft2": lambda z: np.fft.ifft2(z, axes=(0, 1)),
    "fftn": lambda cube: np.fft.fftn(cube),
    "fftn some": lambda cube: np.fft.fftn(cube, s=(-1, 3), axes=(0, 2)),
    "ifftn": lambda cube: np.fft.ifftn(cube, axes=(1,), norm="forward"),
    "rfft2": lambda cube: np.fft.rfft2(cube),
    "rfftn": lambda cube: np.fft.rfftn(cube, norm="ortho"),
    "rfftn sizes": lambda cube: np.fft.rfftn(cube, s=(4, 3), axes=(2, 1)),
    "irfft2": lambda z: np.fft.irfft2(z),
    "irfftn": lambda z: np.fft.irfftn(z, s=(3, 5), axes=(0, 1), norm="forward"),
    "fftshift": lambda x: (np.fft.fftshift(x), np.fft.fftshift(x, axes=1)),
    "ifftshift": lambda v: np.fft.ifftshift(v),
    "ifftshift axes": lambda cube: np.fft.ifftshift(cube, axes=(0, -1)),
    "fftfreq": lambda v: np.fft.fftfreq(len(v), d=0.1),
    "fftfreq of a step": lambda one: (np.fft.fftfreq(6, one), np.fft.rfftfreq(7, d=one)),
    "rfftfreq": lambda c: np.fft.rfftfreq(c.size, 2),
    "power spectrum": lambda long: np.abs(np.fft.rfft(long * np.hanning(16))) ** 2,
    "convolution": lambda v, w: np.fft.irfft(np.fft.rfft(v, 10) * np.fft.rfft(w, 10), 10)[:9],
}  # fmt: skip

SIZES = {"ihfft"}
SLOPES = {"fft longer", "fft complex", "ifft longer", "rfft", "rfft sizes", "irfft odd", "irfft axis", "hfft", "ihfft",
          "rfft2", "irfftn", "power spectrum", "convolution", "fftshift"}  # fmt: skip
UNSEEN = {np.fft.fftfreq, np.fft.rfftfreq}
"""What numpy does not pass on: it takes numbers."""
ALONE = {"fftfreq of a step", "power spectrum"}
"""What takes tensors of another dtype by operators, or is numpy's own eagerly."""
