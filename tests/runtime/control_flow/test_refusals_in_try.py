"""What staging refuses is taken by no handler, manager or jump of the program; what eager code raises, too, is."""

from __future__ import annotations

import array
import collections
import contextlib
import itertools
import json
import queue
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import AutoGraphError, StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.comparing import assert_same, observe, say


def bool_in_python(x):
    return array.array("i", [1, 2, 3, 4]).index(x)


def two_structures(x):
    def chosen():
        if x > 0:
            return [x]
        return (x,)

    return chosen()[0]


class Table(dict):
    """What the graph has nothing for."""


def changed_in_a_branch(x):
    seen = Table()
    if x > 0:
        seen["large"] = 1
    return len(seen)


def grown(x, first):
    items = []
    for i in tf.range(x):
        items.append(first + i)
    return items


def repeated(x):
    return [grown(x, i) for i in range(x)].index(grown(x, 0))


def of_another_dtype(x):
    items = grown(x, 0)
    items.append(tf.constant(0.5))
    return len(items)


REFUSED: dict[str, Callable[[Any], Any]] = {
    "lists in a list that grows, compared": repeated,
    "an element of another dtype": of_another_dtype,
    "a bool in Python's hands": bool_in_python,
    "a value among Python's": lambda x: memoryview(b"1234").tobytes().index(x),
    "a number for a library": lambda x: len(float.hex(x)),
    "text of a library": lambda x: len(json.dumps(x)),
    "a hash": lambda x: hash(x),
    "a choice of a byte": lambda x: b"abcd"[x] == 97,
    "bytes of a text": lambda x: len(f"{x}".encode()),
    "two structures": two_structures,
    "a change of a dict": changed_in_a_branch,
    "an array": lambda x: int(x.numpy()),
    "parts of which only the run knows how many they are": lambda x: tf.unstack(tf.range(x))[0],
    "a tuple of such a length": lambda x: len(tuple([i for i in tf.range(x)])),
    "a Variable that the run would make": lambda x: tf.cond(x > 0, lambda: tf.Variable(1), lambda: tf.Variable(2)) + 0,
    "an argument of a method of text": lambda x: len(f"{x}".translate(collections.defaultdict(int))),
    "an attribute of the program": lambda x: tf.reduce_sum(tf.ones([2, 3], tf.int32), axis=x),
}
RAISED: dict[str, Callable[[Any], Any]] = {
    "an operand": lambda x: x - "a",
    "an attribute": lambda x: x.nothing,
    "a key": lambda x: {}["missing"] + x,
    "a place": lambda x: [][3] + x,
    "a division": lambda x: 1 // 0 + x,
    "what it raises": lambda x: raises(x),
    "a number": lambda x: int("none") + x,
    "a name": lambda x: not_defined + x,  # noqa: F821
}


def raises(x):
    raise LookupError("no")


def handler(fails, x):
    y = -1
    try:
        y = fails(x)
    except Exception:
        y = -2
    return y


def bare_handler(fails, x):
    y = -1
    try:
        y = fails(x)
    except:
        say("handled")
    return y


def return_in_finally(fails, x):
    y = -1
    try:
        y = fails(x)
    finally:
        return y


def break_in_finally(fails, x):
    y = -1
    for i in range(3):
        try:
            y = fails(x) + i
        finally:
            break
    return y


class Swallowing:
    def __enter__(self):
        say("enter")

    def __exit__(self, kind, error, traceback):
        say("exit")
        return True


def manager(fails, x):
    y = -1
    with Swallowing():
        y = fails(x)
    return y


@contextlib.contextmanager
def swallowing():
    try:
        yield
    except Exception:
        say("swallowed")


def generator_manager(fails, x):
    y = -1
    with swallowing():
        y = fails(x)
    return y


def suppressed(fails, x):
    y = -1
    with contextlib.suppress(Exception):
        y = fails(x)
    return y


def replaced(fails, x):
    try:
        try:
            return fails(x)
        except Exception as error:
            raise KeyError("instead") from error
    except KeyError:
        return -3


def raised_in_finally(fails, x):
    try:
        try:
            return fails(x)
        finally:
            raise KeyError("instead")
    except KeyError:
        return -3


def in_another(fails, x):
    y = -1
    try:
        with swallowing():
            try:
                y = fails(x)
            finally:
                say("end")
    except Exception:
        y = -2
    return y


def after_a_risk(fails, x):
    y = -1
    try:
        y = 12 // x
        y = fails(x)
    except ZeroDivisionError:
        y = -2
    except Exception:
        y = y - 3
    return y


def in_a_function(fails, x):
    def called():
        try:
            return fails(x)
        except Exception:
            return -2

    return called() + 1


PROGRAMS = [
    handler, bare_handler, return_in_finally, break_in_finally, manager, generator_manager, suppressed, replaced,
    raised_in_finally, in_another, after_a_risk, in_a_function,
]  # fmt: skip
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)


@every_program
@pytest.mark.parametrize("fails", REFUSED.values(), ids=REFUSED)
def test_what_staging_refuses_ends_the_trace(program: Callable[..., Any], fails: Callable[..., Any]) -> None:
    alone, _ = observe(tf.function(lambda x: fails(x)), tf.constant(3))
    assert isinstance(alone, Exception), alone
    result, _ = observe(tf.function(lambda x: program(fails, x)), tf.constant(3))
    assert type(result) is type(alone), result


@every_program
@pytest.mark.parametrize("fails", RAISED.values(), ids=RAISED)
def test_what_python_raises_is_handled(program: Callable[..., Any], fails: Callable[..., Any]) -> None:
    assert_same(lambda x: program(fails, x), 3, 0)


def test_a_recursion_without_an_end_in_the_trace_is_not_handled() -> None:
    def deep(x):
        return max(deep(x - 1) for _ in range(1)) + 1

    result, _ = observe(tf.function(lambda x: handler(deep, x)), tf.constant(3))
    assert isinstance(result, RecursionError | StagingError)


def test_a_handler_may_name_what_staging_refuses() -> None:
    def asks(x):
        try:
            return len(list(itertools.dropwhile(lambda v: v < x, itertools.count(x))))
        except (KeyError, StagingError, OperatorNotAllowedInGraphError):
            return x + 10

    def names_the_base(x):
        try:
            return len(list(itertools.dropwhile(lambda v: v < x, itertools.count(x))))
        except KeyError:
            return 0
        except AutoGraphError as error:
            return x + len(type(error).__name__)

    def after_a_risk(x):
        try:
            return 10 // x + len(list(itertools.dropwhile(lambda v: v < x, itertools.count(x))))
        except (ZeroDivisionError, StagingError, OperatorNotAllowedInGraphError):
            return x + 10

    with pytest.raises(StagingError):  # the graph would divide without the handler
        tf.function(after_a_risk)(tf.constant(3))
    assert int(tf.function(asks)(tf.constant(3))) == 13
    assert int(tf.function(names_the_base)(tf.constant(3))) == 3 + len("StagingError")


def test_what_eager_code_refuses_too_is_handled() -> None:
    def other_shapes(x):
        try:
            return tf.constant([1, 2]) + tf.constant([1, 2, 3]) + x
        except tf.errors.InvalidArgumentError:
            return x

    def other_kinds(x):
        try:
            return x + "text"
        except TypeError:
            return x

    for program in (other_shapes, other_kinds):
        assert int(program(tf.constant(3))) == int(tf.function(program)(tf.constant(3))) == 3


def test_a_manager_is_left_once_where_the_trace_ends() -> None:
    left: queue.SimpleQueue[str] = queue.SimpleQueue()  # of which a call that is refused leaves what was put there

    class Counted:
        def __enter__(self):
            left.put("enter")

        def __exit__(self, kind, error, traceback):
            left.put(kind.__name__)
            return True

    def program(x):
        with Counted():
            return array.array("i", [1, 2]).index(x)

    with pytest.raises(OperatorNotAllowedInGraphError):
        tf.function(program)(tf.constant(3))
    done = [left.get() for _ in range(left.qsize())]  # in each attempt to trace it
    assert done in [["enter", "TruthOfTensorError"] * attempts for attempts in range(1, 9)]


def returns_in_finally_after_a_risk(fails, x):
    y = -1
    try:
        try:
            y = 12 // x
            y = fails(x)
        finally:
            return y
    except Exception:
        y = -2
    return y


def swallowed_after_a_risk(fails, x):
    y = -1
    try:
        with Swallowing():
            y = 12 // x
            y = fails(x)
    except Exception:
        y = -2
    return y


@pytest.mark.parametrize("program", [returns_in_finally_after_a_risk, swallowed_after_a_risk])
@pytest.mark.parametrize("fails", [RAISED["an operand"], RAISED["an attribute"], REFUSED["a choice of a byte"]])
def test_what_ends_a_trace_inside_is_not_handled_outside(program: Any, fails: Callable[..., Any]) -> None:
    assert isinstance(observe(tf.function(lambda x: program(fails, x)), tf.constant(3))[0], TypeError | AttributeError)
