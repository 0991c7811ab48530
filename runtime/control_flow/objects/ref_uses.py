"""What Python's operators do with a `Ref`: each is one on the object that it is; attributes are those of the object.

    row[0] = x                ->  if <row is first>: first[0] = x  else: second[0] = x
    row += [x]                ->  if <row is first>: first += [x]  else: second += [x]
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from enum import Enum
from inspect import getattr_static
from types import ClassMethodDescriptorType, FunctionType, MethodDescriptorType
from typing import Any, Final, NoReturn

from autograph.errors import StagingError, StagingTypeError
from autograph.operators.builtins import call_builtin
from autograph.operators.item_state import ELSEWHERE
from autograph.operators.slices import del_item, get_item, set_item
from runtime.control_flow.lattice.leaf import convert_weakly
from runtime.control_flow.objects.ref_calls import RefMethod, builtin_with_refs
from runtime.control_flow.objects.ref_each import as_now, each
from runtime.control_flow.objects.ref_items import item_of, items_in_turn, with_contents
from runtime.control_flow.objects.ref_members import as_value, operand_value
from runtime.control_flow.objects.refs import Ref, among
from runtime.control_flow.optional.values import is_state_access
from runtime.control_flow.outside.operands import check_left_operand
from runtime.tensor.convert import convert_to_tensor

__all__ = ["install"]


def _in_place(function: Callable[[Any, Any], Any]) -> Callable[[Ref, Any], Any]:
    return lambda self, other: each(self, lambda value: _with_object(function, value, other), other)


def _binary(function: Callable[[Any, Any], Any], name: str) -> Callable[[Ref, Any], Any]:
    return lambda self, other: _both(function, _operand(self, name, other), with_contents(other))


def _reflected(function: Callable[[Any, Any], Any], name: str) -> Callable[[Ref, Any], Any]:
    def operation(self: Ref, other: Any) -> Any:
        check_left_operand(other)
        return _both(lambda value, other: function(as_now(other), value), _operand(self, name, other), other)

    return operation


def _operand(ref: Ref, name: str, other: Any = None) -> Any:
    value = operand_value(ref, name, other)
    return with_contents(ref) if value is ref else value


def _both(function: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    if type(first) is Ref:
        return each(first, lambda value: _with_object(function, value, second), second)
    return _with_object(function, first, second)


def _with_object(function: Callable[[Any, Any], Any], value: Any, other: Any) -> Any:
    return each(other, lambda inner: function(value, inner), value) if type(other) is Ref else function(value, other)


def _item(self: Ref, key: Any) -> Any:
    found = item_of(self, key) if type(key) is int else NotImplemented
    return each(self, lambda value: get_item(value, key), key) if found is NotImplemented else found


def _set_item(self: Ref, key: Any, item: Any) -> None:
    if not is_state_access():
        each(self, lambda value: set_item(value, key, item), key, item)


def _attribute(self: Ref, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)  # protocols that ask "do you have it?" get a plain no
    if is_state_access():
        return ELSEWHERE  # what is changed is part of the objects
    objects = self._ag_objects
    found = [getattr_static(type(value), name, _NOT_THERE) for value in objects]
    if all(one is _NOT_THERE for one in found) and not any(_may_have(value, name) for value in objects):
        raise AttributeError(f"{type(objects[0]).__name__!r} object has no attribute {name!r}")
    if all(isinstance(value, _METHODS) for value in found):
        return RefMethod(self, name)
    return each(self, lambda value: getattr(value, name))


def _may_have(value: Any, name: str) -> bool:
    """Whether it has an attribute of its own, or its class code that makes some."""
    kind = type(value)
    is_made = hasattr(kind, "__getattr__") or getattr_static(kind, "__getattribute__") is not _PLAIN
    return is_made or name in getattr(value, "__dict__", ())


_NOT_THERE: Final = object()
_PLAIN: Final = getattr_static(object, "__getattribute__")
_METHODS: Final = (FunctionType, classmethod, staticmethod, MethodDescriptorType, ClassMethodDescriptorType)


def _set_attribute(self: Ref, name: str, value: Any) -> None:
    if name.startswith("_ag_"):
        object.__setattr__(self, name, value)
    elif not is_state_access():
        each(self, lambda owner: setattr(owner, name, value), value)


def _iterator(self: Ref) -> Iterator[Any]:
    """For what is not converted: the items, of which all the objects have as many."""
    count = _length(self)
    if all(isinstance(value, list) for value in self._ag_objects):
        return iter([self[place] for place in range(count)])
    return iter(each(self, list))


def _length(self: Ref) -> int:
    lengths = {len(value) for value in self._ag_objects}
    if len(lengths) > 1:
        raise StagingError(
            "one of several lists or dicts, of which a tensor decides which one it is, is given to what is not"
            f" converted; they have {' or '.join(map(str, sorted(lengths)))} elements. Go through it with a `for`, or"
            " do it in the branches"
        )
    return lengths.pop()


def _truth(self: Ref) -> Any:
    return each(self, lambda value: call_builtin(bool, (value,), {}, None, True))


def _hash(self: Ref) -> NoReturn:
    raise StagingTypeError(
        "one of several objects, of which a tensor decides which one it is, is asked for its hash, as a member of a set"
        " or a key: do that in the branches, where it is known"
    )


def _as_tensor(self: Ref) -> Any:
    value = as_value(self)
    return each(self, convert_to_tensor) if value is self else convert_weakly(value)


def _representation(self: Ref) -> str:
    shown = (str(value) if isinstance(value, Enum) else f"a {type(value).__name__}" for value in self._ag_objects)
    return f"<one of {', '.join(shown)}>"


_OPERATORS: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
)  # fmt: skip
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_UNARY: Final = ("neg", "pos", "invert", "abs")


def install() -> None:
    """Gives Ref its methods."""
    methods: dict[str, Any] = {
        "__getitem__": _item, "__setitem__": _set_item, "__getattr__": _attribute, "__setattr__": _set_attribute,
        "__delitem__": lambda self, key: each(self, lambda value: del_item(value, key), key),
        "__delattr__": lambda self, name: each(self, lambda owner: delattr(owner, name)),
        "__iter__": _iterator, "__len__": _length, "__hash__": _hash, "__repr__": _representation,
        "__bool__": lambda self: bool(_truth(self)),  # refused as the truth of any symbolic tensor, with what to do
        "__as_tensor__": _as_tensor, "__ag_take__": lambda self, message: _as_tensor(self),
        "__array_ufunc__": None, "__ag_asked__": staticmethod(lambda f, args: builtin_with_refs(f, args, {})),
        "__ag_narrowed__": lambda self, cls: among(self, [isinstance(value, cls) for value in self._ag_objects]),
        "__ag_truth__": _truth, "__ag_parts__": items_in_turn,
    }  # fmt: skip
    for name in _OPERATORS:
        plain = name.rstrip("_")
        methods[f"__{plain}__"] = _binary(getattr(operator, name), f"__{plain}__")
        methods[f"__r{plain}__"] = _reflected(getattr(operator, name), f"__r{plain}__")
        methods[f"__i{plain}__"] = _in_place(getattr(operator, f"i{plain}"))
    methods |= {f"__{name}__": _binary(getattr(operator, name), f"__{name}__") for name in _COMPARISONS}
    methods |= {f"__{name}__": _unary(getattr(operator, name), f"__{name}__") for name in _UNARY}
    for name, method in methods.items():
        setattr(Ref, name, method)


def _unary(function: Callable[[Any], Any], name: str) -> Callable[[Ref], Any]:
    return lambda self: each(self, function) if (read := _operand(self, name)) is self else function(read)
