"""Layers over sequences: `LSTM`, `GRU`, `SimpleRNN`, and `RNN` over any cell.

    layers.LSTM(16)(texts)                                 # [batch, 16]: what the last step gives
    layers.LSTM(16, return_sequences=True)(texts)          # [batch, time, 16]

The sequences are [batch, time, features]; batch and time may be unknown. In a graph it is one loop, however many steps
there are. What the inputs give to the gates of the known cells is computed for all steps together before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.context import current_recorder
from runtime.control_flow.functions import cond, while_loop
from runtime.errors import ShapeMismatchError
from runtime.library import nest
from runtime.library.layers.calls import takes_training
from runtime.library.layers.cells import GRUCell, LSTMCell, SimpleRNNCell, batch_of, dropped
from runtime.library.layers.core import in_dtype
from runtime.library.layers.layer import Layer
from runtime.ops.arrays.create import zeros
from runtime.ops.arrays.shape import shape
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape, as_shape
from runtime.state.calling import call_users
from runtime.state.scopes import init_scope, name_scope
from runtime.state.tensor_array import TensorArray
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor

__all__ = ["GRU", "LSTM", "RNN", "SimpleRNN", "as_mask"]


class _Kept:
    """Holds the states of a stateful layer, where a Module does not look for weights."""

    def __init__(self) -> None:
        self.states: list[Variable] = []


class RNN(Layer):
    """A cell over the steps of sequences.

    cell: a layer called as cell(inputs, states), which returns an output and the next states; `state_size` is the size
    of the state or a list of sizes. return_sequences: the outputs of all steps and not that of the last. return_state:
    (output, *states). go_backwards: from the last step on. stateful: the states of a batch are the first of the next,
    until `reset_state`. unroll: accepted; the loop is one loop. zero_output_for_mask: the output of a step that the
    mask leaves out is zeros, not that of the step before.
    """

    __guarded__ = ("cell", "return_sequences", "return_state", "go_backwards", "stateful", "zero_output_for_mask")

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, unroll: bool = False, zero_output_for_mask: bool = False, name: str | None = None,
        trainable: bool = True, dtype: Any = None, input_shape: Any = None, activity_regularizer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        for needed in ("state_size", "call"):
            if not hasattr(cell, needed):
                raise ValueError(f"RNN: a cell has {needed}; {cell!r} has not")
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.zero_output_for_mask = zero_output_for_mask
        self._kept = _Kept()

    @property
    def states(self) -> list[Variable]:
        """The states that a stateful layer keeps; they are none of its weights."""
        return self._kept.states

    def build(self, input_shape: Any) -> None:
        """Makes the weights of the cell, and the kept states of a stateful layer. input_shape: [batch, time, ...]."""
        whole = as_shape(input_shape)
        if whole.rank is not None and whole.rank < 3:
            raise ShapeMismatchError(f"{self.name!r} takes sequences [batch, time, features]; their shape is {whole}")
        if not getattr(self.cell, "built", True):
            one = whole if whole.rank is None else TensorShape([whole[0], *whole[2:]])
            with name_scope(self.cell.name):
                self.cell.build(one)
            self.cell.built = True
        if self.stateful:
            if whole.rank is None or whole[0] is None:
                raise ValueError(f"{self.name!r} is stateful: the size of the batch must be known when it is built")
            with init_scope():
                zero = self._zeros(whole[0])
                self._kept.states[:] = [Variable(state, trainable=False, name="state") for state in zero]
        self.built = True

    def _sizes(self) -> list[int]:
        size = self.cell.state_size
        return list(size) if isinstance(size, list | tuple) else [size]

    def _zeros(self, batch: Any) -> list[Any]:
        if hasattr(self.cell, "get_initial_state"):
            return list(nest.flatten(call_users(self.cell.get_initial_state, batch_size=batch)))
        return [zeros([batch, size], self.dtype) for size in self._sizes()]

    def get_initial_state(self, batch_size: Any) -> list[Any]:
        """What the states are before the first step: zeros. batch_size: integer."""
        return self._zeros(batch_size)

    def reset_state(self) -> None:
        """Sets the kept states of a stateful layer to zeros."""
        for state in self.states:
            state.assign(zeros(state.shape, state.dtype))

    reset_states = reset_state

    def compute_mask(self, inputs: Any = None, previous_mask: Any = None) -> Any:
        """The mask of the inputs, where there is an output for each step."""
        return previous_mask if self.return_sequences else None

    # -- a call ---------------------------------------------------------------------------------------------------

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False) -> Any:
        """sequences: [batch, time, features]. initial_state: a tensor for each part of the state, [batch, units]; mask:
        bools [batch, time], False for steps that change nothing; training: a bool, which may be a tensor."""
        x = in_dtype(sequences, self.dtype)
        if x.shape.rank is not None and x.shape.rank < 3:
            raise ShapeMismatchError(f"{self.name!r} takes sequences [batch, time, features]; their shape is {x.shape}")
        states = self._first_states(x, initial_state)
        by_step = _ordered(x if not hasattr(self.cell, "projected") else self._gates(x, training), self.go_backwards)
        flags = None if mask is None else _ordered(as_mask(mask, x, self.name), self.go_backwards)
        outputs, last, states = self._over(by_step, flags, states, self._step(x, training))
        if self.stateful:
            for kept, state in zip(self.states, states, strict=True):
                kept.assign(state)
        result = _batch_first(outputs) if self.return_sequences else last
        return (result, *states) if self.return_state else result

    def _first_states(self, x: Any, given: Any) -> list[Any]:
        if given is None and self.stateful:
            kept = [state.read_value() for state in self.states]
            return [self._fitting(part, size, x) for part, size in zip(kept, self._sizes(), strict=True)]
        if given is None:
            return self._zeros(batch_of(x))
        parts = list(given) if isinstance(given, list | tuple) else [given]
        if len(parts) != len(self._sizes()):
            raise ValueError(f"{self.name!r} has a state of {len(self._sizes())} tensors; {len(parts)} were given")
        made = [in_dtype(convert_to_tensor(part), self.dtype) for part in parts]
        return [self._fitting(part, size, x) for part, size in zip(made, self._sizes(), strict=True)]

    def _fitting(self, state: Any, size: int, x: Any) -> Any:
        """A state that is given. Raises if it is not of the same batch: it would be repeated in silence."""
        batch = x.shape[0] if x.shape.rank else None
        if not state.shape.is_compatible_with([batch, size]):
            wanted = f"[batch, {size}], and there are {batch} sequences" if batch is not None else f"[batch, {size}]"
            raise ShapeMismatchError(f"{self.name!r}: a state is {wanted}; its shape is {state.shape}")
        if batch is None or state.shape.rank is None or state.shape[0] is None:
            sizes = shape(state)[0], shape(x)[0]
            ops.check(ops.equal(*sizes), sizes, message=f"{self.name!r}: a state is [batch, {size}]; the batches are: ")
        return state

    def _gates(self, x: Any, training: Any) -> Any:
        """What the inputs of all steps give to the gates; dropout leaves out the same features of each step."""
        noise = [batch_of(x), 1, x.shape[-1]]
        return self.cell.projected(dropped(x, self.cell.dropout, training, noise, self.cell.seed))

    def _step(self, x: Any, training: Any) -> Callable[[Any, list[Any]], tuple[Any, list[Any]]]:
        cell = self.cell
        if not hasattr(cell, "projected"):
            return lambda inputs, states: _called(cell, inputs, states, training)
        mask = cell.recurrent_mask(batch_of(x), training)

        def step(gates: Any, states: list[Any]) -> tuple[Any, list[Any]]:
            made = cell.step(gates, states if mask is None else [states[0] * mask, *states[1:]])
            return made[0], made

        return step

    def _over(self, by_step: Any, flags: Any, states: list[Any], step: Any) -> Results:
        """All steps: the outputs [time, batch, units] or None, the last output, the last states."""
        size = getattr(self.cell, "output_size", None) or self._sizes()[0]
        blank = zeros([batch_of(states[0]), size], self.dtype)

        def one(inputs: Any, there: Any, last: Any, states: Sequence[Any]) -> tuple[Any, list[Any]]:
            output, made = step(inputs, list(states))
            if there is None:
                return output, made
            output = ops.where(there, output, blank if self.zero_output_for_mask else last)
            return output, [ops.where(there, new, old) for new, old in zip(made, states, strict=True)]

        way = _one_by_one if current_recorder() is None else _as_loop
        return way(by_step, flags, states, one, blank, self.return_sequences)


Step = Callable[[Any, Any, Any, Sequence[Any]], tuple[Any, list[Any]]]
Results = tuple[Any, Any, list[Any]]


def _one_by_one(by_step: Any, flags: Any, states: list[Any], one: Step, blank: Any, every: bool) -> Results:
    """Eagerly: the steps are taken apart at once, so that their gradients are put together at once."""
    last, outputs = blank, []
    masks = [None] * by_step.shape[0] if flags is None else ops.unstack(flags, axis=0)
    for inputs, there in zip(ops.unstack(by_step, axis=0), masks, strict=True):
        last, states = one(inputs, there, last, states)
        outputs.append(last)
    if not every:
        return None, last, states
    return (ops.stack(outputs, axis=0) if outputs else zeros([0, *blank.shape], blank.dtype)), last, states


def _as_loop(by_step: Any, flags: Any, states: list[Any], one: Step, blank: Any, every: bool) -> Results:
    """In a graph: one loop. Arrays carry the steps: their gradient is linear in the number of steps."""
    known = by_step.shape[0]
    count = shape(by_step)[0] if known is None else convert_to_tensor(known)
    steps = TensorArray(by_step.dtype, size=count, element_shape=by_step.shape[1:]).unstack(by_step)
    outputs = TensorArray(blank.dtype, size=count, element_shape=blank.shape)

    def body(t: Any, outputs: Any, last: Any, *states: Any) -> Any:
        output, made = one(steps.read(t), None if flags is None else flags[t], last, states)
        return t + 1, outputs.write(t, output) if every else outputs, output, *made

    start = [convert_to_tensor(0), outputs, blank, *states]
    _, outputs, last, *states = while_loop(lambda t, *others: t < count, body, start, maximum_iterations=known)
    if not every:
        return None, last, states
    if known:
        return outputs.stack(), last, states
    none = ops.concat([[0], shape(blank)], axis=0)  # an array of no elements does not know how large they are
    return cond(count > 0, outputs.stack, lambda: zeros(none, blank.dtype)), last, states


def _called(cell: Any, inputs: Any, states: list[Any], training: Any) -> tuple[Any, list[Any]]:
    """A step of a cell of the user's."""
    options = {"training": training} if takes_training(type(cell).call) else {}
    output, made = call_users(cell, inputs, states, **options)
    return output, list(made) if isinstance(made, list | tuple) else [made]


def _ordered(x: Any, backwards: bool) -> Any:
    """[batch, time, ...] as [time, batch, ...]."""
    rank = x.shape.rank
    perm = [1, 0, *range(2, 3 if rank is None else rank)]
    turned = ops.transpose(x, perm=perm)
    return ops.reverse(turned, axis=0) if backwards else turned


def _batch_first(outputs: Any) -> Any:
    rank = outputs.shape.rank or 3
    return ops.transpose(outputs, perm=[1, 0, *range(2, rank)])


def as_mask(mask: Any, x: Any, name: str) -> Any:
    """[batch, time] as [batch, time, 1]. Raises for what is no such mask."""
    flags = convert_to_tensor(mask)
    if not flags.dtype.is_bool:
        flags = ops.not_equal(flags, ops.zeros_like(flags))
    if not flags.shape.is_compatible_with(x.shape[:2]):
        raise ShapeMismatchError(f"{name!r}: a mask is [batch, time], {x.shape[:2]}; its shape is {flags.shape}")
    if not (flags.shape.is_fully_defined() and x.shape[:2].is_fully_defined()):
        sizes = shape(flags), shape(x)[:2]
        ops.check(ops.reduce_all(ops.equal(*sizes)), sizes, message=f"{name!r}: a mask is [batch, time]; found: ")
    return ops.expand_dims(flags, axis=-1)


class LSTM(RNN):
    """A long short-term memory over sequences; see `LSTMCell` for what a step is, `RNN` for what is returned.

    Weights: `kernel` [features, 4 units], `recurrent_kernel` [units, 4 units], `bias` [4 units], gates in the order
    input, forget, cell, output. dropout: of the inputs, recurrent_dropout: of h, both in training.
    """

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: int | None = None, return_sequences: bool = False,
        return_state: bool = False, go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        cell = LSTMCell(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, unit_forget_bias, kernel_regularizer, recurrent_regularizer, bias_regularizer, dropout,
            recurrent_dropout, seed, trainable=trainable, dtype=dtype,
        )  # fmt: skip
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, False, name, trainable, dtype,
            input_shape, activity_regularizer,
        )  # fmt: skip


class GRU(RNN):
    """Gated recurrent units over sequences; see `GRUCell` for what a step is, `RNN` for what is returned.

    Weights: `kernel` [features, 3 units], `recurrent_kernel` [units, 3 units], `bias` [2, 3 units] or, without
    reset_after, [3 units]; gates in the order update, reset, candidate.
    """

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        dropout: float = 0.0, recurrent_dropout: float = 0.0,
        seed: int | None = None, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False, reset_after: bool = True,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        cell = GRUCell(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer, dropout, recurrent_dropout,
            reset_after, seed, trainable=trainable, dtype=dtype,
        )  # fmt: skip
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, False, name, trainable, dtype,
            input_shape, activity_regularizer,
        )  # fmt: skip


class SimpleRNN(RNN):
    """A plain recurrent layer over sequences; see `SimpleRNNCell` for what a step is, `RNN` for what is returned."""

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False, seed: int | None = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        cell = SimpleRNNCell(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, dropout, recurrent_dropout, seed,
            trainable=trainable, dtype=dtype,
        )  # fmt: skip
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, False, name, trainable, dtype,
            input_shape, activity_regularizer,
        )  # fmt: skip
