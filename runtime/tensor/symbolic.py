"""`SymbolicTensor`: an output of an operation in a graph. It has a dtype and a static shape, and no value yet.

    Tensor("add:0", shape=(None, 3), dtype=float32)

`weak` marks a value that came from a Python literal (a loop's `i = 0`): beside a tensor it adopts that tensor's dtype,
as the literal itself would. `of_array` marks a number taken out of an ndarray (`a[0]`, `a.sum()`): beside others of its
kind and beside arrays NumPy's rules hold (`runtime.tensor.array_numbers`). `of_bytes` marks a weak string that stands
for Python's bytes, and for no str; `or_bool` is a flag where a weak number is a bool on some ways. `was_array` marks
what is an array of numpy's on some ways, `enumeration` is that of which it is a member on some. `value` is the value
where it is known (constants, small integer arithmetic), `parts` what is known of a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import Any, Final, NoReturn

import numpy as np

from runtime.dtypes import DType, complex128, float64, int64
from runtime.errors import OperatorNotAllowedInGraphError, TruthOfTensorError
from runtime.ops.records.record import REGISTRY, Array, Operand
from runtime.shapes import TensorShape
from runtime.tensor import template, text
from runtime.tensor.leaks import is_in_scope, leak, no_value
from runtime.tensor.methods import no_attribute
from runtime.tensor.numpy_protocol import WRITTEN, symbolic_function, symbolic_ufunc
from runtime.tensor.tensor import Tensor

__all__ = ["OF_NUMBERS", "OF_PYTHON", "OF_TEXTS", "SymbolicTensor", "is_counted", "text_class"]

OF_NUMBERS: Final[dict[str, Callable[[Any], Any]]] = {}
"""Attributes of Python's numbers, for tensors of rank 0: from the tensor to the value."""

OF_PYTHON: Final = {"int": int64, "uint": int64, "float": float64, "complex": complex128}
"""By the kind of a dtype: the one of Python's numbers."""

OF_TEXTS: Final[dict[str, Callable[..., Any]]] = {}
"""Methods of `str`, for string tensors of rank 0; also "item" and "repeat". The stager's room fills both tables."""


class SymbolicTensor(Tensor):
    """A value that a graph will compute. Python cannot look at it: bool(), int(), len() say what to do instead."""

    __slots__ = (
        "__weakref__", "_part", "_shape", "dtype", "enumeration", "of_array", "of_bytes", "op", "or_bool", "parts",
        "value", "value_index", "was_array", "weak",
    )  # fmt: skip

    __array_ufunc__ = symbolic_ufunc
    __array_function__ = symbolic_function
    __ag_stager__: Any = None  # set by runtime.control_flow.stager: autograph asks the type who stages it
    __ag_asked__: Any = None  # the same: what `isinstance` and `type` of the program say of it

    def __init__(
        self,
        op: Any,
        index: int,
        dtype: DType,
        shape: TensorShape,
        weak: bool = False,
        value: Array | None = None,
    ) -> None:
        self.op, self.value_index = op, index
        self.dtype, self._shape, self.weak = dtype, shape, weak
        self.of_array = self.of_bytes = self.was_array = False
        self.or_bool: Any = None
        self.enumeration: type | None = None
        self.value = value
        self.parts: tuple[int | None, ...] | None = None

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Merges what the caller knows into the static shape. Raises ValueError if it contradicts what is known."""
        self._shape = self._shape.merge_with(shape)

    @property
    def graph(self) -> Any:
        return self.op.graph

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        return ""

    @property
    def operand(self) -> Operand:
        return Operand(self.dtype, self._shape, self.value, self.parts)

    def __str__(self) -> str:
        if (mark := text.mark(self, "s")) is not None:
            return mark
        text.note(self)
        return text.shown(self)

    def __repr__(self) -> str:
        if (mark := text.mark(self, "r")) is not None:
            return mark
        text.note(self)
        return f"<tf.Tensor {self.name!r} shape={self._shape} dtype={self.dtype.name}>"

    def _repr_html_(self) -> str:
        from runtime.pictures.reading import type_text  # loaded when a notebook shows a tensor
        from runtime.pictures.tables import of_text

        place = "" if self.op.location is None else f", {self.op.location}"
        return of_text(f"Tensor {self.name}", type_text(self), f"a value that {self.op.type} will give{place}")

    def _copied(self) -> Any:
        known = self.value is not None or any(part is not None for part in self.parts or ())
        if known or self._shape.rank == 0:
            return self
        return REGISTRY["identity"](self)

    __copy__ = _copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self._copied()

    def _never_equal(self, other: object) -> bool:
        return {text_class(self), text_class(other)} == {str, bytes} or super()._never_equal(other)

    def __mod__(self, other: Any) -> Any:
        return template.applied(self, other) if self._is_text() else super().__mod__(other)

    def __pow__(self, other: Any) -> Any:
        if type(other) is int and other < 0 and self.dtype.is_integer:
            return self._power_below_zero(other)
        return super().__pow__(other)

    def _power_below_zero(self, exponent: int) -> Any:
        """A negative power of integers, a float64 as in Python; ZeroDivisionError of 0."""
        nonzero = REGISTRY["reduce_all"](REGISTRY["not_equal"](self, 0))
        message = "0.0 cannot be raised to a negative power"
        REGISTRY["check"](nonzero, message=message, exception="ZeroDivisionError")
        result = REGISTRY["pow"](REGISTRY["cast"](self, float64), float(exponent))
        result.weak = self.weak
        return result

    def __getitem__(self, key: Any) -> Any:
        found = self._of_text("item", key) if self._is_text() else NotImplemented
        return super().__getitem__(key) if found is NotImplemented else found

    def __mul__(self, other: Any) -> Any:
        return super().__mul__(other) if (made := self._repeated(other)) is NotImplemented else made

    def __rmul__(self, other: Any) -> Any:
        return super().__rmul__(other) if (made := self._repeated(other)) is NotImplemented else made

    def _repeated(self, other: Any) -> Any:
        """`self * other` where one of them is a text."""
        if self._is_text():
            return self._of_text("repeat", other)
        is_text = type(other) is SymbolicTensor and other._is_text()
        return other._of_text("repeat", self) if is_text else NotImplemented

    def partition(self, *args: Any, **kwargs: Any) -> Any:
        """Of a text: the part before a separator, the separator, and the part behind it. Refused for all others."""
        if self._is_text():
            return self._of_text("partition", *args, **kwargs)
        super().partition(*args, **kwargs)

    def _of_text(self, name: str, *args: Any, **kwargs: Any) -> Any:
        assert self.__ag_stager__ is not None  # which fills the table when it is imported
        return OF_TEXTS[name](self, *args, **kwargs)

    def _is_text(self) -> bool:
        return self.dtype.family == "string" and self._shape.rank == 0 and text_class(self) is not bytes

    def __bool__(self) -> NoReturn:
        self._refuse(
            "used as a Python `bool`",
            "`if`, `while`, `and`, `or`, `not`, `in`, the ternary, comprehensions and builtins such as `max` take"
            " tensors where autograph converts the function; elsewhere, as in code that is not converted, use"
            " runtime.where, runtime.maximum, runtime.reduce_any or runtime.cond",
            TruthOfTensorError,
        )

    def __int__(self) -> NoReturn:
        self._refuse("converted to a Python `int`", "use runtime.cast(x, runtime.int32)")

    def __index__(self) -> NoReturn:
        self._refuse(
            "used as a Python index or size",
            "make the list a tensor (runtime.stack) and index that, or use runtime.gather; arrays of that size are made"
            " by runtime.zeros([n]), runtime.ones([n]), runtime.fill([n], value) and runtime.range(n), and by numpy's"
            " functions where autograph converts the function",
        )

    def __float__(self) -> NoReturn:
        self._refuse(
            "converted to a Python `float`",
            "use runtime.cast(x, runtime.float32), and runtime.math in the place of Python's math",
        )

    def __complex__(self) -> NoReturn:
        self._refuse("converted to a Python `complex`", "use runtime.cast(x, runtime.complex64)")

    def __round__(self, digits: int | None = None) -> NoReturn:
        self._refuse("given to `round`", "use runtime.round")

    def __hash__(self) -> NoReturn:  # type: ignore[override]
        if self._is_text():
            raise OperatorNotAllowedInGraphError(
                f"unhashable: {self._origin()} is text that is only known when the graph runs, so it is no key of a"
                " dict or a set now; compare it with `==` or `in`, or make the text of Python values"
            )
        raise OperatorNotAllowedInGraphError(
            f"unhashable: {self._origin()} is no key of a dict or a set, because it has no value yet; use x.ref() as"
            " the key of this very tensor, or runtime.gather to look a value up in a tensor"
        )

    def __format__(self, spec: str) -> str:
        if (mark := text.mark(self, "", spec)) is not None:
            return mark
        if spec:
            self._refuse(f"formatted with {spec!r}", "use runtime.print, or format the result of the function")
        text.note(self)
        return text.shown(self)

    def __len__(self) -> NoReturn:
        self._refuse("given to `len`", "use runtime.shape(x)[0], or x.shape[0] when it is known")

    def __iter__(self) -> Iterator[SymbolicTensor]:
        """The rows, where it is known how many there are."""
        dims = self._shape.dims
        if dims and dims[0] is not None:
            return (self[place] for place in range(dims[0]))
        self._refuse(
            "iterated over",
            "write a `for` statement, a comprehension or a builtin such as `sum` in a converted function (`f(*x)`,"
            " `tuple(x)` and code that is not converted need to know how many parts it has: fix the first dimension"
            " with set_shape or an input_signature), or use runtime.unstack(x, num), runtime.reduce_sum, runtime.range",
        )

    def __radd__(self, other: Any) -> Any:
        if type(other) in (list, tuple) and is_counted(self):
            kind = type(other).__name__
            raise TypeError(f'can only concatenate {kind} (not "range") to {kind}')
        return super().__radd__(other)

    def __contains__(self, item: Any) -> NoReturn:
        self._refuse("searched with `in`", "use runtime.reduce_any(x == item)")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        self._refuse(
            "converted to a numpy array",
            "numpy's functions take the tensor itself, so leave np.asarray out; np.stack (runtime.stack) makes one of a"
            " list of tensors in the place of np.array, and where an array comes first, as in np.take(array, x),"
            " runtime.constant(array) makes that a tensor; runtime.py_function does what numpy alone can do",
        )

    def __reduce__(self) -> NoReturn:
        self._refuse(
            "pickled", "pickle what the function returns, or use runtime.py_function, which calls code with values"
        )

    def item(self, *position: Any) -> Any:
        """The only element, or the one at a position, as a Python number: it adapts to what stands beside it."""
        place = position[0] if position and isinstance(position[0], tuple) else position
        if len(place) > 1:
            number = self[tuple(place)]
        elif place:
            number = REGISTRY["reshape"](self, [-1])[place[0]]
        elif self._shape.num_elements() in (1, None):
            number = REGISTRY["reshape"](self, [])
        else:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        dtype = OF_PYTHON.get(number.dtype.family)
        if dtype is not None:
            number = REGISTRY["cast"](number, dtype)
            number.weak, number.of_array = True, False
        return number

    def _refuse(self, what: str, remedy: str, error: type[Exception] = OperatorNotAllowedInGraphError) -> NoReturn:
        if not is_in_scope(self):
            raise leak(self, what)
        raise error(
            f"A symbolic tensor was {what}: {self._origin()} has no value while the function"
            f" {self.op.graph.recording.root_name!r} is traced; {remedy}."
        )

    def _origin(self) -> str:
        """Which tensor this is, in the user's terms: the variable that it came in by, or the line that made it."""
        variable = f"the variable {self.op.name!r}, " if self.op.type == "placeholder" else ""
        return f"{text.plain(self)} ({variable}made at {self.op.location or 'an unknown line'})"

    def __getattr__(self, name: str) -> Any:
        if name == "numpy":
            raise no_value(self, text.plain(self))
        if name == "format" and self._is_text():
            return partial(template.formatted, self)
        if self._shape.rank == 0 and name[:1] != "_":
            assert self.__ag_stager__ is not None  # which fills the tables when it is imported
            if self._is_text() and name in OF_TEXTS:
                return partial(OF_TEXTS[name], self)
            if self.dtype.family != "string" and name in OF_NUMBERS:
                return OF_NUMBERS[name](self)
        if self.dtype.family == "string" and hasattr(str, name):
            raise AttributeError(
                f"a string tensor has no method {name!r}: {text.plain(self)} is text that is only known when the graph"
                " runs; it has the methods of Python's str that make text, numbers and lists of texts, and"
                " runtime.strings has more (substr, regex_replace, to_number)"
                + ("; decode bytes where they are known" if text_class(self) is bytes else "")
            )
        if name[:1] != "_" and hasattr(np.ndarray, name):
            for tell in WRITTEN:
                tell(self)
        raise no_attribute(name)


def is_counted(value: Any) -> bool:
    """Whether a tensor is what Python's `range` gives in a graph."""
    return isinstance(value, SymbolicTensor) and value.weak and value.op.type == "range"


def text_class(value: Any) -> type | None:
    """str or bytes, for one of Python's and what came from one; None for all others: a string tensor may equal both."""
    if isinstance(value, SymbolicTensor):
        return (bytes if value.of_bytes else str) if value.weak and value.dtype.family == "string" else None
    kinds = type(value).__mro__ if isinstance(value, Enum) else (type(value),)  # a member may be a text, too
    return next((kind for kind in (str, bytes) if kind in kinds), None)


def _in_place(name: str) -> Any:
    plain = getattr(SymbolicTensor, f"__{name}__")

    def method(self: SymbolicTensor, other: Any) -> Any:
        """The variable is bound to a new tensor; an array would change."""
        self.op.graph.recording.tracing.writes.note(self, is_item=False)
        return plain(self, other)

    return method


_OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip

for _name in _OPERATORS:
    setattr(SymbolicTensor, f"__i{_name}__", _in_place(_name))
