"""No handler of the program takes what Python would not raise on values; an index out of range raises where it runs."""

from __future__ import annotations

import linecache
import math
from itertools import count
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, IntegerRangeError

_numbers = count()


def made(body: str) -> Any:
    text = "def f(a, b):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<text {next(_numbers)} of {__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def outcome(function: Any, *args: Any) -> Any:
    """What a call gives, as values; of an exception the class that Python would raise."""
    try:
        result = function(*args)
    except Exception as error:
        return next(kind for kind in (IndexError, ZeroDivisionError, KeyError, type(error)) if isinstance(error, kind))
    return np.asarray(result).tolist()


REFUSED = {
    "an integer and a float tensor": ("a * b", 3, 2.5),
    "items of several dtypes": ("[a, b][0] + [a, b][1]", 2, 2.5),
    "a sum": ("sum([a, b])", 2, 0.5),
    "quotient and remainder": ("divmod(a, b)[0]", 2, 0.5),
    "equality with a text": ("a == 'x'", 2, 0),
    "a method of integers": ("a.to_bytes(4, 'big')", 5, 0),
    "a method of floats": ("a.as_integer_ratio()", 2.0, 0),
}
HANDLERS = ("except Exception:", "except (TypeError, ValueError, AttributeError):", "except:")


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("case", REFUSED)
def test_no_handler_takes_a_refusal(case: str, handler: str) -> None:
    expression, a, b = REFUSED[case]
    function = made(f"try:\n    return {expression}\n{handler}\n    return -7.0")
    assert outcome(function, a, b) != -7.0
    with pytest.raises((tf.errors.DtypeMismatchError, AttributeError)) as found:
        tf.function(function)(tf.constant(a), tf.constant(b))
    assert not isinstance(found.value, tf.errors.OperandTypeError)


def test_nor_one_around_a_staged_statement_or_a_call() -> None:
    inner = (
        "try:\n    if a > 1:\n        y = a * b\n    else:\n        y = b\nexcept Exception:\n    y = -1.0\nreturn y"
    )
    called = "def h(v):\n    return v * b\ntry:\n    return h(a)\nexcept Exception:\n    return -1.0"
    looped = "y = b\ntry:\n    for _ in range(a):\n        y = y * a\nexcept Exception:\n    y = -1.0\nreturn y"
    for body in (inner, called, looped):
        with pytest.raises(tf.errors.DtypeMismatchError):
            tf.function(made(body))(tf.constant(2), tf.constant(2.5))


HANDLED = {
    "a text beside a number": ("a + 'x'", 2, 0),
    "bits of a float": ("a & b", 2.0, 1),
    "a shift of a float": ("a << 1", 2.0, 0),
    "not of a float": ("~a", 2.0, 0),
    "an order of numbers and texts": ("a < 'x'", 2, 0),
    "an attribute that nothing has": ("a.nothing", 2, 0),
    "an item of a number": ("a[0]", 2, 0),
    "a length of a number": ("len(a)", 2, 0),
}


@pytest.mark.parametrize("case", HANDLED)
def test_a_handler_takes_what_python_raises(case: str) -> None:
    expression, a, b = HANDLED[case]
    function = made(f"try:\n    y = {expression}\nexcept Exception:\n    y = -1.0\nreturn y")
    assert outcome(function, a, b) == -1.0
    assert outcome(tf.function(function), tf.constant(a), tf.constant(b)) == -1.0


def test_a_program_may_name_the_refusal() -> None:
    function = made(
        "import runtime\ntry:\n    return a * b\nexcept runtime.errors.DtypeMismatchError:\n"
        "    return runtime.cast(a, 'float32') * b"
    )
    assert float(tf.function(function)(tf.constant(2), tf.constant(2.5))) == 5.0


INDEXES = {
    "return": "if b > 5:\n    return a[7]\nreturn a[0]",
    "assignment": "if b > 5:\n    y = a[-4]\nelse:\n    y = a[1]\nreturn y",
    "ternary": "return a[7] if b > 5 else a[0]",
    "or": "return b < 5 or a[7] > 1",
    "for": "y = 0\nfor i in range(b - 5):\n    y += a[9]\nreturn y",
    "while": "y = 0\nwhile b > 5:\n    y += a[9]\n    b -= 1\nreturn y",
    "handled": "try:\n    if b > 5:\n        return a[7]\nexcept IndexError:\n    return -1\nreturn a[0]",
    "handled at once": "try:\n    y = a[7]\nexcept IndexError:\n    y = b\nreturn y",
    "nested": "y = a[0]\nif b > 5:\n    if b > 7:\n        y = a[5]\n    else:\n        y = a[6]\nreturn y",
    "called": "def h(k):\n    return a[k]\nif b > 5:\n    return h(3)\nreturn h(0)",
    "set": "a = a + 0\nif b > 5:\n    a[7] = 1\nreturn a[0]",
    "unpacked": "if b > 5:\n    u, v = a\nelse:\n    u = a[0]\nreturn u",
    "match": "match b:\n    case 9:\n        return a[7]\nreturn a[0]",
    "list of Python": "if b > 5:\n    return [1, 2][3]\nreturn a[0]",
    "dict": "if b > 5:\n    return {1: 2}[3]\nreturn a[0]",
    "finally": "y = 0\ntry:\n    if b > 5:\n        y = a[7]\nfinally:\n    y = y + 1\nreturn y",
    "with": "import contextlib\nwith contextlib.suppress(IndexError):\n    if b > 5:\n        return a[7]\nreturn a[0]",
}


@pytest.mark.parametrize("case", INDEXES)
def test_an_index_out_of_range_raises_where_it_runs(case: str) -> None:
    function = made(INDEXES[case])
    staged = tf.function(function)
    for b in (1, 9):
        expected = outcome(function, np.array([1, 2, 3]), b)
        assert outcome(staged, tf.constant([1, 2, 3]), tf.constant(b)) == expected


def test_without_a_branch_it_raises_while_tracing_and_names_the_line() -> None:
    function = made("y = a[0]\nreturn y + a[7]")
    with pytest.raises(
        tf.errors.OutOfRangeError, match=r"index 7 is out of range for axis 0 of the shape \(3,\)"
    ) as found:
        tf.function(function)(tf.constant([1, 2, 3]), tf.constant(1))
    assert found.traceback[-1].lineno + 1 == 3 or any(e.lineno + 1 == 3 for e in found.traceback)


INTEGERS_OF_PYTHON = (
    lambda n: n * 10**12, lambda n: 2**-n, lambda n: math.factorial(n + 20), lambda n: int(str(n) * 30),
    lambda n: int(1e30 * n), lambda n: math.comb(n + 90, 40), lambda n: n + 2**70,
)  # fmt: skip
"""What plain Python computes, and this cannot: no handler of the program may take that for an error of its own."""


@pytest.mark.parametrize("compute", INTEGERS_OF_PYTHON)
def test_integers_that_python_would_go_on_with_reach_no_handler(compute: Any) -> None:
    def handled(n):
        y = 1.0
        try:
            y = compute(n) * 1.0
        except (OverflowError, ValueError):
            y = -1.0
        except Exception:
            y = -2.0
        except:
            y = -3.0
        return y

    def named(n):
        try:
            return compute(n) * 1 > 0
        except IntegerRangeError:
            return False

    assert handled(5) > 0
    with pytest.raises((ValueError, DtypeMismatchError)) as caught:
        tf.function(handled)(tf.constant(5))
    if isinstance(caught.value, IntegerRangeError):
        assert not tf.function(named)(tf.constant(5))
