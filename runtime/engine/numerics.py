"""Finding where NaN and infinity come from: `runtime.debugging.enable_check_numerics`.

    runtime.debugging.enable_check_numerics()
    step(x)     # InvalidArgumentError: log: operation 'log' of the function 'step', made at model.py:12 in step, gave
                # 1 NaN of 3 values (shape (3,), float32)

While it is on, every Function runs a plan with a check after each operation, those that were traced before too, and
every operation that runs eagerly is checked. While it is off, nothing of it costs anything.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from runtime import config
from runtime.errors import InvalidArgumentError
from runtime.graph.location import shown_line, user_location
from runtime.ops.elementwise.numerics import NotFinite, check_finite, complaint
from runtime.ops.records.record import Op, install_dispatcher
from runtime.tensor.dispatch import dispatch
from runtime.tensor.eager import EagerTensor

if TYPE_CHECKING:
    from runtime.engine.protocol import Plan

__all__ = ["CheckedPlan", "disable_check_numerics", "enable_check_numerics"]

enabled = False
_setting: Final = threading.Lock()


class CheckedPlan:
    """A plan of a graph with checks, which raises what the user can catch."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def function(self, *arrays: Any) -> Any:
        """Runs the plan. Raises InvalidArgumentError at the first operation that gives NaN or infinity."""
        try:
            return self.plan.function(*arrays)
        except NotFinite as found:
            _refuse(found.message)


def _refuse(message: str) -> NoReturn:
    raise InvalidArgumentError(f"{message}; runtime.debugging.disable_check_numerics() lets it pass") from None


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on NaN and infinity are errors where they arise: InvalidArgumentError names operation, function, line.

    It holds for eager operations and for all Functions of the process, and for those that were traced before. The two
    limits are accepted for compatibility; the message names one line.
    """
    _set(True)


def disable_check_numerics() -> None:
    """NaN and infinity are values like others again."""
    _set(False)


def _set(on: bool) -> None:
    global enabled
    with _setting:
        enabled = on
        config.let_functions_check(on)
        install_dispatcher(_checking if on else dispatch)


def _checking(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Runs or records one operation, and looks at what it gave."""
    result = dispatch(op, args, kwargs)
    for tensor in result if isinstance(result, tuple) else (result,):
        if type(tensor) is EagerTensor and (tensor.dtype.is_floating or tensor.dtype.is_complex):
            found = "" if op is check_finite else complaint(tensor._array)
            if found:
                place = user_location()
                _refuse(f"{op.name}: the operation at {place}{shown_line(place)} gave {found}")
    return result
