"""ExtensionTypes in Functions: values in staged statements and loops, in constructors, operators and other traces."""

from __future__ import annotations

from typing import Any, ClassVar, Optional

import numpy as np
import pytest

import runtime
from runtime.library.experimental import ExtensionType

SPEC = runtime.TensorSpec


class Point(ExtensionType):
    x: runtime.Tensor
    y: runtime.Tensor

    def __add__(self, other: Any) -> Point:
        if isinstance(other, Point):
            return Point(self.x + other.x, self.y + other.y)
        return Point(self.x + other, self.y + other)

    __radd__ = __add__

    @property
    def larger(self) -> Any:
        if self.x > self.y:
            return self.x
        return self.y

    @runtime.function
    def walked(self, steps: Any) -> Point:
        here = self
        for _ in runtime.range(steps):
            here = here + 1.0
        return here


class Scaled(ExtensionType):
    values: runtime.Tensor
    scale: float = 1.0
    rows: Optional[runtime.RaggedTensor] = None


def numbers(point: Any) -> list[Any]:
    assert type(point) is Point
    return [point.x.numpy().tolist(), point.y.numpy().tolist()]


def both(function: Any, *args: Any) -> Any:
    """What a function gives eagerly, and in a graph: the same."""
    eager, staged = function(*args), runtime.function(function)(*args)
    assert runtime.nest.map_structure(str, eager) == runtime.nest.map_structure(str, staged)
    return staged


# -- statements ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [True, False])
def test_branches(flag: bool) -> None:
    def statement(p: Any, q: Any, c: Any) -> Any:
        if c:
            r = p + q
        else:
            r = Point(p.larger, q.larger)
        return r

    def expression(p: Any, q: Any, c: Any) -> Any:
        return p + q if c else Point(p.larger, q.larger)

    def conditional(p: Any, q: Any, c: Any) -> Any:
        return runtime.cond(c, lambda: p + q, lambda: Point(p.larger, q.larger))

    def switched(p: Any, q: Any, c: Any) -> Any:
        return runtime.switch_case(runtime.cast(c, runtime.int32), [lambda: Point(p.larger, q.larger), lambda: p + q])

    for function in (statement, expression, conditional, switched):
        found = both(function, Point(1.0, 2.0), Point(5.0, 4.0), runtime.constant(flag))
        assert numbers(found) == ([6, 6] if flag else [2, 5])


def test_loops() -> None:
    def counted(p: Any, n: Any) -> Any:
        for i in runtime.range(n):
            if p.x > 30.0:
                break
            p = p + runtime.cast(i, runtime.float32)
        return p

    def until(p: Any, most: Any) -> Any:
        while p.larger < most:
            p = p + p
        return p

    def early(p: Any, n: Any) -> Any:
        for _ in runtime.range(n):
            if p.x > 3.0:
                return p
            p = p + p
        return Point(-p.x, -p.y)

    def called(p: Any, n: Any) -> Any:
        return runtime.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p + p), (0, p))[1]

    start = Point(1.0, 2.0)
    assert numbers(both(counted, start, runtime.constant(5))) == [11, 12]
    assert numbers(both(counted, start, runtime.constant(50))) == [37, 38]
    assert numbers(both(counted, start, runtime.constant(0))) == [1, 2]
    assert numbers(both(until, start, runtime.constant(100.0))) == [64, 128]
    assert numbers(both(early, start, runtime.constant(9))) == [4, 8]
    assert numbers(both(early, start, runtime.constant(1))) == [-2, -4]
    assert numbers(both(called, start, runtime.constant(3))) == [8, 16]


def test_shapes_that_grow_in_loops() -> None:
    @runtime.function
    def grown(value: Any, n: Any) -> Any:
        for _ in runtime.range(n):
            value = Scaled(runtime.concat([value.values, value.values], axis=0))
        return value

    assert grown(Scaled([1.0]), runtime.constant(3)).values.shape == [8]
    invariant = Scaled.Spec(SPEC([None]), 1.0, None)
    found = runtime.while_loop(
        lambda i, v: i < 3, lambda i, v: (i + 1, Scaled(runtime.concat([v.values, v.values], axis=0))),
        (runtime.constant(0), Scaled([1.0])), shape_invariants=(runtime.TensorShape([]), invariant),
    )  # fmt: skip
    assert found[1].values.shape == [8]


def test_lists_of_values() -> None:
    @runtime.function
    def points(n: Any) -> Any:
        found = []
        for i in runtime.range(n):
            found.append(Point(runtime.cast(i, runtime.float32), 1.0))
        return found[-1] + found[0]

    assert numbers(points(runtime.constant(4))) == [3, 2]


def test_what_differs_between_branches_must_be_a_tensor() -> None:
    branch = runtime.function(lambda a, b, c: a if c else b)
    for a, b, words in [
        (Scaled([1.0], 1.0), Scaled([1.0], 2.0), "the field 'scale' is 1.0 in one and 2.0 in the other"),
        (Scaled([1.0]), Point(1.0, 2.0), "their types differ"),
        (Scaled([1.0]), Scaled([1.0], rows=runtime.ragged.constant([[1]])), "the field 'rows' is None in one"),
        (Scaled([1.0]), runtime.constant([1.0]), "one is a structure and the other is not"),
    ]:
        with pytest.raises(TypeError, match=words):
            branch(a, b, runtime.constant(True))

    @runtime.function
    def counted(value: Any, n: Any) -> Any:
        for _ in runtime.range(n):
            value = Scaled(value.values, value.scale + 1.0)
        return value

    with pytest.raises(TypeError, match="the field 'scale' is 1.0 in one and 2.0 in the other"):
        counted(Scaled([1.0]), runtime.constant(3))


def test_a_constructor_is_staged() -> None:
    class Magnitude(ExtensionType):
        value: runtime.Tensor

        def __init__(self, value: Any) -> None:
            if value < 0:
                value = -value
            self.value = value

    for x in (-2.0, 3.0):
        assert both(lambda v: Magnitude(v).value, runtime.constant(x)).numpy() == abs(x)


def test_operators_on_either_side() -> None:
    point = Point(1.0, 2.0)
    for other in (runtime.constant(1.0), 1.0, np.float32(1.0), runtime.Variable(1.0)):
        assert numbers(other + point) == numbers(point + other) == [2, 3]
        assert numbers(runtime.function(lambda p, o=other: o + p)(point)) == [2, 3]


def test_python_functions_get_values_as_they_are() -> None:
    class Single(ExtensionType):
        x: runtime.Tensor

    def called(value: Any, scale: Any) -> Any:
        return runtime.py_function(lambda v, s: v.x * s, [value, scale], runtime.float32)

    assert both(called, Single(3.0), runtime.constant(2.0)).numpy() == 6


def test_values_of_an_outer_trace_are_captured_by_inner_ones() -> None:
    @runtime.function
    def outer(x: Any) -> Any:
        point = Point(x, x * 2.0)

        @runtime.function
        def inner(by: Any) -> Any:
            return point + by

        return inner(x) + inner(point.y)

    assert numbers(outer(runtime.constant(1.0))) == [5, 7]


def test_recursion_handlers_and_optional_values() -> None:
    @runtime.function
    def doubled(p: Any, n: Any) -> Any:
        return p if n <= 0 else doubled(Point(p.x * 2.0, p.y + 1.0), n - 1)

    def tried(p: Any, c: Any) -> Any:
        try:
            if c:
                raise ValueError("c")
            made = p + p
        except ValueError:
            made = Point(p.y, p.x)
        return made

    def best(n: Any) -> Any:
        found = None
        for i in runtime.range(n):
            point = Point(runtime.cast(i % 3, runtime.float32), runtime.cast(i, runtime.float32))
            if found is None or point.x > found.x:
                found = point
        return found

    assert numbers(doubled(Point(1.0, 1.0), runtime.constant(4))) == [16, 5]
    assert numbers(both(tried, Point(1.0, 2.0), runtime.constant(True))) == [2, 1]
    assert numbers(both(tried, Point(1.0, 2.0), runtime.constant(False))) == [2, 4]
    assert numbers(runtime.function(best)(runtime.constant(6))) == [2, 2]
    assert runtime.function(best)(runtime.constant(0)) is None


def test_what_methods_change_of_their_class_is_seen() -> None:
    class Counting(ExtensionType):
        x: runtime.Tensor
        notes: ClassVar[list[Any]] = []
        total: ClassVar[Any] = 0.0

        def note(self) -> None:
            self.notes.append(self.x)

        def add(self) -> None:
            type(self).total = type(self).total + self.x

    counting = Counting(2.0)

    @runtime.function
    def noted(c: Any) -> Any:
        if c:
            counting.note()
        return c

    @runtime.function
    def added(c: Any) -> Any:
        if c:
            counting.add()
        return runtime.identity(Counting.total)

    for c, length in ((True, 1), (False, 1), (True, 2)):
        noted(runtime.constant(c))
        assert [float(note) for note in Counting.notes] == [2.0] * length
    for flag, wanted in ((False, 0.0), (True, 2.0)):
        Counting.total = 0.0
        assert float(runtime.function(added.python_function)(runtime.constant(flag))) == wanted
        assert float(Counting.total) == wanted
