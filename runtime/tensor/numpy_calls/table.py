"""All numpy functions that operations stand for, and how a call of one finds its operations.

    function_call(np.sum, (x,), {"axis": 0})     ->     reduce_sum(x, 0)

An entry has numpy's parameters that have a counterpart. Arguments for others do not fit, unless they are those that
numpy has anyway (`out=None`, `where=True`).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls import (
    algebra,
    covariances,
    creation,
    decompositions,
    differences,
    elements,
    fourier,
    histograms,
    indices,
    joins,
    lines,
    norms,
    order,
    padding,
    parts,
    polynomials,
    quantiles,
    reductions,
    sets,
    shapes,
    spaces,
    windows,
)
from runtime.tensor.numpy_calls.operands import NotCovered
from runtime.tensor.numpy_calls.scipy_modules import scipy_name
from runtime.tensor.numpy_calls.ufuncs import UFUNCS

__all__ = ["FUNCTIONS", "function_call", "name_of", "names", "with_out"]

FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {
    function: entry
    for part in (
        reductions, shapes, joins, algebra, norms, decompositions, fourier, order, quantiles, histograms, covariances,
        elements, windows, polynomials, sets, indices, parts, padding, differences,
        spaces, lines, creation,
    )
    for function, entry in part.TABLE.items()
}  # fmt: skip
"""numpy function -> what it is made of."""

_NEUTRAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "out": (None,), "where": (True,), "initial": (), "order": ("C", "K", "A", None), "subok": (True, False),
    "like": (None,), "mean": (), "casting": ("same_kind",), "prepend": (), "append": (), "device": (None, "cpu"),
}  # fmt: skip
"""Arguments that change nothing, with these values; numpy's own mark for "not given" is one of them."""


@dataclass(frozen=True)
class Form:
    """What an entry can be called with: how many arguments by position, which by name, and where `out` is."""

    most: float
    names: frozenset[str]
    out: int | None


@functools.cache
def form_of(function: Any) -> Form:
    """The form of the entry of a numpy function."""
    parameters = inspect.signature(FUNCTIONS[function]).parameters
    kinds = [p.kind for p in parameters.values()]
    placed = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = frozenset(n for n, p in parameters.items() if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD))
    most = float("inf") if inspect.Parameter.VAR_POSITIONAL in kinds else len(placed)
    return Form(most, named, placed.index("out") if "out" in placed else None)


def function_call(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of the operations that stand for a call. Raises NotCovered where there are none."""
    if function not in FUNCTIONS:
        raise NotCovered("it has no operation")
    form = form_of(function)
    given = {k: v for k, v in kwargs.items() if not _changes_nothing(k, v)} if kwargs else {}
    unknown = [f"`{k}`" for k in given if k not in form.names]
    if unknown:
        raise NotCovered(f"its argument {' and '.join(unknown)} has no operation")
    if len(args) > form.most:
        raise NotCovered(f"no operation takes more than {form.most} of its arguments by position")
    if given.get("out") is not None or (form.out is not None and len(args) > form.out and args[form.out] is not None):
        raise NotCovered("a tensor is not written to; leave out `out` and take the result")
    return FUNCTIONS[function](*args, **given)


def with_out(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """A call with what it writes to as its argument `out`, also where that stands among the others."""
    if function is np.nan_to_num:
        given = dict(zip(("x", "copy", "nan", "posinf", "neginf"), args, strict=False)) | dict(kwargs)
        return (), given if given.pop("copy", True) else {**given, "out": given["x"]}
    place = form_of(function).out if function in FUNCTIONS else None
    if place is None or len(args) <= place or args[place] is None:
        return args, kwargs
    return args[:place], {**kwargs, "out": args[place]}


def _changes_nothing(name: str, value: Any) -> bool:
    if name not in _NEUTRAL:
        return value is np._NoValue
    return value is np._NoValue or any(value is neutral for neutral in _NEUTRAL[name])


def name_of(function: Any) -> str:
    """The name of a numpy function as programs write it: `np.linalg.norm`."""
    if of_scipy := scipy_name(function):
        return of_scipy
    module = str(getattr(function, "__module__", "numpy") or "numpy")
    place = module.removeprefix("numpy.") + "." if module in ("numpy.linalg", "numpy.fft") else ""
    return f"{place}{getattr(function, '__name__', function)}"


def names() -> list[str]:
    """The names of all numpy functions and ufuncs that there are operations for."""
    return sorted({name_of(function) for function in (*FUNCTIONS, *UFUNCS)})
