"""The third way: staged programs as graphs of int32 tensors, through `runtime.function`.

`log`, `note` and `Block` become prints of the graph, captured in the order in which they happen, so the effects of a
staged program are compared with those of the original like everything else.  Example:

    check_staged(staged_program(5))      # Verdict("same"), ("refused", "<class>: <message>") or ("differs", ...)

One trace serves all inputs of a program.  A refusal is an error of a class that runtime/errors.py or
autograph/errors.py documents, or a NameError or TypeError while tracing (every branch is traced, also one that no run
would take); a name that is unbound only in some runs must raise in just those.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import autograph.errors
import runtime
import runtime.errors
from autograph.errors import UnrolledLoopWarning

from .grammar import Program, Values
from .oracle import Endless, Outcome, Verdict, describe, limited, loaded, observe, telling_inputs
from .world import Stop

__all__ = ["DOCUMENTED", "TRACING", "check_staged", "reason_of"]

DOCUMENTED = tuple(
    kind
    for module in (autograph.errors, runtime.errors)
    for kind in map(module.__dict__.get, module.__all__)
    if isinstance(kind, type) and issubclass(kind, Exception)
)
REASON_LENGTH = 100
TRACING = 10.0  # how much longer than a run of Python tracing and compiling may take: they go through all branches
# How a tensor among the arguments of an exception shows itself.
SCALAR = re.compile(
    r"tf\.Tensor\((?P<shown>-?[0-9]+), shape=\(\), dtype=int(?:32|64)\)"
    r"|<tf\.Tensor: shape=\(\), dtype=int(?:32|64), numpy=(?P<represented>-?[0-9]+)>"
)
FREE = "NameError(cannot access free variable"  # which a comprehension of Python 3.11 says instead
AUGMENTED = re.compile(r"for ([^ =]+)=:")
GREATER = re.compile(r"'>(=?)' not supported between instances of '(\w+)' and '(\w+)'")
UNBOUND = "UnboundLocalError"  # its message may speak of a name that only the other way has


def staged_log(*values: Any) -> None:
    runtime.print(*values, output_stream=sys.stdout)


def staged_note(value: Any) -> Any:
    runtime.print("note", value, output_stream=sys.stdout)
    return value


def staged_show(text: Any) -> None:
    runtime.print(text, output_stream=sys.stdout)


class Numbers(list[Any]):
    """What stands for a vector in the original: as a vector, it takes no None."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if value is None:
            raise TypeError("Cannot convert None to a tensor: None values are not supported")
        super().__setitem__(index, value)


def staged_vector(*numbers: Any) -> Any:
    return runtime.stack([runtime.constant(number, runtime.int32) for number in numbers])


class StagedBlock:
    """world.Block, with prints of the graph."""

    def __init__(self, label: Any, swallows: bool) -> None:
        self.label = label
        self.swallows = swallows

    def __enter__(self) -> int:
        runtime.print("enter", self.label, output_stream=sys.stdout)
        return 5

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        runtime.print("exit", self.label, kind.__name__ if kind else "None", output_stream=sys.stdout)
        return self.swallows and kind is not None and issubclass(kind, Stop)


@contextlib.contextmanager
def staged_span(label: Any) -> Iterator[Any]:
    runtime.print("begin", label, output_stream=sys.stdout)
    try:
        yield label
    finally:
        runtime.print("end", label, output_stream=sys.stdout)


class StagedHeld:
    """world.Held, with prints of the graph."""

    def __init__(self, label: Any) -> None:
        self.label = label

    def close(self) -> None:
        runtime.print("close", self.label, output_stream=sys.stdout)


REPLACED = {
    "log": staged_log,
    "note": staged_note,
    "Block": StagedBlock,
    "Held": StagedHeld,
    "show": staged_show,
    "span": staged_span,
    "vector": staged_vector,
}

ARGUMENTS = [runtime.TensorSpec([], runtime.int32)] * 2


def check_staged(program: Program) -> Verdict:
    """Compare the original on Python numbers with the graph on tensors."""
    filename = f"<staged program {program.seed}>"
    with (
        loaded(program.text, filename) as names,
        loaded(program.text, filename) as staged_names,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error", UnrolledLoopWarning)
        names["vector"] = lambda *numbers: Numbers(numbers)
        inputs = telling_inputs(program, filename, names)
        expected = [_plain(observe(names["program"], values, filename, names)) for values in inputs]
        if any(outcome.error.startswith(Endless.__name__) for outcome in expected):
            return Verdict("same", "the original does not end")
        staged_names.update(REPLACED)
        function = runtime.function(staged_names["program"])
        try:
            with limited(TRACING):
                function.get_concrete_function(*ARGUMENTS)
        except (*DOCUMENTED, UnrolledLoopWarning) as error:
            return Verdict("refused", f"while tracing: {reason_of(error)}")
        except (Exception, Endless) as error:
            if all(_unbound(describe(error, filename)) == outcome.error for outcome in expected):
                return Verdict("same", "raises while tracing what every run of the original raises")
            if isinstance(error, NameError | TypeError):
                return Verdict("refused", f"while tracing: {reason_of(error)}")
            return Verdict("differs", f"tracing ends in {type(error).__name__}: {error}")
        verdict = _compare(function, inputs, expected, filename)
        if verdict.kind != "differs" or not any(outcome.error for outcome in expected):
            return verdict
        with all_kept():  # the graph leaves out what nothing needs, with the error that it alone would raise
            function = runtime.function(staged_names["program"])
            function.get_concrete_function(*ARGUMENTS)
            return _compare(function, inputs, expected, filename)


@contextlib.contextmanager
def all_kept() -> Iterator[None]:
    """While graphs run all that they have recorded: see docs/decisions/0072."""
    options = runtime.config.optimizer.get_experimental_options()
    runtime.config.optimizer.set_experimental_options({"disable_model_pruning": True})
    try:
        yield
    finally:
        runtime.config.optimizer.set_experimental_options(options)


def _compare(function: Callable[..., Any], inputs: list[Values], expected: list[Outcome], filename: str) -> Verdict:
    for values, outcome in zip(inputs, expected, strict=True):
        found, reason = _observe_staged(function, values, filename)
        if reason and not outcome.error:
            return Verdict("differs", f"the run ends in {reason}", values)
        if not reason and (difference := outcome.difference(found)):
            return Verdict("differs", difference, values)
        if reason:
            return Verdict("refused", f"as the original, which raises {outcome.error}: {reason}", values)
    return Verdict("same")


def _plain(outcome: Outcome) -> Outcome:
    """What a graph can show of an outcome: no state of Python objects."""
    return replace(outcome, events=tuple(map(_event, outcome.events)), error=_unbound(outcome.error), state="")


def _event(line: str) -> str:
    """Which of the two a comprehension raises for a variable around it depends on the version of Python."""
    return line.replace("UnboundLocalError", "NameError")


def _observe_staged(function: Callable[..., Any], values: Values, filename: str) -> tuple[Outcome, str]:
    """What one call shows, and why it was refused, if it was."""
    printed = io.StringIO()
    result = error = reason = ""
    try:
        with limited(TRACING), contextlib.redirect_stdout(printed):
            value = function(*[runtime.constant(value, runtime.int32) for value in values])
        result = repr(value if value is None else value.numpy().item())
    except DOCUMENTED as raised:
        reason = reason_of(raised)
    except (Exception, Endless) as raised:
        error = _unbound(SCALAR.sub(_number, describe(raised, filename)).replace("'Tensor'", "'int'"))
    events = tuple(_event(SCALAR.sub(_number, line)) for line in printed.getvalue().splitlines())
    return Outcome(events, result, error, ""), reason


def _unbound(error: str) -> str:
    """Which of two names is unbound first may differ where a condition reads both.

    And None is to the left of a tensor's operator in `None * x` and in `y *= x` alike; what a graph raises there,
    in a handler that ran while it was traced, knows nothing of the exception that was handled. `0 < x` of what may be
    None arrives as `x > 0`.
    """
    if "'NoneType'" in error:
        error = GREATER.sub(r"'<\1' not supported between instances of '\3' and '\2'", error.partition(" after ")[0])
    return UNBOUND if error.startswith((UNBOUND, FREE)) else AUGMENTED.sub(r"for \1:", error)


def _number(found: re.Match[str]) -> str:
    return found["shown"] or found["represented"]


def reason_of(error: Exception) -> str:
    """Class and first line of an error without the names and numbers of its program, so that equal reasons add up."""
    first = (str(error).strip() or "no message").splitlines()[0]
    general = re.sub(r"Tensor\(.*", "...", re.sub(r"'[^']*'", "'...'", first))
    return f"{type(error).__name__}: {re.sub(r'[0-9]+', '#', general).strip()[:REASON_LENGTH]}"
