"""The gradient of `py_function`: a tape follows the Python code in the forward run, and is asked on the way back.

    y = py_function(x) {f}     ->     y, tape = py_function(x) {f under a tape};   dx = py_function(tape, dy) {ask it}

The code runs once, effects included. Its gradients are by what it is given; those by Variables that it reads by itself
would be lost, which is warned of. They have no gradients themselves. What is only arrays to the code (`numpy_function`)
has none.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any, cast

from autograph.rules import users_frame
from runtime.autodiff.rules import STRUCTURED, carries, refuse, zeros_of
from runtime.autodiff.saving import append_output
from runtime.control_flow.subgraph import current_graph
from runtime.dtypes import variant
from runtime.ops.list_value import ListValue, boxed, unboxed
from runtime.ops.python_call import py_function_node
from runtime.ops.record import Array
from runtime.ops.terms import Term
from runtime.shapes import TensorShape
from runtime.state.scopes import init_scope
from runtime.tensor.eager import EagerTensor

__all__: list[str] = []


class _Followed:
    """The call of a Python function under a tape: gives what the tape has recorded besides its results."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __call__(self, *arrays: Array) -> list[Array]:
        from runtime.autodiff.tape import GradientTape  # which imports this

        with init_scope(), GradientTape(persistent=True) as tape:
            tensors = list(map(EagerTensor, arrays))
            tape.watch([tensor for tensor in tensors if carries(tensor)])
            results = self._call.of_tensors(tensors)
        return [*(tensor._array for tensor in results), boxed(ListValue.of([cast(Any, (tape, tensors, results))]))]


def _back(kept: Array, *upstreams: Array) -> list[Array]:
    """The gradients of the floats among what the code was given; upstreams: of those among its results."""
    tape, tensors, results = cast(Any, unboxed(kept).get(0))
    with init_scope():
        targets = [tensor for tensor in results if carries(tensor)]
        sources = [tensor for tensor in tensors if carries(tensor)]
        given = list(map(EagerTensor, upstreams))
        found = tape.gradient(targets, sources, given, unconnected_gradients="zero")
        read = tape.watched_variables()
        lost = [v for v, g in zip(read, tape.gradient(targets, read, given), strict=True) if g is not None]
    if lost:
        _warn_of_lost(lost[0].name)
    return [gradient._array for gradient in found]


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


def _rule(operation: Any, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    attributes = operation.attributes
    call = attributes["function"].held
    if not isinstance(call, _Followed):
        if call is None or not hasattr(call, "differentiable"):
            refuse(operation, "is itself a gradient, or has no code")
        if not call.differentiable:
            return [None] * len(needed)
        operation.attributes = attributes = {
            **attributes,
            "function": Term("python", attributes["function"].parts, _Followed(call)),
            "dtypes": (*attributes["dtypes"], variant),
            "shapes": (*attributes["shapes"], TensorShape([])),
        }
        append_output(operation, variant, TensorShape([]))
    graph, (*results, kept) = current_graph(), operation.outputs
    pairs = [(u, r) for u, r in zip(upstreams, results, strict=False) if carries(r)]
    given = [zeros_of(result) if upstream is None else upstream for upstream, result in pairs]
    places = [i for i, value in enumerate(operation.inputs) if carries(value)]
    module, name = attributes["function"].parts
    made = graph.add(
        py_function_node,
        [graph.localize(tensor, "gradient") for tensor in (kept, *given)],
        {
            "function": Term("python", (module, f"{name}_gradient"), _back),
            "dtypes": tuple(operation.inputs[i].dtype for i in places),
            "shapes": tuple(operation.inputs[i].shape for i in places),
            "stateful": False,
        },
    )
    gradients: list[Any] = [None] * len(needed)
    for i, result in zip(places, made.outputs, strict=True):
        gradients[i] = result if needed[i] else None
    return gradients


STRUCTURED[py_function_node] = _rule
