"""CRC-32C, the checksum of records, by the library of the extra and by arrays."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runtime.library.data.crc32c import crc32c, crc32c_of_spans


@pytest.fixture(params=["google_crc32c", "own"])
def checksums(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the library of the extra `records`, and without."""
    if request.param == "own":
        monkeypatch.setattr("runtime.library.data.crc32c.of_library", lambda: None)
    else:
        pytest.importorskip(request.param)


@pytest.mark.usefixtures("checksums")
def test_the_checksum_is_crc_32c() -> None:
    """The vectors of RFC 3720, appendix B.4; and the definition, bit by bit, for lengths around the lanes."""
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    rng = random.Random(0)
    for length in (0, 1, 2047, 2048, 2049, 2559, 2560, 4097, 10_001, 65_537):
        data = rng.randbytes(length)
        assert crc32c(data) == bit_by_bit(data)
    assert crc32c(b"a" * (1 << 21) + b"bcd") == 0x3AEAEDE3, "in several pieces; the number is made byte by byte"


@pytest.mark.usefixtures("checksums")
def test_checksums_of_many_strings_together() -> None:
    rng = random.Random(2)
    for lengths in (
        [0] * 9,
        [5] * 20,
        [0, 1, 7, 100, 2047, 2048, 5000, 3, 3, 64, 0],
        [rng.randrange(300) for _ in range(60)],
        [4],
    ):
        items = [rng.randbytes(n) for n in lengths]
        starts = np.cumsum([1, *lengths[:-1]])
        found = crc32c_of_spans(b"." + b"".join(items), starts, np.array(lengths))
        assert found.tolist() == [bit_by_bit(item) for item in items]


def bit_by_bit(data: bytes) -> int:
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
