"""Python's builtins on plain values, with all their arguments and mistakes: converted, and while a function is traced.

Each expression is taken as it is, converted, and converted inside of a trace; what it gives or raises must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.autograph.comparing import module

CALLS = {
    "sorted": "xs, xs;key=lambda v: -v, xs;key=abs;reverse=True, xs;reverse=0, xs;key=None, iterable=xs, xs;abs, "
    "'bca';key=str.upper, {3: 1;1: 2}, xs;reverse='a', [1;'a'], xs;key=lambda v: v.missing, n, (x for x in xs)",
    "max": "xs, xs;key=lambda v: -v, xs;default=0, [];default=None, [], *xs, 3;2.0;True, 3;'a', 1, 1;2;default=3, "
    "xs;key=len",
    "min": "xs, xs;key=abs, [];default=n, n;n + 0.0, n + 0.0;n, {n: 1;5: 2}, 'abc', (x for x in xs), n;2;key=str",
    "sum": "xs, xs;5, xs;start=5, [];start=[], [[1];[2]];[], xs;'a', ['a'];'', (x > 1 for x in xs), (1;2);start=0.5",
    "any": "xs, (x > n for x in xs), [], {}, xs;1, n",
    "all": "xs, (x > n for x in xs), [], 'ab', xs;1, n",
    "zip": "xs;xs[1:], xs;xs;strict=True, xs;[1];strict=True, , xs;strict=False, xs;n, *[xs;xs]",
    "enumerate": "xs;start=n, xs;n, iterable=xs;start=2, xs;'a', xs;True, xs;0.5, n",
    "map": "lambda a;b: a + b;xs;xs, abs;xs, str;xs, None;xs, lambda: 1, int;['1';'2'], max;xs;xs[::-1]",
    "filter": "None;xs, lambda v: v > n;xs, bool;xs, None;5, xs",
    "range": "n, n;0;-1, 0.5, 1;2;0, True;3, , 0;10;n",
    "round": "n, 2.5, n / 3;2, 12345;-2, n;None, 'a', 2.675;ndigits=2, number=2.5, -0.5, 2.5;0, 1e300;5, True",
    "abs": "-n, True, 'a', -2.5, 3 + 4j, , None",
    "int": "'12', ' 7 ', 'ff';16, '0x1f';base=0, 'a', 2.9, n;2, , True, None, '1_0', b'5', x=3",
    "float": "'nan', '1e3', n, , 'a', None, True, b'2'",
    "bool": "xs, , [], 0.0, x=1, '', None",
    "pow": "n;2, n;2;5, n;-1, 2;-1;5, base=n;exp=2, n;2;0, 0;-1, 2.0;3;4, n;exp=2;mod=3",
    "divmod": "n;3, -7;2, 7.5;2, n;0, 7;-2.0, n",
    "len": "xs, 'abc', n, {}, obj=xs, range(n)",
    "next": "iter(xs), iter([]);n, iter([]), xs, iter([]);None, (x for x in xs if x > n);-1",
    "reversed": "xs, 'ab', n, {1: 2;3: 4}, range(n), {1}",
    "list": "xs, , 5, {n: 1}, map(abs;xs)",
    "tuple": "xs, , 'ab', 5, zip(xs;xs)",
    "isinstance": "n;int, True;(int;str), n;'a', n",
    "getattr": "n;'real', n;'missing';3, n;'missing', n;5",
    "str": "n, xs, b'a';'ascii', object=n, , 3;4",
    "format": "n;'>5', n;'q', n, 2.5;'.3f', n;5",
    "'{:>{w}}|{0}'.format": "n;w=4",
    "'{0[0]}{1.real}'.format": "xs;n",
    "'{}{}'.format": "n, n;2, n;2;3",
    "'-'.join": "map(str;xs), xs, 'ab', n",
    "str.format": "'{}';n, '{a}';a=n, n",
    "'%s %d'.__mod__": "(n;n), (n;'a'), n, [n]",
    "hash": "n, 'a', [n]",
    "callable": "n, len, n;2",
}
"""The arguments of calls: `;` stands between arguments, `, ` between calls."""

INPUTS: tuple[tuple[Any, int], ...] = (([3, -1, 2], 2), ([1], 0), ([0, 5], 1), ([], 3), ((2, 2), 1))

MATERIALIZED = {"zip", "enumerate", "map", "filter", "reversed"}


def expressions(name: str) -> Iterator[str]:
    for arguments in CALLS[name].split(", "):
        call = f"{name}({arguments.replace(';', ', ')})"
        yield f"list({call})" if name in MATERIALIZED else call


def outcome(function: Callable[..., Any], *args: Any) -> str:
    try:
        return repr(function(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def while_traced(function: Callable[..., Any], *args: Any) -> str:
    """The outcome of a call inside of a trace, whose own tensor it does not see."""
    found = ""

    @autograph.do_not_convert
    def body(x: Any) -> Any:
        nonlocal found
        found = outcome(function, *args)
        return x

    tf.function(body, autograph=False).get_concrete_function(tf.constant(1))
    return found


def check(expression: str) -> None:
    with module(f"def f(xs, n):\n    return {expression}\n") as namespace:
        function = namespace["f"]
        converted = autograph.to_graph(function)
        for given in INPUTS:
            expected = outcome(function, *given)
            assert outcome(converted, *given) == expected, (expression, given)
            assert while_traced(converted, *given) == expected, (expression, given)


@pytest.mark.filterwarnings("ignore::runtime.errors.TraceEffectWarning")
@pytest.mark.parametrize("name", CALLS)
def test_calls_do_what_python_does(name: str) -> None:
    for expression in expressions(name):
        check(expression)


def random_call(author: random.Random) -> str:
    """A call of a builtin with arguments of any kind, most of them wrong."""
    values = ("xs", "n", "-n", "None", "True", "'a'", "2.5", "[]", "[n, 1]", "(n,)", "{n: 1}", "abs", "lambda v: -v")
    keywords = ("key", "default", "start", "strict", "reverse", "ndigits", "base", "mod", "sep")
    name = author.choice([name for name in CALLS if name.isidentifier() and name not in ("hash", "callable", "str")])
    given = [author.choice(values) for _ in range(author.randrange(4))]
    if author.random() < 0.5:
        given.append(f"{author.choice(keywords)}={author.choice(values)}")
    call = f"{name}({', '.join(given)})"
    return f"list({call})" if name in MATERIALIZED else call


@pytest.mark.filterwarnings("ignore::runtime.errors.TraceEffectWarning")
@pytest.mark.parametrize("seed", range(4))
def test_random_calls_do_what_python_does(seed: int) -> None:
    author = random.Random(seed)
    for _ in range(60):
        expression = random_call(author)
        with module(f"def f(xs, n):\n    return {expression}\n") as namespace:
            if " at 0x" in outcome(namespace["f"], *INPUTS[0]):
                continue  # functions have no text of their own
        check(expression)
