"""The status of conversion, and conversion that depends on it."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

import autograph
from autograph.internal import ControlStatusCtx, Status, control_status_ctx, tf_convert
from autograph.template import is_artifact

PACKAGE = os.path.dirname(autograph.__file__)


def status() -> Status:
    return control_status_ctx().status


def is_converted_here() -> bool:
    frame: Any = sys._getframe(0)
    while frame is not None:
        if frame.f_code.co_name == "step":
            return is_artifact(frame.f_code)
        frame = frame.f_back
    raise AssertionError("step is not on the stack")


def step() -> tuple[bool, Status]:
    return is_converted_here(), status()


def test_the_status_goes_with_the_function() -> None:
    assert status() is Status.UNSPECIFIED
    assert autograph.to_graph(step)() == (True, Status.ENABLED)
    assert autograph.do_not_convert(step)() == (False, Status.DISABLED)
    assert autograph.to_graph(lambda: autograph.do_not_convert(step)())() == (False, Status.DISABLED)
    assert status() is Status.UNSPECIFIED


def test_a_status_is_entered_and_left() -> None:
    for wanted in Status:
        ctx = ControlStatusCtx(wanted)
        with ctx, ctx:
            assert status() is wanted
        assert status() is Status.UNSPECIFIED
        assert repr(ctx) == f"ControlStatusCtx({wanted.name})"


@pytest.mark.parametrize(
    ("given", "by_default", "converted"),
    [
        (Status.ENABLED, False, True),
        (Status.DISABLED, True, False),
        (Status.UNSPECIFIED, True, True),
        (Status.UNSPECIFIED, False, False),
    ],
)
def test_tf_convert(given: Status, by_default: bool, converted: bool) -> None:
    made = tf_convert(step, ControlStatusCtx(given), convert_by_default=by_default)
    assert made()[0] is converted
    assert tf_convert(autograph.to_graph(step), ControlStatusCtx(Status.DISABLED))()[0]


def test_names() -> None:
    import runtime

    assert runtime.autograph.internal is autograph.internal
    assert runtime.__internal__.autograph.tf_convert is tf_convert
    with autograph.StackTraceMapper(step):
        assert autograph.control_status_ctx is control_status_ctx
