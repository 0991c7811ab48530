"""Scopes in which Variables and operations are made: `name_scope`, `init_scope`, `control_dependencies`, `device`.

    with name_scope("layer"):
        w = Variable(0.0, name="w")              # w.name == "layer/w:0"
    with init_scope():
        ...                                      # runs at once, also while a function is traced
    with device("/GPU:0"):
        ...                                      # runs on the CPU: what a machine lacks is replaced

A graph keeps the order of the program, so `control_dependencies` has nothing to add, and neither has `group`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Final

from autograph.contexts import binding
from autograph.operators.stager import tracing_stager
from runtime import config
from runtime.context import current_recorder, recording
from runtime.errors import InvalidArgumentError
from runtime.graph.graph import Graph
from runtime.graph.trace_state import TraceState
from runtime.tensor.taping import without_tapes

__all__ = [
    "control_dependencies", "current_scope", "device", "group", "init_scope", "name_scope", "no_op", "note_answer",
    "trace_around",
]  # fmt: skip

_scope: ContextVar[str] = ContextVar("runtime_name_scope", default="")

_left: ContextVar[TraceState | None] = ContextVar("runtime_left_by_init_scope", default=None)

_NAME: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")

_DEVICE: Final = re.compile(
    r"(/job:\w+)?(/replica:\d+)?(/task:\d+)?/?(device:)?(?P<kind>[a-z]\w*)(:(?P<number>\d+|\*))?", re.IGNORECASE
)

_CPU: Final = "CPU"


def current_scope() -> str:
    """What the names of new Variables start with: the scopes around, each with a slash."""
    return _scope.get()


class name_scope(contextlib.ContextDecorator):
    """Names of Variables and operations made inside start with `name/`. A name that ends with a slash stands alone.

    The value of `with ... as scope` is the whole scope, with a slash at its end. Raises ValueError for a bad name.
    """

    __ag_do_not_convert__ = True

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or (name and not _NAME.fullmatch(name)):
            raise ValueError(f"a name scope is letters, digits and ._-/, with a letter or digit at first; got {name!r}")
        self._name = name
        self._entered: list[contextlib.ExitStack] = []

    @property
    def name(self) -> str:
        """The name that was given."""
        return self._name

    def __enter__(self) -> str:
        name = self._name
        whole = name if name.endswith("/") or not name else f"{_scope.get()}{name}/"
        stack = contextlib.ExitStack()
        token = _scope.set(whole)
        stack.callback(_scope.reset, token)
        graph = current_recorder()
        if isinstance(graph, Graph):
            stack.callback(setattr, graph.recording, "scope", graph.recording.scope)
            graph.recording.scope = whole
        self._entered.append(stack)
        return whole

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().close()


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """What is inside runs at once, outside of the function, branch or loop that is being traced, and of all tapes."""
    trace = trace_around()
    creations = None if trace is None else trace.creations
    before = len(creations.made) if creations else 0
    try:
        with binding(tracing_stager, None), binding(_left, trace), recording(None), without_tapes():
            yield
    finally:
        if creations is not None:
            creations.forget_gone(before)


def trace_around() -> TraceState | None:
    """The trace that this code belongs to, also inside `init_scope`, or None."""
    graph = current_recorder()
    return graph.recording.tracing if isinstance(graph, Graph) else _left.get()


def note_answer(name: str, ask: Callable[[], Any], answer: Any) -> None:
    """Takes note that the program was told something of where it is called: a trace holds for that answer alone.

    name: of the function that told it; ask: what tells it again, when the trace is to be used.
    """
    trace = trace_around()
    if trace is not None:
        trace.asked.setdefault(name, (ask, answer))


@contextlib.contextmanager
def control_dependencies(control_inputs: Sequence[Any] | None) -> Iterator[None]:
    """What is inside runs after `control_inputs`: it does anyway, because effects keep the order of the program.

    control_inputs: a list of tensors, Variables, operations and None. Raises TypeError for anything else.
    """
    if control_inputs is not None and (
        isinstance(control_inputs, str | bytes) or not isinstance(control_inputs, list | tuple)
    ):
        raise TypeError(f"control_dependencies takes a list of tensors and operations; got {control_inputs!r}")
    for item in control_inputs or ():
        known = item is None or callable(item) or hasattr(item, "dtype") or hasattr(item, "op") or hasattr(item, "type")
        if not known:
            raise TypeError(f"control_dependencies takes tensors, Variables and operations; got {item!r}")
    yield


def group(*inputs: Any, name: str | None = None) -> None:
    """All of the inputs: their effects have been recorded where they stand in the program."""


def no_op(name: str | None = None) -> None:
    """Nothing."""


@contextlib.contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Where operations are to run: accepted, and replaced by the CPU where there is no such device.

    device_name: "/GPU:0", "/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0", None or a function. Raises
    ValueError for what is no device name, InvalidArgumentError for a device that is not there if soft placement is off.
    """
    if device_name is not None and not callable(device_name):
        _check_device(device_name)
    yield


def _check_device(name: Any) -> None:
    found = _DEVICE.fullmatch(name) if isinstance(name, str) else None
    if name == "":
        return
    if found is None:
        raise ValueError(f"{name!r} is no name of a device; write it like '/CPU:0', '/GPU:1' or '/device:GPU:0'")
    kind, number = found["kind"].upper(), found["number"]
    if kind == _CPU and number in (None, "0", "*"):
        return
    soft = config.get_soft_device_placement()
    note_answer("get_soft_device_placement", config.get_soft_device_placement, soft)
    if not soft:
        raise InvalidArgumentError(
            f"there is no device {name!r}; available is CPU:0 (config.set_soft_device_placement(True), the default,"
            " takes it in the place of others)"
        )
