"""The third value of a number of Python is traced for all its values, where the function is one program for them."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf

X = tf.constant([1.0, 2.0, 4.0])


def triangle(n):
    s = 0
    for i in range(n + 1):
        s += i
    return s


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def scaled(n):
    return X * n, n / 4, n // 3, -n, n**2, n == 7, n > 6


def early(n):
    if n % 3 == 0:
        return 1
    return n


def primes(n):
    sieve = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if sieve[i]:
            count += 1
            for j in range(i * i, n + 1, i):
                sieve[j] = False
    return count


def root(r):
    return math.sqrt(r), X * r, round(r, 1), int(r), f"{r:.3f}"


def kinds(n):
    return isinstance(n, int), isinstance(n, bool), type(n) is int, n is None, isinstance(n, float)


def keyed(n, *, scale=2):
    return n * scale


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def same(found: Any, wanted: Any) -> bool:
    """Whether two results have the same structure, dtypes and values."""
    if isinstance(found, tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return found.dtype == wanted.dtype and np.array_equal(found.numpy(), wanted.numpy())


@pytest.mark.parametrize(
    ("program", "values"),
    [
        (triangle, [3, 4, 5, 0, 9, 100, 3]), (collatz, [5, 6, 7, 27, 97]), (scaled, [3, 7, 8, 0, -5]),
        (early, [1, 2, 4, 3, 9, 10]), (primes, [10, 11, 30, 2, 60]), (root, [2.0, 0.25, 3.5, 1e-3, 12345.678]),
        (kinds, [1, 2, 3, 4]), (keyed, [1, 2, 3, 4]), (factorial, [3, 4, 5, 6, 10]),
    ],
)  # fmt: skip
def test_one_trace_for_all_values_from_the_third_on(program: Callable[..., Any], values: list[Any]) -> None:
    function = tf.function(program)
    for value in values:  # a Function of its own traces each value by itself
        assert same(function(value), tf.function(program)(value)), value
    assert function.experimental_get_tracing_count() == 3


def test_the_first_two_values_have_traces_of_their_own() -> None:
    seen = []

    @tf.function
    def f(n):
        seen.append(type(n))
        return n + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [f(n).numpy() for n in (1, 2, 1, 2, 1)] == [2, 3, 2, 3, 2]
    assert seen == [int, int]


def printing(n):
    print("traced with", n)
    return n + 1


def test_a_function_that_prints_while_it_is_traced_is_traced_for_each_value(capsys: pytest.CaptureFixture[str]) -> None:
    function = tf.function(printing)
    for n in (1, 2, 3, 4):
        function(n)
    assert capsys.readouterr().out == "".join(f"traced with {n}\n" for n in (1, 2, 3, 4))


class Layers:
    weight_0, weight_1, weight_2, weight_3 = 1.0, 2.0, 0.5, 0.25


def chosen(n):
    return X * getattr(Layers, f"weight_{n}")


def shaped(n):
    return tf.zeros([n])


def structured(n):
    return [X] * n


def in_json(n):
    return tf.constant(json.dumps(n))


COUNTS: dict[str, int] = {}


def counted(n):
    COUNTS["last"] = n
    return n


@tf.autograph.experimental.do_not_convert
def opaque(n):
    return "one" if n == 1 else "many"


def to_opaque(n):
    return tf.constant(opaque(n))


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (chosen, "it is traced in vain: "), (shaped, "the shape of what it returns depends on it"),
        (structured, "what it returns has another structure for each value"),
            (in_json, r"it is traced in vain: .*json\.dumps\(\) is called"),
        (counted, "it leaves a number that it computes in"), (to_opaque, "given to 'opaque'"),
    ],
)  # fmt: skip
def test_where_the_value_is_needed_it_stays_a_constant(program: Callable[..., Any], why: str) -> None:
    function = tf.function(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for value in (0, 1, 2, 3):
            found, wanted = function(value), tf.function(program)(value)
            assert same(tuple(found), tuple(wanted)) if isinstance(found, list) else same(found, wanted)
        report = str(autograph.explain(function, 3))
    assert function.experimental_get_tracing_count() == 4
    assert re.search(f"guard in .*: the value of the argument 'n', because .*{why}", report), report


def test_numbers_beside_tensors_and_other_arguments() -> None:
    @tf.function
    def step(x, rate, power=2, mode="up"):
        return x * rate if mode == "up" else x / rate + power

    for mode in ("up", "down"):
        for rate in (0.5, 0.25, 0.125, 3.0):
            wanted = X * rate if mode == "up" else X / rate + 2
            assert same(step(X, rate, mode=mode), wanted)
    assert step.experimental_get_tracing_count() == 6
    step(tf.constant([1, 2]), 0.75)  # other tensors: their own traces
    assert step.experimental_get_tracing_count() == 7


def test_an_integer_a_float_and_a_bool_differ() -> None:
    @tf.function
    def f(n):
        return n + n

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.errors.RetracingWarning)
        assert [f(n).dtype for n in (1, 2, 3, 4)] == [tf.int32] * 4
        assert [f(n).dtype for n in (1.0, 2.0, 3.0, 4.0)] == [tf.float32] * 4
        assert [f(n).numpy() for n in (True, False)] == [2, 0]
    assert f.experimental_get_tracing_count() == 8


def test_what_leaves_64_bits_is_computed_by_python() -> None:
    @tf.function
    def power_modulo(n):
        r = 1
        for _ in range(n):
            r = r * 1_000_000_007
        return r % 997

    for n in (1, 2, 0, 5, 2, 40):
        assert power_modulo(n).numpy() == pow(1_000_000_007, n, 997)


def test_results_that_do_not_fit_int32() -> None:
    @tf.function
    def f(n):
        return n * n * n

    found = [f(n) for n in (1, 2, 3, 4, 2000)]
    assert [t.numpy() for t in found] == [1, 8, 27, 64, 8_000_000_000]
    assert [t.dtype for t in found] == [tf.int32] * 4 + [tf.int64]


def test_effects_happen_once_where_a_number_leaves_64_bits() -> None:
    calls = tf.Variable(0)

    @tf.function
    def f(n):
        calls.assign_add(1)
        r = tf.constant(1.0)
        k = 1
        for _ in range(n):
            k = k * 10
            r = r * 2
        return r if k > 5 else -r

    for n in (0, 1, 2, 3, 4):
        f(n)
    assert calls.numpy() == 5
    with pytest.raises(OverflowError, match=r"10000000000000000000 does not fit int64"):
        f(60)


def test_gradients_by_tensors_beside_numbers() -> None:
    @tf.function
    def f(x, n):
        y = x
        for _ in range(n):
            y = y * x
        return y

    for n in (1, 2, 3, 4):
        x = tf.constant(1.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n)
        assert tape.gradient(y, x).numpy() == pytest.approx((n + 1) * 1.5**n)
    assert f.experimental_get_tracing_count() == 3


def test_a_global_that_changes() -> None:
    global OFFSET
    OFFSET = 1

    @tf.function
    def f(n):
        return n + OFFSET

    assert [f(n).numpy() for n in (1, 2, 3, 4)] == [2, 3, 4, 5]
    OFFSET = 10
    assert [f(n).numpy() for n in (3, 4, 5, 1)] == [13, 14, 15, 11]


def test_methods_arrays_and_threads_of_calls() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = tf.Variable([1.0, 2.0])

        @tf.function
        def __call__(self, a, k):
            a[k] = 0.0
            return tf.reduce_sum(self.w) * k

    model = Model()
    for k in (0, 1, 2, 3):
        a = np.ones(4)
        assert model(a, k).numpy() == 3.0 * k
        assert a.tolist() == [0.0 if i == k else 1.0 for i in range(4)]


def test_signatures_and_saved_models(tmp_path: Any) -> None:
    class Module(tf.Module):
        @tf.function
        def f(self, n):
            return n * 2

    module = Module()
    for n in (1, 2, 3):
        module.f(n)
    assert "n: any int" in module.f.pretty_printed_concrete_signatures()
    assert module.f.get_concrete_function(9)().numpy() == 18
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    assert [loaded.f(n).numpy() for n in (1, 2, 3, 50)] == [2, 4, 6, 100]
