"""How TensorFlow is asked for what a record does, and where the two differ on purpose.

    peer_of("add")                # tf.add, or tf.math.add, ...
    CALLS["pad"]                  # where the name or the arguments differ: a function of the operands and attributes
    DIFFERENCES["range"]          # why some calls are not compared
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

__all__ = [
    "ALONE", "CALLS", "CLASSES", "DIFFERENCES", "FAMILIES_ALONE", "GRADIENTS", "LAXER", "NO_VERDICT", "REFUSES",
    "SECOND", "peer_of", "same",
]  # fmt: skip

Call = Callable[..., Any]

PLACES: Final = (tf, tf.math, tf.linalg, tf.nn, tf.bitwise)


def peer_of(name: str) -> Call | None:
    """TensorFlow's function for a record; None where it has none."""
    if name in CALLS:
        return CALLS[name]
    if name in ALONE:
        return None
    return next((getattr(place, name) for place in PLACES if hasattr(place, name)), None)


def _pad(tensor: Any, paddings: Any, constant_values: Any, mode: str = "CONSTANT") -> Any:
    return tf.pad(tensor, paddings, mode, constant_values)


def _moved(call: Call, x: Any, axis: int) -> Any:
    """A function of the last axis along another one, of rank 3 at most."""
    return call(x) if axis == -1 else tf.linalg.matrix_transpose(call(tf.linalg.matrix_transpose(x)))


CALLS: Final[dict[str, Call]] = {
    "argwhere": tf.where,
    "einsum": lambda inputs, equation: tf.einsum(equation, *inputs),
    "ensure_shape": lambda x, shape: tf.ensure_shape(x, shape if shape is None else list(shape)),
    "eye": lambda rows, columns, dtype: tf.eye(tf.cast(rows, tf.int32), tf.cast(columns, tf.int32), dtype=dtype),
    "gather": lambda params, indices, axis=0: tf.gather(params, indices, axis=axis),
    "linspace": tf.linspace,
    "matrix_band_part": lambda x, lower, upper: tf.linalg.band_part(
        x, tf.cast(lower, tf.int64), tf.cast(upper, tf.int64)),
    "matrix_determinant": tf.linalg.det,
    "matrix_diag": lambda d, padding, k=0, num_rows=-1, num_cols=-1: tf.linalg.diag(
        d, k=k, num_rows=num_rows, num_cols=num_cols, padding_value=padding),
    "matrix_diag_part": lambda x, k=0: tf.linalg.diag_part(x, k=k),
    "matrix_inverse": tf.linalg.inv,
    "matrix_set_diag": lambda x, d, k=0: tf.linalg.set_diag(x, d, k=k),
    "matrix_solve": tf.linalg.solve,
    "fft": lambda x, axis=-1, inverse=False: _moved(tf.signal.ifft if inverse else tf.signal.fft, x, axis),
    "irfft": lambda x, length, axis=-1: _moved(lambda y: tf.signal.irfft(y, [length]), x, axis),
    "rfft": lambda x, axis=-1: _moved(tf.signal.rfft, x, axis),
    "one_hot": lambda i, depth, on, off, axis=-1: tf.one_hot(i, depth, on, off, axis),
    "pad": _pad,
    "parse_tensor": lambda serialized, out_type=tf.float32: tf.io.parse_tensor(serialized, out_type),
    "serialize_tensor": tf.io.serialize_tensor,
    "pseudo_inverse": lambda a, rcond: tf.linalg.pinv(a, rcond),
    "polygamma": lambda x, order: tf.math.polygamma(tf.constant(order, x.dtype), x),
    "round": tf.round,
    "scatter_nd": lambda i, updates, shape: tf.scatter_nd(i, updates, tf.cast(shape, i.dtype)),
    "search_rows": lambda rows, values, side="left", out_type=tf.int32: tf.searchsorted(rows, values, side, out_type),
    "string_concat": lambda texts, separator="": tf.strings.join(texts, separator),
    "svdvals": lambda x: tf.linalg.svd(x, compute_uv=False),
    "take_along_axis": lambda x, positions, axis=-1: tf.experimental.numpy.take_along_axis(x, positions, axis),
    "unique_in_order": lambda x, out_idx=tf.int32: tf.unique_with_counts(x, out_idx),
}  # fmt: skip
"""By the record: how TensorFlow is called, where it is not a function of the same name with the same arguments."""

_NUMPY: Final = (
    "bincount", "cbrt", "convolve", "copysign", "exp2", "fmod", "gcd", "hypot", "lcm", "log10", "log2", "logaddexp",
    "searchsorted", "signbit", "trunc", "unique_sorted",
)  # fmt: skip

_PARTS: Final = (
    "add_along_axis", "add_item", "avg_pool", "avg_pool_gradient", "convolution", "convolution_filter_gradient",
    "convolution_input_gradient", "count_values", "distinct", "fold_padding", "kept_shape", "linear_recurrence",
    "max_pool", "max_pool_gradient", "max_pool_picked", "segment_others", "set_order",
    "sparse_softmax_errors", "sum_tiles", "sum_to", "swap_first_axes",
)  # fmt: skip

ALONE: Final[dict[str, str]] = {
    **dict.fromkeys(_NUMPY, "functions of numpy, compared with numpy elsewhere"),
    **dict.fromkeys(_PARTS, "what gradients and public functions are made of"),
    **dict.fromkeys(("eig", "eigvals"), "the order of eigenvalues is LAPACK's, compared with numpy elsewhere"),
    **dict.fromkeys(("getitem", "setitem"), "indexing by numpy's rules, compared with numpy elsewhere"),
}
"""Records that TensorFlow has nothing like, and why they are there."""

FAMILIES_ALONE: Final = (
    "cell", "csv_records", "example_bytes", "numbers_in_text", "ragged", "raw_bytes", "row", "sequence_bytes", "set",
    "sparse", "strings", "templates", "text_",
)  # fmt: skip
"""Families (the beginnings of their names) of texts and rows: formats of Python and parts of ragged tensors. Example
messages are compared in test_tensorflow_examples."""

DIFFERENCES: Final[dict[str, str]] = {
    "eigh": "the signs of eigenvectors are free: values and products are compared",
    "svd": "the signs of singular vectors are free: values and products are compared",
    "gelu": "TensorFlow's constants are float32",
    "leaky_relu": "TensorFlow's alpha is float32",
}
"""Results that are compared in another way."""

ROUNDED_BETWEEN: Final = {
    "cumulative_logsumexp", "elu", "gelu", "log_softmax", "reduce_logsumexp", "reduce_std", "reduce_variance", "selu",
    "sparse_softmax_cross_entropy_with_logits", "squared_difference", "swish", "tensor_scatter_nd_add",
    "tensor_scatter_nd_sub", "unsorted_segment_mean", "unsorted_segment_sqrt_n", "unsorted_segment_sum",
}
"""What TensorFlow computes of bfloat16 in several steps, each of which it rounds; here only the result is rounded."""

GRADIENTS: Final[dict[str, str]] = {
    "cumprod of complex128": "TensorFlow leaves out the conjugate",
    "segment_prod of complex128": "TensorFlow leaves out the conjugate",
    "unsorted_segment_prod of complex128": "TensorFlow leaves out the conjugate",
    "matrix_determinant of complex128": "TensorFlow leaves out the conjugate of the determinant",
    "slogdet of complex128": "TensorFlow takes the sign for a constant",
    "squared_difference of complex128": "TensorFlow takes the upstream as real",
    "softmax_cross_entropy_with_logits": "TensorFlow takes it for granted that the labels of a row add up to 1",
    "tensor_scatter_nd_update": "TensorFlow gives updates that others overwrite a gradient, too",
}
"""Gradients that differ, and why; ours are compared with differences elsewhere."""

SECOND: Final[dict[str, str]] = {}
"""Second gradients that differ, and why."""

NO_VERDICT: Final[dict[str, str]] = {
    "NotFoundError": "it has no kernel for the dtype",
    "UnimplementedError": "it has no kernel for the dtypes",
    "AbortedError": "of what it is made of",
    "AttributeError": "an accident in its Python code",
}
"""Errors of TensorFlow that are no answer to the arguments."""

CLASSES: Final[dict[str, str]] = {
    "norm": "the comparison of None with a number is an accident in its Python code",
    "parse_tensor": "DataLossError, as for other corrupt data",
    "take_along_axis": "OutOfRangeError, which is an IndexError as numpy's is",
    "tensordot": "the IndexError is an accident in its Python code",
}
"""Errors of another class, and why."""

LAXER: Final[dict[str, str]] = {
    "range": "a limit on the other side gives nothing, as in Python; TensorFlow raises",
}
"""Calls that work here and raise in TensorFlow, for some samples."""

REFUSES: Final[dict[str, str]] = {
    "boolean_mask: ('mask', 'int32')": "a mask of numbers is a mistake more often than a mask",
    "cholesky: ('not positive definite',)": "TensorFlow gives nan on some processors and raises on others",
    "concat: ('axis 1',)": "of one tensor TensorFlow looks at no axis",
    "imag: ('string',)": "TensorFlow gives zeros for texts",
    "leaky_relu: ('int32', 'runtime.cast')": "the record takes floats; runtime.nn.leaky_relu casts",
    "linspace: ('num', '0')": "TensorFlow gives one number where none are asked for",
    "linspace: ('scalar', '(1,)')": "TensorFlow takes a vector of one number for a number",
    "parse_tensor: ('0 bytes', '[]')": "TensorFlow takes elements that are not there for zeros",
    "qr: ('float16',)": "LAPACK has no half floats",
    "reduce_mean: ('empty',)": "TensorFlow gives 0",
    "stack: ('at least one',)": "TensorFlow gives an empty float32 vector",
    "take_along_axis: ('(2, 3)', '(1, 2)')": "its peer broadcasts positions",
    "triangular_solve: ('singular',)": "TensorFlow gives infinities",
}
"""Error samples that TensorFlow lets pass, by the operation and the words of the error: why they are errors here."""


WIDTHS: Final = {"float16": 4e-3, "float32": 1e-5, "complex64": 1e-5}


def same(name: str, found: list[Any], wanted: list[Any]) -> None:
    """Compares the results of one call. Raises AssertionError."""
    if name in ("eigh", "svd"):
        found, wanted = ([_product(name, r)] for r in (found, wanted))
    loose = 1e-6 if name in ("gelu", "leaky_relu") else 0
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape, (one.dtype, one.shape, other.dtype, other.shape)
        if one.dtype == object or one.dtype.kind in "biu":
            assert one.tolist() == other.tolist()
        elif one.dtype.name == "bfloat16":
            width = 5e-2 if name in ROUNDED_BETWEEN else 2**-7
            np.testing.assert_allclose(one.astype(np.float32), other.astype(np.float32), rtol=width, atol=width / 2)
        else:
            width = WIDTHS.get(one.dtype.name, 1e-10)
            np.testing.assert_allclose(one, other, rtol=width + loose, atol=width)


def _product(name: str, results: list[Any]) -> Any:
    """The matrix that the factors come from."""
    values, left = results[0], results[1]
    right = results[2] if name == "svd" else left
    count = values.shape[-1]
    return (left[..., :count] * values[..., None, :]) @ np.conj(np.swapaxes(right[..., :count], -1, -2))
