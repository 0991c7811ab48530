"""Bytes as numbers and as base64, against the standard library."""

from __future__ import annotations

import base64
import random
import struct

import numpy as np
import pytest

import runtime
from runtime.errors import InvalidArgumentError


@pytest.mark.parametrize(("dtype", "code"), [("int16", "h"), ("uint8", "B"), ("float32", "f"), ("int64", "q")])
@pytest.mark.parametrize("little", [True, False])
def test_numbers_in_bytes(dtype: str, code: str, little: bool) -> None:
    rows = [[1, 2, 3], [4, 5, 6]]
    order = "<" if little else ">"
    packed = [struct.pack(f"{order}3{code}", *row) for row in rows]
    read = lambda x: runtime.io.decode_raw(x, dtype, little_endian=little)
    staged = runtime.function(read, input_signature=[runtime.TensorSpec([None], runtime.string)])
    for result in (read(packed), staged(runtime.constant(packed))):
        assert result.dtype.name == dtype
        assert result.numpy().tolist() == rows


def test_a_fixed_length_cuts_and_fills() -> None:
    read = runtime.io.decode_raw(["A", "ABCD"], runtime.uint8, fixed_length=3)
    assert read.numpy().tolist() == [[65, 0, 0], [65, 66, 67]]


def test_texts_of_several_lengths_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"the text at index \(1,\) has 1 bytes, others have 2"):
        runtime.io.decode_raw(["AB", "A"], runtime.uint8)
    with pytest.raises(InvalidArgumentError, match=r"3 bytes, int16 takes 2 each"):
        runtime.io.decode_raw("ABC", runtime.int16)


def test_base64_as_the_standard_library_writes_it() -> None:
    rng = random.Random(1)
    texts = [rng.randbytes(n) for n in range(12)]
    padded = runtime.io.encode_base64(texts, pad=True)
    assert padded.numpy().tolist() == [base64.urlsafe_b64encode(t) for t in texts]
    for encoded in (padded, runtime.io.encode_base64(texts)):
        assert runtime.io.decode_base64(encoded).numpy().tolist() == texts
    assert np.asarray(runtime.io.decode_base64("aGVsbG8").numpy(), object).item() == b"hello"
    with pytest.raises(InvalidArgumentError, match=r"b'a\+' is no base64.*at index \(1,\)"):
        runtime.io.decode_base64(["aa", "a+"])
