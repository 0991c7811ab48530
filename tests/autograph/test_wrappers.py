"""Functions of the user inside wrappers of the standard library are converted where the wrapper is called."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

import pytest

import autograph
from autograph.template import is_artifact

PACKAGE = os.path.dirname(autograph.__file__)


@autograph.do_not_convert
def converted_here() -> bool:
    frame: Any = sys._getframe(1)
    while frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return is_artifact(frame.f_code)


@functools.singledispatch
def area(shape: Any, scale: int = 1) -> Any:
    return "object", scale, converted_here()


@area.register
def _(shape: int, scale: int = 1) -> Any:
    return "int", scale, converted_here()


class Shape:
    @functools.singledispatchmethod
    def grown(self, by: Any) -> Any:
        return "object", type(self).__name__, converted_here()

    @grown.register
    def _(self, by: int) -> Any:
        return "int", type(self).__name__, converted_here()

    @functools.singledispatchmethod
    @classmethod
    def made(cls, of: Any) -> Any:
        return cls.__name__, converted_here()

    def _raised(self, power: int, base: int) -> Any:
        return power, base, converted_here()

    squared = functools.partialmethod(_raised, 2)


def program() -> Any:
    return area(1), area("x", scale=2), Shape().grown(1), Shape().grown("x"), Shape.made(3), Shape().squared(5)


def test_the_users_functions_inside_are_converted() -> None:
    plain = program()
    assert autograph.to_graph(program)() == tuple((*part[:-1], True) for part in plain)
    assert all(part[-1] is False for part in plain)


def test_pythons_own_errors() -> None:
    def call(f: Any) -> Any:
        return f()

    for f in (area, Shape().grown):
        with pytest.raises((TypeError, IndexError)) as plain:
            call(f)
        with pytest.raises(plain.type) as converted:
            autograph.to_graph(call)(f)
        assert str(converted.value) == str(plain.value)


def test_without_recursion_they_run_as_they_are() -> None:
    assert autograph.to_graph(lambda: area(1), recursive=False)()[-1] is False
