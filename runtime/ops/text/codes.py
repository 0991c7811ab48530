"""Texts as Unicode: `unicode_decode`, `unicode_encode`, `unicode_transcode`.

    unicode_decode(["hé", "a"], encoding="UTF-8")      # codes [104, 233, 97], offsets [0, 1, 0], row_splits [0, 2, 3]
    unicode_encode([104, 233, 97], [0, 2, 3])          # [b"h\\xc3\\xa9", b"a"]

Encodings are those that Python knows, under all their names. What is malformed is handled as `errors` says: 'strict'
is an InvalidArgumentError that names the text and the byte, 'replace' puts the replacement character, 'ignore' leaves
it out.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, int32, int64, string
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, each, unary
from runtime.ops.records.shape_rules import same_shape
from runtime.ops.text.elements import each_text, texts_of
from runtime.ops.text.parts import check_vector, object_vector, splits_of
from runtime.shapes import TensorShape

__all__ = ["ERRORS", "OUTPUT_ENCODINGS", "unicode_decode", "unicode_encode", "unicode_transcode"]

ERRORS: Final = ("strict", "replace", "ignore")

OUTPUT_ENCODINGS: Final = ("UTF-8", "UTF-16-BE", "UTF-32-BE")

_BAD: Final = 0xDC00
"""In decoded text: _BAD + n stands for n bytes that are malformed (a decoder never gives such a character itself)."""


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return chr(_BAD + min(error.end - error.start, 255)), error.end


codecs.register_error("runtime.mark", _mark)


def _codec(name: str, encoding: str) -> str:
    try:
        found = codecs.lookup(encoding).name
        "".encode(found)  # some codecs are not for text
    except (LookupError, TypeError, AssertionError):
        raise InvalidArgumentError(f"{name}: no encoding {encoding!r} is known") from None
    return found


def _check(name: str, errors: str, replacement: int) -> None:
    if errors not in ERRORS:
        raise InvalidArgumentError(f"{name}: errors is one of {', '.join(map(repr, ERRORS))}; got {errors!r}")
    if not 0 <= replacement <= 0x10FFFF or 0xD800 <= replacement < 0xE000:
        raise InvalidArgumentError(f"{name}: replacement_char is the code of a character; got {replacement}")


def _output_codec(name: str, encoding: str) -> str:
    if encoding.upper() not in OUTPUT_ENCODINGS:
        raise InvalidArgumentError(
            f"{name}: the output encoding is one of {', '.join(map(repr, OUTPUT_ENCODINGS))}; got {encoding!r}"
        )
    return encoding


def _decoded(text: bytes, codec: str, errors: str, replacement: int, control: bool) -> Iterator[tuple[int, int]]:
    """The codes of a text's characters, and at which byte each begins. Raises ValueError."""
    if codec == "utf-16" and text[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        codec = "utf-16-be"
    found = text.decode(codec, "runtime.mark")
    if found.isascii() and len(found) == len(text) and not control:
        yield from zip(map(ord, found), range(len(text)), strict=True)
        return
    wide = codec.startswith(("utf-16", "utf-32"))  # written with a mark of the byte order, if any, before the first
    single = f"{codec}-be" if codec in ("utf-16", "utf-32") else codec
    sizes = [ord(c) - _BAD if _BAD <= ord(c) < _BAD + 256 else len(c.encode(single)) for c in found]
    offset = len(text) - sum(sizes) if wide else 0
    for char, size in zip(found, sizes, strict=True):
        code = ord(char)
        if _BAD <= code < _BAD + 256:
            if errors == "strict":
                raise ValueError(f"the text {text!r} is malformed at byte {offset}: no {codec.upper()}")
            code = -1 if errors == "ignore" else replacement
        elif control and code < 0x20:
            code = replacement
        if code >= 0:
            yield code, offset
        offset += size


def _encoded(code: int, codec: str, errors: str, replacement: int) -> bytes:
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        if errors == "strict":
            raise ValueError(f"{code} is the code of no character")
        if errors == "ignore":
            return b""
        code = replacement
    return chr(code).encode(codec)


# -- the operations ------------------------------------------------------------------------------------------------

_TEXTS: Final = (texts_of("hé", "", "a€😀"), np.zeros(0, object), texts_of(b"a\xffb", b"\xe2\x82", b"x\x01"))


def _decode_samples(dtype: DType) -> Any:
    for x in _TEXTS:
        for errors in ("replace", "ignore"):
            yield Sample((x,), {"encoding": "UTF-8", "errors": errors})
    yield Sample((texts_of(["hé".encode("utf-16-be")]),), {"encoding": "UTF-16-BE", "errors": "strict"})
    yield Sample((texts_of(["hé€".encode("cp1252")]),), {"encoding": "windows-1252", "replacement": 63})


def _decode_reference(x: Array, encoding: str, errors: str = "replace", **others: Any) -> Any:
    codes, offsets, counts = [], [], [0]
    for text in x:
        found = text.decode(encoding, errors)
        codes += [ord(c) for c in found]
        offsets += [_offset(text, encoding, errors, i) for i in range(len(found))]
        counts.append(counts[-1] + len(found))
    return np.array(codes, np.int32), np.array(offsets, np.int64), np.array(counts, np.int64)


def _offset(text: bytes, encoding: str, errors: str, position: int) -> int:
    """The least number of bytes from whose end on character `position` and all after it are decoded alone."""
    errors = "replace" if errors == "strict" else errors  # what is cut off in the middle fits nothing
    whole = text.decode(encoding, errors)
    fits = [i for i in range(len(text)) if text[i:].decode(encoding, errors) == whole[position:]]
    return fits[-1] if errors == "ignore" else fits[0]


def _decode_shapes(
    x: Operand, *, encoding: str, errors: str, replacement: int, control: bool
) -> tuple[TensorShape, ...]:
    _check("unicode_decode", errors, replacement)
    _codec("unicode_decode", encoding)
    if x.shape.rank not in (1, None):
        raise ValueError("a vector of texts is needed")
    count = x.shape[0] if x.shape.rank == 1 else None
    return TensorShape([None]), TensorShape([None]), TensorShape([None if count is None else count + 1])


@op(
    raises=VALUES,
    shape=_decode_shapes, dtypes=STRINGS, outputs=3, result=lambda x, **attributes: (int32, int64, int64),
    samples=_decode_samples, reference=_decode_reference,
    errors=[Failure(([b"a", b"b\xff"],), InvalidArgumentError, ("byte 1", "(1,)"), {"errors": "strict"}),
            Failure((["a"],), InvalidArgumentError, ("'nope'",), {"encoding": "nope"}),
            Failure((["a"],), InvalidArgumentError, ("'drop'",), {"errors": "drop"}),
            Failure(("a",), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def unicode_decode(
    x: Any, *, encoding: str = "UTF-8", errors: str = "replace", replacement: int = 0xFFFD, control: bool = False
) -> tuple[Array, Array, Array]:
    """The codes (int32) of the characters of all texts, at which byte of its text each begins, and row_splits (int64).

    x: string vector. errors: see the module; replacement: the code for what is malformed. control: whether the control
    characters below 32 are replaced, too.
    """
    _check("unicode_decode", errors, replacement)
    codec = _codec("unicode_decode", encoding)
    rows: list[list[tuple[int, int]]] = []
    for i, text in enumerate(check_vector("unicode_decode", x)):
        try:
            rows.append(list(_decoded(text, codec, errors, replacement, control)))
        except ValueError as error:
            raise InvalidArgumentError(f"unicode_decode: {error}, at index ({i},)") from None
    pairs = np.array([pair for row in rows for pair in row], np.int64).reshape(-1, 2)
    return pairs[:, 0].astype(np.int32), pairs[:, 1].copy(), splits_of(rows)


def _encode_samples(dtype: DType) -> Any:
    for encoding in OUTPUT_ENCODINGS:
        codes, splits = np.array([104, 233, 0x20AC, 0x1F600, 97], np.int32), np.array([0, 2, 2, 5], np.int64)
        yield Sample((codes, splits), {"encoding": encoding})
    yield Sample((np.array([], np.int32), np.array([0], np.int64)))
    yield Sample((np.array([-1, 97, 0xD800], np.int32), np.array([0, 3], np.int32)), {"errors": "ignore"})


def _encode_reference(codes: Array, row_splits: Array, encoding: str = "UTF-8", errors: str = "replace") -> Any:
    def one(row: Any) -> bytes:
        return "".join(chr(c) for c in row if errors != "ignore" or c in (97,)).encode(encoding)

    return object_vector([one(codes[a:b].tolist()) for a, b in itertools.pairwise(row_splits)])


def _encode_shape(codes: Operand, row_splits: Operand, *, encoding: str, errors: str, replacement: int) -> TensorShape:
    _check("unicode_encode", errors, replacement)
    _output_codec("unicode_encode", encoding)
    if codes.shape.rank not in (1, None) or row_splits.shape.rank not in (1, None):
        raise ValueError("codes and row_splits are vectors")
    count = row_splits.shape[0] if row_splits.shape.rank == 1 else None
    return TensorShape([None if count is None else max(count - 1, 0)])


@op(
    raises=VALUES,
    shape=_encode_shape, dtypes={"codes": frozenset({int32}), "row_splits": frozenset({int32, int64})}, result=string,
    samples=_encode_samples, reference=_encode_reference,
    errors=[Failure(([97, -1], [0, 2]), InvalidArgumentError, ("-1", "1"), {"errors": "strict"}),
            Failure(([97], [0, 1]), InvalidArgumentError, ("'latin-1'",), {"encoding": "latin-1"})],
)  # fmt: skip
def unicode_encode(
    codes: Any, row_splits: Any, *, encoding: str = "UTF-8", errors: str = "replace", replacement: int = 0xFFFD
) -> Array:
    """The texts whose characters have these codes. codes: int32 vector; row_splits: where each text begins in it.

    encoding: 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'. errors, replacement: for numbers that are no codes.
    """
    _check("unicode_encode", errors, replacement)
    codec = _output_codec("unicode_encode", encoding)
    pieces: list[bytes] = []
    for i, code in enumerate(np.asarray(codes).tolist()):
        try:
            pieces.append(_encoded(code, codec, errors, replacement))
        except ValueError as error:
            raise InvalidArgumentError(f"unicode_encode: {error}, at position {i} of codes") from None
    ends = np.asarray(row_splits).tolist()
    return object_vector([b"".join(pieces[a:b]) for a, b in itertools.pairwise(ends)])


def _transcode_shape(
    x: Operand, *, from_encoding: str, to_encoding: str, errors: str, replacement: int, control: bool
) -> TensorShape:
    _check("unicode_transcode", errors, replacement)
    _output_codec("unicode_transcode", to_encoding)
    _codec("unicode_transcode", from_encoding)
    return same_shape(x)


def _transcode_reference(x: Array, from_encoding: str, to_encoding: str, **others: Any) -> Any:
    return np.frompyfunc(lambda t: t.decode(from_encoding).encode(to_encoding), 1, 1)(x)


@op(
    raises=VALUES,
    shape=_transcode_shape, dtypes=STRINGS,
    samples=each(each(unary(), from_encoding=("UTF-8",)), to_encoding=OUTPUT_ENCODINGS), reference=_transcode_reference,
    errors=[Failure((["a", b"\xff"],), InvalidArgumentError, ("byte 0", "(1,)"), {"errors": "strict"}),
            Failure((["a"],), InvalidArgumentError, ("'nope'",), {"from_encoding": "nope"}),
            Failure((["a"],), InvalidArgumentError, ("'nope'",), {"to_encoding": "nope"})],
)  # fmt: skip
def unicode_transcode(
    x: Any, *, from_encoding: str = "UTF-8", to_encoding: str = "UTF-8", errors: str = "replace",
    replacement: int = 0xFFFD, control: bool = False,
) -> Any:  # fmt: skip
    """Each text in another encoding. x: string tensor. to_encoding: 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'.

    errors, replacement, control: as in `unicode_decode`.
    """
    _check("unicode_transcode", errors, replacement)
    codec, target = _codec("unicode_transcode", from_encoding), _output_codec("unicode_transcode", to_encoding)

    def transcoded(text: bytes) -> bytes:
        found = _decoded(text, codec, errors, replacement, control)
        return "".join([chr(code) for code, _ in found]).encode(target)

    return each_text("unicode_transcode", transcoded, x)
