"""What a library raises since it was given a tensor: no handler of the program takes it, as a number would do."""

from __future__ import annotations

import datetime
import decimal
import json
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def fraction(x):
    try:
        y = x + float(Fraction(x))
    except TypeError:
        y = -x
    return y


def packed(x):
    y = x
    if x > 0:
        try:
            y = x + len(struct.pack("d", x))
        except struct.error:
            y = -x
    return y


def exact(x):
    try:
        return decimal.Decimal(x)
    except (TypeError, ValueError, AttributeError):
        return -x


def duration(x):
    try:
        return x + datetime.timedelta(seconds=x).seconds
    except TypeError:
        return -x


def dumped(x):
    try:
        return x + len(json.dumps({"a": x}))
    except (TypeError, ValueError):
        return -x


def of_bytes(x):
    try:
        return x + len(bytes(tf.cast(x, tf.int32)))
    except TypeError:
        return -x


@pytest.mark.parametrize("program", [fraction, packed, exact, duration, dumped, of_bytes], ids=lambda f: f.__name__)
def test_it_is_an_error_of_the_trace(program: Callable[[Any], Any]) -> None:
    with pytest.raises(Exception, match=r"\w") as caught:
        tf.function(program)(tf.constant(2.0))
    notes = "".join(getattr(caught.value, "__notes__", ""))
    is_unknown = "is not converted, and was given what only the graph knows" in notes
    assert is_unknown or "no operation does what it does. Take " in str(caught.value)


def remedy(x):
    whole = tf.py_function(lambda v: float(Fraction(float(v))), [x], tf.float32)
    return x + whole


def test_the_remedy_that_it_names_works() -> None:
    assert float(tf.function(remedy)(tf.constant(2.0))) == 4.0


def without_a_tensor(x):
    try:
        y = x + float(Fraction("half"))
    except ValueError:
        y = -x
    return y


def what_a_number_does_not_have_either(x):
    try:
        y = x()
    except TypeError:
        y = -x
    return y


@pytest.mark.parametrize(
    "program", [without_a_tensor, what_a_number_does_not_have_either], ids=lambda f: f.__name__
)
def test_what_python_raises_as_well_is_handled(program: Callable[[Any], Any]) -> None:
    assert_same(program, 2.0, -1.0)


def missing(x):
    try:
        y = {"a": x}.pop("b")
    except KeyError:
        y = x + 1
    try:
        y = y + next(iter(()))
    except StopIteration:
        y = y * 2
    return y


def test_what_is_not_in_a_container_of_tensors_is_handled() -> None:
    assert_same(missing, 2.0, -1.0)
