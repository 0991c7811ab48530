"""docs/numpy.md is what the tables say, and they speak of every function of numpy."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from docs.numpy_page import PAGE, numpy_page, statuses
from runtime.tensor.numpy_calls.refused import OUTSIDE, REFUSED


def test_the_page_is_made_from_the_tables() -> None:
    assert PAGE.read_text(encoding="utf-8") == numpy_page(), "run: python docs/numpy_page.py"


def test_every_function_is_here_or_has_its_reason() -> None:
    found = statuses()
    assert [name for name, status in found.items() if status == "unknown"] == []
    here, refused = (sum(status == word for status in found.values()) for word in ("here", "refused"))
    assert here / (here + refused) >= 0.9
    assert [name for name in (*REFUSED, *OUTSIDE) if found.get(name) == "here"] == []


@pytest.mark.parametrize("name", ["packbits", "isfortran", "array2string", "isnat"])
def test_what_is_refused_says_what_to_take(name: str) -> None:
    def call(x: tf.Tensor) -> object:
        return getattr(np, name)(x)

    for autograph in (True, False)[: 1 if name == "isfortran" else 2]:  # that one numpy does not pass on
        with pytest.raises(TypeError) as caught:
            tf.function(call, autograph=autograph)(tf.constant([1, 2]))
        assert f"np.{name} cannot be recorded" in str(caught.value)
        assert {**REFUSED, **OUTSIDE}[name] in str(caught.value)
