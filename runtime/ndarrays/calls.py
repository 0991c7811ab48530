"""numpy's functions and Python's operators on traced arrays: which give views, which write, and all the others.

    np.add(a, b)             a new array in numpy's dtype
    np.add(a, b, out=c)      c is written to, and returned
    a += b                   the same with a
    np.swapaxes(a, 0, 1)     a view of a

What has no row in `views` or `writes` gives a new array: the operations are those that stand for numpy's functions on
tensors (`runtime.tensor.numpy_calls`). With a tensor of rank 1 or more among the operands the result is a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

import runtime.ndarrays.scatter  # noqa: F401 - which knows ufunc.at
from runtime.ndarrays import attributes
from runtime.ndarrays.chosen import ChosenArray, view_of_each
from runtime.ndarrays.given_back import view_by_einsum
from runtime.ndarrays.guests import Guest, check_labels, plain
from runtime.ndarrays.layout import layout_of, result_layout
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import KnownArray, TracedArray, fresh, is_known, known_of
from runtime.ndarrays.views import VIEWS
from runtime.ndarrays.writes import METHODS, WRITES
from runtime.structures import items_within
from runtime.tensor.array_numbers import AS_ARRAY
from runtime.tensor.none_operands import MAYBE_NONE, words
from runtime.tensor.numpy_calls.table import with_out
from runtime.tensor.numpy_protocol import OPERATORS, array_function, array_ufunc
from runtime.tensor.operator_rules import ARRAYS, REFLECTED
from runtime.tensor.tensor import Operators

__all__ = ["array_call", "install", "is_mixed", "ufunc_call"]


def ufunc_call(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`TracedArray.__array_ufunc__`."""
    if any(isinstance(value, Guest) for value in inputs):
        check_labels(inputs)
        inputs = tuple(map(plain, inputs))
    if is_known((inputs, tuple(kwargs.values()))):
        return _by_numpy(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)
    if method == "at":
        return WRITES[np.ufunc.at](ufunc, *inputs)
    out = kwargs.pop("out", None)
    where = kwargs.pop("where", True)
    if method != "__call__" and where is not True:
        kwargs["where"], where = where, True
    result = array_ufunc(None, ufunc, method, *map(_value, inputs), **kwargs)
    if out is None:
        if where is not True:
            raise TypeError(f"np.{ufunc.__name__} with `where` and without `out` leaves elements unset: give it `out`")
        return result if is_mixed(inputs) else fresh(result, _layout_of(ufunc, method, inputs))
    return _given_out(ufunc.__name__, result, out, where)


def _layout_of(ufunc: Any, method: str, inputs: Any) -> Any:
    if method == "accumulate":
        return result_layout(inputs[:1])
    return result_layout(inputs) if method == "__call__" and ufunc.signature is None else None


def _given_out(name: str, result: Any, out: Any, where: Any = True) -> Any:
    """The result, written to what `out` says."""
    targets = out if isinstance(out, tuple) else (out,)
    results = result if isinstance(result, tuple) and len(targets) > 1 else (result,)
    for target, value in zip(targets, results, strict=False):
        if target is not None:
            _write_result(name, target, value, where)
    found = tuple(fresh(r) if t is None else t for r, t in zip(results, targets, strict=False))
    return found[0] if len(found) == 1 else found


def _write_result(name: str, target: Any, value: Any, where: Any) -> None:
    if not isinstance(target, TracedArray):
        restart(target)
        raise TypeError(
            f"np.{name} writes what only the graph knows to `out`, which is {type(target).__name__}: tensors never"
            " change. Give it an array, or take the result without `out`"
        )
    given = value.dtype.numpy if isinstance(value, Operators) else np.asarray(value).dtype
    if not np.can_cast(given, target.dtype.numpy, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc {name!r} output from dtype({given.name!r}) to dtype({target.dtype.name!r}) with casting"
            " rule 'same_kind'"
        )
    if where is True:
        target.write(value)
    else:
        WRITES[np.copyto](target, value, where=where)


def array_call(self: Any, function: Any, types: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """`TracedArray.__array_function__`."""
    args, kwargs = tuple(map(plain, args)), {name: plain(value) for name, value in kwargs.items()}
    if (view := VIEWS.get(function)) is not None:
        source = args[0] if args else kwargs.get("a", kwargs.get("m"))
        if isinstance(source, ChosenArray) and source.layout is None:
            return view_of_each(view, source, args[1:] if args else (), kwargs)
        if isinstance(source, TracedArray) and (made := view(*args, **kwargs)) is not NotImplemented:
            return made
    if function is np.einsum and (made := view_by_einsum(args, kwargs)) is not None:
        return made
    if is_known((tuple(args), tuple(kwargs.values()))):
        return _by_numpy(function, args, kwargs)
    if (write := WRITES.get(function)) is not None:
        return write(*args, **kwargs)
    args, kwargs = with_out(function, args, kwargs)
    kwargs = dict(kwargs)
    out = kwargs.pop("out", None)
    values = [_values(arg) for arg in args]
    named = {name: _values(value) for name, value in kwargs.items()}
    result = array_function(None, function, (), values, named)
    if out is not None:
        return _given_out(getattr(function, "__name__", str(function)), result, out)
    if is_mixed([*args, *kwargs.values()]):
        return result
    if function in _LIKE:
        return fresh(result, _layout_like(args[0], kwargs))
    return fresh(result, result_layout(args[: _KEEP.get(function, 0)]))


_LIKE: Final = frozenset((np.empty_like, np.zeros_like, np.ones_like, np.full_like))
"""Functions whose result lies in memory as their first argument does."""
_KEEP: Final = {np.sort: 1, np.clip: 3, np.round: 1, np.real_if_close: 1}
"""Functions whose results lie as so many of their arguments."""


def _layout_like(array: Any, kwargs: Mapping[str, Any]) -> Any:
    """The layout of an array made like another one; None where it is the usual one, or nobody knows."""
    shape, layout = kwargs.get("shape"), getattr(array, "layout", array)
    if not isinstance(layout, np.ndarray) or not is_known(shape):
        return None
    return layout_of(np.empty_like(layout, np.bool_, order=kwargs.get("order", "K"), shape=known_of(shape)))


def _by_numpy(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The call that numpy itself carries out, for all is known; `out` is what it was."""
    for target in WRITES.targets(function, args, kwargs):
        target.buffer.check()
    result = function(*map(known_of, args), **{name: known_of(value) for name, value in kwargs.items()})
    out = kwargs.get("out")
    if out is not None:
        return out[0] if isinstance(out, tuple) and len(out) == 1 else out
    return fresh(result)


def is_mixed(values: Any) -> bool:
    """Whether there is a tensor or a Variable among the operands: then the result is a tensor. Numbers do not count."""
    others = (v for v in items_within(values) if isinstance(v, Operators) and not isinstance(v, TracedArray))
    return any(value.shape.rank != 0 for value in others)


def _value(operand_: Any) -> Any:
    return operand_.value() if isinstance(operand_, TracedArray) else operand_


def _values(argument: Any) -> Any:
    """An argument with tensors in the place of arrays, also in lists."""
    if isinstance(argument, list | tuple) and not hasattr(argument, "_fields"):
        return type(argument)(map(_values, argument))
    return _value(argument)


# -- Python's operators


def _binary(ufunc: np.ufunc, reflected: bool = False) -> Callable[[Any, Any], Any]:
    def method(self: TracedArray, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        other = _there(self, other, ufunc)
        operands = (other, self) if reflected else (self, other)
        if ufunc is np.power and not reflected and (power := _power(self, other)) is not None:
            return ufunc_call(self, power, "__call__", self)
        if isinstance(other, Operators) and is_mixed([other]):
            return getattr(Operators, _NAMES[ufunc].format("r" if reflected else ""))(self, other)
        return ufunc_call(self, ufunc, "__call__", *operands)

    return method


def _power(array: TracedArray, exponent: Any) -> np.ufunc | None:
    """What the operator `**` of this numpy calls in the place of np.power, whose last bits are others."""
    if type(exponent) not in (int, float) or not array.dtype.is_complex:
        return None
    return _own_powers().get((type(exponent), exponent))


@cache
def _own_powers() -> Mapping[tuple[type, float], np.ufunc]:
    """By the exponent, as far as numpy has functions of their own for it: that has changed, so it is asked."""
    tried = {2: np.square, 0.5: np.sqrt, -1: np.reciprocal}
    numbers = np.exp(np.arange(1, 200) * (0.01 + 1j))
    exponents = [kind(value) for value in tried for kind in (int, float) if kind(value) == value]
    return {
        (type(e), e): tried[e]
        for e in exponents
        if np.array_equal(numbers**e, tried[e](numbers)) and not np.array_equal(numbers**e, np.power(numbers, e))
    }


def _compared(ufunc: np.ufunc, name: str) -> Callable[[Any, Any], Any]:
    def method(self: TracedArray, other: Any) -> Any:
        if other is None or not _is_operand(other):
            return getattr(Operators, name)(self, other)
        if type(other) in MAYBE_NONE and ufunc in _EQUALITIES:
            return NotImplemented  # it says what None is equal to
        other = _there(self, other, ufunc)
        return ufunc_call(self, ufunc, "__call__", self, other)

    return method


def _in_place(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    def method(self: TracedArray, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        other = _there(self, other, ufunc)
        power = _power(self, other) if ufunc is np.power else None
        operands = (self, other) if power is None else (self,)
        result = ufunc_call(self, ufunc if power is None else power, "__call__", *operands)
        _write_result(ufunc.__name__, self, _value(result), True)
        return self

    return method


def _is_operand(value: Any) -> bool:
    kinds = (Operators, np.ndarray, np.generic, bool, int, float, complex, list, tuple)
    return isinstance(value, kinds) or hasattr(type(value), "__array__")


_EQUALITIES: Final = frozenset({np.equal, np.not_equal})

_OPERATIONS: Final = {method: name for name, method in REFLECTED.items()}
"""The names of operations, by the methods of `OPERATORS`."""


def _there(array: TracedArray, other: Any, ufunc: np.ufunc) -> Any:
    """An operand beside an array; where it may be None, what it is otherwise, after a check in Python's words."""
    if type(other) not in MAYBE_NONE:
        return other
    kind = type(array.dtype.numpy.type(0).item()).__name__
    return type(other).__ag_take__(other, words(_OPERATIONS[OPERATORS[ufunc]], kind, "NoneType"))


_NAMES: Final[Mapping[np.ufunc, str]] = {
    np.add: "__{}add__", np.subtract: "__{}sub__", np.multiply: "__{}mul__", np.true_divide: "__{}truediv__",
    np.floor_divide: "__{}floordiv__", np.remainder: "__{}mod__", np.power: "__{}pow__", np.matmul: "__{}matmul__",
    np.bitwise_and: "__{}and__", np.bitwise_or: "__{}or__", np.bitwise_xor: "__{}xor__",
    np.left_shift: "__{}lshift__", np.right_shift: "__{}rshift__",
}  # fmt: skip

_COMPARED: Final[Mapping[str, np.ufunc]] = {
    "__lt__": np.less, "__le__": np.less_equal, "__gt__": np.greater, "__ge__": np.greater_equal,
    "__eq__": np.equal, "__ne__": np.not_equal,
}  # fmt: skip

_UNARY: Final[Mapping[str, np.ufunc]] = {
    "__neg__": np.negative, "__pos__": np.positive, "__abs__": np.absolute, "__invert__": np.invert,
}  # fmt: skip


def install() -> None:
    """Gives the class its operators and numpy's protocols, and arrays to what is computed from numbers of arrays."""
    AS_ARRAY.append(fresh)
    ARRAYS.update((TracedArray, KnownArray, ChosenArray))
    for ufunc, name in _NAMES.items():
        setattr(TracedArray, name.format(""), _binary(ufunc))
        setattr(TracedArray, name.format("r"), _binary(ufunc, reflected=True))
        setattr(TracedArray, name.format("i"), _in_place(ufunc))
    for name, ufunc in _COMPARED.items():
        setattr(TracedArray, name, _compared(ufunc, name))
    for name, ufunc in _UNARY.items():
        setattr(TracedArray, name, lambda self, ufunc=ufunc: ufunc_call(self, ufunc, "__call__", self))
    for name, method in METHODS.items():
        setattr(TracedArray, name, method)
    attributes.install()
    TracedArray.__array_ufunc__ = ufunc_call
    TracedArray.__array_function__ = array_call


install()
