"""What `ShardedStrategy.fit` does: each batch cut into shards, their gradients summed in a fixed order, one step here.

    strategy.fit(model, x, y, epochs=3, checkpoint="training")

The model, its Variables and its optimizer are here; workers get the graph of a shard's loss and gradients, and for each
batch the values of the Variables. So nothing is lost with a worker, and with this process only what came after the last
checkpoint.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.autodiff.tape import GradientTape
from runtime.checkpoint.checkpoint import Checkpoint
from runtime.checkpoint.manager import CheckpointManager
from runtime.distribute.batches import Batches, Shards
from runtime.distribute.sending import Sending, Sharded, added
from runtime.distribute.shards import tree
from runtime.dtypes import int64
from runtime.errors import InvalidArgumentError
from runtime.exits.dask.sent import Sent
from runtime.function.decorator import function
from runtime.library import nest
from runtime.library.layers.callbacks import CallbackList, History
from runtime.library.layers.fitting import Data, Training
from runtime.library.layers.outputs import plus
from runtime.library.losses import Loss
from runtime.library.optimizers.optimizer import dense
from runtime.ops.arrays.shape import cast
from runtime.ops.records.record import Array
from runtime.ops.reductions.reduce import reduce_mean
from runtime.state.calling import call_users
from runtime.state.variable import Variable
from runtime.tensor.eager import EagerTensor

__all__ = ["ShardedTraining", "Turns"]


@dataclass(frozen=True)
class Turns:
    """How often the training goes over the data, and when it is saved. every: batches, None for epochs."""

    epochs: int
    verbose: Any
    checkpoint: str | os.PathLike[str] | None
    every: int | None


class ShardedTraining:
    """The training of one model. Raises ValueError for a loss whose shards have no sum."""

    def __init__(self, strategy: Sharded, model: Any, turns: Turns) -> None:
        self._strategy, self._model, self._turns = strategy, model, turns
        self._training: Training = model._compiled()
        _check_loss(self._training.loss)
        self._sending = Sending(strategy, "fit", self._shard)
        self._used: list[bool] = []
        self._apply, self._note = function(self._apply_gradients), function(self._note_batch)
        self._epoch, self._batch = (Variable(0, dtype=int64, trainable=False, name=n) for n in ("epoch", "batch"))
        self._manager: CheckpointManager | None = None
        if turns.checkpoint is not None:
            metrics = [self._training.mean, *self._training.metrics]
            saved = Checkpoint(model=model, metrics=metrics, position=[self._epoch, self._batch])
            self._manager = CheckpointManager(saved, turns.checkpoint, max_to_keep=3)

    # -- what a worker computes --------------------------------------------------------------------------------------

    def _shard(self, x: Any, y: Any, weights: Any, share: Any) -> Any:
        """What is summed: the loss of a shard, as its share of the batch, and its gradients; and what metrics need."""
        training = self._training
        with GradientTape() as tape:
            predicted = training.predicted(x)
            loss = training.loss_of(y, predicted, weights)
            if not isinstance(training.loss, Loss):
                if loss.shape.rank == 0:
                    raise ValueError("fit: a function that is the loss returns a number for each row; it returned one")
                loss = reduce_mean(loss)
            if getattr(training.loss, "reduction", None) != "sum":
                loss = loss * cast(share, loss.dtype)
            loss = plus(loss, [term * cast(share, term.dtype) for term in self._model.losses])
        variables = self._model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self._used = [gradient is not None for gradient in gradients]
        found = [dense(g, v) for g, v in zip(gradients, variables, strict=True) if g is not None]
        return [loss, *found], [predicted, y, weights] if training.metrics else []

    def _apply_gradients(self, gradients: Any) -> None:
        found = iter(gradients)
        pairs = [(next(found) if used else None, v) for used, v in self._pairs()]
        self._training.optimizer.apply_gradients(pairs)

    def _pairs(self) -> list[tuple[bool, Any]]:
        return list(zip(self._used, self._model.trainable_variables, strict=True))

    def _note_batch(self, loss: Any, rows: Any, predicted: Any = None, y: Any = None, weights: Any = None) -> None:
        training = self._training
        training.mean.update_state(loss, sample_weight=rows)
        for metric in training.metrics:
            call_users(metric.update_state, y, predicted, sample_weight=weights)

    # -- one batch ---------------------------------------------------------------------------------------------------

    def _step(self, shards: Shards) -> None:
        sizes = [_rows(shard) for shard in shards]
        self._sending.drop()
        for shard, size in zip(shards, sizes, strict=True):
            self._sending.add([*shard, EagerTensor(np.asarray(size / sum(sizes)))], {})
        result = self._sending.traces[0].structured_outputs
        count, workers = len(result[0]), self._strategy.workers
        standing = self._sending.start(functools.partial(_parts, count))
        total = tree(standing, functools.partial(workers.call, _added))
        sums, rest = workers.results([total])[0]
        self._apply([EagerTensor(array) for array in sums[1:]])
        self._note(EagerTensor(sums[0]), EagerTensor(np.asarray(sum(sizes))), *_together(result[1], rest))

    # -- all of them -------------------------------------------------------------------------------------------------

    def fit(self, data: Batches, validation: Data | None, callbacks: Any) -> History:
        """Trains the model; goes on from the last checkpoint, if there is one."""
        training, model, history, turns = self._training, self._model, History(), self._turns
        self._go_on()
        told = CallbackList(callbacks, model, {"epochs": turns.epochs, "steps": None, "verbose": turns.verbose})
        model.history, model.stop_training = history, False
        told.call("on_train_begin", {})
        found: dict[str, float] = {}
        for epoch in range(int(self._epoch), turns.epochs):
            told.call("on_epoch_begin", epoch, {})
            self._one_epoch(epoch, data, told)
            found = training.numbers()
            if validation is not None:
                found |= {f"val_{name}": value for name, value in training.evaluate(validation).items()}
            self._epoch.assign(epoch + 1)
            self._batch.assign(0)
            self._save()
            told.end_epoch(epoch, found, history)
            if model.stop_training:
                break
        told.call("on_train_end", found)
        return history

    def _go_on(self) -> None:
        """Takes what the last checkpoint has, also for slots of the optimizer that the first step makes."""
        if self._manager is None or self._manager.latest_checkpoint is None:
            return
        status = self._manager.checkpoint.restore(self._manager.latest_checkpoint)
        if int(self._epoch) >= self._turns.epochs:
            status.expect_partial()  # there is no step any more

    def _one_epoch(self, epoch: int, data: Batches, told: CallbackList) -> None:
        done = int(self._batch)
        if not done:
            self._training.reset()
        for number, shards in enumerate(data.epoch(epoch)):
            if number < done:
                continue
            told.call("on_train_batch_begin", number, {})
            try:
                self._step(shards)
            except ConnectionError as problem:
                raise ConnectionError(f"fit: {self._place(epoch, number)}: {problem}; {self._remedy()}") from problem
            self._batch.assign(number + 1)
            if self._turns.every and not (number + 1) % self._turns.every:
                self._save()
            if told.callbacks:
                told.call("on_train_batch_end", number, self._training.numbers())
                if self._model.stop_training:
                    break

    def _save(self) -> None:
        if self._manager is None or not self._strategy.workers.writes:
            return
        try:
            self._manager.save()
        except InvalidArgumentError as problem:
            place = self._place(int(self._epoch), int(self._batch))
            raise InvalidArgumentError(f"fit: the checkpoint before {place}: {problem}; {self._remedy()}") from None

    def _place(self, epoch: int, batch: int) -> str:
        return f"batch {batch} of epoch {epoch}"

    def _remedy(self) -> str:
        if self._manager is None:
            return "there are no checkpoints: fit(..., checkpoint=directory) writes some"
        last = self._manager.latest_checkpoint
        return f"the last good checkpoint is {last}: the same call goes on from it" if last else "there is none yet"


def _check_loss(loss: Any) -> None:
    if isinstance(loss, list):
        raise ValueError(f"fit: models of one output are trained over shards; this one has {len(loss)} losses")
    if isinstance(loss, Loss) and loss.reduction in (None, "none"):
        raise ValueError("fit: the loss is not reduced; give it reduction='sum_over_batch_size' or 'sum'")


def _rows(shard: Sequence[Any]) -> int:
    leaf = nest.flatten(shard[0])[0]
    return int(getattr(leaf, "spec", leaf).shape[0])


def _parts(count: int, one: Sent, values: Sequence[Array], arrays: Sequence[Array]) -> tuple[list[Array], list[Any]]:
    """The outputs of a shard: those that are summed, and, as one of a list, the others."""
    outputs = one.compute(values, arrays)
    return outputs[:count], [outputs[count:]]


def _added(a: tuple[list[Array], list[Any]], b: tuple[list[Array], list[Any]]) -> tuple[list[Array], list[Any]]:
    return added(a[0], b[0]), a[1] + b[1]


def _together(outputs: Any, rest: Sequence[Sequence[Array]]) -> Any:
    """The other outputs of all shards, one behind the other, in their structure."""
    columns = iter(zip(*rest, strict=True))
    return nest.map_structure(
        lambda leaf: None if leaf is None else EagerTensor(np.concatenate(next(columns))), outputs
    )
