"""Programs over single names of the guides on data, texts, random numbers, functions, tapes and training."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

X: Final = np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3)
Y: Final = (X[:, :1] > 0).astype(np.float32)


def _first(dataset: Any, count: int) -> Any:
    return [int(x) for x in itertools.islice(dataset, count)]


def _resampled(m: Any) -> Any:
    """The share of ones among those that are left, near to what is wanted."""
    data = m.data.Dataset.range(4000).map(lambda x: m.cast(x % 10 == 0, m.int32))
    left = data.rejection_resample(lambda x: x, target_dist=[0.5, 0.5], initial_dist=[0.9, 0.1], seed=3)
    found = [int(label) for _, label in left]
    return 0.35 < np.mean(found) < 0.65


def _printing_and_raising(m: Any) -> Any:
    def failing(x: Any) -> Any:
        print("", end="")
        raise ValueError("no")

    return list(m.data.Dataset.range(3).map(failing))


def _independent(m: Any) -> Any:
    """Draws of a generator, and those of the stateless functions for seeds that look like its state."""
    generator = m.random.Generator.from_seed(1)
    drawn = [generator.normal([4]).numpy() for _ in range(4)]
    stateless = [m.random.stateless_normal([4], seed=[1, i]).numpy() for i in range(4)]
    return any(np.array_equal(a, b) for a in drawn for b in stateless)


def _global(m: Any) -> Any:
    m.random.set_global_generator(m.random.Generator.from_seed(5))
    first = m.random.get_global_generator().normal([2]).numpy()
    second = m.random.Generator.from_seed(5).normal([2]).numpy()
    return np.array_equal(first, second)


def _traced_once(m: Any) -> Any:
    """A trace for any shape serves calls of all shapes."""
    shapes = []

    @m.function  # type: ignore[untyped-decorator]
    def twice(x: Any) -> Any:
        shapes.append(str(x.shape))
        return x * 2

    twice.get_concrete_function(m.TensorSpec(None, m.float32))
    return [twice(m.constant([1.0, 2.0])), twice(m.constant(3.0)), len(shapes)]


def _alias(m: Any) -> Any:
    v = m.Variable(2.0)
    with m.GradientTape() as tape:
        y = v
    return tape.gradient(y, v)


def _trained(m: Any, **options: Any) -> Any:
    k = m.keras
    model = k.Sequential([k.Input(shape=(3,)), k.layers.Dense(4, activation="tanh"), k.layers.Dense(1)])
    model.set_weights([np.cos(np.arange(w.size)).reshape(w.shape) / 2 for w in model.get_weights()])
    model.compile(k.optimizers.SGD(0.1), "mse")
    history = model.fit(verbose=0, shuffle=False, **options)
    return model, [float(v) for v in history.history["loss"]]


def _data(m: Any) -> Any:
    return m.data.Dataset.from_tensor_slices((X, Y)).batch(2).repeat()


def _stopped(m: Any) -> Any:
    stop = m.keras.callbacks.EarlyStopping(monitor="loss", patience=1, min_delta=10.0)
    _, losses = _trained(m, x=X, y=Y, epochs=9, callbacks=[stop])
    return len(losses)


def _told(m: Any) -> Any:
    """The moments that a LambdaCallback is told of."""
    seen: list[str] = []
    callback = m.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: seen.append(f"begin {epoch}"),
        on_epoch_end=lambda epoch, logs: seen.append(f"end {epoch} {sorted(logs)}"),
        on_train_end=lambda logs: seen.append("done"),
    )
    _trained(m, x=X, y=Y, epochs=2, callbacks=[callback])
    return seen


def _kept(m: Any) -> Any:
    """Weights that a ModelCheckpoint and save_weights have written."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "of.weights.h5")
        keep = m.keras.callbacks.ModelCheckpoint(path, save_weights_only=True)
        model, _ = _trained(m, x=X, y=Y, epochs=2, callbacks=[keep])
        wanted = model.get_weights()
        model.set_weights([w * 0 for w in wanted])
        model.load_weights(path)
        same = all(np.array_equal(a, b) for a, b in zip(model.get_weights(), wanted, strict=True))
        model.save_weights(os.path.join(folder, "again.weights.h5"))
        return [same, os.path.exists(os.path.join(folder, "again.weights.h5"))]


def _batched(m: Any) -> Any:
    """A class whose values stand together, with a shape among its fields."""
    base = m.experimental.BatchableExtensionType
    fields = {"values": m.Tensor, "shape": m.TensorShape}
    kind = type(base)("Sized", (base,), {"__annotations__": fields, "__module__": __name__})
    data = m.data.Dataset.from_tensor_slices(kind(m.ones([3, 2]), m.TensorShape([3, 2])))
    return [data.element_spec.shape.as_list(), next(iter(data.batch(2))).values]


def _graphs(m: Any) -> Any:
    """Whether graphs are written, and that they are once."""
    with tempfile.TemporaryDirectory() as folder:
        writer = m.summary.create_file_writer(folder)
        m.summary.trace_on(graph=True)
        m.function(lambda x: x * 2)(m.constant(1.0))
        with writer.as_default():
            m.summary.trace_export("model", step=0)
        writer.close()
        sizes = [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)]
        m.summary.trace_on()
        m.summary.trace_off()
        return [len(sizes), min(sizes) > 50]


def _options(m: Any) -> Any:
    optimizer = m.config.optimizer
    before = optimizer.get_experimental_options()
    optimizer.set_experimental_options({"constant_folding": False, "loop_optimization": False})
    found = {name: optimizer.get_experimental_options()[name] for name in ("constant_folding", "loop_optimization")}
    value = m.function(lambda x: x + m.constant(2.0) * 3.0)(m.constant(1.0))
    optimizer.set_experimental_options({"constant_folding": True, "loop_optimization": True})
    return [before["disable_meta_optimizer"], found, value, optimizer.get_experimental_options()["constant_folding"]]


DATA: Final[dict[str, Program]] = {
    "data.experimental.Counter": lambda m: _first(m.data.experimental.Counter(start=3, step=2), 4),
    "Dataset.counter": lambda m: _first(m.data.Dataset.counter(), 3),
    "Dataset.rejection_resample": _resampled,
    "Iterator.next": lambda m: iter(m.data.Dataset.range(3, 5)).next(),
    "Iterator.get_next": lambda m: iter(m.data.Dataset.range(3, 5)).get_next(),
    "Iterator.next at the end": lambda m: iter(m.data.Dataset.range(0)).next(),
    "value_type": lambda m: [
        m.TensorSpec([2]).value_type.__name__, m.RaggedTensorSpec([None, None]).value_type.__name__,
    ],
    "a list from Dataset.map": lambda m: [
        type(x).__name__ for x in m.data.Dataset.range(2).map(lambda x: [x, x + 1]).element_spec
    ],
    "a map that prints and raises": _printing_and_raising,
    "BatchableExtensionType with a shape": _batched,
}  # fmt: skip

def _ragged_shape(m: Any) -> Any:
    shape = m.shape(m.ragged.constant([[1], [2, 3], []]))
    return [
        str(shape), shape.rank, shape.num_row_partitions, int(shape[0]), shape.is_uniform(0), shape.is_uniform(1),
        shape.static_lengths(), int(shape.inner_rank), int(shape.inner_shape[0]),
    ]  # fmt: skip


OTHERS: Final[dict[str, Program]] = {
    "strings.to_hash_bucket_fast": lambda m: m.strings.to_hash_bucket_fast(["a", "bc", ""], 100),
    "strings.to_hash_bucket_strong": lambda m: m.strings.to_hash_bucket_strong(["a", "bc", ""], 100, [1, 2]),
    "strings.to_hash_bucket": lambda m: m.strings.to_hash_bucket(["a", "bc"], 1),
    "strings.as_string": lambda m: [
        m.strings.as_string([1.5, 2.0], precision=2), m.strings.as_string([True, False]), m.strings.as_string([7, -8]),
    ],
    "random.get_global_generator": _global,
    "Generator.from_seed and stateless draws": _independent,
    "type_spec_from_value": lambda m: [
        m.type_spec_from_value(m.ones([2, 3])).shape.as_list(), m.type_spec_from_value(m.ones([])).dtype.name,
        m.type_spec_from_value(m.ragged.constant([[1], [2, 3]])).shape.as_list(),
    ],
    "ConcreteFunction.function_type": lambda m: list(
        m.function(lambda x: x).get_concrete_function(m.TensorSpec([2])).function_type.parameters
    ),
    "get_concrete_function of any shape": _traced_once,
    "a tape and a Variable that is another name": _alias,
    "reduce_mean of no integers": lambda m: m.reduce_mean(m.constant([], m.float32)),
    "shape of a RaggedTensor": _ragged_shape,
    "shape of a RaggedTensor of matrices": lambda m: str(m.shape(m.ragged.constant([[[1, 2]], []], ragged_rank=1))),
    "shape of a RaggedTensor: a ragged axis": lambda m: m.shape(m.ragged.constant([[1], [2, 3]]))[1],
    "shape of a RaggedTensor in a function": lambda m: m.function(lambda r: m.shape(r)[0])(
        m.ragged.constant([[1], []])
    ),
    "DynamicRaggedShape.from_lengths": lambda m: str(m.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 3])),
    "DynamicRaggedShape.from_lengths that do not fit": lambda m: m.experimental.DynamicRaggedShape.from_lengths(
        [3, (1, 2)]
    ),
    "DynamicRaggedShape.from_tensor": lambda m: str(
        m.experimental.DynamicRaggedShape.from_tensor(m.ragged.constant([[[1], []], []]))
    ),
    "config.optimizer": _options,
    "summary.trace_on, trace_export, trace_off": _graphs,
    "summary.trace_export without trace_on": lambda m: m.summary.trace_export("model", step=0),
}  # fmt: skip


TRAINING: Final[dict[str, Program]] = {
    "kernel_initializer=random.normal": lambda m: list(
        m.keras.layers.Dense(3, kernel_initializer=m.random.normal)(m.constant(X)).shape
    ),
    "steps_per_epoch": lambda m: _trained(m, x=_data(m), epochs=2, steps_per_epoch=3)[1],
    "validation_steps": lambda m: _trained(
        m, x=_data(m), epochs=1, steps_per_epoch=2, validation_data=_data(m), validation_steps=2
    )[1],
    "evaluate with steps": lambda m: float(_trained(m, x=X, y=Y, epochs=1)[0].evaluate(_data(m), steps=2, verbose=0)),
    "predict with steps": lambda m: list(
        _trained(m, x=X, y=Y, epochs=1)[0].predict(_data(m), steps=3, verbose=0).shape
    ),
    "EarlyStopping": _stopped,
    "LambdaCallback": _told,
    "ModelCheckpoint, save_weights, load_weights": _kept,
    "History": lambda m: len(_trained(m, x=X, y=Y, epochs=2, callbacks=[m.keras.callbacks.History()])[1]),
}  # fmt: skip

PROGRAMS: Final[dict[str, Program]] = {**DATA, **OTHERS, **TRAINING}
