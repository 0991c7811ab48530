"""Members of IntEnum, IntFlag, `class Color(str, Enum)` and their like that a tensor chooses: objects that are values.

    size = Size.LARGE if x > 0 else Size.SMALL     # a Ref to the two members
    size.name, size is Size.LARGE                  # as for all objects
    size + 1, a[size], range(size), return size    # the number that the member is, selected without branches
"""

from __future__ import annotations

from typing import Any, Final

from runtime.control_flow.lattice.leaf import LeafType, met
from runtime.control_flow.lattice.stacked import number_at
from runtime.control_flow.objects.refs import Ref, known_object
from runtime.tensor.literals import is_valued_member, plain_type, plain_value
from runtime.tensor.tensor import Tensor

__all__ = ["as_value", "is_new_key", "is_valued", "operand_value", "value_type", "with_values"]


def is_valued(value: Any) -> bool:
    """Whether it is one of several members that are all numbers, or all texts, too."""
    if type(value) is not Ref:
        return False
    objects = value._ag_objects
    kinds = set(map(plain_type, objects))
    return all(map(is_valued_member, objects)) and (kinds <= _NUMBERS or len(kinds) == 1)


_NUMBERS: Final = frozenset({int, float, complex})


def as_value(value: Any) -> Any:
    """The number or text that one of several members is; all other values as they are."""
    if not is_valued(value):
        return value
    known = known_object(value)
    return known if known is not value else number_at(value._ag_selector, list(map(plain_value, value._ag_objects)))


def value_type(value: Any) -> Any:
    """The type of the number or text that one of several members is; all other values as they are."""
    if not is_valued(value):
        return value
    return met([LeafType.of(member) for member in value._ag_objects], "{} {}".format)


def with_values(key: Any) -> Any:
    """A subscript with the numbers that members in it are: an index, the bounds of a slice, a tuple of such."""
    if type(key) is tuple:
        return tuple(map(with_values, key))
    if type(key) is slice:
        return slice(as_value(key.start), as_value(key.stop), as_value(key.step))
    return as_value(key)


def is_new_key(whole: Any, key: Any) -> bool:
    """Whether a dict has not all members as keys that a key may be, so that it gets them from the run."""
    return isinstance(whole, dict) and is_valued(key) and any(value not in whole for value in key._ag_objects)


def operand_value(ref: Any, method: str, other: Any = None) -> Any:
    """What an operator of Python's numbers or texts takes for one of several members; the Ref itself where the class
    has an operator of its own, as IntFlag has `|`, or where what stands beside it is no number or text.

    method: the name of the operator's method. other: the other operand.
    """
    if not is_valued(ref) or not (other is None or _is_text(other) is _is_text(ref)):
        return ref
    for value in ref._ag_objects:
        if getattr(type(value), method, None) is not getattr(plain_type(value), method, None):
            return ref
    return as_value(ref)


def _is_text(value: Any) -> bool | None:
    """Whether it is a text, or a number; None for others."""
    if type(value) is Ref:
        return _is_text(value._ag_objects[0]) if is_valued(value) else None
    if isinstance(value, Tensor):
        return value.dtype.family == "string"
    return isinstance(value, str | bytes) if isinstance(value, int | float | complex | str | bytes) else None
