"""The backend "adaptive": the plan over numpy, until it has cost time; then machine code, if that is faster.

The machine code is made in the background, while the plan goes on; a loop that runs for long by itself is handed over
in the middle (`runtime.native.handover`). Results are the same to the last bit either way, so nobody can tell but by
the clock.
"""

from __future__ import annotations

import functools
import threading
import time
import warnings
from typing import Any, Final

from runtime.config import overflow_checks
from runtime.engine.plan import Plan as NumpyPlan
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.native.backend import NativePlan, is_worth
from runtime.native.handover import HOT, Loops, in_background
from runtime.native.objects import check_layout

__all__ = ["AdaptiveBackend", "AdaptivePlan"]

_TRIALS: Final = 3
"""How many runs of the machine code are measured, before the slower one of the two goes."""


class AdaptivePlan:
    """`runtime.backends.Plan`: `function` is the plan over numpy, measured, then what was found to be faster."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._loops = graph, Loops(graph)
        self._plan = compile_plan(graph, self._loops.begin_of)
        self._spent, self._runs = 0.0, 0
        self._lock = threading.Lock()
        self._asked = False
        self._checks = overflow_checks()
        self._least = float("inf")
        self._trials: list[float] = []
        self._native: Any = None
        self.function: Any = self._measured

    @property
    def source(self) -> str:
        """The plan over numpy."""
        return self._plan.source

    @property
    def alone(self) -> Any:
        """As of `NativePlan`, once it is that which runs."""
        native = self._native
        return native.alone if native is not None and self.function is native.function else None

    def _measured(self, *arrays: Any) -> Any:
        start, taken = time.perf_counter(), self._loops.taken
        try:
            return self._plan.function(*arrays)
        finally:
            seconds = time.perf_counter() - start
            self._spent += seconds
            if taken == self._loops.taken:  # else it was machine code in part
                self._least = min(self._least, seconds)
            if self._spent > HOT and not self._asked:
                self._ask()

    def _ask(self) -> None:
        with self._lock:
            if self._asked:
                return
            self._asked = True
        if self._checks == overflow_checks():  # else the machine code would not compute the same
            native = NativePlan(self._graph)
            in_background(lambda: self._compile(native))

    def _compile(self, native: NativePlan) -> None:
        """In the background: machine code, if any of the loops can be that."""
        self.function = self._plan.function
        try:
            native.prepare()
        except Exception as error:  # the program goes on as it did
            self._stay()
            warnings.warn(f"no machine code could be made of {self._graph.name!r}: {error}", stacklevel=1)
            return
        self._native = native
        if native.regions:
            self.function = self._on_trial
        else:
            self._stay()

    def _stay(self) -> Any:
        """The plan it is, from now on."""
        self._loops.closed = True
        self.function = self._plan.function
        return self.function

    def _on_trial(self, *arrays: Any) -> Any:
        if not self._trials and self._checks != overflow_checks():
            return self._stay()(*arrays)
        function = self._native.function
        start = time.perf_counter()
        result = function(*arrays)
        self._trials.append(time.perf_counter() - start)
        if len(self._trials) >= _TRIALS:
            self.function = function if min(self._trials) < self._least else self._stay()
        return result


class AdaptiveBackend:
    """`runtime.backends.Backend`."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        return []

    def compile(self, graph: Graph, whole: bool = False) -> AdaptivePlan | NumpyPlan:
        return AdaptivePlan(graph) if is_worth(graph) and _is_known() else compile_plan(graph)


@functools.cache
def _is_known() -> bool:
    """Whether machine code knows the arrays of this numpy; if not that is told once, and the plan does all the work."""
    wrong = check_layout()
    if wrong:
        warnings.warn(f"no machine code: it does not know the arrays of this numpy ({wrong})", stacklevel=1)
    return not wrong
