"""The programs of the tf.function guide that use datasets, with nothing changed but the import."""

from __future__ import annotations

import re
from typing import Any

import runtime as tf


def measure_graph_size(f: Any, *args: Any) -> None:
    g = f.get_concrete_function(*args).graph
    print(
        "{}({}) contains {} nodes in its graph".format(
            f.__name__, ", ".join(map(str, args)), len(g.as_graph_def().node)
        )
    )


@tf.function
def train(dataset: Any) -> Any:
    loss = tf.constant(0)
    for x, y in dataset:
        loss += tf.abs(y - x)  # Some dummy computation.
    return loss


def test_loops_over_python_data_and_over_datasets(capsys: Any) -> None:
    small_data = [(1, 1)] * 3
    big_data = [(1, 1)] * 10
    measure_graph_size(train, small_data)
    measure_graph_size(train, big_data)
    measure_graph_size(train, tf.data.Dataset.from_generator(lambda: small_data, (tf.int32, tf.int32)))
    measure_graph_size(train, tf.data.Dataset.from_generator(lambda: big_data, (tf.int32, tf.int32)))
    lines = capsys.readouterr().out.splitlines()
    sizes = [int(re.search(r"contains (\d+) nodes", line)[1]) for line in lines]  # type: ignore[index]
    assert sizes[0] < sizes[1], "a Python list is unrolled"
    assert sizes[2] == sizes[3] <= 6, "a dataset is not: the guide has 6 nodes"
    assert lines[2] == (
        "train(<FlatMapDataset element_spec=(TensorSpec(shape=<unknown>, dtype=tf.int32, name=None),"
        f" TensorSpec(shape=<unknown>, dtype=tf.int32, name=None))>) contains {sizes[2]} nodes in its graph"
    )


def test_an_iterator_is_consumed_call_by_call(capfd: Any) -> None:
    @tf.function
    def good_consume_next(iterator: Any) -> None:
        # This is ok, iterator is a tf.data.Iterator
        tf.print("Value:", next(iterator))

    ds = tf.data.Dataset.from_tensor_slices([1, 2, 3])
    iterator = iter(ds)
    good_consume_next(iterator)
    good_consume_next(iterator)
    good_consume_next(iterator)
    assert capfd.readouterr().err.split("\n") == ["Value: 1", "Value: 2", "Value: 3", ""]
    assert isinstance(iterator, tf.data.Iterator)
