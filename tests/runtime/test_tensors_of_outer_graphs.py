"""In a branch or loop, a tensor from around it is in scope: what is said of it is what is said outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError

ASKED: dict[str, Callable[[Any], Any]] = {"bool": bool, "int": int, "float": float}


@pytest.mark.parametrize("name", ASKED)
def test_a_tensor_from_around_a_branch_is_no_leak(name: str) -> None:
    @tf.function(autograph=False)
    def program(x: Any) -> Any:
        y = x + 1
        return tf.cond(x > 0, lambda: tf.cond(x > 1, lambda: ASKED[name](y) or y, lambda: y), lambda: x)

    with pytest.raises(OperatorNotAllowedInGraphError, match="while the function 'program' is traced") as error:
        program(tf.constant(1))
    assert "out of scope" not in str(error.value)
