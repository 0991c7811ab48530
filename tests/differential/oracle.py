"""The oracle: runs a program as it is and converted, on the same inputs, and says whether anything differs.

Example:

    check(program(12))            # Verdict(kind="same", ...), "refused" with the reason, or "differs" with the detail

A refusal is an error of a documented class, raised by the converter.  Everything else that differs is a defect.
"""

from __future__ import annotations

import ast
import linecache
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any

import autograph
from autograph.errors import ConversionError, StagingError, UnsupportedSyntaxError
from autograph.operators.as_written import converted_statements

from . import world
from .grammar import Program, Values

__all__ = [
    "Outcome",
    "Verdict",
    "arguments",
    "check",
    "convert",
    "describe",
    "limited",
    "loaded",
    "observe",
    "reached_lines",
    "telling_inputs",
]

LINES_EVERY = 4  # of so many programs one is also compared by the lines that a debugger would see
# A program takes a millisecond; a converter that loses a `break` may never end.
deadline: ContextVar[float] = ContextVar("deadline", default=2.0)
Function = Callable[..., Any]


class Endless(BaseException):
    """A run that took too long."""


@dataclass(frozen=True)
class Outcome:
    """All that can be seen of one run."""

    events: tuple[str, ...]
    result: str
    error: str
    state: str

    def difference(self, other: Outcome) -> str:
        """Where another run parts from this one, in words; empty if nowhere."""
        for position, (mine, theirs) in enumerate(zip(self.events, other.events, strict=False)):
            if mine != theirs:
                return f"event {position} is {theirs!r}, not {mine!r}"
        for name in ("error", "result", "state"):
            if getattr(self, name) != getattr(other, name):
                return f"{name} is {getattr(other, name)!r}, not {getattr(self, name)!r}"
        if len(self.events) != len(other.events):
            return f"there are {len(other.events)} events, not {len(self.events)}"
        return ""


@dataclass(frozen=True)
class Verdict:
    """What the oracle found: kind is "same", "refused" or "differs"."""

    kind: str
    detail: str = ""
    inputs: Values = ()

    def sort(self) -> tuple[str, ...]:
        """What stays the same while a failure is made small: the kind, what differs, the exceptions."""
        return self.kind, self.detail.split(" ", 1)[0], *re.findall(r"[A-Za-z]+(?:Error|Stop|Endless)", self.detail)


@contextmanager
def loaded(text: str, filename: str, **more: Any) -> Iterator[dict[str, Any]]:
    """Run the text as a module whose source can be found, and forget it afterwards. more: further names in it."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {name: getattr(world, name) for name in world.__all__} | more
    namespace["__name__"] = "tests.differential.generated"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a jump out of `finally` is meant
            exec(compile(text, filename, "exec", dont_inherit=True), namespace)
        yield namespace
    finally:
        linecache.cache.pop(filename, None)
        namespace.clear()


def arguments(values: Values) -> tuple[Any, ...]:
    """Fresh arguments for one call of `program`; staged programs take two numbers and no more."""
    if len(values) == 2:
        return values
    x, y, v, w, *items, p, q = values
    return x, y, world.Box(v, w), items, {"p": p, "q": q}


def observe(function: Function, values: Values, filename: str, namespace: dict[str, Any]) -> Outcome:
    """Call the function on fresh arguments and record everything."""
    namespace["g0"] = 5
    world.EVENTS.clear()
    given = arguments(values)
    result, error = "", ""
    try:
        with limited():
            result = repr(function(*given))
    except ConversionError:
        raise
    except (Exception, Endless) as raised:
        error = describe(raised, filename)
    return Outcome(tuple(world.EVENTS), result, error, f"{given[2:]} g0={namespace['g0']!r}")


def describe(error: BaseException, filename: str) -> str:
    """Type, message, attributes, the user's line that raised, and the types of the exceptions that it hides."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    if sys.version_info < (3, 12) and type(error) is UnboundLocalError:
        line = (
            0  # CPython 3.11 may name the line before: it joins a store and the load that follows into one instruction
        )
    chain, context = "", error.__context__
    while context is not None:
        chain += f" after {type(context).__name__}"
        try:
            context = context.__context__
        except StagingError:  # of a staged program: known only when the graph runs
            break
    attributes = "".join(f" {name}={value!r}" for name, value in vars(error).items() if name != "__notes__")
    origin = f" at line {line}{chain}{' from' if error.__suppress_context__ else ''}"
    return f"{type(error).__name__}({error}){attributes}{origin}"


@contextmanager
def limited(times: float = 1.0) -> Iterator[None]:
    """Raise Endless in the block when it takes too much time of the processor: so many times the deadline."""

    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise Endless("ran for too long")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, times * deadline.get(), 0.01)  # again, for the program may swallow one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def telling_inputs(program: Program, filename: str, namespace: dict[str, Any]) -> list[Values]:
    """The candidates that each reach a line which none before reached, and at least two."""
    reached: set[int] = set()
    chosen: list[Values] = []
    for values in program.candidates:
        lines, outcome = _traced(namespace["program"], values, filename, namespace)
        if outcome.error.startswith(Endless.__name__):
            return [values]
        if not lines <= reached or len(chosen) < 2:
            chosen.append(values)
            reached |= lines
    return chosen


def reached_lines(function: Function, values: Values, filename: str, namespace: dict[str, Any]) -> set[int]:
    """Lines of the file that a call executes."""
    return _traced(function, values, filename, namespace)[0]


def _traced(function: Function, values: Values, filename: str, namespace: dict[str, Any]) -> tuple[set[int], Outcome]:
    lines: set[int] = set()

    def in_frame(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return in_frame

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: in_frame if frame.f_code.co_filename == filename else None)
    try:
        outcome = observe(function, values, filename, namespace)
    finally:
        sys.settrace(before)
    return lines, outcome


def convert(function: Function) -> Function:
    converted: Function = autograph.to_graph(function)
    return converted


def never_refuses(outcome: Outcome) -> str:
    return ""


def check(
    program: Program,
    make: Callable[[Function], Function] = convert,
    refusal: Callable[[Outcome], str] = never_refuses,
) -> Verdict:
    """Compare the program with what `make` gives for it, on the telling inputs of the program.

    refusal: gives the reason if the outcome of a run is a documented refusal, otherwise an empty text.
    """
    filename = f"<differential program {program.seed}>"
    with loaded(program.text, filename) as namespace:
        original = namespace["program"]
        inputs = telling_inputs(program, filename, namespace)
        expected = [observe(original, values, filename, namespace) for values in inputs]
        if any(outcome.error.startswith(Endless.__name__) for outcome in expected):
            return Verdict("same", "the original does not end")  # only while shrinking: a counter was deleted
        try:
            converted = make(original)
            for values, outcome in zip(inputs, expected, strict=True):
                with converted_statements():
                    found = observe(converted, values, filename, namespace)
                difference = outcome.difference(found)
                if not difference and make is convert:  # and the user's own statements, as users have them run
                    found = observe(converted, values, filename, namespace)
                    difference = outcome.difference(found)
                if difference and refusal(found):
                    return Verdict("refused", refusal(found), values)
                if difference:
                    return Verdict("differs", difference, values)
            if make is convert and program.seed % LINES_EVERY == 0:
                with converted_statements():
                    return compare_lines(original, converted, inputs[0], filename, namespace)
        except UnsupportedSyntaxError as error:
            return Verdict("refused", f"UnsupportedSyntaxError: {error.construct}")
        except ConversionError as error:
            return Verdict("differs", f"{type(error).__name__}: {error}")
        except Exception as error:
            return Verdict("differs", f"conversion crashed: {type(error).__name__}: {error}")
    return Verdict("same")


def compare_lines(
    original: Function, converted: Function, values: Values, filename: str, namespace: dict[str, Any]
) -> Verdict:
    """The converted code runs the user's lines that the original runs, and no others (but for lines of `def`)."""
    headers = {
        code.co_firstlineno
        for function in namespace.values()
        if isinstance(function, FunctionType)
        for code in codes(function.__code__)
    }
    expected = reached_lines(original, values, filename, namespace) - headers
    found = reached_lines(converted, values, filename, namespace) - headers
    if found != expected:
        # CPython gives the end of a `finally` that raises on the line of its last statement, executed or not.
        expected -= (expected - found) & _lines_in_finally("".join(linecache.getlines(filename)))
    if found == expected:
        return Verdict("same")
    return Verdict("differs", f"lines {sorted(found - expected)} too many, {sorted(expected - found)} missing", values)


def _lines_in_finally(text: str) -> set[int]:
    blocks = [node.finalbody for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Try) and node.finalbody]
    return {line for block in blocks for line in range(block[0].lineno, (block[-1].end_lineno or 0) + 1)}


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)
