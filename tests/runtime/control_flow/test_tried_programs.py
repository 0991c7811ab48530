"""Programs with `try` around staged code, beside Python."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.comparing import assert_same, say


class Odd(Exception):
    pass


def caught_in_a_branch(x: Any) -> Any:
    try:
        if x > 0:
            y = x
        else:
            raise ValueError("no")
    except ValueError:
        y = -x
    return y


def caught_by_any(x: Any) -> Any:
    try:
        if x > 0:
            raise Odd("no")
    except:
        x = -x
    return x


def caught_by_a_base_class(x: Any) -> Any:
    try:
        assert x > 0, "no"
    except Exception:
        x = -x
    return x


def in_a_helper_and_a_loop(x: Any) -> Any:
    def check(k: Any) -> None:
        if k > 2:
            raise Odd(f"{k}")

    try:
        for k in range(x):
            check(k)
    except (KeyError, Odd):
        x = -x
    return x


def all_ways_raise(x: Any) -> Any:
    try:
        if x > 0:
            raise Odd("a")
        raise ValueError("b")
    except Odd:
        x = -x
    return x


def prints_finally(x: Any) -> Any:
    try:
        if x < 0:
            raise Odd("no")
    finally:
        say("done")
    return x


def raises_then_fails_while_tracing(x: Any) -> Any:
    try:
        if x < 0:
            raise Odd("first")
        {}["missing"]
    except (Odd, KeyError):
        x = x + 1
    return x


def other_class(x: Any) -> Any:
    try:
        if x < 0:
            raise Odd("negative")
        y = x
    except KeyError:
        y = x - 1
    return y


def while_tracing(x: Any) -> Any:
    try:
        table = {"a": 1}
        y = x + table["b"]
    except KeyError as error:
        y = x - len(error.args)
    else:
        y = y * 2
    finally:
        x = x + 1
    return x + y


def in_the_handler(x: Any) -> Any:
    try:
        y = [][0]
    except IndexError:
        if x < 0:
            raise Odd("handled") from None
        y = x
    return y


def finally_in_python(x: Any) -> Any:
    log: list[str] = []
    try:
        if x < 0:
            raise Odd("no")
    finally:
        log.append("left")
    return x + len(log)


def return_in_try(x: Any) -> Any:
    try:
        if x > 5:
            return x
    except KeyError:
        return x * 0
    finally:
        x = x + 1
    return -x


@pytest.mark.parametrize(
    "program",
    [
        caught_in_a_branch, caught_by_any, caught_by_a_base_class, in_a_helper_and_a_loop, all_ways_raise,
        prints_finally, raises_then_fails_while_tracing, other_class, while_tracing, in_the_handler, finally_in_python,
        return_in_try,
    ],
)  # fmt: skip
def test_as_python(program: Any) -> None:
    assert_same(program, 3, -3, 7)
