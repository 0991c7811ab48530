"""Datasets: the time of one small element or record on its way through a pipeline, beside the same in plain Python.

Where a function has a form for blocks, blocks of elements go through it; the promise is a microsecond for an element
then, and ten where elements go one by one.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import runtime as tf
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]

FEATURES = {
    "id": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([], tf.string),
    "scores": tf.io.FixedLenFeature([8], tf.float32),
}

SIZE = 100_000
TOGETHER, SINGLE = 1e-6, 1e-5
"""Seconds for an element."""


def consume(dataset: Any) -> None:
    for _ in dataset:
        pass


def plain_batches(n: int) -> None:
    """Map and batch of numbers, element by element, in Python and numpy."""
    batch: list[int] = []
    for x in range(n):
        batch.append(x * 2 + 1)
        if len(batch) == 100:
            np.array(batch)
            batch = []


def pipelines(n: int) -> dict[str, tuple[Any, float]]:
    """Pipelines of n elements, and what an element may take."""
    numbers = tf.data.Dataset.range(n)
    factor = tf.Variable(2, dtype=tf.int64)
    lengths = tf.data.Dataset.from_tensor_slices(np.ones((n, 4), np.float32))
    generated = tf.data.Dataset.from_generator(lambda: range(n), output_signature=tf.TensorSpec([], tf.int64))
    return {
        "range, map, batch of 100": (numbers.map(lambda x: x * 2 + 1).batch(100), TOGETHER),
        "range, map with an if, batch of 100": (numbers.map(lambda x: x * 2 if x % 2 == 0 else x).batch(100), TOGETHER),
        "range, filter, shuffle(1000), batch of 100": (
            numbers.filter(lambda x: x > 9).shuffle(1000).batch(100),
            TOGETHER,
        ),
        "range, map that reads a Variable, batch of 100": (numbers.map(lambda x: x * factor).batch(100), SINGLE),
        "rows of 4, map with a sum of floats, batch of 100": (
            lengths.map(lambda x: tf.reduce_sum(x)).batch(100),
            SINGLE,
        ),
        "Python generator, map, batch of 100": (generated.map(lambda x: x * 2 + 1).batch(100), SINGLE),
        "range, map, for over single elements": (numbers.map(lambda x: x * 2 + 1), SINGLE),
    }


def record(i: int) -> bytes:
    """An Example with three features."""
    example = tf.train.Example()
    example.features.feature["id"].int64_list.value.append(i)
    example.features.feature["name"].bytes_list.value.append(b"number %d" % i)
    example.features.feature["scores"].float_list.value.extend([i / 2] * 8)
    return example.SerializeToString()


def file_pipelines(path: str) -> dict[str, Any]:
    """Pipelines over the records of a file."""
    records = tf.data.TFRecordDataset(path)
    return {
        "TFRecord file": records,
        "TFRecord file, parse_single_example of 3 features, batch of 100": records.map(
            lambda text: tf.io.parse_single_example(text, FEATURES)
        ).batch(100),
        "TFRecord file, batch of 100, parse_example of 3 features": records.batch(100).map(
            lambda texts: tf.io.parse_example(texts, FEATURES)
        ),
    }


@tf.function
def total(dataset):
    s = tf.constant(0, tf.int64)
    for x in dataset:
        s += x
    return s


def rows(scale: Scale) -> Iterator[Row]:
    n = scale.of(SIZE, least=200)
    baseline = _seconds(lambda: plain_batches(n), scale) / n
    for name, (dataset, target) in pipelines(n).items():
        seconds = _seconds(lambda dataset=dataset: consume(dataset), scale) / n
        yield Row(f"an element: {name}", seconds, "s", target, baseline, "map and batch in plain Python")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "records.tfrecord")
        with tf.io.TFRecordWriter(path) as writer:
            for i in range(n):
                writer.write(record(i % 1000))
        for name, dataset in file_pipelines(path).items():
            seconds = _seconds(lambda dataset=dataset: consume(dataset), scale) / n
            yield Row(f"a record: {name}", seconds, "s")
    numbers = tf.data.Dataset.range(n)
    seconds = _seconds(lambda: total(numbers), scale) / n
    yield Row("an element: `for` in a Function that adds them", seconds, "s", SINGLE)


def _seconds(action: Callable[[], object], scale: Scale) -> float:
    return best_of_each([action], min(scale.repeats, 5), clock=time.process_time)[0]
