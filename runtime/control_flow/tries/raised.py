"""Exceptions that leave a staged part: a branch that raises one is *diverging*, it becomes an operation that raises.

    if x < 0: raise ValueError(f"bad {x}")      the branch's graph ends with `raise`; after the `if`, x is the other's

Whose exception it is decides. What the user's code raises (or Python in it: `1 / 0`, `d['missing']`, an unbound
variable) belongs to the run of the graph. What else comes while tracing is an error of the trace and passes on. Where
nothing is staged around it, the program's own handlers may take it, but for what autograph and runtime *refuse*: the
same program without a graph would have gone on.
"""

from __future__ import annotations

import signal
import traceback
from typing import Any, Final, NoReturn

import numpy as np

import autograph.operators
import runtime.control_flow
from autograph.errors import AutoGraphError
from autograph.operators.signals import Signal
from runtime.array_errors import OF_ARRAYS
from runtime.context import current_recorder, outwards
from runtime.errors import (
    DtypeMismatchError,
    GraphError,
    InaccessibleTensorError,
    OperandTypeError,
    OperatorNotAllowedInGraphError,
    OutOfRangeError,
    is_of_the_trace,
    of_the_trace,
)
from runtime.graph.graph import Graph
from runtime.graph.location import is_own, where_raised
from runtime.marker import Marker
from runtime.ops.flow.exceptions import describe_error, install_tensor
from runtime.ops.flow.raising import caught, raise_, reraise
from runtime.ops.records.terms import Term
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "UNREACHABLE", "Diverged", "caught_value", "end_trace", "ends_a_branch", "holds_tensors", "is_handled",
    "is_of_the_program", "is_refusal", "names_refusals", "record_raise", "record_reraise",
]  # fmt: skip

_REFUSALS: Final = (
    AutoGraphError, GraphError, InaccessibleTensorError, OperatorNotAllowedInGraphError, RecursionError, Signal,
)  # fmt: skip
"""What autograph and runtime refuse to stage; a recursion that ends with a graph may well not end in a trace."""

_VALUES: Final = {
    "string": (str, bytes), "bool": (bool, np.ndarray), "int": (int, np.ndarray), "uint": (int, np.ndarray),
    "float": (float, np.ndarray), "complex": (complex, np.ndarray),
}  # fmt: skip
"""What a tensor of a kind stands for, whose attributes a program may ask for."""

_NEVER: Final = (KeyboardInterrupt, GeneratorExit, MemoryError, *_REFUSALS)
"""What no graph can raise in the program's stead, whoever's line it is."""

UNREACHABLE: Final = Marker("UNREACHABLE")
"""The result of a staged part that never comes to its end, and the value of each variable there."""


class Diverged(BaseException):
    """All ways on from here raise. It unwinds to the branch, loop body or trace around; no `except` is to see it."""


def is_of_the_program(error: BaseException) -> bool:
    """Whether an exception is one that the program raises when it runs, not one about its staging."""
    if isinstance(error, _NEVER) or is_refusal(error) or _is_of_a_signal(error):
        return False
    if isinstance(error, OutOfRangeError):  # an index that is known while tracing, as is the shape
        return True
    modules = _own_modules(error)
    return not modules or _is_python(modules[-1])


def _is_of_a_signal(error: BaseException) -> bool:
    """Whether a handler of a signal has raised it, such as one that ends what takes too long: at whatever line."""
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


def is_refusal(error: BaseException) -> bool:
    """Whether an exception comes from staging: the program would not raise it, had its tensors values.

    Numbers of dtypes that do not fit together are a refusal, for Python and NumPy take them. A shape that does not fit,
    or a text among numbers, is none: they raise that, too.
    """
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(lambda e: not isinstance(e, BaseExceptionGroup) and is_refusal(e)) is not None
    if "__ag_class__" in vars(type(error)):
        return False  # it stands for one that the program raises
    if isinstance(error, _REFUSALS) or is_of_the_trace(error):
        return True
    if isinstance(error.__cause__, OperatorNotAllowedInGraphError):  # numpy wanted a value: `a.fill(x)`
        return True
    if isinstance(error, OF_ARRAYS):
        return False  # NumPy raises it, too
    if isinstance(error, DtypeMismatchError):
        return not isinstance(error, OperandTypeError)
    if type(error).__module__.startswith(("runtime.control_flow", "autograph.")):
        return True
    if isinstance(error, AttributeError) and isinstance(error.obj, Tensor):
        return any(hasattr(kind, error.name or "") for kind in (EagerTensor, *_VALUES.get(error.obj.dtype.family, ())))
    modules = _own_modules(error)
    if not modules or _is_python(modules[-1]):
        return False
    return not all("RAISES_AS_PYTHON" in module for module in modules if _stages(module))


def end_trace(error: BaseException) -> NoReturn:
    """Raises an error of the trace that a statement around would have to stage, and cannot: nobody may take it."""
    raise of_the_trace(error)


Variables = dict[str, Any]
"""The variables of a module. One of this room in which is raised what Python's builtins and operators raise, besides
what they cannot do, says so by a variable `RAISES_AS_PYTHON`."""


def _stages(module: Variables) -> bool:
    """Whether a module is one of this room."""
    return str(module["__name__"]).startswith(runtime.control_flow.__name__ + ".")


def _is_python(module: Variables) -> bool:
    """Whether what is raised in a module of ours is what Python's operators, statements and library raise."""
    of_operators = module.get("__package__") == autograph.operators.__name__
    return of_operators or "IS_PYTHON" in module


def _own_modules(error: BaseException) -> list[Variables]:
    """Our modules between the user's innermost line and what raised the exception; none, if that line raised it."""
    found: list[Variables] = []
    traceback = error.__traceback__
    while traceback is not None:
        if is_own(traceback.tb_frame.f_code.co_filename):
            found.append(traceback.tb_frame.f_globals)
        else:
            found.clear()
        traceback = traceback.tb_next
    return found


def names_refusals(kinds: Any) -> bool:
    """Whether an `except` clause names what staging refuses: a program that does so means it."""
    named = kinds if isinstance(kinds, tuple) else (kinds,)
    return any(isinstance(kind, type) and issubclass(kind, (*_REFUSALS, DtypeMismatchError)) for kind in named)


def ends_a_branch(error: BaseException) -> bool:
    """Whether an exception that leaves a staged part becomes an operation of it, so that the trace goes on."""
    return isinstance(error, Diverged) or is_handled(current_recorder(), error) or is_of_the_program(error)


def is_handled(graph: Any, error: BaseException) -> bool:
    """Whether an exception is what stands, in a handler that is being traced, for the exception of the run."""
    return _handler_of(graph, error) is not None


def _handler_of(graph: Any, error: BaseException | None = None) -> Graph | None:
    """The graph around of the handler of this exception; of the innermost handler where none is given."""
    handlers = (around for around in outwards(graph) if around.recording.handling is not None)
    return next((h for h in handlers if error is None or h.recording.handling.error is error), None)


def caught_value(handler: Graph) -> SymbolicTensor:
    """The exception that the graph of a handler handles, as a tensor of that graph."""
    made = next((o for o in handler.operations if o.op is caught), None)
    return (handler.add(caught, [], {}) if made is None else made).outputs[0]


def record_reraise(graph: Graph, error: BaseException) -> None:
    """Ends the graph by raising again an exception that is handled here, or further out."""
    handler = _handler_of(graph, error)
    if handler is None or handler is _handler_of(graph):
        operation = graph.add(reraise, [], {})
    else:
        value = graph.recording.localize(caught_value(handler), "raise")
        operation = graph.add(raise_, [value], {"error": Term("hole", (0,))})
    operation.location = where_raised(error)[0]


def holds_tensors(error: BaseException) -> bool:
    """Whether an exception, or one that it came from, holds values that are known only when the graph runs."""
    found: list[Any] = []

    def hole(value: Any) -> Term | None:
        if not isinstance(value, SymbolicTensor):
            return None
        found.append(value)
        return Term("hole", (0,))

    describe_error(error, hole)
    return bool(found)


def record_raise(graph: Graph, error: BaseException) -> None:
    """Ends the graph with an operation that raises such an exception, at the line that raised this one."""
    operands: list[SymbolicTensor] = []

    def hole(value: Any) -> Term | None:
        if isinstance(value, BaseException):
            handler = _handler_of(graph, value)
            if handler is None:
                return None
            if handler is _handler_of(graph):
                return Term("caught", ())
            value = caught_value(handler)
        elif not isinstance(value, Tensor):
            return None
        operands.append(graph.recording.localize(value, "raise"))
        return Term("hole", (len(operands) - 1,))

    term = describe_error(error, hole)
    operation = graph.add(raise_, operands, {"error": term})
    operation.location = where_raised(error)[0] or operation.location


install_tensor(EagerTensor)
