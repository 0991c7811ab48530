"""What gradients around staged code are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

import runtime as tf
from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "tape of a statement that has ended": Row(
        r"the tape was opened inside of a staged branch.* which has come to its end.* or open the tape around it",
        """
          x = tf.cast(n, tf.float32)
        + with tf.GradientTape() as tape:
        +     tape.watch(x)
        - tape, y = tf.GradientTape(), x
        - if n > 0:
        -     with tape:
        -         tape.watch(x)
        +     y = x
        +     if n > 0:
                  y = x * x
          return tape.gradient(y, x)
        """,
        same=False,
    ),
    "gradient in a loop": Row(
        r"depends on a variable that a staged loop changes, .* or ask for the gradient after the loop",
        """
          x = tf.cast(n, tf.float32)
          s = y = x
          with tf.GradientTape(persistent=True) as tape:
              tape.watch(x)
              for i in range(n):
                  y = y * x
        -         s += tape.gradient(y, x)
        + s += tape.gradient(y, x)
          return s
        """,
        same=False,
    ),
    "watch in a branch": Row(
        r"watch: the tape was opened before a staged loop or branch .* open the tape inside of it, or ",
        """
          x = tf.cast(n, tf.float32)
          with tf.GradientTape() as tape:
              tape.watch(x)
              y = x * x
        +     z = y * 1.0
        +     tape.watch(z)
              if n > 0:
        -         z = y * 1.0
        -         tape.watch(z)
                  y = z * z
          return tape.gradient(y, x)
        """,
        same=False,
    ),
    "gradients in a loop": Row(
        r"gradients: a y depends on a variable that a staged loop changes.* Ask for it after the loop",
        """
          x = tf.cast(n, tf.float32)
          s = y = x
          for i in range(n):
              y = y * x
        -     s += tf.gradients(y, x)[0]
        + s += tf.gradients(y, x)[0]
          return s
        """,
        answers=(3.0 + 4 * 3.0**3, 1.0, 3.0, 2.0 + 3 * 2.0**2),
    ),
    "array that a custom gradient writes to": Row(
        r"decorated by custom_gradient.*a.copy\(\)",
        """
          @tf.custom_gradient
          def doubled(a):
        +     a = a * 1.0
              a[0] = 5.0

              def grad(upstream):
                  return 2 * upstream

              return a * 2.0, grad

          def f(n):
              return doubled(np.ones(3))[1]
        """,
        answers=(2.0,) * 4,
        kind=(tf.autograph.StagingError, ValueError),
    ),
}
