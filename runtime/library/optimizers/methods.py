"""The optimizers: `SGD`, `Momentum`, `Adam`, `AdamW`, `RMSprop`, `Adagrad`.

    optimizers.Adam(1e-3).apply_gradients(zip(gradients, variables))

g is the gradient of a variable w, r the learning rate, t the number of the step.
"""

from __future__ import annotations

from typing import Any, Unpack

from runtime.dtypes import bfloat16, float32
from runtime.library.optimizers.optimizer import Optimizer, Options, Rate, Step
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.functions import rsqrt, sqrt
from runtime.ops.elementwise.limits import maximum
from runtime.state.variable import Variable

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Momentum", "RMSprop"]


class SGD(Optimizer):
    """w -= r g. With momentum: v = momentum v - r g and w += v, or w += momentum v - r g if nesterov."""

    __guarded__ = ("momentum", "nesterov")

    def __init__(
        self, learning_rate: Rate = 0.01, momentum: float = 0.0, nesterov: bool = False, name: str | None = None,
        **options: Unpack[Options],
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, name, **options)
        _check_shares(self, most=1, momentum=momentum)
        self.momentum, self.nesterov = momentum, nesterov

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The momentum, if there is any."""
        return ("momentum",) if self.momentum else ()

    def update(self, step: Step, gradient: Any, variable: Variable) -> None:
        """See the class."""
        change = step.rate * gradient
        if not self.momentum:
            variable.assign_sub(change)
            return
        velocity = step.slots["momentum"]
        velocity.assign(velocity.read_value() * self.momentum - change)
        if self.nesterov:
            variable.assign_add(velocity.read_value() * self.momentum - change)
        else:
            variable.assign_add(velocity.read_value())


class Momentum(SGD):
    """`SGD` with momentum.

    Source: Polyak, "Some methods of speeding up the convergence of iteration methods" (1964).
    """

    def __init__(
        self, learning_rate: Rate = 0.01, momentum: float = 0.9, nesterov: bool = False, name: str | None = None,
        **options: Unpack[Options],
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, momentum, nesterov, name, **options)


class Adam(Optimizer):
    """m and v are running means of g and g²; w -= r sqrt(1 - beta_2^t) / (1 - beta_1^t) m / (sqrt(v) + epsilon).

    amsgrad: the largest v so far instead of v. Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization"
    (2014).
    """

    __guarded__ = ("beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self, learning_rate: Rate = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7,
        amsgrad: bool = False, name: str | None = None, **options: Unpack[Options],
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, name, **options)
        _check_shares(self, beta_1=beta_1, beta_2=beta_2)
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The running means, and the largest v where that is wanted."""
        return ("m", "v", "vhat") if self.amsgrad else ("m", "v")

    def update(self, step: Step, gradient: Any, variable: Variable) -> None:
        """See the class."""
        m, v = step.slots["m"], step.slots["v"]
        m.assign_add((gradient - m.read_value()) * (1 - self.beta_1))
        v.assign_add((gradient * gradient - v.read_value()) * (1 - self.beta_2))
        scale = step.rate * sqrt(_missing(self.beta_2, step.number)) / _missing(self.beta_1, step.number)
        spread = v.read_value()
        if self.amsgrad:
            step.slots["vhat"].assign(maximum(step.slots["vhat"].read_value(), spread))
            spread = step.slots["vhat"].read_value()
        variable.assign_sub(m.read_value() * scale / (sqrt(spread) + self.epsilon))


class AdamW(Adam):
    """Adam that first takes r weight_decay w away from w. Source: Loshchilov and Hutter, "Decoupled Weight Decay
    Regularization" (2017)."""

    def __init__(
        self, learning_rate: Rate = 0.001, weight_decay: float = 0.004, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, amsgrad: bool = False, name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        options["weight_decay"] = weight_decay
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, name, **options)


class RMSprop(Optimizer):
    """v is a running mean of g²; w -= r g / sqrt(v + epsilon). With momentum: b = momentum b + that, and w -= b.

    centered: v without the square of a running mean of g. Source: Tieleman and Hinton, "Lecture 6.5 - RMSProp" (2012).
    """

    __guarded__ = ("rho", "momentum", "epsilon", "centered")

    def __init__(
        self, learning_rate: Rate = 0.001, rho: float = 0.9, momentum: float = 0.0, epsilon: float = 1e-7,
        centered: bool = False, name: str | None = None, **options: Unpack[Options],
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, name or "rmsprop", **options)
        _check_shares(self, rho=rho)
        _check_shares(self, most=1, momentum=momentum)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The running mean of g², and what momentum and centering need."""
        return ("rms", *(("momentum",) if self.momentum else ()), *(("mean",) if self.centered else ()))

    def update(self, step: Step, gradient: Any, variable: Variable) -> None:
        """See the class."""
        rms = step.slots["rms"]
        rms.assign_add((gradient * gradient - rms.read_value()) * (1 - self.rho))
        spread = rms.read_value()
        if self.centered:
            mean = step.slots["mean"]
            mean.assign_add((gradient - mean.read_value()) * (1 - self.rho))
            spread = spread - mean.read_value() * mean.read_value()
        change = step.rate * gradient * rsqrt(spread + self.epsilon)
        if self.momentum:
            buffer = step.slots["momentum"]
            buffer.assign(buffer.read_value() * self.momentum + change)
            change = buffer.read_value()
        variable.assign_sub(change)


class Adagrad(Optimizer):
    """a is the sum of all g², from initial_accumulator_value on; w -= r g / sqrt(a + epsilon).

    Source: Duchi et al., "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (2011).
    """

    __guarded__ = ("epsilon",)

    def __init__(
        self, learning_rate: Rate = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7,
        name: str | None = None, **options: Unpack[Options],
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, name, **options)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The sum of all g²."""
        return ("accumulator",)

    def _slot(self, slot: str, variable: Variable) -> Variable:
        made = super()._slot(slot, variable)
        made.assign(made.read_value() + self.initial_accumulator_value)
        return made

    def update(self, step: Step, gradient: Any, variable: Variable) -> None:
        """See the class."""
        accumulator = step.slots["accumulator"]
        accumulator.assign_add(gradient * gradient)
        variable.assign_sub(step.rate * gradient * rsqrt(accumulator.read_value() + self.epsilon))


def _missing(beta: float, number: Any) -> Any:
    """1 - beta**number. bfloat16 has no number between 0.996 and 1, so that nothing would be left of 0.999 in it."""
    if number.dtype is bfloat16:
        return cast(1 - beta ** cast(number, float32), bfloat16)
    return 1 - beta**number


def _check_shares(optimizer: Optimizer, most: float | None = None, **options: float) -> None:
    """Raises ValueError unless each option is a number in [0, 1), or in [0, most] where that is given."""
    for name, value in options.items():
        if not (0 <= value < 1 or value == most):
            end = "1)" if most is None else f"{most}]"
            raise ValueError(f"{type(optimizer).__name__}: {name} is a number in [0, {end}; got {value}")
