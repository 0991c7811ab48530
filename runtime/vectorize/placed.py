"""Rules for operations that ask for the rows in a certain place: behind the other axes, in front, or among examples.

    gather_nd(X, positions)     X: a block [n, 3, 4]     ->     the rows last: [3, 4, n], and first again afterwards

What counts leading axes takes the rows at the end; what works on the last axes takes them in front; an operation on a
batch of images takes the images of all rows as one batch.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.graph.operation import Operation
from runtime.ops.records.record import REGISTRY, Op
from runtime.tensor.convert import convert_to_tensor
from runtime.vectorize.rules import NotVectorizable, Rule, Step, register, repeated, rows_of, shifted, with_rank

__all__ = ["SAME_FOR_ALL"]


def _several(step: Step, places: tuple[int, ...]) -> list[Any]:
    """The operands: at these places with rows in front, the others as they are. Raises where those have rows, too."""
    if any(part.batched for i, part in enumerate(step.parts) if i not in places):
        raise NotVectorizable
    return [
        repeated(part.tensor, step.count) if i in places and not part.batched else part.tensor
        for i, part in enumerate(step.parts)
    ]


def _in_front(*places: int, alike: bool = False) -> Rule:
    """Operations on the last axes of operands at these places. alike: whether they must have one rank."""

    def rule(step: Step) -> Any:
        if alike and len({step.rank(i) for i in places}) > 1:
            raise NotVectorizable
        return step.operation.op(*_several(step, places), **step.attributes)

    return rule


def _axes_moved(step: Step) -> Any:
    rank, attributes = step.rank(), dict(step.attributes)
    axis = attributes.pop("axis")
    moved = shifted(axis, rank) if isinstance(axis, int) else tuple([shifted(a, rank) for a in axis])
    return step.operation.op(step.only_first(), axis=moved, **attributes)


def _along_axis(step: Step) -> Any:
    attributes = dict(step.attributes)
    axis = shifted(attributes.pop("axis"), step.rank())
    return step.operation.op(*step.all_batched(), axis=axis, **attributes)


def _sum_of_all(step: Step) -> Any:
    return step.operation.op(step.all_batched())


def _scattered(places: tuple[int, ...], indices: int, sized: int | None = None) -> Rule:
    """Operations that put updates to positions. Those of a row's own name the row, too: the rows stay first."""
    same_positions = _at_end(*places, sized=sized)

    def rule(step: Step) -> Any:
        if not step.parts[indices].batched:
            return same_positions(step)
        tensors = _several(step, (indices, *places))
        tensors[indices] = _with_rows(tensors[indices], step.rank(indices), step.count)
        if sized is not None:
            tensors[sized] = REGISTRY["concat"]([_count(step, tensors[sized]), tensors[sized]], axis=0)
        return step.operation.op(*tensors, **step.attributes)

    return rule


def _with_rows(positions: Any, rank: int, count: Any) -> Any:
    """Positions in a block: those in each row, with its number in front."""
    ops = REGISTRY
    numbers = ops["reshape"](ops["cast"](ops["range"](0, count, 1), positions.dtype), [-1, *[1] * rank])
    shape = ops["concat"]([ops["shape"](positions)[:-1], [1]], axis=0)
    return ops["concat"]([ops["broadcast_to"](numbers, shape), positions], axis=-1)


def _at_end(*places: int, sized: int | None = None) -> Rule:
    """Operations that count the first axes of operands at these places. sized: which operand is the result's shape."""

    def rule(step: Step) -> Any:
        tensors = _several(step, places)
        for i in places:
            tensors[i] = REGISTRY["transpose"](tensors[i], perm=(*range(1, step.rank(i) + 1), 0))
        if sized is not None:
            shape = tensors[sized]
            tensors[sized] = REGISTRY["concat"]([shape, _count(step, shape)], axis=0)
        rank = step.operation.outputs[0].shape.rank
        if rank is None:
            raise NotVectorizable
        made = step.operation.op(*tensors, **step.attributes)
        return REGISTRY["transpose"](made, perm=(rank, *range(rank)))

    return rule


def _count(step: Step, like: Any) -> Any:
    return REGISTRY["cast"](REGISTRY["reshape"](step.count, [1]), like.dtype)


def _gather_nd(step: Step) -> Any:
    params, positions = step.parts
    batch_dims = step.attributes["batch_dims"]
    if positions.batched and (params.batched or batch_dims):
        return REGISTRY["gather_nd"](*step.all_batched(), batch_dims=batch_dims + 1)
    if positions.batched:
        return REGISTRY["gather_nd"](params.tensor, positions.tensor)
    if batch_dims:
        raise NotVectorizable
    return _at_end(0)(step)


def _padded(step: Step) -> Any:
    """Nothing is added in front of, or behind, the rows."""
    x, paddings, *rest = _several(step, (0,))
    none = convert_to_tensor(np.zeros((1, 2), paddings.dtype.numpy))
    return step.operation.op(x, REGISTRY["concat"]([none, paddings], axis=0), *rest, **step.attributes)


def _with_shape(step: Step) -> Any:
    x, shape = _several(step, (0,))
    return step.operation.op(x, REGISTRY["concat"]([_count(step, shape), shape], axis=0))


def _sum_to(step: Step) -> Any:
    """Rows of lower rank than what is summed have dimensions of size 1 in front, until they are reshaped."""
    x, shape = _several(step, (0,))
    dims = step.operation.inputs[1].shape.dims
    if dims is None or dims[0] is None:
        raise NotVectorizable
    ones = REGISTRY["ones"]([step.rank() - dims[0]], dtype=shape.dtype)
    count = _count(step, shape)
    summed = REGISTRY["sum_to"](x, REGISTRY["concat"]([count, ones, shape], axis=0))
    return REGISTRY["reshape"](summed, REGISTRY["concat"]([count, shape], axis=0))


def _einsum(step: Step) -> Any:
    """The rows are one more letter, of the operands that have them and of the result."""
    equation = step.attributes["equation"].replace(" ", "")
    letter = next((c for c in string.ascii_letters if c not in equation), None)
    if letter is None or "->" not in equation:
        raise NotVectorizable
    terms, result = equation.split("->")
    pairs = zip(terms.split(","), step.parts, strict=True)
    named = ",".join(letter + term if part.batched else term for term, part in pairs)
    return REGISTRY["einsum"]([part.tensor for part in step.parts], equation=f"{named}->{letter}{result}")


def _images(gradient: int, *places: int, sizes: int | None = None) -> Rule:
    """Operations on batches of images: those of all rows are one batch.

    places: the operands that are images or their gradients. sizes: which operand is the shape of the result.
    """

    def rule(step: Step) -> Any:
        tensors = _several(step, places)
        batch = REGISTRY["shape"](tensors[gradient])[1:2]
        for i in places:
            each = REGISTRY["shape"](tensors[i])[1:]
            whole = REGISTRY["concat"]([each[:1] * _count(step, each), each[1:]], axis=0)
            tensors[i] = REGISTRY["reshape"](tensors[i], whole)
        if sizes is not None:
            size = tensors[sizes]
            tensors[sizes] = REGISTRY["concat"]([size[:1] * _count(step, size), size[1:]], axis=0)
        made = step.operation.op(*tensors, **step.attributes)
        parted = [REGISTRY["reshape"](step.count, [1]), batch, REGISTRY["shape"](made)[1:]]
        return REGISTRY["reshape"](made, REGISTRY["concat"](parted, axis=0))

    return rule


def _filter_gradients(step: Step) -> Any:
    """The gradients of filters, of upstreams for many rows: a channel of those becomes a channel for each row, beside
    each other, so that they stay in one group."""
    images, size, gradient = (part.tensor for part in step.parts)
    if not step.parts[2].batched or step.parts[0].batched or step.parts[1].batched:
        raise NotVectorizable
    rank, ops = step.rank(2), REGISTRY
    last = ops["transpose"](gradient, perm=(*range(1, rank + 1), 0))
    shape = ops["shape"](last)
    many = shape[-2:-1] * shape[-1:]
    merged = ops["reshape"](last, ops["concat"]([shape[:-2], many], axis=0))
    sizes = ops["concat"]([size[:-1], ops["cast"](many, size.dtype)], axis=0)
    made = ops["convolution_filter_gradient"](images, sizes, merged, **step.attributes)
    parted = ops["reshape"](made, ops["concat"]([size, _count(step, size)], axis=0))
    return ops["transpose"](parted, perm=(rank, *range(rank)))


def _swapped(step: Step) -> Any:
    return REGISTRY["transpose"](step.only_first(), perm=(0, 2, 1, *range(3, step.rank() + 1)))


def _filled(step: Step) -> Any:
    dims, value = step.parts
    if dims.batched:
        raise NotVectorizable
    rank = step.operation.outputs[0].shape.rank
    if rank is None:
        raise NotVectorizable
    whole = REGISTRY["concat"]([_count(step, dims.tensor), dims.tensor], axis=0)
    return REGISTRY["broadcast_to"](with_rank(value.tensor, 0, rank), whole)


def _ensured(step: Step) -> Any:
    shape = rows_of(step.count).concatenate(step.attributes["shape"])
    return REGISTRY["ensure_shape"](step.only_first(), shape=shape)


_MOVES: Final[dict[str, Rule]] = {
    "add_n": _sum_of_all,
    "as_string": _in_front(0),
    "bias_add": _in_front(0),
    "ensure_shape": _ensured,
    "fill": _filled,
    "gather_nd": _gather_nd,
    "matrix_band_part": _in_front(0),
    "matrix_diag": _in_front(0),
    "matrix_diag_part": _in_front(0),
    "matrix_set_diag": _in_front(0, 1),
    "pad": _padded,
    "reverse": _axes_moved,
    "roll": _axes_moved,
    "segment_max": _at_end(0),
    "segment_min": _at_end(0),
    "string_bucket": _in_front(0),
    "string_length": _in_front(0),
    "string_lower": _in_front(0),
    "string_upper": _in_front(0),
    "swap_first_axes": _swapped,
    "take_along_axis": _along_axis,
    "tensor_scatter_nd_max": _scattered((0, 2), 1),
    "tensor_scatter_nd_min": _scattered((0, 2), 1),
    "top_k": _in_front(0),
    "unsorted_segment_max": _at_end(0),
    "unsorted_segment_min": _at_end(0),
}
"""What gives the same numbers, bit by bit."""

_SUMS: Final[dict[str, Rule]] = {
    "add_along_axis": _along_axis,
    "avg_pool": _images(0, 0),
    "avg_pool_gradient": _images(1, 1, sizes=0),
    "cholesky": _in_front(0),
    "convolution": _images(0, 0),
    "convolution_filter_gradient": _filter_gradients,
    "convolution_input_gradient": _images(2, 2, sizes=0),
    "eigh": _in_front(0),
    "eigvalsh": _in_front(0),
    "einsum": _einsum,
    "fold_padding": _padded,
    "linear_recurrence": _along_axis,
    "matrix_determinant": _in_front(0),
    "matrix_inverse": _in_front(0),
    "matrix_solve": _in_front(0, 1, alike=True),
    "max_pool": _images(0, 0),
    "max_pool_gradient": _images(1, 0, 1),
    "qr": _in_front(0),
    "scatter_nd": _scattered((1,), 0, sized=2),
    "segment_mean": _at_end(0),
    "segment_prod": _at_end(0),
    "segment_sum": _at_end(0),
    "sigmoid_cross_entropy_with_logits": _in_front(0, 1, alike=True),
    "slogdet": _in_front(0),
    "softmax_cross_entropy_with_logits": _along_axis,
    "sparse_softmax_cross_entropy_with_logits": _in_front(0, 1),
    "sparse_softmax_errors": _in_front(0, 1),
    "sum_tiles": _with_shape,
    "sum_to": _sum_to,
    "svd": _in_front(0),
    "svdvals": _in_front(0),
    "tensor_scatter_nd_add": _scattered((0, 2), 1),
    "tensor_scatter_nd_sub": _scattered((0, 2), 1),
    "tensor_scatter_nd_update": _scattered((0, 2), 1),
    "trace": _in_front(0),
    "triangular_solve": _in_front(0, 1, alike=True),
    "unsorted_segment_mean": _at_end(0),
    "unsorted_segment_prod": _at_end(0),
    "unsorted_segment_sqrt_n": _at_end(0),
    "unsorted_segment_sum": _at_end(0),
}

SAME_FOR_ALL: Final[dict[Op, Callable[[Any, Operation], Any]]] = {
    REGISTRY["shape"]: lambda x, operation: REGISTRY["shape"](x, **operation.attributes)[1:],
    REGISTRY["size"]: lambda x, operation: REGISTRY["reduce_prod"](REGISTRY["shape"](x, **operation.attributes)[1:]),
    REGISTRY["rank"]: lambda x, operation: REGISTRY["rank"](x) - 1,
}
"""What is the same for all elements, whose shape is one: made of a block."""

register(_MOVES, exact=True)
register(_SUMS, exact=False)
