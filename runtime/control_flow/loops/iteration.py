"""What a staged `for` iterates over, and the loop itself: how many items there are, and the item at a position.

    items_of(tensor)        Items(length, item): its rows
    items_of(range_)        computed, the range itself is never stored
    items_of([1, 2, 3])     Python's sequences beside tensors, where their items are numbers or tensors of one kind
    for_each(items_of(tensor), [0], consumer)        for row in tensor: consumer.take(row)

Types of their own (growing lists) add a row to `SOURCES`, or have a method `__ag_items__` that returns both parts.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from autograph.operators.consumer import Consumer
from autograph.operators.slices import get_item
from autograph.operators.stager import PYTHON, stager_of, tracing_stager
from autograph.operators.unrolling import Rounds
from runtime import structures as nest
from runtime.array_errors import ScalarError
from runtime.control_flow.builtins.characters import characters
from runtime.control_flow.lattice.leaf import LITERALS, is_weak
from runtime.control_flow.lists.replacements import moved_to
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.staging import and_then, stage_steps
from runtime.control_flow.statement.state import parsed
from runtime.dtypes import DType, float64, int64
from runtime.heap.kind import are_same_items
from runtime.ndarrays.guests import row_reader
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.state.tensor_array import TensorArray
from runtime.state.variable import present_value
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import weak_dtype
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "SOURCES", "Items", "as_literal", "at_end", "check_if", "for_each", "hand_over", "items_of", "length_of",
    "unpacked",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Items:
    """length: how many there are, an int or an integer scalar tensor; None for items without end.

    item: from a position to the item there.
    """

    length: Any
    item: Callable[[Any], Any]
    objects: tuple[Any, ...] = ()
    """The arrays that the items are views of, which a body may write to."""
    at_end: Callable[[], None] | None = None
    """What is checked where one more item is asked for than there are."""
    length_now: Callable[[], Any] | None = None
    """How many there are by now, where a body may change that: Python asks a list before each item."""


def _listed(elements: TensorList) -> Items:
    """Of a list to which nothing has been added yet there are none: what a loop adds, its next trace goes through."""
    if elements.elements is None:
        return Items(0, lambda position: _nothing())
    before, length = elements.handles, elements.length()

    def length_now() -> Any:
        return length if elements.handles is before else elements.length()

    return Items(length, lambda position: elements[position], (elements,), None, length_now)


SOURCES: Final[dict[type, Callable[[Any], Items]]] = {
    TensorList: _listed,
    TensorArray: lambda array: Items(array.size(), array.read),
}
"""How values of a type of its own are iterated over."""


def items_of(iterated: Any) -> Items:
    """The items of a tensor or of a Python sequence. Raises TypeError for what a graph cannot iterate over."""
    if isinstance(iterated, TracedArray) and iterated.shape.rank != 0:
        return Items(length_of(iterated), row_reader(iterated), (iterated,))
    iterated = characters(present_value(iterated))
    source = SOURCES.get(type(iterated))
    if source is not None:
        return source(iterated)
    if hasattr(type(iterated), "__ag_items__"):
        return Items(*iterated.__ag_items__())
    if isinstance(iterated, Tensor):
        return _tensor_items(iterated)
    if isinstance(iterated, range):
        return Items(len(iterated), lambda position: as_literal(_number(iterated, position)))
    if isinstance(iterated, list | tuple | str | bytes):
        return _sequence_items(iterated)
    raise TypeError(f"a value of type {type(iterated).__name__} cannot be iterated over in a graph")


def _tensor_items(iterated: Any) -> Items:
    if isinstance(iterated, SymbolicTensor) and iterated.op.type == "range" and iterated.dtype.is_integer:
        items = _range_items(*iterated.op.inputs)
        of_range = as_literal if iterated.weak else functools.partial(_strong, iterated.dtype)
        return Items(items.length, lambda position: of_range(items.item(position)))
    shape = iterated.shape
    if shape.rank == 0:
        raise ScalarError(
            f"cannot iterate over a scalar tensor: {iterated} has no rows; use runtime.range(x) to count up to it"
        )
    return Items(length_of(iterated), lambda position: iterated[position])


def _number(numbers: range, position: Any) -> Any:
    counted = position if numbers.step == 1 else position * numbers.step
    return numbers.start + counted if numbers.start else counted


def _strong(dtype: DType, item: Any) -> Any:
    """An item of a range of tensors, also where the position in the loop is a number without a dtype."""
    if isinstance(item, SymbolicTensor) and (item.weak or item.dtype is not dtype):
        return REGISTRY["cast"](item, dtype)
    return item


def length_of(tensor: Any) -> Any:
    """The first dimension of a tensor: an int where it is known, else a tensor."""
    dims = tensor.shape.dims
    first = None if not dims else dims[0]
    return REGISTRY["shape"](present_value(tensor))[0] if first is None else first


def _range_items(start: Any, limit: Any, delta: Any) -> Items:
    step = _known(delta)
    origin = _known(start)
    span = limit if origin == 0 else limit - start
    if step == 1:
        return Items(span, (lambda position: position) if origin == 0 else lambda position: start + position)
    # ceil(span / delta) in whole numbers, for either sign of delta
    return Items(-((-span) // delta), lambda position: start + position * delta)


def _sequence_items(sequence: Sequence[Any]) -> Items:
    """The items of a Python sequence whose items have one structure, with numbers or tensors of one type in it.

    A number stays one that adapts to the tensors beside it. Of a list they are what it holds when an item is asked for.
    Raises TypeError where the items differ too much.
    """
    if not len(sequence):
        return Items(0, lambda position: _nothing())
    read, seen = _reader(sequence), tuple(sequence)
    if not isinstance(sequence, list):
        return Items(len(sequence), read, (sequence,) if any(map(_can_change, sequence)) else ())

    def item(position: Any) -> Any:
        if (grown := moved_to(sequence)) is not None:
            return grown[position]
        is_known = isinstance(position, int) or are_same_items(sequence, seen)
        return read(position) if is_known else get_item(sequence, position)

    length = len(sequence)

    def length_now() -> Any:
        if (grown := moved_to(sequence)) is not None:
            return grown.length()
        return length if len(sequence) == length else len(sequence)

    return Items(length, item, (sequence,), None, length_now)


def _reader(sequence: Sequence[Any]) -> Callable[[Any], Any]:
    """From a position to the item there: a number of a stack of them all, an object that can change itself."""
    model = sequence[0]
    for other in sequence:
        nest.assert_same_structure(model, other)
    columns = [_column(leaves) for leaves in zip(*map(nest.flatten, sequence), strict=True)]
    can_change = any(map(_can_change, sequence))

    def item(position: Any) -> Any:
        if isinstance(position, int):  # the item itself: it may be a key of a dict
            return sequence[position]
        if can_change:
            return get_item(sequence, position)
        return nest.pack_sequence_as(model, [column(position) for column in columns])

    return item


def _can_change(item: Any) -> bool:
    if isinstance(item, tuple):
        return any(map(_can_change, item))
    return isinstance(item, np.ndarray) or not isinstance(item, (Tensor, *LITERALS))


def _column(leaves: Sequence[Any]) -> Callable[[Any], Any]:
    """The item at a position, of the values that stand at one place of all items."""
    first = leaves[0]
    if all(leaf is first for leaf in leaves):
        return lambda position: first
    kinds = {type(leaf) for leaf in leaves if not isinstance(leaf, Tensor)}
    if len(kinds) > 1 or (kinds and len(kinds) < len({type(leaf) for leaf in leaves})):
        raise TypeError(f"items of different types ({', '.join(sorted(kind.__name__ for kind in kinds))})")
    literal = not isinstance(first, Tensor)
    wide = weak_dtype(first) if type(first) in (int, float) else None
    stacked = convert_to_tensor(list(leaves), wide)  # TypeError for what is no tensor, ValueError for other shapes
    return lambda position: as_literal(stacked[position]) if literal else stacked[position]


def as_literal(value: Any) -> Any:
    """A number that the graph computes in the place of one of Python's: it takes the dtype of a tensor beside it."""
    if not isinstance(value, SymbolicTensor):
        return value
    wide = {"int": int64, "float": float64}.get(value.dtype.family, value.dtype)
    result = REGISTRY["identity"](value) if wide is value.dtype else REGISTRY["cast"](value, wide)
    result.weak = True
    return result


def _nothing() -> Any:
    raise AssertionError("an empty sequence has no item to trace")


def _known(tensor: SymbolicTensor) -> int | None:
    return None if tensor.value is None else int(tensor.value)


# -- the loop ------------------------------------------------------------------------------------------------------


def for_each(items: Items, position: list[Any], consumer: Consumer) -> None:
    """Hands the items from `position[0]` on to a consumer; the cell then holds the position of the next one.

    It moves on before the item is handed over, so that the consumer may take more by itself.
    """
    _hand_over_all(items, position, consumer)
    if items.at_end is not None:
        at_end(consumer, items.at_end)


def at_end(consumer: Consumer, check: Callable[[], None]) -> None:
    """Runs a check after a loop that was not left before its end."""
    check_if(consumer.wants_more(), check)


def check_if(flag: Any, check: Callable[[], None]) -> None:
    """`if flag: check()`, of a check that changes no variable."""
    stager_of(flag).if_stmt(flag, check, lambda: None, lambda: (), lambda values: None, (), 0)


def _hand_over_all(items: Items, position: list[Any], consumer: Consumer) -> None:
    length = items.length if items.length_now is None else items.length_now()
    if isinstance(position[0], int):
        if length is None and not _goes_on(items, position, consumer):
            return
        if isinstance(length, int) and position[0] >= length:
            return  # nothing to trace
    if isinstance(position[0], int) and isinstance(length, Tensor) and not is_weak(length):
        position[0] = adopt(position[0], length.dtype, "for")

    def test() -> Any:
        if length is None:
            return consumer.wants_more()
        more = REGISTRY["less"](position[0], length if items.length_now is None else items.length_now())
        return more if consumer.extra_test is None else and_then(more, consumer.extra_test)

    def step() -> None:
        here = position[0]
        position[0] = REGISTRY["add"](here, 1)
        hand_over(consumer, items.item(here))

    stage_steps(test, step, consumer, position, items.objects)


def _goes_on(items: Items, position: list[Any], consumer: Consumer) -> bool:
    """Hands over items as Python does until the graph decides whether there is another; False where Python ended it."""
    tracer, wanted = tracing_stager.get(), consumer.extra_test
    assert tracer is not None
    rounds = Rounds(tracer, consumer.body, lambda: True)
    while True:
        rounds.next()
        here = position[0]
        position[0] = here + 1
        hand_over(consumer, items.item(here))
        go_on = True if wanted is None else wanted()
        if stager_of(go_on) is not PYTHON or rounds.end_by_exception():
            return True
        if not go_on:
            return False


# -- targets -------------------------------------------------------------------------------------------------------


def hand_over(consumer: Consumer, item: Any) -> None:
    """Run a consumer's body for an item, which the target of its loop may unpack."""
    consumer.body(unpacked(item, str(consumer.options.get("iterate_names", ""))))


def unpacked(item: Any, target: str) -> Any:
    """The item of `for a, b in tensor`: its rows, one for each name in the target `(a, b)`, also nested ones.

    A size that is not known while tracing stays a tensor, which then refuses to be unpacked.
    """
    return _rows(item, parsed(target.strip())) if "," in target else item


def _rows(item: Any, target: ast.expr) -> Any:
    if not isinstance(target, ast.Tuple | ast.List):
        return item
    if isinstance(item, SymbolicTensor | EagerTensor | TracedArray):
        dims = item.shape.dims
        if not dims or dims[0] is None:
            return item
        item = [item[i] for i in range(dims[0])]
    if not isinstance(item, list | tuple):
        return item
    if len(item) != len(target.elts) or any(isinstance(part, ast.Starred) for part in target.elts):
        return item  # Python counts and spreads them, and says what is wrong
    return [_rows(row, part) for row, part in zip(item, target.elts, strict=True)]
