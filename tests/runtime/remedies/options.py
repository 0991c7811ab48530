"""What options of loops are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "shape that was declared": Row(
        r"'x' has shape \(2, 2\) after one iteration, which does not conform with the shape invariant",
        """
          x = tf.ones([1, 2])
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[(x, [1, 2])])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[(x, [None, 2])])
              x = tf.concat([x, x], 0)
          return x
        """,
    ),
    "shape before the loop": Row(
        r"'x' has shape \(1, 2\) before the loop, which does not conform with the shape invariant \(3, 2\)",
        """
          x = tf.ones([1, 2])
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[(x, [3, 2])])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[(x, [1, 2])])
              x = x * 2
          return x
        """,
    ),
    "parallel_iterations": Row(
        r"'parallel_iterations' is a positive integer; got 0",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(parallel_iterations=0)
        +     tf.autograph.experimental.set_loop_options(parallel_iterations=1)
              n = n + 1
          return n
        """,
    ),
    "swap_memory": Row(
        r"'swap_memory' is True or False; got 3",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(swap_memory=3)
        +     tf.autograph.experimental.set_loop_options(swap_memory=True)
              n = n + 1
          return n
        """,
    ),
    "checkpoint_every": Row(
        r"'checkpoint_every' is a number of iterations, 1 or more, or True; got 0",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(checkpoint_every=0)
        +     tf.autograph.experimental.set_loop_options(checkpoint_every=1)
              n = n + 1
          return n
        """,
    ),
    "maximum_iterations of another dtype": Row(
        r"'maximum_iterations' is an integer scalar; got .*float32",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(maximum_iterations=tf.constant(2.0))
        +     tf.autograph.experimental.set_loop_options(maximum_iterations=tf.constant(2))
              n = n + 1
          return n
        """,
        given=(2, 0, 1),
    ),
    "maximum_iterations as text": Row(
        r"'maximum_iterations' is an integer scalar; got 'two'",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(maximum_iterations="two")
        +     tf.autograph.experimental.set_loop_options(maximum_iterations=2)
              n = n + 1
          return n
        """,
        given=(2, 0, 1),
    ),
    "shape_invariants that are no pairs": Row(
        r"'shape_invariants' is a list of pairs \(variable, shape\); got",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[n])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[(n, [])])
              n = n + 1
          return n
        """,
    ),
    "shape_invariants of no variable": Row(
        r"'m' is no variable that the loop changes; those are .*'n'",
        """
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[("m", [])])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[("n", [])])
              n = n + 1
          return n
        """,
    ),
    "shape_invariants of another value": Row(
        r"which no variable that the loop changes holds before it; those are .*'n'",
        """
          m = n * 2
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[(m, [])])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[(n, [])])
              n = n + 1
          return n
        """,
    ),
    "shape_invariants of another structure": Row(
        r"'pair' does not have the same nested structure as its corresponding shape invariant",
        """
          pair = (n, n)
          for _ in range(n):
        -     tf.autograph.experimental.set_loop_options(shape_invariants=[(pair, ([], [], []))])
        +     tf.autograph.experimental.set_loop_options(shape_invariants=[(pair, ([], []))])
              pair = (n, pair[0])
          return pair
        """,
    ),
    "options under another name": Row(
        r"set_loop_options has no effect here, .* make it the first statement in the body of the loop",
        """
        - options = tf.autograph.experimental.set_loop_options
          for _ in range(n):
        -     options(maximum_iterations=3)
        +     tf.autograph.experimental.set_loop_options(maximum_iterations=3)
              n = n + 1
          return n
        """,
    ),
    "unroll=False": Row(
        r"set_loop_options\(unroll=False\): the loop cannot be one loop of the graph",
        """
          items = {}
          for i in range(100):
        -     tf.autograph.experimental.set_loop_options(unroll=False)
        +     tf.autograph.experimental.set_loop_options(unroll=True)
              n = n + 1
              items[i] = n
          return items[99]
        """,
    ),
}
