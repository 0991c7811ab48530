"""What to take in the place of functions that no operation stands for: by what they are for, and not by their names.

    re.sub("a", "o", s)     # s is a tensor: OperatorNotAllowedInGraphError, which names runtime.strings.regex_replace

The rows are of Python's library and of numpy's rooms beside its arrays; those of numpy's own functions are in
`runtime.tensor.numpy_calls.refused`. Calls without tensors are the library's own.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import heapq
import itertools
import json
import math
import random
import re
import statistics
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, Final, NoReturn

import numpy as np

from autograph.operators.as_it_is import call_as_it_is
from autograph.operators.library import LIBRARY_CALLS, register_calls, register_methods
from runtime.context import current_recorder
from runtime.control_flow.builtins.number_items import holds_staged
from runtime.errors import OperatorNotAllowedInGraphError, of_the_trace
from runtime.graph.location import here

__all__ = ["INSTEAD", "install", "rows"]

_VALUES: Final = "runtime.py_function, which calls it with values in each run"
_DATES: Final = f"numbers of days or seconds: tensors have no dates; or {_VALUES}"
_DECIMALS: Final = "a float64 tensor, or whole numbers of the smallest unit: tensors have no decimal fractions"
_RATIOS: Final = "two integer tensors (math.gcd takes a ratio to its lowest terms), or n / d, which is float64"
_JSON: Final = f"the values themselves, and write the text after the call; or {_VALUES}"
_PATTERN: Final = f"methods of the text (s.find, s.split, s.startswith), or {_VALUES}"
_LINES: Final = f"slices of the text (s[i:i + width]) in a loop, or {_VALUES}"
_BYTES: Final = "a list or tensor of integers (runtime.uint8); ord and chr go from and to text"
_LISTS: Final = "loops over range(n), for only the run knows how many items there are"
_DRAW: Final = "runtime.random.uniform([], {}), which draws when the graph runs"
_NORMAL: Final = "runtime.random.normal([], mu, sigma), which draws when the graph runs"
_OF_UNIFORM: Final = "a formula of runtime.random.uniform([]), the inverse of the distribution, which draws in each run"
_SHUFFLED: Final = "runtime.random.shuffle(t), and its first k elements"
_CATEGORY: Final = "runtime.random.categorical(logits, k), which gives positions to take from the tensor"
_STATE: Final = "runtime.random.set_seed, or a runtime.random.Generator, whose state is part of the graph"
_MASKED: Final = "a mask beside the tensor: np.where(mask, x, fill), runtime.boolean_mask, np.nanmean and its like"
_POWERS: Final = "np.polyval, np.polyfit, np.polymul, ..., which have the coefficients of the highest powers first"
_SERIES: Final = "a loop of the recurrence of its polynomials; np.polyval is of powers"
_EACH: Final = "the function itself on the array, np.where for what it decides, or runtime.vectorized_map"
_TEXTS: Final = "methods of single texts (s.upper()), or runtime.strings (upper, lower, strip, length, split, join)"

Rows = Mapping[str, str]


def _of(names: str, what: str) -> Rows:
    return dict.fromkeys(names.split(), what)


_RANDOM: Final[Rows] = {
    **_of("uniform", _DRAW.format("a, b")),
    **_of("randint randrange random_integers integers tomaxint", _DRAW.format("low, high + 1, runtime.int64")),
    **_of("getrandbits", _DRAW.format("0, 2 ** k, runtime.int64")),
    **_of("choice", _DRAW.format("0, n, runtime.int64") + ": the position of an element"),
    **_of("choices multinomial", _CATEGORY),
    **_of("binomialvariate binomial", "the number of runtime.random.uniform([n]) that are below p"),
    "shuffle": "a[:] = runtime.random.shuffle(a), which draws when the graph runs",
    **_of("permutation permuted", "runtime.random.shuffle(t), which draws when the graph runs"),
    "sample": _SHUFFLED,
    **_of("gauss normalvariate normal", _NORMAL),
    **_of("lognormvariate lognormal", "runtime.exp(runtime.random.normal([], mu, sigma)), which draws in each run"),
    **_of("randn standard_normal", "runtime.random.normal([n]), which draws when the graph runs"),
    **_of("rand random random_sample ranf", "runtime.random.uniform([n]), which draws when the graph runs"),
    **_of("multivariate_normal", "mean + L @ runtime.random.normal([n]), with L = runtime.linalg.cholesky(cov)"),
    **_of("expovariate exponential standard_exponential",
          "-runtime.math.log(runtime.random.uniform([])) / rate, which draws in each run"),
    **_of("logistic laplace gumbel rayleigh weibull weibullvariate pareto paretovariate power triangular"
          " standard_cauchy", _OF_UNIFORM),
    **_of("beta betavariate gamma gammavariate standard_gamma chisquare noncentral_chisquare dirichlet f noncentral_f"
          " standard_t vonmises vonmisesvariate wald zipf poisson geometric hypergeometric logseries negative_binomial"
          " multivariate_hypergeometric", _VALUES),
    **_of("randbytes bytes", "runtime.random.uniform([n], 0, 256, runtime.int64)"),
    **_of("seed setstate set_state Random default_rng RandomState SeedSequence", _STATE),
}  # fmt: skip
"""Python's and NumPy's generators of random numbers have most names in common."""

_PYTHON: Final[Mapping[Any, Rows]] = {
    math: _of("fma", "x * y + z, which rounds the product and the sum"),
    itertools: _of("combinations combinations_with_replacement permutations product pairwise tee zip_longest", _LISTS),
    statistics: {
        **_of("NormalDist", "its formulas by math.exp, math.erf and math.sqrt"),
        **_of("median_grouped", "statistics.median, or np.interp of the cumulated counts"),
        **_of("kde kde_random", "a mean of math.exp(-((x - v) / h) ** 2 / 2) over the values"),
    },
    fractions: _of("Fraction", _RATIOS),
    fractions.Fraction: _of("from_float from_decimal from_number limit_denominator", _RATIOS),
    decimal: _of("Decimal", _DECIMALS),
    decimal.Decimal: _of("from_float from_number quantize", _DECIMALS),
    heapq: _of("merge", "sorted(a + b), which has the same items in order"),
    json: _of("dump dumps load loads", _JSON),
    json.JSONEncoder: _of("encode iterencode", _JSON),
    json.JSONDecoder: _of("decode raw_decode", _JSON),
    re: {
        **_of("sub subn", "runtime.strings.regex_replace, or s.replace"),
        **_of("match fullmatch", "runtime.strings.regex_full_match, s.startswith or `in`"),
        **_of("search", "runtime.strings.regex_full_match with '.*' around the pattern, s.find or `in`"),
        **_of("split findall finditer", _PATTERN),
        **_of("compile template escape", "a pattern that is known while tracing"),
    },
    textwrap: {
        **_of("wrap fill shorten TextWrapper", _LINES),
        **_of("dedent indent", "s.split('\\n'), a loop over the lines, and '\\n'.join"),
    },
    time: {
        **_of("sleep", _VALUES),
        **_of("asctime ctime gmtime localtime mktime strftime strptime", _DATES),
    },
    datetime: _of("date datetime time timedelta timezone", _DATES),
    datetime.datetime: _of("combine fromisoformat fromtimestamp strptime utcfromtimestamp", _DATES),
    datetime.time: _of("fromisoformat strptime", _DATES),
    datetime.date: _of("fromisocalendar fromisoformat fromordinal fromtimestamp strptime", _DATES),
    int: _of("to_bytes from_bytes as_integer_ratio", _BYTES),
    float: {
        **_of("hex fromhex", "an f-string with the digits that are wanted (f'{x:.17g}')"),
        **_of("as_integer_ratio", "math.frexp(x), which gives mantissa and exponent"),
        **_of("from_number", "float(x)"),
    },
    complex: _of("from_number", "complex(x)"),
    str: _of("maketrans", "a table that is known while tracing; or s.replace for each letter"),
    bytes: _of("fromhex join", _BYTES),
    **dict.fromkeys((random, random.Random, np.random, np.random.Generator, np.random.RandomState), _RANDOM),
}
"""Of a module or class: its functions, and what to take."""

_BUILTINS: Final[Mapping[Any, str]] = {
    bytes: _BYTES, bytearray: _BYTES, memoryview: _BYTES,
    hash: "the number itself: == and dicts compare by value",
}  # fmt: skip

INSTEAD: Final[dict[int, tuple[Any, str, str]]] = {}
"""By the id of the function, which is held: the function, what it is called, and what to take instead of it."""

_CALLED_BY: Final[dict[int, Any]] = {}
"""By the id of a function that others call in their own way: that way, for calls without tensors."""

_OF_METHODS: Final[Mapping[type, Callable[[str], str]]] = {
    re.Pattern: lambda name: _PYTHON[re].get(name, _PATTERN),
    datetime.date: lambda name: _DATES,
    datetime.datetime: lambda name: _DATES,
    decimal.Decimal: lambda name: _DECIMALS,
}
"""Objects of C: what to take in the place of their methods."""


def rows() -> Iterator[tuple[Any, str, str]]:
    """All functions here that there are in this version of Python and NumPy."""
    for function, what in _BUILTINS.items():
        yield function, function.__name__, what
    for owner, named in _PYTHON.items():
        for name, what in named.items():
            if (function := getattr(owner, name, None)) is not None:
                yield from _forms(owner, name, function, what)
    yield from _of_polynomials()
    yield np.vectorize.__call__, "np.vectorize", _EACH
    for room, what in ((np.ma, _MASKED), (np.char, _TEXTS), (np.strings, _TEXTS)):
        for name in room.__all__:
            with warnings.catch_warnings():  # of names that the next NumPy leaves out
                warnings.simplefilter("ignore", DeprecationWarning)
                function = getattr(room, name)
            is_numpys = not isinstance(function, type) and function is getattr(np, name, None)
            if callable(function) and not _is_harmless(function) and not is_numpys:
                yield from _forms(room, name, function, what)


def _of_polynomials() -> Iterator[tuple[Any, str, str]]:
    """numpy's modules of series, and the methods of their classes."""
    for name in ("polynomial", "chebyshev", "legendre", "laguerre", "hermite", "hermite_e"):
        room = getattr(np.polynomial, name)
        what = _POWERS if name == "polynomial" else _SERIES
        for public in room.__all__:
            function = getattr(room, public)
            if callable(function) and not isinstance(function, type):
                yield function, f"np.polynomial.{name}.{public}", what
    base = np.polynomial.Polynomial.__mro__[1]
    yield base.__call__, "np.polynomial.Polynomial.__call__", _POWERS


def _forms(owner: Any, name: str, function: Any, what: str) -> Iterator[tuple[Any, str, str]]:
    """A function as it is called: also what it is a method of."""
    place = owner.__name__ if isinstance(owner, ModuleType) else owner.__qualname__
    called = f"{place.replace('numpy', 'np')}.{name}"
    yield function, called, what
    if (inner := getattr(function, "__func__", None)) is not None:
        yield inner, called, what


def _is_harmless(function: Any) -> bool:
    """Functions of masked arrays that only ask, and classes of errors and settings."""
    return function in _ASKED or (isinstance(function, type) and not issubclass(function, np.ndarray))


_ASKED: Final = (
    np.ma.isMA, np.ma.isMaskedArray, np.ma.isarray, np.ma.is_mask, np.ma.is_masked, np.ma.getmask, np.ma.getmaskarray,
    np.ma.count_masked, np.ma.clump_masked, np.ma.flatnotmasked_edges,
)  # fmt: skip


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    call = _CALLED_BY.get(id(function), call_as_it_is)
    if current_recorder() is None or not _is_given_tensors(args, kwargs):
        return call(function, args, kwargs)
    _, name, what = INSTEAD[id(function)]
    if getattr(function, "__module__", "") != "itertools":
        _refuse(name, what)
    try:  # which only moves items, if it can go through them
        return call(function, args, kwargs)
    except OperatorNotAllowedInGraphError as error:
        _refuse(name, what, error)


def _is_given_tensors(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    values = [*args, *kwargs.values()]
    return holds_staged(part for value in values for part in (value.values() if type(value) is dict else (value,)))


def _refuse(name: str, what: str, error: Exception | None = None) -> NoReturn:
    raise of_the_trace(OperatorNotAllowedInGraphError(
        f"{name}() is called{here()} with a value that only the run of the graph knows, and no operation does what it"
        f" does. Take {what}"
    )) from error


def _method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of an object of C, or one of a class of C."""
    if current_recorder() is None or not _is_given_tensors(args, kwargs):
        return NotImplemented
    owner, name = function.__self__, function.__name__
    kind = type(owner)
    if kind is not type:
        _refuse(f"{kind.__name__}.{name}", _OF_METHODS[kind](name))
    for base in owner.__mro__:
        if name in _PYTHON.get(base, ()):
            _refuse(f"{owner.__name__}.{name}", _PYTHON[base][name])
    return NotImplemented


def install() -> None:
    """Converted code asks here from now on."""
    for function, name, what in rows():
        INSTEAD.setdefault(id(function), (function, name, what))
    _CALLED_BY.update({key: LIBRARY_CALLS[key][1] for key in INSTEAD if key in LIBRARY_CALLS})
    register_calls([function for function, *_ in INSTEAD.values()], _call)
    for kind in (*_OF_METHODS, type):
        register_methods(kind, _method)
