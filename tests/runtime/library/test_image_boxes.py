"""Which boxes to keep: what is refused, and sizes that are known only when a graph runs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

BOXES = np.array([[0, 0, 1, 1], [0, 0, 0.9, 1], [0.5, 0.5, 0.6, 0.6]], np.float32)
SCORES = np.array([0.9, 0.8, 0.3], np.float32)


def test_a_batch_of_any_size() -> None:
    signature = [tf.TensorSpec([None, None, 1, 4]), tf.TensorSpec([None, None, 2])]
    staged = tf.function(lambda b, s: tf.image.combined_non_max_suppression(b, s, 2, 3), input_signature=signature)
    both = np.stack([SCORES, SCORES[::-1]], -1)
    found = staged(np.stack([BOXES, BOXES])[:, :, None], np.stack([both, both * 0]))
    assert found.valid_detections.numpy().tolist() == [3, 3]
    np.testing.assert_allclose(found.nmsed_scores[0], [0.9, 0.9, 0.8], rtol=1e-6)
    np.testing.assert_array_equal(found.nmsed_classes[0], [0, 1, 1])
    np.testing.assert_array_equal(found.nmsed_boxes[0], BOXES[[0, 2, 1]])


def test_what_is_refused() -> None:
    combined = tf.image.combined_non_max_suppression
    with pytest.raises(ValueError, match=r"boxes are \[batch, boxes, 1 or classes, 4\]"):
        combined(BOXES, SCORES, 1, 1)
    with pytest.raises(ValueError, match=r"overlaps are \[boxes, boxes\]"):
        tf.image.non_max_suppression_overlaps(SCORES, SCORES, 1)
    with pytest.raises(ValueError, match="max_total_size is a number that is known"):
        tf.function(lambda n: combined(BOXES[None, :, None], SCORES[None, :, None], 1, n))(tf.constant(2))
