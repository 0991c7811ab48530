"""`explain`: what became of a function and of all that it called, line by line.

    >>> autograph.explain(step, x)
    model.py:3  step: converted
    model.py:4  if in step: staged by runtime
    model.py:5  guard in step: the global 'RATE'
    model.py:8  for in step: unrolled 10 times
    numpy/...   sum: runs as it is: it belongs to an installed package

The function is run once for it: traced anew if it is one that a runtime traces, else called.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any

from autograph.api import converted
from autograph.operators.observation import Place, observed

if TYPE_CHECKING:
    from autograph.report import Report

__all__ = ["explain"]

_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def explain(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Report:
    """Runs `fn(*args, **kwargs)` once, shows what happened to each function and statement of it, and returns that.

    A function that a runtime traces is traced anew, and its graph is not run. An exception of the function is in the
    report. Raises ConversionError if the function cannot be converted, TypeError for other arguments than it takes.
    """
    from autograph.report import FunctionMet, Report, Seen, StatementMet, WarningMet  # few programs need them

    traces = getattr(fn, "__ag_trace__", None)
    _check_arguments(fn, traces is not None, args, kwargs)
    run = converted(fn) if traces is None else traces
    seen = Seen()
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
        tuple(dict.fromkeys(seen.guards)),
        tuple(sorted(told, key=lambda warning: (warning.place, warning.text))),
        error,
    )
    report.tell()
    return report


def _check_arguments(fn: Any, is_traced: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(fn, follow_wrapped=is_traced)
    except (TypeError, ValueError):  # something in C
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        name = getattr(fn, "__name__", type(fn).__name__)
        needed = [p for p in signature.parameters.values() if p.default is p.empty and p.kind not in _MANY]
        wanted = [f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else p.name for p in needed]
        raise TypeError(
            f"explain runs {name} once, with the arguments that it is given: {error}. Call"
            f" autograph.explain({', '.join([name, *wanted])})"
        ) from None


def _code_of(fn: Any) -> CodeType | None:
    """The code of the Python function inside a callable."""
    fn = getattr(fn, "func", getattr(fn, "python_function", fn))  # a partial object, a traced function
    fn = getattr(fn, "__func__", fn)
    if not hasattr(fn, "__code__"):
        fn = vars(type(fn)).get("__call__", fn)
    return getattr(fn, "__code__", None)
