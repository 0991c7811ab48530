"""Many containers and objects take work in proportion to their number: no walk and no trace for each of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.control_flow.objects.refs import Ref
from runtime.function import code_names
from runtime.heap.store import World
from runtime.restarts import Restart
from tests.runtime.control_flow.test_scaling import made

ARGUMENTS: dict[str, tuple[Callable[[], Any], str]] = {
    "lists": (lambda: [1], "parts[{i}].append({i})"),
    "dicts": (lambda: {"a": 1}, "parts[{i}]['k'] = {i}"),
    "sets": (lambda: {100}, "parts[{i}].add({i})"),
}


@contextmanager
def counted(owner: Any, name: str) -> Iterator[list[Any]]:
    """Notes what a function is called with."""
    calls: list[Any] = []
    original = getattr(owner, name)

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return original(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, counting)
        yield calls


def changed_parts(kind: str, changed: int, parts: int) -> int:
    """How often a function is traced that changes some parts of an argument; checks what the caller has after it."""
    make, change = ARGUMENTS[kind]
    function = made([f"if x[0] > {i}: {change.format(i=i)}".replace("parts", "x[1]") for i in range(changed)])
    expected, given = [make() for _ in range(parts)], [make() for _ in range(parts)]
    function((7, expected))
    traced: list[None] = []

    def program(x: Any) -> None:
        traced.append(None)
        function(x)

    tf.function(program)((tf.constant(7), given))
    assert given == expected
    assert [type(part) for part in given] == [type(part) for part in expected]
    return len(traced)


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_changed_parts_of_arguments_are_no_trace_each(kind: str) -> None:
    assert changed_parts(kind, 9, 16) == changed_parts(kind, 14, 16)


def test_what_is_read_as_plain_numbers_stays_so_beside_many_lists_that_change() -> None:
    def program(x: Any, parts: Any) -> Any:
        for i in range(10):
            if x > i:
                parts[i].append(x)
        return {1: 3, 2: 4}[parts[11][0]] + x

    expected, given = [[1] for _ in range(12)], [[1] for _ in range(12)]
    assert int(tf.function(program)(tf.constant(7), given)) == program(7, expected)
    assert given == expected


@pytest.mark.parametrize("change", ["y |= {v}", "y -= {v}", "y.update({v})", "y.difference_update({v})"])
def test_a_set_that_branches_change_in_place_stays_one_object(change: str) -> None:
    function = made(["y = {x}", "for v in [1, 2, 7]:", f"    if x > v: {change}", "return sorted(y)"])
    with counted(Ref, "__init__") as made_of_several:
        found = tf.function(function)(tf.constant(7))
    np.testing.assert_array_equal(np.asarray(found), function(7))
    assert made_of_several == []


def test_names_of_many_objects_are_found_in_one_walk() -> None:
    def walks(count: int) -> int:
        names = [f"v{i}" for i in range(count)]
        function = made([
            *(f"a{i}, b{i} = [x], [x]" for i in range(count)),
            "if x > 3:", *(f"    {name} = a{i}" for i, name in enumerate(names)),
            "else:", *(f"    {name} = b{i}" for i, name in enumerate(names)),
            f"return {' + '.join(f'{name}[0]' for name in names)}",
        ])  # fmt: skip
        with counted(World, "__init__") as calls:
            assert int(tf.function(function)(tf.constant(7))) == 7 * count
        return len(calls)

    assert walks(4) == walks(30)


@pytest.mark.parametrize("statement", ["if x > 3:", "for i in range(x):", "while k < x:"])
def test_what_gets_longer_in_one_statement_is_no_trace_each(statement: str) -> None:
    def restarts(count: int) -> int:
        changes = [f"    a{i}.append({i}); b{i}[{i}] = x; c{i}.add({i})" for i in range(count)]
        sizes = [f"len(a{i}) + len(b{i}) + len(c{i})" for i in range(count)]
        begun = [f"a{i}, b{i}, c{i} = [x], {{}}, set()" for i in range(count)]
        function = made(["k = 0", *begun, statement, "    k += 1", *changes, f"return [{', '.join(sizes)}]"])
        with counted(Restart, "__init__") as calls:
            np.testing.assert_array_equal(np.asarray(tf.function(function)(tf.constant(7))), function(7))
        return len(calls)

    assert 0 < restarts(2) == restarts(7)


KEPT = [[1] for _ in range(40)]


def test_code_is_read_once_for_all_that_it_changes() -> None:
    def read(count: int) -> int:
        function = made([f"KEPT[{i}][0] = {i}" for i in range(count)])
        function.__globals__["KEPT"] = KEPT
        with counted(code_names, "_lines") as calls, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tf.function(function)(tf.constant(7))
        assert all(isinstance(code, CodeType) for (code,) in calls)
        return len(calls)

    assert 0 < read(5) == read(30)


@pytest.mark.parametrize("begin", ["[x, 2]", "{'a': x}", "deque([x, 2])", "{1, 2}", "deque([[x], {3}], 4)"])
@pytest.mark.parametrize("copied", ["copy.deepcopy(q)", "q.copy()"])
def test_copies_of_one_of_several_do_not_multiply(begin: str, copied: str) -> None:
    def largest(count: int) -> int:
        lines = ["from collections import deque", "import copy", f"q = {begin}", f"for i in range({count}):"]
        function = made([*lines, "    if x > 2 + i: continue", f"    q = {copied}", "return len(q), len(list(q))"])
        with counted(Ref, "__init__") as calls:
            np.testing.assert_array_equal(tf.function(function)(tf.constant(3)), function(3))
        return max(len(tuple(objects)) for _, objects, _ in calls)

    assert largest(6) <= largest(3) + 6
