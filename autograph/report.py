"""What `explain` found, and how it is gathered while the function runs. Loaded by the first report that is made.

    >>> report.functions[0]
    FunctionMet(place=Place('model.py', 3, 'step'), reason=None, calls=1)
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from autograph.operators.observation import Place
from autograph.operators.stager import tracing_stager

__all__ = ["FunctionMet", "GuardMet", "Report", "Seen", "StatementMet", "WarningMet"]


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
class GuardMet:
    """Something that the trace took from Python: when it changes, the function is traced again."""

    place: Place
    words: str

    def __str__(self) -> str:
        return f"guard in {self.place.function}: {self.words}"


@dataclass(frozen=True, slots=True)
class WarningMet:
    """A warning that was given meanwhile."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"warning: {self.text}"


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What `explain` found; `str(report)` is the text that it prints. In notebooks it is a table."""

    functions: tuple[FunctionMet, ...]
    statements: tuple[StatementMet, ...]
    guards: tuple[GuardMet, ...]
    warnings: tuple[WarningMet, ...]
    error: BaseException | None = None
    """What the function raised, if it did."""
    shown_in: list[int] = field(default_factory=list, compare=False)
    """The cells of IPython that have shown it."""

    def __str__(self) -> str:
        lines = [f"{entry.place.filename}:{entry.place.lineno}  {entry}" for entry in self._entries()]
        return "\n".join([*lines, *self._raised()])

    def __repr__(self) -> str:
        return f"<Report: {len(self.functions)} functions, {len(self.statements)} statements>"

    def _entries(self) -> list[Any]:
        """What it found, by place."""
        entries: list[Any] = [*self.functions, *self.statements, *self.guards, *self.warnings]
        return sorted(entries, key=lambda entry: entry.place)

    def _raised(self) -> list[str]:
        return [] if self.error is None else [f"raised {type(self.error).__name__}: {self.error}"]

    def _repr_html_(self) -> str:
        from autograph.tables import report_html  # which only notebooks need

        return report_html(self._entries(), self._raised())

    def tell(self) -> None:
        """Prints it; in IPython shows it, as a table where that can be."""
        module = sys.modules.get("IPython")
        shell = None if module is None else module.get_ipython()
        if shell is None:
            print(self)
        else:
            self.shown_in.append(shell.execution_count)
            shell.display_pub.publish({"text/plain": str(self), "text/html": self._repr_html_()})

    def _ipython_display_(self) -> None:
        """Shows it again only in another cell than the one that made it."""
        if sys.modules["IPython"].get_ipython().execution_count not in self.shown_in:
            self.tell()


@dataclass(slots=True)
class Seen:
    """The observer of one run."""

    functions: dict[tuple[Place, str | None], int] = field(default_factory=dict)
    statements: dict[tuple[str, Place], dict[str, None]] = field(default_factory=dict)

    guards: list[GuardMet] = field(default_factory=list)

    def guard(self, words: str, place: Place) -> None:
        self.guards.append(GuardMet(place, words))

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
