"""Text with tensors in it: f-strings, `%`, `format`, `str`, `join`; at run time, and while tracing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say


def text(value: Any) -> Any:
    """Text of a result: a str, or that of a string tensor."""
    if isinstance(value, tuple | list):
        return [text(item) for item in value]
    return value.numpy().decode() if isinstance(value, tf.Tensor) else value


class Number:
    """A number as Python writes it: `str`, `repr` and `format` without a spec are all the same."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def __format__(self, spec: str) -> str:
        return format(self.tensor, spec)

    def __repr__(self) -> str:
        return format(self.tensor)


def same_as_eager(function: Callable[..., Any], argument: Any) -> None:
    """As of the eager tensor, but that `str` and `repr` of one number are Python's."""
    tensor = tf.constant(argument)
    is_number = tensor.shape.rank == 0 and function in (conversions, containers)
    assert text(tf.function(function)(tensor)) == text(function(Number(tensor) if is_number else tensor))


def test_a_number_is_written_as_python_writes_it() -> None:
    for value in (0, -12345, 2**40, 2.5, 1e16, 1e-5, float("inf"), float("nan"), True, 1 + 2j):
        dtype = tf.float64 if isinstance(value, float) else None
        assert text(tf.function(conversions)(tf.constant(value, dtype))) == list(conversions(value)), value
        assert text(tf.function(containers)(tf.constant(value, dtype)))[:3] == list(containers(value))[:3], value


def plain(x):
    return f"{x}", "{}".format(x), "".join([f"{x}"]), "%s" % f"{x}", f"<{x}|{x}>", f"{{}}{x}", f"a{x}"


def conversions(x):
    return f"{x!s}", f"{x!r}", f"{x!a}", f"{x!r:>80}", f"{x=}", str(x), "%s|%r|%a" % (x, x, x), "%s" % x, f"{[x, (x,)]}"


def containers(x):
    called = str([x]), repr(x), repr((x, [x])), ascii([x])
    return f"{[x, 1]}", f"{ {'a': x} }", f"{(x,)!r:<100}|", called, "{0} {0[0]} {1[a]}".format([x], {"a": x})


def numbers(x):
    width = tf.cast(abs(x), tf.int32) + 4
    specs = (
        f"{x:8}",
        f"{x:<8}|",
        f"{x:+}",
        f"{x:{width}}",
        f"{x:>{width}}",
        f"{3.14159265358979:.{width}f}",
        f"{'a':^{width}}",
    )
    percent = "%d" % x, "%5.1f|%-8d|%e" % (x, x, x), "%(a)d%%%(b)g" % {"a": x, "b": x}, "%08.3f" % (x,)
    return *specs, *percent, format(x, "5"), format(x), "{:>9}{:<9}".format(x, x), "{a:{b}}".format(a=x, b=12)


def with_shape(x):
    return "{0.shape} {0.dtype.name} {1}".format(x, 5), f"{x.shape}{x}", "{}{}".format(*[x, 2])


@pytest.mark.parametrize("function", [plain, conversions, containers, numbers, with_shape])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "float32", "float64", "float16"])
def test_numbers_look_as_those_of_eager_tensors(function: Callable[..., Any], dtype: str) -> None:
    values = [0, 3, 17] if dtype.startswith(("int", "uint")) else [0.0, 1.5, 0.1, 1e20, 1 / 3]
    for value in values:
        if dtype == "float16" and value == 1e20:
            continue
        if function is numbers and value == 1e20:
            continue  # a width that large is no width
        same_as_eager(function, np.array(value, dtype))


@pytest.mark.parametrize("function", [plain, conversions, containers, with_shape])
def test_other_values_too(function: Callable[..., Any]) -> None:
    for value in (True, 1 + 2j, [1, 2], [[1.5], [0.25]], [True, False], ["a", "b"], np.zeros((2, 0)), np.arange(2000)):
        same_as_eager(function, value)


def test_floats_of_python_and_specs() -> None:
    @tf.function
    def shown(x):
        return f"{x}", f"{x:.2f}", f"{x:10.3e}", f"{x:%}"

    for value in (0.1, 2.5, -1e-7, 123456789.0):
        eager = tf.constant(value)
        assert text(shown(eager)) == [f"{eager}", f"{eager:.2f}", f"{eager:10.3e}", f"{eager:%}"]


def test_a_string_tensor_is_its_text() -> None:
    @tf.function
    def shown(s):
        return (
            f"{s}",
            f"<{s:>6}>",
            f"{s!r}",
            "%s-%5s" % (s, s),
            str(s),
            "a" + f"{s}" + s,
            f"{s}{f'{s}'!r}",
            ",".join([s, "b"]),
        )

    for word in ("abc", "é", "", "'"):
        wanted = [
            word,
            f"<{word:>6}>",
            repr(word),
            f"{word}-{word:>5}",
            word,
            f"a{word}{word}",
            word + repr(word),
            f"{word},b",
        ]
        assert text(shown(tf.constant(word))) == wanted


# -- beside control flow, against Python


def built_in_a_loop(n):
    s = "start"
    for i in range(n):
        if i % 2 == 0:
            s = f"{s},{i:02d}"
        else:
            s += "." + f"{s == 'start'}"
    return s, s == "start", s != f"start{','}00"


def chosen(n):
    if n > 2:
        m = f"big {n}"
    else:
        m = "small"
    word = f"{n}!" if n > 4 else "-"
    return m, word, f"{m}/{word}", m == "small"


def maybe_none(n):
    m = n if n > 2 else None
    return f"{m}", f"<{m!r:>6}>" if n <= 2 else "", f"{m!s}" if n <= 2 else "", "%s" % m if n <= 2 else ""


def printed(n):
    say(f"n is {n}", "and", f"{n * 2:5d}|")
    for i in range(n):
        say(f"round {i} of {n}")
    return f"{n}" in ["1", "2"], "1" in f"{n}", f"{n}" not in f"{n + 1}"


def raised(n):
    if n > 2:
        raise ValueError(f"bad {n}", n)
    return n


def asserted(n):
    assert n <= 2, f"{n} is too large: {n:03d}"
    assert n >= 0, "negative"
    return n


def template_of_a_variable(n):
    template, other = "%d!", "%s of "
    return template % n, (other + template) % ("a", n), n % (n + 3), template * 2 % (n, n)


def effects_in_order(n):
    def heard(v):
        say("heard", v)
        return v

    return f"{heard(1)} {heard(n)} {'yes' if n > 2 else f'{heard(2)}'}"


@dataclass
class Point:
    x: Any
    y: Any = 0


class Named:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        return f"Named({self.value})"

    def __format__(self, spec: str) -> str:
        return f"[{self.value:{spec}}]"


def objects(n):
    named = Named(n)
    return f"{named:4d}", f"{named!s}", str(named), "%s" % named, "{:03d}".format(named)


@pytest.mark.parametrize(
    "program", [built_in_a_loop, chosen, maybe_none, printed, effects_in_order, objects, template_of_a_variable]
)
def test_same_as_python(program: Callable[..., Any], capsys: Any) -> None:
    assert_same(program, 0, 1, 2, 3, 5, 8)


@pytest.mark.parametrize("program", [raised, asserted])
def test_exceptions_carry_the_text_of_the_run(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for n in (0, 2):
        assert staged(tf.constant(n)).numpy() == n
    with pytest.raises((ValueError, AssertionError)) as expected:
        program(3)
    with pytest.raises(type(expected.value)) as found:
        staged(tf.constant(3))
    # pytest adds what it knows to the message of an assertion that fails in Python
    assert str(expected.value.args[0]).startswith(str(found.value.args[0])) and "3" in str(found.value.args[0])


def test_objects_that_write_their_tensors() -> None:
    @tf.function
    def shown(x):
        return f"{Point(x, [x])}", repr(Point(x)) == repr(Point(x))

    assert text(shown(tf.constant(3))[0]) == repr(Point(3, [3]))


# -- while tracing


def test_a_print_shows_what_the_trace_knows(capsys: Any) -> None:
    @tf.function
    def f(x):
        print(f"Tracing with {x}")
        print("also " + f"{x:.2f}!", str(x), "%5.1f" % x, Named(x), sep="|")
        print("{} {!r}".format(x, x), ",".join([f"{x}", "b"]))
        return x

    f(tf.constant(1.0))
    shown = 'Tensor("x:0", shape=(), dtype=float32)'
    assert capsys.readouterr().out.splitlines() == [
        f"Tracing with {shown}",
        f"also {shown}!|{shown}|{shown}|Named({shown})",
        f"{shown} <tf.Tensor 'x:0' shape=() dtype=float32> {shown},b",
    ]


def test_text_is_made_by_one_operation() -> None:
    @tf.function
    def f(x):
        return f"{x} of {x + 1:5d}"

    graph = f.get_concrete_function(tf.constant(1)).graph
    made = graph.outputs[0].op.inputs[0].op
    assert made.type == "string_format" and made.attributes["parts"] == (("", ""), " of ", ("", "5d"))
    assert [tensor.op.type for tensor in made.inputs] == ["placeholder", "add"]


def test_where_python_needs_a_str() -> None:
    def error_of(function: Callable[..., Any]) -> BaseException:
        with pytest.raises((TypeError, AttributeError, ValueError)) as caught:
            tf.function(function)(tf.constant(1))
        return caught.value

    def method(x):
        return f"{x}".encode()

    def joined(x):
        return ",".join([x, "a"])

    def spec(x):
        return f"{x:s}"

    assert "'encode'" in str(error_of(method)) and "text" in str(error_of(method))
    assert "sequence item 0: expected str instance" in str(error_of(joined))
    assert "'s'" in str(error_of(spec))


def test_a_text_of_the_run_is_a_key_of_a_dict() -> None:
    def counts(x: Any) -> Any:
        found = {f"{x}": 1}
        found[f"{x + 1}"] = 2
        return found["3"] if "3" in found else 0

    for n in (1, 2, 3):
        assert int(tf.function(counts)(tf.constant(n))) == counts(n)
    assert list(tf.function(lambda x: {f"{x}": 1})(tf.constant(7))) == ["7"]


def test_a_format_that_fails_fails_where_it_is_reached() -> None:
    @tf.function
    def f(x):
        if x > 2:
            return f"{x:s}"
        return f"{x}"

    assert text(f(tf.constant(1))) == "1"
    with pytest.raises(ValueError, match="'s'"):
        f(tf.constant(3))


def padded(x):
    shown = f"{x} €"
    while len(shown) < 8:
        shown = "." + shown
    return shown, len(str("é")), len(f"{x}")


def test_the_length_of_a_text_is_that_of_its_characters() -> None:
    assert_same(padded, 3, 12345, -7)
    with pytest.raises(AttributeError, match="runtime.strings has more"):
        tf.function(lambda x: f"{x}".encode())(tf.constant(1))
