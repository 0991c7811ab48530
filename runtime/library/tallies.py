"""How often values occur: `math.bincount`, `math.confusion_matrix`, `histogram_fixed_width`.

>>> runtime.math.bincount([1, 1, 3])
<tf.Tensor: shape=(4,), dtype=int32, numpy=array([0, 2, 0, 1], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import as_dtype, int32, int64
from runtime.errors import InvalidArgumentError
from runtime.ops.arrays import create, join, scatter, shape
from runtime.ops.elementwise import compare, limits
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.reductions import counting, reduce
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["bincount", "confusion_matrix", "histogram_fixed_width"]


@switches
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = int32,
    name: str | None = None, axis: int | None = None, binary_output: bool = False,
) -> Tensor:  # fmt: skip
    """How often each of 0, 1, 2, ... up to the largest value occurs, as a vector; with weights, the sum of theirs.

    arr: integers >= 0; weights: numeric, of its shape. minlength, maxlength: limits of the length; larger values are
    not counted. axis: None counts all elements together, -1 each row of a matrix by itself. binary_output: only
    whether a value occurs, 0 or 1. dtype: that of the counts.
    """
    arr = convert_to_tensor(arr)
    if binary_output and weights is not None:
        raise InvalidArgumentError("bincount: weights have no meaning with binary_output=True")
    if axis not in (None, 0, -1):
        raise InvalidArgumentError(f"bincount: axis is None or -1; got {axis}")
    amounts = create.ones_like(arr, as_dtype(dtype)) if weights is None else convert_to_tensor(weights)
    if axis is None:
        arr, amounts = shape.reshape(arr, [-1]), shape.reshape(amounts, [-1])
    size = _number_of_values(arr)
    if minlength is not None:
        size = limits.maximum(size, shape.cast(minlength, int64))
    if maxlength is not None:
        size = limits.minimum(size, shape.cast(maxlength, int64))
    counts = counting.count_values(arr, amounts, size, name=name)
    return shape.cast(compare.greater(counts, 0), dtype) if binary_output else counts


def _number_of_values(x: Any) -> Any:
    """One more than the largest value; 0 if there is none."""
    flat = shape.cast(shape.reshape(x, [-1]), int64)
    return reduce.reduce_max(join.concat([flat, shape.cast([-1], int64)], axis=0)) + 1


def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = int32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix whose element [i, j] says how often class i was taken for class j.

    labels, predictions: vectors of integers >= 0, of one length; num_classes: the number of classes, one more than the
    largest of them by default; weights: one for each pair; dtype: that of the matrix. A class outside of the matrix
    raises InvalidArgumentError.
    """
    rows, columns = (shape.cast(convert_to_tensor(v), int64) for v in (labels, predictions))
    if num_classes is None:
        size = limits.maximum(_number_of_values(rows), _number_of_values(columns))
    else:
        size = shape.cast(num_classes, int64)
    places = join.stack([rows, columns], axis=1)
    amounts = create.ones_like(rows, as_dtype(dtype)) if weights is None else shape.cast(weights, dtype)
    return scatter.scatter_nd(places, amounts, join.stack([size, size]), name=name)


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: int = 100, dtype: Any = int32, name: str | None = None
) -> Tensor:
    """How many values lie in each of nbins intervals of equal width; those outside of the range count at its ends.

    values: real tensor of any shape; value_range: [low, high], of its dtype; dtype: that of the counts.
    """
    nbins = integer_of("histogram_fixed_width", "nbins", nbins)
    if nbins < 1:
        raise InvalidArgumentError(f"histogram_fixed_width: nbins is 1 or more; got {nbins}")
    values = convert_to_tensor(values)
    low, high = join.unstack(convert_to_tensor(value_range, values.dtype), 2)
    share = (values - low) / (high - low)
    place = shape.cast(elementwise.floor(share * nbins), int64)
    place = limits.clip_by_value(place, 0, nbins - 1)
    return bincount(place, minlength=nbins, maxlength=nbins, dtype=dtype, name=name)
