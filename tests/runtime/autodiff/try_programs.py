"""Random differentiable programs of `try` statements: raises in branches and loops, handlers that use what was made.

    text = try_program(7)           # the source of a function `program_7(x)` of a vector of three
"""

from __future__ import annotations

import random

__all__ = ["try_program"]

NAMES = ("y", "z", "w")
ERRORS = ("ValueError", "KeyError", "ZeroDivisionError")
FORMS = (
    "{a} * {b}", "tf.sin({a}) + {b}", "{a} * 0.7 + {b}[0]", "tf.tanh({a}) * {b}[1]", "{a} - {b} * 0.3",
    "tf.gather({a}, [1, 0, 2])", "{a} / (2.0 + {b} * {b})",
)  # fmt: skip


class TryWriter:
    """Writes one program. loops: whether bodies have them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = seed % 2 == 0
        self.lines = [f"def program_{seed}(x):", "    y, z, w = x, x * 0.5, tf.cos(x)"]

    def write(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def form(self) -> str:
        a, b = (self.random.choice((*NAMES, "x")) for _ in range(2))
        return self.random.choice(FORMS).format(a=a, b=b)

    def test(self) -> str:
        name, place = self.random.choice((*NAMES, "x")), self.random.randrange(3)
        return f"{name}[{place}] > {self.random.uniform(-0.5, 1.0):.2f}"

    def assign(self, depth: int) -> None:
        self.write(depth, f"{self.random.choice(NAMES)} = {self.form()}")

    def branch(self, depth: int, raises: bool) -> None:
        self.write(depth, f"if {self.test()}:")
        if not raises or self.random.random() < 0.6:
            self.assign(depth + 1)
        if raises:
            self.write(depth + 1, f"raise {self.random.choice(ERRORS)}('in a branch')")
        else:
            self.write(depth, "else:")
            self.assign(depth + 1)

    def statements(self, depth: int, most: int, raises: bool, loops: bool) -> None:
        for _ in range(self.random.randint(1, most)):
            kind = self.random.random()
            if kind < 0.5:
                self.assign(depth)
            elif kind < 0.65 and raises:
                self.branch(depth, raises=True)
            elif kind < 0.75:
                self.branch(depth, raises=False)
            elif kind < 0.8 and raises:
                self.write(depth, f"assert {self.test()}")
            elif kind < 0.9 and depth < 3:
                self.guarded(depth, loops)
            elif loops and depth < 3:
                self.write(depth, f"for _ in tf.range({self.random.randint(1, 3)}):")
                self.statements(depth + 1, 3, raises and self.random.random() < 0.5, loops)
            else:
                self.assign(depth)

    def guarded(self, depth: int, loops: bool) -> None:
        """A `try` statement."""
        self.write(depth, "try:")
        self.statements(depth + 1, 4, True, loops)
        kinds = self.random.sample((*ERRORS, "AssertionError"), self.random.randint(1, 3))
        for caught in [f"({', '.join(kinds)},)"] if self.random.random() < 0.5 else kinds:
            self.write(depth, f"except {caught}:")
            self.statements(depth + 1, 2, False, False)
        for word in ("else", "finally"):
            if self.random.random() < 0.25:
                self.write(depth, f"{word}:")
                self.assign(depth + 1)


def try_program(seed: int) -> str:
    """The source of a function. Not all of its exceptions are caught."""
    writer = TryWriter(seed)
    writer.statements(1, 2, False, False)
    writer.guarded(1, writer.loops)
    if writer.random.random() < 0.5:
        writer.write(1, "for _ in tf.range(2):")
        writer.guarded(2, False)
    writer.write(1, "return y * z + w")
    return "\n".join(writer.lines) + "\n"
