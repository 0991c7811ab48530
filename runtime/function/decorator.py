"""`runtime.function`: the decorator, with its options.

    @runtime.function                                    # or runtime.function(step)
    def step(x): ...

    @runtime.function(reduce_retracing=True, name="step")
    def step(x): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from runtime.function.function import Function
from runtime.function.options import Options

__all__ = ["function"]

P = ParamSpec("P")
R = TypeVar("R")


@overload
def function(
    func: Callable[P, R],
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    *,
    experimental_autograph_options: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    backend: str | None = ...,
    name: str | None = ...,
) -> Function[P, R]: ...
@overload
def function(
    func: None = None,
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    *,
    experimental_autograph_options: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    backend: str | None = ...,
    name: str | None = ...,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    *,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    backend: str | None = None,
    name: str | None = None,
    **unknown: Any,
) -> Any:
    """Decorator, with or without options, that makes a Function of a Python function or method.

    `input_signature`: list of TensorSpec, one trace for all calls. `autograph=False`: control flow is not staged.
    `jit_compile` (older: `experimental_compile`): True, loops become machine code before the first call runs, each of
    them whole (with the extra `native`, docs/native.md); False, never; None, when they have cost time. `backend`: the
    name of the engine instead, see `runtime.config.backend`.
    `reduce_retracing=True` (older: `experimental_relax_shapes`): from the second shape on, a trace leaves open which
    dims differ, so that later shapes need no trace of their own. `experimental_autograph_options`: a Feature or a tuple
    of them. `name`: for messages. Raises TypeError for an unknown option, with the nearest known one, and
    ImportError for an engine whose extra is not installed. With `jit_compile=True` the first call raises
    NotCompiledError where an operation of a loop has no machine code.
    """
    options = Options.of(
        name=name,
        input_signature=input_signature,
        autograph=autograph,
        jit_compile=jit_compile,
        reduce_retracing=reduce_retracing,
        experimental_autograph_options=experimental_autograph_options,
        experimental_relax_shapes=experimental_relax_shapes,
        experimental_compile=experimental_compile,
        backend=backend,
        **unknown,
    )
    if func is None:
        return lambda decorated: Function(decorated, options)
    return Function(func, options)
