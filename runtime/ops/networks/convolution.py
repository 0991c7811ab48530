"""Convolutions over one or more spatial axes, with groups of channels, and their two gradients.

>>> runtime.nn.conv2d(runtime.ones([1, 3, 3, 1]), runtime.ones([2, 2, 1, 1]), 1, "VALID").shape
TensorShape([1, 2, 2, 1])

input [batch, *spatial, channels], filters [*kernel, channels / groups, outputs]: with fewer channels in the filters
than in the input, each group of channels makes its own part of the outputs; a group for each channel is a depthwise
convolution. A convolution is linear in both operands, so the three records here are the gradients of each other.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import integers, show_shape
from runtime.ops.kernels.window_products import convolve, to_filters, to_input
from runtime.ops.kernels.windows import Axis, Padding, axes_of, spatial, windowed
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = ["convolution", "convolution_filter_gradient", "convolution_input_gradient"]

Numbers = tuple[int, ...]


# -- shapes -------------------------------------------------------------------------------------------------------


def _fit(x: TensorShape, w: TensorShape, strides: Numbers) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """The dims of input and filters. Raises ValueError where the channels do not fit each other."""
    rank = len(strides)
    xs, ws = spatial(x, rank, "the input"), w.dims or (None,) * (rank + 2)
    if len(ws) != rank + 2:
        raise ValueError(f"the filters {w} must have rank {rank + 2}: [{rank} kernel axes, channels, outputs]")
    channels, taken, outputs = xs[-1], ws[-2], ws[-1]
    if channels is not None and taken is not None and (channels % taken if taken else channels):
        raise ValueError(f"an input of {channels} channels {x} does not fit filters of {taken} channels {w}")
    if channels and taken and outputs is not None and outputs % (channels // taken):
        raise ValueError(f"{outputs} outputs cannot be shared among {channels // taken} groups of channels")
    return xs, ws


def _convolved(
    input: Operand, filters: Operand, strides: Numbers, padding: Padding, dilations: Numbers
) -> TensorShape:
    xs, ws = _fit(input.shape, filters.shape, strides)
    return TensorShape([xs[0], *windowed(xs[1:-1], ws[:-2], strides, dilations, padding, "convolution"), ws[-1]])


def _input_shape(
    sizes: Operand, filters: Operand, gradient: Operand, strides: Numbers, padding: Padding, dilations: Numbers
) -> TensorShape:
    shape = shape_from(sizes)
    _check_result("convolution_input_gradient", shape, filters.shape, gradient.shape, strides, padding, dilations)
    return shape if shape.dims is not None else TensorShape([None] * (len(strides) + 2))


def _filter_shape(
    input: Operand, sizes: Operand, gradient: Operand, strides: Numbers, padding: Padding, dilations: Numbers
) -> TensorShape:
    shape = shape_from(sizes)
    _check_result("convolution_filter_gradient", input.shape, shape, gradient.shape, strides, padding, dilations)
    return shape if shape.dims is not None else TensorShape([None] * (len(strides) + 2))


def _check_result(
    name: str, x: TensorShape, w: TensorShape, gradient: TensorShape, strides: Numbers, padding: Padding,
    dilations: Numbers,
) -> None:  # fmt: skip
    xs, ws = _fit(x, w, strides)
    result = TensorShape([xs[0], *windowed(xs[1:-1], ws[:-2], strides, dilations, padding, name), ws[-1]])
    if not result.is_compatible_with(gradient):
        raise ValueError(f"a convolution of {x} with filters {w} has the shape {result}, not {gradient}")


def _geometry(
    name: str, x: Numbers, w: Numbers, strides: Numbers, padding: Padding, dilations: Numbers, gradient: Any = None
) -> tuple[Axis, ...]:
    """The spatial axes. Raises ShapeMismatchError where the shapes do not fit."""
    try:
        _fit(TensorShape(x), TensorShape(w), strides)
        axes = axes_of(x[1:-1], w[:-2], strides, dilations, padding, name)
        if gradient is not None and np.shape(gradient) != (x[0], *(a.out for a in axes), w[-1]):
            raise ValueError(f"the result has another shape than {show_shape(gradient)}")
    except InvalidArgumentError:
        raise
    except ValueError as error:
        raise ShapeMismatchError(f"{name}: {error} (input {TensorShape(x)}, filters {TensorShape(w)})") from None
    return axes


# -- samples ------------------------------------------------------------------------------------------------------


def _groups(channels: int, taken: int) -> int:
    return max(channels // taken, 1) if taken else 1


def _by_definition(input: Array, filters: Array, strides: Numbers, padding: Padding, dilations: Numbers) -> Array:
    """Each result from its window, with the padding as a matter of indices; in objects."""
    axes = axes_of(input.shape[1:-1], filters.shape[:-2], strides, dilations, padding)
    taken, share = filters.shape[-2], filters.shape[-1] // _groups(input.shape[-1], filters.shape[-2])
    result = np.zeros((len(input), *(a.out for a in axes), filters.shape[-1]), np.float64)
    wide, kernel = input.astype(np.float64), filters.astype(np.float64)
    for place in np.ndindex(*(a.out for a in axes)):
        for offsets in np.ndindex(filters.shape[:-2]):
            at = [p * a.stride + o * a.dilation - a.before for p, o, a in zip(place, offsets, axes, strict=True)]
            if all(0 <= i < a.size for i, a in zip(at, axes, strict=True)):
                for output in range(filters.shape[-1]):
                    start = output // share * taken
                    seen = wide[(slice(None), *at, slice(start, start + taken))]
                    result[(slice(None), *place, output)] += seen @ kernel[(*offsets, slice(None), output)]
    return result


def _by_sums(input: Array, filters: Array, gradient: Array, which: int, **attributes: Any) -> Array:
    """The gradient of the input (0) or of the filters (1): the convolution is linear, so each element of it is the sum
    of gradient times the convolution with a 1 in that place."""
    operands = [input.astype(np.float64), filters.astype(np.float64)]
    result = np.zeros(operands[which].shape)
    for place in np.ndindex(result.shape):
        operands[which] = np.zeros(result.shape)
        operands[which][place] = 1
        result[place] = (_by_definition(operands[0], operands[1], **attributes) * gradient).sum()
    return result


def _attributes(strides: Any = (1, 1), padding: Padding = "VALID", dilations: Any = (1, 1)) -> dict[str, Any]:
    return {"strides": strides, "padding": padding, "dilations": dilations}


CASES: Final = (
    ((1, 4, 4, 1), (2, 2, 1, 2), _attributes()),
    ((2, 5, 4, 2), (3, 3, 2, 3), _attributes(padding="SAME")),
    ((1, 5, 6, 3), (2, 3, 3, 1), _attributes((2, 1), "SAME")),
    ((1, 7, 5, 1), (3, 2, 1, 2), _attributes((2, 2), ((0, 1), (2, 0)))),
    ((1, 6, 5, 2), (2, 2, 2, 2), _attributes((1, 1), "SAME", (2, 3))),
    ((2, 3, 3, 2), (1, 1, 2, 4), _attributes()),
    ((1, 4, 3, 4), (2, 2, 2, 2), _attributes()),
    ((1, 4, 4, 3), (2, 2, 1, 6), _attributes((1, 2), "SAME")),
    ((0, 4, 4, 1), (2, 2, 1, 2), _attributes()),
    ((1, 2, 2, 1), (3, 2, 1, 1), _attributes()),
    ((1, 3, 3, 0), (2, 2, 0, 2), _attributes()),
    ((1, 3, 3, 2), (2, 2, 2, 0), _attributes()),
    ((2, 6, 2), (3, 2, 3), _attributes((2,), "SAME", (1,))),
    ((1, 3, 4, 3, 2), (2, 2, 2, 2, 1), _attributes((1, 1, 1), "VALID", (1, 1, 1))),
)
"""Shapes of input and filters, and attributes."""


def _result_sizes(x: Any, w: Any, given: Any) -> Numbers:
    axes = axes_of(x[1:-1], w[:-2], given["strides"], given["dilations"], given["padding"])
    return (x[0], *(a.out for a in axes), w[-1])


def _sizes(shape: Numbers) -> Array:
    return np.array(shape, np.int32)


ONES = np.ones((1, 4, 4, 2), np.float32)
KERNEL = np.ones((2, 2, 2, 1), np.float32)
PLAIN: Final = _attributes()
BAD_CHANNELS = Failure((ONES, np.ones((2, 2, 3, 1), np.float32)), ShapeMismatchError, ("(1, 4, 4, 2)", "(2, 2, 3, 1)"),
                       PLAIN)
FAILURES: Final = (
    BAD_CHANNELS,
    Failure((ONES[0], np.ones((2, 2, 2, 1), np.float32)), ShapeMismatchError, ("(4, 4, 2)", "rank 4"), PLAIN),
    Failure((ONES, np.ones((2, 2, 1), np.float32)), ShapeMismatchError, ("(2, 2, 1)", "rank 4"), PLAIN),
    Failure((ONES, np.ones((6, 1, 2, 1), np.float32)), ShapeMismatchError, ("6", "(1, 4, 4, 2)"), PLAIN),
    Failure((ONES, np.ones((2, 2, 1, 3), np.float32)), ShapeMismatchError, ("3 outputs", "2 groups"), PLAIN),
    Failure((ONES > 0, KERNEL > 0), DtypeMismatchError, ("bool", "float32"), PLAIN),
    Failure((ONES, KERNEL), InvalidArgumentError, ("'FULL'",), PLAIN | {"padding": "FULL"}),
    Failure((ONES, KERNEL), InvalidArgumentError, ("strides", "(0, 1)"), PLAIN | {"strides": (0, 1)}),
    Failure((ONES, KERNEL), InvalidArgumentError, ("negative", "-1"), PLAIN | {"padding": ((0, 0), (-1, 0))}),
)


# -- the records --------------------------------------------------------------------------------------------------


def _narrow(result: Array, dtype: Any) -> Array:
    return result.astype(dtype, copy=False)


def _wide(x: Array) -> Array:
    """float16 in float32, in which sums are made."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


@op(
    shape=_convolved, dtypes=FLOATS, reference=_by_definition, errors=FAILURES,
    samples=calls(lambda x: [((x(*a), x(*b)), attributes) for a, b, attributes in CASES]),
)  # fmt: skip
def convolution(input: Array, filters: Array, *, strides: Numbers, padding: Padding, dilations: Numbers) -> Any:
    """For each window of the input, the sum of its products with each filter (which is not mirrored).

    input: [batch, *spatial, channels]; filters: [*kernel, channels / groups, outputs], of one float dtype. strides,
    dilations: a number for each spatial axis. padding: "SAME", "VALID" or pairs (before, after). Returns
    [batch, *windows, outputs]. Raises ShapeMismatchError where the channels or the sizes do not fit.
    """
    axes = _geometry("convolution", input.shape, filters.shape, strides, padding, dilations)
    return _narrow(convolve(_wide(input), _wide(filters), axes), input.dtype)


@convolution.gradient
def _(
    upstream: Any, input: Any, filters: Any, strides: Numbers, padding: Padding, dilations: Numbers,
    needed: tuple[bool, ...],
) -> Any:  # fmt: skip
    window = {"strides": strides, "padding": padding, "dilations": dilations}
    return (
        ops.convolution_input_gradient(ops.shape(input), filters, upstream, **window) if needed[0] else None,
        ops.convolution_filter_gradient(input, ops.shape(filters), upstream, **window) if needed[1] else None,
    )


@op(
    raises=VALUES,
    shape=_input_shape, dtypes={("filters", "gradient"): FLOATS, "sizes": INDEXES},
    samples=calls(lambda x: [((_sizes(a), x(*b), x(*_result_sizes(a, b, given))), given) for a, b, given in CASES]),
    reference=lambda sizes, filters, gradient, **given: _by_sums(np.zeros(sizes), filters, gradient, 0, **given),
    errors=[Failure(([1, 4, 4, 2], np.ones((2, 2, 2, 1), np.float32), ONES), ShapeMismatchError, ("(1, 3, 3, 1)",),
                    PLAIN),
            Failure(([1, 4, 4, 3], np.ones((2, 2, 2, 1), np.float32), ONES), ShapeMismatchError, ("(1, 4, 4, 3)",),
                    PLAIN)],
)  # fmt: skip
def convolution_input_gradient(
    sizes: Array, filters: Array, gradient: Array, *, strides: Numbers, padding: Padding, dilations: Numbers
) -> Any:
    """The gradient of the input of a convolution, also known as a transposed convolution.

    sizes: the shape of the input, integers; filters: as for the convolution; gradient: that of its result.
    """
    shape = integers(sizes, "convolution_input_gradient")
    axes = _geometry("convolution_input_gradient", shape, filters.shape, strides, padding, dilations, gradient)
    return _narrow(to_input(_wide(filters), _wide(gradient), axes, shape), filters.dtype)


@convolution_input_gradient.gradient
def _(
    upstream: Any, filters: Any, gradient: Any, strides: Numbers, padding: Padding, dilations: Numbers,
    needed: tuple[bool, ...],
) -> Any:  # fmt: skip
    window = {"strides": strides, "padding": padding, "dilations": dilations}
    return (
        None,
        ops.convolution_filter_gradient(upstream, ops.shape(filters), gradient, **window) if needed[1] else None,
        ops.convolution(upstream, filters, **window) if needed[2] else None,
    )


@op(
    raises=VALUES,
    shape=_filter_shape, dtypes={("input", "gradient"): FLOATS, "sizes": INDEXES},
    samples=calls(lambda x: [((x(*a), _sizes(b), x(*_result_sizes(a, b, given))), given) for a, b, given in CASES]),
    reference=lambda input, sizes, gradient, **given: _by_sums(input, np.zeros(sizes), gradient, 1, **given),
    errors=[Failure((ONES, [2, 2, 2, 1], ONES), ShapeMismatchError, ("(1, 3, 3, 1)",), PLAIN),
            Failure((ONES, [2, 2, 3, 1], ONES), ShapeMismatchError, ("(2, 2, 3, 1)",), PLAIN)],
)  # fmt: skip
def convolution_filter_gradient(
    input: Array, sizes: Array, gradient: Array, *, strides: Numbers, padding: Padding, dilations: Numbers
) -> Any:
    """The gradient of the filters of a convolution.

    input: as for the convolution; sizes: the shape of the filters, integers; gradient: that of its result.
    """
    shape = integers(sizes, "convolution_filter_gradient")
    axes = _geometry("convolution_filter_gradient", input.shape, shape, strides, padding, dilations, gradient)
    return _narrow(to_filters(_wide(input), _wide(gradient), axes, shape), input.dtype)


@convolution_filter_gradient.gradient
def _(
    upstream: Any, input: Any, gradient: Any, strides: Numbers, padding: Padding, dilations: Numbers,
    needed: tuple[bool, ...],
) -> Any:  # fmt: skip
    window = {"strides": strides, "padding": padding, "dilations": dilations}
    return (
        ops.convolution_input_gradient(ops.shape(input), upstream, gradient, **window) if needed[0] else None,
        None,
        ops.convolution(input, upstream, **window) if needed[2] else None,
    )
