"""Each function of Python's library that takes numbers, texts or containers, called with tensors in a graph.

It does what Python does, or is refused by name, with what to take instead: no other error, and no other result.
"""

from __future__ import annotations

import bisect
import cmath
import collections
import copy
import datetime
import decimal
import fractions
import functools
import heapq
import itertools
import json
import linecache
import math
import operator
import random
import re
import statistics
import string
import textwrap
import time
import warnings
from collections import Counter, deque
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.control_flow.outside.instead import rows
from tests.one_in import one_in
from tests.runtime.names.python_expressions import EXPRESSIONS, VALUES

MODULES: dict[str, ModuleType] = {
    module.__name__: module
    for module in (
        bisect, cmath, collections, copy, datetime, decimal, fractions, functools, heapq, itertools, json, math,
        operator, random, re, statistics, string, textwrap, time,
    )
}  # fmt: skip

OF_NO_VALUES = {
    "datetime": {"tzinfo"},
    "decimal": {"Context", "DecimalTuple", "IEEEContext", "getcontext", "localcontext", "setcontext"},
    "functools": {
        "Placeholder", "cached_property", "partialmethod", "singledispatchmethod", "total_ordering", "update_wrapper",
    },
    "random": {"Random", "SystemRandom", "getstate", "random", "setstate"},
    "re": {"Match", "NOFLAG", "Pattern", "RegexFlag", "purge", "template"},
    "statistics": {"LinearRegression"}, "textwrap": {"TextWrapper"},
    "time": {
        "clock_getres", "clock_gettime", "clock_gettime_ns", "clock_settime", "clock_settime_ns", "get_clock_info",
        "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
        "pthread_getcpuclockid", "struct_time", "thread_time", "thread_time_ns", "time", "time_ns", "tzset",
    },
    "json": {"JSONDecoder", "JSONEncoder", "dump", "load"},
}  # fmt: skip
"""Classes and functions of a module that are given no numbers, texts or containers."""

SAID_OTHERWISE = {
    "memoryview(b'abc')[k]": "runtime.gather", "operator.attrgetter('real')(x)": "", "type(n)": "returns tensors",
    "collections.deque(xs)": "returns tensors", "dict.fromkeys([n, k])": "a number that stands for None",
    "collections.UserString(s)": "runtime.py_function",
    "s.encode()": "runtime.strings", "str(s.encode(), 'ascii')": "runtime.strings",
    "datetime.timedelta(1) * n": "total_seconds", "datetime.timedelta(days=1) / x": "total_seconds",
    "sorted(ns, key=functools.cmp_to_key(lambda a, b: b - a))": "key= that makes a number",
    **dict.fromkeys(("n * decimal.Decimal('0.1')", "decimal.Decimal('0.1') + n", "decimal.Decimal('0.1') * x",
                     "fractions.Fraction(1, 3) + n", "fractions.Fraction(1, 3) * x",
                     "fractions.Fraction(1, 3) < x"), "float(x)"),
}  # fmt: skip
"""Refused, with what to take instead, by other rules than the table of names."""


def programs(group: str) -> Iterator[str]:
    return filter(None, (part.strip() for line in EXPRESSIONS[group].splitlines() for part in line.split("  ")))


def function_of(program: str) -> tuple[Any, list[str]]:
    *statements, result = program.split("; ")
    used = [name for name in VALUES if re.search(rf"\b{name}\b", program)]
    lines = [f"def f({', '.join(used)}):", *(f"    {line}" for line in statements), f"    return {result}"]
    text = "\n".join(lines) + "\n"
    name = f"<{program}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {**MODULES, "np": np, "deque": deque, "__name__": "names"}
    exec(compile(text, name, "exec"), space)
    return space["f"], used


def given(name: str, as_lists: bool) -> Any:
    value = VALUES[name]
    if isinstance(value, str):
        return tf.constant(value)
    if as_lists and isinstance(value, list):
        return [tf.constant(np.asarray(item)) for item in value]
    return tf.constant(np.asarray(value))


def plain(value: Any) -> Any:
    """A result as values that compare, without regard to what holds them."""
    if isinstance(value, tf.Tensor):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return sorted(((plain(k), plain(v)) for k, v in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=repr)
    if isinstance(value, list | tuple | deque):
        return [plain(item) for item in value]
    return value


def alike(a: Any, b: Any) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, bool) != isinstance(b, bool):
        return False
    if isinstance(a, int | float | complex) and isinstance(b, int | float | complex):
        return a == b or abs(a - b) <= 1e-12 * abs(a)
    return bool(a == b)


def in_python(function: Any, used: list[str]) -> tuple[bool, Any]:
    try:
        return True, function(*(copy.deepcopy(VALUES[name]) for name in used))
    except Exception as error:
        return False, error


def judged(program: str, as_lists: bool) -> str:
    """What becomes of a program: `as Python`, `refused`, `absent` from this version of Python, or what is wrong."""
    function, used = function_of(program)
    is_result, expected = in_python(function, used)
    if isinstance(expected, AttributeError):
        return "absent"
    try:
        found = plain(tf.function(function)(*(given(name, as_lists) for name in used)))
    except Exception as error:
        return verdict_of(program, error, is_result, expected)
    if program.startswith("random.") or "random.shuffle" in program:
        return f"draws in the trace: {program}"
    return "as Python" if is_result and alike(plain(expected), found) else f"{program}: {found!r}, Python {expected!r}"


def verdict_of(program: str, error: Exception, is_result: bool, expected: Any) -> str:
    text = str(error)
    by_name = "() is called (at <" in text and "Take " in text
    by_attribute = "take " in text and "only the run of the graph knows" in text
    said = program in SAID_OTHERWISE and SAID_OTHERWISE[program] in text
    if by_name or by_attribute or said:
        return "refused"
    as_python = not is_result and type(error) is type(expected) and text == str(expected)
    return "as Python" if as_python else f"{program}: {type(error).__name__}: {text}"


@pytest.mark.parametrize(
    ("group", "as_lists"), one_in(2, itertools.product(EXPRESSIONS, (False, True)), several=True)
)
def test_each_does_what_python_does_or_is_refused_by_name(group: str, as_lists: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdicts = Counter(judged(program, as_lists) for program in programs(group))
    wrong = set(verdicts) - {"as Python", "refused", "absent"}
    print(group, dict(verdicts))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", MODULES)
def test_each_public_function_is_tried(name: str) -> None:
    module = MODULES[name]
    public = getattr(module, "__all__", None) or [word for word in vars(module) if not word.startswith("_")]
    values = {word: getattr(module, word) for word in public}
    functions = {word for word, value in values.items() if callable(value) and not is_exception(value)}
    text = EXPRESSIONS[name] + EXPRESSIONS["builtins"]
    missing = {word for word in functions if not re.search(rf"\b{name}\.{word}\b", text)}
    missing -= OF_NO_VALUES.get(name, set())
    assert not missing


def is_exception(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


@pytest.mark.parametrize("kind", [str, int, float, complex, list, dict, set, deque, Counter], ids=lambda k: k.__name__)
def test_each_method_is_tried(kind: type) -> None:
    text = "".join(EXPRESSIONS.values())
    missing = {word for word in dir(kind) if not word.startswith("_") and not re.search(rf"\.{word}\b", text)}
    assert not missing


def test_what_is_to_be_taken_instead_is_there() -> None:
    for _, name, what in rows():
        for path in re.findall(r"\bruntime(?:\.\w+)+", what):
            place: Any = tf
            for part in path.split(".")[1:]:
                assert hasattr(place, part), (name, path)
                place = getattr(place, part)


def test_a_handler_of_the_program_does_not_take_the_refusal() -> None:
    @tf.function
    def f(s: Any) -> Any:
        try:
            return json.loads(s)
        except Exception:
            return -1

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"json\.loads\(\) is called \(at .*_names"):
        f(tf.constant("1"))


def test_a_fraction_beside_a_tensor_is_no_number_of_its() -> None:
    with pytest.raises(TypeError, match=r"float\(x\)"):
        tf.constant(2) == fractions.Fraction(2, 1)
