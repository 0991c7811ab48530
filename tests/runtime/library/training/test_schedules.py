"""Learning rates that change with the steps, against their formulas in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf

S = tf.keras.optimizers.schedules
STEPS = (0, 1, 9, 10, 11, 25, 30, 99, 111, 1000, 20_000_001)


def cosine(share: float, alpha: float) -> float:
    return (1 - alpha) * (1 + math.cos(math.pi * min(share, 1.0))) / 2 + alpha


def warmed(s: int) -> float:
    return 0.1 + 0.4 * s / 20 if s < 20 else 0.5 * cosine((s - 20) / 10, 0.0)


def restarted(s: int, t_mul: float, m_mul: float) -> float:
    length, height = 1.0, 1.0
    left = s / 10
    while left >= length:
        left, length, height = left - length, length * t_mul, height * m_mul
    return 0.5 * ((1 - 0.1) * height * (1 + math.cos(math.pi * left / length)) / 2 + 0.1)


def cycled(s: int) -> float:
    n = 10 * max(math.ceil(s / 10), 1)
    return (0.5 - 0.1) * (1 - s / n) ** 2 + 0.1


CASES: dict[str, tuple[Any, Callable[[int], float]]] = {
    "exponential": (S.ExponentialDecay(0.5, 10, 0.9), lambda s: 0.5 * 0.9 ** (s / 10)),
    "exponential, in stairs": (S.ExponentialDecay(0.5, 10, 0.9, staircase=True), lambda s: 0.5 * 0.9 ** (s // 10)),
    "inverse": (S.InverseTimeDecay(0.5, 10, 2.0), lambda s: 0.5 / (1 + 2 * s / 10)),
    "inverse, in stairs": (S.InverseTimeDecay(0.5, 10, 2.0, staircase=True), lambda s: 0.5 / (1 + 2 * (s // 10))),
    "constants": (S.PiecewiseConstantDecay([10, 99], [1.0, 0.5, 0.1]),
                  lambda s: 1 if s <= 10 else 0.5 if s <= 99 else 0.1),
    "one constant": (S.PiecewiseConstantDecay([], [0.3]), lambda s: 0.3),
    "polynomial": (S.PolynomialDecay(0.5, 100, 0.1, 2.0), lambda s: 0.4 * (1 - min(s, 100) / 100) ** 2 + 0.1),
    "polynomial, in cycles": (S.PolynomialDecay(0.5, 10, 0.1, 2.0, cycle=True), cycled),
    "cosine": (S.CosineDecay(0.5, 100, alpha=0.1), lambda s: 0.5 * cosine(s / 100, 0.1)),
    "cosine after a rise": (S.CosineDecay(0.1, 10, warmup_target=0.5, warmup_steps=20), warmed),
    "cosine again": (S.CosineDecayRestarts(0.5, 10, 2.0, 0.9, 0.1), lambda s: restarted(s, 2.0, 0.9)),
    "cosine, ten times as long": (S.CosineDecayRestarts(0.5, 10, 10.0, 1.0, 0.1), lambda s: restarted(s, 10.0, 1.0)),
    "cosine after as long": (S.CosineDecayRestarts(0.5, 10, 1.0, 1.0, 0.1), lambda s: restarted(s % 1000, 1.0, 1.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rates(name: str) -> None:
    schedule, wanted = CASES[name]
    staged = tf.function(schedule, input_signature=[tf.TensorSpec([], tf.int64)])
    for step in STEPS:
        found = schedule(step)
        assert found.dtype is tf.float32 and found.shape == ()
        assert float(found) == pytest.approx(wanted(step), rel=1e-6, abs=1e-9), step
        assert float(staged(step)) == float(found) == float(schedule(tf.constant(step, tf.int64)))
    assert type(schedule)(**schedule.get_config()) == schedule


@pytest.mark.parametrize("name", ["SGD", "Momentum", "Adam", "RMSprop", "Adagrad"])
@pytest.mark.parametrize("staged", [False, True])
def test_optimizers_take_them(name: str, staged: bool) -> None:
    """The same steps as with a rate that is assigned before each."""
    kind = getattr(tf.optimizers, name)
    schedule = S.ExponentialDecay(0.5, 2, 0.5)
    scheduled, assigned = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    one, other = kind(schedule), kind(0.0)
    step = tf.function(one.apply_gradients) if staged else one.apply_gradients
    for i in range(5):
        gradient = tf.constant([0.1, -0.2]) * (i + 1)
        other.learning_rate.assign(0.5 * 0.5 ** (i / 2))
        other.apply_gradients([(gradient, assigned)])
        assert float(one.learning_rate) == pytest.approx(0.5 * 0.5 ** (i / 2))
        step([(gradient, scheduled)])
        assert scheduled.numpy() == pytest.approx(assigned.numpy(), rel=1e-6)
    if staged:
        assert step.experimental_get_tracing_count() == 1


def test_in_a_loop_of_a_function() -> None:
    w, optimizer = tf.Variable(0.0), tf.optimizers.SGD(S.PiecewiseConstantDecay([1, 3], [1.0, 0.25, 0.0625]))
    optimizer.build([w])

    @tf.function
    def train(n: Any) -> Any:
        for _ in tf.range(n):
            optimizer.apply_gradients([(tf.constant(-1.0), w)])
        return w.read_value()

    assert float(train(tf.constant(5))) == 1 + 1 + 0.25 + 0.25 + 0.0625


def test_a_schedule_of_ones_own() -> None:
    class Rise(S.LearningRateSchedule):  # type: ignore[misc, name-defined]
        def __call__(self, step: Any) -> Any:
            if step < 2:
                return tf.constant(0.0)
            return tf.cast(step, tf.float32)

    w, optimizer = tf.Variable(0.0), tf.optimizers.SGD(Rise())
    step = tf.function(lambda: optimizer.apply_gradients([(tf.constant(-1.0), w)]))
    for _ in range(4):
        step()
    assert float(w) == 2 + 3


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="one value more"):
        S.PiecewiseConstantDecay([1, 2], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"the boundaries rise; got \[3, 1\]"):
        S.PiecewiseConstantDecay([3, 1], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="decay_steps is a positive number; got 0"):
        S.CosineDecay(0.1, 0)
    with pytest.raises(TypeError, match="function of the number of steps"):
        tf.optimizers.SGD(S.CosineDecay(0.1, 10)).learning_rate = 0.5
