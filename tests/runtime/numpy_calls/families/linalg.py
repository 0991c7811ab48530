"""`np.linalg`: decompositions, norms, equations."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS: dict[str, Any] = {
    "eigh": lambda p: np.linalg.eigh(p),
    "eigh upper": lambda m: np.linalg.eigh(m, UPLO="U"),
    "eigh complex": lambda z: np.linalg.eigh(z),
    "eigvalsh": lambda p: np.linalg.eigvalsh(p),
    "eigvalsh upper": lambda z: np.linalg.eigvalsh(z, "U"),
    "eig": lambda m: np.linalg.eig(m),
    "eig by name": lambda z: np.linalg.eig(z).eigenvectors,
    "eigvals": lambda batch: np.linalg.eigvals(batch),
    "svd": lambda tall: np.linalg.svd(tall),
    "svd thin": lambda tall: np.linalg.svd(tall, full_matrices=False),
    "svd wide": lambda x: np.linalg.svd(x, False).Vh,
    "svd complex": lambda z: np.linalg.svd(z)[1],
    "svd values": lambda x: np.linalg.svd(x, compute_uv=False),
    "svdvals": lambda x: np.linalg.svdvals(x),
    "qr": lambda tall: np.linalg.qr(tall),
    "qr complete": lambda tall: np.linalg.qr(tall, "complete"),
    "qr r": lambda x: np.linalg.qr(x, mode="r"),
    "pinv": lambda tall: np.linalg.pinv(tall),
    "pinv wide": lambda x: np.linalg.pinv(x, rcond=0.1),
    "pinv of a flat one": lambda v, w: np.linalg.pinv(np.outer(v, w), rtol=None),
    "pinv complex": lambda z: np.linalg.pinv(z),
    "lstsq": lambda tall, v: np.linalg.lstsq(tall, v, rcond=None),
    "lstsq columns": lambda tall, v, w: np.linalg.lstsq(tall, np.stack([v, w], 1)),
    "lstsq wide": lambda x: np.linalg.lstsq(x, x[:, 0], rcond=-1),
    "lstsq flat": lambda v, w: np.linalg.lstsq(np.stack([v, 2 * v], 1), w, rcond=None),
    "slogdet": lambda batch: np.linalg.slogdet(batch),
    "slogdet complex": lambda z: np.linalg.slogdet(z).logabsdet,
    "det": lambda batch: np.linalg.det(batch),
    "inv": lambda z: np.linalg.inv(z),
    "rank": lambda tall: np.linalg.matrix_rank(tall),
    "rank of a flat one": lambda v, w: np.linalg.matrix_rank(np.outer(v, w)),
    "rank with tol": lambda batch: np.linalg.matrix_rank(batch, tol=1.5),
    "rank rtol": lambda batch: np.linalg.matrix_rank(batch, rtol=[0.5, 0.1]),
    "rank vector": lambda v: np.linalg.matrix_rank(v),
    "cond": lambda m: np.linalg.cond(m),
    "cond -2": lambda batch: np.linalg.cond(batch, -2),
    "cond 1": lambda m: np.linalg.cond(m, 1),
    "cond fro": lambda m: np.linalg.cond(m, "fro"),
    "tensorsolve": lambda long: np.linalg.tensorsolve(np.reshape(long, (2, 2, 4)) + np.eye(4).reshape(2, 2, 4),
                                                      np.reshape(long[:4], (2, 2))),
    "tensorsolve axes": lambda long: np.linalg.tensorsolve(
        np.moveaxis(np.reshape(long, (2, 2, 4)) + np.eye(4).reshape(2, 2, 4), 2, 0), np.reshape(long[:4], (2, 2)),
        axes=(0,)),
    "tensorinv": lambda long: np.linalg.tensorinv(np.reshape(long, (2, 2, 4))),
    "tensorinv one": lambda m: np.linalg.tensorinv(np.reshape(m, (3, 3, 1)), ind=1),
    "norm": lambda cube: np.linalg.norm(cube),
    "norm keepdims": lambda cube: np.linalg.norm(cube, keepdims=True),
    "norm complex": lambda z: np.linalg.norm(z),
    "norm nuc": lambda x: np.linalg.norm(x, "nuc"),
    "norm nuc axes": lambda cube: np.linalg.norm(cube, "nuc", axis=(0, 2), keepdims=True),
    "norm 2": lambda x: np.linalg.norm(x, 2),
    "norm -2": lambda cube: np.linalg.norm(cube, -2, axis=(1, 2)),
    "norm rows": lambda x: np.linalg.norm(x, -np.inf),
    "norm columns": lambda x: np.linalg.norm(x, -1, keepdims=True),
    "norm 3": lambda x: np.linalg.norm(x, 3, axis=1),
    "norm half": lambda z: np.linalg.norm(z, 0.5, axis=(0,)),
    "norm 0": lambda k: np.linalg.norm(k, 0, axis=1),
    "norm fro": lambda cube: np.linalg.norm(cube, "fro", (0, -1), True),
    "vector_norm": lambda cube: np.linalg.vector_norm(cube, axis=(0, 2), keepdims=True),
    "vector_norm all": lambda x: np.linalg.vector_norm(x, ord=1),
    "vector_norm axis": lambda x: np.linalg.vector_norm(x, axis=0, ord=np.inf),
    "matrix_norm": lambda cube: np.linalg.matrix_norm(cube),
    "matrix_norm nuc": lambda cube: np.linalg.matrix_norm(cube, ord="nuc", keepdims=True),
    "diagonal": lambda batch: np.linalg.diagonal(batch, offset=1),
    "trace": lambda batch: np.linalg.trace(batch),
    "linalg.cross": lambda tall: np.linalg.cross(tall, tall[::-1]),
    "linalg.outer": lambda v, w: np.linalg.outer(v, w),
    "linalg.tensordot": lambda x, y: np.linalg.tensordot(x, y, axes=((0,), (0,))),
    "linalg.matmul": lambda x, y: np.linalg.matmul(x, np.linalg.matrix_transpose(y)),
    "linalg.vecdot": lambda x, y: np.linalg.vecdot(x, y, axis=0),
}  # fmt: skip

COMPLEX = {"eig", "eig by name", "eigvals"}
SIZES = {"tensorsolve", "tensorsolve axes", "tensorinv", "tensorinv one", "linalg.cross"}
SLOPES = {"pinv", "lstsq", "norm nuc", "cond", "cond 1", "tensorsolve", "eigvals", "svdvals", "vector_norm"}
ALONE = {"tensorsolve", "tensorsolve axes"}
"""What puts tensors and arrays of float64 together by operators."""
