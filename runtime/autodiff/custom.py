"""`custom_gradient`: a function that says what its gradient is. `recompute_grad`: one that is computed a second time.

    @runtime.custom_gradient
    def log1pexp(x):
        e = runtime.exp(x)
        def grad(upstream):
            return upstream * (1 - 1 / (1 + e))       # not nan where e is infinite
        return runtime.math.log(1 + e), grad

What the function computes on the way may be used by its gradient, eagerly and in graphs. Gradients of the gradient are
those of the operations in `grad`.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeVar, overload

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.autodiff.rules import STRUCTURED, carries, refuse, zeros_of
from runtime.autodiff.tape import GradientTape
from runtime.context import current_recorder
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.graph.text import parse_graph
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.traced import TracedArray
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.custom import custom_gradient_node, distinct
from runtime.ops.records.gradients import ops
from runtime.ops.records.terms import Term
from runtime.state.calling import staged
from runtime.state.variable import Variable
from runtime.tensor import taping
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor
from runtime.vectorize.rules import NotVectorizable

__all__ = ["custom_gradient", "recompute_grad"]

Function = TypeVar("Function", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


class _Reads:
    """A tape that only takes note of the Variables that are read: of the trainable ones, and of all."""

    records_itself = False

    def __init__(self) -> None:
        self.variables: dict[int, Variable] = {}
        self.every: dict[int, Variable] = {}

    def note(self, record: Any) -> None:
        """`runtime.tensor.taping.Watcher`"""

    def note_read(self, variable: Variable, tensor: Tensor) -> None:
        """`runtime.tensor.taping.Watcher`"""
        self.note_access(variable)

    def note_access(self, variable: Variable) -> None:
        """`runtime.tensor.taping.Watcher`"""
        self.every.setdefault(id(variable._memory), variable)
        if variable.trainable:
            self.variables.setdefault(id(variable._memory), variable)

    def is_watched(self, value: Any) -> bool:
        """`runtime.tensor.taping.Watcher`"""
        return False


@overload
def custom_gradient(f: Callable[P, tuple[R, Any]]) -> Callable[P, R]: ...
@overload
def custom_gradient(f: None = None) -> Callable[[Callable[P, tuple[R, Any]]], Callable[P, R]]: ...
def custom_gradient(f: Any = None) -> Any:
    """Decorator for a function that returns its result, and a function that gives the gradients of its arguments.

    f(*args) returns (result, grad); grad(*upstreams) is called with the gradient of each tensor of the result, and
    returns the gradient of each tensor or number among the arguments (None for no gradient). Where f reads trainable
    Variables, grad also takes `variables`, a list of them, and returns (gradients of the arguments, list of those of
    the variables). Keyword arguments are passed on and have no gradient. Raises TypeError and ValueError where grad
    does not do so. `@custom_gradient()` is the same as `@custom_gradient`.
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        given = nest.flatten(list(args), nest.is_structure)
        args = tuple(nest.map_structure(_as_tensor, list(args), nested=nest.is_structure))
        made = [t for t, leaf in zip(nest.flatten(list(args), nest.is_structure), given, strict=True) if t is not leaf]
        reads, recorder = _Reads(), current_recorder()
        with taping.opened(reads):
            returned = (f if recorder is None else staged(f))(*args, **kwargs)
        if recorder is not None and recorder.recording.tracing.writes.touch(made):
            raise StagingError(_WRITTEN)
        if not isinstance(returned, tuple) or len(returned) != 2 or not callable(returned[1]):
            raise TypeError(
                f"{_name(f)}() is decorated by custom_gradient and must return its result and a function that gives"
                f" gradients; it returned {returned!r}"
            )
        result, grad = returned
        flat = nest.flatten(list(args))
        inputs = [t for t in flat if isinstance(t, Tensor | Variable) or _is_number(t)]
        variables = [v for v in reads.variables.values() if not any(v is a for a in flat)]
        results = [convert_to_tensor(as_operand(t)) for t in nest.flatten(result)]
        rule = _Rule(f, grad, inputs, variables)
        tensors = [t for t in inputs if not _is_number(t)]
        return nest.pack_sequence_as(result, _tied(results, tensors, variables, rule))

    decorated.__ag_do_not_convert__ = True  # type: ignore[attr-defined]
    return decorated


def _as_tensor(value: Any) -> Any:
    """An argument as the function sees it: arrays are tensors; Python's numbers still adapt to tensors beside them."""
    if isinstance(value, TracedArray):
        return TracedArray(Buffer(value.value(), value.buffer.label, refusal=_WRITTEN))
    return convert_to_tensor(value) if isinstance(value, np.ndarray | np.generic) else value


_WRITTEN: Final = (
    "an array is written to in a function that is decorated by custom_gradient, which has a copy of it: write to it"
    " before or after the call, or to a copy (a.copy())"
)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex)


def _name(f: Any) -> str:
    return getattr(f, "__name__", type(f).__name__)


class _Rule:
    """The gradient that a function has given for itself."""

    def __init__(self, f: Any, grad: Any, inputs: Sequence[Any], variables: Sequence[Variable]) -> None:
        self._name, self._grad = _name(f), grad
        self._inputs, self._variables = inputs, variables
        if variables and not _takes_variables(grad):
            names = ", ".join(v.name for v in variables)
            raise TypeError(
                f"{self._name}() reads the Variables {names}; so its gradient function must take them, as a keyword"
                " argument `variables`, and return (gradients of the arguments, gradients of the variables)"
            )

    def __call__(self, upstreams: Sequence[Any]) -> list[Any]:
        """The gradients of the inputs, then of the variables."""
        if self._variables:
            returned = self._grad(*upstreams, variables=list(self._variables))
            if not isinstance(returned, tuple) or len(returned) != 2:
                raise TypeError(
                    f"the gradient function of {self._name}() must return (gradients of the arguments, gradients of the"
                    f" variables); it returned {returned!r}"
                )
            given, by_variables = _flat(returned[0]), _flat(returned[1])
        else:
            given, by_variables = _flat(self._grad(*upstreams)), []
        for found, wanted, what in (
            (given, self._inputs, "arguments"), (by_variables, self._variables, "variables"),
        ):  # fmt: skip
            if len(found) != len(wanted):
                raise ValueError(
                    f"custom_gradient: the gradient function of {self._name}() is expected to return {len(wanted)}"
                    f" gradients of {what}, but it returned {len(found)}"
                )
        pairs = zip([*given, *by_variables], [*self._inputs, *self._variables], strict=True)
        return [self._checked(g, x) for g, x in pairs if not _is_number(x)]

    def _checked(self, gradient: Any, x: Any) -> Any:
        if gradient is None or not carries(x):
            return None
        tensor = convert_to_tensor(as_operand(gradient), x.dtype)
        if not tensor.shape.is_compatible_with(x.shape):
            raise ValueError(
                f"custom_gradient: the gradient function of {self._name}() returned a gradient of shape {tensor.shape}"
                f" for an argument of shape {x.shape}: they must be equal"
            )
        return tensor


def _takes_variables(grad: Any) -> bool:
    parameters = inspect.signature(grad).parameters.values()
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def _flat(gradients: Any) -> list[Any]:
    return list(nest.flatten(list(gradients) if isinstance(gradients, list | tuple) else [gradients]))


def _tied(results: Sequence[Any], inputs: Sequence[Any], variables: Sequence[Variable], rule: _Rule) -> list[Any]:
    """The results as those of one operation, with this gradient."""
    term = Term("python", ("custom_gradient", rule._name), rule)
    attributes = {"count": len(results), "rule": term}
    recorder = current_recorder()
    if recorder is not None:
        handles = [v._handle(recorder) for v in variables]
        plain = [x._handle(recorder) if isinstance(x, Variable) else x for x in inputs]
        return list(recorder.record(custom_gradient_node, [*results, *plain, *handles], attributes, None))
    made = [EagerTensor(t._array) for t in results]
    for variable in variables:
        taping.note_access(variable)
    plain = [x._memory if isinstance(x, Variable) else x for x in (*inputs, *variables)]
    taping.note(custom_gradient_node, [*results, *plain], attributes, made)
    return made


def _pull(record: Any, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    """The rule of the operation: what the program has said."""
    count, rule = record.attributes["count"], record.attributes["rule"].held
    if record.attributes["rule"].head == "rule":
        return _by_graph(record, upstreams)
    if rule is None:
        refuse(record, "was read from a text, which does not hold its rule")
    if isinstance(record, taping.Record) and any(isinstance(u, SymbolicTensor) for u in upstreams):
        raise NotVectorizable("a custom gradient is code of the program, which it has not written for rows")
    zeros = [zeros_of(r) if u is None else u for u, r in zip(upstreams, record.outputs, strict=True)]
    return [*[None] * count, *rule(zeros)]


@functools.lru_cache(maxsize=64)
def rule_graph(text: str) -> Graph:
    """The graph of a rule that was saved."""
    return parse_graph(text)


def _by_graph(record: Any, upstreams: Sequence[Any]) -> list[Any]:
    """What a rule gives that was saved as a graph: its operations, in the graph that is recorded."""
    count, (text, gives) = record.attributes["count"], record.attributes["rule"].parts
    graph, back = rule_graph(text), current_graph()
    own = count + len(gives)
    zeros = [zeros_of(r) if u is None else u for u, r in zip(upstreams, record.outputs, strict=True) if carries(r)]
    values = [*zeros, *record.inputs[own:]]
    inner = {id(t): back.recording.localize(v, graph.name) for t, v in zip(graph.inputs, values, strict=True)}
    for operation in graph.operations:
        if operation.op is not placeholder:
            operands = [inner[id(t)] for t in operation.inputs]
            copy = back.add(operation.op, operands, operation.attributes, operation.name)
            inner.update((id(old), new) for old, new in zip(operation.outputs, copy.outputs, strict=True))
    found = iter(graph.outputs)
    gradients = [inner[id(next(found))] if given else None for given in gives]
    return [*[None] * count, *gradients, *[None] * (len(record.inputs) - own)]


STRUCTURED[custom_gradient_node] = _pull

_numbers: Final = itertools.count(1)


def recompute_grad(f: Function) -> Function:
    """Decorator: the gradient of f computes f a second time, so that nothing of what it computes is kept until then.

    For functions that need much memory and little time. f must have no effects, for they would happen twice. The
    gradient raises RuntimeError if a Variable that f reads has another value then.
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        def computed(*tensors: Any) -> Any:
            run = f if current_recorder() is None else staged(f)
            reads = _Reads()
            with taping.without_tapes(), taping.opened(reads):
                result = run(*tensors, **kwargs)
            with taping.without_tapes():
                read = [(variable, variable.value()) for variable in reads.every.values()]
            for variable in reads.variables.values():
                taping.note_access(variable)

            def grad(*upstreams: Any, variables: Any = None) -> Any:
                _check_unchanged(f, read)
                number = next(_numbers)
                with GradientTape() as tape:
                    again = [distinct(t, number=number) for t in tensors]
                    tape.watch([t for t in (*again, *(variables or ())) if carries(t)])
                    same = run(*again, **kwargs)
                found = tape.gradient(same, [*again, *(variables or ())], output_gradients=list(upstreams))
                return found[: len(again)] if variables is None else (found[: len(again)], found[len(again) :])

            return result, grad

        return custom_gradient(computed)(*args)

    decorated.__ag_do_not_convert__ = True  # type: ignore[attr-defined]
    return decorated  # type: ignore[return-value]


def _check_unchanged(f: Any, read: Sequence[tuple[Variable, Any]]) -> None:
    """Raises RuntimeError, in a graph when it runs, if a Variable has another value than it had when f read it."""
    for variable, before in read:
        with taping.without_tapes():
            now: Any = variable.value()
        message = (
            f"recompute_grad: the gradient of {_name(f)}() computes it again, but the Variable {variable.name!r}, which"
            " it reads, has another value now: change it after the gradient, or give its value to the function"
        )
        if current_recorder() is not None:
            same = ops.logical_or(ops.equal(now, before), ops.not_equal(now, now))
            ops.check(ops.reduce_all(same), message=message, exception="RuntimeError")
        elif now._array is not before._array and not np.all((now._array == before._array) | (now._array != now._array)):
            raise RuntimeError(message)
