"""What makes a graph run: engines under one protocol, by name.

    plan = compile_graph(graph, "native")
    plan.function(*arrays)              # an array for each input, the memory of a Variable for a handle

`runtime.function(..., backend="numpy")` names one; where nobody does, `runtime.config.backend` decides. A new engine is
a class with the methods of `Backend`, a line in `_BACKENDS`, and its name in `runtime.backend_names`; one of another
package is an entry point of the group `runtime.backends`, which names what makes it.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Final

from runtime import config
from runtime.backend_names import brought, check_name, is_there
from runtime.engine.protocol import Backend, Plan
from runtime.graph.graph import Graph

__all__ = ["Backend", "Plan", "backend_named", "compile_graph", "default_name"]


def _numpy() -> Backend:
    from runtime.engine.plan import NumpyBackend

    return NumpyBackend()


def _interpreter() -> Backend:
    from runtime.engine.interpreter import InterpreterBackend

    return InterpreterBackend()


def _native() -> Backend:
    from runtime.native.backend import NativeBackend

    return NativeBackend()  # pyright: ignore[reportReturnType]  # it takes a cached_property for no property


def _adaptive() -> Backend:
    from runtime.native.adaptive import AdaptiveBackend

    return AdaptiveBackend()


def _jax() -> Backend:
    # By its name, for it is above: what it makes of some operations is traced, as programs are.
    made: Backend = importlib.import_module("runtime.exits.xla.backend").JaxBackend()
    return made


_BACKENDS: Final[dict[str, Callable[[], Backend]]] = {
    "adaptive": _adaptive, "interpreter": _interpreter, "jax": _jax, "native": _native, "numpy": _numpy,
}  # fmt: skip


@functools.cache
def backend_named(name: str) -> Backend:
    """The engine of this name. Raises ValueError, or ImportError where its library is not installed."""
    name = check_name(name)
    make: Callable[[], Backend] = _BACKENDS[name] if name in _BACKENDS else brought()[name].load()
    return make()


def default_name() -> str:
    """The engine of Functions that name none: the setting, else the best one that is installed."""
    return config.default_backend() or ("adaptive" if is_there("adaptive") else "numpy")


def compile_graph(graph: Graph, backend: str | None = None, whole: bool = False) -> Plan:
    """The plan of a graph, by the engine of this name; None: by the default. `whole`: see `Backend.compile`."""
    return backend_named(backend or default_name()).compile(graph, whole)
