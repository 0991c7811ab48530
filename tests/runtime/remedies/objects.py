"""What objects of which the run decides what they are, and places of the caller, are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

import numpy as np

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "identity of a copy": Row(
        r"`is` compares lists, dicts or objects of which the graph has a copy.* keep a number that says which "
        r"one it is",
        """
        - p = [1]
        - rows = [p]
        + first, rows = 0, [[1]]
          for i in range(n):
              rows.append([i])
        - return 5 if rows[0] is p else n
        + return 5 if first == 0 else n
        """,
    ),
    "attributes as a dict": Row(
        r"the attributes of an object \(Node\) are looked at as a dict.* Ask for that one \(`hasattr\(o, 'a'\)`",
        """
          class Node:
              pass

          o = Node()
          if n > 1:
              o.a = n
        - return len(vars(o))
        + return 1 if hasattr(o, "a") else 0
        """,
    ),
    "dict that is gone through": Row(
        r"the dict 'd' is gone through .* the order of its keys depends on a tensor|give it all keys before",
        """
          d = {"a": 1}
          if n > 1:
              del d["a"]
          d["b"] = 2
        - d["a"] = 3
        - return list(d)[0] == "a"
        + return [k for k in ("a", "b") if k in d][0] == "a"
        """,
    ),
    "set that is gone through": Row(
        r"the set 's' is gone through .* must be numbers of one kind or texts then. Ask for one after the other",
        """
          s = {1}
          if n > 1:
              s.add("b")
        - for v in s:
        -     n += 1
        + for v in (1, "b"):
        +     if v in s:
        +         n += 1
          return n
        """,
    ),
    "set that a loop through it changes": Row(
        r"the set 's' is changed .* by a loop that goes through it, .* Go through a copy",
        """
          s = {1, 2}
          if n > 1:
              s.add(3)
        - for v in s:
        + for v in set(s):
              if 2 in s:
                  s.discard(2)
                  n += v
          return n
        """,
        same=False,
    ),
    "key of the run": Row(
        r"a key of the dict 'd' is a tensor.*, and a tensor also decides which keys there are. Use keys that",
        """
          d = {1: 10}
          if n > 1:
              d[2] = 20
        - d[n] = 5
        + for k in (1, 2, 3):
        +     if k == n:
        +         d[k] = 5
          return d[1]
        """,
    ),
    "enumerate that is gone through twice": Row(
        r"enumerate\(\) of one of several lists or dicts, .* is gone through twice. Call enumerate\(\) in the "
        r"statement",
        """
          a, b = [1, 2], [3, 4]
          items = enumerate(a if n > 1 else b)
          s = 0
          for i, v in items:
              s += v
        - for i, v in items:
        + for i, v in enumerate(a if n > 1 else b):
              s += v
          return s
        """,
        same=False,
    ),
    "starred target of rows": Row(
        r"a starred target takes as many rows as the tensor has.* name the rows by slices instead",
        """
          v = tf.range(n + 1)
        - first, *rest = v
        + first, rest = v[0], v[1:]
          return first
        """,
        same=False,
    ),
    "None that is matched": Row(
        r"what is matched may be None.* write `case None` above this case",
        """
          v = (n, 1)
          if n > 1:
              v = None
          match v:
        +     case None:
        +         return 0
              case (a, b):
                  return b
          return 0
        """,
    ),
    "body of a class": Row(
        r"an `if`, `while` or ternary in the body of a class cannot be staged",
        """
        + k = 1 if n > 1 else 2
          class Box:
        -     size = 1 if n > 1 else 2
        +     size = k
          return Box.size
        """,
    ),
    "Variable under another name": Row(
        r"may be the variable .*, and that is assigned .* before it is used.* the tensor `v.value\(\)`",
        """
          V = tf.Variable(1)
          W = tf.Variable(2)

          def f(n):
              V.assign(1)
        -     x = V if n > 1 else W
        +     x = V.value() if n > 1 else W.value()
              V.assign(5)
              return x
        """,
        same=False,
    ),
    "one of several lists given to what is not converted": Row(
        r"one of several lists or dicts, .* is given to what is not converted; they have 1 or 2 elements. Go "
        r"through it",
        """
          a, b = [1.0], [3.0, 4.0]
          d = a if n > 1 else b
        - return math.hypot(*d)
        + s = 0.0
        + for v in d:
        +     s += v * v
        + return s**0.5
        """,
    ),
    "result of a method": Row(
        r"`__index__` of Box gives .*, which is only known when the graph runs, and here Python asks for it",
        """
          class Box:
              def __init__(self, n):
                  self.n = n

              def __index__(self):
                  return self.n

          def f(n):
        -     return [1, 2, 3, 4][Box(n)]
        +     return [1, 2, 3, 4][Box(n).n]
        """,
    ),
    "layer in a branch": Row(
        r"'SHAPES' is changed where a layer makes its weights.* Call the layer once before that statement",
        """
          SHAPES = []

          class Noting(tf.keras.layers.Layer):
              def build(self, shape):
                  SHAPES.append(shape)

              def call(self, inputs):
                  return inputs

          layer = Noting()
          X = tf.ones([2, 3])

          def f(n):
              x = X
        +     layer(x)
              if n > 0:
                  SHAPES.append(None)
                  x = layer(x)
              else:
                  SHAPES.append(None)
              return x
        """,
    ),
    "places in another graph": Row(
        r"within another graph, and it writes to 'BOX.total' in each run: call the Function itself",
        """
          class Box:
              pass

          BOX = Box()
          BOX.total = tf.constant(0)

          def add(n):
              BOX.total = BOX.total + n
              return n

          G = tf.function(add)
        - G = G.get_concrete_function(tf.constant(1))

          def f(n):
              return G(n)
        """,
    ),
    "order of keys of the caller": Row(
        r"the order of the keys of the dict of the variable 'TABLE' .* or leave a new dict there",
        """
          TABLE = {"a": tf.constant(1), "b": tf.constant(2)}

          def f(n):
        +     global TABLE
              if n > 0:
        -         del TABLE["a"]
        -         TABLE["b"] = n
        -         TABLE["a"] = n
        +         TABLE = {"b": n, "a": n}
              return n
        """,
    ),
    "object under a key of the caller": Row(
        r"TABLE\['o'\].* is left with what cannot be made anew in each run",
        """
          TABLE = {"a": tf.constant(1)}

          def f(n):
              if n > 0:
                  TABLE["b"] = n
        -     TABLE["o"] = object()
        +     TABLE["o"] = n
              return n
        """,
    ),
    "array of an argument that only the run can find": Row(
        r"the argument 'd' is left with an array .* or return 'd'",
        """
        - d["a"] = x
        + d["a"][:] = x
          return x[0] * 2
        """,
        same=False,
        given=(({"a": np.ones(2)}, memoryview(np.zeros(2))), ({"a": np.ones(3)}, memoryview(np.ones(3)))),
        parameters="d, x",
    ),
    "object under a key of an argument": Row(
        r"the argument 'd' is left with what cannot be made anew in each run",
        """
          if n > 0:
              d["b"] = n
        - d["o"] = threading.local()
        + d["o"] = n
          return n
        """,
        given=(({"a": 1}, 3), ({"a": 1}, 0)),
        parameters="d, n",
    ),
    "objects in an array": Row(
        r"an element of a numpy array is set .* something else refers to the array too.* copy it \(array.copy\(\)\)",
        """
          o = np.array(["a", "b"], object)
        - keep = o
        + o = o.copy()
          o[n % 2] = "c"
          return n
        """,
    ),
    "list that a loop replaces in its place": Row(
        r"'rows\[0\]' is left with what it was before, which has another name.* Make one before the loop",
        """
          shared = [1]
          rows = [shared, shared]

          def f(n):
        +     rows[0] = list(rows[0])
              i = 0
              while i < n:
                  rows[0] = [n]
                  i += 1
              return rows[1][0] + i
        """,
        same=False,
    ),
    "identity of one of several": Row(
        r"`is` compares lists, dicts or objects of which the graph has a copy.* keep a number that says which one",
        """
          p, q = [1], [2]
        - rows = [p]
        + first, rows = 0, [[1]]
          for i in range(n):
              rows.append([i])
        - c = p if n > 1 else q
        - return 5 if c is rows[0] else n
        + c = 0 if n > 1 else 1
        + return 5 if c == first else n
        """,
    ),
    "default that changes": Row(
        r"the default of 'd', which stays from one call to the next, is left with tensors .* keep what .* in a global",
        """
        - def f(n, d={"a": 1}):
        + D = {"a": 1}
        +
        + def f(n):
        +     d = D
              if n > 0:
                  d["a"] = n
              return d["a"]
        """,
        same=False,
        given=(3, 0),
        answers=(3, 3),
    ),
}
