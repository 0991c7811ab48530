"""`py_function`: a call of Python code while a graph runs.

    %r = py_function(%x) {function=python("model", "log_step"), dtypes=(float32,), shapes=(shape[*],), stateful=True}

The term names the function. What it holds in this process takes arrays and returns a list of arrays
(`runtime.library.python_functions` makes it); where the graph was read from its text it holds nothing,
and a call raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.dtypes import ANY, DType
from runtime.ops.records.raises import ANYTHING
from runtime.ops.records.record import Array, op
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = ["py_function_node", "term_of"]


def term_of(function: Callable[..., Any], call: Callable[..., list[Array]]) -> Term:
    """The term of a function. `call` is what the graph runs: from arrays to a list of arrays."""
    module = getattr(function, "__module__", None) or "?"
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return Term("python", (str(module), str(name)), call)


@op(
    raises=ANYTHING, runs_code=True,
    name="py_function",
    shape=lambda *values, function, dtypes, shapes, stateful: shapes,
    result=lambda *values, function, dtypes, shapes, stateful: dtypes,
    dtypes=ANY, mixed=True, outputs=0, holds=True,
)  # fmt: skip
def py_function_node(
    *values: Array,
    function: Term = Term("python", ("", "")),  # noqa: B008
    dtypes: tuple[DType, ...] = (),
    shapes: tuple[TensorShape, ...] = (),
    stateful: bool = True,
) -> tuple[Array, ...]:
    """Calls a Python function with the values, each time that it runs. values: any tensors; results of these dtypes."""
    if function.held is None:
        raise RuntimeError(
            f"the graph calls the Python function {'.'.join(function.parts)}, and the text of a graph holds no code:"
            " trace the function in this process to run it"
        )
    return tuple(function.held(*values))
