"""How JAX is asked for what a record does, and where the two differ on purpose.

    call_of("add")                # jnp.add
    CALLS["gather"]               # where the name or the arguments differ: a function of the operands and attributes

Operands of floats and complex numbers are JAX's arrays, the others numpy's: JAX wants shapes and axes as plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import linalg, special

from tests.peers.jax_names import X64

assert X64

__all__ = ["CALLS", "CONSTANT", "EMPTY", "FAMILIES_ALONE", "NOTHING", "SYMMETRIC", "call_of"]

Call = Callable[..., Any]

PLACES: Final = (jnp, jax.nn, special, lax, jnp.linalg)


def call_of(name: str) -> Call | None:
    """JAX's function for a record; None where it has none."""
    if name in CALLS:
        return CALLS[name]
    if name in NOTHING:
        return None
    return next((getattr(place, name) for place in PLACES if hasattr(place, name)), None)


def _segments(of: Call) -> Call:
    return lambda data, segment_ids: of(data, segment_ids, int(np.max(segment_ids, initial=-1)) + 1)


def _some(of: Call) -> Call:
    return lambda data, segment_ids, num_segments: of(data, segment_ids, int(num_segments))


def _counts(data: Any, ids: Any, count: int) -> Any:
    counted = np.bincount(np.asarray(ids).ravel()[np.asarray(ids).ravel() >= 0], minlength=count)[:count]
    return np.maximum(counted, 1).reshape((count,) + (1,) * (np.ndim(data) - np.ndim(ids)))


def _flat(of: Call) -> Call:
    """With all axes of the ids as one, and nothing for negative ids."""

    def flat(data: Any, ids: Any, count: int) -> Any:
        rows = data.reshape((-1, *data.shape[np.ndim(ids) :]))
        return of(rows, np.where(np.ravel(ids) < 0, count, np.ravel(ids)), count)

    return flat


_sums = _flat(jax.ops.segment_sum)


def _products(data: Any, ids: Any, count: int) -> Any:
    """Product by product: JAX has no gradient for the scattered one."""
    rows, flat = data.reshape((-1, *data.shape[np.ndim(ids) :])), np.ravel(ids)
    return jnp.stack([jnp.prod(rows[flat == i], axis=0) for i in range(count)]) if count else rows[:0]


def _scanned(of: Call, start: float) -> Call:
    """A running reduction, exclusive and from the end."""

    def scanned(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
        x = jnp.flip(x, axis) if reverse else x
        found = of(x, axis=axis)
        if exclusive:
            first = jnp.full_like(lax.slice_in_dim(found, 0, min(1, x.shape[axis]), axis=axis), start)
            found = jnp.concatenate([first, lax.slice_in_dim(found, 0, max(x.shape[axis] - 1, 0), axis=axis)], axis)
        return jnp.flip(found, axis) if reverse else found

    return scanned


def _pad(tensor: Any, paddings: Any, constant_values: Any, mode: str = "CONSTANT") -> Any:
    pairs = [tuple(map(int, pair)) for pair in paddings]
    return jnp.pad(tensor, pairs, mode.lower(), **({"constant_values": constant_values} if mode == "CONSTANT" else {}))


def _split(value: Any, num_or_size_splits: Any, axis: int = 0) -> Any:
    parts = num_or_size_splits
    return jnp.split(value, parts if isinstance(parts, int) else [int(n) for n in np.cumsum(parts)[:-1]], axis)


def _one_hot(indices: Any, depth: Any, on: Any, off: Any, axis: int = -1) -> Any:
    return jnp.where(jax.nn.one_hot(indices, int(depth), axis=axis) == 1, on, off)


def _convolution(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    letters = "DHW"[-len(strides) :]
    names = (f"N{letters}C", f"{letters}IO", f"N{letters}C")
    groups = max(x.shape[-1] // w.shape[-2], 1) if w.shape[-2] else 1
    if not (x.size and w.size):
        return jnp.zeros(jax.eval_shape(lambda a, b: lax.conv_general_dilated(
            a, b, strides, padding, None, dilations, names), x, w).shape, x.dtype)  # fmt: skip
    return lax.conv_general_dilated(x, w, strides, padding, None, dilations, names, groups)


def _convolution_gradient(place: int) -> Call:
    """What JAX's convolution gives an upstream back for its input (0) or its filters (1)."""

    def gradient(first: Any, second: Any, upstream: Any, **window: Any) -> Any:
        sizes, other = (first, second) if place == 0 else (second, first)
        start = jnp.zeros(_shape(sizes), upstream.dtype)
        call = (lambda x: _convolution(x, other, **window)) if place == 0 else (
            lambda w: _convolution(other, w, **window))  # fmt: skip
        return jax.vjp(call, start)[1](upstream)[0]

    return gradient


def _pooled(start: float, of: Call) -> Call:
    def pooled(x: Any, ksize: Any, strides: Any, padding: Any) -> Any:
        window, steps = (1, *ksize, 1), (1, *strides, 1)
        pads = padding if isinstance(padding, str) else ((0, 0), *padding, (0, 0))
        return lax.reduce_window(x, np.asarray(start, x.dtype), of, window, steps, pads)

    return pooled


def _avg_pool(x: Any, **window: Any) -> Any:
    summed = _pooled(0, lax.add)
    return summed(x, **window) / summed(jnp.ones_like(x), **window)


def _scattered(method: str) -> Call:
    def scattered(tensor: Any, indices: Any, updates: Any) -> Any:
        places = tuple(np.moveaxis(np.asarray(indices), -1, 0))
        return getattr(jnp.asarray(tensor).at[places], method)(updates)

    return scattered


def _batched(call: Call, count: int) -> Call:
    for _ in range(count):
        call = jax.vmap(call)
    return call


def _gather_nd(params: Any, indices: Any, batch_dims: int = 0) -> Any:
    def taken(x: Any, i: Any) -> Any:
        return x[tuple(jnp.moveaxis(i, -1, 0))] if i.shape[-1] else jnp.broadcast_to(x, (*i.shape[:-1], *x.shape))

    return _batched(taken, batch_dims)(jnp.asarray(params), indices)


def _by_rows(sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = None) -> Any:
    call = _batched(lambda a, v: jnp.searchsorted(a, v, side), np.ndim(sorted_sequence) - 1)
    return call(sorted_sequence, values).astype(out_type or np.int32)


def _diag(d: Any, padding: Any, k: Any = 0, num_rows: int = -1, num_cols: int = -1) -> Any:
    """Of one diagonal."""
    least = [d.shape[-1] + max(s, 0) for s in (-k, k)]
    square = max(least) if num_rows < 0 and num_cols < 0 else None
    sizes = zip(least, (num_rows, num_cols), strict=True)
    rows, columns = (square or (needed if given < 0 else given) for needed, given in sizes)
    at = np.arange(d.shape[-1])
    empty = jnp.broadcast_to(padding, (*d.shape[:-1], rows, columns))
    return empty.at[..., at - min(k, 0), at + max(k, 0)].set(d)


def _set_diag(x: Any, d: Any, k: Any = 0) -> Any:
    at = np.arange(d.shape[-1])
    return x.at[..., at - min(k, 0), at + max(k, 0)].set(d)


def _band(x: Any, lower: Any, upper: Any) -> Any:
    rows, columns = np.ogrid[: x.shape[-2], : x.shape[-1]]
    kept = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return jnp.where(kept, x, 0)


def _variance(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return jnp.var(x, axis, keepdims=keepdims)


def _no_nan(x: Any, y: Any) -> Any:
    return jnp.where(y == 0, 0, x / jnp.where(y == 0, 1, y))


def _cross_entropy(labels: Any, logits: Any, axis: int = -1) -> Any:
    return -(labels * jax.nn.log_softmax(logits, axis)).sum(axis)


def _sparse_cross_entropy(labels: Any, logits: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1)[..., 0]


def _top_k(x: Any, k: Any) -> Any:
    return lax.top_k(x, int(k))


def _shape(dims: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in dims)


CALLS: Final[dict[str, Call]] = {
    "acos": jnp.arccos, "acosh": jnp.arccosh, "asin": jnp.arcsin, "asinh": jnp.arcsinh, "atan": jnp.arctan,
    "atan2": jnp.arctan2, "atanh": jnp.arctanh,
    "add_n": lambda inputs: sum(inputs[1:], inputs[0]),
    "argmax": lambda x, axis, output_type: jnp.argmax(x, axis or 0).astype(output_type),
    "argmin": lambda x, axis, output_type: jnp.argmin(x, axis or 0).astype(output_type),
    "argsort": lambda x, axis, direction: jnp.argsort(x, axis, descending=direction == "DESCENDING").astype(np.int32),
    "argwhere": lambda x: jnp.argwhere(x).astype(np.int64),
    "bias_add": jnp.add,
    "boolean_mask": lambda x, mask, axis=0: x[(slice(None),) * axis + (np.asarray(mask),)],
    "broadcast_to": lambda x, shape: jnp.broadcast_to(x, _shape(shape)),
    "swap_first_axes": lambda x: jnp.swapaxes(x, 0, 1),
    "cast": lambda x, dtype: (jnp.real(x) if x.dtype.kind == "c" and dtype.kind in "fiu" else x).astype(dtype),
    "cholesky": jnp.linalg.cholesky,
    "clip_by_value": lambda x, least, most: jnp.minimum(jnp.maximum(x, least), most),
    "complex": lambda real, imag: lax.complex(*jnp.broadcast_arrays(real, imag)),
    "concat": lambda values, axis: jnp.concatenate(values, axis),
    "convolution": _convolution, "convolution_filter_gradient": _convolution_gradient(1),
    "convolution_input_gradient": _convolution_gradient(0),
    "avg_pool": _avg_pool, "max_pool": _pooled(-np.inf, lax.max),
    "count_nonzero": lambda x, axis=None, keepdims=False: jnp.count_nonzero(x, axis, keepdims=keepdims).astype("int64"),
    "cumprod": _scanned(jnp.cumprod, 1), "cumsum": _scanned(jnp.cumsum, 0),
    "cumulative_logsumexp": _scanned(lax.cumlogsumexp, -np.inf),
    "divide_no_nan": _no_nan,
    "eigh": lambda x: tuple(jnp.linalg.eigh(x)), "eigvalsh": lambda x: jnp.linalg.eigvalsh(x).astype(x.dtype),
    "einsum": lambda inputs, equation: jnp.einsum(equation, *inputs),
    "erfinv": special.erfinv,
    "expand_dims": jnp.expand_dims,
    "eye": lambda rows, columns, dtype: jnp.eye(int(rows), int(columns), dtype=dtype),
    "fill": lambda dims, value: jnp.full(_shape(dims), value),
    "floordiv": jnp.floor_divide, "floormod": jnp.mod,
    "gather": lambda params, indices, axis=0: jnp.take(params, indices, axis),
    "gather_nd": _gather_nd,
    "gelu": lambda x, approximate=False: jax.nn.gelu(x, approximate),
    "identity": lambda x: x, "stop_gradient": lax.stop_gradient,
    "is_finite": jnp.isfinite, "is_inf": jnp.isinf, "is_nan": jnp.isnan, "invert": jnp.bitwise_not,
    "leaky_relu": lambda x, alpha=0.2: jax.nn.leaky_relu(x, alpha),
    "lgamma": special.gammaln,
    "linspace": lambda start, stop, num: jnp.linspace(start, stop, int(num)),
    "logsumexp": special.logsumexp,
    "log_sigmoid": jax.nn.log_sigmoid,
    "matmul": lambda a, b, transpose_a=False, transpose_b=False: jnp.matmul(
        a.swapaxes(-1, -2) if transpose_a else a, b.swapaxes(-1, -2) if transpose_b else b),
    "matrix_band_part": _band, "matrix_determinant": jnp.linalg.det, "matrix_inverse": jnp.linalg.inv,
    "matrix_diag": _diag, "matrix_set_diag": _set_diag,
    "matrix_diag_part": lambda x, k=0: jnp.diagonal(x, k, -2, -1),
    "matrix_solve": jnp.linalg.solve,
    "norm": lambda x, ord="euclidean", axis=None, keepdims=False: jnp.linalg.norm(
        x if axis is not None else x.reshape(-1), None if ord == "euclidean" else ord, axis, keepdims=keepdims).reshape(
            (1,) * x.ndim if keepdims and axis is None else np.sum(x, axis, keepdims=keepdims).shape).astype(
                x.dtype if ord == "euclidean" else x.real.dtype),
    "one_hot": _one_hot,
    "ones": lambda shape, dtype: jnp.ones(_shape(shape), dtype),
    "pad": _pad,
    "polygamma": lambda x, order: special.polygamma(order, x),
    "pow": jnp.power,
    "qr": lambda x, full_matrices: tuple(jnp.linalg.qr(x, "complete" if full_matrices else "reduced")),
    "range": lambda start, limit, delta: jnp.arange(start, limit, delta),
    "reduce_all": jnp.all, "reduce_any": jnp.any, "reduce_max": jnp.max, "reduce_min": jnp.min,
    "reduce_mean": jnp.mean, "reduce_std": lambda *x, **a: jnp.sqrt(_variance(*x, **a)), "reduce_variance": _variance,
    "reduce_prod": lambda x, axis=None, keepdims=False: jnp.prod(x, axis, x.dtype, keepdims=keepdims),
    "reduce_sum": lambda x, axis=None, keepdims=False: jnp.sum(x, axis, x.dtype, keepdims=keepdims),
    "reduce_logsumexp": special.logsumexp,
    "reshape": lambda x, shape: jnp.reshape(x, _shape(shape)),
    "reverse": jnp.flip,
    "round": jnp.round,
    "rsqrt": lax.rsqrt,
    "scatter_nd": lambda i, updates, shape: _scattered("add")(jnp.zeros(_shape(shape), updates.dtype), i, updates),
    "search_rows": _by_rows,
    "segment_sum": _segments(_sums), "segment_max": _segments(jax.ops.segment_max),
    "segment_min": _segments(jax.ops.segment_min), "segment_prod": _segments(_products),
    "segment_mean": _segments(lambda x, i, n: _sums(x, i, n) / _counts(x, i, n)),
    "sigmoid_cross_entropy_with_logits": lambda labels, logits: (
        jnp.maximum(logits, 0) - logits * labels + jnp.log1p(jnp.exp(-jnp.abs(logits)))),
    "slice": lambda x, begin, size: lax.dynamic_slice(
        x, begin, [n - b if s < 0 else int(s) for n, b, s in zip(x.shape, begin, size, strict=True)]),
    "softmax_cross_entropy_with_logits": _cross_entropy, "softsign": jax.nn.soft_sign,
    "sort": lambda x, axis, direction: jnp.sort(x, axis, descending=direction == "DESCENDING"),
    "sparse_softmax_cross_entropy_with_logits": _sparse_cross_entropy,
    "split": _split,
    "squared_difference": lambda x, y: (x - y) * jnp.conj(x - y),
    "slogdet": lambda x: (lambda found: (found[0], found[1].astype(x.dtype)))(jnp.linalg.slogdet(x)),
    "svd": lambda x, full_matrices: (lambda u, s, v: (s, u, jnp.conj(v).swapaxes(-1, -2)))(
        *jnp.linalg.svd(x, full_matrices)),
    "svdvals": lambda x: jnp.linalg.svd(x, compute_uv=False),
    "swish": lambda x, beta=1.0: x * jax.nn.sigmoid(beta * x),
    "take_along_axis": lambda x, positions, axis=-1: jnp.take_along_axis(x, positions, axis),
    "fft": lambda x, axis=-1, inverse=False: (jnp.fft.ifft if inverse else jnp.fft.fft)(x, axis=axis),
    "rfft": lambda x, axis=-1: jnp.fft.rfft(x, axis=axis),
    "irfft": lambda x, length, axis=-1: jnp.fft.irfft(x, int(length), axis=axis),
    "pseudo_inverse": lambda a, rcond: jnp.linalg.pinv(a, rcond),
    **{f"tensor_scatter_nd_{ours}": _scattered(theirs) for ours, theirs in (
        ("add", "add"), ("sub", "subtract"), ("max", "max"), ("min", "min"), ("update", "set"))},
    "tensordot": lambda a, b, axes: jnp.tensordot(a, b, axes),
    "tile": lambda x, multiples: jnp.tile(x, _shape(multiples)),
    "top_k": _top_k,
    "trace": lambda x: jnp.trace(x, axis1=-2, axis2=-1),
    "transpose": lambda x, perm=None: jnp.transpose(x, perm),
    "triangular_solve": lambda m, rhs, lower=True, adjoint=False: linalg.solve_triangular(
        m, rhs, "C" if adjoint else "N", lower),
    "unsorted_segment_max": _some(_flat(jax.ops.segment_max)),
    "unsorted_segment_min": _some(_flat(jax.ops.segment_min)),
    "unsorted_segment_sum": _some(_sums), "unsorted_segment_prod": _some(_products),
    "unsorted_segment_mean": _some(lambda x, i, n: _sums(x, i, n) / _counts(x, i, n)),
    "unsorted_segment_sqrt_n": _some(lambda x, i, n: _sums(x, i, n) / np.sqrt(_counts(x, i, n))),
    "unstack": lambda x, num=None, axis=0: [lax.index_in_dim(x, i, axis, False) for i in range(x.shape[axis])],
    "zeros": lambda shape, dtype: jnp.zeros(_shape(shape), dtype),
}  # fmt: skip
"""By the record: how JAX is called, where it is not a function of the same name with the same arguments."""

_PARTS: Final = (
    "add_along_axis", "add_item", "avg_pool_gradient", "bincount", "fold_padding", "kept_shape", "linear_recurrence",
    "max_pool_gradient", "max_pool_picked", "segment_others", "set_order",
    "sparse_softmax_errors", "sum_tiles", "sum_to",
)  # fmt: skip

NOTHING: Final[dict[str, str]] = {
    **dict.fromkeys(_PARTS, "what gradients and public functions are made of"),
    **dict.fromkeys(("count_values", "distinct", "unique_in_order", "unique_sorted", "in_top_k"),
                    "no gradient; TensorFlow or numpy judges the values"),
    **dict.fromkeys(("eig", "eigvals"), "JAX's vectors have another phase; compared with numpy elsewhere"),
    **dict.fromkeys(("getitem", "setitem"), "indexing by numpy's rules, compared with numpy elsewhere"),
    **dict.fromkeys(("ensure_shape", "rank", "shape", "size"), "shapes are no arrays in JAX"),
    **dict.fromkeys(("as_string", "parse_number", "parse_tensor", "serialize_tensor"), "JAX has no texts"),
}  # fmt: skip
"""Records that are not asked of JAX, and why."""

FAMILIES_ALONE: Final = (
    "cell", "csv_records", "example_bytes", "numbers_in_text", "raw_bytes", "row", "sequence_bytes", "set", "strings",
    "templates", "tensor_bytes", "text_",
)  # fmt: skip
"""Families (the beginnings of their names) of texts and of rows of several lengths, which JAX has not."""

EMPTY: Final = {"segment_max", "segment_min", "unsorted_segment_max", "unsorted_segment_min"}
"""What an empty segment gives is infinite in JAX; here it is TensorFlow's: 0, or the extreme of the dtype."""

CONSTANT: Final = {"sign"}
"""What JAX gives no gradient: the sign of a complex number, which turns with it."""

SYMMETRIC: Final = {"eigvalsh"}
"""JAX's gradient is that of both triangles, ours of the one that is read."""
