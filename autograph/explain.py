"""`explain`: what became of a function and of all that it called, line by line.

    >>> autograph.explain(step, x)
    model.py:3  step: converted
    model.py:4  if in step: staged by runtime
    model.py:8  for in step: unrolled 10 times
    numpy/...   sum: runs as it is: it belongs to an installed package

The function is run once for it: traced anew if it is one that a runtime traces, else called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from autograph.api import converted
from autograph.operators.observation import Place, observed
from autograph.operators.stager import tracing_stager

__all__ = ["FunctionMet", "Report", "StatementMet", "WarningMet", "explain"]


@dataclass(frozen=True, slots=True)
class FunctionMet:
    """A Python function that was called. reason: why it ran as it is; None if it was converted."""

    place: Place
    reason: str | None
    calls: int

    def __str__(self) -> str:
        return f"{self.place.function}: {'converted' if self.reason is None else f'runs as it is: {self.reason}'}"


@dataclass(frozen=True, slots=True)
class StatementMet:
    """A statement of control flow, with what it was each time that it ran, in words."""

    kind: str
    place: Place
    outcomes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind} in {self.place.function}: {', '.join(self.outcomes)}"


@dataclass(frozen=True, slots=True)
class WarningMet:
    """A warning that was given meanwhile."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"warning: {self.text}"


@dataclass(frozen=True, slots=True)
class Report:
    """What `explain` found; `str(report)` is the text that it prints."""

    functions: tuple[FunctionMet, ...]
    statements: tuple[StatementMet, ...]
    warnings: tuple[WarningMet, ...]
    error: BaseException | None = None
    """What the function raised, if it did."""

    def __str__(self) -> str:
        entries: list[Any] = [*self.functions, *self.statements, *self.warnings]
        entries.sort(key=lambda entry: entry.place)
        lines = [f"{entry.place.filename}:{entry.place.lineno}  {entry}" for entry in entries]
        if self.error is not None:
            lines.append(f"raised {type(self.error).__name__}: {self.error}")
        return "\n".join(lines)


def explain(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Report:
    """Runs `fn(*args, **kwargs)` once, prints what happened to each function and statement of it, and returns that.

    A function that a runtime traces is traced anew, and its graph is not run. An exception of the function is in the
    report. Raises ConversionError if the function cannot be converted.
    """
    traces = getattr(fn, "__ag_trace__", None)
    run = converted(fn) if traces is None else traces
    seen = _Seen()
    code = _code_of(fn)
    if code is not None:
        seen.function(code, "it is marked do_not_convert" if run is fn else None)
    error: BaseException | None = None
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        with observed(seen):
            try:
                run(*args, **kwargs)
            except Exception as raised:
                error = raised
    told = {WarningMet(Place(w.filename, w.lineno, ""), str(w.message)) for w in given}
    report = Report(
        tuple(FunctionMet(place, reason, calls) for (place, reason), calls in seen.functions.items()),
        tuple(StatementMet(kind, place, tuple(o)) for (kind, place), o in seen.statements.items()),
        tuple(sorted(told, key=lambda warning: (warning.place, warning.text))),
        error,
    )
    print(report)
    return report


def _code_of(fn: Any) -> CodeType | None:
    """The code of the Python function inside a callable."""
    fn = getattr(fn, "func", getattr(fn, "python_function", fn))  # a partial object, a traced function
    fn = getattr(fn, "__func__", fn)
    if not hasattr(fn, "__code__"):
        fn = vars(type(fn)).get("__call__", fn)
    return getattr(fn, "__code__", None)


@dataclass(slots=True)
class _Seen:
    """The observer of one run."""

    functions: dict[tuple[Place, str | None], int] = field(default_factory=dict)
    statements: dict[tuple[str, Place], dict[str, None]] = field(default_factory=dict)

    def function(self, code: CodeType, reason: str | None) -> None:
        key = (Place(code.co_filename, code.co_firstlineno, code.co_qualname), reason)
        self.functions[key] = self.functions.get(key, 0) + 1

    def statement(self, kind: str, place: Place, first: str, last: str, rounds: int) -> None:
        self.statements.setdefault((kind, place), {})[_outcome(kind, first, last, rounds)] = None


def _outcome(kind: str, first: str, last: str, rounds: int) -> str:
    if first != "python":
        return f"staged by {first}"
    if kind not in ("for", "while"):
        return "Python"
    times = f"{rounds} time{'' if rounds == 1 else 's'}"
    python = f"unrolled {times}" if tracing_stager.get() is not None else f"Python, {times}"
    return python if last == "python" else f"{python}, from a condition on that {last} stages"
