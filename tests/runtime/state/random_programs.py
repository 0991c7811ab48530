"""Random programs of reads, writes, prints and checks on Variables, in branches, loops, handlers and called functions.

    text = program(seed)          # the text of a module with a function `main(x, y, w)`; w is one of its Variables
    run(text, staged=False)       # what it returns, prints, raises, and leaves in the Variables

Each program runs eagerly and as a Function; both must agree in everything.
"""

import contextlib
import io
import linecache
import random
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime

INPUTS = ((1, 2), (5, 0), (3, 3), (-4, 7))

HEAD = """
import runtime as tf

a = tf.Variable(1, name="a")
b = tf.Variable(10, name="b")
c = tf.Variable([1, 2, 3, 4], name="c")
d = tf.Variable(5, name="d")
spare = tf.Variable(0, name="spare")


def helper(v):
    a.assign_add(v)
    if v > 3:
        tf.print("helper", v, a)
        return b - v
    return v + 1


@tf.function
def staged(v):
    b.assign_sub(v)
    if b > v:
        c.scatter_nd_update([[1]], [v])
    return c[1] + a


def given(w, v):
    w.assign_add(v)
    tf.print("given", w)
    return w * 1


def main(x, y, w):
    t = x + 0
    u = y + 0
    s = c.value()
"""


@dataclass
class Writer:
    """Writes statements."""

    rng: random.Random
    names: int = 0

    def block(self, depth: int, indent: int, loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 4)):
            lines += self.statement(depth, indent, loop)
        return lines

    def statement(self, depth: int, indent: int, loop: bool) -> list[str]:
        pad = "    " * indent
        simple = ["assign", "assign", "add", "add", "vector", "part", "local", "local", "print", "keep", "call"]
        simple += ["check"]
        nested = ["if", "if", "for", "while", "try", "return", "fall"]
        if loop:
            nested += ["break", "continue"]
        kind = self.rng.choice(simple if depth == 0 else simple + nested)
        return [f"{pad}{line}" for line in getattr(self, f"write_{kind}")(depth, indent, loop)]

    def inner(self, depth: int, loop: bool) -> list[str]:
        return ["    " + line for line in self.block(depth - 1, 0, loop)]

    # -- expressions

    def value(self, depth: int = 2) -> str:
        leaves = ["x", "y", "t", "u", "a", "b", "w", "a.value()", "b.read_value()", "c[0]", "c[3]", "s[2]", "2",
                  "spare", "tf.reduce_sum(c)", "tf.reduce_max(s)", "tf.identity(a)"]  # fmt: skip
        if depth == 0 or self.rng.random() < 0.4:
            return self.rng.choice(leaves)
        first, second = self.value(depth - 1), self.value(depth - 1)
        forms = [f"({first} + {second})", f"({first} - {second})", f"tf.maximum({first}, {second})",
                 f"({first} if {second} > 2 else {self.value(0)})", f"(a.assign_add({first}) + b)"]  # fmt: skip
        return self.rng.choice(forms)

    def small(self) -> str:
        return f"tf.math.floormod(tf.identity({self.value()}), 97)"

    def condition(self) -> str:
        sign = self.rng.choice(["<", ">", "<=", "=="])
        simple = f"{self.value(1)} {sign} {self.value(1)}"
        other = f"{self.variable()} > {self.value(1)}"
        return self.rng.choice([simple, simple, f"{simple} and {other}", f"{simple} or {other}", f"not {other}"])

    def variable(self) -> str:
        return self.rng.choice("abw")

    # -- statements

    def write_assign(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"{self.variable()}.assign({self.small()})"]

    def write_add(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"{self.variable()}.assign_{self.rng.choice(['add', 'sub'])}({self.small()})"]

    def write_vector(self, depth: int, indent: int, loop: bool) -> list[str]:
        how = self.rng.choice(["assign", "assign_add"])
        return [f"c.{how}(tf.math.floormod(c + {self.small()}, 97))"]

    def write_part(self, depth: int, indent: int, loop: bool) -> list[str]:
        how, place, value = self.rng.choice(["update", "add", "slice", "slice"]), self.rng.randrange(4), self.small()
        if how == "slice":
            run = ["tf.math.floormod(u, 4)", f"{place}:tf.math.floormod(t, 5)"]
            return [f"c[{self.rng.choice([f'{place}', f'{place}:', *run])}].assign({value})"]
        return [f"c.scatter_nd_{how}([[{place}]], [{value}])"]

    def write_local(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"{self.rng.choice('tu')} = {self.small()}"]

    def write_print(self, depth: int, indent: int, loop: bool) -> list[str]:
        self.names += 1
        return [f'tf.print("{self.names}", {self.rng.choice("abctus")}, {self.value(1)})']

    def write_keep(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [self.rng.choice(["s = c.value()", "s = tf.identity(c)", "s = s + c", "s = tf.reverse(c, [0])"])]

    def write_call(self, depth: int, indent: int, loop: bool) -> list[str]:
        call = self.rng.choice([f"helper({self.small()})", f"staged({self.small()})", f"given(a, {self.small()})",
                                f"given(b, {self.small()})", f"tf.function(given)(b, {self.small()})"])  # fmt: skip
        return [f"{self.rng.choice('tu')} = {call}"]

    def write_check(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"tf.debugging.assert_less(tf.identity({self.variable()}), {self.rng.choice([60, 150, 400])})"]

    def write_if(self, depth: int, indent: int, loop: bool) -> list[str]:
        lines = [f"if {self.condition()}:", *self.inner(depth, loop)]
        if self.rng.random() < 0.6:
            lines += ["else:", *self.inner(depth, loop)]
        return lines

    def write_for(self, depth: int, indent: int, loop: bool) -> list[str]:
        over = self.rng.choice(["tf.range(tf.math.floormod(t, 4))", "tf.range(3)", "c", "range(2)"])
        return [f"for i in {over}:", *self.inner(depth, True)]

    def write_while(self, depth: int, indent: int, loop: bool) -> list[str]:
        self.names += 1
        n = f"n{self.names}"
        test = self.rng.choice([f"{n} < 3", f"{n} < 3 and ({self.condition()})"])
        return [f"{n} = x * 0", f"while {test}:", f"    {n} = {n} + 1", *self.inner(depth, True)]

    def write_try(self, depth: int, indent: int, loop: bool) -> list[str]:
        lines = ["try:", *self.inner(depth, False), f"    if {self.condition()}:", "        raise ValueError('no')"]
        lines += ["except ValueError:", *self.inner(depth, False)]
        return lines + (["finally:", "    spare.assign_add(1)"] if self.rng.random() < 0.4 else [])

    def write_return(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"if {self.condition()}:", f"    return {self.small()}"]

    def write_fall(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"if {self.condition()}:", f"    {self.variable()}.assign({self.small()})"]

    def write_break(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"if {self.condition()}:", *self.inner(depth, False), "    break"]

    def write_continue(self, depth: int, indent: int, loop: bool) -> list[str]:
        return [f"if {self.condition()}:", *self.inner(depth, False), "    continue"]


def program(seed: int, depth: int = 3) -> str:
    """The text of a program."""
    writer = Writer(random.Random(seed))
    lines: list[str] = []
    while len(lines) < 8:
        lines += writer.block(depth, 1, False)
    result = "    return " + writer.rng.choice(["t", "t + u", "a", "s", "(t, a, c)", "[b, s]", "{'t': t, 'c': c}"])
    if any(" return " in line for line in lines):
        result = "    return t"
    return "\n".join([HEAD.strip("\n"), *lines, result, ""])


def run(text: str, staged: bool, filename: str) -> list[Any]:
    """What the program does, call by call. Raises what the staging refuses."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "state_program"}
    exec(compile(text, filename, "exec"), space)
    main = runtime.function(space["main"]) if staged else space["main"]
    seen: list[Any] = []
    for (x, y), given in zip(INPUTS, "adbd", strict=True):
        out = io.StringIO()
        with contextlib.redirect_stderr(out):
            try:
                result = main(runtime.constant(x), runtime.constant(y), space[given])
                shown = runtime.nest.map_structure(lambda t: np.asarray(t).tolist(), result)
            except runtime.errors.InvalidArgumentError as error:
                shown = type(error).__name__
        state = [space[name].numpy().tolist() for name in ("a", "b", "c", "d", "spare")]
        seen.append((shown, out.getvalue(), state))
    return seen


def main() -> None:
    """Runs many programs; shows the first that differs."""
    start, count = int(sys.argv[1]), int(sys.argv[2])
    refused: dict[str, int] = {}
    for seed in range(start, start + count):
        text = program(seed)
        expected = run(text, False, f"<program {seed}>")
        try:
            found = run(text, True, f"<program {seed} staged>")
        except Exception as error:
            reason = f"{type(error).__name__}: {str(error)[:150]}"
            refused[reason] = refused.get(reason, 0) + 1
            if refused[reason] == 1:
                print(seed, reason)
            continue
        if found != expected:
            print(text, "seed", seed, *zip(expected, found, strict=True), sep="\n")
            break
    print(refused)


if __name__ == "__main__":
    main()
