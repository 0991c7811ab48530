"""A bare `raise` at the end of code that raises elsewhere as well: handlers and cleanups around see both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import say
from tests.runtime.raising import assert_alike


class Stop(Exception):
    pass


class Swallowing:
    def __enter__(self) -> Swallowing:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> bool:
        say("left")
        return isinstance(error, Stop)


def caught_within_the_handler(x):
    try:
        if x < 3:
            raise Stop(1)
    except Stop:
        try:
            if x % 3 != 1:
                raise Stop(2)
            raise
        except Stop as error:
            say(f"{error}")
            x = x + 1
    return x


def taken_by_a_manager(x):
    try:
        if x < 3:
            raise Stop(1)
    except Stop:
        with Swallowing():
            if x % 3 != 1:
                raise Stop(2)
            raise
    return x


def passing_a_cleanup(x):
    try:
        try:
            if x < 3:
                raise Stop(1)
        except Stop:
            try:
                if x % 3 != 1:
                    raise ValueError("other")
                raise
            finally:
                say("cleanup")
    except Stop as error:
        say(f"{error}")
        return -x
    return x


def cleaned_up_around(x):
    with Swallowing():
        try:
            if x < 3:
                raise Stop(1)
        except Stop:
            try:
                if x % 3 != 1:
                    raise Stop(2)
                raise
            finally:
                say("cleanup")
    return x


def after_another_kind(x):
    try:
        if x < 3:
            raise Stop(1)
        if x > 5:
            raise KeyError("k")
    except (Stop, KeyError):
        try:
            if x % 3 != 1:
                raise ValueError("other")
            raise
        except Stop:
            return 1
        except KeyError:
            return 2
        except ValueError:
            return 3
    return x


@pytest.mark.parametrize(
    "program",
    [caught_within_the_handler, taken_by_a_manager, passing_a_cleanup, cleaned_up_around, after_another_kind],
)
def test_both_exceptions_arrive(program: Callable[[Any], Any]) -> None:
    assert_alike(program, -3, 0, 1, 2, 4, 6, 7)
