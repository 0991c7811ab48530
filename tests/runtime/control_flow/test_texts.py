"""A text that the run makes is a sequence of characters with the methods of `str`: what Python gives, in one trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same

WORDS = ("", "a", "abc", "Héllo Wörld", "a,b,,c", "  two  words ", "12", "-7", "日本語", "aXbXa", "tab\tbed\nline")


def cut(s):
    return s[::-1], s[1:3], s[:-1], s[-2:], s[::2], s[5:1], s[True:], len(s), len(s[1:])


def places(s, i):
    return s[i:], s[:i], s[i : i + 2], s[i::-1], s * i, i * s, "ab" * i, "abcdef"[i:], len(s * i)


def item(s, i):
    return s[i], "abc"[i], s[-1], s[0]


def changed(s):
    return (
        s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.strip(), s.lstrip(), s.rstrip(),
        s.strip("a "), s.zfill(8), s.rjust(9), s.ljust(9, "."), s.center(9, "é"), s.replace("a", "ää"),
        s.replace("a", "", 1), s.expandtabs(3), s.removeprefix("a"), s.removesuffix("c"),
        s.translate(str.maketrans("ab", "xy", "c")),
    )  # fmt: skip


def asked(s):
    return (
        s.count("a"), s.find("b"), s.rfind("b"), s.find("b", 2), s.find("a", -3, -1), s.startswith("a"),
        s.startswith(("x", "ab")), s.endswith("c"), s.isdigit(), s.isalpha(), s.isalnum(), s.isspace(), s.isupper(),
        s.islower(), s.istitle(), s.isnumeric(), s.isdecimal(), s.isascii(), s.isidentifier(), s.isprintable(),
    )  # fmt: skip


def in_order(s):
    return s < "b", s <= "abc", s > "", s >= "Z", "b" < s, s == s[::-1], s != "abc", min(s, "b"), max("b", s)


def in_pieces(s):
    words = s.split()
    return (
        s.split(), s.split(","), s.split(" ", 1), s.split(sep="a", maxsplit=1), s.rsplit(None, 1), s.splitlines(),
        s.partition(","), s.rpartition(" "), len(words), " ".join(words), "-".join(s), ",".join(s.split(",")[::-1]),
        [w + "!" for w in words], list(s), sorted(s), sorted(s, reverse=True), "".join(sorted(s)),
        "".join(reversed(s)), [c.upper() for c in s if c != "a"], [(i, c) for i, c in enumerate(s)],
        [a + b for a, b in zip(s, s[2:], strict=False)],
    )  # fmt: skip


def in_loops(s):
    vowels, turned, codes, shifted = 0, "", 0, ""
    for c in s:
        if c in "aeiou":
            vowels += 1
        turned = c + turned
        codes = codes * 31 % 1009 + ord(c)
        shifted += chr((ord(c) - 97 + 3) % 26 + 97) if c.isalpha() and c.isascii() else c
    i = 0
    while i < len(s) and s[i] != "b":
        i += 1
    return vowels, turned, codes, shifted, i, any(c == "b" for c in s), all(c.isalpha() for c in s)


def searched(s):
    found = "abcabc".find(s), "abc".count(s), "xyz".startswith(s), s in "abc", "a" in s
    return *found, "a-b".replace("-", s), "-".join([s, s])


@pytest.mark.parametrize("program", [cut, changed, asked, in_order, in_pieces, in_loops, searched])
def test_a_text_is_that_of_python(program: Callable[..., Any]) -> None:
    assert_same(program, *WORDS)


def test_positions_are_known_when_the_graph_runs() -> None:
    assert_same(places, *[(word, i) for word in ("héllo", "") for i in (-7, -1, 0, 2, 6)])
    assert_same(item, ("héllo", 1), ("héllo", -2), ("héllo", 5), ("", 0), ("xyz", -4))


def handed_over(s):
    words = s.split()
    return (
        list(map(str.upper, words)), str.title(s), [*map(str.strip, s.split(","))], "".join(filter(str.isalpha, s)),
        list(map(ord, s)), sorted(words, key=str.lower), sorted(words, key=len), max([*words, "x"], key=len),
        all(map(str.isdigit, s)), list(zip(s, s[1:], [1, 2], strict=False)), "-".join(map(str.lower, words)),
    )  # fmt: skip


def test_methods_are_handed_over() -> None:
    assert_same(handed_over, *WORDS)


def extremes(s):
    return max(s), min(s), max(s, key=ord), sorted(s, key=lambda c: -ord(c))[0]


def refused_by_python(s):
    try:
        found = s.index("b")
    except ValueError as error:
        return -1, str(error)
    return found, s[found]


def codes(s):
    try:
        return ord(s)
    except TypeError:
        return -1


def test_what_python_refuses_is_refused_in_its_words() -> None:
    assert_same(extremes, "hello", "b", "zaéb", "")
    assert_same(refused_by_python, *WORDS)
    assert_same(codes, "a", "é", "", "ab")
    assert_same(lambda n: chr(n), 65, 233, 0x10FFFF, -1, 0x110000)
    assert_same(lambda s: s.split(s), "", "a")
    assert_same(lambda s, w: s.rjust(w, s), ("*", 4), ("**", 4))


def numbers_of(n):
    text = str(n)
    digits = [int(c) for c in text if c.isdigit()]
    total, other = 0, 0
    for c in str(abs(n)):
        total += int(c)
    other = sum(int(c) ** 2 for c in str(abs(n)))
    return (
        text[::-1], total, other, sum(map(int, str(abs(n)))), sum(digits), len(text), text.zfill(8), text == text[::-1],
        int(str(abs(n))[::-1]), float(text), int(text + "0") + n, str(n * n).endswith(text), text.count("1"),
        "".join(str(d + 1) for d in digits), ",".join(map(str, digits)), f"{n:,}".replace(",", " "), n == int(text),
    )  # fmt: skip


def in_a_branch(n):
    if n > 9:
        first = str(n)[0]
    else:
        first = f"{n}" * 2
    return first, [c for c in str(n)] if n > 0 else list("none")


def test_the_text_of_a_number() -> None:
    assert_same(numbers_of, 0, 7, 121, -45, 1234567)
    assert_same(in_a_branch, 3, 12, 987, -5)


def test_arguments_that_are_no_text_or_number_are_refused() -> None:
    with pytest.raises(TypeError, match="takes text and numbers; got"):
        tf.function(lambda s: s.count(object()))(tf.constant("a"))
    with pytest.raises(TypeError, match="single values"):
        tf.function(lambda s, t: s.count(t))(tf.constant("a"), tf.constant(["a", "b"]))
    with pytest.raises(AttributeError, match="no method 'encode'"):
        tf.function(lambda s: s.encode())(tf.constant("a"))
