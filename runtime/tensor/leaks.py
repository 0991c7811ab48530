"""Symbolic tensors that left their trace: what is said of one that is used where it has no meaning.

@runtime.function
def f(x): kept.append(x)
kept[0] + 1        # InaccessibleTensorError: ... was made at model.py:2 in f while 'f' was traced ...
"""

from __future__ import annotations

import sys
from typing import Any

from autograph.rules import users_frame
from runtime.context import current_recorder, outwards
from runtime.errors import InaccessibleTensorError

__all__ = ["is_in_scope", "leak", "no_value"]


def is_in_scope(tensor: Any) -> bool:
    """Whether the graph of a symbolic tensor, or one that is nested in it, is being recorded here."""
    return tensor.op.graph in outwards(current_recorder())


def leak(tensor: Any, use: str) -> InaccessibleTensorError:
    """The error for a symbolic tensor that is used outside of its graph. use: how, as in "used in 'add'"."""
    graph = tensor.op.graph
    within = graph.recording
    part = f", in a part of it that a tensor decides about ({graph.name!r})," if within.outer is not None else ""
    return InaccessibleTensorError(
        f"{tensor!r} is out of scope and cannot be {use} here{_here()}: it was made at"
        f" {tensor.op.location or 'an unknown line'} while {within.root_name!r} was traced{part} and has no value"
        " outside. Return it from the function instead."
    )


def no_value(tensor: Any, shown: str) -> InaccessibleTensorError:
    """The error for `tensor.numpy`, in a trace or after it. shown: the tensor as messages show it."""
    function = tensor.op.graph.recording.root_name
    used = "" if is_in_scope(tensor) else f" and is used here{_here()}, out of scope"
    return InaccessibleTensorError(
        f"'Tensor' object has no attribute 'numpy': {shown} is symbolic, it belongs to the graph of {function!r}"
        f" (made at {tensor.op.location or 'an unknown line'}){used};"
        " return it from the function to get its value"
    )


def _here() -> str:
    """The user's line."""
    frame = users_frame(sys._getframe(2))
    return f" ({frame.f_code.co_filename}:{frame.f_lineno})"
