"""Random differentiable programs: functions of two scalars and a vector, with branches, loops, lists and early exits.

    text = program(7)                # the source of a function `program_7(a, b, v, n)` that returns a scalar

All values stay small, because each assignment ends in a bounded function. The same seed gives the same program.
"""

from __future__ import annotations

import random

UNARY = ("tf.sin({})", "tf.tanh({})", "tf.cos({} * 0.7)", "tf.sigmoid({})", "tf.exp(-{} * {})",
         "tf.sqrt({} * {} + 1.0)", "tf.math.log({} * {} + 1.2)", "1.0 / ({} * {} + 1.5)")  # fmt: skip
BINARY = ("{} * {}", "{} + {}", "{} - {}", "{} / (1.5 + tf.tanh({}))", "tf.maximum({}, {})", "tf.where({} > {}, a, b)")
VECTORS = ("tf.sin({} * {})", "{} * {} + v * 0.3", "tf.tanh({} + {})", "tf.reverse({}, [0]) * {}")
REDUCE = ("tf.reduce_sum({})", "tf.reduce_mean({} * v)", "{}[0]", "{}[-1] * 0.5", "tf.reduce_sum({} * {})")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.scalars = ["a", "b", "A"]  # A comes first in the order of names, and depends on nothing
        self.vectors = ["v"]
        self.budget = 14
        self.loops = 0
        self.lists = 0

    def write(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def fill(self, form: str, names: list[str]) -> str:
        while "{}" in form:
            form = form.replace("{}", self.random.choice(names), 1)
        return form

    def scalar(self) -> str:
        kind = self.random.random()
        if kind < 0.25:
            return self.fill(self.random.choice(REDUCE), self.vectors)
        if kind < 0.6:
            name = self.random.choice(self.scalars)
            return self.random.choice(UNARY).replace("{}", name)
        return self.fill(self.random.choice(BINARY), self.scalars)

    def vector(self) -> str:
        form = self.random.choice(VECTORS)
        first = self.random.choice(self.vectors)
        return form.replace("{}", first, 1).replace("{}", self.random.choice(self.scalars + self.vectors), 1)

    def condition(self) -> str:
        first, second = self.random.choice(self.scalars), self.random.choice([*self.scalars, "0.3", "-0.2"])
        return f"{first} {self.random.choice('<>')} {second}"

    def assign(self, depth: int) -> None:
        kind = self.random.random()
        if kind < 0.12:  # one value that has two names
            self.write(depth, " = ".join(self.random.sample(self.scalars, 2)))
        elif kind < 0.35:
            self.write(depth, f"{self.random.choice(self.vectors[:1])} = tf.tanh({self.vector()})")
        else:
            self.write(depth, f"{self.random.choice(self.scalars)} = tf.sin({self.scalar()}) * 1.3")

    def block(self, depth: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.budget -= 1
            kind = self.random.random() if self.budget > 0 and depth < 5 else 0.0
            if kind < 0.45:
                self.assign(depth)
            elif kind < 0.65:
                self.write(depth, f"if {self.condition()}:")
                self.block(depth + 1, in_loop)
                if self.random.random() < 0.6:
                    self.write(depth, "else:")
                    self.block(depth + 1, in_loop)
            elif kind < 0.8:
                self.loop(depth)
            elif kind < 0.9:
                self.growing(depth)
            elif in_loop:
                self.write(depth, f"if {self.condition()}:")
                self.write(depth + 1, self.random.choice(["break", "continue"]))
            elif self.random.random() < 0.4:
                self.write(depth, f"if {self.condition()}:")
                self.write(depth + 1, f"return {self.scalar()}")
            else:
                self.assign(depth)

    def loop(self, depth: int) -> None:
        self.loops += 1
        count = f"i{self.loops}"
        if self.random.random() < 0.6:
            bound = self.random.choice(["n", "2", "3", "n - 1"])
            self.write(depth, f"for {count} in tf.range({bound}):")
            self.write(depth + 1, f"a = a + 0.05 * tf.cast({count}, tf.float64)")
        else:
            self.write(depth, f"{count} = tf.constant(0)")
            self.write(depth, f"while {count} < n and {self.condition()}:")
            self.write(depth + 1, f"{count} = {count} + 1")
        self.block(depth + 1, True)

    def growing(self, depth: int) -> None:
        self.lists += 1
        name = f"made{self.lists}"
        self.write(depth, f"{name} = []")
        self.write(depth, f"for k{self.lists} in tf.range(n + 1):")
        self.write(depth + 1, f"b = tf.sin({self.scalar()}) * 1.1")
        self.write(depth + 1, f"{name}.append(b * {self.random.choice(self.scalars)})")
        self.write(depth, f"a = tf.tanh(tf.reduce_sum(tf.stack({name})) + {name}[0])")


def program(seed: int) -> str:
    """The source of one program."""
    writer = Writer(seed)
    writer.write(0, f"def program_{seed}(a, b, v, n):")
    writer.write(1, "A = tf.constant(0.4, tf.float64)")
    writer.block(1, False)
    writer.write(1, "return a * 1.1 + b + A * 0.7 + tf.reduce_sum(v) * 0.5")
    return "\n".join(writer.lines) + "\n"
