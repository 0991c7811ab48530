"""`ShardedStrategy`: programs over a fixed number of shards, computed in this process, or by the workers of Dask.

    strategy = ShardedStrategy(shards=8)
    losses = strategy.run(loss_of, args=(strategy.split((x, y)),))      # one value for each shard
    strategy.reduce("SUM", losses, axis=None)

The number of shards belongs to the program, that of workers does not: results have the same bits for any of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from runtime.distribute.batches import Batches
from runtime.distribute.sending import Later, Sending, Sharded, added, spec_of
from runtime.distribute.shards import Here, PerReplica, Workers, per_shard, split, tree
from runtime.distribute.strategies import ReduceOp
from runtime.distribute.training import ShardedTraining, Turns
from runtime.dtypes import float64, from_numpy
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.exits.dask.sent import Sent
from runtime.function.concrete import ConcreteFunction
from runtime.library import nest
from runtime.library.data import Dataset
from runtime.library.data.dask_collections import dask_arrays, row_blocks
from runtime.library.layers.callbacks import History
from runtime.library.layers.fitting import Data
from runtime.ops.arrays.join import concat
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["ShardedStrategy"]


class ShardedStrategy(Sharded):
    """See the module's docstring. shards: into how many parts batches are cut; the results depend on it."""

    def __init__(self, shards: int = 8) -> None:
        if type(shards) is not int or shards < 1:
            raise ValueError(f"{type(self).__name__}: shards is a positive integer; got {shards!r}")
        self.shards = shards
        self.workers: Workers = Here()

    @property
    def num_replicas_in_sync(self) -> int:
        """The number of shards."""
        return self.shards

    def split(self, value: Any) -> Any:
        """Tensors or arrays with equally many rows, in any structure, as values that have a part in each shard."""
        return split(nest.map_structure(convert_to_tensor, value), self.shards)

    def experimental_distribute_dataset(self, dataset: Dataset[Any], options: Any = None) -> Any:
        """The batches of a dataset, each cut into shards, as an iterable."""
        super().experimental_distribute_dataset(dataset)
        return _Batches(self, dataset)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """What each shard returned."""
        return value.values if isinstance(value, PerReplica) else (value,)

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:  # fmt: skip
        """fn(*args, **kwargs) for each shard, with its part of what has parts (see `split`); the results have parts.

        Variables are read, with the values of now. Raises NotExportableError for what would write to them, print or
        draw random numbers, ValueError where nothing has parts, before anything is sent.
        """
        sending = Sending(self, "run", fn)
        given = (list(args), dict(kwargs or {}))
        counts = {len(leaf.values) for leaf in nest.flatten(given) if isinstance(leaf, PerReplica)}
        if len(counts) != 1:
            found = f"parts for {sorted(counts)} shards" if counts else "no parts"
            raise ValueError(f"run: the arguments have {found}; cut them by strategy.split, all alike")
        for number in range(counts.pop()):
            own_args, own_kwargs = per_shard(given, number)
            sending.add(own_args, own_kwargs)
        parts = zip(sending.traces, self.workers.results(sending.start()), strict=True)
        results = [packed(trace.structured_outputs, arrays) for trace, arrays in parts]
        return nest.map_structure(lambda *values: PerReplica(values), *results)

    def reduce(self, reduce_op: ReduceOp | str, value: Any, axis: int | None) -> Any:
        """The sum or mean over the shards, in a fixed order; with an axis also along that axis of each."""
        how = ReduceOp.of(reduce_op)
        return nest.map_structure(lambda leaf: _over_shards(how, _parts_of(leaf, "reduce"), axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """The parts behind each other."""
        return nest.map_structure(lambda leaf: concat([*_parts_of(leaf, "gather")], axis=axis), value)

    def map_reduce(self, map_fn: Callable[..., Any], data: Any, reduce_op: Any = "SUM") -> Any:
        """What `map_fn` gives of each part of the data, and all of that as one.

        data: dask arrays (one, or a structure of them), whose blocks of rows are the parts; or a Dataset, whose
        elements are; a tuple is the arguments. reduce_op: "SUM", "MEAN" over the parts, or a function of two results.
        Neighbours are reduced first, then what they gave: the order depends on the parts alone.

        Raises NotExportableError as `run` does, ShapeMismatchError where the parts give results of different shapes.
        """
        how = reduce_op if callable(reduce_op) else ReduceOp.of(reduce_op)
        sending = Sending(self, "map_reduce", map_fn)
        for arguments in parts_of(data):
            sending.add(arguments, {})
        if not sending.traces:
            raise InvalidArgumentError("map_reduce: there is no data")
        result = one_result(sending.traces)
        call = self.workers.call
        if callable(how):
            both = self._of_pairs(how, result)
            total = tree(sending.start(), lambda a, b: call(_reduced, both, a, b))
        else:
            total = tree(sending.start(), lambda a, b: call(added, a, b))
        found = packed(result, self.workers.results([total])[0])
        return nest.map_structure(lambda t: _share(t, len(sending.traces)), found) if how is ReduceOp.MEAN else found

    def fit(
        self, model: Any, x: Any, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        validation_data: Any = None, shuffle: bool = True, seed: int = 0, sample_weight: Any = None,
        callbacks: Any = None, checkpoint: Any = None, save_every: int | None = None,
    ) -> History:  # fmt: skip
        """Trains a compiled model as `Model.fit` does: each batch is cut into shards, whose gradients are summed.

        x, y, sample_weight: arrays or dask arrays of equally many rows, cut into batches; or x: a Dataset of batches.
        seed: of the order of rows (of dask arrays: of batches), another one in each epoch, if they are shuffled.
        checkpoint: a directory; the training goes on from the last checkpoint in it, and writes one after each epoch,
        or each `save_every` batches, of which three are kept. The History has the epochs of this call.

        The loss is a mean or a sum over rows. Raises NotExportableError for models whose training writes to Variables
        or draws random numbers (`BatchNormalization`, `Dropout`), ConnectionError for a cluster that is lost.
        """
        plan = Turns(epochs, verbose, checkpoint, save_every)
        data = Batches(x, y, sample_weight, batch_size, self.shards, seed if shuffle else None)
        parts = validation_data if isinstance(validation_data, tuple) else (validation_data,)
        validation = None if validation_data is None else Data(*parts)
        return ShardedTraining(self, model, plan).fit(data, validation, callbacks)

    def _of_pairs(self, function: Callable[..., Any], result: Any) -> tuple[Sent, list[Array]]:
        sending = Sending(self, "map_reduce", function)
        sending.add([nest.map_structure(spec_of, result)] * 2, {})
        made = sending.traces[0]
        if one_result([*sending.traces]) is None or _kinds(made.structured_outputs) != _kinds(result):
            raise ValueError(f"map_reduce: {made.header} is to return what it is given, as one of its two arguments")
        one = sending.sent[id(made)]
        return one, one.values()


class _Batches:
    """A dataset of batches, each cut into shards."""

    def __init__(self, strategy: ShardedStrategy, dataset: Dataset[Any]) -> None:
        self._strategy, self._dataset = strategy, dataset
        self.element_spec = dataset.element_spec

    def __iter__(self) -> Iterator[Any]:
        return map(self._strategy.split, self._dataset)


def parts_of(data: Any) -> Iterator[list[Any]]:
    """The arguments for each part of the data: see `map_reduce`. Raises TypeError for anything else."""
    if isinstance(data, Dataset):
        yield from ([*element] if type(element) is tuple else [element] for element in data)
        return
    leaves = dask_arrays(data)
    if not leaves:
        raise TypeError(f"map_reduce takes dask arrays, or a Dataset whose elements are the parts; got {data!r}")
    blocks, _ = row_blocks(leaves, "map_reduce")
    for rows, block in zip(leaves[0].chunks[0], blocks, strict=True):
        later = iter([Later(part, _spec_of_block(rows, leaf)) for part, leaf in zip(block, leaves, strict=True)])
        made = nest.map_structure(lambda leaf, later=later: next(later), data)
        yield [*made] if type(made) is tuple else [made]


def _spec_of_block(rows: float, leaf: Any) -> TensorSpec:
    sizes = (rows, *leaf.shape[1:])
    return TensorSpec([None if size != size else int(size) for size in sizes], from_numpy(leaf.dtype))


def one_result(traces: Sequence[ConcreteFunction]) -> Any:
    """What all traces return: tensors of the same dtypes and shapes. Raises ShapeMismatchError for different ones."""
    first, *others = [trace.structured_outputs for trace in traces]
    for other in others:
        if _kinds(other) != _kinds(first):
            found = f"{_kinds(first)} and {_kinds(other)}"
            raise ShapeMismatchError(f"map_reduce: {traces[0].header} gives results of different shapes: {found}")
    for leaf in nest.flatten(first):
        if not isinstance(leaf, SymbolicTensor) or leaf.dtype.is_bool or not leaf.dtype.is_numeric:
            raise TypeError(f"map_reduce: {traces[0].header} returns numbers in tensors; it returns {leaf!r}")
    return first


def _kinds(outputs: Any) -> str:
    return repr(nest.map_structure(spec_of, outputs))


def packed(outputs: Any, arrays: Sequence[Array]) -> Any:
    """The result of a trace, of the arrays of its outputs."""
    rest = iter(arrays)
    return nest.map_structure(
        lambda leaf: EagerTensor(next(rest)) if isinstance(leaf, SymbolicTensor) else leaf, outputs,
        expand_composites=True,
    )  # fmt: skip


def _reduced(both: tuple[Sent, list[Array]], a: Sequence[Array], b: Sequence[Array]) -> list[Array]:
    function, values = both
    return function.compute(values, [*a, *b])


def _parts_of(leaf: Any, what: str) -> tuple[Any, ...]:
    if not isinstance(leaf, PerReplica):
        raise TypeError(f"{what} takes what run gave, which has a value for each shard; got {leaf!r}")
    return leaf.values


def _over_shards(how: ReduceOp, parts: Sequence[Any], axis: int | None) -> Any:
    tensors = [convert_to_tensor(part) for part in parts]
    count = len(tensors)
    if axis is not None:
        count = sum(int(tensor.shape[axis]) for tensor in tensors)
        tensors = [ops.reduce_sum(tensor, axis=axis) for tensor in tensors]
    total = tree(tensors, lambda a, b: a + b)
    return _share(total, count) if how is ReduceOp.MEAN else total


def _share(total: Any, count: int) -> Any:
    exact = total if total.dtype.is_floating or total.dtype.is_complex else ops.cast(total, float64)
    return exact / count
