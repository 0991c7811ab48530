"""For libraries that build on autograph: whether conversion is switched on here, and conversion that depends on it.

    ctx = autograph.internal.control_status_ctx()           # where the user's function was handed over
    step = autograph.internal.tf_convert(step, ctx)         # converted as it would have been there

The names are those of `tf.__internal__.autograph`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from contextvars import Token
from types import TracebackType
from typing import Any, TypeVar

from autograph.api import convert, do_not_convert, is_converted
from autograph.operators.scope import conversion_enabled
from autograph.options import STANDARD_OPTIONS, ConversionOptions

__all__ = ["ControlStatusCtx", "StackTraceMapper", "Status", "control_status_ctx", "convert", "tf_convert"]

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])


class Status(enum.Enum):
    """UNSPECIFIED: nobody has said anything. ENABLED: in a converted function. DISABLED: under `do_not_convert`."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


_STATUS = {None: Status.UNSPECIFIED, True: Status.ENABLED, False: Status.DISABLED}
_ENABLED = {status: enabled for enabled, status in _STATUS.items()}


class ControlStatusCtx:
    """Whether functions are converted, as a value that can be handed on, and entered to make it so again."""

    __slots__ = ("_tokens", "options", "status")

    def __init__(self, status: Status, options: ConversionOptions | None = None) -> None:
        self.status = status
        self.options = options
        self._tokens: list[Token[bool | None]] = []

    def __enter__(self) -> ControlStatusCtx:
        self._tokens.append(conversion_enabled.set(_ENABLED[self.status]))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        conversion_enabled.reset(self._tokens.pop())

    def __repr__(self) -> str:
        return f"ControlStatusCtx({self.status.name})"


def control_status_ctx() -> ControlStatusCtx:
    """The present status. Enter it, or give it to `tf_convert`, later or in another thread."""
    return ControlStatusCtx(_STATUS[conversion_enabled.get()], STANDARD_OPTIONS)


def tf_convert(
    f: AnyCallable, ctx: ControlStatusCtx, convert_by_default: bool = True, user_requested: bool = False
) -> AnyCallable:
    """The function as it runs under a status: converted where that is enabled, plain Python where it is disabled.

    convert_by_default: what to do where the status is unspecified. user_requested: convert library code too.
    Raises ConversionError at the call if it cannot be converted.
    """
    if is_converted(f):
        return f
    if ctx.status is Status.DISABLED:
        return do_not_convert(f)
    if ctx.status is Status.ENABLED or convert_by_default:
        return convert(recursive=True, user_requested=user_requested, optional_features=())(f)
    return f


class StackTraceMapper:
    """A context that does nothing: converted code has the user's own lines, so there is nothing to map.

    It is here for programs that enter it around a call of converted code.
    """

    def __init__(self, converted_fn: Any = None) -> None:
        self.converted_fn = converted_fn

    def __enter__(self) -> StackTraceMapper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return None
