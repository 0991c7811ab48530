"""SequenceExample messages: bytes that TensorFlow wrote are read, in all forms, and what does not fit is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError

SENTENCE = bytes.fromhex(
    "0a0d0a0b0a02696412051a030a0105124b0a260a06706f696e7473121c0a0c120a0a080000803f000000400a0c120a0a0800004040000080"
    "400a210a05776f72647312180a0a0a080a02746f0a0262650a020a000a060a040a026f72"
)
"""TensorFlow's bytes of id 5, points [[1, 2], [3, 4]], words [[to, be], [], [or]]."""

train = tf.train


def made(ident: int, **lists: Any) -> bytes:
    """A message; a list is a list of lists of floats or texts."""
    example = train.SequenceExample()
    example.context.feature["id"].int64_list.value.append(ident)
    for key, steps in lists.items():
        entry = example.feature_lists.feature_list[key]
        for step in steps:
            kind = "bytes_list" if step and isinstance(step[0], bytes) else "float_list"
            feature = entry.feature.add()
            if step:
                getattr(feature, kind).value.extend(step)
    return example.SerializeToString()


OTHERS = [made(6, words=[[b"not"]], points=[[5.0, 6.0]]), made(7, points=[])]
CONTEXT = {"id": tf.io.FixedLenFeature([], tf.int64)}
LISTS = {
    "points": tf.io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True, default_value=-1.0),
    "words": tf.io.RaggedFeature(tf.string),
    "sparse": tf.io.RaggedFeature(tf.string, "words", row_splits_dtype=tf.int64),
}


def read(texts: Any) -> Any:
    return tf.io.parse_sequence_example(texts, CONTEXT, LISTS)


def test_the_bytes_that_tensorflow_writes() -> None:
    example = train.SequenceExample.FromString(SENTENCE)
    assert example.SerializeToString() == SENTENCE
    words = example.feature_lists.feature_list["words"].feature
    assert [list(step.bytes_list.value) for step in words] == [[b"to", b"be"], [], [b"or"]]
    context, lists = tf.io.parse_single_sequence_example(SENTENCE, CONTEXT, LISTS)
    assert int(context["id"]) == 5
    assert lists["points"].numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert lists["words"].to_list() == [[b"to", b"be"], [], [b"or"]]


@pytest.mark.parametrize("times", [1, 9])
@pytest.mark.parametrize("staged", [False, True])
def test_many(staged: bool, times: int) -> None:
    call = tf.function(read, input_signature=[tf.TensorSpec([None], tf.string)]) if staged else read
    context, lists, lengths = call(tf.constant([SENTENCE, *OTHERS] * times))
    assert context["id"].numpy().tolist() == [5, 6, 7] * times
    filler = [-1.0, -1.0]
    assert lists["points"].numpy().tolist() == [[[1, 2], [3, 4]], [[5, 6], filler], [filler, filler]] * times
    assert lengths["points"].numpy().tolist() == [2, 1, 0] * times
    assert lists["words"].to_list() == [[[b"to", b"be"], [], [b"or"]], [[b"not"]], []] * times
    assert (lists["words"].row_splits.dtype, lists["sparse"].row_splits.dtype) == (tf.int32, tf.int64)
    cells = tf.io.parse_sequence_example([SENTENCE, *OTHERS] * times, None, {"words": tf.io.VarLenFeature(tf.string)})
    sparse = cells[1]["words"]
    assert sparse.dense_shape.numpy().tolist() == [3 * times, 3, 2]
    assert sparse.indices.numpy()[:4].tolist() == [[0, 0, 0], [0, 0, 1], [0, 2, 0], [1, 0, 0]]
    assert sparse.values.numpy().tolist() == [b"to", b"be", b"or", b"not"] * times


def test_in_a_dataset() -> None:
    dataset = tf.data.Dataset.from_tensor_slices([SENTENCE, *OTHERS] * 5)
    steps = dataset.map(lambda text: tf.io.parse_single_sequence_example(text, CONTEXT, LISTS)[1]["points"])
    assert [len(points) for points in steps.as_numpy_iterator()] == [2, 1, 0] * 5
    batches = dataset.batch(4).map(lambda texts: read(texts)[2]["points"])
    assert np.concatenate(list(batches.as_numpy_iterator())).tolist() == [2, 1, 0] * 5


def points(shape: Any, dtype: Any = tf.float32, **options: Any) -> Any:
    return {"points": tf.io.FixedLenSequenceFeature(shape, dtype, **options)}


ONE = made(1, points=[[1.0, 2.0], [3.0]])

REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "missing": (lambda: tf.io.parse_sequence_example([SENTENCE, made(1)], None, points([2])), InvalidArgumentError,
                "index 1 has no list 'points', which may not be missing"),
    "size": (lambda: tf.io.parse_sequence_example([SENTENCE, ONE], None, points([2])), InvalidArgumentError,
             r"the step 1 of the list 'points' of the message at index 1 has 1 values; the shape \(2,\) takes 2"),
    "dtype": (lambda: tf.io.parse_sequence_example([SENTENCE], None, points([2], tf.int64)), DtypeMismatchError,
              "'points' of the message at index 0 is float32; int64 is wanted"),
    "context": (lambda: tf.io.parse_sequence_example([SENTENCE, b""], CONTEXT), InvalidArgumentError, "index 1 has no"),
    "damaged": (lambda: tf.io.parse_sequence_example([SENTENCE, SENTENCE[:-1]], None, points([2])),
                InvalidArgumentError, "index 1 is damaged at byte 15"),
    "nothing": (lambda: tf.io.parse_sequence_example([SENTENCE]), ValueError, "context_features or sequence_features"),
    "feature": (lambda: tf.io.parse_sequence_example([SENTENCE], None, {"points": CONTEXT["id"]}), ValueError,
                "the list 'points' is a FixedLenSequenceFeature"),
    "vector": (lambda: tf.io.parse_single_sequence_example([SENTENCE], CONTEXT), ValueError, "one text"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        call()
