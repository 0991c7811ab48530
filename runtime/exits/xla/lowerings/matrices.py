"""Products of matrices, systems of equations, factorisations, transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.exits.xla.library import jax, jnp
from runtime.exits.xla.rules import known, lowers
from runtime.ops.records.gradients import ops

__all__: list[str] = []


def _turned(x: Any) -> Any:
    return jnp.swapaxes(x, -1, -2)


@lowers(ops.matmul)
def _(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    return jnp.matmul(_turned(a) if transpose_a else a, _turned(b) if transpose_b else b)


@lowers(ops.tensordot)
def _(a: Any, b: Any, axes: Any) -> Any:
    return jnp.tensordot(a, b, axes)


@lowers(ops.einsum)
def _(inputs: Any, equation: str) -> Any:
    return jnp.einsum(equation, *inputs)


@lowers(ops.matrix_inverse)
def _(matrix: Any) -> Any:
    return jnp.linalg.inv(matrix)


@lowers(ops.matrix_determinant)
def _(input: Any) -> Any:
    return jnp.linalg.det(input)


@lowers(ops.slogdet)
def _(input: Any) -> Any:
    return tuple(jnp.linalg.slogdet(input))


@lowers(ops.matrix_solve)
def _(matrix: Any, rhs: Any) -> Any:
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    wide = [jnp.broadcast_to(x, batch + x.shape[-2:]) for x in (matrix, rhs)]
    return jnp.linalg.solve(*wide)


@lowers(ops.triangular_solve)
def _(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    wide = [jnp.broadcast_to(x, batch + x.shape[-2:]) for x in (matrix, rhs)]
    return jax.scipy.linalg.solve_triangular(*wide, lower=lower, trans="C" if adjoint else "N")


@lowers(ops.cholesky)
def _(input: Any) -> Any:
    return jnp.tril(jax.lax.linalg.cholesky(input, symmetrize_input=False))


@lowers(ops.qr)
def _(input: Any, full_matrices: bool) -> Any:
    return tuple(jnp.linalg.qr(input, "complete" if full_matrices else "reduced"))


@lowers(ops.svd)
def _(tensor: Any, full_matrices: bool) -> Any:
    u, s, vh = jnp.linalg.svd(tensor, full_matrices=full_matrices)
    return s, u, jnp.conj(_turned(vh))


@lowers(ops.svdvals)
def _(tensor: Any) -> Any:
    return jnp.linalg.svd(tensor, compute_uv=False)


@lowers(ops.eigh)
def _(tensor: Any) -> Any:
    return tuple(jnp.linalg.eigh(tensor, UPLO="L", symmetrize_input=False))


@lowers(ops.eigvalsh)
def _(tensor: Any) -> Any:
    return jnp.linalg.eigh(tensor, UPLO="L", symmetrize_input=False)[0]


@lowers(ops.pseudo_inverse)
def _(matrix: Any, rcond: Any) -> Any:
    return jnp.linalg.pinv(matrix, rtol=rcond)


@lowers(ops.fft)
def _(input: Any, axis: int, inverse: bool) -> Any:
    return (jnp.fft.ifft if inverse else jnp.fft.fft)(input, axis=axis)


@lowers(ops.rfft)
def _(input: Any, axis: int) -> Any:
    return jnp.fft.rfft(input, axis=axis)


@lowers(ops.irfft)
def _(input: Any, length: Any, axis: int) -> Any:
    return jnp.fft.irfft(input, n=int(known(length, "how many numbers there are")), axis=axis)


@lowers(ops.matrix_set_diag)
def _(input: Any, diagonal: Any, k: int) -> Any:
    places = np.arange(diagonal.shape[-1])
    return jnp.asarray(input).at[..., places + max(-k, 0), places + max(k, 0)].set(diagonal)
