"""Texts as bytes: numbers in them, and base64.

>>> decode_raw("AB", runtime.uint8)
<tf.Tensor: shape=(2,), dtype=uint8, numpy=array([65, 66], dtype=uint8)>
"""

from __future__ import annotations

from typing import Any

from runtime.ops.files import raw_bytes
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["decode_base64", "decode_raw", "encode_base64"]


@switches
def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The bytes of each text as numbers of a dtype, on a new last axis. The texts must have one length.

    fixed_length: how many bytes of each text are read; shorter texts are filled up with zeros. Raises
    InvalidArgumentError that names the text whose length does not fit.
    """
    return raw_bytes.decode_raw(
        input_bytes, out_type=out_type, little_endian=little_endian, fixed_length=fixed_length, name=name
    )


@switches
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Each text in base64 with the letters that may stand in URLs. pad: with `=` at the end."""
    return raw_bytes.encode_base64(input, padded=pad, name=name)


def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """The texts that `encode_base64` wrote, with or without `=`. Raises InvalidArgumentError with the index."""
    return raw_bytes.decode_base64(input, name=name)
