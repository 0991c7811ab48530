"""Buckets of texts, against vectors that others have published, and of texts of all lengths."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.ops.text.hashes import fingerprint, keyed

FARM = {
    b"1footrue": -1541654101129638711, b"2applefalse": 2794438866806483259, b"3true": -4880158226897771312,
}  # fmt: skip
"""Of the manual of BigQuery, whose FARM_FINGERPRINT is this one as a signed number."""

LONGER = {17: 17591810127221272131}
"""Of as many letters a, by pyfarmhash."""

RANGES = {
    40: 645241335607543436, 64: 17691551913807367243, 65: 14313328211205373374, 200: 525935771297148851,
}  # fmt: skip
"""Of the bytes 0, 1, 2, ..., by pyfarmhash."""


def test_fingerprints() -> None:
    assert {text: (fingerprint(text) + 2**63) % 2**64 - 2**63 for text in FARM} == FARM
    assert {size: fingerprint(b"a" * size) for size in LONGER} == LONGER
    assert {size: fingerprint(bytes(range(size))) for size in RANGES} == RANGES


def test_keyed_numbers() -> None:
    """The vector of the paper."""
    assert keyed(bytes(range(15)), (0x0706050403020100, 0x0F0E0D0C0B0A0908)) == 0xA129CA6149BE45E5


def test_buckets() -> None:
    fast = tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3)
    assert fast.dtype is tf.int64 and fast.numpy().tolist() == [0, 2, 2]
    assert tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy().tolist() == [2, 0]
    assert tf.strings.to_hash_bucket("Hello", 3).shape == []
    ragged = tf.strings.to_hash_bucket_fast(tf.ragged.constant([["Hello"], [], ["2.x", "Hello"]]), 3)
    assert ragged.to_list() == [[0], [], [2, 0]]
    staged = tf.function(lambda x: tf.strings.to_hash_bucket_strong(x, 3, (1, 2)))
    assert staged(tf.constant(["Hello", "TF"])).numpy().tolist() == [2, 0]
    rows = tf.data.Dataset.from_tensor_slices(["Hello", "2.x"] * 5).map(lambda x: tf.strings.to_hash_bucket_fast(x, 3))
    assert [int(x) for x in rows] == [0, 2] * 5
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_buckets is positive; got 0"):
        tf.strings.to_hash_bucket_fast(["a"], 0)
