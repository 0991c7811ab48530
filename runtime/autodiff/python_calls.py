"""The gradient of `py_function`: a tape follows the Python code in the forward run, and is asked on the way back.

    y = py_function(x) {f}     ->     y, tape = py_function(x) {f under a tape};   dx = py_function(tape, dy) {ask it}

The code runs once, effects included. Its gradients are by what it is given; those by Variables that it reads by itself
would be lost, which is warned of. The tape may follow that as well, so that there are gradients of gradients. What is
only arrays to the code (`numpy_function`) has none.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from autograph.rules import users_frame
from runtime.autodiff.rules import STRUCTURED, refuse, zeros_of
from runtime.autodiff.saving import append_output
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import variant
from runtime.ops.flow.python_call import py_function_node
from runtime.ops.kernels.list_value import ListValue, boxed, unboxed
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape
from runtime.state.scopes import init_scope
from runtime.tensor.eager import EagerTensor

__all__ = ["NEW_TAPE"]

NEW_TAPE: Final[list[Callable[..., Any]]] = []
"""The class of tapes, which puts itself here."""


def _floats(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if value.dtype.is_floating or value.dtype.is_complex]


def _kept(tape: Any, sources: Sequence[Any], targets: Sequence[Any]) -> Array:
    """What the way back takes: the tape, and the tensors that stand in it for the operands and the results."""
    return boxed(ListValue.of([cast(Any, (tape, sources, targets))]))


class _Followed:
    """The call of a Python function under a tape: gives what the tape has recorded besides its results."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __call__(self, *arrays: Array) -> list[Array]:
        with init_scope(), NEW_TAPE[0](persistent=True) as tape:
            tensors = list(map(EagerTensor, arrays))
            tape.watch(_floats(tensors))
            results = self._call.of_tensors(tensors)
        return [*(tensor._array for tensor in results), _kept(tape, _floats(tensors), _floats(results))]


def _back(kept: Array, *arrays: Array) -> list[Array]:
    """The gradients of the floats among what the code was given. arrays: those, and upstreams of its float results."""
    tape, sources, targets = cast(Any, unboxed(kept).get(0))
    given = list(map(EagerTensor, arrays[len(sources) :]))
    with init_scope():
        found = tape.gradient(targets, sources, given, unconnected_gradients="zero")
        read = tape.watched_variables()
        lost = [v for v, g in zip(read, tape.gradient(targets, read, given), strict=True) if g is not None]
    if lost:
        _warn_of_lost(lost[0].name)
    return [gradient._array for gradient in found]


def _back_followed(kept: Array, *arrays: Array) -> list[Array]:
    """As `_back`; the tape follows how it finds them, so that it can be asked for their gradients, too."""
    tape, sources, targets = cast(Any, unboxed(kept).get(0))
    given = list(map(EagerTensor, arrays[len(sources) :]))
    with init_scope(), tape:
        tape.watch(given)
        found = tape.gradient(targets, sources, given, unconnected_gradients="zero")
    return [*(gradient._array for gradient in found), _kept(tape, [*sources, *given], found)]


def _warn_of_lost(name: str) -> None:
    """At the line of the user's that asks for the gradient."""
    frame = users_frame(sys._getframe())
    while frame.f_code.co_filename.startswith("<plan of ") and frame.f_back is not None:
        frame = users_frame(frame.f_back)
    message = (
        f"the code of a py_function reads the Variable {name!r}, and in a graph its gradient by that is lost: give it"
        " the Variable as well, py_function(f, [x, variable], Tout)"
    )
    warnings.warn_explicit(message, RuntimeWarning, frame.f_code.co_filename, frame.f_lineno)


def _follow(operation: Any) -> bool:
    """Lets a call of code give what a tape records of it, too. False for code that works on arrays alone."""
    attributes = operation.attributes
    call, (module, name) = attributes["function"].held, attributes["function"].parts
    if call is _back_followed or isinstance(call, _Followed):
        return True
    if call is None:
        refuse(operation, "has no code")
    if call is not _back and not call.differentiable:
        return False
    followed = _back_followed if call is _back else _Followed(call)
    operation.attributes = {
        **attributes,
        "function": Term("python", (module, name), followed),
        "dtypes": (*attributes["dtypes"], variant),
        "shapes": (*attributes["shapes"], TensorShape([])),
    }
    append_output(operation, variant, TensorShape([]))
    return True


def _rule(operation: Any, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    if not _follow(operation):
        return [None] * len(needed)
    graph, (*results, kept) = current_graph(), operation.outputs
    wanted = set(map(id, _floats(results)))
    pairs = [(u, r) for u, r in zip(upstreams, results, strict=False) if id(r) in wanted]
    given = [zeros_of(result) if upstream is None else upstream for upstream, result in pairs]
    sources = _floats(operation.inputs)
    module, name = operation.attributes["function"].parts
    made = graph.add(
        py_function_node,
        [graph.recording.localize(tensor, "gradient") for tensor in (kept, *sources, *given)],
        {
            "function": Term("python", (module, f"{name}_gradient"), _back),
            "dtypes": tuple(source.dtype for source in sources),
            "shapes": tuple(source.shape for source in sources),
            "stateful": False,
        },
    )
    found = {id(source): result for source, result in zip(sources, made.outputs, strict=True)}
    return [found.get(id(value)) if wants else None for value, wants in zip(operation.inputs, needed, strict=True)]


STRUCTURED[py_function_node] = _rule
