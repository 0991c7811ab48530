"""`runtime.strings` against plain Python, eager and in Functions whose arguments have unknown shapes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import strings
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError

TEXTS = ["", "a", "Ab c", "  x  y ", "héllo wörld", "1,2,,3", "€😀", "tab\tend\n"]


def in_graph(function: Callable[[Any], Any], *values: Any) -> Any:
    """The function in a graph that does not know the sizes of its arguments."""
    tensors = [runtime.constant(v) for v in values]
    specs = [runtime.TensorSpec([None] * t.ndim, t.dtype) for t in tensors]
    return runtime.function(function, input_signature=specs)(*tensors)


def plain(value: Any) -> Any:
    return value.to_list() if isinstance(value, runtime.RaggedTensor) else np.asarray(value.numpy(), object).tolist()


def assert_both(function: Callable[..., Any], wanted: Any, *values: Any) -> None:
    """The function gives this eagerly and in a graph."""
    assert plain(function(*map(runtime.constant, values))) == wanted
    assert plain(in_graph(function, *values)) == wanted


@pytest.mark.parametrize(
    ("function", "by_python"),
    [
        (strings.length, lambda t: len(t.encode())),
        (lambda x: strings.length(x, unit="UTF8_CHAR"), len),
        (lambda x: strings.lower(x, encoding="utf-8"), lambda t: t.lower().encode()),
        (lambda x: strings.upper(x, encoding="utf-8"), lambda t: t.upper().encode()),
        (strings.lower, lambda t: t.encode().lower()),
        (strings.upper, lambda t: t.encode().upper()),
        (strings.strip, lambda t: t.strip().encode()),
        (lambda x: strings.join([x, "!", x], separator="-"), lambda t: f"{t}-!-{t}".encode()),
        (lambda x: x + "!", lambda t: f"{t}!".encode()),
        (lambda x: strings.regex_replace(x, "[a-z]+", r"<\0>"), None),
        (lambda x: strings.regex_full_match(x, ".*o.*"), lambda t: "o" in t and "\n" not in t),
        (lambda x: strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"), lambda t: t.encode("utf-16-be")),
        (lambda x: strings.split(x), lambda t: [p.encode() for p in t.split()]),
        (lambda x: strings.split(x, ","), lambda t: [p.encode() for p in t.split(",")]),
        (lambda x: strings.split(x, maxsplit=1), lambda t: [p.encode() for p in t.split(maxsplit=1)]),
        (lambda x: strings.bytes_split(x), lambda t: [bytes([b]) for b in t.encode()]),
        (lambda x: strings.unicode_decode(x, "UTF-8"), lambda t: [ord(c) for c in t]),
        (lambda x: strings.unicode_split(x, "UTF-8"), lambda t: [c.encode() for c in t]),
        (lambda x: strings.unicode_decode_with_offsets(x, "UTF-8")[1],
         lambda t: [len(t[:i].encode()) for i in range(len(t))]),
    ],
)  # fmt: skip
def test_each_text_as_python_does(function: Callable[..., Any], by_python: Callable[[str], Any] | None) -> None:
    if by_python is None:
        import re

        by_python = lambda t: re.sub("[a-z]+", lambda m: f"<{m[0]}>", t).encode()
    assert_both(function, [by_python(t) for t in TEXTS], TEXTS)
    for text in TEXTS:
        assert_both(function, by_python(text), text)
    matrix = [TEXTS[:4], TEXTS[4:]]
    assert_both(function, [[by_python(t) for t in row] for row in matrix], matrix)
    assert_both(function, [], np.empty(0, object))


def test_substr_as_slices_of_python() -> None:
    rng = random.Random(3)
    for _ in range(30):
        text = rng.choice(TEXTS)
        pos, count = rng.randint(-len(text), len(text)), rng.randint(0, 5)
        start = pos + len(text) if pos < 0 else pos
        wanted = text[start : start + count].encode()
        cut = lambda x, p, n: strings.substr(x, p, n, unit="UTF8_CHAR")
        assert_both(cut, wanted, text, pos, count)
    cut = lambda x, p: strings.substr(x, p, 2)
    assert_both(cut, [[b"ab", b"bc"], [b"de", b"ef"]], [["abc"], ["def"]], [0, 1])
    assert_both(lambda x: strings.substr(x, -2, -1), b"lo", "hello")


def test_a_position_outside_of_a_text_names_text_and_index() -> None:
    words = r"position 3 is out of range for b'de', which has 2, at index \(1,\)"
    with pytest.raises(InvalidArgumentError, match=words):
        strings.substr(["abc", "de"], 3, 1)
    with pytest.raises(InvalidArgumentError, match=r"position 3 is out of range for b'de'"):
        in_graph(lambda x: strings.substr(x, 3, 1), ["abc", "de"])
    with pytest.raises(InvalidArgumentError, match="unit is 'BYTE' or 'UTF8_CHAR'"):
        strings.substr("abc", 0, 1, unit="CHAR")


# -- numbers -------------------------------------------------------------------------------------------------------


def test_numbers_in_texts() -> None:
    assert_both(strings.to_number, [1.5, -1000.0, 0.25], ["1.5", " -1e3 ", ".25"])
    for dtype in (runtime.int32, runtime.int64, runtime.uint8):
        assert_both(lambda x: strings.to_number(x, dtype), [[12], [3]], [["12"], ["+3"]])
    assert strings.to_number("1.5", runtime.float64).dtype is runtime.float64
    assert strings.to_number("1e400").numpy() == np.inf
    assert np.isnan(strings.to_number("NaN").numpy())
    for text in ("0.1", "1e-40", "16777217"):
        assert strings.to_number(text).numpy() == np.float32(text)


@pytest.mark.parametrize("text", ["abc", "", "1_000", "1.5.2", "0x10", "one", "1 2", "--1"])
def test_what_is_no_number_is_named(text: str) -> None:
    for read in (strings.to_number, lambda x: in_graph(strings.to_number, x)):
        with pytest.raises(InvalidArgumentError) as caught:
            read(["1", text])
        assert repr(text.encode()) in str(caught.value) and "(1,)" in str(caught.value)


def test_numbers_that_do_not_fit_and_other_dtypes() -> None:
    with pytest.raises(InvalidArgumentError, match=r"3000000000 does not fit int32"):
        strings.to_number("3000000000", runtime.int32)
    with pytest.raises(InvalidArgumentError, match=r"b'1.5' is no int32"):
        strings.to_number("1.5", runtime.int32)
    with pytest.raises(DtypeMismatchError, match="out_type string"):
        strings.to_number("1", runtime.string)
    with pytest.raises(TypeError, match=r"got int32. Use runtime\.strings\.as_string\(x\)"):
        strings.length([1, 2])
    with pytest.raises(TypeError, match=r"got string. Use runtime\.strings\.to_number\(x\)"):
        runtime.exp(["1.5"])
    with pytest.raises(TypeError):
        runtime.cast(runtime.constant("1"), runtime.int32)


def test_numbers_as_texts() -> None:
    assert_both(strings.as_string, [b"1", b"-22"], [1, -22])
    assert_both(strings.as_string, [b"true", b"false"], [True, False])
    assert_both(strings.as_string, [b"1.500000", b"0.333333", b"inf"], [1.5, 1 / 3, np.inf])
    assert_both(lambda x: strings.as_string(x, precision=2), [b"1.50", b"10000000000.00"], [1.5, 1e10])
    assert_both(lambda x: strings.as_string(x, shortest=True), [b"1.5", b"1e+10"], [1.5, 1e10])
    assert_both(lambda x: strings.as_string(x, scientific=True), [b"1.500000e+00"], [1.5])
    assert_both(lambda x: strings.as_string(x, width=4, fill="0"), [b"0001", b"-002"], [1, -2])
    assert_both(lambda x: strings.as_string(x, width=4, fill="-"), [b"1   "], [1])
    numbers = np.random.default_rng(0).normal(size=20)
    assert plain(strings.as_string(numbers)) == [b"%f" % n for n in numbers]
    back = strings.to_number(strings.as_string(numbers, precision=17, scientific=True), runtime.float64)
    assert back.numpy().tolist() == numbers.tolist()


def test_format_writes_values_as_print_does() -> None:
    assert strings.format("x {} y {}", ([1, 2], 3)).numpy() == b"x [1 2] y 3"
    assert in_graph(lambda x: strings.format("{}!", x), np.arange(10)).numpy() == b"[0 1 2 ... 7 8 9]!"
    assert in_graph(lambda x: strings.format("{}!", x, summarize=-1), np.arange(8)).numpy() == b"[0 1 2 3 4 5 6 7]!"
    assert strings.format("a %t", ["b"], placeholder="%t").numpy() == b'a "b"'
    with pytest.raises(ValueError, match="2 places '{}', and there are 1 inputs"):
        strings.format("{} {}", 1)


# -- joining -------------------------------------------------------------------------------------------------------


def test_reduce_join_along_axes() -> None:
    x = [["a", "b", "c"], ["d", "e", "f"]]
    assert_both(strings.reduce_join, b"abcdef", x)
    assert_both(lambda t: strings.reduce_join(t, axis=0, separator="-"), [b"a-d", b"b-e", b"c-f"], x)
    assert_both(lambda t: strings.reduce_join(t, axis=-1, keepdims=True), [[b"abc"], [b"def"]], x)
    assert_both(lambda t: strings.reduce_join(t, axis=[0, 1]), b"adbecf", x)
    assert_both(lambda t: strings.reduce_join(t, axis=[1, 0]), b"abcdef", x)
    assert_both(lambda t: strings.reduce_join(t, axis=1), [b"", b""], np.empty((2, 0), object))
    with pytest.raises(ShapeMismatchError, match="axis 2"):
        strings.reduce_join(x, axis=2)
    assert_both(lambda t: strings.unsorted_segment_join(t, [1, 0, 1, -1], 3, ":"), [b"b", b"a:c", b""], list("abcd"))


def test_texts_that_do_not_broadcast() -> None:
    for wrong in ("ab", runtime.constant(["a", "b"]), None):
        with pytest.raises(TypeError, match="a list of tensors"):
            strings.join(wrong)
    with pytest.raises(TypeError, match="texts"):
        strings.format(1, [2])
    with pytest.raises(ShapeMismatchError, match=r"\(2,\).*\(3,\)"):
        strings.join([["a", "b"], ["a", "b", "c"]])
    assert strings.join([]).numpy() == b""


# -- ragged inputs, and texts in control flow ------------------------------------------------------------------------


def test_ragged_texts() -> None:
    rows = runtime.ragged.constant([["one two", "x"], [], ["three"]])
    for call in (lambda f: f(rows), lambda f: runtime.function(f)(rows)):
        assert call(strings.length).to_list() == [[7, 1], [], [5]]
        assert call(strings.split).to_list() == [[[b"one", b"two"], [b"x"]], [], [[b"three"]]]
        assert call(lambda r: strings.join([r, "!"])).to_list() == [[b"one two!", b"x!"], [], [b"three!"]]
        assert call(lambda r: strings.reduce_join(r, axis=1, separator="+")).numpy().tolist() == [
            b"one two+x", b"", b"three",
        ]  # fmt: skip
        assert call(lambda r: strings.regex_replace(r, "t", "T")).to_list() == [[b"one Two", b"x"], [], [b"Three"]]
        assert call(lambda r: strings.unicode_encode(strings.unicode_decode(r, "UTF-8"), "UTF-8")).to_list() == [
            [b"one two", b"x"], [], [b"three"],
        ]  # fmt: skip


def test_words_are_counted_in_a_staged_loop() -> None:
    @runtime.function(input_signature=[runtime.TensorSpec([None], runtime.string)])
    def longest(lines: Any) -> Any:
        best, count = runtime.constant(b""), 0
        for words in strings.split(lines):
            count += runtime.size(words)
            for word in words:
                if strings.length(word) > strings.length(best):
                    best = word
        return best, count

    best, count = longest(["a quick brown", "", "foxes jumped over"])
    assert (best.numpy(), int(count)) == (b"jumped", 6)


def test_the_rank_of_texts_must_be_known_to_split_them() -> None:
    with pytest.raises(InvalidArgumentError, match="the rank of the texts must be known"):
        runtime.function(strings.split, input_signature=[runtime.TensorSpec(None, runtime.string)])(["a"])
