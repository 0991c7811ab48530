"""`a is b` of lists, dicts and objects in graphs: as Python says, or refused where a tensor decides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same

Numbers = Callable[[Any], Any]


class Cell:
    def __init__(self, items: Any) -> None:
        self.items = items


def other_than_both(x: Any) -> Any:
    a, b, c = [x], [2], [3]
    chosen = a if x > 1 else b
    return (1 if chosen is c else 0) + (2 if chosen is not c else 0)


def not_rebound_in_a_loop(x: Any) -> Any:
    a, b = [x], [2]
    alias, found = a, 0
    for _ in range(x):
        found += 1 if alias is b else 0
        a[0] += 1
        found += 10 if alias is a else 0
    return found + alias[0]


def there_or_none(x: Any) -> Any:
    a, b = [x], [2]
    found = a if x > 1 else None
    return (1 if found is a else 0) + (2 if found is b else 0) + (4 if found is not a else 0)


def one_in_all_branches(x: Any) -> Any:
    a, b = Cell([x]), Cell([2])
    if x > 1:
        a.items = b.items
    else:
        b.items = a.items
    return 1 if a is b else 2


def one_object_at_all_positions(x: Any) -> Any:
    a, b = [x], [2]
    rows = [a, a]
    return (1 if rows[x % 2] is a else 0) + (2 if rows[x % 2] is b else 0)


@pytest.mark.parametrize(
    "function",
    [other_than_both, not_rebound_in_a_loop, there_or_none, one_in_all_branches, one_object_at_all_positions],
)
def test_identity_is_that_of_python(function: Numbers) -> None:
    staged = runtime.function(function)
    for x in (0, 1, 3):
        assert staged(runtime.constant(x)).numpy() == function(x)


def a_branch_chooses(x: Any) -> Any:
    a, b = [x], [2]
    chosen = a if x > 1 else b
    return 1 if chosen is a else 0


def a_branch_replaces(x: Any) -> Any:
    a = {"p": x}
    b = a
    if x > 1:
        b = {**b, "p": 1}
    return 1 if a is not b else 0


def a_branch_chooses_a_part(x: Any) -> Any:
    a, b = [x], [2]
    pair = {"p": a} if x > 1 else {"p": b}
    return 1 if pair["p"] is a else 0


def the_only_branch_that_ends_chooses(x: Any) -> Any:
    rows = [[x], [2]]
    if x > 0:
        rows[1] = rows[x % 2]
    else:
        raise ValueError(x)
    return 1 if rows[0] is rows[1] else 0


def a_tensor_replaces_an_element(x: Any) -> Any:
    rows, a = [[x], [2]], [3]
    rows[x % 2] = a
    return 1 if rows[0] is a else 0


def a_tensor_chooses_an_element(x: Any) -> Any:
    a, b = [x], [2]
    rows = [a, b]
    return 1 if rows[x % 2] is b else 0


def a_loop_rebinds(x: Any) -> Any:
    a, b = [x], [2]
    alias, found = a, 0
    for _ in range(x):
        found += 1 if alias is b else 0
        alias = b
    return found


def a_loop_has_rebound(x: Any) -> Any:
    a, b = [x], [2]
    alias = a
    for _ in range(x):
        alias = b
    return 1 if alias is b else 0


def a_loop_in_a_branch_makes_the_rows_anew(x: Any) -> Any:
    rows = [[x, 1]] * 2
    if x > 0:
        for _ in range(x):
            rows = rows[:]
    return 1 if rows[0] is rows[1] else 0


def a_list_has_grown(x: Any) -> Any:
    a, rows = [x], []
    for _ in range(x + 1):
        rows.append(a)
    return 1 if rows[0] is a else 0


def none_is_replaced(x: Any) -> Any:
    a, b = [x], [2]
    found = a if x > 1 else None
    if found is None:
        found = b
    return 1 if found is b else 0


@pytest.mark.parametrize(
    "function",
    [
        a_branch_chooses,
        a_branch_replaces,
        a_branch_chooses_a_part,
        a_tensor_chooses_an_element,
        a_tensor_replaces_an_element,
        the_only_branch_that_ends_chooses,
        a_loop_rebinds,
        a_loop_has_rebound,
        none_is_replaced,
    ],
)
def test_identity_that_a_tensor_decides(function: Numbers) -> None:
    assert_same(function, 0, 1, 2, 3)


@pytest.mark.parametrize("function", [a_list_has_grown, a_loop_in_a_branch_makes_the_rows_anew])
def test_identity_of_copies_is_refused(function: Numbers) -> None:
    with pytest.raises(StagingError, match="`is` compares lists, dicts or objects of which the graph has a copy"):
        runtime.function(function)(runtime.constant(2))


def test_eager_tensors_keep_the_identity_of_python() -> None:
    assert a_branch_chooses(runtime.constant(2)) == 1
    assert a_loop_has_rebound(2) == 1


def grown(x: Any) -> Any:
    values = [3, x, 2]
    if x > 2:
        values.append(1)
    return values


def test_a_grown_list_has_no_other_attributes() -> None:
    @runtime.function
    def asked(x: Any) -> Any:
        return 1 if hasattr(grown(x), "shape") else x

    assert asked(runtime.constant(5)).numpy() == 5


def test_the_remedies_for_grown_lists_do_the_same() -> None:
    @runtime.function
    def changed(x: Any) -> Any:
        values = grown(x)
        ordered = sorted(values)
        rest = [t for t in values if t != 3]
        position = runtime.argmax(runtime.equal(values.stack(), 3), output_type=runtime.int32)
        return ordered, rest, position, sum(1 if t == x else 0 for t in values)

    for x in (2, 5):
        values = grown(x)
        ordered, rest, position, count = changed(runtime.constant(x))
        assert [int(t) for t in ordered] == sorted(values)
        assert [int(t) for t in rest] == [t for t in values if t != 3]
        assert int(position) == values.index(3)
        assert int(count) == values.count(x)
