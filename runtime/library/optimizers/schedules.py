"""Learning rates that change with the number of steps: what optimizers take as `learning_rate`.

    schedule = optimizers.schedules.ExponentialDecay(0.1, decay_steps=1000, decay_rate=0.5)
    optimizers.SGD(schedule)                 # 0.1, and half as much after every 1000 steps
    schedule(500).numpy()                    # 0.0707...

Each is a function of a step, an integer or an integer tensor, and gives a float32 scalar. r stands for the initial
learning rate, s for the step, n for decay_steps. They are computed in float64, so they are exact for long trainings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from runtime.dtypes import float32, float64
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.functions import ceil, cos, floor, log
from runtime.ops.elementwise.limits import minimum
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = [
    "CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule",
    "PiecewiseConstantDecay", "PolynomialDecay",
]  # fmt: skip


def _wide(value: Any) -> Any:
    return cast(convert_to_tensor(value), float64)


class LearningRateSchedule:
    """A learning rate that depends on the step. Write `rate(step)`, which gets the step as float64, or `__call__`."""

    def __call__(self, step: Any) -> Any:
        """The learning rate of a step, a float32 scalar."""
        return cast(self.rate(_wide(step)), float32)

    def rate(self, step: Any) -> Any:
        """The learning rate of a step, float64. To be written by each schedule."""
        raise NotImplementedError(f"{type(self).__name__} has no method __call__(self, step)")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same schedule."""
        return asdict(self)  # type: ignore[call-overload]


def _positive(schedule: Any, *names: str) -> None:
    for name in names:
        value = getattr(schedule, name)
        if isinstance(value, int | float) and not value > 0:
            raise ValueError(f"{type(schedule).__name__}: {name} is a positive number; got {value}")


def _periods(schedule: Any, step: Any) -> Any:
    """How many times decay_steps there were."""
    periods = step / _wide(schedule.decay_steps)
    return floor(periods) if schedule.staircase else periods


@dataclass(frozen=True)
class ExponentialDecay(LearningRateSchedule):
    """r * decay_rate ** (s / n). staircase: s / n is rounded down."""

    initial_learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: bool = False
    name: str = "ExponentialDecay"

    def __post_init__(self) -> None:
        _positive(self, "decay_steps")

    def rate(self, step: Any) -> Any:
        """See the class."""
        return _wide(self.initial_learning_rate) * _wide(self.decay_rate) ** _periods(self, step)


@dataclass(frozen=True)
class InverseTimeDecay(LearningRateSchedule):
    """r / (1 + decay_rate * s / n). staircase: s / n is rounded down."""

    initial_learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: bool = False
    name: str = "InverseTimeDecay"

    def __post_init__(self) -> None:
        _positive(self, "decay_steps")

    def rate(self, step: Any) -> Any:
        """See the class."""
        return _wide(self.initial_learning_rate) / (1 + _wide(self.decay_rate) * _periods(self, step))


@dataclass(frozen=True)
class PiecewiseConstantDecay(LearningRateSchedule):
    """values[0] up to and with the step boundaries[0], values[1] up to and with boundaries[1], ..., then values[-1]."""

    boundaries: Sequence[Any]
    values: Sequence[Any]
    name: str = "PiecewiseConstant"

    def __post_init__(self) -> None:
        if len(self.values) != len(self.boundaries) + 1:
            found = f"{len(self.boundaries)} boundaries and {len(self.values)} values"
            raise ValueError(f"PiecewiseConstantDecay: there is one value more than boundaries; got {found}")
        numbers = [b for b in self.boundaries if isinstance(b, int | float)]
        if any(b <= a for a, b in pairwise(numbers)):
            raise ValueError(f"PiecewiseConstantDecay: the boundaries rise; got {list(self.boundaries)}")

    def rate(self, step: Any) -> Any:
        """See the class."""
        found = _wide(self.values[-1])
        for boundary, value in zip(reversed(self.boundaries), reversed(self.values[:-1]), strict=True):
            found = ops.where(step <= _wide(boundary), _wide(value), found)
        return found


@dataclass(frozen=True)
class PolynomialDecay(LearningRateSchedule):
    """(r - end) * (1 - min(s, n) / n) ** power + end. cycle: n is the next multiple of itself, s is not cut off."""

    initial_learning_rate: Any
    decay_steps: Any
    end_learning_rate: Any = 0.0001
    power: Any = 1.0
    cycle: bool = False
    name: str = "PolynomialDecay"

    def __post_init__(self) -> None:
        _positive(self, "decay_steps")

    def rate(self, step: Any) -> Any:
        """See the class."""
        steps, end = _wide(self.decay_steps), _wide(self.end_learning_rate)
        if self.cycle:
            steps = steps * ops.maximum(ceil(step / steps), _wide(1))
        else:
            step = minimum(step, steps)
        left = (1 - step / steps) ** _wide(self.power)
        return (_wide(self.initial_learning_rate) - end) * left + end


def _cosine(completed: Any, alpha: Any, height: Any = 1.0) -> Any:
    """From `height` to alpha along half a wave."""
    return (1 - _wide(alpha)) * (0.5 * height * (1 + cos(math.pi * completed))) + _wide(alpha)


@dataclass(frozen=True)
class CosineDecay(LearningRateSchedule):
    """r * ((1 - alpha) * (1 + cos(pi * min(s, n) / n)) / 2 + alpha).

    warmup_target, warmup_steps: the rate first rises from r to the target, in so many steps, then decays from there.
    Source: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016).
    """

    initial_learning_rate: Any
    decay_steps: Any
    alpha: Any = 0.0
    name: str = "CosineDecay"
    warmup_target: Any = None
    warmup_steps: Any = 0

    def __post_init__(self) -> None:
        _positive(self, "decay_steps")

    def rate(self, step: Any) -> Any:
        """See the class."""
        first, steps = _wide(self.initial_learning_rate), _wide(self.decay_steps)
        if self.warmup_target is None:
            return first * _cosine(minimum(step, steps) / steps, self.alpha)
        warm, target = _wide(self.warmup_steps), _wide(self.warmup_target)
        later = ops.maximum(minimum(step - warm, steps), _wide(0))
        rising = first + (target - first) * (step / ops.maximum(warm, _wide(1)))
        return ops.where(step < warm, rising, target * _cosine(later / steps, self.alpha))


@dataclass(frozen=True)
class CosineDecayRestarts(LearningRateSchedule):
    """`CosineDecay` over and over again: each time t_mul times as long, and from m_mul times as high.

    Source: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2016).
    """

    initial_learning_rate: Any
    first_decay_steps: Any
    t_mul: Any = 2.0
    m_mul: Any = 1.0
    alpha: Any = 0.0
    name: str = "SGDRDecay"

    def __post_init__(self) -> None:
        _positive(self, "first_decay_steps")

    def rate(self, step: Any) -> Any:
        """See the class."""
        completed, longer = step / _wide(self.first_decay_steps), _wide(self.t_mul)
        if self.t_mul == 1:
            times = floor(completed)
            completed = completed - times
        else:  # 1 + t + ... + t ** (times - 1) first periods are over, a geometric sum
            times = floor(log(1 - completed * (1 - longer)) / log(longer))
            following = (1 - longer ** (times + 1)) / (1 - longer)
            times = ops.where(completed >= following, times + 1, times)  # logarithms are rounded
            completed = (completed - (1 - longer**times) / (1 - longer)) / longer**times
        return _wide(self.initial_learning_rate) * _cosine(completed, self.alpha, _wide(self.m_mul) ** times)
