"""The families of operations that are imported late, and which operations each of them holds.

>>> find("segment_sum").name                   # imports runtime.ops.segments if nobody has yet
'segment_sum'

What every program needs is imported by `runtime.ops` at once. The rest waits here for the public name that imports it,
for a gradient rule (`runtime.ops.gradients.ops`), for the text of a graph that names it, or for `load_all`.
"""

from __future__ import annotations

import importlib
from typing import Final

from runtime.ops.record import REGISTRY, Op

__all__ = ["LATE_FAMILIES", "find", "load_all"]

LATE_FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "activations": (
        "elu", "gelu", "leaky_relu", "log_sigmoid", "relu", "relu6", "selu", "softplus", "softsign", "swish",
    ),
    "adjoints": ("add_along_axis", "add_item", "fold_padding", "sum_tiles", "take_along_axis"),
    "bias": ("bias_add",),
    "cells": ("cell_order", "cells_in_order", "cells_in_range", "distinct_cells", "set_operation"),
    "complex_numbers": ("angle", "complex", "conj", "imag", "real"),
    "convolution": ("convolution", "convolution_filter_gradient", "convolution_input_gradient"),
    "counting": ("count_values", "search_rows", "set_order", "unique_in_order"),
    "csv_records": ("decode_csv",),
    "custom": ("custom_gradient", "distinct"),
    "diagonals": ("matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag", "trace"),
    "eigen": ("eig", "eigvals"),
    "einsum": ("einsum",),
    "error_functions": ("erf", "erfc", "erfinv"),
    "example_bytes": ("parse_example",),
    "factors": ("eigh", "eigvalsh", "qr", "svd", "svdvals"),
    "file_bytes": ("read_file", "write_file"),
    "fourier": ("fft", "irfft", "rfft"),
    "gamma": ("digamma", "lgamma", "polygamma"),
    "list_blocks": ("list_repeated", "list_row_sums", "swap_first_axes"),
    "list_rules": (
        "bundle", "list_add", "list_add_rows", "list_at", "list_clear", "list_joined", "list_lengths", "list_put",
        "list_rows_at", "list_sum", "list_take", "unbundle",
    ),
    "matrix": ("cholesky", "matrix_determinant", "matrix_inverse", "matrix_solve"),
    "number_calls": ("exact_sum", "gamma", "in_domain", "integer_call", "round_to"),
    "pooling": ("avg_pool", "avg_pool_gradient", "max_pool", "max_pool_gradient", "max_pool_picked"),
    "pseudo_inverse": ("pseudo_inverse",),
    "random": ("random_categorical", "random_normal", "random_shuffle", "random_truncated_normal", "random_uniform"),
    "raw_bytes": ("decode_base64", "decode_raw", "encode_base64"),
    "recurrence": ("kept_shape", "linear_recurrence"),
    "row_alignment": ("row_places_beside",),
    "row_items": ("row_item_places",),
    "row_places": ("ragged_range", "row_bounds", "row_slices", "value_cells"),
    "row_text": ("ragged_text", "rows_in_brackets"),
    "row_values": ("repeat_rows", "same_rows"),
    "rows": ("lengths_to_row_splits", "row_ids", "row_ids_to_splits", "row_splits_checked"),
    "scatter": (
        "gather_nd", "scatter_nd", "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
        "tensor_scatter_nd_sub", "tensor_scatter_nd_update",
    ),
    "search": ("bincount", "convolve", "searchsorted", "unique_sorted"),
    "sequence_bytes": ("parse_feature_lists",),
    "segment_others": ("segment_others",),
    "segments": (
        "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum", "unsorted_segment_max",
        "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n",
        "unsorted_segment_sum",
    ),
    "slices": ("ensure_shape", "slice"),
    "softmax": (
        "in_top_k", "log_softmax", "sigmoid_cross_entropy_with_logits", "softmax", "softmax_cross_entropy_with_logits",
        "sparse_softmax_cross_entropy_with_logits", "sparse_softmax_errors",
    ),
    "solving": ("slogdet", "triangular_solve"),
    "special": (
        "acosh", "asinh", "atanh", "cbrt", "copysign", "exp2", "fmod", "gcd", "hypot", "lcm", "log10", "log2",
        "logaddexp", "nextafter", "signbit", "trunc",
    ),
    "stateless_random": (
        "stateless_bits", "stateless_categorical", "stateless_normal", "stateless_shuffle",
        "stateless_truncated_normal", "stateless_uniform",
    ),
    "tensor_bytes": ("parse_tensor", "serialize_tensor"),
    "text_calls": ("text_call", "text_pieces"),
    "text_codes": ("unicode_decode", "unicode_encode", "unicode_transcode"),
    "text_elements": (
        "string_concat", "string_length", "string_lower", "string_strip", "string_substr", "string_upper",
    ),
    "text_hashes": ("string_bucket",),
    "text_numbers": ("as_string", "parse_number"),
    "text_parts": ("string_bytes", "string_reduce_join", "string_segment_join", "string_split"),
    "text_patterns": ("string_regex_full_match", "string_regex_replace"),
    "text_templates": ("string_filled_in",),
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
