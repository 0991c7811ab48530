"""Guards: a trace is used as long as what it took from Python is so still; when not, the function is traced again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.errors import RetracingWarning
from tests.runtime.function.following import ONE, follows

RATE: Any = 2.0
TABLE: Any = [1.0, 2.0]
SETTINGS: dict[str, Any] = {"scale": 3.0, "unused": {"deep": [1.0]}}
WEIGHTS = np.array([1.0, 2.0], np.float32)


def helper(x):
    return x + RATE


@pytest.fixture(autouse=True)
def globals_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RATE", "TABLE", "SETTINGS", "helper"):
        monkeypatch.setitem(globals(), name, globals()[name])


def put(name: str, value: Any) -> Callable[[], Any]:
    return lambda: globals().__setitem__(name, value)


def test_globals() -> None:
    @tf.function
    def f(x):
        return x * RATE

    assert follows(f, put("RATE", 3.0), put("RATE", 4.0)) == 3


def test_an_older_trace_is_taken_up_again() -> None:
    @tf.function
    def f(x):
        return x * RATE

    assert follows(f, put("RATE", 3.0), put("RATE", 2.0), put("RATE", 3.0), put("RATE", 2.0)) == 2


def test_an_equal_value_of_the_same_type_is_no_change() -> None:
    @tf.function
    def f(x):
        return x * RATE

    assert follows(f, put("RATE", float("2.0")), put("RATE", float("2.0"))) == 1
    assert follows(f, put("RATE", 2), put("RATE", True)) == 3


@pytest.mark.parametrize(("before", "after"), [(0.0, -0.0), (float("nan"), 1.0), (1, 1.0), (1, True), (None, 0)])
def test_values_that_are_told_apart(before: Any, after: Any) -> None:
    seen: list[Any] = []

    @tf.function
    def f(x):
        seen.append(repr(RATE))
        return x

    for value in (before, after, before):
        globals()["RATE"] = value
        f(ONE)
    assert seen == [repr(before), repr(after)]


def test_globals_of_called_functions_and_functions_themselves() -> None:
    @tf.function
    def f(x):
        return helper(x)

    assert follows(f, put("RATE", 5.0), put("helper", lambda x: x - RATE), put("RATE", 7.0)) == 4


def test_globals_of_functions_that_are_called_as_functions() -> None:
    @tf.function
    def inner(x):
        return x * RATE

    @tf.function
    def f(x):
        return inner(x) + 1

    assert follows(f, put("RATE", 5.0)) == 2


def test_containers() -> None:
    @tf.function
    def f(x):
        return x * TABLE[1] + SETTINGS["scale"] * SETTINGS["unused"]["deep"][0]

    changes = [
        lambda: TABLE.append(1.0),
        lambda: TABLE.__setitem__(1, 7.0),
        lambda: SETTINGS.update(scale=1.0),
        lambda: SETTINGS["unused"]["deep"].__setitem__(0, 9.0),
    ]
    globals()["TABLE"], globals()["SETTINGS"] = [1.0, 2.0], {"scale": 3.0, "unused": {"deep": [1.0]}}
    assert follows(f, *changes) == 5
    assert follows(f, put("TABLE", [1.0, 7.0, 1.0])) == 5, "an equal list is no change"


def test_arrays() -> None:
    @tf.function
    def f(x):
        return tf.reduce_sum(x * WEIGHTS)

    assert follows(f, lambda: WEIGHTS.__setitem__(0, 5.0), lambda: WEIGHTS.__setitem__(0, 1.0)) == 2


def test_closure_variables() -> None:
    k = 2.0

    @tf.function
    def f(x):
        return x * k

    def change() -> None:
        nonlocal k
        k = 5.0

    assert follows(f, change) == 2


def test_variables_count_by_identity_not_by_value() -> None:
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        return x * v

    def change() -> None:
        nonlocal v
        v = tf.Variable(51.0)

    assert follows(f, lambda: v.assign(3.0)) == 1
    assert follows(f, change) == 2


def test_one_trace_for_all_shapes_stays_one() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x):
        return x * RATE

    for rate, expected in ((2.0, 1), (3.0, 2), (2.0, 2)):
        globals()["RATE"] = rate
        for n in (1, 2, 3):
            np.testing.assert_array_equal(f(tf.ones([n])).numpy(), np.full(n, rate, np.float32))
        assert f.experimental_get_tracing_count() == expected


def test_threads_trace_once_for_each_change() -> None:
    @tf.function
    def f(x):
        return x * RATE

    for rate in (2.0, 3.0):
        globals()["RATE"] = rate
        results: list[float] = []
        threads = [threading.Thread(target=lambda: results.append(float(f(ONE)))) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [rate] * 16
    assert f.experimental_get_tracing_count() == 2


def test_a_failed_trace_leaves_the_old_one() -> None:
    @tf.function
    def f(x):
        if RATE is None:
            raise ValueError("no rate")
        return x * RATE

    assert f(ONE).numpy() == 2.0
    globals()["RATE"] = None
    for _ in range(2):
        with pytest.raises(ValueError, match="no rate"):
            f(ONE)
    globals()["RATE"] = 2.0
    assert f(ONE).numpy() == 2.0
    assert f.experimental_get_tracing_count() == 1


def test_frequent_tracing_is_reported_with_the_reason_and_the_remedy() -> None:
    @tf.function
    def f(x):
        return x * RATE

    def call(rate: float) -> None:
        globals()["RATE"] = rate
        f(ONE)

    for i in range(5):
        call(float(i))
    with pytest.warns(RetracingWarning, match=r"'f' was traced 5 times because the global 'RATE' had.*Variable") as w:
        call(5.0)
    assert w[0].filename == __file__
    for i in range(6, 20):
        call(float(i))  # said once


def test_explain_lists_the_guards_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x):
        y = x * RATE
        return y + TABLE[0]

    report = autograph.explain(f, ONE)
    start = f.python_function.__code__.co_firstlineno
    assert [(guard.words, guard.place.lineno - start) for guard in report.guards] == [
        ("the global 'RATE'", 2),
        ("the global 'TABLE'", 3),
    ]
    assert f"test_guards.py:{start + 2}  guard in " in capsys.readouterr().out
    assert f.experimental_get_tracing_count() == 0
