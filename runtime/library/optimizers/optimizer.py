"""`Optimizer`: what all optimizers have in common. A new one says which slots it keeps and how one step changes them.

    class SGD(Optimizer):
        def update(self, step, gradient, variable):
            variable.assign_sub(step.rate * gradient)

Slots are Variables of the shape of what they belong to. They are made before the first step, outside of what is being
traced, so a Function may be the first to use an optimizer.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from runtime.autodiff.tape import GradientTape
from runtime.dtypes import float32, int64
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.library.optimizers.slots import Slots
from runtime.ops.arrays.create import zeros
from runtime.ops.arrays.shape import cast
from runtime.ops.arrays.slices import ensure_shape
from runtime.ops.elementwise.functions import sqrt
from runtime.ops.elementwise.limits import clip_by_value, maximum
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.reduce import reduce_sum
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.slices import IndexedSlices
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.switches import Switched

__all__ = ["Optimizer", "Options", "Step", "dense"]

_building = threading.RLock()


@dataclass(frozen=True)
class Step:
    """What one step of one variable is given: the learning rate and the number of the step (from 1), as scalars of the
    variable's dtype, and the variable's slots by name."""

    rate: Any
    number: Any
    slots: dict[str, Variable]


class Options(TypedDict, total=False):
    """The arguments that all optimizers take."""

    weight_decay: float | None
    clipnorm: float | None
    clipvalue: float | None
    global_clipnorm: float | None


class Optimizer(Switched, Module):
    """Changes variables against their gradients.

    learning_rate: a number, or a function of the number of steps so far (an int64 tensor). clipnorm, clipvalue,
    global_clipnorm: the largest norm of each gradient, the largest magnitude of an element, and the largest norm of all
    gradients together. weight_decay: the share of each variable, times the learning rate, that a step takes away first.
    """

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The slots of each variable, as the present options need them. To be written by optimizers that have some."""
        return ()

    __guarded__: tuple[str, ...] = ("clipnorm", "clipvalue", "global_clipnorm", "weight_decay", "iterations", "_rate")

    def __init__(
        self, learning_rate: Any, name: str | None = None, *, weight_decay: float | None = None,
        clipnorm: float | None = None, clipvalue: float | None = None, global_clipnorm: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        for option, limit in (("clipnorm", clipnorm), ("clipvalue", clipvalue), ("global_clipnorm", global_clipnorm)):
            if limit is not None and not limit > 0:
                raise ValueError(f"{type(self).__name__}: {option} is a positive number; got {limit}")
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.weight_decay = weight_decay
        with init_scope(), name_scope(self.name):
            self.iterations = Variable(0, trainable=False, dtype=int64, name="iterations")
            self._rate: Any = learning_rate if callable(learning_rate) else self._rate_variable(learning_rate)
        self._by_variable = Slots()
        self._slots: list[Variable] = []  # where a Module finds them

    def _rate_variable(self, rate: Any) -> Variable:
        if isinstance(rate, Variable):
            return rate
        return Variable(rate, trainable=False, dtype=float32, name="learning_rate")

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a Variable, to be assigned also between the calls of a Function, or the present value of
        the function that gives it."""
        if isinstance(self._rate, Variable):
            return self._rate
        return call_users(self._rate, self.iterations.read_value())

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if not isinstance(self._rate, Variable):
            raise TypeError("the learning rate of this optimizer is a function of the number of steps")
        if callable(value) and not hasattr(value, "dtype"):
            raise TypeError("a function of the number of steps is given as the optimizer is made: learning_rate=...")
        self._rate.assign(value)

    lr = learning_rate

    def build(self, variables: Iterable[Variable]) -> None:
        """Makes the slots of these variables. The first step does it; call it where steps are only made in loops."""
        with _building, init_scope(), name_scope(self.name):
            for variable in variables:
                slots = self._by_variable.of(variable)
                for slot in self.slot_names:
                    if slot not in slots:
                        slots[slot] = self._slot(slot, variable)
                        self._slots.append(slots[slot])

    def _lacks_slots(self, variable: Variable) -> bool:
        """Whether a slot has still to be made: at the first step, and when an option such as momentum has changed."""
        return not self._by_variable.of(variable).keys() >= set(self.slot_names)

    def _slot(self, slot: str, variable: Variable) -> Variable:
        name = f"{variable.name.partition(':')[0]}/{slot}"
        return Variable(zeros(variable.shape, variable.dtype), trainable=False, dtype=variable.dtype, name=name)

    def get_slot(self, variable: Variable, slot: str) -> Variable:
        """The slot of a variable. Raises ValueError if there is none."""
        slots = self._by_variable.of(variable)
        if slot not in slots:
            known = ", ".join(self.slot_names) or "none"
            raise ValueError(f"{self.name!r} has no slot {slot!r} of {variable.name!r}; its slots: {known}")
        return slots[slot]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The state of the optimizer: `iterations`, the learning rate and all slots."""
        rate = (self._rate,) if isinstance(self._rate, Variable) else ()
        return (self.iterations, *rate, *self._slots)

    def _saved_parts(self) -> dict[str, Any]:
        own = super()._saved_parts()
        names = {"_rate": "learning_rate"}
        return {names.get(name, name): part for name, part in own.items() if name not in ("_slots", "_by_variable")}

    def _saved_slots(self) -> list[tuple[Variable, str, Variable]]:
        """What it keeps for variables: the variable, the slot's name, the slot. See `runtime.checkpoint.objects`."""
        return [(variable, name, slot) for variable, slots in self._by_variable.pairs() for name, slot in slots.items()]

    def minimize(
        self, loss: Any, var_list: Callable[[], Iterable[Any]] | Iterable[Any], grad_loss: Any = None,
        name: str | None = None, tape: Any = None,
    ) -> Any:  # fmt: skip
        """One step against the gradients of a loss: a function without arguments, or a tensor that `tape` recorded."""
        if callable(loss):
            with GradientTape() as tape:
                if not callable(var_list):
                    tape.watch(list(var_list))
                loss = call_users(loss)
        elif tape is None:
            raise ValueError("minimize: a loss that is a tensor needs the tape that recorded it (tape=)")
        variables = list(var_list() if callable(var_list) else var_list)
        gradients = tape.gradient(loss, variables, output_gradients=grad_loss)
        return self.apply_gradients(zip(gradients, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Variable]], name: str | None = None) -> Variable:
        """One step. grads_and_vars: pairs of a gradient and its variable; a variable whose gradient is None stays as it
        is, with a warning. Returns `iterations`. Raises ValueError if there is no gradient at all, ShapeMismatchError
        and DtypeMismatchError, before anything is changed, for one that is not like its variable."""
        pairs = [_checked_pair(pair) for pair in grads_and_vars]
        used = [(dense(gradient, variable), variable) for gradient, variable in pairs if gradient is not None]
        if len(used) < len(pairs):
            self._tell_missing(pairs)
        if any(self._lacks_slots(variable) for _, variable in used):
            self.build([variable for _, variable in used])
        gradients = self._clipped([gradient for gradient, _ in used])
        count, rate = self.iterations.read_value() + 1, self.learning_rate
        scalars: dict[Any, tuple[Any, Any]] = {}
        for gradient, (_, variable) in zip(gradients, used, strict=True):
            dtype = variable.dtype
            if dtype not in scalars:
                scalars[dtype] = (_cast(rate, dtype), cast(count, dtype))
            step = Step(*scalars[dtype], self._by_variable.of(variable))
            if self.weight_decay:
                variable.assign_sub(variable.read_value() * (step.rate * self.weight_decay))
            call_users(self.update, step, gradient, variable)
            if variable.constraint is not None:
                variable.assign(call_users(variable.constraint, variable.read_value()))
        self.iterations.assign_add(1)
        return self.iterations

    def update(self, step: Step, gradient: Any, variable: Variable) -> None:
        """Changes one variable and its slots. To be written by each optimizer."""
        raise NotImplementedError(f"{type(self).__name__} has no method update(self, step, gradient, variable)")

    def _tell_missing(self, pairs: Sequence[tuple[Any, Variable]]) -> None:
        names = [variable.name for gradient, variable in pairs if gradient is None]
        if len(names) == len(pairs):
            raise ValueError(f"there are no gradients for any of the variables {names}: the loss depends on none")
        warnings.warn(f"there are no gradients for the variables {names}: they stay as they are", stacklevel=3)

    def _clipped(self, gradients: list[Any]) -> list[Any]:
        if self.clipvalue is not None:
            gradients = [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in gradients]
        if self.clipnorm is not None:
            gradients = [_with_norm(g, _norm([g]), self.clipnorm) for g in gradients]
        if self.global_clipnorm is not None and gradients:
            norm = _norm(gradients)
            gradients = [_with_norm(g, norm, self.global_clipnorm) for g in gradients]
        return gradients


def _checked_pair(pair: Any) -> tuple[Any, Variable]:
    """A pair of a gradient and its variable. Raises TypeError for anything else."""
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not hasattr(pair[1], "assign_sub"):
        kinds = ", ".join(type(part).__name__ for part in pair) if isinstance(pair, list | tuple) else pair
        raise TypeError(f"apply_gradients takes pairs (gradient, Variable), as zip(gradients, w) gives; got ({kinds})")
    return pair[0], pair[1]


def dense(gradient: Any, variable: Variable) -> Any:
    """The gradient as a tensor of the variable's shape and dtype; rows that come more than once add up."""
    if not (variable.dtype.is_floating or variable.dtype.is_complex):
        raise DtypeMismatchError(f"{variable.name!r} is {variable.dtype.name}: a step changes floats only")
    if isinstance(gradient, IndexedSlices):
        gradient = ops.unsorted_segment_sum(gradient.values, gradient.indices, variable.shape[0])
    elif not is_tensor(gradient):
        gradient = convert_to_tensor(gradient, variable.dtype)
    if gradient.dtype is not variable.dtype:
        found = f"the gradient of {variable.name!r} is {gradient.dtype.name}, the variable is {variable.dtype.name}"
        raise DtypeMismatchError(f"{found}; use runtime.cast")
    if not gradient.shape.is_compatible_with(variable.shape):
        found = f"the gradient of {variable.name!r} has the shape {gradient.shape}, the variable has {variable.shape}"
        raise ShapeMismatchError(found)
    if gradient.shape.is_fully_defined():
        return gradient
    # When it runs, one number must not become many where a slot is added to it.
    return ensure_shape(gradient, shape=variable.shape, name=f"gradient_of_{variable.name.partition(':')[0]}")


def _cast(rate: Any, dtype: Any) -> Any:
    rate = convert_to_tensor(rate)
    return rate if rate.dtype is dtype else cast(rate, dtype)


def _norm(gradients: Sequence[Any]) -> Any:
    """The euclidean norm of all elements."""
    total: Any = reduce_sum(gradients[0] * gradients[0])
    for gradient in gradients[1:]:
        total = total + _cast(reduce_sum(gradient * gradient), total.dtype)
    return sqrt(total)


def _with_norm(gradient: Any, norm: Any, largest: float) -> Any:
    """The gradient, made smaller where the norm is larger than allowed."""
    return gradient * _cast(largest / maximum(norm, largest), gradient.dtype)


Rate = float | Variable | Callable[[Any], Any]
