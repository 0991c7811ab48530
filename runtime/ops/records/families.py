"""The families of operations that are imported late, and which operations each of them holds.

>>> find("segment_sum").name                   # imports runtime.ops.reductions.segments if nobody has yet
'segment_sum'

What every program needs is imported by `runtime.ops` at once. The rest waits here for the public name that imports it,
for a gradient rule (`runtime.ops.records.gradients.ops`), for the text of a graph that names it, or for `load_all`.
"""

from __future__ import annotations

import importlib
from typing import Final

from runtime.ops.records.record import REGISTRY, Op

__all__ = ["LATE_FAMILIES", "find", "load_all"]

LATE_FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "arrays.adjoints": ("add_along_axis", "add_item", "fold_padding", "sum_tiles", "take_along_axis"),
    "arrays.scatter": (
        "gather_nd", "scatter_nd", "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
        "tensor_scatter_nd_sub", "tensor_scatter_nd_update",
    ),
    "arrays.slices": ("ensure_shape", "slice"),
    "elementwise.bits": ("bitcast",),
    "elementwise.complex_numbers": ("angle", "complex", "conj", "imag", "real"),
    "elementwise.error_functions": ("erf", "erfc", "erfinv"),
    "elementwise.gamma": ("digamma", "lgamma", "polygamma"),
    "elementwise.number_calls": ("exact_sum", "gamma", "in_domain", "integer_call", "round_to"),
    "elementwise.special": (
        "acosh", "asinh", "atanh", "cbrt", "copysign", "exp2", "fmod", "gcd", "hypot", "lcm", "log10", "log2",
        "logaddexp", "nextafter", "signbit", "trunc",
    ),
    "files.csv_records": ("decode_csv",),
    "files.example_bytes": ("parse_example",),
    "files.file_bytes": ("read_file", "write_file"),
    "files.raw_bytes": ("decode_base64", "decode_raw", "encode_base64"),
    "files.sequence_bytes": ("parse_feature_lists",),
    "files.tensor_bytes": ("parse_tensor", "serialize_tensor"),
    "flow.custom": ("custom_gradient", "distinct"),
    "linear.diagonals": ("matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag", "trace"),
    "linear.eigen": ("eig", "eigvals"),
    "linear.einsum": ("einsum",),
    "linear.factors": ("eigh", "eigvalsh", "qr", "svd", "svdvals"),
    "linear.fourier": ("fft", "irfft", "rfft"),
    "linear.pseudo_inverse": ("pseudo_inverse",),
    "linear.solving": ("slogdet", "triangular_solve"),
    "linear.square": ("cholesky", "matrix_determinant", "matrix_inverse", "matrix_solve"),
    "lists.blocks": ("list_repeated", "list_row_sums", "swap_first_axes"),
    "lists.rules": (
        "bundle", "list_add", "list_add_rows", "list_at", "list_clear", "list_joined", "list_lengths", "list_put",
        "list_rows_at", "list_sum", "list_take", "unbundle",
    ),
    "networks.activations": (
        "elu", "gelu", "leaky_relu", "log_sigmoid", "relu", "relu6", "selu", "softplus", "softsign", "swish",
    ),
    "networks.bias": ("bias_add",),
    "networks.convolution": ("convolution", "convolution_filter_gradient", "convolution_input_gradient"),
    "networks.pooling": ("avg_pool", "avg_pool_gradient", "max_pool", "max_pool_gradient", "max_pool_picked"),
    "networks.softmax": (
        "in_top_k", "log_softmax", "sigmoid_cross_entropy_with_logits", "softmax", "softmax_cross_entropy_with_logits",
        "sparse_softmax_cross_entropy_with_logits", "sparse_softmax_errors",
    ),
    "random.random": (
        "random_categorical", "random_normal", "random_shuffle", "random_truncated_normal", "random_uniform",
    ),
    "random.stateless": (
        "stateless_bits", "stateless_categorical", "stateless_normal", "stateless_shuffle",
        "stateless_truncated_normal", "stateless_uniform",
    ),
    "reductions.counting": ("count_values", "search_rows", "set_order", "unique_in_order"),
    "reductions.recurrence": ("kept_shape", "linear_recurrence"),
    "reductions.search": ("bincount", "convolve", "searchsorted", "unique_sorted"),
    "reductions.segment_others": ("segment_others",),
    "reductions.segments": (
        "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum", "unsorted_segment_max",
        "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n",
        "unsorted_segment_sum",
    ),
    "rows.alignment": ("row_places_beside",),
    "rows.cells": ("cell_order", "cells_in_order", "cells_in_range", "distinct_cells", "set_operation"),
    "rows.items": ("row_item_places",),
    "rows.places": ("ragged_range", "row_bounds", "row_slices", "value_cells"),
    "rows.rows": ("lengths_to_row_splits", "row_ids", "row_ids_to_splits", "row_splits_checked"),
    "rows.text": ("ragged_text", "rows_in_brackets"),
    "rows.values": ("repeat_rows", "same_rows"),
    "text.calls": ("text_call", "text_pieces"),
    "text.codes": ("unicode_decode", "unicode_encode", "unicode_transcode"),
    "text.elements": (
        "string_concat", "string_length", "string_lower", "string_strip", "string_substr", "string_upper",
    ),
    "text.filled_in": ("string_filled_in",),
    "text.hashes": ("string_bucket",),
    "text.numbers": ("as_string", "parse_number"),
    "text.parts": ("string_bytes", "string_reduce_join", "string_segment_join", "string_split"),
    "text.patterns": ("string_regex_full_match", "string_regex_replace"),
}  # fmt: skip
"""Operations by the module of runtime.ops that defines them."""

_FAMILY_OF: Final = {name: family for family, names in LATE_FAMILIES.items() for name in names}


def find(name: str) -> Op | None:
    """The operation of this name, whose family is imported if need be; None if there is none."""
    found = REGISTRY.get(name)
    if found is None and name in _FAMILY_OF:
        importlib.import_module(f"runtime.ops.{_FAMILY_OF[name]}")
        found = REGISTRY.get(name)
    return found


def load_all() -> dict[str, Op]:
    """The registry with every operation in it."""
    for family in LATE_FAMILIES:
        importlib.import_module(f"runtime.ops.{family}")
    return REGISTRY
