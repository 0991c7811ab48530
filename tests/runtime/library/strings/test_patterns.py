"""Regular expressions in the syntax of RE2: what would mean something else in Python, and what is refused."""

from __future__ import annotations

import re

import pytest

from runtime import strings
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.pattern_syntax import translated


@pytest.mark.parametrize(
    ("pattern", "text", "result"),
    [
        ("a$", "a\n", "a\n"),  # Python's $ matches before a last newline, too
        ("(?m)a$", "a\na", "x\nx"),
        ("(?m:a$)|b$", "a\nb\n", "x\nb\n"),
        ("(?m)(?-m:a$)", "a\na", "a\nx"),
        (r"a\z", "aa", "ax"),
        (r"\s+", "a \v\tb", "ax\vxb"),
        (r"\S", " a", " x"),
        (r"[\s,]+", "a , b", "axb"),
        (r"\Qa.b\E.", "a.bc axbc", "x axbc"),
        (r"\x{e9}", "é", "x"),
        (r"\d", "1\u0661", "x\u0661"),
        ("[[:alpha:]]+", "abc1def", "x1x"),
        ("[[:^digit:]]+", "ab12", "x12"),
        ("[^[:space:]]+", "a b", "x x"),
        ("[]a]", "]ab", "xxb"),
        ("[^]a]", "]ab", "]ax"),
        ("[a&&b]+", "a&b", "x"),
        ("[a--]+", "a-", None),
        ("a{,3}", "a{,3}aaa", "xaaa"),
        ("a{1,2}", "aaa", "xx"),
        ("(?<first>a)b", "ab", "x"),
        ("(?P<first>a)b", "ab", "x"),
        ("(?i)A", "aA", "xx"),
        (".", "é\n", "x\n"),
        ("a|b$", "ab", "xx"),
        ("", "ab", "xaxbx"),
        ("b*", "abbc", "xaxcx"),
    ],
)
def test_patterns(pattern: str, text: str, result: str | None) -> None:
    if result is None:
        with pytest.raises(InvalidArgumentError, match="Invalid pattern"):
            strings.regex_replace(text, pattern, "x")
    else:
        assert strings.regex_replace(text, pattern, "x").numpy().decode() == result


@pytest.mark.parametrize("pattern", ["(", "[", "a**b", r"\pL", "[[:nope:]]", "a(?i)b", "(?P<n>a)(?P<n>b)"])
def test_invalid_patterns_are_named(pattern: str) -> None:
    with pytest.raises(InvalidArgumentError, match=re.escape(f"Invalid pattern: {pattern}")):
        strings.regex_full_match("a", pattern)


def test_rewrites() -> None:
    assert strings.regex_replace("ab cd", r"(\w)(\w)", r"\2\1\\").numpy() == b"ba\\ dc\\"
    assert strings.regex_replace("aa", "a", "b", replace_global=False).numpy() == b"ba"
    with pytest.raises(InvalidArgumentError, match="takes group 1, the pattern has 0"):
        strings.regex_replace("a", "a", r"\1")
    with pytest.raises(InvalidArgumentError, match="after a backslash"):
        strings.regex_replace("a", "a", r"\n")


def test_what_needs_no_change_stays() -> None:
    for pattern in ("abc", "[a-z]+(b|c)*?", r"\bfoo\w\.", "^x", "(?:a)(?=b)"):
        assert translated(pattern) == pattern


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    assert strings.regex_replace(b"a\xffb", "[ab]", "x").numpy() == b"x\xffx"
    assert not strings.regex_full_match(b"\xff", "[a-z]").numpy()
