"""`rejection_resample`: shares of classes, with and without known ones, in Functions; and `Counter`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset, experimental
from tests.runtime.library.data.comparing import elements

CLASSES = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [2400, 500, 100]))


def shares(dataset: Any) -> Any:
    found = np.array([int(number) for number, _ in dataset])
    return len(found), np.bincount(found, minlength=3) / len(found)


@pytest.mark.parametrize("initial", [[0.8, 1 / 6, 1 / 30], None])
def test_each_class_has_its_share(initial: Any) -> None:
    source = Dataset.from_tensor_slices(CLASSES)
    count, found = shares(source.rejection_resample(lambda x: x, [0.4, 0.4, 0.2], initial, seed=5))
    assert 400 < count < 700
    np.testing.assert_allclose(found, [0.4, 0.4, 0.2], atol=0.06)


def test_elements_come_with_their_classes() -> None:
    pairs = Dataset.from_tensor_slices((CLASSES[:300], {"x": CLASSES[:300] * 2}))

    def number(label: Any, features: Any) -> Any:
        if label > 0:
            return 1
        return 0

    kept = pairs.apply(experimental.rejection_resample(number, [0.0, 1.0]))
    assert kept.element_spec == (tf.TensorSpec([], tf.int64), pairs.element_spec)
    found = elements(kept)
    assert len(found) == np.count_nonzero(CLASSES[:300])
    assert all(cls == 1 and element[0] > 0 and element[1]["x"] == 2 * element[0] for cls, element in found)

    @tf.function
    def count(target: Any) -> Any:
        kept = Dataset.range(100).rejection_resample(lambda x: x % 2, target, [0.5, 0.5])
        return kept.reduce(np.int64(0), lambda n, pair: n + 1)

    assert int(count(tf.constant([1.0, 0.0]))) == 50 == int(count(tf.constant([0.0, 1.0])))


def test_distributions_that_do_not_fit() -> None:
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"a share for each class; its shape is \(\)"):
        Dataset.range(3).rejection_resample(lambda x: x, 0.5)
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"initial_dist has the shape \(3,\), target_dist \(2,\)"):
        Dataset.range(3).rejection_resample(lambda x: x, [0.5, 0.5], [1.0, 0.0, 0.0])


def test_names_of_other_programs() -> None:
    assert elements(experimental.Counter(2, 3, tf.int32).take(3)) == [2, 5, 8]
    iterator = iter(Dataset.range(2))
    assert [int(iterator.next()), int(iterator.next())] == [0, 1]
    with pytest.raises(StopIteration):
        iterator.next()
