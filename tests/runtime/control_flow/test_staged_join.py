"""`separator.join(pieces)` where the graph decides how many pieces there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def generated(n):
    return ",".join(f"{i}" for i in range(n))


def grown(n):
    words = []
    for i in range(1, n + 1):
        if i % 15 == 0:
            words.append("fizzbuzz")
        elif i % 3 == 0:
            words.append("fizz")
        else:
            words.append(f"{i}")
    return "-".join(words) + "!"


def comprehended(n):
    return ";".join([f"{i}" for i in range(n) if i % 2])


def in_a_loop(n):
    text = ""
    for i in range(n):
        text = "".join(f"{j}" for j in range(i)) + text
    return text


def plain_pieces(n):
    return ",".join(f"{i}" for i in range(3)), ",".join({"a": n})


@pytest.mark.parametrize("program", [generated, grown, comprehended, in_a_loop, plain_pieces])
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5, 16)


def test_a_tensor_of_texts_is_joined() -> None:
    @tf.function
    def joined(words):
        return "+".join(words)

    assert joined(tf.constant(["a", "b", "c"])).numpy() == b"a+b+c"


def test_numbers_are_refused_as_in_python() -> None:
    with pytest.raises(TypeError, match="expected str instance, a tensor of dtype int64 found"):
        tf.function(lambda n: ",".join(i for i in range(n)))(tf.constant(3))
