"""Variables where staged control flow meets them: conditions, loops, merged values, builtins, patterns, handlers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError

v = runtime.Variable(3)
w = runtime.Variable([1.0, 2.0, 3.0])


def condition(x: Any) -> Any:
    if v > x:
        v.assign_add(1)
    return v


def as_condition(x: Any) -> Any:
    return (1 if v else 0), not v, v and x, v or x, v in [1, 3], v == 3


def while_loop(x: Any) -> Any:
    while v < x:
        v.assign_add(1)
    return v + 1


def condition_with_effect(x: Any) -> Any:
    while v.assign_add(1) < x:
        pass
    return v


def merged(x: Any) -> Any:
    y = v
    if x > 4:
        y = x
    return y


def merged_with_effect(x: Any) -> Any:
    if x > 4 and v.assign_add(1) > 3:
        return v
    return -v


def ternary(x: Any) -> Any:
    return v if x > 4 else runtime.cast(w[0], runtime.int32)


def same_in_both(x: Any) -> Any:
    y = v
    if x > 4:
        y = runtime.Variable._of(v.handle)
    y.assign_add(1)
    return y


def over_rows(x: Any) -> Any:
    total = 0.0
    for row in w:
        total += row
    return total


def loop_state(x: Any) -> Any:
    y = v
    while y < x:
        y = y + 1
    return y


def alias_in_loop(x: Any) -> Any:
    for _ in runtime.range(x):
        u = v
        u.assign_add(1)
    return v


def loop_with_jumps(x: Any) -> Any:
    for i in runtime.range(x):
        if i == 3:
            break
        v.assign_add(i)
    else:
        v.assign(100)
    return v


def read_in_loop(x: Any) -> Any:
    t = v.value()
    for _ in runtime.range(3):
        v.assign(t + v)
        t = v.read_value()
    return t


def builtins(x: Any) -> Any:
    for _ in runtime.range(v):
        w.assign_add([1.0, 1.0, 1.0])
    return w[v - 1], len(w), sum(w), max(w), abs(v), int(v), float(v), min(v, x), divmod(v, 2), pow(v, 2)


def taken_apart(x: Any) -> Any:
    a, *b = w
    return a, b, [row for row in w]


def caught(x: Any) -> Any:
    try:
        v.assign(7)
        if x > 4:
            raise ValueError("no")
        v.assign(8)
    except ValueError:
        v.assign_add(10)
    finally:
        v.assign_add(100)
    return v


def matched(x: Any) -> Any:
    match v:
        case 3:
            v.assign(30)
        case _:
            v.assign(4)
    return v


def count_down(n: Any) -> Any:
    v.assign_add(n)
    if n < 1:
        return 1
    return n + count_down(n - 1)


def recursive(x: Any) -> Any:
    return count_down(x), v + 0


def formatted(x: Any) -> Any:
    if x > 4:
        v.assign(8)
    return f"{v:03d} {v.value()}"


def asserted(x: Any) -> Any:
    assert v > 2, "too small"
    v.assign(x)
    return v


PROGRAMS: list[Callable[[Any], Any]] = [
    condition, as_condition, while_loop, condition_with_effect, merged, merged_with_effect, ternary, same_in_both,
    over_rows, loop_state, alias_in_loop, loop_with_jumps, read_in_loop, builtins, taken_apart, caught, matched,
    recursive, formatted, asserted,
]  # fmt: skip


def outcome(function: Callable[[Any], Any], x: int) -> Any:
    v.assign(3)
    w.assign([1.0, 2.0, 3.0])
    result = function(runtime.constant(x))

    def plain(leaf: Any) -> Any:
        value = np.array(leaf).tolist()
        return value.decode() if isinstance(value, bytes) else value

    return runtime.nest.map_structure(plain, result), v.numpy(), w.numpy().tolist()


@pytest.mark.parametrize("x", [1, 2, 5, 9])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_staged_programs_do_what_python_does(program: Callable[[Any], Any], x: int) -> None:
    staged = runtime.function(program)
    expected = outcome(program, x)
    assert outcome(staged, x) == expected
    assert outcome(staged, x) == expected


def test_elements_are_set_in_what_was_read_alone() -> None:
    @runtime.function
    def f(n: Any) -> Any:
        t = w.value()
        kept = t
        for i in runtime.range(n):
            t[i] = 9.0
            w.assign_add([1.0, 1.0, 1.0])
        return t, kept, w

    w.assign([1.0, 2.0, 3.0])
    assert [t.numpy().tolist() for t in f(runtime.constant(2))] == [[9, 9, 3], [1, 2, 3], [3, 4, 5]]


def test_a_value_that_may_be_a_variable_is_refused_when_that_is_assigned() -> None:
    def read_later(x: Any) -> Any:
        y = v if x > 4 else x
        v.assign(100)
        return y + 1

    def read_in_loop(x: Any) -> Any:
        y = v if x > 4 else x
        t = x
        for _ in runtime.range(3):
            t = t + y
            v.assign(t)
        return t

    def state_of_loop(x: Any) -> Any:
        y = v
        while v < x:
            v.assign_add(1)
            y = y + 1
        return y

    concrete = runtime.function(lambda x: v.assign_add(x)).get_concrete_function(runtime.constant(1))

    def assigned_by_another(x: Any) -> Any:
        y = v if x > 4 else x
        concrete(x)
        return y + 1

    def assigned_by_an_argument(x: Any, given: Any = None) -> Any:
        y = v if x > 4 else x
        given.assign_add(1)  # may be `v`
        return y + 1

    with pytest.raises(StagingError, match="may be the variable"):
        runtime.function(assigned_by_an_argument)(runtime.constant(5), v)
    for program in (read_later, read_in_loop, state_of_loop, assigned_by_another):
        with pytest.raises(StagingError, match=r"may be the variable 'Variable:0'.*test_control_flow.py:\d+"):
            runtime.function(program)(runtime.constant(5))


def test_a_value_that_may_be_a_variable_can_be_used_before() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        y = v if x > 4 else x
        z = y + 1
        v.assign(z)
        return z

    v.assign(3)
    assert (f(runtime.constant(5)).numpy(), v.numpy()) == (4, 4)
    assert (f(runtime.constant(1)).numpy(), v.numpy()) == (2, 2)


class Holder:
    def __init__(self) -> None:
        self.variable = v


def test_a_place_cannot_hold_one_of_several_variables() -> None:
    other, holder, listed = runtime.Variable(5), Holder(), [v]

    def attribute_in_branch(x: Any) -> Any:
        if x > 0:
            holder.variable = other
        return holder.variable + 0

    def item_in_branch(x: Any) -> Any:
        if x > 0:
            listed[0] = other
        return listed[0] + 0

    def attribute_in_loop(x: Any) -> Any:
        for i in runtime.range(x):
            holder.variable = i
        return x

    def swapped_in_loop(x: Any) -> Any:
        p, q = v, other
        for _ in runtime.range(x):
            p, q = q, p
        return p + 0

    for program in (attribute_in_branch, item_in_branch, attribute_in_loop, swapped_in_loop):
        with pytest.raises(StagingError):
            runtime.function(program)(runtime.constant(3))
    assert holder.variable is v
    assert listed[0] is v


def test_a_bool_variable_ends_a_loop() -> None:
    flag, n = runtime.Variable(True), runtime.Variable(0)

    @runtime.function
    def f(x: Any) -> Any:
        while flag:
            n.assign_add(1)
            if n >= x:
                flag.assign(False)
        return n

    assert f(runtime.constant(5)).numpy() == 5
    flag.assign(True)
    assert f(runtime.constant(5)).numpy() == 6


def test_items_of_variables_are_not_assigned() -> None:
    @runtime.function
    def f(x: Any) -> None:
        w[0] = x

    with pytest.raises(TypeError, match="scatter_nd_update"):
        f(runtime.constant(1.0))


def test_structured_control_flow() -> None:
    v.assign(3)

    @runtime.function
    def f(x: Any) -> Any:
        first = runtime.cond(x > 2, lambda: v.assign_add(1), lambda: v.assign_sub(1))
        (last,) = runtime.while_loop(lambda i: i < v, lambda i: (i + 1,), (runtime.constant(0),))
        return first, last

    assert [t.numpy() for t in f(runtime.constant(5))] == [4, 4]
    assert [t.numpy() for t in f(runtime.constant(0))] == [3, 3]
