"""Unicode in string tensors against Python's codecs: decoding, encoding, what is malformed, offsets."""

from __future__ import annotations

import random

import pytest

import runtime
from runtime import strings
from runtime.errors import InvalidArgumentError, ShapeMismatchError

ALPHABET = "aé€😀ß\u0301Ω中 \n"


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16-BE", "UTF-32-BE"])
def test_random_texts_go_there_and_back(encoding: str) -> None:
    rng = random.Random(encoding)
    texts = ["".join(rng.choices(ALPHABET, k=rng.randint(0, 8))) for _ in range(20)]
    encoded = runtime.constant([t.encode(encoding) for t in texts])
    codes, offsets = strings.unicode_decode_with_offsets(encoded, encoding)
    assert codes.to_list() == [[ord(c) for c in t] for t in texts]
    assert offsets.to_list() == [[len(t[:i].encode(encoding)) for i in range(len(t))] for t in texts]
    assert strings.unicode_encode(codes, encoding).numpy().tolist() == encoded.numpy().tolist()
    split = strings.unicode_split(encoded, encoding)
    assert split.to_list() == [[c.encode(encoding) for c in t] for t in texts]
    back = strings.unicode_transcode(encoded, encoding, "UTF-8")
    assert back.numpy().tolist() == [t.encode() for t in texts]


def test_random_bytes_are_replaced_as_python_replaces_them() -> None:
    rng = random.Random(7)
    parts = [0x41, 0x80, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0xFF]
    for _ in range(200):
        data = bytes(rng.choices(parts, k=rng.randint(0, 6)))
        for errors in ("replace", "ignore"):
            found = strings.unicode_decode(runtime.constant(data), "UTF-8", errors=errors)
            assert found.numpy().tolist() == [ord(c) for c in data.decode("utf-8", errors)], data


def test_what_is_malformed() -> None:
    assert strings.unicode_decode(b"a\xffb", "UTF-8", replacement_char=63).numpy().tolist() == [97, 63, 98]
    assert strings.unicode_decode(b"a\x01", "UTF-8", replace_control_characters=True).numpy().tolist() == [97, 0xFFFD]
    assert strings.unicode_transcode(b"a\xff", "UTF-8", "UTF-8", errors="ignore").numpy() == b"a"
    with pytest.raises(InvalidArgumentError, match=r"malformed at byte 1: no UTF-8, at index \(1,\)"):
        strings.unicode_decode([b"a", b"b\xff"], "UTF-8", errors="strict")
    with pytest.raises(InvalidArgumentError, match="-1 is the code of no character, at position 1"):
        strings.unicode_encode([97, -1], "UTF-8", errors="strict")
    assert strings.unicode_encode([97, 0xD800], "UTF-8").numpy() == "a\ufffd".encode()


def test_other_encodings() -> None:
    assert strings.unicode_transcode("hé".encode("latin-1"), "ISO-8859-1", "UTF-8").numpy() == "hé".encode()
    assert strings.unicode_decode("€".encode("cp1252"), "windows-1252").numpy().tolist() == [0x20AC]
    marked = "hé".encode("utf-16")
    assert strings.unicode_decode_with_offsets(marked, "UTF-16")[1].numpy().tolist() == [2, 4]
    assert strings.unicode_decode("hé".encode("utf-16-be"), "UTF-16").numpy().tolist() == [104, 233]
    with pytest.raises(InvalidArgumentError, match="no encoding 'nope' is known"):
        strings.unicode_decode("a", "nope")
    with pytest.raises(InvalidArgumentError, match="output encoding"):
        strings.unicode_encode([97], "latin-1")
    with pytest.raises(InvalidArgumentError, match="errors is one of"):
        strings.unicode_decode("a", "UTF-8", errors="drop")


def test_codes_of_higher_rank() -> None:
    assert strings.unicode_encode([[104, 233], [97, 98]], "UTF-8").numpy().tolist() == ["hé".encode(), b"ab"]
    cube = runtime.ragged.constant([[[104], [105, 106]], []], ragged_rank=2)
    assert strings.unicode_encode(runtime.cast(cube, runtime.int32), "UTF-8").to_list() == [[b"h", b"ij"], []]
    with pytest.raises(ShapeMismatchError, match="codes along a last axis"):
        strings.unicode_encode(97, "UTF-8")
