"""Iterators over datasets in checkpoints: they go on with the element that comes next, or to save them is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from tests.runtime.saving.objects_to_save import Net

Dataset = tf.data.Dataset


def files(tmp_path: Path) -> Any:
    for name in "ab":
        (tmp_path / name).write_text("".join(f"{name}{i}\n" for i in range(6)))
    return tf.data.TextLineDataset([str(tmp_path / "a"), str(tmp_path / "b")])


PIPELINES = {
    "slices": lambda path: Dataset.from_tensor_slices({"x": np.arange(12.0), "y": np.arange(12)}),
    "batches": lambda path: Dataset.range(30).batch(3),
    "map and filter": lambda path: Dataset.range(30).map(lambda x: x * x).filter(lambda x: x % 3 != 1),
    "parallel": lambda path: Dataset.range(30).map(lambda x: x + 1, num_parallel_calls=3).prefetch(2),
    "repeat": lambda path: Dataset.range(5).repeat(),
    "zip": lambda path: Dataset.zip((Dataset.range(12), Dataset.range(100, 112))),
    "concatenate": lambda path: Dataset.range(4).concatenate(Dataset.range(10, 18)),
    "windows": lambda path: Dataset.range(16).window(3, shift=1).flat_map(lambda w: w.batch(3)),
    "interleave": lambda path: Dataset.range(4).interleave(lambda x: Dataset.range(x, x + 4), cycle_length=2),
    "scan": lambda path: Dataset.range(12).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * 2)),
    "cache": lambda path: Dataset.range(12).cache().repeat(2),
    "a fixed shuffle": lambda path: Dataset.range(12).shuffle(5, seed=3, reshuffle_each_iteration=False).repeat(2),
    "lines": files,
    "take while": lambda path: Dataset.range(40).take_while(lambda x: x < 12),
}


def taken(iterator: Any, count: int) -> list[Any]:
    return [tf.nest.map_structure(lambda t: np.asarray(t).tolist(), next(iterator)) for _ in range(count)]


@pytest.mark.parametrize("kind", PIPELINES)
def test_an_iterator_goes_on_where_it_was(tmp_path: Path, kind: str) -> None:
    make = PIPELINES[kind]
    iterator = iter(make(tmp_path))
    taken(iterator, 5)
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    path = checkpoint.save(tmp_path / "c")
    expected = taken(iterator, 4)
    for _ in range(2):
        checkpoint.restore(path).assert_consumed()
        assert taken(iterator, 4) == expected
    other = iter(make(tmp_path))
    tf.train.Checkpoint(iterator=other).restore(path).assert_consumed()
    assert taken(other, 4) == expected


def test_beginning_and_end(tmp_path: Path) -> None:
    iterator = iter(Dataset.range(3))
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    start = checkpoint.save(tmp_path / "c")
    assert iterator.has_next()  # looks at an element, which stays the next one
    looked = checkpoint.save(tmp_path / "c")
    assert [int(x) for x in iterator] == [0, 1, 2]
    end = checkpoint.save(tmp_path / "c")
    for path, rest in ((start, [0, 1, 2]), (end, []), (looked, [0, 1, 2]), (end, [])):
        checkpoint.restore(path).assert_consumed()
        assert [int(x) for x in iterator] == rest


def test_a_function_that_takes_elements_goes_on_without_another_trace(tmp_path: Path) -> None:
    iterator = iter(Dataset.range(100))

    @tf.function
    def two(iterator: Any) -> Any:
        return next(iterator) + next(iterator)

    checkpoint = tf.train.Checkpoint(parts=[Net(iterator=iterator)])
    two(iterator)
    path = checkpoint.save(tmp_path / "c")
    assert [int(two(iterator)) for _ in range(2)] == [5, 9]
    checkpoint.restore(path).assert_consumed()
    assert [int(two(iterator)) for _ in range(2)] == [5, 9]
    assert two.experimental_get_tracing_count() == 1


def test_an_iterator_may_come_after_the_restore(tmp_path: Path) -> None:
    iterator = iter(Dataset.range(9))
    taken(iterator, 4)
    path = tf.train.Checkpoint(Net(iterator=iterator)).write(tmp_path / "c")
    net = Net()
    status = tf.train.Checkpoint(net).restore(path)
    net.iterator = iter(Dataset.range(9))
    assert int(next(net.iterator)) == 4
    status.assert_consumed()


UNSOUND = {
    "shuffle": lambda path: Dataset.range(9).shuffle(4),
    "a seed, but another order in each pass": lambda path: Dataset.range(9).shuffle(4, seed=1),
    "generator": lambda path: Dataset.from_generator(lambda: iter(range(9)), tf.int64),
    "random": lambda path: Dataset.random(seed=1),
    "random in a map": lambda path: Dataset.range(9).map(lambda x: tf.random.uniform([])),
    "random in a flat_map": lambda path: Dataset.range(9).flat_map(lambda x: Dataset.random(seed=1).take(2)),
    "python": lambda path: Dataset.range(9).map(lambda x: tf.py_function(lambda x: x, [x], tf.int64)),
    "a cache in a file": lambda path: Dataset.range(9).cache(str(path / "cache")),
    "below other steps": lambda path: Dataset.zip((Dataset.range(9), Dataset.range(9).shuffle(4))).batch(2).prefetch(1),
}


@pytest.mark.parametrize("kind", UNSOUND)
def test_what_may_give_other_elements_in_each_pass_is_refused(tmp_path: Path, kind: str) -> None:
    iterator = iter(UNSOUND[kind](tmp_path))
    next(iterator)
    checkpoint = tf.train.Checkpoint(net=Net(it=iterator), v=tf.Variable(1))
    with pytest.raises(InvalidArgumentError, match="the iterator 'net/it' cannot be saved: the place of an "):
        checkpoint.save(tmp_path / "c")
    assert not list(tmp_path.glob("c*data*"))


def test_a_place_that_there_is_not_is_told_before_anything_changes(tmp_path: Path) -> None:
    iterator, v = iter(Dataset.range(9)), tf.Variable(1)
    taken(iterator, 5)
    path = tf.train.Checkpoint(iterator=iterator, v=v).write(tmp_path / "c")
    other, w = iter(Dataset.range(3)), tf.Variable(7)
    next(other)
    with pytest.raises(InvalidArgumentError, match="an iterator was saved after 5 elements; its dataset has only 3"):
        tf.train.Checkpoint(iterator=other, v=w).read(path)
    assert (int(next(other)), int(w)) == (1, 7)
    shuffled = iter(Dataset.range(9).shuffle(3))
    with pytest.raises(InvalidArgumentError, match="the place of an iterator is only known"):
        tf.train.Checkpoint(iterator=shuffled, v=w).read(path)
    assert int(w) == 7


def test_iterators_and_variables_do_not_take_each_others_values(tmp_path: Path) -> None:
    iterator, v = iter(Dataset.range(9)), tf.Variable(3, dtype=tf.int64)
    next(iterator)
    path = tf.train.Checkpoint(x=iterator, y=v).write(tmp_path / "c")
    status = tf.train.Checkpoint(x=v, y=iterator).read(path)
    with pytest.raises(AssertionError, match="no values for these objects, which keep theirs: 'x', 'y'; .*: 'x', 'y'"):
        status.assert_consumed()
    assert (int(v), int(next(iterator))) == (3, 1)
    with pytest.raises(DtypeMismatchError):
        tf.train.Checkpoint(y=tf.Variable(3, dtype=tf.int32)).read(path)
