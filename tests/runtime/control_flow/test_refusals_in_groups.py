"""What staging refuses is taken by no `except*`; what eager code raises, too, is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, observe
from tests.runtime.control_flow.test_refusals_in_try import RAISED, REFUSED


def star_handler(fails, x):
    y = -1
    try:
        y = fails(x)
    except* Exception:
        y = -2
    return y


@pytest.mark.parametrize("fails", REFUSED.values(), ids=REFUSED)
def test_what_staging_refuses_is_not_taken_by_handlers_of_groups(fails: Callable[..., Any]) -> None:
    def around(x):
        try:
            return star_handler(fails, x)
        except Exception:
            return -4

    for program in (lambda x: star_handler(fails, x), around):
        result, _ = observe(tf.function(program), tf.constant(3))
        assert isinstance(result, StagingError), result


@pytest.mark.parametrize("fails", RAISED.values(), ids=RAISED)
def test_what_python_raises_is_taken_by_handlers_of_groups(fails: Callable[..., Any]) -> None:
    assert_same(lambda x: star_handler(fails, x), 3)
