"""Example messages: as TensorFlow writes them, and as nobody does, though anybody may.

    random_message(random.Random(1))               # bytes
"""

from __future__ import annotations

import random

import numpy as np

import runtime as tf
from runtime.ops.kernels.wire import field, varint

__all__ = ["ANN", "BEA", "INTEGERS", "integers", "random_message"]

ANN = bytes.fromhex(
    "0a370a0c0a0361676512051a030a011f0a0f0a046e616d6512070a050a03416e6e0a160a0673636f726573120c120a0a080000003f000000c0"
)
"""TensorFlow's bytes of {"age": [31], "name": [b"Ann"], "scores": [0.5, -2.0]}."""

BEA = bytes.fromhex(
    "0a360a150a03616765120e1a0c0a0af9ffffffffffffffff010a0c0a046e616d6512040a020a000a0f0a047461677312071a050a0301ac02"
)
"""TensorFlow's bytes of {"age": [-7], "name": [b""], "tags": [1, 300]}."""

INTEGERS = {"a": tf.io.RaggedFeature(tf.int64)}


def integers(*values: int) -> bytes:
    return tf.train.Example(
        features=tf.train.Features(feature={"a": tf.train.Feature(int64_list=tf.train.Int64List(value=values))})
    ).SerializeToString()


def random_message(rng: random.Random) -> bytes:
    """A message with parts that repeat, lists of several kinds, unknown fields, and numbers packed or not."""

    def a_list() -> bytes:
        kind = rng.choice([2, 3, 3, 3])
        content = b""
        for _ in range(rng.randrange(3)):
            numbers = [rng.choice([0, 1, 127, 128, 2**40, 2**64 - 1]) for _ in range(rng.randrange(4))]
            if kind == 3 and rng.random() < 0.5:
                content += field(1, b"".join(map(varint, numbers)))
            elif kind == 3:
                content += b"".join(b"\x08" + varint(n) for n in numbers)
            elif rng.random() < 0.5:
                content += field(1, np.array(numbers[:2], np.float32).tobytes())
            else:
                content += b"".join(b"\x0d" + np.float32(n).tobytes() for n in numbers)
        return field(kind, content)

    def entry() -> bytes:
        value = b"".join(field(2, b"".join(a_list() for _ in range(rng.randrange(3)))) for _ in range(rng.randrange(3)))
        parts = [field(1, rng.choice([b"a", b"b", b""])), value]
        return field(1, b"".join(parts if rng.random() < 0.8 else parts[::-1]))

    unknown = field(9, b"xyz") + b"\x60\x05" + b"\x79" + bytes(8)
    return b"".join(
        field(1, b"".join(entry() for _ in range(rng.randrange(4)))) + (unknown if rng.random() < 0.3 else b"")
        for _ in range(rng.randrange(3))
    )
