"""Operations that raise: `raise` makes a user's exception, `reraise` passes on the one that is being handled.

    raise(%x) {error=error(class("builtins", "ValueError"), ("bad", hole(0)), (), None, None, False)}

A branch that raises ends with one of them; what its graph computes after it is never reached.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.dtypes import ANY, DType
from runtime.errors import InvalidArgumentError
from runtime.ops.flow.caught import caught
from runtime.ops.flow.exceptions import make_part, resolve_class
from runtime.ops.records.raises import ANYTHING, Raises
from runtime.ops.records.record import Array, op
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = ["caught", "raise_", "reraise"]


def _nothing(*values: Any, **attributes: Any) -> tuple[TensorShape, ...]:
    return ()


def _kinds(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    kind = attributes["error"].parts[0]
    return (BaseException,) if isinstance(kind, int) else (resolve_class(kind),)


def _no_dtypes(*values: Any, error: Any) -> tuple[DType, ...]:
    if not (isinstance(error, Term) and (error.head, len(error.parts)) in (("error", 6), ("hole", 1))):
        raise InvalidArgumentError(f"raise: 'error' describes an exception, a term error(...); got {error!r}")
    return ()


@op(
    shape=_nothing, result=_no_dtypes, dtypes=ANY, mixed=True, outputs=0, stateful=True, raises=Raises((), rule=_kinds),
    statement=True,
)  # fmt: skip
def raise_(*values: Array, error: Any) -> tuple[()]:
    """Raises a new exception of the class, args and attributes that `error` describes. values: fill its holes.

    A hole alone is an exception that was caught before (`runtime.ops.flow.caught`).
    """
    raise make_part(error, values)


@op(shape=_nothing, result=lambda: (), outputs=0, stateful=True, raises=ANYTHING)
def reraise() -> tuple[()]:
    """Raises the exception that is being handled again. It stands only in the handlers of `try`."""
    error = sys.exception()
    raise RuntimeError("No active exception to reraise") if error is None else error
