"""Samples, references and failures: what a record says about how it is to be tested.

    @op(..., samples=binary(-3, 3), reference=by_element(operator.add),
        errors=[Failure((ones(2, 3), ones(4)), ShapeMismatchError, "(2, 3)", "(4,)")])

- a *sampler* is called with a dtype and yields `Sample`s: the operands of one call and its attributes. Those made here
  cover rank 0, empty, rank 1, broadcasting, negative strides and read-only memory.
- a *reference* computes the result from the same operands in another way than the kernel: Python numbers, one element
  at a time, or another numpy formula. The tests cast it to the dtype of the result.
- a `Failure` is a call that must raise a class, with words in the message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.records.record import Array

__all__ = ["Failure", "Sample", "Sampler", "binary", "by_element", "calls", "each", "unary", "values"]


@dataclass(frozen=True)
class Sample:
    """One call: the operands in the order of the record (a variadic parameter last), and the attributes."""

    operands: tuple[Any, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """A call that must raise `error`, with every one of `words` in the message."""

    arguments: tuple[Any, ...]
    error: type[Exception]
    words: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)


Sampler = Callable[[DType], Iterator[Sample]]

STRINGS: Final = (b"", b"a", b"ab\x00", "é".encode(), b"zz")


def values(dtype: DType, shape: Sequence[int] = (), low: float = -3, high: float = 3, seed: int = 0) -> Array:
    """A fixed array of this dtype: the same call gives the same elements. Unsigned dtypes start at 0."""
    shape = tuple(shape)
    rng = np.random.default_rng([seed, len(shape), *shape])
    if dtype.family == "string":
        result = np.empty(shape, object)
        for index in np.ndindex(shape):
            result[index] = STRINGS[int(rng.integers(len(STRINGS)))]
        return result
    if dtype.family == "variant":
        handles = np.empty(shape, dtype.numpy)
        for index in np.ndindex(shape):
            handles[index] = (ListValue.of([np.asarray(np.int32(i)) for i in range(rng.integers(5))]),)
        return handles
    if dtype.is_bool:
        return np.asarray(rng.integers(0, 2, shape), np.bool_)
    if dtype.is_integer:
        start = max(int(low), 0) if dtype.is_unsigned else int(low)
        return np.asarray(rng.integers(start, max(int(high), start) + 1, shape), dtype.numpy)
    real = rng.uniform(low, high, shape)
    if dtype.is_complex:
        return np.asarray(real + 1j * rng.uniform(low, high, shape), dtype.numpy)
    return np.asarray(real, dtype.numpy)


def forms(dtype: DType, low: float, high: float, seed: int = 0) -> Iterator[Array]:
    """Arrays in every layout that a kernel meets."""
    for shape in ((), (0,), (5,), (2, 3), (2, 0, 3)):
        yield values(dtype, shape, low, high, seed)
    yield values(dtype, (6,), low, high, seed)[::-2]
    yield values(dtype, (3, 2), low, high, seed).T
    locked = values(dtype, (4,), low, high, seed)
    locked.flags.writeable = False
    yield locked


def unary(low: float = -3, high: float = 3, **attributes: Any) -> Sampler:
    """One operand with elements in [low, high], in every layout."""

    def sampler(dtype: DType) -> Iterator[Sample]:
        for x in forms(dtype, low, high):
            yield Sample((x,), attributes)

    return sampler


PAIRS: Final = (((), ()), ((3,), (3,)), ((2, 3), ()), ((), (4,)), ((2, 1), (3,)), ((0,), (1,)), ((1, 0), (2, 1)))


def binary(
    low: float = -3, high: float = 3, right: tuple[float, float] | None = None, nonzero: bool = False
) -> Sampler:
    """Two operands that broadcast; `right` bounds the second, `nonzero` keeps zeros out of it."""
    right_low, right_high = right or (low, high)

    def second(array: Array) -> Array:
        return np.where(array == 0, np.ones_like(array), array) if nonzero else array

    def sampler(dtype: DType) -> Iterator[Sample]:
        for a, b in PAIRS:
            yield Sample((values(dtype, a, low, high), second(values(dtype, b, right_low, right_high, 1))))
        for x, y in zip(forms(dtype, low, high), forms(dtype, right_low, right_high, 1), strict=True):
            yield Sample((x, second(y)))

    return sampler


def each(sampler: Sampler, **choices: Iterable[Any]) -> Sampler:
    """Every sample with every combination of the attributes: `each(unary(), axis=(None, 0), keepdims=(False, True))`.

    Combinations that the shape of the operand makes meaningless (axis 1 of rank 1) are left out.
    """
    names = tuple(choices)

    def sampled(dtype: DType) -> Iterator[Sample]:
        for sample in sampler(dtype):
            for combination in product(*choices.values()):
                attributes = dict(zip(names, combination, strict=True))
                if _axis_fits(sample.operands[0], attributes.get("axis")):
                    yield Sample(sample.operands, {**sample.attributes, **attributes})

    return sampled


def _axis_fits(x: Array, axis: Any) -> bool:
    axes = () if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return all(-x.ndim <= a < x.ndim for a in axes) and len({a % x.ndim for a in axes}) == len(axes)


def calls(build: Callable[[Callable[..., Array]], Iterable[Any]]) -> Sampler:
    """Samples written out: `calls(lambda x: [((x(2, 3), x(3)), {"axis": 1})])`; x(2, 3) is an array of that shape.

    An entry is (operands, attributes), or the operands alone.
    """

    def sampler(dtype: DType) -> Iterator[Sample]:
        count = iter(range(10_000))

        def make(*shape: int, low: float = -3, high: float = 3) -> Array:
            return values(dtype, shape, low, high, next(count))

        for entry in build(make):
            with_attributes = len(entry) == 2 and isinstance(entry[1], dict)
            operands, attributes = entry if with_attributes else (entry, {})
            yield Sample(tuple(operands), attributes)

    return sampler


def _python_number(item: Any) -> Any:
    return item.item() if isinstance(item, np.generic) else item


def by_element(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reference that calls `function` on Python numbers, element by element, with broadcasting."""

    def reference(*operands: Any, **attributes: Any) -> Any:
        arrays = np.broadcast_arrays(*operands)
        result = np.empty(arrays[0].shape, object)
        for index in np.ndindex(result.shape):
            items = [a[index] for a in arrays]
            result[index] = function(*(_python_number(i) for i in items), **attributes)
        return result

    return reference
