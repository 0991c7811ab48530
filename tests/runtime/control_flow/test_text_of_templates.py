"""Every way to put a tensor into a template: `%=`, methods by way of the class, templates of the run, string.*."""

from __future__ import annotations

import io
import operator
import string
import sys
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import observe


class Holder:
    def __init__(self, text):
        self.text = text


class Hashed(string.Template):
    delimiter = "#"


class Text(str):
    pass


def updated(x):
    text, number, pair = "%s!", x, "%s-%d"
    text %= x
    number %= 3
    pair %= (x, 5)
    return text, number, pair


def updated_places(x):
    holder, table, rows, evaluated = Holder("%s"), {"k": "%s"}, ["%s", "b"], []

    def held():
        evaluated.append(1)
        return holder

    held().text %= x
    table["k"] %= {"a": x} if len(evaluated) > 1 else (x,)
    rows[0] %= x
    holder.count = 7
    holder.count %= x + 1
    return holder.text, table["k"], rows, holder.count, len(evaluated)


def by_the_class(x):
    return str.format("{} {a}", x, a=x + 1), str.format_map("{a}", {"a": x}), str.join("-", [f"{x}", "b"])


def in_map(x):
    each = list(map(str, [x, x + 1])), list(map("{:>4}".format, [x, 2])), [*map(format, (x,))]
    return *each, ",".join(map(str, [x, x])), list(map(int, [x])), sorted([x, -x], key=abs), list(map(abs, [-x]))


def of_the_library(x):
    return (
        Hashed("#a").safe_substitute(a=x, b=2), string.Template("$a $b").substitute({"a": x}, b=x + 1),
        string.Formatter().format("{}{a:>3}", x, a=2), string.Formatter().vformat("{0}{a}", (2,), {"a": x}),
        operator.mod("%s", x), Text("{}").format(x), Text("%s") % x,
    )  # fmt: skip


def template_of_the_run(x):
    text = "%s-%d" if x > 1 else "%d+%s"
    named = "%(a)s" if x > 1 else "<%(a)s%%>"
    braces = "{}{a}" if x > 1 else "{0:>4}{a!r}"
    return text % (x, 5), text % (2.5, x), named % {"a": x}, braces.format(x, a="t"), named % {"a": None}


def template_of_a_loop(n):
    text = "%s"
    for i in range(n):
        text %= f"{i},%s"
    return text


def in_a_class(x):
    class Named:
        name = f"<{x}>"
        padded = "%5d" % x

    return Named.name, Named.padded


PROGRAMS = (
    updated, updated_places, by_the_class, in_map, of_the_library, template_of_the_run, template_of_a_loop, in_a_class,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_text_is_that_of_python(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (1, 2, 4):
        assert repr(observe(staged, tf.constant(x))) == repr(observe(program, x)), x
    assert staged.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_text_is_made_in_branches_and_loops(program: Callable[..., Any]) -> None:
    def nested(x):
        result = program(x)
        for i in range(2):
            if x > i:
                result = program(x + i)
        return result

    staged = tf.function(nested)
    for x in (0, 1, 2):
        assert repr(observe(staged, tf.constant(x))) == repr(observe(nested, x)), x


def test_a_template_of_the_run_raises_as_in_python() -> None:
    def filled(x):
        text = "%s-%d" if x > 1 else "%d"
        return text % (x,)

    staged = tf.function(filled)
    assert staged(tf.constant(1)).numpy() == b"1"
    with pytest.raises(TypeError, match="not enough arguments for format string"):
        staged(tf.constant(2))


def test_a_template_of_the_run_takes_no_objects() -> None:
    def filled(x):
        text = "%s" if x > 1 else "<%s>"
        return text % [x]

    with pytest.raises(TypeError, match=r"made of tensors, numbers and text; got an object of type 'list'"):
        tf.function(filled)(tf.constant(1))


def test_print_into_a_file_is_refused_where_it_would_hold_the_text_of_the_trace() -> None:
    def printed(value):
        file = io.StringIO()
        print("a", value, file=file)
        return file.getvalue()

    with pytest.raises(StagingError, match=r"print\(\) of <tf.Tensor 'value:0' .* to a file: it would be written once"):
        tf.function(printed)(tf.constant(1))
    with pytest.raises(StagingError, match=r"print\(\) of \[<tf.Tensor"):
        tf.function(lambda x: printed([x]))(tf.constant(1))
    assert tf.function(printed)(5).numpy() == b"a 5\n"


def test_print_to_the_streams_stays_an_effect_of_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def printed(x):
        print(x, file=sys.stderr)
        print(x, file=None)
        return x

    printed(tf.constant(1))
    printed(tf.constant(2))
    shown = 'Tensor("x:0", shape=(), dtype=int32)\n'
    assert capsys.readouterr() == (shown, shown)
