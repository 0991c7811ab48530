"""What stands around the call of a Function: a trace is used where all that it was told of that is so still."""

from __future__ import annotations

import threading
import warnings
import weakref
from typing import Any

import pytest

import autograph
import runtime as tf
from runtime import distribute

ONE = tf.constant(1.0)


@pytest.fixture(autouse=True)
def hard_placement_ends() -> Any:
    yield
    tf.config.set_soft_device_placement(True)


def test_strategies() -> None:
    first, second = distribute.MirroredStrategy(), distribute.OneDeviceStrategy()

    @tf.function
    def f(x: Any) -> Any:
        if distribute.get_strategy() is first:
            return x * 10.0
        return x * 20.0 if distribute.has_strategy() else x

    for _ in range(3):
        assert float(f(ONE)) == 1.0
        with first.scope():
            assert float(f(ONE)) == 10.0
            with second.scope():
                assert float(f(ONE)) == 20.0
            assert float(f(ONE)) == 10.0
        assert float(second.run(f, (ONE,))) == 20.0
    assert f.experimental_get_tracing_count() == 4  # outside, in two scopes, in a replica
    assert f.cache_info().retraced == 3


def test_replicas_and_scopes() -> None:
    strategy = distribute.MirroredStrategy()

    def asks(x: Any) -> Any:
        return x * 2.0 if distribute.in_cross_replica_context() else x * 3.0

    @tf.function
    def nested(x: Any) -> Any:
        return tf.function(asks)(x) + (1.0 if distribute.get_replica_context() is None else 0.0)

    @tf.function
    def in_a_loop(x: Any) -> Any:
        for _ in tf.range(2):
            x = asks(x)
        return x

    class Model(tf.Module):
        @tf.function
        def __call__(self, x: Any) -> Any:
            return asks(x)

    cases = [(tf.function(asks), 3.0, 2.0), (nested, 3.0, 3.0), (in_a_loop, 9.0, 4.0), (Model(), 3.0, 2.0)]
    for f, outside, within in cases:
        for _ in range(2):
            assert float(f(ONE)) == outside
            with strategy.scope():
                assert float(f(ONE)) == within
                assert float(strategy.run(f, (ONE,))) == outside


def test_under_a_tape_and_in_init_scope() -> None:
    strategy = distribute.MirroredStrategy()

    @tf.function
    def f(x: Any) -> Any:
        with tf.init_scope():
            factor = 2.0 if distribute.has_strategy() else 3.0
        return x * factor

    def slope() -> float:
        with tf.GradientTape() as tape:
            tape.watch(ONE)
            y = f(ONE)
        return float(tape.gradient(y, ONE))

    assert slope() == 3.0
    with strategy.scope():
        assert slope() == 2.0
    assert slope() == 3.0


def test_scopes_of_the_function_itself_are_no_reason() -> None:
    strategy = distribute.MirroredStrategy()

    @tf.function
    def f(x: Any) -> Any:
        with strategy.scope():
            assert distribute.in_cross_replica_context()
            return strategy.run(lambda y: y * distribute.get_replica_context().num_replicas_in_sync, (x,))

    assert float(f(ONE)) == 1.0
    with distribute.OneDeviceStrategy().scope():
        assert float(f(ONE)) == 1.0
    assert f.experimental_get_tracing_count() == 1


def test_what_asks_nothing_is_traced_once() -> None:
    @tf.function
    def f(x: Any) -> Any:
        with tf.device("/CPU:0"):
            return x + 1.0

    f(ONE)
    for around in (
        distribute.MirroredStrategy().scope(), tf.device("/GPU:0"), tf.device("/CPU:0"), tf.name_scope("name"),
        tf.control_dependencies([ONE]), tf.GradientTape(),
    ):  # fmt: skip
        with around:
            assert float(f(ONE)) == 2.0
    assert f.experimental_get_tracing_count() == 1


def test_other_devices_are_taken_only_while_they_are() -> None:
    @tf.function
    def f(x: Any) -> Any:
        with tf.device("/GPU:3"):
            return x + 1.0

    assert float(f(ONE)) == 2.0
    tf.config.set_soft_device_placement(False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no device '/GPU:3'"):
        f(ONE)
    tf.config.set_soft_device_placement(True)
    assert float(f(ONE)) == 2.0
    assert f.experimental_get_tracing_count() == 1


def test_a_function_is_converted_wherever_it_is_called() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return x if x > 0.0 else -x

    assert float(autograph.do_not_convert(lambda: f(tf.constant(-2.0)))()) == 2.0
    assert float(f(ONE)) == 1.0


def test_a_strategy_lives_no_longer_for_a_trace() -> None:
    strategy = distribute.MirroredStrategy()

    @tf.function
    def f(x: Any) -> Any:
        return x * 2.0 if distribute.has_strategy() else x

    with strategy.scope():
        assert float(f(ONE)) == 2.0
    gone = weakref.ref(strategy)
    del strategy
    assert gone() is None
    assert float(f(ONE)) == 1.0
    with distribute.MirroredStrategy().scope():
        assert float(f(ONE)) == 2.0


def test_threads_in_different_places() -> None:
    strategy = distribute.MirroredStrategy()

    @tf.function
    def f(x: Any) -> Any:
        return x * 2.0 if distribute.has_strategy() else x

    wrong = []

    def work(inside: bool) -> None:
        for _ in range(200):
            found = float(strategy.run(f, (ONE,)) if inside else f(ONE))
            if found != (2.0 if inside else 1.0):
                wrong.append((inside, found))

    threads = [threading.Thread(target=work, args=(i % 2 == 0,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert f.experimental_get_tracing_count() == 2


def test_many_strategies_are_told_of() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return x * 2.0 if distribute.has_strategy() else x

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(12):
            with distribute.MirroredStrategy().scope():
                f(ONE)
    assert "the answer of 'get_strategy' had changed" in str(seen[0].message) and len(seen) == 1
