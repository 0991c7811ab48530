"""The text of lists, dicts and deques of which only the run knows what they hold, and of chosen functions."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.algorithms.test_algorithms import plain


def all_ways(n: Any) -> Any:
    found = []
    for i in range(n):
        found.append(i)
    return f"{found}", str(found), repr(found), "%s" % found, "{}".format(found), f"{found!r:>20}"


def of_elements(n: Any) -> Any:
    halves, texts, pairs, rows = [], [], [], []
    for i in range(n):
        halves.append(i * 0.5)
        texts.append(f"x{i}")
        pairs.append((i, 0.5))
        rows.append([i] * 2)
    return f"{halves} {texts}", f"{pairs} {rows}"


def of_dicts(n: Any) -> Any:
    found, counts, sums, ordered = {}, Counter(), defaultdict(int), OrderedDict()
    for i in range(n):
        found[i % 3] = i * 0.5
        counts[i % 3] += 1
        sums[i % 2] += i
        ordered[f"k{i % 3}"] = i
    return f"{found}", f"{counts} {sums}", f"{ordered}"


def of_deques(n: Any) -> Any:
    found, last = deque(), deque(maxlen=2)
    for i in range(n):
        found.append(i)
        last.append(i)
    return f"{found} {last}"


def in_others(n: Any) -> Any:
    found = []
    for i in range(n):
        found.append(i)
    return f"{(found, 1)} {[found]} { {'a': found} }"


def small(x: Any) -> Any:
    return x


def large(x: Any) -> Any:
    return x * 2


def of_functions(n: Any) -> Any:
    function = large if n > 2 else small
    return f"{function(n)} {function}"


@pytest.mark.parametrize("program", [
    all_ways, of_elements, of_dicts, of_deques, in_others, of_functions,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (0, 3, 4):
        assert plain(staged(tf.constant(n))) == plain(program(n))


def test_a_set_has_an_order_of_its_own() -> None:
    @tf.function
    def program(n: Any) -> Any:
        found = set()
        for i in range(n):
            found.add(i * 7 % 5)
        return f"{found}"

    with pytest.raises(StagingError, match=r"the text of a set is made .* write a list of them, sorted\(\.\.\.\)"):
        program(tf.constant(3))


def test_so_has_a_set_of_which_a_tensor_decides_what_it_has() -> None:
    def program(n: Any, show: Callable[[Any], Any]) -> Any:
        found = {7}
        if n > 1:
            found.add(3)
        return f"{show(found)}"

    with pytest.raises(StagingError, match=r"the text of a set is made .* write a list of them, sorted\(\.\.\.\)"):
        tf.function(program)(tf.constant(3), lambda members: members)
    for n in (0, 3):
        assert plain(tf.function(program)(tf.constant(n), sorted)) == program(n, sorted)
