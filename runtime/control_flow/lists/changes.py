"""What Python's lists can do besides `append`, for lists that grow in a graph: other methods, slices and numbers.

    items.pop()             pop(items)

    items[1:] = [5, x]      set_slice(items, slice(1, None), [5, x])
    del items[:2]           delete(items, slice(None, 2))
    items *= 2              repeated(items, 2)
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingTypeError
from runtime.control_flow.builtins import in_python
from runtime.control_flow.builtins.characters import is_text
from runtime.control_flow.lists.array_elements import note_put, note_taken
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.element_types import ElementType, LeafType, nothing, own_list
from runtime.control_flow.lists.of_arrays import as_a_list
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList, add_methods
from runtime.dtypes import int32
from runtime.ops.lists import lists
from runtime.ops.records.record import REGISTRY
from runtime.state.calling import call_converted
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import REPEATED, Tensor

__all__ = ["delete", "extend", "repeated", "set_slice"]


# -- methods


def insert(items: TensorList, index: Any, element: Any) -> None:
    """Adds an element before a position; one outside of the list counts as its begin or end."""
    items.may_change(moves=True)
    items.change(lists.list_insert, (index,), element)


def pop(items: TensorList, index: Any = -1) -> Any:
    """Removes the element at a position, the last one by default, and returns it. Raises IndexError."""
    known = items.known("pop from")
    items.may_change(moves=True)
    leaves = zip(items.handles, known.leaves, strict=True)
    pairs = [lists.list_pop(handle, index, **leaf.attributes) for handle, leaf in leaves]
    items.handles = tuple(handle for handle, _ in pairs)
    return note_taken(items.packed(known, [element for _, element in pairs]))


def clear(items: TensorList) -> None:
    """Removes all elements."""
    items.may_change(moves=True)
    items.handles = tuple(nothing() for _ in items.handles)


def reverse(items: TensorList) -> None:
    """Turns the order of the elements round."""
    items.take(items[::-1])


def extend(items: TensorList, elements: Any) -> None:
    """Adds the elements of a list, the rows of a tensor, or what a Python iterable gives."""
    if not isinstance(elements, TensorList | Tensor) or is_text(elements):
        elements = elements if (taken := as_a_list(elements)) is NotImplemented else taken
    if not isinstance(elements, TensorList | Tensor):
        for element in elements:
            items.append(element)
        return
    if isinstance(elements, TensorList):
        elements.note_use(copies=True)
        if elements.elements is not None:
            wanted = elements.elements if items.elements is None else items.elements.join(elements.elements)
            pairs = zip(items.handles_as(wanted), elements.handles_as(wanted), strict=True)
            items.take(TensorList.like(wanted, [lists.list_concat(*pair) for pair in pairs]))
        return
    if elements.shape.rank == 0:
        raise TypeError("a scalar tensor has no rows that could be added to a list")
    row = ElementType.rows_of(elements)
    wanted = row if items.elements is None else items.elements.join(row)
    (handle,), (leaf,) = items.handles_as(wanted), wanted.leaves
    assert isinstance(leaf, LeafType)
    rows = leaf.adopted(elements, "append to a list")
    items.take(TensorList.like(wanted, [lists.list_extend(handle, rows, **leaf.attributes)]))
    if elements.shape.rank != 1:
        note_put(elements)


def _copied_deeply(items: TensorList, memo: dict[int, Any]) -> TensorList:
    """`copy.deepcopy(items)`: nobody else has what is in the elements, which are values here anyway."""
    items.note_use()
    made: TensorList = memo.setdefault(id(items), TensorList.like(own_list(items.elements), items.handles))
    return made


# -- slices and numbers


def sliced(items: TensorList, key: slice) -> TensorList:
    """`items[key]`: a new list."""
    start, stop = (0 if bound is None else bound for bound in (key.start, key.stop))
    given = {"has_start": key.start is not None, "has_stop": key.stop is not None}
    step = 1 if key.step is None else key.step
    items.note_use(copies=True)
    handles = [lists.list_slice(handle, start, stop, step, **given) for handle in items.handles]
    return TensorList.like(own_list(items.elements), handles)


def set_slice(items: TensorList, key: slice, elements: Any) -> None:
    """`items[key] = elements`. Raises TypeError for what has no elements."""
    if not (isinstance(elements, Tensor) or hasattr(type(elements), "__iter__")):
        raise TypeError("can only assign an iterable")
    if not isinstance(elements, TensorList | Tensor) or is_text(elements):
        elements = collected(elements)
    if _has_step(key):
        call_converted(in_python.set_places, items, _places(items, key), elements)
    else:
        _replace(items, key, elements)


def delete(items: TensorList, key: Any) -> None:
    """`del items[key]`, of a position or slice. Raises IndexError when there is no such element."""
    if isinstance(key, slice):
        if _has_step(key):
            call_converted(in_python.delete_places, items, _places(items, key))
        else:
            _replace(items, key, ())
        return
    length = items.length()
    fits = REGISTRY["logical_and"](REGISTRY["greater_equal"](key, -length), REGISTRY["less"](key, length))
    REGISTRY["check"](fits, message="list assignment index out of range", exception="IndexError")
    items.pop(key)


def repeated(items: TensorList, times: Any) -> TensorList:
    """`items * times`: a new list. Raises TypeError for what is no integer."""
    if _is_count(times):
        known = _known(times)
        if known is None and items.elements is not None:
            every = REGISTRY["range"](0, items.length() * REGISTRY["maximum"](REGISTRY["cast"](times, int32), 0), 1)
            parts = [REGISTRY["gather"](column, every % items.length()) for column in items.columns()]
            leaves = zip(parts, items.elements.leaves, strict=True)
            return TensorList.like(
                own_list(items.elements),
                [lists.list_extend(nothing(), part, **leaf.attributes) for part, leaf in leaves],
            )
        times = 0 if known is None else known
    if not hasattr(type(times), "__index__"):
        raise TypeError(f"can't multiply sequence by non-int of type '{type(times).__name__}'")
    left = max(0, times.__index__())
    made: TensorList = items[:0]
    power = items.copy()
    while left:
        if left % 2:
            made.extend(power)
        left //= 2
        if left:
            power = power + power
    return made


def _replace(items: TensorList, key: slice, elements: Any) -> None:
    """Puts elements in the place of those of a slice."""
    made = items[: 0 if key.start is None else key.start]
    made.extend(elements)
    if key.stop is not None:
        made.extend(items[_behind(items, key) :])
    items.take(made)


def _has_step(key: slice) -> bool:
    return key.step is not None and not (type(key.step) is int and key.step == 1)


def _places(items: TensorList, key: slice) -> Any:
    """Which positions a slice has, as a tensor."""
    return REGISTRY["range"](0, items.length(), 1)[key]


def _behind(items: TensorList, key: slice) -> Any:
    """Where the elements behind a slice begin: never before its start."""
    start = 0 if key.start is None else key.start
    if all(type(bound) is int and bound >= 0 for bound in (start, key.stop)):
        return max(start, key.stop)
    length = items.length()
    positions = (REGISTRY["cast"](bound, int32) for bound in (start, key.stop))
    first, behind = (REGISTRY["where"](p < 0, REGISTRY["maximum"](p + length, 0), p) for p in positions)
    return REGISTRY["maximum"](first, behind)


def _repeated_list(items: list[Any], times: Tensor) -> Any:
    """`items * times` of a Python list: as with an int."""
    if not _is_count(times):
        return NotImplemented
    known = _known(times)
    times = REGISTRY["cast"](times, int32) if times.dtype.is_bool else times
    return TensorList(items) * times if known is None else items * known


def _repeated_tuple(items: tuple[Any, ...], times: Tensor) -> Any:
    """`items * times` of a tuple, whose length is part of its structure."""
    if not _is_count(times):
        return NotImplemented
    if (known := _known(times)) is None:
        raise StagingTypeError(
            f"a tuple is repeated as often as {times} says, which only the run knows: the length of a tuple is part of"
            " its structure. Repeat a list, as in `list(t) * n`"
        )
    return items * known


def _is_count(times: Any) -> bool:
    return isinstance(times, EagerTensor | SymbolicTensor) and times.shape.rank == 0 and (
        times.dtype.is_integer or times.dtype.is_bool
    )


def _known(times: Any) -> int | None:
    known = times.numpy() if isinstance(times, EagerTensor) else times.value
    return None if known is None else int(known)


REPEATED.update({list: _repeated_list, tuple: _repeated_tuple})
add_methods(clear=clear, extend=extend, insert=insert, pop=pop, reverse=reverse)
add_methods(__copy__=TensorList.copy, __deepcopy__=_copied_deeply)
CHANGES.update(delete=delete, repeated=repeated, set_slice=set_slice, sliced=sliced)
