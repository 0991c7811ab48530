"""Objects that stand for functions: partly applied, one after the other, named as the function that they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime


class Chain:
    """Calls one function after the other. Its name is that of them all."""

    __slots__ = ("functions",)

    def __init__(self, *functions: Any) -> None:
        self.functions = functions

    def __call__(self, x: Any) -> Any:
        for function in self.functions:
            x = function(x)
        return x

    @property
    def __name__(self) -> str:
        return " of ".join(function.__name__ for function in self.functions)


class Waiting:
    """Calls a function as soon as there are enough arguments."""

    def __init__(self, function: Any, *given: Any) -> None:
        self._function = function
        self.given = given

    @property
    def function(self) -> Any:
        return self._function

    def __repr__(self) -> str:
        return f"waiting {self.function!r}"

    def __call__(self, *more: Any) -> Any:
        try:
            return self.function(*self.given, *more)
        except TypeError:
            return Waiting(self.function, *self.given, *more)


def chained(x: Any) -> Any:
    chain = Chain(abs, lambda v: v * 3)
    return chain(x) + len(chain.__name__)


def waiting(x: Any) -> Any:
    return Waiting(lambda a, b, c: a * b - c)(x)(2)(x)


def as_key(x: Any) -> Any:
    times = {Waiting(lambda a: a): 1.0}
    for function in list(times):
        if x > 0:
            times[function] = times[function] + x
    return sum(times.values())


@pytest.mark.parametrize("x", [-3.0, 2.0])
@pytest.mark.parametrize("program", [chained, waiting, as_key])
def test_as_python(program: Callable[[Any], Any], x: float) -> None:
    assert float(runtime.function(program)(runtime.constant(x))) == program(x)
    assert float(runtime.function(program)(x)) == program(x)
    assert isinstance(vars(Chain)["__name__"], property) and type.__dict__["__name__"].__get__(Chain) == "Chain"


def two(a: Any, b: Any) -> Any:
    return a * b


def test_arguments_that_do_not_fit_are_an_error_of_the_program() -> None:
    def program(x: Any) -> Any:
        try:
            return two(x)  # type: ignore[call-arg]
        except TypeError as error:
            return two(x, len(str(error)))

    assert float(runtime.function(program)(runtime.constant(2.0))) == program(2.0)
    with pytest.raises(TypeError, match=r"two\(\) missing 1 required positional argument: 'b'"):
        runtime.function(lambda x: two(x))(runtime.constant(2.0))  # type: ignore[call-arg]
