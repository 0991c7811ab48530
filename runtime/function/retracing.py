"""The warning about a Function that is traced again and again: which argument or what of Python makes it so.

    for mode in "abcdef":
        f(mode)              # each text of Python is a trace of its own

    RetracingWarning: 'f' was traced 5 times because the argument 'mode' changed each time, last from 'd' to
    'e': each Python value has a trace of its own; pass a tensor if the code is the same for all of them.
"""

from __future__ import annotations

import reprlib
import sys
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from autograph.rules import users_frame
from runtime import structures as nest
from runtime.errors import RetracingWarning
from runtime.function.leaves import is_input
from runtime.function.trace_protocol import Typed
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["RetraceCounter"]

OFTEN: Final = 5
"""So many traces for one reason are worth a word."""

OBJECT: Final = "an object"

Type = tuple[str, ...]
"""An argument's type in words: one for each leaf."""


class RetraceCounter:
    """Counts, for one Function, what made it be traced again; warns once for each reason. Keeps no argument alive."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()
        self._types: dict[tuple[str, int], list[Type]] = {}
        """The types of an argument in the traces that differ in this argument alone, while there are few."""

    def changed(self, name: str, what: str) -> None:
        """The Function `name` is traced again, because `what` is not as a trace has seen it."""
        self._reasons[what] += 1
        if self._reasons[what] == OFTEN:
            _warn(
                f"{name!r} was traced {OFTEN} times because {what} had changed since. A trace takes what it reads from"
                " Python as it is; keep what changes in a runtime.Variable, or pass it as a tensor argument."
            )

    def traced(self, name: str, arguments: Mapping[str, Any], relaxes: bool, reasons: Mapping[str, str]) -> None:
        """The Function `name` has been traced for these arguments. relaxes: its traces leave shapes open; reasons: by
        argument, why its numbers are constants."""
        types = {name: tuple(map(_leaf_type, nest.flatten(value))) for name, value in arguments.items()}
        hashes = {parameter: hash((parameter, found)) for parameter, found in types.items()}
        whole = sum(hashes.values())
        for parameter, found in types.items():
            others = hash((whole - hashes[parameter], _dtypes_of(arguments[parameter])))
            alike = self._types.setdefault((parameter, others), [])
            is_same = bool(alike) and alike[-1] == found and not any(leaf.startswith(OBJECT) for leaf in found)
            if len(alike) >= OFTEN or is_same or (relaxes and all(map(is_input, nest.flatten(arguments[parameter])))):
                continue
            alike.append(found)
            if len(alike) == OFTEN and self._reasons[parameter] == 0:
                self._reasons[parameter] += 1
                before, now = ("; ".join(t) or "empty" for t in alike[-2:])
                same = f" ({now})" if before == now else f", last from {before} to {now}"
                _warn(
                    f"{name!r} was traced {OFTEN} times because the argument {parameter!r} changed each time{same}:"
                    f" {_remedy(arguments[parameter], reasons.get(parameter, ''))}."
                )


def _dtypes_of(value: Any) -> tuple[str, ...]:
    """The dtypes of what are tensors: a trace for each of those is what one expects."""
    return tuple([str(leaf.dtype) if is_input(leaf) else "" for leaf in nest.flatten(value)])


def _leaf_type(leaf: Any) -> str:
    if isinstance(leaf, Tensor | TensorSpec):
        return f"{leaf.dtype.name} Tensor, shape={leaf.shape}"
    if is_input(leaf):  # arrays and Variables
        return f"{leaf.dtype} {type(leaf).__name__}, shape={tuple(leaf.shape)}"
    if isinstance(leaf, bool | int | float | complex | str | bytes | type(None)):
        return reprlib.repr(leaf)
    if type(leaf) is Typed:
        return repr(leaf)
    return f"{OBJECT} of type {type(leaf).__name__}"


def _remedy(value: Any, reason: str) -> str:
    leaves = nest.flatten(value)
    if all(map(is_input, leaves)):
        return "use reduce_retracing=True, or an input_signature with None for the dims that differ"
    if any(isinstance(leaf, int | float | complex | str | bytes) for leaf in leaves):
        own = "each Python value has a trace of its own" + (reason and f", because {reason}")
        return f"{own}; pass a tensor if the code is the same for all of them"
    if any(type(leaf) is Typed for leaf in leaves):
        return "its __tf_tracing_type__ returned another type each time; return equal ones where one trace serves"
    return "each object has traces of its own; pass the same object, or the tensors in it"


def _warn(message: str) -> None:
    frame = users_frame(sys._getframe(1))
    warnings.warn_explicit(message, RetracingWarning, frame.f_code.co_filename, frame.f_lineno)
