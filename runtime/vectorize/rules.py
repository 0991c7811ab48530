"""Rules: an operation on one element, as an operation on many elements that stand in a new first dimension.

    expand_dims(x, axis=0)  of elements [3]     ->     expand_dims(X, axis=1)  of a block [n, 3]

A rule is given a `Step` and returns the tensors of the block. What it cannot do raises `NotVectorizable`. In `EXACT`
are the operations whose results are the same, bit by bit, however many elements are computed together; the sum of
floats, for instance, is not one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.graph.operation import Operation
from runtime.ops.kernels.index_spec import ARRAY, AT
from runtime.ops.records.record import REGISTRY
from runtime.ops.records.shape_rules import broadcast, same_shape
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "EXACT", "NotVectorizable", "Part", "Rule", "Step", "is_elementwise", "register", "repeated", "rows_of", "rule_of",
    "shifted", "stays_in_place",
]  # fmt: skip


class NotVectorizable(Exception):  # a signal, not an error
    """An operation that is not computed for many elements at once."""


@dataclass(frozen=True, slots=True)
class Part:
    """A value of one element. tensor: of the whole block if `batched`, else the same for all; rank: of one element."""

    tensor: Any
    batched: bool
    rank: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """An operation, its operands, and how many elements there are (a scalar tensor)."""

    operation: Operation
    parts: Sequence[Part]
    count: Any

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.operation.attributes

    def rank(self, number: int = 0) -> int:
        """The rank of an operand. Raises NotVectorizable where it is not known."""
        rank = self.parts[number].rank
        if rank is None:
            raise NotVectorizable
        return rank

    def only_first(self) -> Any:
        """The first operand, where all others are the same for all elements."""
        if not self.parts[0].batched or any(part.batched for part in self.parts[1:]):
            raise NotVectorizable
        return self.parts[0].tensor

    def all_batched(self) -> list[Any]:
        """The operands with a first dimension each; what is the same for all is repeated."""
        return [part.tensor if part.batched else repeated(part.tensor, self.count) for part in self.parts]


Rule = Callable[[Step], Any]


def repeated(tensor: Any, count: Any) -> Any:
    """The same value `count` times."""
    shape = REGISTRY["concat"]([REGISTRY["reshape"](count, [1]), REGISTRY["shape"](tensor)], axis=0)
    return REGISTRY["broadcast_to"](tensor, shape)


def rows_of(count: Any) -> TensorShape:
    """The size of the first axis of a block, as a shape: known if `count` (a scalar tensor, or None) has a value."""
    known = count.value if isinstance(count, SymbolicTensor) else count
    return TensorShape([None if known is None else int(known)])


def is_elementwise(operation: Operation) -> bool:
    """Whether each element of the result depends on the elements at the same place alone, after broadcasting."""
    return operation.op.shape in (same_shape, broadcast) and operation.op.variadic is None


def elementwise(step: Step) -> Any:
    """Operands that are batched get dimensions of size 1, so that all have the rank of the result behind the first."""
    wanted = max((step.rank(i) for i in range(len(step.parts))), default=0)
    tensors = []
    for part in step.parts:
        tensor = part.tensor
        if part.batched and part.rank != wanted and part.rank is not None:
            tensor = with_rank(tensor, part.rank, wanted)
        tensors.append(tensor)
    return step.operation.op(*tensors, **step.attributes)


def with_rank(tensor: Any, rank: int, wanted: int) -> Any:
    """A block of elements of one rank, with dimensions of size 1 in front of those of each."""
    for _ in range(wanted - rank):
        tensor = REGISTRY["expand_dims"](tensor, axis=1)
    return tensor


def shifted(axis: int, rank: int) -> int:
    """An axis of an element, counted in the block."""
    return axis + 1 if axis >= 0 else axis + rank + 1


def _reduce(step: Step) -> Any:
    rank, attributes = step.rank(), dict(step.attributes)
    axis = attributes.pop("axis")
    axes = range(rank) if axis is None else [axis] if isinstance(axis, int) else axis
    return step.operation.op(step.only_first(), axis=tuple(shifted(a, rank) for a in axes), **attributes)


def _position(step: Step) -> Any:
    rank, attributes = step.rank(), dict(step.attributes)
    axis = attributes.pop("axis")
    return step.operation.op(step.only_first(), axis=shifted(0 if axis is None else axis, rank), **attributes)


def _along(extra: int = 0) -> Rule:
    """Operations along an axis. extra: how many more dimensions the axis counts than the operand has."""

    def rule(step: Step) -> Any:
        attributes = dict(step.attributes)
        axis = shifted(attributes.pop("axis"), step.rank() + extra)
        return step.operation.op(step.only_first(), axis=axis, **attributes)

    return rule


def _joined(extra: int) -> Rule:
    def rule(step: Step) -> Any:
        attributes = dict(step.attributes)
        axis = shifted(attributes.pop("axis"), step.rank() + extra)
        return step.operation.op(step.all_batched(), axis=axis, **attributes)

    return rule


def _squeeze(step: Step) -> Any:
    rank, axis = step.rank(), step.attributes["axis"]
    if axis is None or (not isinstance(axis, int) and not len(axis)):
        dims = step.operation.inputs[0].shape.dims or ()
        if None in dims:
            raise NotVectorizable
        axes = [i for i, dim in enumerate(dims) if dim == 1]
        if not axes:
            return step.only_first()
    else:
        axes = [axis] if isinstance(axis, int) else list(axis)
    return step.operation.op(step.only_first(), axis=tuple(shifted(a, rank) for a in axes))


def _reshape(step: Step) -> Any:
    tensor, shape = step.only_first(), step.parts[1].tensor
    known = step.operation.outputs[0].shape
    if known.is_fully_defined():  # a dimension of -1 cannot be found where there are no elements
        shape = convert_to_tensor(np.array(known.as_tuple(), shape.dtype.numpy))
    first = REGISTRY["cast"](REGISTRY["reshape"](step.count, [1]), shape.dtype)
    return REGISTRY["reshape"](tensor, REGISTRY["concat"]([first, shape], axis=0))


def _broadcast_to(step: Step) -> Any:
    tensor, shape = step.only_first(), step.parts[1].tensor
    dims = shape.shape.dims
    if not dims or dims[0] is None:
        raise NotVectorizable
    first = REGISTRY["cast"](REGISTRY["reshape"](step.count, [1]), shape.dtype)
    tensor = with_rank(tensor, step.rank(), dims[0])
    return REGISTRY["broadcast_to"](tensor, REGISTRY["concat"]([first, shape], axis=0))


def _tile(step: Step) -> Any:
    multiples = step.parts[1].tensor
    one = REGISTRY["ones_like"](multiples[:1]) if step.rank() else None
    return step.only_first() if one is None else REGISTRY["tile"](
        step.only_first(), REGISTRY["concat"]([one, multiples], axis=0))  # fmt: skip


def _transpose(step: Step) -> Any:
    perm = step.attributes["perm"]
    order = range(step.rank())[::-1] if perm is None else [p % step.rank() for p in perm]
    return REGISTRY["transpose"](step.only_first(), perm=(0, *(p + 1 for p in order)))


def stays_in_place(spec: Sequence[Any]) -> bool:
    """Whether the axes that arrays select stand where the arrays stand: with something between them they come first."""
    if ARRAY not in spec:
        return True
    places = [i for i, entry in enumerate(spec) if entry in (ARRAY, AT) or isinstance(entry, int)]
    return places[-1] - places[0] == len(places) - 1


def _one_hot(step: Step) -> Any:
    axis = step.attributes["axis"]
    others = [part.tensor for part in step.parts[1:]]
    return REGISTRY["one_hot"](step.only_first(), *others, axis=axis if axis == -1 else shifted(axis, step.rank() + 1))


def _matmul(step: Step) -> Any:
    """Each element's matrices by numpy's rules for stacks; a matrix that is the same for all is broadcast."""
    if min(step.rank(0), step.rank(1)) < 2:
        raise NotVectorizable
    wanted = max(step.rank(0), step.rank(1))
    tensors = [with_rank(part.tensor, part.rank or 0, wanted) if part.batched else part.tensor for part in step.parts]
    return REGISTRY["matmul"](*tensors, **step.attributes)


def _tensordot(step: Step) -> Any:
    """Products of vectors and matrices over the axes that `numpy.dot` takes, as stacks of matrices."""
    ranks, axes = (step.rank(0), step.rank(1)), step.attributes["axes"]
    last = ranks[0] - 1
    if min(ranks) < 1 or max(ranks) > 2 or axes not in (1, (last, 0), ((last,), (0,))):
        raise NotVectorizable
    a, b = (part.tensor for part in step.parts)
    left = REGISTRY["expand_dims"](a, axis=-2) if ranks[0] == 1 else a
    right = REGISTRY["expand_dims"](b, axis=-1) if ranks[1] == 1 else b
    added = ([-2] if ranks[0] == 1 else []) + ([-1] if ranks[1] == 1 else [])
    product = REGISTRY["matmul"](left, right)
    return REGISTRY["squeeze"](product, axis=added) if added else product


def _parse_example(step: Step) -> Any:
    """The messages of all elements, where each becomes as much."""
    if step.rank() or not {"required", "optional"}.issuperset(step.attributes["forms"]):
        raise NotVectorizable
    return _decode_csv(step)


def _decode_csv(step: Step) -> Any:
    """The defaults of the fields are the same for all elements."""
    return step.operation.op(step.only_first(), [part.tensor for part in step.parts[1:]], **step.attributes)


_SAME_NUMBERS: Final[dict[str, Rule]] = {
    "argmax": _position,
    "argmin": _position,
    "argsort": _along(),
    "broadcast_to": _broadcast_to,
    "concat": _joined(0),
    "decode_csv": _decode_csv,
    "expand_dims": _along(1),
    "one_hot": _one_hot,
    "count_nonzero": _reduce,
    "parse_example": _parse_example,
    "reduce_all": _reduce,
    "reduce_any": _reduce,
    "reduce_max": _reduce,
    "reduce_min": _reduce,
    "reshape": _reshape,
    "sort": _along(),
    "split": _along(),
    "squeeze": _squeeze,
    "stack": _joined(1),
    "tile": _tile,
    "transpose": _transpose,
    "unstack": _along(),
}

_RULES: Final[dict[str, Rule]] = {
    **_SAME_NUMBERS,
    "cumprod": _along(),
    "cumsum": _along(),
    "cumulative_logsumexp": _along(),
    "log_softmax": _along(),
    "matmul": _matmul,
    "reduce_logsumexp": _reduce,
    "reduce_mean": _reduce,
    "reduce_prod": _reduce,
    "reduce_std": _reduce,
    "reduce_sum": _reduce,
    "reduce_variance": _reduce,
    "softmax": _along(),
    "tensordot": _tensordot,
}

EXACT: Final = set(_SAME_NUMBERS)


def register(rules: Mapping[str, Rule], exact: bool) -> None:
    """More rules, by the names of operations. exact: whether they give the same numbers, bit by bit."""
    _RULES.update(rules)
    if exact:
        EXACT.update(rules)


def rule_of(operation: Operation, exact: bool) -> Rule:
    """The rule of an operation. Raises NotVectorizable if it has none (or none that is exact)."""
    if is_elementwise(operation):
        return elementwise
    found = _RULES.get(operation.type)
    if found is None or (exact and operation.type not in EXACT):
        if found is not None and operation.op.facts.any_order and operation.inputs[0].dtype.is_integer:
            return found
        raise NotVectorizable
    return found
