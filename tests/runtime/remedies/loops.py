"""What loops are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "items that are pulled until something raises": Row(
        r"a loop over `iter\(function, last\)` has been unrolled .* Write `while` around a call of the function",
        """
          items, total = [1, 2], 0
          for i in range(n):
              items.append(i)
          try:
        -     for item in iter(items.pop, None):
        -         total += item
        +     while True:
        +         total += items.pop()
          except IndexError:
              return total
        """,
    ),
    "key that a loop makes": Row(
        r"'d\[0\]' is made in the body of a loop.* Give it a value before the loop",
        """
          class Table(dict):
              pass

        - d = Table()
        + d = Table({0: -1})
          for i in range(n):
              d[0] = i
        - return d.get(0, -1)
        + return d[0]
        """,
    ),
    "iterator in a loop": Row(
        r"'numbers' is changed inside the body of a loop.* ",
        """
        - numbers, s = iter([1, 2, 3]), 0
        - for _ in range(n):
        -     s += next(numbers)
        + s = 0
        + for _, number in zip(range(n), [1, 2, 3]):
        +     s += number
          return s
        """,
    ),
    "row that is changed again": Row(
        r"the next iteration has the object, too, and changes it in place.* Put a copy into the list \(`rows.append",
        """
          row, rows = [0, 0], []
          for i in range(n):
              row[0] = i
        -     rows.append(row)
        +     rows.append(list(row))
          return rows
        """,
        same=False,
    ),
    "row that is changed after it was put in": Row(
        r"is an element of a list that grows in the graph, where its values are kept",
        """
          rows = []
          for i in range(n):
              row = [i, 0]
        -     rows.append(row)
              row[1] = i
        +     rows.append(row)
          return rows
        """,
    ),
    "dtype that a loop changes": Row(
        r"'total' has dtype int32 before the loop, but dtype float32 after one iteration; use runtime.cast",
        """
        - total = tf.constant(0)
        + total = tf.cast(tf.constant(0), tf.float32)
          for i in range(n):
              total = tf.cast(i, tf.float32)
          return total
        """,
        same=False,
    ),
    "structure that a loop changes": Row(
        r"'pair' does not have the same nested structure after one iteration",
        """
          pair = (n, n)
          for _ in range(n):
        -     pair = (n, n, n)
        +     pair = (n, n)
          return pair[0]
        """,
    ),
    "function of each iteration": Row(
        r"'g' is a new Python object of type function after each iteration; .* functions that are made before it",
        """
          g, i = abs, 0
        + h = lambda x: x + 2
          for i in range(n):
        -     g = lambda x: x + 2
        +     g = h
          return g(n)
        """,
    ),
    "Variable in a place": Row(
        r"holds the Variable .* before the loop and something else after an iteration.* assign to the Variable instead",
        """
          class Box:
              pass

          V = tf.Variable(1)

          def f(n):
              o = Box()
              o.v = V
              for _ in range(n):
        -         o.v = o.v + 1
        +         o.v.assign(o.v + 1)
              return n
        """,
    ),
    "Variable at the end of an iteration": Row(
        r"'x' is the variable .* at the end of the iteration, but a tensor before the loop.* `v.value\(\)`",
        """
          V = tf.Variable(1)

          def f(n):
              x = n
              for _ in range(n):
        -         x = V
        +         x = V.value()
              return x
        """,
        same=False,
    ),
    "one of several Variables": Row(
        r"'x' may be one of several Variables after an iteration.* `v.value\(\)`",
        """
          V = tf.Variable(1)
          W = tf.Variable(2)

          def f(n):
              x = n
              for i in range(n):
        -         x = V if i > 1 else W
        +         x = V.value() if i > 1 else W.value()
              return x
        """,
        same=False,
    ),
    "key that a loop removes": Row(
        r"d\['a'\].* is removed in the body of a loop.* keep it, with a value that stands for `not there`",
        """
          class Table(dict):
              pass

          d = Table(a=1)
          for _ in range(n):
        -     d.pop("a", 0)
        - return "a" in d
        +     d["a"] = -1
        + return d["a"] != -1
        """,
    ),
    "object in the place of a tensor": Row(
        r"'x' is a Python object of type set at the end of the iteration, but a tensor before the loop",
        """
        - x = n
        + x = 0
          for _ in range(n):
        -     x = {1, 2}
        - return len(x) if n > 0 else 0
        +     x = 2
        + return x
        """,
    ),
    "other object after an iteration": Row(
        r"'x' is a Python object of type .* before the loop, and another one .* after one iteration; only tensors",
        """
        - x = {1}
        + x = 1
          for _ in range(n):
        -     x = bytearray(2)
        - return len(x)
        +     x = 2
        + return x
        """,
    ),
    "list that is another value": Row(
        r"'items' is a list that grows before the loop, and a value of type .* after one iteration",
        """
          items = []
          for i in range(n):
              items.append(i)
          for i in range(n):
        -     items = 5
        +     items = [5]
        - return items if n > 0 else 0
        + return items[0] if n > 0 else 0
        """,
    ),
    "loop of Python without an end": Row(
        r"is left depending on a tensor, and after .* iterations that were unrolled",
        """
        - for i in iter(int, 1):
        + for i in range(1000):
              n = n + 1
              if n > 5:
                  break
          return n
        """,
    ),
    "another name of a list in a tuple": Row(
        r"'t' is bound in the body of a loop .* that has another name, and one of them is changed .* Bind a "
        r"copy \(`list\(a\)`",
        """
          a, t = [1], ([3], 0)
          for i in range(n):
              t[0][0] += 1
        -     t = (a, i)
        +     t = (list(a), i)
          return t[0][0]
        """,
        same=False,
    ),
    "number that becomes a view": Row(
        r"'row' is no array before a loop.* it is one that has another name, too, or a view of one: bind a copy "
        r"\(array.copy\(\)\)",
        """
          a, row = np.arange(6.0).reshape(3, 2), 0.0
          a[0, 0] = n
          for i in range(n):
        -     row = a[i]
        +     row = a[i].copy()
          return row * 2
        """,
    ),
    "iterator over a dict of the run, twice": Row(
        r"items are taken more than once from an iterator over a dict or set .* Go through it in one loop",
        """
          d = {"a": 1}
          if n > 1:
              d["b"] = n
        - it = iter(d.values())
        - total = next(it)
        - for v in it:
        + total = 0
        + for v in iter(d.values()):
              total += v
          return total
        """,
    ),
    "array with another name that a loop puts into a new tuple": Row(
        r"'o.pair' is left with an array that has another name, too, .* Leave one of your own \(`array.copy\(\)`\)",
        """
          class Pair:
              table = np.ones(2)

          o = Pair()
          o.pair = np.zeros(2), 0

          def f(n):
              for i in range(n):
        -         o.pair = (o.table, i)
        +         o.pair = (o.table.copy(), i)
              return n
        """,
    ),
}
