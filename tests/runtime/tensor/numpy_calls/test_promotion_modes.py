"""The modes of `experimental_enable_numpy_behavior`: which dtype operands of two dtypes have together.

The table is that of mode `all`; what ends with `!` is refused by mode `safe`, as it loses digits or is wider than both.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime import numpy as tnp
from runtime.promotion import common_dtype

TABLE = """
         bool  u8    u16   u32   u64   i8    i16   i32   i64   bf16  f16   f32   f64   c64   c128  int   float complex
    bool bool  u8    u16   u32   u64   i8    i16   i32   i64   bf16  f16   f32   f64   c64   c128  i64   f64   c128
    u8   u8    u8    u16   u32   u64   i16!  i16   i32   i64   bf16  f16   f32   f64   c64   c128  u8    f64!  c128!
    u16  u16   u16   u16   u32   u64   i32!  i32!  i32   i64   bf16! f16!  f32   f64   c64   c128  u16   f64!  c128!
    u32  u32   u32   u32   u32   u64   i64!  i64!  i64!  i64   bf16! f16!  f32!  f64   c64!  c128  u32   f64!  c128!
    u64  u64   u64   u64   u64   u64   f64!  f64!  f64!  f64!  bf16! f16!  f32!  f64!  c64!  c128! u64   f64!  c128!
    i8   i8    i16!  i32!  i64!  f64!  i8    i16   i32   i64   bf16  f16   f32   f64   c64   c128  i8    f64!  c128!
    i16  i16   i16   i32!  i64!  f64!  i16   i16   i32   i64   bf16! f16!  f32   f64   c64   c128  i16   f64!  c128!
    i32  i32   i32   i32   i64!  f64!  i32   i32   i32   i64   bf16! f16!  f32!  f64   c64!  c128  i32   f64!  c128!
    i64  i64   i64   i64   i64   f64!  i64   i64   i64   i64   bf16! f16!  f32!  f64!  c64!  c128! i64   f64!  c128!
    bf16 bf16  bf16  bf16! bf16! bf16! bf16  bf16! bf16! bf16! bf16  f32!  f32   f64   c64   c128  bf16  bf16  c64
    f16  f16   f16   f16!  f16!  f16!  f16   f16!  f16!  f16!  f32!  f16   f32   f64   c64   c128  f16   f16   c64
    f32  f32   f32   f32   f32!  f32!  f32   f32   f32!  f32!  f32   f32   f32   f64   c64   c128  f32   f32   c64
    f64  f64   f64   f64   f64   f64!  f64   f64   f64   f64!  f64   f64   f64   f64   c128! c128  f64   f64   c128
    c64  c64   c64   c64   c64!  c64!  c64   c64   c64!  c64!  c64   c64   c64   c128! c64   c128  c64   c64   c64
    c128 c128  c128  c128  c128  c128! c128  c128  c128  c128! c128  c128  c128  c128  c128  c128  c128  c128  c128
""".strip("\n").splitlines()

COLUMNS = TABLE[0].split()
ROWS = {row.split()[0]: row.split()[1:] for row in TABLE[1:]}
NAMES = {"bool": "bool"} | {
    short + str(bits): long + str(bits)
    for short, long, sizes in (
        ("u", "uint", (8, 16, 32, 64)), ("i", "int", (8, 16, 32, 64)), ("bf", "bfloat", (16,)),
        ("f", "float", (16, 32, 64)), ("c", "complex", (64, 128)),
    )
    for bits in sizes
}  # fmt: skip
LITERALS = {"int": 2, "float": 1.5, "complex": 1j}
CELLS = [(a, b, ROWS[a][n]) for a in ROWS for n, b in enumerate(COLUMNS)]


def dtype_of(name: str) -> tf.DType:
    return tf.as_dtype(NAMES[name])


def both(a: str, b: str) -> tuple[tf.Tensor, object]:
    return tf.cast(tf.constant([1, 0]), dtype_of(a)), (
        LITERALS[b] if b in LITERALS else tf.cast(tf.constant([1, 0]), dtype_of(b))
    )


def met(a: str, b: str) -> tf.DType:
    """The dtype of a product of both, from either side."""
    x, y = both(a, b)
    if a == b == "bool":
        return common_dtype(tf.bool, tf.bool)
    found = (x * y).dtype
    assert (y * x).dtype is found
    assert (x == y).dtype is tf.bool
    return found


def test_every_pair_has_a_row_and_a_column() -> None:
    assert list(ROWS) == COLUMNS[:-3]
    assert all(len(row) == len(COLUMNS) for row in ROWS.values())
    assert set(ROWS) == set(NAMES)


@pytest.mark.parametrize("row", ROWS)
def test_all(row: str) -> None:
    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all"):
        for a, b, expected in CELLS:
            if a == row:
                assert met(a, b) is dtype_of(expected.rstrip("!")), (a, b)


@pytest.mark.parametrize("row", ROWS)
def test_safe_refuses_what_loses_or_widens(row: str) -> None:
    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe"):
        for a, b, expected in CELLS:
            if a == row and expected.endswith("!"):
                with pytest.raises(TypeError, match="mode 'safe'"):
                    met(a, b)
            elif a == row:
                assert met(a, b) is dtype_of(expected), (a, b)


def test_safe_keeps_every_number() -> None:
    """What is not refused is one of the two dtypes, and numpy agrees that it holds all numbers of the other."""
    for a, b, expected in CELLS:
        if b in LITERALS or "bf16" in (a, b) or expected.endswith("!"):
            continue
        assert expected in (a, b)
        for name in (a, b):
            kept = np.can_cast(dtype_of(name).as_numpy_dtype, dtype_of(expected).as_numpy_dtype)
            assert kept or (name[0] in "ui" and expected[0] in "fc"), (a, b)  # NumPy says that int64 fits into float64
    for whole in (name for name in ROWS if name[0] in "ui"):
        digits = int(whole[1:]) - (whole[0] == "i")
        for real, room in (("bf16", 8), ("f16", 11), ("f32", 24), ("f64", 53)):
            cell = ROWS[whole][COLUMNS.index(real)]
            assert cell.endswith("!") == (digits > room), (whole, real)


def test_legacy_is_numpys_promotion() -> None:
    with tnp.experimental_enable_numpy_behavior():
        for a, b in itertools.product(ROWS, ROWS):
            if "bf16" in (a, b):
                expected = dtype_of(ROWS[a][COLUMNS.index(b)].rstrip("!"))
            else:
                expected = tf.as_dtype(np.result_type(dtype_of(a).as_numpy_dtype, dtype_of(b).as_numpy_dtype))
            assert met(a, b) is expected, (a, b)
        for a, (b, literal) in itertools.product(ROWS, LITERALS.items()):
            if a != "bf16":
                assert met(a, b) is tf.as_dtype(np.result_type(dtype_of(a).as_numpy_dtype, literal)), (a, b)


def test_off_is_strict() -> None:
    for a, b in itertools.product(ROWS, ROWS):
        if a != b:
            with pytest.raises(TypeError):
                met(a, b)
        else:
            assert met(a, b) is dtype_of(a)


def test_floats_of_python_are_float32_where_that_is_preferred() -> None:
    whole = tf.constant(1, tf.int16)
    with tnp.experimental_enable_numpy_behavior(True, "all"):
        assert (whole + 1.5).dtype is tf.float32
        assert ((tf.constant(True) + 1).dtype, (tf.constant(True) + 1.5).dtype) == (tf.int32, tf.float32)
        assert (tnp.zeros(2).dtype, tnp.arange(3).dtype) == (tf.float32, tf.int32)
        assert tnp.zeros(2, dtype=float).dtype is tf.float64
    assert tnp.zeros(2).dtype is tf.float64


def test_graphs_follow_the_mode() -> None:
    @tf.function
    def both_ways(flags: tf.Tensor, small: tf.Tensor, real: tf.Tensor) -> tuple[tf.Tensor, ...]:
        return flags + 1, 2 * small, small * real, real - flags

    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all"):
        found = both_ways(tf.constant([True]), tf.constant([3], tf.int8), tf.constant([0.5], tf.float16))
    assert [t.dtype.name for t in found] == ["int64", "int8", "float16", "float16"]
    assert [t.numpy().tolist() for t in found] == [[2], [6], [1.5], [-0.5]]
