"""What a graph raises: objects like those that Python makes, a new one each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.raising import assert_alike


class Bad(Exception):
    """Args are not what `__init__` takes."""

    def __init__(self, code, *, why=None):
        super().__init__("bad", code)
        self.code = code
        self.why = why


class Slotted(KeyError):
    __slots__ = ("extra",)


class Silent(Exception):
    """Its `__init__` calls no other."""

    def __init__(self, first, second):
        self.pair = [first, second]


class Counted(Silent):
    """Counts how often its `__init__` runs."""

    made = 0

    def __init__(self, first, second):
        Counted.made += 1
        super().__init__(first, second)


def arguments_and_attributes(x):
    if x > 0:
        raise Bad(3, why=[x, {"a": (x + 1, "b")}])
    return x


def init_that_calls_no_other(x):
    if x > 0:
        raise Silent(x, 2)
    return x


def init_that_counts(x):
    if x > 0:
        raise Counted(x, 2)
    return x


def slots(x):
    if x > 0:
        error = Slotted("k")
        error.extra = x * 3
        raise error
    return x


def fields_of_built_in_classes(x):
    if x > 3:
        raise OSError(2, "none such", "file")
    if x > 2:
        raise StopIteration(x)
    if x > 1:
        raise ImportError("no", name="there")
    if x > 0:
        raise UnicodeDecodeError("utf-8", b"ab", 0, 1, "why")
    return x


def class_alone(x):
    if x > 0:
        raise ZeroDivisionError
    return x


def with_a_cause(x):
    if x > 1:
        raise ValueError("a", x) from KeyError("cause", x)
    if x > 0:
        raise ValueError("a") from None
    return x


def with_a_context(x):
    if x > 0:
        try:
            {}["missing"]
        except KeyError:
            raise ValueError("instead")
    return x


def group_of_exceptions(x):
    if x > 0:
        raise ExceptionGroup("several", [ValueError(1), KeyError("k")])
    return x


@pytest.mark.parametrize(
    "program",
    [
        arguments_and_attributes, init_that_calls_no_other, slots, fields_of_built_in_classes, class_alone,
        with_a_cause, with_a_context,
    ],
)  # fmt: skip
def test_what_is_raised_is_what_python_raises(program: Callable[..., Any]) -> None:
    assert_alike(program, 0, 1, 2, 3, 4)


def test_group_of_exceptions() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        tf.function(group_of_exceptions)(tf.constant(1))
    assert caught.value.message == "several"
    assert [repr(e) for e in caught.value.exceptions] == ["ValueError(1)", "KeyError('k')"]


def test_each_run_raises_an_object_of_its_own_without_calling_init() -> None:
    staged = tf.function(init_that_counts)
    staged.get_concrete_function(tf.constant(1))
    made = Counted.made
    errors = []
    for x in (1, 2):
        with pytest.raises(Counted) as caught:
            staged(tf.constant(x))
        errors.append(caught.value)
    assert errors[0] is not errors[1]
    assert [plain(e.pair) for e in errors] == [[1, 2], [2, 2]]
    assert isinstance(errors[0].pair[0], tf.Tensor)
    assert Counted.made == made


def test_exceptions_that_python_itself_raises_in_a_branch() -> None:
    table: dict[str, int] = {}

    def division(x):
        return 1 / 0 if x > 0 else x

    def missing(x):
        if x > 0:
            x += table["missing"]
        return x

    def out_of_range(x):
        if x > 0:
            x = [1, 2][5]
        return x

    def conversion(x):
        if x > 0:
            x = int("seven")
        return x

    def unbound(x):
        if x > 0:
            del x
            y = x
        else:
            y = x
        return y

    for program in (division, missing, out_of_range, conversion, unbound):
        assert_alike(program, -1, 0, 3)


def attributes_of_an_index_error(x, xs):
    try:
        return str(xs[x])
    except IndexError as error:
        return f"{vars(error)} {error}"


def attributes_of_a_key_error(x, xs):
    counts = dict.fromkeys(xs, 0)
    try:
        counts[x] += 1
    except KeyError as error:
        return f"{vars(error)} {getattr(error, '__notes__', None)}"
    return str(counts)


@pytest.mark.parametrize("program", [attributes_of_an_index_error, attributes_of_a_key_error])
def test_an_exception_of_the_program_carries_nothing_of_ours(program: Callable[..., Any]) -> None:
    assert tf.function(program)(tf.constant(1), []).numpy().decode() == program(1, [])


def test_assertion_about_python_values_in_a_branch() -> None:
    table: dict[str, int] = {}

    @tf.function
    def program(x):
        if x > 0:
            assert table, "the table is empty"
        return x

    assert program(tf.constant(0)) == 0
    with pytest.raises(AssertionError, match="the table is empty"):
        program(tf.constant(1))


def test_class_of_a_function_keeps_its_object_and_cannot_be_read_again() -> None:
    class Local(Exception):
        pass

    @tf.function
    def program(x):
        if x > 0:
            raise Local("here")
        return x

    with pytest.raises(Local, match="here"):
        program(tf.constant(1))
    text = program.get_concrete_function(tf.constant(1)).graph.as_text()
    name = "test_class_of_a_function_keeps_its_object_and_cannot_be_read_again.<locals>.Local"
    assert f'class("{__name__}", "{name}")' in text
    parsed = tf.Graph.from_text(text)
    from runtime.engine.plan import compile_plan

    plan = compile_plan(parsed)
    assert plan.run([tf.constant(0).numpy()[()].reshape(())])[0] == 0
    with pytest.raises(RuntimeError, match="no exception class is found"):
        plan.run([tf.constant(1).numpy()[()].reshape(())])


def test_what_is_about_the_staging_is_still_an_error_of_the_trace() -> None:
    def numpy_of_a_symbol(x):
        if x > 0:
            return x.numpy()
        return x

    def dtypes(x):
        if x > 0:
            x = x + tf.constant(0.5)
        return x

    for program, kind in ((numpy_of_a_symbol, AttributeError), (dtypes, TypeError)):
        with pytest.raises(kind):
            tf.function(program).get_concrete_function(tf.constant(0))


def test_a_trace_that_begins_again_is_no_part_of_the_chain() -> None:
    def grown_while_it_raises(x):
        grown = []
        for t in tf.range(x) if isinstance(x, tf.Tensor) else range(x):
            grown.append(t)
            for a in sorted([t, -1]):
                if a > 1:
                    raise ValueError("too large") from None
        return sum(grown)

    def first_set_in_a_loop_that_raises(x):
        best = None
        for t in tf.range(x) if isinstance(x, tf.Tensor) else range(x):
            if t > 2:
                raise ValueError("too large")
            best = t
        return best

    assert_alike(grown_while_it_raises, 1, 2, 3)
    assert_alike(first_set_in_a_loop_that_raises, 1, 2, 4)


def test_a_structure_in_an_exception_is_what_it_was_when_it_was_raised() -> None:
    @dataclass
    class Settings:
        steps: list[int]

    settings = Settings([1, 2])

    @tf.function
    def program(x):
        if x > 0:
            raise ValueError(settings)
        return x

    program.get_concrete_function(tf.constant(0))
    settings.steps.append(3)
    with pytest.raises(ValueError, match=r"steps=\[1, 2\]"):
        program.get_concrete_function(tf.constant(0))(tf.constant(1))


def test_an_exception_after_one_that_only_the_graph_knows() -> None:
    def program(x):
        y = 0
        try:
            y = 12 // (x - 1)
            if x > 4:
                raise Bad(x)
        except Exception:
            try:
                if x > 5:
                    raise KeyError(x)
                y = 7
            except KeyError as error:
                y = y + error.args[0]
                if x == 7:
                    raise ValueError("seven")
        return y

    assert_alike(program, 1, 2, 5, 6, 7)
