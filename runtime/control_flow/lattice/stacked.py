"""Elements that are alike as the rows of one tensor: what a position that only the run knows chooses from.

    are_alike([x, 0, 1.5])      # scalars, which stack
    stacked([x, 0, 1.5])        # float64, if x is an integer: as the numbers are joined where branches meet
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError
from runtime.control_flow.lattice.leaf import LITERALS, LeafType, is_weak, met
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import float64, int64
from runtime.ops.records.record import REGISTRY
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.convert import constant
from runtime.tensor.literals import is_valued_member
from runtime.tensor.symbolic import text_class
from runtime.tensor.tensor import Tensor

__all__ = ["are_alike", "number_at", "stacked", "stacked_at"]


def are_alike(items: Sequence[Any]) -> bool:
    """Whether the items make rows of one tensor: tensors of one static shape and dtype, or numbers beside them."""
    if not all(isinstance(item, (Tensor, *LITERALS)) for item in items):
        return False
    if any(isinstance(item, np.ndarray) and not holds_numbers(item) for item in items):
        return False  # they are objects, of which one is chosen
    if all(map(is_valued_member, items)):
        return False  # so are these, though each is a number or text, too
    shapes = {item.shape.dims if isinstance(item, Tensor) else np.shape(item) for item in items}
    strong = {item.dtype for item in items if isinstance(item, Tensor) and not is_weak(item)}
    (shape, *others) = shapes
    if others or shape is None or None in shape or len(strong) > 1:
        return False
    truths = [item.dtype.is_bool if isinstance(item, Tensor) else type(item) is bool for item in items]
    if any(truths):
        return all(truths)
    kinds = {text_class(item) for item in items}
    return kinds == {None} or len(kinds) == 1


def stacked_at(items: Sequence[Any], position: Any) -> Any:
    """The one at a position that is in range, of elements that are alike: of the type that holds for all of them."""
    kind = met(list(map(LeafType.of, items)), _MESSAGE, "an element of a list")
    return kind.marked(stacked(items)[position])


def stacked(items: Sequence[Any], *others: Any) -> Any:
    """Elements that are alike as one tensor, of a dtype that fits the others, too: that of numbers is joined."""
    every = [*items, *others]
    if not any(isinstance(item, Tensor) for item in every):
        return _table(list(items))
    kind = met(list(map(LeafType.of, every)), _MESSAGE, "an element of a list")
    return REGISTRY["stack"]([_as_one_of(kind, item) for item in items])


_MESSAGE: Final = "the elements of a list are {} and {}".format


def _as_one_of(kind: LeafType, item: Any) -> Any:
    if isinstance(item, Tensor) and item.dtype is not kind.dtype:
        return REGISTRY["cast"](item, kind.dtype)
    return kind.adopted(item, "an element of a list")


def _table(items: list[Any]) -> Any:
    """Numbers of Python, or texts, as a tensor that keeps all their digits."""
    kinds = set(map(type, items))
    if not kinds <= {int, float}:
        return constant(items)
    return constant(items, float64 if float in kinds else int64)


def number_at(selector: Any, numbers: Sequence[Any]) -> Any:
    """One of several numbers: selected without branches, which nothing depends on.

    NotImplemented where they do not meet in one dtype, which branches say in their words.
    selector: of two whether it is the second, of more the number of the one.
    """
    try:
        found = met([LeafType.of(item) for item in numbers], "{} {}".format)
    except StagingTypeError:
        return NotImplemented
    if found.dtype.is_bool:
        return NotImplemented
    place = current_graph().recording.localize(selector, "the object")
    adopted = [found.adopted(item, "branch") for item in numbers]
    if len(adopted) == 2:
        return found.marked(REGISTRY["where"](place, adopted[1], adopted[0]))
    return found.marked(REGISTRY["gather"](REGISTRY["stack"](adopted), place))
