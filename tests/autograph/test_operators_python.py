"""Over plain Python values every operator does what the Python statement does: values, errors, order, laziness."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autograph import operators as ag
from autograph.operators.stager import PYTHON


def no_state(*_: Any) -> Any:
    raise AssertionError("the Python stager leaves the state alone")


class Truth:
    """Counts how often it is asked for its truth value."""

    def __init__(self, value: bool, log: list[str]) -> None:
        self.value = value
        self.log = log

    def __bool__(self) -> bool:
        self.log.append(f"bool {self.value}")
        return self.value


class Untrue:
    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


def saying(log: list[str], word: str, value: Any = None) -> Callable[[], Any]:
    def say() -> Any:
        log.append(word)
        return value

    return say


@pytest.mark.parametrize("condition", [True, False, 1, 0, "", "a", [], [0], None, 0.0, float("nan")])
def test_if_runs_one_branch(condition: Any) -> None:
    log: list[str] = []
    result = ag.if_stmt(condition, saying(log, "then"), saying(log, "else"), no_state, no_state, ("y",), 1)
    assert result is None
    assert log == (["then"] if condition else ["else"])


def test_if_asks_the_condition_once_and_before_the_branch() -> None:
    for value in (True, False):
        log: list[str] = []
        ag.if_stmt(Truth(value, log), saying(log, "then"), saying(log, "else"), no_state, no_state, (), 0)
        assert log == [f"bool {value}", "then" if value else "else"]


def test_errors_of_conditions_pass_unchanged() -> None:
    bad = Untrue()
    nothing = lambda: None
    calls: list[Callable[[], Any]] = [
        lambda: ag.if_stmt(bad, nothing, nothing, no_state, no_state, (), 0),
        lambda: ag.if_exp(bad, nothing, nothing, "bad"),
        lambda: ag.while_stmt(lambda: bad, nothing, no_state, no_state, (), {}),
        lambda: ag.for_stmt([1], lambda: bad, lambda item: None, no_state, no_state, (), {}),
        lambda: ag.and_(lambda: bad, nothing),
        lambda: ag.or_(lambda: bad, nothing),
        lambda: ag.not_(bad),
        lambda: ag.assert_stmt(bad, None),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="^no truth$"):
            call()


def test_if_exp_is_lazy() -> None:
    log: list[str] = []
    assert ag.if_exp(1, saying(log, "a", "A"), saying(log, "b", "B"), "1") == "A"
    assert ag.if_exp("", saying(log, "a", "A"), saying(log, "b", "B"), "''") == "B"
    assert ag.if_exp(True, saying(log, "a", "A"), saying(log, "b", "B"), "True") == "A"
    assert ag.if_exp(False, saying(log, "a", "A"), saying(log, "b", "B"), "False") == "B"
    assert log == ["a", "b", "a", "b"]


VALUES = [True, False, 0, 1, "", "x", None, (), (0,), 0.0, 2.5]


@pytest.mark.parametrize("left", VALUES)
@pytest.mark.parametrize("right", VALUES)
def test_logic_gives_the_operands_of_python(left: Any, right: Any) -> None:
    log: list[str] = []
    both = ag.and_(saying(log, "l", left), saying(log, "r", right))
    assert both is (left and right)
    assert log == (["l", "r"] if left else ["l"])
    del log[:]
    either = ag.or_(saying(log, "l", left), saying(log, "r", right))
    assert either is (left or right)
    assert log == (["l"] if left else ["l", "r"])
    assert ag.not_(left) is (not left)
    assert ag.eq(left, right) is (left == right)
    assert ag.not_eq(left, right) is (left != right)


def test_equality_returns_what_the_operand_returns() -> None:
    class Odd:
        def __eq__(self, other: object) -> Any:
            return "same"

        def __ne__(self, other: object) -> Any:
            return "other"

    assert (ag.eq(Odd(), 1), ag.eq(1, Odd()), ag.not_eq(Odd(), 1)) == ("same", "same", "other")


def test_while_evaluates_its_test_once_per_iteration() -> None:
    log: list[str] = []
    numbers = [2, 1, 0]

    def test() -> Any:
        log.append("test")
        return Truth(numbers.pop(0) > 0, log)

    ag.while_stmt(test, saying(log, "body"), no_state, no_state, ("x",), {})
    assert log == ["test", "bool True", "body", "test", "bool True", "body", "test", "bool False"]


def test_for_pulls_tests_and_stops_as_python_does() -> None:
    log: list[Any] = []

    def items() -> Iterator[int]:
        for number in range(5):
            log.append(f"pull {number}")
            yield number
        log.append("exhausted")

    stop = iter([True, Truth(True, log), 0])
    ag.for_stmt(items(), lambda: next(stop), lambda item: log.append(item), no_state, no_state, (), {})
    assert log == ["pull 0", 0, "pull 1", 1, "bool True", "pull 2", 2]
    del log[:]
    ag.for_stmt(items(), None, lambda item: log.append(item), no_state, no_state, (), {})
    assert log[-2:] == [4, "exhausted"]


def test_for_over_what_is_not_iterable_raises_as_python() -> None:
    with pytest.raises(TypeError, match="^'int' object is not iterable$"):
        ag.for_stmt(3, None, lambda item: None, no_state, no_state, (), {})


@pytest.mark.parametrize("ending", ["break", "error"])
@pytest.mark.parametrize("extra", [False, True])
def test_a_generator_is_closed_when_its_loop_ends(ending: str, extra: bool) -> None:
    log: list[str] = []

    def items() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")

    def body(item: int) -> None:
        if ending == "error":
            raise KeyError(item)

    try:
        ag.for_stmt(items(), (lambda: False) if extra or ending == "break" else None, body, no_state, no_state, (), {})
    except KeyError:
        log.append("handler")
    else:
        log.append("after")
    assert log == ["closed", "handler" if ending == "error" else "after"]


def test_assert_evaluates_the_message_only_on_failure() -> None:
    log: list[str] = []
    ag.assert_stmt([0], saying(log, "message"))
    assert log == []
    with pytest.raises(AssertionError) as caught:
        ag.assert_stmt([], saying(log, "message", {"a": 1}))
    assert (log, caught.value.args) == (["message"], ({"a": 1},))
    with pytest.raises(AssertionError) as caught:
        ag.assert_stmt(None, None)
    assert caught.value.args == ()


def test_return_values() -> None:
    with ag.FunctionScope("f", "fscope", ag.STD) as scope:
        assert scope.options is ag.STD
        assert scope.ret([1], True) == [1]
        assert scope.ret(None, True) is None
        assert scope.ret(ag.UndefinedReturnValue(), False) is None
        assert scope.ret(ag.UndefinedReturnValue(), True) is None
    assert ag.with_function_scope(lambda lscope: lscope.ret(3, True), "lscope", ag.STD) == 3


def test_python_is_a_stager_like_any_other() -> None:
    assert ag.stager_of(3) is PYTHON
    assert ag.stager_of_all() is PYTHON
    assert ag.stager_of_all(1, "a", int) is PYTHON
    assert PYTHON.name == "python"
    assert PYTHON.mark() is None
    assert PYTHON.builtin(max, ([1, 3],), {"key": lambda x: -x}) == 1
    assert PYTHON.load(3, "x") == 3
    log: list[int] = []
    numbers = iter([2, 1, 0])
    PYTHON.while_stmt(lambda: next(numbers), lambda: log.append(1), no_state, no_state, (), {}, next(numbers))
    assert log == [1, 1]


def test_loops_leave_nothing_behind() -> None:
    class Item:
        pass

    gc.collect()
    ag.for_stmt((Item() for _ in range(3)), lambda: True, lambda item: None, no_state, no_state, (), {})
    assert not [thing for thing in gc.get_objects() if isinstance(thing, Item)]
