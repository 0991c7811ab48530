"""`while a:` with an array of one element that the loop writes to: it is asked for each iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def halved(n: Any) -> Any:
    count = 0
    while n:
        count += 1
        n //= 2
    return count


def as_binary(n: Any) -> Any:
    text = ""
    while n:
        text = str(n % 2) + text
        n //= 2
    return text


def counted_down(n: Any) -> Any:
    count = 0
    while not n == 0 and n:
        n -= 1
        count += n
    return count


def by_a_view(n: Any) -> Any:
    view, count = n[...], 0
    while view:
        n -= 5
        count += 1
    return count


@pytest.mark.parametrize("function", [halved, as_binary, counted_down, by_a_view])
def test_a_loop_over_an_array_of_one_element(function: Callable[[Any], Any]) -> None:
    array, expected = np.array(25), function(np.array(25))
    found = np.asarray(tf.function(function)(array)).item()
    assert (found.decode() if isinstance(found, bytes) else found) == expected
    assert array == 0
