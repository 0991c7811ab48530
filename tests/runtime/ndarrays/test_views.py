"""Every view of an array with every way to write to it, at each place of a program: as numpy does, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.one_in import one_in
from tests.runtime.ndarrays.view_table import VIEWS, WRITES, pair

X = tf.constant(2.0, tf.float64)

REFUSED = {
    "np.put_along_axis needs to know the shape": ["mask"],
    "np.fill_diagonal needs to know the shape": ["mask"],
    "assignment destination is read-only": ["diagonal", "np.diagonal", "np.diag"],  # numpy lets ufunc.at write there
    "nothing is cast silently": ["asarray other"],
}
"""Words of the errors for what is refused, and the views of which some ways to write are."""


def made() -> Any:
    return np.arange(16.0).reshape(4, 4).copy()


def shown(value: Any) -> Any:
    """What an array holds; nothing of an iterator."""
    return value if isinstance(value, np.ndarray) else 0


@pytest.mark.parametrize("name", one_in(3, VIEWS))
def test_writes_through_views(name: str) -> None:
    view, ways, expected = VIEWS[name], [], []
    for write in WRITES:
        array = made()
        try:
            part = view(array)
            write(part, 2.0)
        except (TypeError, ValueError, IndexError, AttributeError):  # of numpy itself
            continue
        ways.append(write)
        expected.append((array, shown(part)))
    read_only = "broadcast_to", "imag", "np.imag", "sliding windows", "diagonal", "np.diagonal", "np.diag"
    assert ways or name in read_only
    refused = set()

    def each(arrays: list[Any], x: Any) -> list[Any]:
        parts = []
        for i, array in enumerate(arrays):
            part = view(array)
            ways[i](part, x)
            parts.append(part if name != "flat" else 0)
        return parts

    if ways and any(name in views for views in REFUSED.values()):
        for i, write in reversed(list(enumerate(ways))):
            try:
                tf.function(lambda a, x, write=write: write(view(a), x))(made(), X)
            except (TypeError, ValueError, StagingError) as error:
                assert any(words in str(error) for words in REFUSED)
                refused.add(write)
                del ways[i], expected[i]
        assert refused
    given = [made() for _ in ways]
    parts = tf.function(each)(given, X) if ways else []
    for write, array, (wanted, wanted_part), part in zip(ways, given, expected, parts, strict=True):
        np.testing.assert_array_equal(array, wanted, f"{name}, {write.__name__}")
        np.testing.assert_array_equal(np.asarray(part), wanted_part, f"{name}, {write.__name__}: the view")


# -- where


def in_a_branch(view: Any, write: Any, a: Any, x: Any) -> Any:
    part = view(a)
    if x > 0:
        write(part, x)
    else:
        a += 1
    return part, a * 2


def in_no_branch(view: Any, write: Any, a: Any, x: Any) -> Any:
    part = view(a)
    if x < 0:
        write(part, x)
    return part, a * 2


def made_in_a_branch(view: Any, write: Any, a: Any, x: Any) -> Any:
    if x > 0:
        part = view(a)
        write(part, x)
    return a * 2


def in_a_loop(view: Any, write: Any, a: Any, x: Any) -> Any:
    part = view(a)
    n = x * 0
    while n < 2:
        write(part, x)
        n += 1
    return part, a * 2


def made_in_a_loop(view: Any, write: Any, a: Any, x: Any) -> Any:
    n = x * 0
    while n < 2:
        write(view(a), x)
        a[0, 0] += n
        n += 1
    return a * 2


def in_a_helper(view: Any, write: Any, a: Any, x: Any) -> Any:
    def helper(b: Any) -> Any:
        part = view(b)
        write(part, x)
        return part

    return helper(a), a * 2


def made_here(view: Any, write: Any, a: Any, x: Any) -> Any:
    b = np.ones((4, 4)) * 7
    part = view(b)
    write(part, x)
    return part, b


def a_copy(view: Any, write: Any, a: Any, x: Any) -> Any:
    b = a.T.copy("F")
    part = view(b)
    write(part, x)
    return part, b, view(a.T + a)


def other_layout(view: Any, write: Any, a: Any, x: Any) -> Any:
    b = a.T + 1
    part = view(b)
    write(part, x)
    return part, b


def of_one_of_two(view: Any, write: Any, a: Any, x: Any) -> Any:
    b = a + 1
    part = view(a if x > 0 else b)
    write(part, x)
    return part, b


PLACES = [
    in_a_branch, in_no_branch, made_in_a_branch, in_a_loop, made_in_a_loop, in_a_helper, made_here, a_copy,
    other_layout, of_one_of_two,
]  # fmt: skip

COPIES_OF_OTHER_SHAPE = {"mask", "flat", "asarray other", "broadcast_to", "empty"}


def _pairs() -> Iterator[tuple[Callable[..., Any], str, Callable[..., Any]]]:
    """Each place with a third of the views, and these with one way to write each: another one in each place."""
    for shift, place in enumerate(PLACES):
        for number, name in enumerate(VIEWS):
            if name not in COPIES_OF_OTHER_SHAPE and (number + shift) % 3 == 0:
                yield place, name, WRITES[(7 * number + shift) % len(WRITES)]


@pytest.mark.parametrize("place", PLACES)
def test_where_they_are_written(place: Callable[..., Any]) -> None:
    for where, name, write in _pairs():
        if where is not place or name.endswith(("diag", "diagonal")):
            continue
        view, expected, given = VIEWS[name], made(), made()
        try:
            wanted = place(view, write, expected, 2.0)
            write(view(made()), 2.0)
        except (TypeError, ValueError, IndexError, AttributeError):
            continue
        found = tf.function(lambda a, x, view=view, write=write: place(view, write, a, x))(given, X)
        what = f"{name}, {write.__name__}"
        np.testing.assert_array_equal(given, expected, what)
        together = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for part, wanted_part in together:
            np.testing.assert_array_equal(np.asarray(part), wanted_part, what)


GLOBAL = made()


@pytest.mark.parametrize("name", one_in(3, [name for name in VIEWS if name not in COPIES_OF_OTHER_SHAPE], 1))
def test_views_of_what_a_function_captures(name: str) -> None:
    view, write = VIEWS[name], WRITES[sum(map(ord, name)) % len(WRITES)]
    expected = made()
    try:
        write(view(expected), 2.0)
    except (TypeError, ValueError, IndexError, AttributeError):
        expected = made()
        write = pair if name == "corner" else lambda part, x: None
        write(view(expected), 2.0)
    if name.endswith(("diag", "diagonal")):
        return

    @tf.function
    def f(x: Any) -> None:
        write(view(GLOBAL), x)

    GLOBAL[...] = made()
    f(X)
    np.testing.assert_array_equal(GLOBAL, expected, f"{name}, {write}")


@pytest.mark.parametrize("name", one_in(3, [name for name in VIEWS if name not in COPIES_OF_OTHER_SHAPE], 2))
def test_views_of_an_array_that_a_loop_makes_anew_of_tensors(name: str) -> None:
    view = VIEWS[name]

    def program(x: Any, n: Any) -> Any:
        a = np.arange(16.0).reshape(4, 4).copy()
        for _ in range(n):
            view(a).fill(x)
            a = np.array([[a[i, j] + j for j in range(4)] for i in range(4)])
        return a

    try:
        expected = program(2.0, 3)
    except ValueError:  # a view that is read-only
        with pytest.raises(ValueError, match="read-only"):
            tf.function(program)(X, tf.constant(3))
        return
    np.testing.assert_array_equal(tf.function(program)(X, tf.constant(3)), expected)
