"""Random differentiable programs with what programs.py leaves out: exceptions, None, arrays, tapes, calls, folds.

    HEADER                           # what the programs call: a recursion, a Function, custom gradients
    text = rich_program(7)           # the source of a function `program_7(a, b, v, n)`
"""

from __future__ import annotations

from typing import Final

from tests.runtime.autodiff.programs import Writer

HEADER: Final = '''import runtime as tf
from autograph import set_loop_options


def power(x, n):
    if n < 1:
        return tf.cos(x)
    return tf.sin(x * power(x * 0.9 + 0.1, n - 1))


@tf.function
def inner(x, n):
    for _ in tf.range(n):
        x = tf.sin(x) * x + 0.3
        if x > 2.0:
            return x * 0.5
    return x


@tf.custom_gradient
def wave(x):
    y = tf.sin(x)

    def grad(upstream):
        return upstream * tf.cos(x)

    return y, grad


@tf.recompute_grad
def bent(x):
    return tf.tanh(x) * x


'''

CALLS = ("power({}, n)", "inner({}, n)", "wave({})", "bent({})", "tf.foldl(lambda s, r: s * r + {}, v)",
         "tf.switch_case(n, [lambda: {}, lambda: {}, lambda: tf.cos({})])",
         "tf.cond({} > {}, lambda: tf.sin({}), lambda: {})", "v[n % 3] * {}",
         "tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.sin(x) * {}), [0, {}], maximum_iterations=2)[1]",
         )  # fmt: skip
ROWS = ("tf.map_fn(lambda r: tf.sin(r) * {}, v)", "tf.vectorized_map(lambda r: r * {} + r * r, v)",
        "tf.scan(lambda s, r: tf.tanh(s * r) + {}, v)", "tf.tensor_scatter_nd_update(v, [[1]], [{}])",
        "tf.cumsum(v) * {}", "tf.sort(v) + {}", "tf.gather(v, [2, 0, 0]) * {}")  # fmt: skip


class RichWriter(Writer):
    """Writes one program."""

    def assign(self, depth: int) -> None:
        kind = self.random.random()
        if kind < 0.7:
            self.names += 1
            forms = (self.call, self.rows, self.swap, self.attempt, self.optional, self.array, self.tape)
            self.random.choice(forms)(depth, str(self.names))
        else:
            super().assign(depth)

    names = 0

    def call(self, depth: int, number: str) -> None:
        value = self.fill(self.random.choice(CALLS), self.scalars)
        self.write(depth, f"{self.random.choice(self.scalars)} = tf.sin({value})")

    def rows(self, depth: int, number: str) -> None:
        self.write(depth, f"v = tf.tanh({self.fill(self.random.choice(ROWS), self.scalars)})")

    def swap(self, depth: int, number: str) -> None:
        self.write(depth, f"pair{number} = {{'x': b, 'y': [tf.sin({self.scalar()}), a]}}")
        self.write(depth, f"a, b = pair{number}['x'], pair{number}['y'][0] * pair{number}['y'][1]")

    def attempt(self, depth: int, number: str) -> None:
        self.write(depth, "try:")
        self.write(depth + 1, f"b = tf.sin({self.scalar()})")
        self.write(depth + 1, f"if {self.condition()}:")
        self.write(depth + 2, "raise ValueError(a)")
        self.write(depth + 1, f"b = b * tf.cos({self.scalar()})")
        self.write(depth, "except ValueError:")
        self.write(depth + 1, f"b = tf.sin({self.random.choice(['a', 'a * a', 'a * v[0]'])})")
        if self.random.random() < 0.3:
            self.write(depth, "finally:")
            self.write(depth + 1, "v = tf.sin(v * a)")

    def optional(self, depth: int, number: str) -> None:
        self.write(depth, f"best{number} = None")
        self.write(depth, f"for j{number} in tf.range(n):")
        self.write(depth + 1, f"found{number} = tf.sin(tf.cast(j{number}, tf.float64) + {self.scalar()})")
        self.write(depth + 1, f"if best{number} is None or found{number} > best{number}:")
        self.write(depth + 2, f"best{number} = found{number}")
        self.write(depth, f"if best{number} is not None:")
        self.write(depth + 1, f"a = tf.sin(best{number} * b)")

    def array(self, depth: int, number: str) -> None:
        self.write(depth, f"array{number} = tf.TensorArray(tf.float64, size=n + 1, element_shape=[])")
        self.write(depth, f"for j{number} in tf.range(n + 1):")
        if self.random.random() < 0.3:
            self.write(depth + 1, "set_loop_options(checkpoint_every=2)")
        self.write(depth + 1, f"array{number} = array{number}.write(j{number}, tf.sin({self.scalar()}))")
        self.write(depth, f"a = tf.tanh(tf.reduce_sum(array{number}.stack()) * array{number}.read(n) + a)")

    def tape(self, depth: int, number: str) -> None:
        self.write(depth, f"with tf.GradientTape() as tape{number}:")
        self.write(depth + 1, f"from{number} = a * 1.0")
        self.write(depth + 1, f"tape{number}.watch(from{number})")
        text = self.fill(self.random.choice(("tf.sin({}) * F", "F * F * {}", "tf.exp(-F * F) + {}")), self.scalars)
        self.write(depth + 1, f"to{number} = {text.replace('F', f'from{number}')}")
        self.write(depth, f"a = tf.sin(tape{number}.gradient(to{number}, from{number}))")


def rich_program(seed: int) -> str:
    """The source of one program."""
    writer = RichWriter(seed)
    writer.write(0, f"def program_{seed}(a, b, v, n):")
    writer.write(1, "A = tf.constant(0.4, tf.float64)")
    writer.block(1, False)
    writer.write(1, "return a * 1.1 + b + A * 0.7 + tf.reduce_sum(v) * 0.5")
    return "\n".join(writer.lines) + "\n"
