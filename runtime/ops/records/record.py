"""The record of an operation: everything that the project knows of it, in one place.

    @op(shape=same_shape, dtypes=FLOATS, samples=unary(-3, 3))
    def sin(x):
        '''Sine, element by element. x: float tensor of any shape, in radians; same shape and dtype.'''
        return np.sin(x)

The decorated name becomes an `Op`. Calling it with tensors, ndarrays or Python values runs the kernel at once, or
records a node where a graph is being traced (`runtime.tensor.dispatch` decides). The record feeds the operator
overloads, static inference, the plan generator, the graph's text form and the generic tests.

Parameters of the kernel without a default are tensors, those with a default are attributes: Python values that are
fixed in the graph. A parameter `*values` takes a list of tensors in the public call: `concat([a, b], axis=0)`.

The gradient rule stands below the kernel. It is given what its parameters name, see `Op.gradient`:

    @sin.gradient
    def _(upstream, result, x):
        return upstream * cos(x)
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from runtime.array_errors import misfit
from runtime.dtypes import ANY, NARROW, DType, as_dtype
from runtime.errors import InvalidArgumentError, OpError, ResourceExhaustedError
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.kernels.narrow import takes_narrow, widened, without_narrow
from runtime.ops.records.attributes import kind_of
from runtime.ops.records.facts import Facts
from runtime.ops.records.raises import Raises
from runtime.shapes import TensorShape

__all__ = [
    "REGISTRY", "Dispatcher", "Group", "Op", "Operand", "carried_out_by", "install_dispatcher", "is_wrapped", "op",
    "wrap_dispatcher",
]  # fmt: skip

Array = np.ndarray[Any, Any]
DTypes = frozenset[DType] | Mapping[str | tuple[str, ...], frozenset[DType]]
Rule = TypeVar("Rule", bound=Callable[..., Any])

REGISTRY: Final[dict[str, Op]] = {}
"""Every operation by its name; the text form of graphs reads names from here."""

REQUIRED: Final = inspect.Parameter.empty

DTYPE_ATTRIBUTES: Final = frozenset({"dtype", "out_idx", "out_type", "output_type", "element_dtype"})


@dataclass(frozen=True, slots=True)
class Operand:
    """What is known of an input while a graph is built: its dtype, its static shape and, if constant, its value.

    `parts`: the elements of an integer vector (or scalar) of which only some are known, such as a partly static shape.
    """

    dtype: DType
    shape: TensorShape
    value: Array | None = None
    parts: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that must share one dtype, out of `allowed`."""

    names: tuple[str, ...]
    allowed: frozenset[DType]


class _Signature:
    """How an operation is called, for `help` and `inspect.signature`: the name of a node is given as `name=`."""

    def __get__(self, record: Op | None, owner: type) -> inspect.Signature:
        if record is None:
            raise AttributeError("__signature__")
        made, attributes = inspect.Parameter, record.attributes
        named = [made(n, made.POSITIONAL_OR_KEYWORD, default=attributes.get(n, REQUIRED)) for n in record.parameters]
        if "name" not in record.parameters:
            named.append(made("name", made.KEYWORD_ONLY, default=None))
        return inspect.Signature(named)


class Op:
    """One operation. See the module's docstring; fields that a record leaves out are None or False."""

    __signature__ = _Signature()

    def __init__(
        self,
        kernel: Callable[..., Any],
        *,
        name: str | None = None,
        shape: Callable[..., Any],
        dtypes: DTypes = ANY,
        result: DType | Callable[..., Any] | None = None,
        outputs: int = 1,
        stateful: bool = False,
        mixed: bool = False,
        ufunc: np.ufunc | None = None,
        float_ufunc: np.ufunc | None = None,
        view: bool = False, holds: bool = False, nests: bool = False,
        scalar: str | None = None, int_scalar: str | None = None,
        static_value: Callable[..., Array | None] | None = None,
        static_parts: Callable[..., tuple[int | None, ...] | None] | None = None,
        samples: Callable[..., Iterable[Any]] | None = None, reference: Callable[..., Any] | None = None,
        errors: Sequence[Any] = (),
        no_gradient: str | None = None,
        raises: Raises | None = None, elementwise: bool = False, **facts: bool,
    ) -> None:  # fmt: skip
        self._take(kernel, name, no_gradient, raises, elementwise or ufunc is not None)
        self.shape, self.facts = shape, Facts(**facts)
        """Rule: (*operands, **attributes) -> static TensorShape, or a tuple of them for several outputs."""
        self.result = result
        """Result dtype: None (that of the first group), a DType, or a rule like `shape` that returns DType(s)."""
        self.outputs = outputs
        """How many results it has; 0: as many as the rules say (also none), which a call returns as a tuple."""
        self.stateful, self.mixed = stateful, mixed
        """stateful: it has an effect (or reads one): it is never dropped, merged, folded or moved; mixed: the tensors
        of the variadic parameter may be none, and each may have a dtype of its own."""
        self.ufunc = ufunc
        """The numpy ufunc that equals the kernel on every allowed dtype but string: the engine uses it with `out=`."""
        self.float_ufunc = ufunc if float_ufunc is None else float_ufunc
        """The same, promised for operands of a float dtype only: integers have a check or another result dtype."""
        self.view, self.holds, self.nests = view, holds, nests
        """view: the result may share memory with the first input; holds: it keeps the arrays of all operands; nests:
        graphs are among its attributes."""
        self.scalar = scalar
        """A Python expression over {0}, {1}, ..., exact for bool, integer and float64 scalars, as Python numbers."""
        self.int_scalar = scalar if int_scalar is None else int_scalar
        """The same for integers only, before they are wrapped; ZeroDivisionError stands for the kernel's own error."""
        self.static_value, self.static_parts = static_value, static_parts
        """Rules for a value that the static shapes alone decide (`shape`, `rank`), or None where they do not; and for
        single elements of an integer vector or scalar, `Operand.parts` of results."""
        self.samples, self.reference, self.errors = samples, reference, tuple(errors)
        self._read_parameters(kernel, dtypes)

    def _take(
        self, kernel: Callable[..., Any], name: str | None, no_gradient: str | None, raises: Raises | None, alone: bool
    ) -> None:
        self.kernel, self.raises, self.elementwise = kernel, raises, alone
        """What it raises when a graph runs (None: what comes of shapes that do not fit); whether each element of the
        result depends on the elements at its place alone."""
        self.name = name or kernel.__name__.rstrip("_")
        self.__doc__ = kernel.__doc__
        self.__name__ = self.name
        self.__module__ = kernel.__module__
        self.no_gradient = no_gradient
        """Of an operation from floats to floats: why it has no gradient all the same."""
        self.rule: Callable[..., Any] | None = None
        """The gradient rule; see `gradient`."""

    def _read_parameters(self, kernel: Callable[..., Any], dtypes: DTypes) -> None:
        parameters = inspect.signature(kernel).parameters.values()
        self.variadic = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
        self.tensors = tuple(p.name for p in parameters if p.kind is not p.VAR_POSITIONAL and _is_tensor(p))
        self.attributes: dict[str, Any] = {p.name: p.default for p in parameters if not _is_tensor(p)}
        self.kinds = {p.name: kind_of(p.annotation) for p in parameters if p.name in self.attributes}
        """What each attribute may be, for those that `runtime.ops.records.attributes` knows of."""
        names = (*self.tensors, self.variadic) if self.variadic else self.tensors
        table = dtypes if isinstance(dtypes, Mapping) else ({names: dtypes} if names else {})
        self.dtype_attributes = tuple(n for n in self.attributes if n in DTYPE_ATTRIBUTES)
        """Attributes that name a dtype: a call may give anything that `as_dtype` understands."""
        self.switches = tuple(n for n, default in self.attributes.items() if isinstance(default, bool))
        """Attributes that are True or False: None stands for the default."""
        self.groups = tuple(
            Group((k,) if isinstance(k, str) else k, without_narrow(self.name, v)) for k, v in table.items()
        )
        self.narrow = takes_narrow(self.name, [g.allowed for g in self.groups])
        """Whether the kernel takes bfloat16 as it is; otherwise it is given float32."""
        self.parameters = (*names, *self.attributes)
        first = self.groups[0].names[0] if self.groups else None
        self.leader = self.tensors.index(first) if first in self.tensors else 0
        """The position of the operand whose dtype the result has, unless `result` says."""
        covered = [n for g in self.groups for n in g.names]
        if sorted(covered) != sorted(names):
            raise TypeError(f"operation {self.name!r}: dtypes given for {covered}, its tensors are {list(names)}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _dispatcher(self, args, kwargs)

    def gradient(self, rule: Rule) -> Rule:
        """Decorator: registers the gradient rule and returns it. Its parameters are found by their names:

        `upstream` (the gradient of the result), `result`, any operand, any attribute, and `needed` (for each operand
        whether its gradient is wanted). A variadic operand is a list. With several results `upstream` and `result` are
        tuples; zeros are the upstream of one that nothing depends on (None where its dtype has no gradient).

        It returns the gradient of the one operand, or a tuple with one for each (a list in the variadic's place); None
        stands for no gradient. Of an operation that broadcasts it may have the shape of the result: it is summed to
        that of the operand. Rules are written with public operations, so they serve graphs and can be differentiated.
        """
        if self.rule is not None or self.no_gradient is not None:
            raise TypeError(f"operation {self.name!r} has a gradient rule already, or says that it has none")
        self.rule = rule
        return rule

    def __repr__(self) -> str:
        return f"<operation {self.name}({', '.join(self.parameters)})>"

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Splits the arguments of a call into operands and attributes, by parameter name. Raises TypeError."""
        if len(args) > len(self.parameters):
            raise TypeError(f"{self.name}() takes {len(self.parameters)} arguments, {len(args)} were given")
        given = dict(zip(self.parameters, args, strict=False))
        for key, value in kwargs.items():
            if key not in self.parameters:
                raise TypeError(f"{self.name}() has no argument {key!r}; it takes {', '.join(self.parameters)}")
            if key in given:
                raise TypeError(f"{self.name}() got two values for argument {key!r}")
            given[key] = value
        attributes = {k: given.pop(k, default) for k, default in self.attributes.items()}
        for key in self.switches:
            if attributes[key] is None:
                attributes[key] = self.attributes[key]
        for key in self.dtype_attributes:
            if attributes[key] is not None and attributes[key] is not REQUIRED:
                attributes[key] = self._as_dtype(key, attributes[key])
        if self.mixed and self.variadic is not None:
            given.setdefault(self.variadic, ())
        missing = [n for n in self.parameters if n not in given and attributes.get(n, REQUIRED) is REQUIRED]
        if missing:
            raise TypeError(f"{self.name}() needs {', '.join(map(repr, missing))}")
        return given, attributes

    def _as_dtype(self, key: str, value: Any) -> DType:
        try:
            return as_dtype(value)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{self.name}: {key}: {error}") from None

    def infer(self, operands: Sequence[Operand], attributes: Mapping[str, Any]) -> list[tuple[DType, TensorShape]]:
        """The dtype and static shape of each output. Raises ShapeMismatchError where the shapes do not fit."""
        try:
            shapes = self.shape(*operands, **attributes)
        except OpError:
            raise
        except (ValueError, IndexError) as error:
            shown = ", ".join(str(o.shape) for o in operands)
            raise misfit(error)(f"{self.name}: {error} (operand shapes: {shown})") from None
        except (TypeError, OverflowError) as error:
            raise InvalidArgumentError(f"{self.name}: {error}") from None
        except MemoryError:
            given = ", ".join(f"{k}={v!r}" for k, v in attributes.items())
            raise ResourceExhaustedError(f"{self.name}: there is not enough memory for what {given} asks for") from None
        dtypes = self.result_dtypes(operands, attributes)
        return list(zip(dtypes, (shapes,) if isinstance(shapes, TensorShape) else shapes, strict=True))

    def result_dtypes(self, operands: Sequence[Operand], attributes: Mapping[str, Any]) -> tuple[DType, ...]:
        """The dtype of each output."""
        found: Any = self.result
        if found is None:
            found = operands[self.leader].dtype
        elif not isinstance(found, DType):
            found = found(*operands, **attributes)
        return (found,) * self.outputs if isinstance(found, DType) else tuple(found)

    def run(self, arrays: Sequence[Array], attributes: Mapping[str, Any]) -> Any:
        """Runs the kernel on arrays; numpy's floating-point warnings are silent (x / 0 is inf, as IEEE says)."""
        token = silence()
        try:
            if NARROW and not self.narrow and (wide := widened(arrays, attributes)) is not None:
                return self._rounded(self.kernel(*wide[0], **wide[1]), arrays, attributes)
            return self.kernel(*arrays, **attributes)
        finally:
            restore(token)

    def _rounded(self, result: Any, arrays: Sequence[Array], attributes: Mapping[str, Any]) -> Any:
        """What was computed in float32, where the rules say that it is of bfloat16."""
        operands = [Operand(as_dtype(a.dtype), TensorShape(a.shape), a) for a in map(np.asarray, arrays)]
        dtypes = self.result_dtypes(operands, attributes)
        if self.outputs == 1:
            return np.asarray(result, dtypes[0].numpy)
        return tuple(np.asarray(r, d.numpy) for r, d in zip(result, dtypes, strict=True))


def _is_tensor(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.VAR_POSITIONAL or (
        parameter.default is REQUIRED and parameter.kind is not parameter.KEYWORD_ONLY
    )


def op(**fields: Any) -> Callable[[Callable[..., Any]], Op]:
    """Decorator: makes the record of a kernel and registers it. The fields are those of `Op`."""

    def decorate(kernel: Callable[..., Any]) -> Op:
        record = Op(kernel, **fields)
        if record.name in REGISTRY:
            raise TypeError(f"operation {record.name!r} is defined twice")
        REGISTRY[record.name] = record
        return record

    return decorate


def _no_dispatcher(record: Op, args: Any, kwargs: Any) -> Any:
    raise RuntimeError("runtime.tensor must be imported before operations can be called")


Dispatcher = Callable[[Op, Sequence[Any], Mapping[str, Any]], Any]
Wrapper = Callable[[Dispatcher, Op, Sequence[Any], Mapping[str, Any]], Any]

_base: Dispatcher = _no_dispatcher
_wrappers: Final[dict[str, Wrapper | None]] = {}
_dispatcher: Dispatcher = _no_dispatcher
_wrapping: Final = threading.Lock()


def install_dispatcher(dispatcher: Dispatcher) -> None:
    """Tells the records how a call is carried out; `runtime.tensor` does it, so that this layer knows no tensors."""
    global _base
    with _wrapping:
        _base = dispatcher
        _wrap()


def wrap_dispatcher(wrapper: Wrapper | None, purpose: str = "tapes") -> None:
    """From now on calls are carried out by `wrapper(dispatcher, op, args, kwargs)`, one wrapper for each purpose around
    the next; None: no more for this purpose."""
    with _wrapping:
        _wrappers[purpose] = wrapper
        _wrap()


def _wrap() -> None:
    global _dispatcher
    dispatcher = _base
    for _, wrapper in sorted(_wrappers.items()):
        dispatcher = dispatcher if wrapper is None else functools.partial(wrapper, dispatcher)
    _dispatcher = dispatcher  # at once: other threads are calling operations meanwhile


def is_wrapped() -> bool:
    """Whether somebody may be told of each call of an operation."""
    return any(_wrappers.values())


def carried_out_by(dispatcher: Dispatcher) -> bool:
    """Whether calls are carried out by this dispatcher, and nobody looks at them on the way."""
    return _dispatcher is dispatcher
