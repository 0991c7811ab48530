"""The steps of a pipeline, against plain Python and itertools."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset
from tests.runtime.library.data.comparing import elements


def batches(items: list[Any], size: int, drop: bool = False) -> list[list[Any]]:
    made = [items[i : i + size] for i in range(0, len(items), size)]
    return [batch for batch in made if not drop or len(batch) == size]


def unsteady(n: int) -> Dataset:
    """As Dataset.range, element by element."""
    return Dataset.from_generator(lambda: range(n), output_signature=tf.TensorSpec([], tf.int64))


SOURCES = pytest.mark.parametrize("source", [Dataset.range, unsteady])


@SOURCES
@pytest.mark.parametrize(("n", "size"), [(0, 3), (1, 3), (7, 3), (9, 3), (1000, 7), (5, 100)])
def test_batch(source: Any, n: int, size: int) -> None:
    dataset = source(n).batch(size)
    assert elements(dataset) == batches(list(range(n)), size)
    assert elements(source(n).batch(size, drop_remainder=True)) == batches(list(range(n)), size, True)


def test_the_spec_of_batches() -> None:
    dataset = Dataset.from_tensor_slices(np.zeros((5, 2), np.float32))
    assert dataset.batch(2).element_spec == tf.TensorSpec([None, 2], tf.float32)
    assert dataset.batch(2, drop_remainder=True).element_spec == tf.TensorSpec([2, 2], tf.float32)
    assert len(dataset.batch(2)) == 3 and len(dataset.batch(2, drop_remainder=True)) == 2


def test_elements_of_different_shapes_make_no_batch() -> None:
    ragged = Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"different shapes, \(1,\) and \(2,\).*padded_batch"):
        elements(ragged.batch(2))


def test_padded_batch() -> None:
    ragged = Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
    assert elements(ragged.padded_batch(2)) == [[[1, 0], [2, 2]], [[3, 3, 3]]]
    assert elements(ragged.padded_batch(3, [4], np.int64(-1))) == [[[1, -1, -1, -1], [2, 2, -1, -1], [3, 3, 3, -1]]]
    assert elements(ragged.padded_batch(2, drop_remainder=True)) == [[[1, 0], [2, 2]]]
    both = Dataset.zip((ragged, Dataset.range(3)))
    assert elements(both.padded_batch(3, ([None], []))) == [([[1, 0, 0], [2, 2, 0], [3, 3, 3]], [0, 1, 2])]
    words = Dataset.from_tensor_slices(["a b", "c"]).map(lambda s: tf.expand_dims(s, 0))
    assert elements(words.padded_batch(2, [2], "?")) == [[[b"a b", b"?"], [b"c", b"?"]]]
    texts = Dataset.from_tensor_slices(["a", "b"]).padded_batch(2)
    assert elements(texts) == [[b"a", b"b"]] and [x.numpy() for x in texts.unbatch()] == [b"a", b"b"]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(3,\) does not fit into the padded shape \(2,\)"):
        elements(ragged.padded_batch(3, [2]))
    with pytest.raises(ValueError, match=r"elements of the shape \(3, 2\) do not fit into the padded shape \(4, 1\)"):
        Dataset.from_tensors(tf.zeros([3, 2])).padded_batch(2, [4, 1])


def test_unbatch_undoes_batch() -> None:
    rows = np.arange(20).reshape(10, 2)
    dataset = Dataset.from_tensor_slices((rows, rows[:, 0]))
    assert elements(dataset.batch(3).unbatch()) == elements(dataset)
    assert elements(dataset.batch(3).rebatch(4))[0] == (rows[:4].tolist(), rows[:4, 0].tolist())
    with pytest.raises(ValueError, match="has no rows"):
        Dataset.range(2).unbatch()


@SOURCES
@pytest.mark.parametrize(
    ("size", "shift", "stride"), [(3, None, 1), (3, 1, 1), (2, 3, 1), (3, 2, 2), (1, 1, 1), (20, 1, 1)]
)
@pytest.mark.parametrize("drop", [False, True])
def test_window(source: Any, size: int, shift: int | None, stride: int, drop: bool) -> None:
    n = 8
    found = [elements(w) for w in source(n).window(size, shift, stride, drop)]
    wanted = []
    for start in range(0, n, shift or size):
        window = [x for x in range(start, start + size * stride, stride)]
        kept = [x for x in window if x < n]
        if not drop or len(kept) == size:
            wanted.append(kept)
    assert found == wanted
    assert int(Dataset.range(n).window(size, shift, stride, drop).cardinality()) == len(wanted)


def test_windows_of_pairs_are_pairs_of_datasets() -> None:
    dataset = Dataset.range(4).map(lambda x: (x, {"double": x * 2})).window(2)
    assert [(elements(a), elements(b["double"])) for a, b in dataset] == [([0, 1], [0, 2]), ([2, 3], [4, 6])]
    made = dataset.flat_map(lambda a, b: Dataset.zip((a.batch(2), b["double"].batch(2))))
    assert elements(made) == [([0, 1], [0, 2]), ([2, 3], [4, 6])]


# -- functions ---------------------------------------------------------------------------------------------------------


def test_a_tuple_is_the_arguments_of_a_function_and_a_dict_is_one() -> None:
    pairs = Dataset.from_tensor_slices(([1, 2], [10, 20]))
    assert elements(pairs.map(lambda a, b: a + b)) == [11, 22]
    assert elements(Dataset.from_tensor_slices({"a": [1, 2]}).map(lambda row: row["a"] + 1)) == [2, 3]
    assert elements(Dataset.zip((pairs, Dataset.range(2))).map(lambda pair, i: pair[0])) == [1, 2]


def test_a_function_is_traced_once() -> None:
    traces = []

    def step(x: Any) -> Any:
        traces.append(x)
        return x + 1

    dataset = Dataset.range(5).map(step)
    assert elements(dataset) == elements(dataset) == [1, 2, 3, 4, 5]
    assert len(traces) == 1 and traces[0].shape == []


def test_control_flow_in_functions_is_converted() -> None:
    def collatz(n: Any) -> Any:
        steps = tf.constant(0)
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    def plain_collatz(n: int) -> int:
        steps = 0
        while n > 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        return steps

    assert elements(Dataset.range(1, 30).map(collatz)) == [plain_collatz(n) for n in range(1, 30)]


def test_lists_become_tensors_and_structures_stay() -> None:
    dataset = Dataset.range(2).map(lambda x: ([x, x + 1], {"half": x / 2}, None))
    assert elements(dataset) == [([0, 1], {"half": 0.0}, None), ([1, 2], {"half": 0.5}, None)]
    with pytest.raises(TypeError, match="is no element of a dataset; elements are tensors"):
        Dataset.range(2).map(lambda x: object())


def test_functions_of_numpy_and_of_this_package() -> None:
    assert elements(Dataset.range(3).map(np.square)) == [0, 1, 4]
    assert elements(Dataset.range(3).map(tf.negative)) == [0, -1, -2]
    assert elements(Dataset.range(3).map(tf.function(lambda x: x + 1))) == [1, 2, 3]


def test_variables_are_read_when_an_element_is_made() -> None:
    factor = tf.Variable(2, dtype=tf.int64)
    iterator = iter(Dataset.range(1, 9).map(lambda x: x * factor))
    assert int(next(iterator)) == 2
    factor.assign(10)
    assert [int(next(iterator)), int(next(iterator))] == [20, 30]


def test_effects_come_one_by_one_in_the_order_of_the_program() -> None:
    seen: list[Any] = []

    def note(name: str) -> Any:
        def step(x: Any) -> Any:
            tf.py_function(lambda v: seen.append((name, int(v))), [x], [])
            return x

        return step

    dataset = Dataset.range(4).map(note("a")).map(note("b")).batch(2)
    list(itertools.islice(dataset, 1))
    assert seen == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def test_filter_and_take_while() -> None:
    assert elements(Dataset.range(10).filter(lambda x: x % 3 == 0)) == [0, 3, 6, 9]
    assert elements(Dataset.range(10).take_while(lambda x: x < 4)) == [0, 1, 2, 3]
    assert elements(Dataset.range(10).filter(lambda x: x > 99)) == []
    assert elements(unsteady(10).filter(lambda x: x % 3 == 0).batch(3)) == [[0, 3, 6], [9]]
    for step in (Dataset.range(3).filter, Dataset.range(3).take_while):
        with pytest.raises(ValueError, match="scalar of dtype bool"):
            step(lambda x: x + 1)


def test_flat_map_and_interleave() -> None:
    def repeated(x: Any) -> Dataset:
        return Dataset.from_tensors(x).repeat(x)

    assert elements(Dataset.range(4).flat_map(repeated)) == [1, 2, 2, 3, 3, 3]
    words = Dataset.range(1, 6)
    for cycle, block, calls in itertools.product([1, 2, 3], [1, 2, 4], [None, 2]):
        made = words.interleave(lambda x: Dataset.from_tensors(x).repeat(6), cycle, block, calls)
        assert elements(made) == interleaved([[x] * 6 for x in range(1, 6)], cycle, block)
    with pytest.raises(TypeError, match="the function returns a dataset"):
        words.flat_map(lambda x: x)


def interleaved(lists: list[list[int]], cycle: int, block: int) -> list[int]:
    waiting, slots, made = [iter(items) for items in lists], [None] * cycle, []
    while waiting or any(slots):
        for i in range(cycle):
            if slots[i] is None and waiting:
                slots[i] = waiting.pop(0)
            taken = list(itertools.islice(slots[i] or (), block))
            made += taken
            if len(taken) < block:
                slots[i] = None
    return made


def test_scan_and_reduce() -> None:
    dataset = Dataset.range(1, 6)
    assert elements(dataset.scan(np.int64(0), lambda s, x: (s + x, s * x))) == [0, 2, 9, 24, 50]
    assert int(dataset.reduce(np.int64(1), lambda s, x: s * x)) == 120
    pairs = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    total, count = pairs.reduce((0, 0), lambda s, x: (s[0] + x[0] * x[1], s[1] + 1))
    assert (int(total), int(count)) == (11, 2)
    assert dataset.reduce(np.zeros(0, np.int64), lambda s, x: tf.concat([s, [x]], 0)).numpy().tolist() == [
        1,
        2,
        3,
        4,
        5,
    ]
    with pytest.raises(TypeError, match="structures and"):
        dataset.reduce(0, lambda s, x: (s, x))
    with pytest.raises(TypeError, match=r"scan: the function returns \(state, result\); it returned TensorSpec"):
        dataset.scan(np.int64(0), lambda s, x: s + x)
    with pytest.raises(TypeError, match="flat_map: the function returns a dataset"):
        dataset.flat_map(lambda x: x)


def surviving(dataset: Dataset) -> list[Any]:
    """The elements, and "error" in the place of those that cannot be made."""
    found: list[Any] = []
    iterator = iter(dataset)
    while True:
        try:
            found.append(tf.nest.map_structure(int, next(iterator)))
        except ZeroDivisionError:
            found.append("error")
        except StopIteration:
            return found


def test_an_error_takes_the_place_of_one_element() -> None:
    """Also in the middle of a block: the fourth time four elements and more go together."""

    def quotient(x: int) -> Any:
        return 12 // x if x else "error"

    numbers = Dataset.range(-9, 9)
    assert surviving(numbers.map(lambda x: 12 // x)) == [quotient(x) for x in range(-9, 9)]
    assert surviving(numbers.filter(lambda x: 12 // x > 1)) == [
        x if x else "error" for x in range(-9, 9) if x == 0 or 12 // x > 1
    ]
    zipped = Dataset.zip((Dataset.range(18), numbers.map(lambda x: 12 // x)))
    assert surviving(zipped) == [(i, 12 // x) if x else "error" for i, x in enumerate(range(-9, 9))]
    assert surviving(numbers.map(lambda x: 12 // x).skip(3).take(8)) == [quotient(x) for x in range(-6, 2)]


def test_a_list_that_a_function_returns_is_several_components() -> None:
    """Anywhere else a list is one tensor: in a source, and inside of what a function returns."""
    pairs = Dataset.range(3).map(lambda x: [x, tf.cast(x, tf.float32) / 2])
    assert pairs.element_spec == (tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.float32))
    assert elements(pairs.map(lambda a, b: b)) == [0, 0.5, 1]
    inside = Dataset.range(2).map(lambda x: ([x, x + 1], {"a": [x]}))
    assert inside.element_spec == (tf.TensorSpec([2], tf.int64), {"a": tf.TensorSpec([1], tf.int64)})
    several = Dataset.range(2).map(
        lambda x: tf.numpy_function(lambda n: [n, np.zeros(n, np.float32)], [x], [tf.int64, tf.float32])
    )
    assert [(int(n), zeros.shape) for n, zeros in several] == [(0, (0,)), (1, (1,))]
    running = Dataset.range(3).scan(np.int64(0), lambda total, x: [total + x, [total, x]])
    assert elements(running) == [[0, 0], [0, 1], [1, 2]]

    @tf.function
    def total(n: Any) -> Any:
        return Dataset.range(n).map(lambda x: [x, x * n]).reduce(np.int64(0), lambda s, pair: s + pair[0] + pair[1])

    assert int(total(tf.constant(3, tf.int64))) == 3 + 9


def test_a_function_that_raises_for_all_elements() -> None:
    def shown(x: Any) -> Any:
        tf.print(x)
        if x > 1:
            raise ValueError("large")
        raise ValueError("small")

    words = "map: the function raises for all elements, so that its results have no type"
    with pytest.raises(TypeError, match=words):
        Dataset.range(3).map(shown)
    with pytest.raises(TypeError, match=words):
        tf.function(lambda n: Dataset.range(n).map(shown).cardinality())(tf.constant(3, tf.int64))
