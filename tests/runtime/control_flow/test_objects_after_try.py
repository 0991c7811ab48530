"""Names of objects that a `try` binds, or a branch whose others raise: one object stays one, no change is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same

Numbers = Callable[[Any], Any]


def rebound_in_a_handler(x: Any) -> Any:
    a, b = [x], [2]
    c = a
    try:
        if x < 2:
            raise ValueError(x)
    except ValueError:
        c = b
    c[0] += 5
    return a, b, c


def bound_at_both_ends(x: Any) -> Any:
    a, b = [x], [2]
    try:
        if x < 2:
            raise ValueError(x)
        c = a
    except ValueError:
        c = b
    a[0] += 5
    return a, b, c


def bound_in_else(x: Any) -> Any:
    a, b = [x], [2]
    c = a
    try:
        if x < 2:
            raise ValueError(x)
    except ValueError:
        c = [1]
    else:
        c = b
    c[0] += 5
    return a, b, c


def an_element(x: Any) -> Any:
    rows = [[x], [2]]
    try:
        if x < 2:
            raise ValueError(x)
        rows[0] = rows[1]
    except ValueError:
        pass
    rows[0][0] += 5
    return rows


def before_finally(x: Any) -> Any:
    a, b = [x], [2]
    c = a
    try:
        try:
            if x < 2:
                raise ValueError(x)
            c = b
        finally:
            x = x + 1
    except ValueError:
        pass
    c[0] += 5
    return a, b, c


def made_in_two_places(x: Any) -> Any:
    a = [0, 0]
    c = {"p": a, "q": a}
    try:
        if x < -9:
            raise ValueError(x)
        a = [x, 1]
        c = {"p": a, "q": a}
    finally:
        x = x + 1
    a[0] = 5
    return a, c


def made_in_two_places_with_else(x: Any) -> Any:
    a = [0, 0]
    c = {"p": a, "q": a}
    try:
        if x < 2:
            raise ValueError(x)
        a = [x, 1]
        c = {"p": a, "q": a}
    except ValueError:
        x = x + 1
    else:
        a[0] = 5
    return a, c


def by_the_only_branch_that_ends(x: Any) -> Any:
    a = b = [0, 0]
    if x > 0:
        a = [x, 1]
        b = a
    else:
        raise ValueError(x)
    a[0] = 5
    return a, b


def in_two_places_by_the_only_branch_that_ends(x: Any) -> Any:
    a = [0, 0]
    c = [a, a]
    if x > 0:
        a = [x, 1]
        c = [a, a]
    else:
        raise ValueError(x)
    c[0][0] = 5
    return a, c


@pytest.mark.parametrize(
    "function",
    [
        rebound_in_a_handler,
        bound_at_both_ends,
        bound_in_else,
        an_element,
        before_finally,
        by_the_only_branch_that_ends,
        in_two_places_by_the_only_branch_that_ends,
    ],
)
def test_other_names_see_a_change(function: Numbers) -> None:
    assert_same(function, 0, 1, 2, 3)


@pytest.mark.parametrize("function", [made_in_two_places, made_in_two_places_with_else])
def test_a_change_that_other_names_would_not_see_is_refused(function: Numbers) -> None:
    with pytest.raises(StagingError, match="under a name of the old object|a tensor decides which of several"):
        runtime.function(function)(runtime.constant(2))


def bound_to_the_same(x: Any) -> Any:
    a = [x]
    b = a
    try:
        if x < 2:
            raise ValueError(x)
        if x > 5:
            a = b
    except ValueError:
        pass
    a[0] += 5
    return a, b


def made_with_two_names(x: Any) -> Any:
    a = b = [x]
    try:
        if x < -9:
            raise ValueError(x)
        a = [x, 1]
        b = a
    finally:
        x = x + 1
    a[0] += 5
    b[1] += x
    return a, b


def a_name_more(x: Any) -> Any:
    a, b = [x], [2]
    try:
        if x < -9:
            raise ValueError(x)
        b = a
    finally:
        x = x + 1
    a[0] += x
    return a, b


def copies(x: Any) -> Any:
    a, b = [x], [2]
    try:
        if x < 2:
            raise ValueError(x)
        c = list(a)
    except ValueError:
        c = list(b)
    c[0] += 5
    a[0] += 1
    return a, b, c


def only_read(x: Any) -> Any:
    a, b = [x], [2]
    try:
        if x < 2:
            raise ValueError(x)
        c = a
    except ValueError:
        c = b
    return a, b, c, c[0] + 1


@pytest.mark.parametrize("function", [bound_to_the_same, made_with_two_names, a_name_more, copies, only_read])
def test_after_a_try_names_mean_what_they_mean_in_python(function: Numbers) -> None:
    staged = runtime.function(function)
    for x in (0, 1, 2, 6):
        found = runtime.nest.map_structure(lambda tensor: int(tensor), staged(runtime.constant(x)))
        assert found == function(x)


def which_row(x: Any) -> Any:
    rows = [[1, x], [2, 3]]
    try:
        if x < 2:
            raise ValueError(x)
        rows[1] = rows[0]
    except ValueError:
        pass
    return 1 if rows[0] is rows[1] else 0


def test_identity_after_a_try() -> None:
    assert_same(which_row, 0, 1, 2, 3)
