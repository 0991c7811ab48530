"""`int` and `float` of string tensors read text as Python does."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain


def whole(text):
    return int(text)


def fraction(text):
    return float(text)


def hexadecimal(text):
    return int(text, 16), int(text, base=0)


def of_text_that_is_made(n):
    total = 0
    for i in range(n):
        total += int(f"{i}0")
    return total, float("%d.5" % n), list(map(int, [f"{n}", "7"]))


def test_whole_numbers() -> None:
    assert_same(whole, "12", " 7 ", "-3", "1_000", "0012", "+5", "٣")
    assert_same(whole, "abc", "2.5", "", "1e3", "0x10", "1__0")


def test_fractions() -> None:
    assert_same(fraction, "2.5", " 7 ", "-1e3", "1_000.5", "inf", "-Infinity", "nan", ".5")
    assert_same(fraction, "abc", "", "1,5", "0x1p3")


def test_other_bases() -> None:
    assert_same(hexadecimal, "0x1f", "0xA", "12", "0b1")


def test_text_that_the_graph_made() -> None:
    assert_same(of_text_that_is_made, 0, 1, 3)


def test_the_error_shows_the_text_as_python_does() -> None:
    with pytest.raises(ValueError, match=r"invalid literal for int\(\) with base 10: 'a b'"):
        tf.function(whole)(tf.constant("a b"))
    with pytest.raises(ValueError, match=r"could not convert string to float: 'a b'"):
        tf.function(fraction)(tf.constant("a b"))
    for function, words in ((int, "int"), (float, "float")):
        with pytest.raises(ValueError, match=rf"{words}.*: 'a b'$"):
            function(tf.constant("a b"))


def test_every_element_is_read() -> None:
    @tf.function
    def numbers(texts):
        return int(texts), float(texts)

    assert plain(numbers(tf.constant([["1", "2"], [" 3", "4_0"]]))) == ([[1, 2], [3, 40]], [[1.0, 2.0], [3.0, 40.0]])


def test_a_number_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="30000000000000000000 in a text does not fit int64"):
        tf.function(whole)(tf.constant("30000000000000000000"))


def test_a_base_is_for_text() -> None:
    with pytest.raises(NotImplementedError, match="base 2 not supported for int of a tensor of dtype int32"):
        tf.function(lambda x: int(x, 2))(tf.constant(1))
