"""A trace as a program of XLA in bytes, which `jax.export.deserialize` loads.

    data = serialized(function, [runtime.TensorSpec([8, 3], runtime.float32)], DEFAULT, ["cpu"], False)
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import resource, string, variant
from runtime.errors import NotExportableError
from runtime.exits.problems import Problem, listed
from runtime.exits.traces import trace_of
from runtime.exits.xla.library import jax_library
from runtime.exits.xla.program import jax_settings
from runtime.exits.xla.pure import PureTrace
from runtime.function.concrete import ConcreteFunction
from runtime.shapes import TensorShape

__all__ = ["lowered_text", "serialized"]

WHAT: Final = "export.stablehlo"

_LOCATIONS: Final = threading.Lock()


def serialized(
    function: Any, input_signature: Sequence[Any] | None, signature: str, platforms: Sequence[str], dropped: bool
) -> bytes:
    """The program of a function. Raises NotExportableError."""
    program, given = _program(function, input_signature, signature, dropped)
    jax = jax_library()
    with jax_settings(), _without_locations(jax):
        made = jax_library("jax.export").export(jax.jit(program), platforms=list(platforms))(*given)
        return bytes(made.serialize())


def lowered_text(function: Any, input_signature: Sequence[Any] | None, dropped: bool = False) -> str:
    """The program of a function as text, for this machine."""
    program, given = _program(function, input_signature, "", dropped)
    jax = jax_library()
    with jax_settings(), _without_locations(jax):
        return str(jax.jit(program).lower(*given).as_text())


def _program(
    function: Any, input_signature: Sequence[Any] | None, signature: str, dropped: bool
) -> tuple[Any, list[Any]]:
    """A function of arrays in a row, and what they are."""
    jax = jax_library()
    trace = _trace(function, input_signature, signature)
    sizes = None if input_signature is None else [part.shape for part in input_signature]
    arguments = _arguments(trace, sizes)
    pure = PureTrace(WHAT, trace, dropped)
    weights, count = pure.values(), len(arguments)
    changing = {pure.names[i]: weights[pure.names[i]] for i in pure.program.written}

    def program(*arrays: Any) -> list[Any]:
        values = {**weights, **dict(zip(changing, arrays[count:], strict=True))}
        results, after = pure.compute(arrays[:count], list(values.values()))
        return [*results, *after.values()]

    given = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in arguments]
    return program, [*given, *(jax.ShapeDtypeStruct(v.shape, v.dtype) for v in changing.values())]


def _trace(function: Any, input_signature: Sequence[Any] | None, signature: str) -> ConcreteFunction:
    """The trace; a signature beside one that is made already only says the sizes."""
    try:
        made: ConcreteFunction = trace_of(WHAT, function, input_signature, signature)
    except ValueError:
        if input_signature is None:
            raise
        made = trace_of(WHAT, function, None, signature)
    return made


def _arguments(trace: ConcreteFunction, sizes: Sequence[TensorShape] | None) -> list[tuple[tuple[int, ...], Any]]:
    """The shape and dtype of each argument. Raises NotExportableError for one that is open, or that XLA has not."""
    inputs = [tensor for tensor in trace.graph.inputs if tensor.dtype is not resource]
    shapes = [tensor.shape for tensor in inputs]
    if sizes is not None and len(sizes) == len(inputs):
        shapes = [own.merge_with(given) for own, given in zip(shapes, sizes, strict=True)]
    problems = []
    for tensor, shape in zip(inputs, shapes, strict=True):
        if tensor.dtype in (string, variant):
            problems.append(Problem(tensor.op, f"it is an argument of {tensor.dtype.name}, which XLA has not"))
        elif not shape.is_fully_defined():
            problems.append(Problem(tensor.op, f"its shape {shape} is open; say the sizes with input_signature"))
    if problems:
        heading = f"{WHAT}: {trace.header} cannot leave, and nothing was written:"
        raise NotExportableError(listed(heading, problems))
    return [(tuple(s.as_tuple()), np.dtype(t.dtype.numpy)) for s, t in zip(shapes, inputs, strict=True)]


@contextlib.contextmanager
def _without_locations(jax: Any) -> Iterator[None]:
    """The block in which JAX writes no paths of this machine into programs: the same function gives the same bytes."""
    name = "jax_traceback_in_locations_limit"
    with _LOCATIONS:
        before = getattr(jax.config, name)
        jax.config.update(name, 0)
        try:
            yield
        finally:
            jax.config.update(name, before)
