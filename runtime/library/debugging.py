"""`runtime.debugging`: conditions that must hold, checked each time that they run.

    runtime.debugging.assert_less(x, 10, message="too large")     # InvalidArgumentError with the values of x
    runtime.debugging.assert_shapes([(x, ("N", 3)), (y, ("N",))])     # ShapeMismatchError, at once if that is known

In a graph each becomes an ordered operation that is never dropped, unless what is known of shapes and dtypes tells
already: then it is an error of the trace, or nothing.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.operators.tracebacks import filter_tracebacks, tracebacks_are_filtered
from runtime import structures
from runtime.config import CPU_NAME
from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, spacing_at_one
from runtime.engine.numerics import disable_check_numerics, enable_check_numerics
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.arrays import shape
from runtime.ops.elementwise import arithmetic, compare, numerics
from runtime.ops.flow import check
from runtime.ops.records.record import Dispatcher, Op, wrap_dispatcher
from runtime.ops.reductions import reduce
from runtime.tensor.composites import HANDLERS
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer",
    "assert_less", "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive",
    "assert_none_equal", "assert_positive", "assert_proper_iterable", "assert_rank", "assert_rank_at_least",
    "assert_rank_in", "assert_same_float_dtype", "assert_scalar", "assert_shapes", "assert_type", "check_numerics",
    "disable_check_numerics", "disable_traceback_filtering", "enable_check_numerics", "enable_traceback_filtering",
    "get_log_device_placement", "is_numeric_tensor", "is_traceback_filtering_enabled", "set_log_device_placement",
]  # fmt: skip


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """Raises InvalidArgumentError that shows the values of `data`, a list, if the bool scalar `condition` is false."""
    check.check(condition, list(data), message="assertion failed: ", summarize=_ends(summarize), name=name)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """The tensor; raises InvalidArgumentError with the message if an element of it is NaN or infinite.

    tensor: floats or complex numbers of any shape, also in a ragged or sparse tensor.
    """
    if type(tensor) in HANDLERS:
        for part in structures.flatten(tensor):
            if part.dtype is tensor.dtype:
                numerics.check_finite(part, message=message, name=name)
        return tensor
    tensor = convert_to_tensor(tensor)
    numerics.check_finite(tensor, message=message, name=name)
    return tensor


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
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
_all_differ = _between(compare.not_equal, "!=")
assert_less = _between(compare.less, "<")
assert_less_equal = _between(compare.less_equal, "<=")
assert_greater = _between(compare.greater, ">")
assert_greater_equal = _between(compare.greater_equal, ">=")
assert_positive = _of_sign(compare.greater, ">")
assert_negative = _of_sign(compare.less, "<")
assert_non_negative = _of_sign(compare.greater_equal, ">=")
assert_non_positive = _of_sign(compare.less_equal, "<=")


def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Raises InvalidArgumentError with the message and both values unless x != y everywhere."""
    _all_differ(x, y, message, summarize, name)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raises InvalidArgumentError with both values unless |x - y| <= atol + rtol * |y| everywhere.

    x, y: of one dtype. `rtol` and `atol` are 10 times the spacing of the dtype's numbers at 1, unless given.
    """
    x = convert_to_tensor(x)
    y = convert_to_tensor(y, x.dtype) if not is_tensor(y) else y
    spacing = 10 * spacing_at_one(x.dtype)
    rtol, atol = (spacing if given is None else given for given in (rtol, atol))
    holds = reduce.reduce_all(arithmetic.abs_(x - y) <= atol + rtol * arithmetic.abs_(y))
    text = f"{_said(message)}x and y are not near each other everywhere; x and y are: "
    check.check(holds, [x, y], message=text, summarize=_ends(summarize), name=name)


# -- what is known of shapes and dtypes, often before anything runs ----------------------------------------------


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raises ShapeMismatchError (a ValueError) unless x has this number of dimensions."""
    _check_rank(x, [rank], message, name)


def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raises ShapeMismatchError unless x has at least this number of dimensions."""
    _check_rank(x, [rank], message, name, "at least ", operator.ge)


def assert_rank_in(x: Any, ranks: Iterable[Any], message: str | None = None, name: str | None = None) -> None:
    """Raises ShapeMismatchError unless the number of dimensions of x is one of these."""
    _check_rank(x, list(ranks), message, name)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Tensor:
    """The tensor; raises ShapeMismatchError unless it has no dimensions."""
    tensor = convert_to_tensor(tensor)
    assert_rank(tensor, 0, message, name)
    return tensor


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Raises DtypeMismatchError (a TypeError) unless the tensor has this dtype."""
    tensor, wanted = convert_to_tensor(tensor), as_dtype(tf_type)
    if tensor.dtype is not wanted:
        raise DtypeMismatchError(f"{_said(message)}the tensor must be {wanted.name}; got {tensor.dtype.name}: {tensor}")


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raises DtypeMismatchError unless x is a tensor of integers."""
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        raise DtypeMismatchError(f"{_said(message)}the tensor must hold integers; got {x.dtype.name}: {x}")


def assert_same_float_dtype(tensors: Sequence[Any] | None = None, dtype: Any = None) -> DType:
    """The dtype that all the tensors have, float32 if there are none; raises DtypeMismatchError unless it is one, a
    float dtype, and the given one."""
    found = [convert_to_tensor(t).dtype for t in tensors or ()]
    wanted = as_dtype(dtype) if dtype is not None else (found or [as_dtype("float32")])[0]
    if not wanted.is_floating or any(one is not wanted for one in found):
        shown = ", ".join(one.name for one in found) or wanted.name
        raise DtypeMismatchError(f"one float dtype is wanted{f', {wanted.name}' if dtype else ''}; got {shown}")
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """Raises TypeError unless it is a list, tuple or other iterable of values: no tensor, no array, no text."""
    if isinstance(values, str | bytes | np.ndarray) or is_tensor(values) or not hasattr(values, "__iter__"):
        raise TypeError(f"a list or tuple of values is wanted; got {values!r} of type {type(values).__name__}")


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether it is a tensor (or a Variable) of numbers: not of bools, strings or handles."""
    return is_tensor(tensor) and tensor.dtype.is_numeric


def assert_shapes(
    shapes: Iterable[tuple[Any, Any]],
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raises ShapeMismatchError unless the tensors have these shapes: pairs of a tensor and its dimensions.

    A dimension is a size; a name, as "N" (the same size wherever it stands; in a text each letter is one: "NHWC"); or
    None or "." for any size. "*" or ... at the beginning stands for any number of dimensions. `data`: shown instead.
    """
    sizes: dict[str, Any] = {}
    for given, dimensions in shapes:
        x, wanted = convert_to_tensor(given), list(dimensions)
        if wanted and wanted[0] in ("*", ...):
            wanted = wanted[1:]
            assert_rank_at_least(x, len(wanted), message, name)
        else:
            assert_rank(x, len(wanted), message, name)
        for place, dimension in zip(range(-len(wanted), 0), wanted, strict=True):
            if dimension in (None, "."):
                continue
            static = None if x.shape.rank is None else x.shape[place]
            size = shape.shape(x)[place] if static is None else static
            is_name = isinstance(dimension, str) and not dimension.isdigit()
            known = sizes.setdefault(dimension, size) if is_name else int(dimension)
            where = f"dimension {place} of a tensor of shape {x.shape}"
            text = f"{_said(message)}{where} must be {dimension}; got, wanted: "
            _check_size([size == known], data or [size, known], text, summarize, name)


def _check_rank(
    x: Any,
    ranks: Sequence[Any],
    message: str | None,
    name: str | None,
    how: str = "",
    relation: Callable[[Any, Any], Any] = operator.eq,
) -> None:
    x = convert_to_tensor(x)
    found = shape.rank(x) if x.shape.rank is None else x.shape.rank
    answers = [relation(found, rank) for rank in ranks]
    if any(map(is_tensor, ranks)):  # what they are comes with the error
        among = f" {how}".rstrip() if len(ranks) == 1 else " one of"
        text = f"{_said(message)}the tensor, of shape {x.shape}, has the wrong rank; it has, and must have{among}: "
        return _check_size(answers, [found, *ranks], text, None, name)
    text = f"{_said(message)}the rank must be {how}{' or '.join(map(str, ranks))}; the tensor has the shape {x.shape}"
    return _check_size(answers, [found], f"{text} and the rank ", None, name)


def _check_size(answers: list[Any], data: list[Any], text: str, summarize: int | None, name: str | None) -> None:
    """Raises ShapeMismatchError with the text and the data unless one of the answers is yes; now if they are known."""
    if not all(isinstance(answer, bool) for answer in answers):
        holds = reduce.reduce_any(answers)
        check.check(holds, data, message=text, exception="ShapeMismatchError", summarize=_ends(summarize), name=name)
    elif not any(answers):
        raise ShapeMismatchError(text + " ".join(map(str, data)))


def _said(message: str | None) -> str:
    return f"{message}: " if message else ""


# -- what is told of the work --------------------------------------------------------------------------------------

_log_placement = False


def set_log_device_placement(enabled: bool) -> None:
    """True: each operation that eager code runs, or that is recorded in a graph, is told on stderr with its device."""
    global _log_placement
    _log_placement = bool(enabled)
    wrap_dispatcher(_told if _log_placement else None, "placement")


def get_log_device_placement() -> bool:
    """Whether operations are told with their devices."""
    return _log_placement


def _told(dispatch: Dispatcher, op: Op, args: Any, kwargs: Any) -> Any:
    eager = f"Executing op {op.name} in device {CPU_NAME}"
    print(eager if current_recorder() is None else f"{op.name}: ({op.name}): {CPU_NAME}", file=sys.stderr)
    return dispatch(op, args, kwargs)


def enable_traceback_filtering() -> None:
    """Tracebacks hold your own frames alone: so it is from the beginning, unless AUTOGRAPH_TRACEBACK=full."""
    filter_tracebacks(True)


def disable_traceback_filtering() -> None:
    """Tracebacks hold all frames, those of this distribution too."""
    filter_tracebacks(False)


def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks hold your own frames alone."""
    return tracebacks_are_filtered()
