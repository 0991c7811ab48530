"""What Python's operations do with a value that may be None: they take it, after a check in Python's own words.

    best + 1         ->  check(present, "unsupported operand type(s) for +: 'NoneType' and 'int'"), then the sum
    best[0]          ->  check(present, "'NoneType' object is not subscriptable"), then the element
    best == x        ->  `present and value == x`: None is equal to None alone
    if best: ...     ->  `present and <the truth of the value>`
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from autograph.operators.augmented import update
from autograph.operators.builtins import call_builtin
from runtime.control_flow.objects.identity import is_same_object
from runtime.control_flow.optional.flags import both, either, ensure, negated
from runtime.control_flow.optional.values import MaybeNone, Untyped, is_none, presence, take
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.none_operands import MAYBE_NONE
from runtime.tensor.numpy_protocol import array_function, array_ufunc
from runtime.tensor.tensor import Tensor
from runtime.tensor.text import mark

__all__ = ["NOT_UNPACKED", "NO_KEY", "UNARY", "call_builtin_of_values", "install", "is_same", "taken"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

BINARY: Final = {
    "add": ("+", operator.add), "sub": ("-", operator.sub), "mul": ("*", operator.mul),
    "truediv": ("/", operator.truediv), "floordiv": ("//", operator.floordiv), "mod": ("%", operator.mod),
    "pow": ("** or pow()", operator.pow), "matmul": ("@", operator.matmul), "and": ("&", operator.and_),
    "or": ("|", operator.or_), "xor": ("^", operator.xor), "lshift": ("<<", operator.lshift),
    "rshift": (">>", operator.rshift), "divmod": ("divmod()", divmod),
}  # fmt: skip
"""The name in `__name__` and `__rname__` -> how messages call the operator, and what it does."""

COMPARISONS: Final = {
    "lt": ("<", operator.lt), "le": ("<=", operator.le), "gt": (">", operator.gt), "ge": (">=", operator.ge),
}  # fmt: skip

UNARY: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "neg": ("bad operand type for unary -: 'NoneType'", operator.neg),
    "pos": ("bad operand type for unary +: 'NoneType'", operator.pos),
    "invert": ("bad operand type for unary ~: 'NoneType'", operator.invert),
    "abs": ("bad operand type for abs(): 'NoneType'", abs),
    "round": ("type NoneType doesn't define __round__ method", round),
    "getitem": ("'NoneType' object is not subscriptable", operator.getitem),
    "setitem": ("'NoneType' object does not support item assignment", operator.setitem),
    "delitem": ("'NoneType' object does not support item deletion", operator.delitem),
    "contains": ("argument of type 'NoneType' is not iterable", operator.contains),
    "iter": ("'NoneType' object is not iterable", iter),
    "reversed": ("'NoneType' object is not reversible", reversed),
    "len": ("object of type 'NoneType' has no len()", len),
    "call": ("'NoneType' object is not callable", lambda value, *args, **kwargs: value(*args, **kwargs)),
    "int": ("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'", int),
    "float": ("float() argument must be a string or a real number, not 'NoneType'", float),
    "index": ("'NoneType' object cannot be interpreted as an integer", operator.index),
    "array": ("Cannot convert None to a tensor: None values are not supported", lambda value, *args: value.__array__()),
}  # fmt: skip
"""What has one message, whatever its other arguments are: the message, and what it does."""


NOT_ITERABLE: Final = "'NoneType' object is not iterable"
NOT_UNPACKED: Final = "cannot unpack non-iterable NoneType object"
NO_KEY: Final = "indices must be integers or slices, not NoneType"

BUILTINS: Final[dict[Any, str]] = {
    **dict.fromkeys((all, any, enumerate, filter, iter, list, map, sorted, sum, tuple, zip), NOT_ITERABLE),
    **{f: UNARY[f.__name__][0] for f in (abs, float, int, len, reversed, round)},
    divmod: "unsupported operand type(s) for divmod(): 'NoneType' and 'int'",
    max: "'>' not supported between instances of 'NoneType' and 'int'",
    min: "'<' not supported between instances of 'NoneType' and 'int'",
    next: "'NoneType' object is not an iterator",
    pow: "unsupported operand type(s) for ** or pow(): 'NoneType' and 'int'",
    range: "'NoneType' object cannot be interpreted as an integer",
}
"""What the builtins say of None."""


def call_builtin_of_values(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`function(*args)` for a builtin that is given what may be None, and takes no None; NotImplemented for others."""
    if function is bool:
        return as_bool_scalar(args[0], "argument of bool()")
    if function in (divmod, pow) and len(args) == 2:
        return function(*args)  # the operands know Python's words for which of them is None
    if function not in BUILTINS:
        return NotImplemented
    message = NOT_ITERABLE if function in (max, min) and len(args) == 1 else BUILTINS[function]
    return call_builtin(function, tuple(taken(arg, message) for arg in args), kwargs, None, True)


def taken(value: Any, message: str) -> Any:
    """A value that may be None, where None is an error of type TypeError with this message; others as they are."""
    return take(value, message) if isinstance(value, MaybeNone) else value


def install() -> None:
    """Gives MaybeNone its methods, and tells the operators of tensors about it."""
    MAYBE_NONE.update((MaybeNone, Untyped))
    for name, (symbol, function) in BINARY.items():
        message = "unsupported operand type(s) for {}: {} and {}"
        setattr(MaybeNone, f"__{name}__", _binary(message, symbol, function))
        setattr(MaybeNone, f"__r{name}__", _reflected(symbol, function))
        sign = f"{symbol.partition(' ')[0]}="
        if name != "divmod":  # what is there may be an array or a list, which changes in place
            setattr(MaybeNone, f"__i{name}__", _binary(message, sign, partial(_updated, sign)))
    for name, (symbol, function) in COMPARISONS.items():
        message = "'{}' not supported between instances of {} and {}"
        setattr(MaybeNone, f"__{name}__", _binary(message, symbol, function))
    for name, (text, function) in UNARY.items():
        setattr(MaybeNone, f"__{name}__", _unary(text, function))
    methods: dict[str, Any] = {
        "__eq__": _equal, "__ne__": lambda self, other: negated(_equal(self, other)), "__bool__": _bool,
        "__getattr__": _attribute, "__format__": _format,
        "__setattr__": _set_attribute, "__array_ufunc__": array_ufunc, "__array_function__": array_function,
    }  # fmt: skip
    for name, method in methods.items():
        setattr(MaybeNone, name, method)


def _binary(message: str, symbol: str, function: Callable[[Any, Any], Any]) -> Callable[[MaybeNone, Any], Any]:
    def method(self: MaybeNone, other: Any) -> Any:
        if isinstance(other, MaybeNone):
            error = TypeError(message.format(symbol, "'NoneType'", "'NoneType'"))
            ensure(negated(both(is_none(self), is_none(other))), error)
        value = take(self, message.format(symbol, "'NoneType'", _kind(other)))
        return function(value, taken(other, message.format(symbol, _kind(value), "'NoneType'")))

    return method


def _updated(sign: str, value: Any, other: Any) -> Any:
    return update(value, sign, other)


def _reflected(symbol: str, function: Callable[[Any, Any], Any]) -> Callable[[MaybeNone, Any], Any]:
    def method(self: MaybeNone, other: Any) -> Any:
        return function(other, take(self, f"unsupported operand type(s) for {symbol}: {_kind(other)} and 'NoneType'"))

    return method


def _unary(message: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: MaybeNone, *args: Any, **kwargs: Any) -> Any:
        return function(take(self, message), *args, **kwargs)

    return method


def _kind(other: Any) -> str:
    """The type of an operand for a message; the same for all tensors, whose classes are no concern of users."""
    value = presence(other).value
    if isinstance(value, TracedArray):  # which numpy goes through
        return repr(type(value.dtype.numpy.type(0).item()).__name__)
    return "'Tensor'" if isinstance(value, Tensor) else repr(type(value).__name__)


def _equal(self: MaybeNone, other: Any) -> Any:
    if other is None:
        return is_none(self)
    mine, theirs = presence(self), presence(other)
    same = both(both(mine.present, theirs.present), mine.value == theirs.value)
    return either(negated(either(mine.present, theirs.present)), same)


def is_same(a: Any, b: Any) -> Any:
    """`a is b`, where each may be None, or a copy of an object."""
    mine, theirs = presence(a), presence(b)
    same = is_same_object(mine.value, theirs.value)
    if same is True:
        return True if mine.present is theirs.present else _both_or_neither(mine.present, theirs.present)
    return either(both(both(mine.present, theirs.present), same), both(is_none(a), is_none(b)))


def _both_or_neither(a: Any, b: Any) -> Any:
    if isinstance(a, bool) or isinstance(b, bool):
        return both(a, b)  # one of them is there for sure
    return REGISTRY["equal"](a, b)


def _bool(self: MaybeNone) -> bool:
    flag = is_none(self)
    if flag is True:
        return False
    if flag is False:
        return bool(presence(self).value)
    return bool(flag)  # refused as the truth of any symbolic tensor, with what to do


def _attribute(self: MaybeNone, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)  # protocols that ask "do you have it?" get a plain no
    return getattr(take(self, f"'NoneType' object has no attribute {name!r}", "AttributeError"), name)


def _set_attribute(self: MaybeNone, name: str, value: Any) -> None:
    if name in MaybeNone.__slots__:
        object.__setattr__(self, name, value)
    else:
        setattr(take(self, f"'NoneType' object has no attribute {name!r}", "AttributeError"), name, value)


def _format(self: MaybeNone, spec: str) -> str:
    if (text := mark(self, "", spec)) is not None:
        return text
    if not spec:
        return repr(self)
    return format(take(self, "unsupported format string passed to NoneType.__format__"), spec)
