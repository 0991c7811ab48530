"""`runtime.debugging`: conditions that must hold, checked each time that they run.

    runtime.debugging.assert_less(x, 10, message="too large")     # InvalidArgumentError with the values of x

In a graph each becomes an ordered operation that is never dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.engine.numerics import disable_check_numerics, enable_check_numerics
from runtime.ops import check, compare, numerics, reduce
from runtime.ops.record import Op
from runtime.tensor.convert import convert_to_tensor

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal", "assert_less",
    "assert_less_equal", "assert_negative", "assert_non_negative", "assert_non_positive", "assert_none_equal",
    "assert_positive", "check_numerics", "disable_check_numerics", "enable_check_numerics",
]  # fmt: skip


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """Raises InvalidArgumentError that shows the values of `data`, a list, if the bool scalar `condition` is false."""
    check.check(condition, list(data), message="assertion failed: ", summarize=_ends(summarize), name=name)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """The tensor; raises InvalidArgumentError with the message if an element of it is NaN or infinite.

    tensor: floats or complex numbers of any shape.
    """
    tensor = convert_to_tensor(tensor)
    numerics.check_finite(tensor, message=message, name=name)
    return tensor


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """As `check_numerics`."""
    return check_numerics(x, message, name)


def _ends(summarize: int | None) -> int:
    return 3 if summarize is None else summarize


def _between(relation: Op, sign: str) -> Callable[..., None]:
    def assertion(
        x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
    ) -> None:
        holds = reduce.reduce_all(relation(x, y))
        text = f"{message + ': ' if message else ''}x {sign} y does not hold everywhere; x and y are: "
        check.check(holds, [x, y], message=text, summarize=_ends(summarize), name=name)

    assertion.__doc__ = f"Raises InvalidArgumentError with the message and both values unless x {sign} y everywhere."
    return assertion


def _of_sign(relation: Op, sign: str) -> Callable[..., None]:
    def assertion(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
        x = convert_to_tensor(x)
        text = f"{message + ': ' if message else ''}x {sign} 0 does not hold everywhere; x is: "
        check.check(reduce.reduce_all(relation(x, 0)), [x], message=text, summarize=_ends(summarize), name=name)

    assertion.__doc__ = f"Raises InvalidArgumentError with the message and the value unless x {sign} 0 everywhere."
    return assertion


assert_equal = _between(compare.equal, "==")
assert_none_equal = _between(compare.not_equal, "!=")
assert_less = _between(compare.less, "<")
assert_less_equal = _between(compare.less_equal, "<=")
assert_greater = _between(compare.greater, ">")
assert_greater_equal = _between(compare.greater_equal, ">=")
assert_positive = _of_sign(compare.greater, ">")
assert_negative = _of_sign(compare.less, "<")
assert_non_negative = _of_sign(compare.greater_equal, ">=")
assert_non_positive = _of_sign(compare.less_equal, "<=")
