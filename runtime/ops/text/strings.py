"""Text of tensors as Python writes it, and the operation that makes text while a graph runs.

>>> repr_of(np.array([1, 2], np.int32))
'<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>'

    f"{x:.2f} of {y!r}"    ->    string_format(x, y, parts=(("", ".2f"), " of ", ("r", "")))

A number of rank 0 is written as Python's number, in every conversion: float32 with the fewest digits that tell it from
its neighbours (`0.1`), with a format spec as the Python number. Text itself (a string tensor of rank 0) is a Python
`str` here. Tensors of a higher rank are written as eager tensors write themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, NARROW, STRINGS, DType, bool_, from_numpy, string
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, binary, by_element
from runtime.ops.records.shape_rules import broadcast
from runtime.shapes import TensorShape

__all__ = [
    "CONVERSIONS", "Part", "check_parts", "content_of", "format_of", "repr_of", "shown", "str_of", "string_contains",
    "string_format", "string_join", "text_in",
]  # fmt: skip

Part = str | tuple[str, str | None]
"""A piece of a text: the text itself, or (conversion, spec) of the next value; None: the value after it is the spec."""

_OF_PYTHON: Final[dict[str, Callable[[Any, str], str]]] = {
    "": format,
    "s": lambda value, spec: format(str(value), spec),
    "r": lambda value, spec: format(repr(value), spec),
    "a": lambda value, spec: format(ascii(value), spec),
    "%": lambda value, spec: spec % (value,),
}
CONVERSIONS: Final[dict[str, Callable[[Any, str], str]]] = {
    **_OF_PYTHON,
    **{f"n{name}": written for name, written in _OF_PYTHON.items()},
    "variable": lambda value, spec: f", numpy={value}",
}
"""What becomes of a value: those of f-strings, `%` for a spec such as "%5.2f"; with an n before them, of what numpy has
as an array or as a number of its own; and the end of a Variable's own text."""


def format_of(array: Array, spec: str) -> str:
    """What `format(tensor, spec)` gives."""
    return format(array[()] if array.ndim == 0 else array, spec)


def str_of(array: Array) -> str:
    """What `str(tensor)` gives."""
    text = str(array)
    newline = "\n" if "\n" in text else ""
    return f"tf.Tensor({newline}{text}, shape={TensorShape(array.shape)}, dtype={_dtype_of(array).name})"


def repr_of(array: Array) -> str:
    """What `repr(tensor)` gives."""
    shape, dtype = TensorShape(array.shape), _dtype_of(array).name
    return f"<tf.Tensor: shape={shape}, dtype={dtype}, numpy={content_of(array)}>"


def _dtype_of(array: Array) -> DType:
    dtype = from_numpy(array.dtype)
    assert dtype is not None
    return dtype


def content_of(array: Array) -> str:
    """The value of a tensor as its own text, or that of a Variable, shows it."""
    narrow = array.ndim == 0 and array.dtype in NARROW
    text = repr(array.item()) if narrow else str(array) if array.ndim == 0 else repr(array)
    return f"\n{text}" if "\n" in text else text


class _Shown:
    """A tensor's value, as far as formatting looks at it."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def __format__(self, spec: str) -> str:
        return format_of(self._array, spec)

    def __str__(self) -> str:
        return str_of(self._array) if self._array.ndim else format_of(self._array, "")

    def __repr__(self) -> str:
        return repr_of(self._array) if self._array.ndim else format_of(self._array, "")

    def __int__(self) -> int:
        return int(self._one())

    def __float__(self) -> float:
        return float(self._one())

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu" or self._array.ndim:
            raise TypeError(f"only a scalar integer tensor is an index; got {self}")
        return int(self._array[()])

    def _one(self) -> Any:
        if self._array.size != 1:
            raise TypeError(f"a tensor with one element is needed here; got shape {self._array.shape}")
        return self._array.reshape(())[()]


def shown(value: Any) -> Any:
    """The value of an operand as Python formats it: text as str, a number as one, all else as the eager tensor shows
    itself."""
    array = elements(value)
    return text_in(array) if array.ndim == 0 and array.dtype == object else _Shown(array)


def text_in(value: Any) -> str:
    """The text of a string tensor of rank 0; bytes that are no UTF-8 are written as `\\xff`."""
    return bytes(elements(value)[()]).decode("utf-8", "backslashreplace")


def check_parts(parts: Any, count: int) -> None:
    """Raises InvalidArgumentError if the parts don't ask for just `count` values."""
    needed = 0
    for part in parts:
        if isinstance(part, str):
            continue
        if not (isinstance(part, tuple) and len(part) == 2 and part[0] in CONVERSIONS):
            raise InvalidArgumentError(
                f"string_format: a part is text or a pair of a conversion ({', '.join(map(repr, CONVERSIONS))}) and a"
                f" spec; got {part!r}"
            )
        needed += 2 if part[1] is None else 1
    if needed != count:
        raise InvalidArgumentError(f"string_format: its parts take {needed} values, {count} were given")


def _scalar(*values: Any, parts: Any) -> TensorShape:
    check_parts(parts, len(values))
    return TensorShape([])


_SAMPLED: Final = (
    ((), ("no value",)),
    (((),), (("", ""),)),
    (((),), ("<", ("", ""), ">")),
    (((3,),), (("", ""), "!")),
    (((2, 3), ()), ("a ", ("", ""), " b ", ("", ""))),
    (((0,),), (("", ""),)),
)


def _samples(dtype: DType) -> Any:
    for shapes, parts in _SAMPLED:
        arrays = [np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape) for shape in shapes]
        if dtype.family == "string":
            texts = [np.array([b"t%d" % i for i in a.reshape(-1)], object).reshape(a.shape) for a in arrays]
            yield Sample(tuple(texts), {"parts": parts})
        else:
            yield Sample(tuple(a.astype(dtype.numpy) for a in arrays), {"parts": parts})


def _expected(*values: Array, parts: Any) -> bytes:
    """numpy's own printer, for parts without conversions and specs."""
    items = [v.item() if v.ndim == 0 else np.array2string(v) for v in values]
    texts = iter([item.decode() if isinstance(item, bytes) else str(item) for item in items])
    return "".join(part if isinstance(part, str) else next(texts) for part in parts).encode()


def _misfits(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    """What comes of a format that is not known to fit the value."""
    fields = [part for part in attributes["parts"] if not isinstance(part, str)]
    known = all(spec is not None for _, spec in fields)  # else it is a tensor
    fits = known and all(_fits(t, *field) for t, field in zip(operands, fields, strict=True))
    return () if fits else (*SHAPES, TypeError, ValueError)


def _fits(tensor: Any, conversion: str, spec: str) -> bool:
    """Whether a format fits all values of a tensor: it does if it fits one of them."""
    if not spec:
        return True
    if tensor.shape.rank != 0:
        return False
    value = "" if tensor.dtype.family == "string" else np.zeros((), tensor.dtype.numpy).item()
    try:
        plain = conversion.removeprefix("n")
        spec % (value,) if plain == "%" else format(str(value) if plain else value, spec)
    except (TypeError, ValueError):
        return False
    return True


@op(
    shape=_scalar, result=string, dtypes=ANY, mixed=True, samples=_samples, reference=_expected,
    raises=Raises((), rule=_misfits), of_text=True,
    errors=[Failure(([1],), InvalidArgumentError, ("take 2 values", "1 were given"), {"parts": (("", None),)}),
            Failure(([1],), InvalidArgumentError, ("'x'",), {"parts": (("x", ""),)}),
            Failure(([np.float32(1)],), ValueError, (), {"parts": (("", "d"),)})],
)  # fmt: skip
def string_format(*values: Array, parts: tuple[Part, ...]) -> Any:
    """Text: each pair (conversion, spec) of `parts` is the text of the next value. values: tensors of any dtype.

    The conversions are those of f-strings and `%`; a spec that is None is the text of the value after it.
    """
    check_parts(parts, len(values))
    pending = iter(values)
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        conversion, spec = part
        array = next(pending)
        value = _written(array, conversion)
        texts.append(CONVERSIONS[conversion](value, shown(next(pending)) if spec is None else spec))
    return "".join(texts).encode("utf-8", "surrogatepass")


def _written(value: Any, conversion: str) -> Any:
    """What a conversion is of."""
    if conversion == "variable":
        return content_of(elements(value))
    return elements(value)[()] if conversion.startswith("n") else shown(value)


_contains: Final = np.frompyfunc(lambda text, part: part in text, 2, 1)


@op(
    shape=broadcast, dtypes=STRINGS, result=bool_, samples=binary(),
    reference=by_element(lambda text, part: text.find(part) >= 0),
    errors=[Failure((["a", "b"], ["a", "b", "c"]), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def string_contains(text: Any, part: Any) -> Any:
    """Whether text has part in it, element by element with broadcasting. text, part: string tensors."""
    return np.asarray(_contains(elements(text), elements(part)), np.bool_)


def _joined_shape(texts: Operand, separator: Operand) -> TensorShape:
    _check_separator(separator.shape)
    return TensorShape([])


def _check_separator(shape: TensorShape) -> None:
    if shape.rank not in (0, None):
        raise ShapeMismatchError(f"string_join: separator must be one text; got shape {shape}")


def _join_samples(dtype: DType) -> Any:
    for shape, separator in (((0,), b","), ((1,), b", "), ((3,), b""), ((2, 2), b"-"), ((), b";")):
        texts = np.array([b"t%d" % i for i in range(int(np.prod(shape, dtype=int)))], object).reshape(shape)
        yield Sample((texts, np.array(separator, object)))


@op(
    shape=_joined_shape, dtypes=STRINGS, result=string, samples=_join_samples, of_text=True,
    reference=lambda texts, separator: separator[()].join(texts.reshape(-1).tolist()),
    errors=[Failure((["a", "b"], ["-", "+"]), ShapeMismatchError, ("separator", "(2,)"))],
)  # fmt: skip
def string_join(texts: Any, separator: Any) -> Any:
    """All elements in row-major order as one text, with `separator`, a text, between them.

    texts: string tensor of any shape. Gives a string tensor of rank 0.
    """
    _check_separator(TensorShape(np.shape(separator)))
    return bytes(elements(separator)[()]).join(elements(texts).reshape(-1).tolist())
