"""Which operations can raise when a graph runs, and what: `try` catches them, and nothing drops them inside of it.

>>> exceptions_of(graph.get_operation_by_name("floordiv"))
(<class 'DivisionByZeroError'>,)

An operation whose operands have wholly known shapes has been checked while the graph was built, unless values decide.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from runtime.errors import (
    DataLossError,
    DivisionByZeroError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    ShapeMismatchError,
)
from runtime.graph.documented import raised_for_values
from runtime.graph.operation import Operation
from runtime.ops.check import EXCEPTIONS, check
from runtime.ops.core import constant_node, identity, placeholder
from runtime.ops.exceptions import resolve_class
from runtime.ops.output import STREAMS, print_
from runtime.ops.raising import raise_, reraise
from runtime.ops.state import WRITES
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["exceptions_of", "may_raise"]

Kinds = tuple[type[BaseException], ...]

_SHAPES: Final = (InvalidArgumentError, ShapeMismatchError)
"""What an operation raises whose operands have shapes that do not fit."""

_ANY_DTYPE: Final = (
    "argmax", "argmin", "avg_pool_gradient", "bincount", "boolean_mask", "broadcast_to", "cholesky",
    "convolution_filter_gradient", "convolution_input_gradient", "eye", "fill", "gather", "invert_matrix", "linspace",
    "matrix_inverse", "matrix_solve", "one_hot", "ones", "pad", "random_categorical", "random_normal",
    "random_truncated_normal", "random_uniform", "range", "reduce_max", "reduce_mean", "reduce_min", "reshape", "roll",
    "scatter_nd_variable", "scatter_variable", "solve", "sparse_softmax_cross_entropy_with_logits",
    "sparse_softmax_errors", "split", "stateless_bits", "stateless_categorical", "stateless_normal",
    "stateless_truncated_normal", "stateless_uniform", "sum_to", "tile", "top_k", "unstack", "zeros",
)  # fmt: skip

_OF_ROWS: Final = (
    "cells_in_order", "cells_in_range", "lengths_to_row_splits", "ragged_range", "repeat_rows", "row_ids_to_splits",
    "row_item_places", "row_places_beside", "row_splits_checked", "same_rows", "value_cells",
)  # fmt: skip
"""Operations behind ragged and sparse tensors that check what they are given."""

_OF_TEXT: Final = (
    "decode_base64", "decode_csv", "decode_raw", "parse_number", "string_regex_full_match", "string_regex_replace",
    "string_segment_join", "string_substr", "unicode_decode", "unicode_encode", "unicode_transcode",
)  # fmt: skip

_OF_INTEGERS: Final = {
    "cast": (InvalidArgumentError,),
    "floordiv": (DivisionByZeroError,),
    "floormod": (DivisionByZeroError,),
    "fmod": (DivisionByZeroError,),
    "left_shift": (InvalidArgumentError,),
    "pow": (InvalidArgumentError,),
    "right_shift": (InvalidArgumentError,),
}
"""What operations raise for some values, element by element, if one of their operands is a tensor of integers."""

_BY_VALUE: Final[dict[str, Kinds]] = {
    **dict.fromkeys((*_ANY_DTYPE, *_OF_ROWS, *_OF_TEXT), _SHAPES),
    "array_concat": _SHAPES,
    "array_gather": (*_SHAPES, OutOfRangeError),
    "array_new": _SHAPES,
    "array_read": (*_SHAPES, OutOfRangeError),
    "array_scatter": (*_SHAPES, OutOfRangeError),
    "array_split": (*_SHAPES, OutOfRangeError),
    "array_stack": _SHAPES,
    "array_write": (*_SHAPES, OutOfRangeError),
    "check_finite": (InvalidArgumentError,),
    "getitem": (*_SHAPES, OutOfRangeError),
    "list_get": (*_SHAPES, IndexError),
    "list_insert": (*_SHAPES, IndexError),
    "list_pop": (*_SHAPES, IndexError),
    "list_set": (*_SHAPES, IndexError),
    "list_stack": _SHAPES,
    "parse_example": _SHAPES,
    "parse_feature_lists": _SHAPES,
    "parse_tensor": (DataLossError, InvalidArgumentError),
    "read_file": (NotFoundError, FailedPreconditionError, InvalidArgumentError),
    "row_bounds": (*_SHAPES, OutOfRangeError),
    "setitem": (*_SHAPES, OutOfRangeError),
    "setitem_variable": (*_SHAPES, OutOfRangeError),
    "string_template": (IndexError, KeyError, TypeError, ValueError),
    "string_to_number": (ValueError,),
    "write_file": (FailedPreconditionError, InvalidArgumentError),
}
"""What operations raise that refuse some values of operands whose types fit."""

_INDICES: Final = {"getitem": 1, "setitem": 2}
"""From which operand on there are indices."""

_NEVER: Final = frozenset(
    {
        "caught", "caught_part", "caught_text", "list_length", "list_new", "list_push", "memo_get", "memo_has",
        "memo_new", "memo_set", "print", "rank", "shape", "size", "stop_gradient",
    }
)  # fmt: skip

_ELEMENTWISE: Final = frozenset({"clip_by_value", "divide", "where", *_OF_INTEGERS})

_ANYTHING: Final = (BaseException,)

_RUN_CODE: Final = frozenset({"call", "dataset", "dataset_iterator", "dataset_more", "dataset_next", "py_function"})
"""Operations that run code of the program: it can raise anything."""


def may_raise(operation: Operation) -> bool:
    """Whether the operation itself (not a graph inside of it) can raise when it runs."""
    return bool(exceptions_of(operation))


def exceptions_of(operation: Operation) -> Kinds:
    """The classes of the exceptions that the operation itself can raise; BaseException where they are not known."""
    op = operation.op
    if op is raise_:
        kind = operation.attributes["error"].parts[0]
        return _ANYTHING if isinstance(kind, int) else (resolve_class(kind),)
    if op is check:
        return (EXCEPTIONS[operation.attributes["exception"]], *_of_condition(operation))
    if op is reraise or op.name in _RUN_CODE:
        return _ANYTHING
    if op is print_ and operation.attributes["stream"] not in STREAMS:
        return _ANYTHING
    if op in (placeholder, constant_node, identity) or op.name in _NEVER or operation.subgraphs:
        return ()
    by_value = _BY_VALUE.get(op.name)
    if by_value is not None:
        return () if _is_a_known_place(operation) else by_value
    if op in WRITES and not operation.attributes["shape"].is_fully_defined():
        return _SHAPES
    if op.name == "string_format":
        return (*_SHAPES, TypeError, ValueError) if _may_not_fit(operation) else ()
    if op.name in _OF_INTEGERS:
        integers = any(t.dtype.is_integer for t in operation.inputs) and not _divides_by_known(operation)
        return (*(_OF_INTEGERS[op.name] if integers else ()), *_of_shapes(operation))
    return (*(() if op.ufunc is not None else raised_for_values(op)), *_of_shapes(operation))


def _is_a_known_place(operation: Operation) -> bool:
    """Whether it reads or writes elements at places that were checked while the graph was built."""
    first = _INDICES.get(operation.op.name)
    if first is None:
        return False
    arrays, indices = operation.inputs[:first], operation.inputs[first:]
    return all(t.shape.is_fully_defined() for t in arrays) and all(t.value is not None for t in indices)


def _divides_by_known(operation: Operation) -> bool:
    """Whether it is a division by numbers that are known not to be zero."""
    if operation.op.name not in ("floordiv", "floormod", "fmod"):
        return False
    divisor = operation.inputs[1].op
    return divisor.op is constant_node and bool(divisor.attributes["value"].all())


def _may_not_fit(operation: Operation) -> bool:
    """Whether text is made by a format that is not known to fit the value."""
    fields = [part for part in operation.attributes["parts"] if not isinstance(part, str)]
    if any(spec is None for _, spec in fields):
        return True  # the spec is a tensor
    return not all(_fits(t, *field) for t, field in zip(operation.inputs, fields, strict=True))


def _fits(tensor: SymbolicTensor, conversion: str, spec: str) -> bool:
    """Whether a format fits all values of a tensor: it does if it fits one of them."""
    if not spec:
        return True
    if tensor.shape.rank != 0:
        return False
    value = "" if tensor.dtype.kind == "string" else np.zeros((), tensor.dtype.numpy).item()
    try:
        spec % (value,) if conversion == "%" else format(str(value) if conversion else value, spec)
    except (TypeError, ValueError):
        return False
    return True


def _of_condition(operation: Operation) -> Kinds:
    return () if operation.inputs[0].shape.rank == 0 else (ShapeMismatchError,)


def _of_shapes(operation: Operation) -> Kinds:
    """What comes if the shapes of the operands do not fit, as far as that is not known yet."""
    op, inputs = operation.op, operation.inputs
    arrays = [t for t in inputs if t.shape.rank != 0]
    unknown = [t for t in arrays if not t.shape.is_fully_defined()]
    elementwise = op.ufunc is not None or op.name in _ELEMENTWISE
    return () if not unknown or (elementwise and len(arrays) == 1) else _SHAPES
