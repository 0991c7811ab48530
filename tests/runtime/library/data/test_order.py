"""Steps that choose and order elements, and keep them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import runtime as tf
from runtime.library.data import Dataset
from tests.runtime.library.data.comparing import elements


def unsteady(n: int) -> Dataset:
    """As Dataset.range, element by element."""
    return Dataset.from_generator(lambda: range(n), output_signature=tf.TensorSpec([], tf.int64))


SOURCES = pytest.mark.parametrize("source", [Dataset.range, unsteady])


@SOURCES
@pytest.mark.parametrize("count", [-1, 0, 1, 5, 9])
def test_take_skip_repeat(source: Any, count: int) -> None:
    items = list(range(5))
    assert elements(source(5).take(count)) == (items if count < 0 else items[:count])
    assert elements(source(5).skip(count)) == ([] if count < 0 else items[count:])
    if count >= 0:
        assert elements(source(5).repeat(count)) == items * count


def test_repeat_without_end() -> None:
    assert elements(Dataset.range(3).repeat().take(8)) == [0, 1, 2, 0, 1, 2, 0, 1]
    assert elements(Dataset.range(3).take(0).repeat()) == []
    assert int(Dataset.range(3).repeat().cardinality()) == tf.data.INFINITE_CARDINALITY


def test_concatenate_zip_shard() -> None:
    assert elements(Dataset.range(2).concatenate(Dataset.range(3))) == [0, 1, 0, 1, 2]
    assert elements(Dataset.zip(Dataset.range(2), Dataset.range(3))) == [(0, 0), (1, 1)]
    assert elements(Dataset.zip({"a": Dataset.range(2)})) == [{"a": 0}, {"a": 1}]
    assert [elements(Dataset.range(10).shard(3, i)) for i in range(3)] == [[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]]
    assert [len(Dataset.range(10).shard(3, i)) for i in range(3)] == [4, 3, 3]
    with pytest.raises(TypeError, match="different types"):
        Dataset.range(2).concatenate(Dataset.from_tensor_slices([1.5]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="less than num_shards"):
        Dataset.range(2).shard(2, 2)


@SOURCES
@pytest.mark.parametrize(("n", "size"), [(10, 1), (10, 4), (10, 100), (300, 50), (0, 3)])
def test_shuffle_draws_out_of_a_buffer(source: Any, n: int, size: int) -> None:
    found = elements(source(n).shuffle(size, seed=1))
    assert sorted(found) == list(range(n))
    assert all(x < i + size for i, x in enumerate(found)), "an element came before it was in the buffer"
    if n > 10 < size or size == 4:
        assert found != list(range(n))
    assert found == list(range(n)) or size > 1


def test_shuffle_depends_on_the_seed_and_not_on_blocks() -> None:
    reference = elements(Dataset.range(200).shuffle(30, seed=4))
    assert elements(unsteady(200).shuffle(30, seed=4)) == reference
    assert list(itertools.chain(*elements(Dataset.range(200).shuffle(30, seed=4).batch(17)))) == reference
    assert elements(Dataset.range(200).shuffle(30, seed=5)) != reference


def test_each_pass_has_another_order_unless_it_shall_not() -> None:
    dataset = Dataset.range(20).shuffle(20, seed=1)
    first, second = elements(dataset), elements(dataset)
    assert first != second
    again = Dataset.range(20).shuffle(20, seed=1, reshuffle_each_iteration=False)
    assert elements(again) == elements(again) == first
    both = elements(Dataset.range(20).shuffle(20, seed=1).repeat(2))
    assert (both[:20], both[20:]) == (first, second)


def test_without_a_seed_the_global_one_counts() -> None:
    def shuffled() -> list[Any]:
        tf.random.set_seed(3)
        return elements(Dataset.range(30).shuffle(30))

    assert shuffled() == shuffled()
    tf.random.set_seed(None)
    assert elements(Dataset.range(30).shuffle(30)) != elements(Dataset.range(30).shuffle(30))


def test_a_shuffle_is_fair() -> None:
    """Of three elements all six orders come about as often; 6 sigma of 6000 draws."""
    orders = elements(Dataset.range(3).shuffle(3, seed=0).repeat(6000).batch(3))
    counts = [orders.count(list(order)) for order in itertools.permutations(range(3))]
    assert sum(counts) == 6000 and all(abs(count - 1000) < 6 * (6000 / 6 * 5 / 6) ** 0.5 for count in counts)


def test_cache_runs_what_is_before_it_once(tmp_path: Any) -> None:
    for filename in ("", str(tmp_path / "elements")):
        runs = []

        def make(runs: Any = runs) -> Any:
            runs.append(1)
            yield from [(1, b"a"), (2, b"bc\n")]

        signature = (tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.string))
        dataset = Dataset.from_generator(make, output_signature=signature).cache(filename)
        next(iter(dataset))  # a pass that is left keeps nothing
        assert elements(dataset) == elements(dataset) == [(1, b"a"), (2, b"bc\n")]
        assert len(runs) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["elements"]


def test_a_cache_of_another_dataset_is_refused(tmp_path: Any) -> None:
    path = str(tmp_path / "elements")
    elements(Dataset.range(3).cache(path))
    assert elements(Dataset.range(3).cache(path)) == [0, 1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="made of another dataset"):
        elements(Dataset.from_tensor_slices([1.5]).cache(path))


def test_apply_and_single_elements() -> None:
    assert elements(Dataset.range(4).apply(lambda d: d.batch(2))) == [[0, 1], [2, 3]]
    assert int(Dataset.range(4).batch(4).get_single_element()[3]) == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="several"):
        Dataset.range(2).get_single_element()


def test_len_of_what_has_none() -> None:
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(2).repeat())
    with pytest.raises(TypeError, match="unknown length"):
        len(Dataset.range(2).filter(lambda x: True))
    assert bool(Dataset.range(0))


@pytest.mark.parametrize("step", ["batch", "shuffle", "window"])
def test_sizes_are_positive(step: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least 1; got 0"):
        getattr(Dataset.range(3), step)(0)
