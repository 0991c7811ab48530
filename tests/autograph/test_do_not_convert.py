"""The mark do_not_convert: in all its forms, for all that is called, and gone after an error."""

from __future__ import annotations

from typing import Any

import pytest

import autograph

from .calling import Thing, call, is_converted, user


def test_do_not_convert_holds_for_all_that_is_called() -> None:
    requested = autograph.convert(recursive=True)(user)
    made = autograph.to_graph(user)

    @autograph.do_not_convert
    def plain() -> Any:
        return is_converted(), user()[0], requested()[0], made()[0]

    assert call(plain) == (False, False, False, True)
    assert requested()[0] is True

    @autograph.do_not_convert
    def deeper() -> Any:
        return autograph.to_graph(calls_user)()

    assert deeper() == (True, True)


def calls_user() -> Any:
    return is_converted(), user()[0]


def test_do_not_convert_forms() -> None:
    class Marked:
        @autograph.do_not_convert
        def method(self) -> bool:
            return is_converted()

        @autograph.do_not_convert()
        @staticmethod
        def static() -> bool:
            return is_converted()

        @autograph.experimental.do_not_convert
        @classmethod
        def of_class(cls) -> bool:
            return is_converted()

    thing = Marked()
    assert (call(thing.method), call(thing.static), call(Marked.of_class)) == (False, False, False)
    assert Marked.method.__name__ == "method"
    assert autograph.do_not_convert(user).__wrapped__ is user
    assert autograph.do_not_convert(Thing()).__call__(3)[0] is False

    @autograph.do_not_convert
    class Function:
        def __call__(self) -> bool:
            return is_converted()

    assert call(Function()) is False
    assert call(Thing())[0] is True


def test_an_error_leaves_do_not_convert() -> None:
    @autograph.do_not_convert
    def fails() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        call(fails)
    assert call(user)[0] is True


def test_a_marked_function_inside_of_a_converted_one_stays_as_it_was_written() -> None:
    def outer(n: int) -> Any:
        @autograph.do_not_convert
        def plain(x: int) -> Any:
            if x:
                return is_converted(), x, sorted(locals())
            return user()[0]

        class Holder:
            @autograph.experimental.do_not_convert()
            def method(self) -> Any:
                return is_converted(), eval("n", {"n": 3})

        return plain(n), Holder().method(), user()[0]

    converted = autograph.to_graph(outer)
    assert converted(2) == ((False, 2, ["x"]), (False, 3), True)
    assert converted(0) == (False, (False, 3), True)
    text = autograph.to_code(outer)
    assert "@autograph.experimental.do_not_convert()\n            def method(self) -> Any:\n" in text
    assert "        @autograph.do_not_convert\n        def plain(x: int) -> Any:\n            if x:\n" in text
