"""Random expressions over numbers and texts of the run: what Python gives, from one trace for all values."""

from __future__ import annotations

import linecache
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

INPUTS = (("abc ba", "a", 12, 5), ("", "1b", 345, -7), ("Ünï 42", "ï", 0, 9))

TEXTS = (
    "({a} + {b})", "{a}[::-1]", "{a}[{n}:]", "{a}[:{n}]", "{a}[{n}:{m}:-2]", "({a} * ({n} % 4))", "{a}.upper()",
    "{a}.strip()", "{a}.replace({b}, 'q')", "{a}.zfill({n} % 9)", "{a}.rjust({n} % 9, '*')", "str({n})",
    "'{{}}-{{}}'.format({n}, {a})", "' '.join({a}.split())", "''.join(sorted({a}))", "({a} if {a} < {b} else {b})",
    "''.join(c for c in {a} if c.isalpha())", "max({a}, {b})", "{a}.title()", "'-'.join({a})", "({a} or {b})",
    "('%s|%5s' % ({a}, {n}))",
    "{a}.partition({b} or 'z')[2]", "chr(97 + {n} % 26)", "hex({n})", "''.join(reversed({a}))",
    "''.join([chr(ord(c) + 1) for c in {a}])", "({a} + 'k')[{n} % 1]", "format({n}, '>6')",
)  # fmt: skip
NUMBERS = (
    "({n} + {m})", "({n} - {m})", "({n} * {m})", "({n} // {m})", "({n} % {m})", "abs({n})", "math.gcd({n}, {m})",
    "math.isqrt(abs({n}))", "sum(int(c) for c in str(abs({n})))", "len(str({n}))", "({n}).bit_length()",
    "int(math.sqrt(abs({n})))", "round({n} / 3)", "math.floor({n} / 2)", "({n} if {n} > {m} else {m})", "max({n}, {m})",
    "pow({n}, 3, 11)", "divmod({n}, 7)[1]", "({n} > {m}) + 1", "len({a})", "{a}.count({b})", "{a}.find({b})",
    "sum(ord(c) for c in {a})", "sum(c == 'a' for c in {a})", "len({a}.split())", "int({a}.isdigit())",
    "int(str(abs({n}))[::-1])", "ord(({a} + 'z')[0])",
)  # fmt: skip


def expression(draw: random.Random, forms: tuple[str, ...], depth: int) -> str:
    if not depth:
        return draw.choice(["s", "t", "'ab'", "'x y'", "''"] if forms is TEXTS else ["n", "m", "3", "7", "-2"])
    parts = {
        name: expression(draw, kind, depth - 1)
        for name, kind in (("a", TEXTS), ("b", TEXTS), ("n", NUMBERS), ("m", NUMBERS))
    }
    return draw.choice(forms).format(**parts)


def program(seed: int, count: int) -> Callable[..., Any]:
    draw = random.Random(seed)
    lines = [f"    r{i} = {expression(draw, draw.choice([TEXTS, NUMBERS]), 2)}\n" for i in range(count)]
    text = "".join(["def f(s, t, n, m):\n", *lines, f"    return [{', '.join(f'r{i}' for i in range(count))}]\n"])
    name = f"<random expressions {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"math": math, "__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]  # type: ignore[no-any-return]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        result = function(*args)
    except (ZeroDivisionError, ValueError) as error:
        return ZeroDivisionError if isinstance(error, ZeroDivisionError) else ValueError
    values = [part.numpy() if isinstance(part, tf.Tensor) else part for part in result]
    values = [value.item() if isinstance(value, np.generic) else value for value in values]
    return [value.decode() if isinstance(value, bytes) else value for value in values]


@pytest.mark.parametrize("seed", range(12))
def test_as_in_python(seed: int) -> None:
    function = program(seed, 6)
    staged = tf.function(function)
    for given in INPUTS:
        tensors = [tf.constant(np.int64(v) if isinstance(v, int) else v) for v in given]
        assert outcome(staged, *tensors) == outcome(function, *given), linecache.getlines(function.__code__.co_filename)
    assert staged.experimental_get_tracing_count() == 1
