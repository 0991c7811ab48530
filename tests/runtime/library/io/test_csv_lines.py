"""Records of CSV as tensors, against Python's csv module and by hand."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError


def plain(columns: Any) -> list[Any]:
    return [np.asarray(column).tolist() for column in columns]


@pytest.mark.parametrize("staged", [False, True])
def test_columns(staged: bool) -> None:
    def read(texts: Any) -> Any:
        return tf.io.decode_csv(texts, [0, 1.5, "none", tf.constant(7, tf.int64), tf.constant(0.5, tf.float64)])

    call = tf.function(read, input_signature=[tf.TensorSpec(None, tf.string)]) if staged else read
    found = call(tf.constant(["1,2.5,a,9999999999,0.1", "-3,,,,", '"4", +1e3 ,"x,""y""\n",5,nan']))
    assert [column.dtype.name for column in found] == ["int32", "float32", "string", "int64", "float64"]
    assert plain(found)[:4] == [[1, -3, 4], [2.5, 1.5, 1000], [b"a", b"none", b'x,"y"\n'], [9999999999, 7, 5]]
    assert plain(found)[4][:2] == [0.1, 0.5] and np.isnan(plain(found)[4][2])
    assert plain(call(tf.constant("1,2,a,3,4"))) == [1, 2.0, b"a", 3, 4.0]
    assert [c.shape for c in call(tf.constant([["1,2,a,3,4"]] * 2))] == [(2, 1)] * 5
    assert [c.shape for c in call(tf.zeros([0, 3], tf.string))] == [(0, 3)] * 5


def test_options() -> None:
    read = tf.io.decode_csv
    assert plain(read(["a|2", "b|"], ["", 1], field_delim="|")) == [[b"a", b"b"], [2, 1]]
    assert plain(read("1\t2", [0, 0], field_delim="\t")) == [1, 2]
    assert plain(read("NA,NA,", ["z", 1, 2], na_value="NA")) == [b"z", 1, 2]
    assert plain(read("1,2,3,4", [0, 0], select_cols=[1, 3])) == [2, 4]
    assert plain(read('"a",2', ["", 0], use_quote_delim=False)) == [b'"a"', 2]
    assert plain(read('"",2', [[7], 0])) == [7, 2]
    assert plain(read("2,", [tf.constant([], tf.int32), 0])) == [2, 0]


@pytest.mark.parametrize("delimiter", [",", ";", "]", "^", "-", "\\", " "])
def test_whatever_python_writes(delimiter: str) -> None:
    rng = random.Random(delimiter)
    rows = [["".join(rng.choices('ab"\n\r,;]^-\\ é', k=rng.randrange(6))) for _ in range(3)] for _ in range(200)]
    texts, ways = [], (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    for row in rows:
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\r\n", quoting=rng.choice(ways)).writerow(row)
        texts.append(text.getvalue().encode().removesuffix(b"\r\n"))
    found = tf.io.decode_csv(texts, [""] * 3, field_delim=delimiter)
    assert plain(found) == [[row[i].encode() for row in rows] for i in range(3)]


def test_in_a_dataset() -> None:
    lines = tf.data.Dataset.from_tensor_slices([f"{i},{i / 2},name {i}" for i in range(30)])
    for dataset in (lines.map(lambda line: tuple(tf.io.decode_csv(line, [0, 0.0, ""]))).batch(7),
                    lines.batch(7).map(lambda batch: tuple(tf.io.decode_csv(batch, [0, 0.0, ""])))):  # fmt: skip
        numbers, halves, names = zip(*dataset.as_numpy_iterator(), strict=True)
        assert np.concatenate(numbers).tolist() == list(range(30))
        assert np.concatenate(halves).tolist() == [i / 2 for i in range(30)]
        assert np.concatenate(names).tolist() == [b"name %d" % i for i in range(30)]


EMPTY = tf.constant([], tf.float32)

REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "few": (lambda: tf.io.decode_csv(["1,2", "2"], [0, 0]), InvalidArgumentError, r"\(1,\): it has 1 fields, where 2"),
    "many": (lambda: tf.io.decode_csv(["1,2,3"], [0, 0]), InvalidArgumentError, "3 fields, where 2 are"),
    "none": (lambda: tf.io.decode_csv([""], [""]), InvalidArgumentError, "0 fields"),
    "selected": (lambda: tf.io.decode_csv("1,2", [0], select_cols=[2]), InvalidArgumentError, "where 3 at least are"),
    "number": (lambda: tf.io.decode_csv(["1,2", "2,x"], [0, 0]), InvalidArgumentError, r"\(1,\): the field 1: b'x'"),
    "fraction": (lambda: tf.io.decode_csv("1.5", [0]), InvalidArgumentError, "b'1.5' is no int32"),
    "underscore": (lambda: tf.io.decode_csv("1_000", [0]), InvalidArgumentError, "is no int32"),
    "other digits": (lambda: tf.io.decode_csv("١", [0]), InvalidArgumentError, "is no int32"),
    "large": (lambda: tf.io.decode_csv("3000000000", [0]), InvalidArgumentError, "is no int32"),
    "required": (lambda: tf.io.decode_csv("1,", [0, EMPTY]), InvalidArgumentError, "field 1: it is empty"),
    "quote": (lambda: tf.io.decode_csv('a"b', [""]), InvalidArgumentError, "field 0, at byte 0, is neither"),
    "open": (lambda: tf.io.decode_csv(['"a', 'b"'], [""]), InvalidArgumentError, r"\(0,\).* at byte 0"),
    "after": (lambda: tf.io.decode_csv('1,"a"b', [0, ""]), InvalidArgumentError, "field 1, at byte 2"),
    "line": (lambda: tf.io.decode_csv("a\n", [""]), InvalidArgumentError, "ends of lines"),
    "delimiter": (lambda: tf.io.decode_csv("a", [""], field_delim="ab"), InvalidArgumentError, "one character"),
    "bool": (lambda: tf.io.decode_csv("1", [True]), DtypeMismatchError, "bool"),
    "two": (lambda: tf.io.decode_csv("1", [[1, 2]]), InvalidArgumentError, "one default"),
    "nothing": (lambda: tf.io.decode_csv("1", []), InvalidArgumentError, "at least one"),
    "order": (lambda: tf.io.decode_csv("1,2", [0, 0], select_cols=[1, 0]), ValueError, "rise"),
    "lengths": (lambda: tf.io.decode_csv("1,2", [0, 0], select_cols=[1]), ValueError, "2 entries, select_cols 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        call()
