"""Elements that are set in what was read from a Variable: random programs against numpy.

A read shares its array with the Variable until one of them changes, and the plan writes into buffers that it owns: here
these two meet.
"""

import linecache
import random
from typing import Any

import numpy as np
import pytest

import runtime

FIRST = 5
"""Elements are set among the first ones."""


def program(rng: random.Random) -> str:
    """The text of a function of a Variable `v`, a number `n` and helpers that say what a step means."""
    lines = ["def main(v, n, read, put, write, add, span):", "    t = read(v)", "    u = t"]

    def steps(indent: int, depth: int) -> None:
        pad = "    " * indent
        for _ in range(rng.randint(2, 5)):
            index, value = rng.randrange(FIRST), rng.randrange(10)
            kind = rng.choice(["read", "put", "put", "write", "add", "same", "loop" if depth else "put"])
            name, other = rng.choice([("t", "u"), ("u", "t")])
            if kind == "loop":
                lines.append(f"{pad}for i in span(n):")
                steps(indent + 1, depth - 1)
            else:
                step = {
                    "read": f"{name} = read(v)",
                    "put": f"{name} = put({name}, {index}, {value})",
                    "write": f"write(v, {name})",
                    "add": f"add(v, {name})",
                    "same": f"{name} = {other}",
                }
                lines.append(pad + step[kind])

    steps(1, 2)
    return "\n".join([*lines, "    return t, u", ""])


def on_arrays(text: str, size: int) -> list[list[int]]:
    space: dict[str, Any] = {}
    exec(text, space)
    v = [np.arange(size)]

    def put(t: Any, index: int, value: int) -> Any:
        t = t.copy()
        t[index] = value
        return t

    def add(v: Any, t: Any) -> None:
        v[0] = v[0] % 1000 + t

    def write(v: Any, t: Any) -> None:
        v[0] = t

    result = space["main"](v, 3, lambda v: v[0], put, write, add, range)
    return [t.tolist() for t in (*result, v[0])]


def on_variables(text: str, size: int, filename: str) -> list[list[int]]:
    text += """
def put(t, index, value):
    t = t + 0
    t[index] = value
    return t


def add(v, t):
    v.assign(runtime.math.floormod(v, 1000))
    v.assign_add(t)


@runtime.function
def call(v, n):
    return main(v, n, lambda v: v.value(), put, lambda v, t: v.assign(t), add, runtime.range)
"""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "elements", "runtime": runtime}
    exec(compile(text, filename, "exec"), space)
    v = runtime.Variable(np.arange(size, dtype=np.int32))
    result = [t.numpy().tolist() for t in space["call"](v, runtime.constant(3))]
    return [*result, v.numpy().tolist()]


@pytest.mark.parametrize("size", [FIRST, 3000])  # the plan takes a buffer again only where it is not small
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_agree_with_numpy(seed: int, size: int) -> None:
    text = program(random.Random(seed))
    assert on_variables(text, size, f"<elements {seed}>") == on_arrays(text, size), text
