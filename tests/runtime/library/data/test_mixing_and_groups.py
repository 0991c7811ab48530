"""Datasets mixed one element at a time, and elements gathered by keys and lengths, against plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset

from .comparing import elements

A, B, C = Dataset.range(4), Dataset.range(10, 12), Dataset.range(20, 30)
TEXTS: list[list[int]] = [[0], [1, 2, 3, 4], [5, 6, 7], [7, 8, 9, 10, 11], [13, 14, 15, 16, 19, 20], [21, 22]]


def numbers(*choices: int) -> Dataset:
    return Dataset.from_tensor_slices(np.array(choices, np.int64))


def texts() -> Dataset:
    return Dataset.from_generator(lambda: TEXTS, output_signature=tf.TensorSpec([None], tf.int32))


def failing_at(n: int) -> Dataset:
    return Dataset.range(4).map(lambda x: 6 // (x - n))


# -- mixing -------------------------------------------------------------------------------------------------------


def test_choices() -> None:
    choices = numbers(0, 1, 2, 1, 1, 0, 2, 0)
    assert elements(Dataset.choose_from_datasets([A, B, C], choices)) == [0, 10, 20, 11]
    passed_over = Dataset.choose_from_datasets([A, B, C], choices, stop_on_empty_dataset=False)
    assert elements(passed_over) == [0, 10, 20, 11, 1, 21, 2]
    assert elements(passed_over) == elements(passed_over.repeat(1))
    assert elements(Dataset.choose_from_datasets([A, B], numbers(*[1] * 9), stop_on_empty_dataset=False)) == [10, 11]


def test_choices_of_several_shapes_and_an_error_in_its_place() -> None:
    rows = Dataset.from_tensor_slices(np.arange(6).reshape(2, 3))
    other = Dataset.from_tensor_slices(np.arange(4).reshape(2, 2))
    mixed = Dataset.choose_from_datasets([rows, other], numbers(0, 1, 1, 0))
    assert mixed.element_spec.shape.as_list() == [None]
    assert elements(mixed) == [[0, 1, 2], [0, 1], [2, 3], [3, 4, 5]]
    iterator = iter(Dataset.choose_from_datasets([A, failing_at(1)], numbers(0, 1, 0, 1, 0, 1)))
    found: list[Any] = []
    for _ in range(6):
        try:
            found.append(int(next(iterator)))
        except tf.errors.InvalidArgumentError as error:
            found.append(type(error).__name__)
    assert found == [0, -6, 1, "DivisionByZeroError", 2, 6]


def test_samples() -> None:
    assert sorted(elements(Dataset.sample_from_datasets([A, B, C]))) == sorted([*range(4), 10, 11, *range(20, 30)])
    assert elements(Dataset.sample_from_datasets([A, B], [0.0, 1.0])) == [10, 11]
    stopped = elements(Dataset.sample_from_datasets([A.repeat(), B], [0.5, 0.5], stop_on_empty_dataset=True))
    assert [x for x in stopped if x >= 10] == [10, 11]
    many = Dataset.sample_from_datasets([Dataset.from_tensors(i).repeat() for i in range(3)], [0.5, 0.2, 0.3], seed=3)
    counts = Counter(elements(many.take(2000)))
    for i, share in enumerate((0.5, 0.2, 0.3)):
        assert abs(counts[i] - 2000 * share) < 5 * np.sqrt(2000 * share)


def test_the_order_of_samples() -> None:
    def sampled(**options: Any) -> Dataset:
        return Dataset.sample_from_datasets([Dataset.range(20), Dataset.range(20, 40)], **options)

    fixed = sampled(seed=5)
    assert elements(fixed) == elements(fixed) == elements(sampled(seed=5)) != elements(sampled(seed=6))
    anew = sampled(seed=5, rerandomize_each_iteration=True)
    assert elements(anew) != elements(anew)
    free = sampled()
    assert elements(free) != elements(free)

    @tf.function
    def first_ten() -> Any:
        total = tf.constant([], tf.int64)
        for x in sampled().take(10):
            total = tf.concat([total, [x]], 0)
        return total

    assert len({tuple(first_ten().numpy()) for _ in range(4)}) > 1


# -- groups -------------------------------------------------------------------------------------------------------


def test_groups() -> None:
    pairs = Dataset.range(10).group_by_window(lambda x: x % 2, lambda key, group: group.batch(3), window_size=3)
    assert elements(pairs) == [[0, 2, 4], [1, 3, 5], [6, 8], [7, 9]] == elements(pairs)
    by_size = Dataset.range(10).group_by_window(
        lambda x: 2 - x % 3, lambda key, group: group.map(lambda x: x * 100 + key), window_size_func=lambda key: key + 1
    )
    assert elements(by_size) == [200, 101, 401, 500, 2, 302, 602, 800, 701, 902]
    structures = Dataset.range(5).map(lambda x: {"a": x, "b": (x, -x)})
    grouped = structures.group_by_window(lambda row: row["a"] // 3, lambda key, group: group, 2)
    assert [row["b"][1] for row in elements(grouped)] == [0, -1, -3, -4, -2]


def test_groups_in_a_function() -> None:
    @tf.function
    def f(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        made = Dataset.range(n).group_by_window(lambda x: x % 2, lambda key, g: g.map(lambda v: v + key * n), n)
        for x in made:
            total = total * 10 + x
        return total

    assert int(f(tf.constant(4, tf.int64))) == 257  # 0, 2, then 1 + 4, 3 + 4
    assert int(f(tf.constant(0, tf.int64))) == 0


def test_buckets() -> None:
    def bucketed(boundaries: Any, *sizes: int, **options: Any) -> list[Any]:
        made = texts().bucket_by_sequence_length(lambda t: tf.size(t), boundaries, sizes, **options)
        for element, dims in zip(made, [made.element_spec.shape] * 9, strict=False):
            assert dims.is_compatible_with(element.shape)
        return elements(made)

    padded = [[[1, 2, 3, 4], [5, 6, 7, 0]], [[7, 8, 9, 10, 11, 0], TEXTS[4]], [[0, 0], [21, 22]]]
    assert bucketed([3, 5], 2, 2, 2) == padded
    assert bucketed([3, 5], 1, 1, 1, no_padding=True) == [[text] for text in TEXTS]
    assert bucketed([4], 2, 4, drop_remainder=True) == [[[0, 0, 0], [5, 6, 7]]]
    to_boundary = bucketed([4, 7], 2, 2, 2, pad_to_bucket_boundary=True, padding_values=-1)
    assert to_boundary[0] == [[0, -1, -1], [5, 6, 7]] and to_boundary[1][1] == [7, 8, 9, 10, 11, -1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="shorter than the last boundary, 5"):
        bucketed([3, 5], 2, 2, 2, pad_to_bucket_boundary=True)


# -- others -------------------------------------------------------------------------------------------------------


def test_unique() -> None:
    assert elements(numbers(3, 1, 3, 2, 1).unique()) == [3, 1, 2]
    assert elements(Dataset.from_tensor_slices(["a", "b", "a"]).unique()) == [b"a", b"b"]
    assert elements(Dataset.from_tensor_slices([[1, 2], [2, 1], [1, 2]]).unique()) == [[1, 2], [2, 1]]
    assert elements(Dataset.range(0).unique()) == []
    with pytest.raises(TypeError, match="unique takes tensors of integers, bools or texts"):
        Dataset.from_tensor_slices([0.5]).unique()


def test_elements_that_fail_are_left_out() -> None:
    assert elements(failing_at(2).ignore_errors()) == [-3, -6, 6]
    with pytest.warns(RuntimeWarning, match="an element is left out: .*zero"):
        assert elements(failing_at(0).ignore_errors(log_warning=True)) == [6, 3, 2]


def test_batches_of_another_size_have_it_where_it_divides() -> None:
    assert Dataset.range(24).batch(12, drop_remainder=True).rebatch(4).element_spec.shape.as_list() == [4]
    assert Dataset.range(24).batch(12, drop_remainder=True).rebatch(5).element_spec.shape.as_list() == [None]
    assert Dataset.range(24).batch(12).rebatch(4).element_spec.shape.as_list() == [None]


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "a choice out of range": (
        lambda: elements(Dataset.choose_from_datasets([A, B], numbers(0, 2))), tf.errors.InvalidArgumentError,
        "from 0 up to 2, not included; got 2"),
    "no datasets": (lambda: Dataset.sample_from_datasets([]), ValueError, "there are no datasets"),
    "no list": (lambda: Dataset.sample_from_datasets(A), TypeError, "takes a list of datasets"),
    "choices that are int32": (
        lambda: Dataset.choose_from_datasets([A], A.map(lambda x: tf.cast(x, tf.int32))), TypeError, "int64"),
    "other elements": (lambda: Dataset.sample_from_datasets([A, TEXT]), TypeError, "elements of different types"),
    "too few weights": (lambda: Dataset.sample_from_datasets([A, B], [1.0]), ValueError, "weights are 2 floats"),
    "a negative weight": (lambda: Dataset.sample_from_datasets([A], [-1.0]), ValueError, "none negative"),
    "no size": (lambda: A.group_by_window(abs, lambda k, g: g), ValueError, "window_size_func is needed"),
    "a size of 0": (
        lambda: elements(A.group_by_window(lambda x: x, lambda k, g: g, 0)), tf.errors.InvalidArgumentError,
        "at least 1 element; got 0"),
    "a key that is text": (
        lambda: A.group_by_window(tf.strings.as_string, lambda k, g: g, 2), ValueError, "key_func gives an integer"),
    "no dataset of a group": (
        lambda: A.group_by_window(lambda x: x, lambda k, g: k, 2), TypeError, "reduce_func returns a dataset"),
    "too few batch sizes": (
        lambda: texts().bucket_by_sequence_length(tf.size, [3, 5], [2, 2]), ValueError, "for each bucket"),
    "boundaries that fall": (
        lambda: texts().bucket_by_sequence_length(tf.size, [5, 3], [2, 2, 2]), ValueError, "ascend"),
    "both paddings": (
        lambda: texts().bucket_by_sequence_length(
            tf.size, [5], [2, 2], pad_to_bucket_boundary=True, no_padding=True), ValueError, "nothing is padded"),
}  # fmt: skip
TEXT = Dataset.from_tensors("x")


@pytest.mark.parametrize(("call", "error", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_an_iterator_that_is_left_closes_all_sources() -> None:
    closed: list[int] = []

    def generator(number: int) -> Any:
        try:
            while True:
                yield number
        finally:
            closed.append(number)

    sources = [Dataset.from_generator(lambda n=n: generator(n), output_signature=tf.TensorSpec([], tf.int64))
               for n in range(3)]  # fmt: skip
    mixed = Dataset.choose_from_datasets(sources[:2], sources[0])
    grouped = sources[2].group_by_window(lambda x: x, lambda key, group: group.repeat(), 3)
    assert elements(mixed.take(2)) == [0, 0] and elements(grouped.take(2)) == [2, 2]
    assert sorted(closed) == [0, 0, 2]  # of the second one nothing was asked
