"""What branches are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from autograph.errors import StagingTypeError
from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "which variables there are": Row(
        r"whether 'extra' has a value depends on a tensor. Give it one before .* \(extra = None\), and ask for that",
        """
        + extra = None
          if n > 1:
              extra = n
        - return n if "extra" in locals() else -n
        + return n if extra is not None else -n
        """,
    ),
    "attribute that an object does not take": Row(
        r"'o\.area' cannot be carried by .* its object takes no such attribute .* in a function of its own",
        """
          class Square:
              @property
              def area(self):
                  return 4

        + def put(o):
        +     o.area = 5

          def f(n):
              o, r = Square(), 0
              if n > 1:
                  try:
        -             o.area = 5
        +             put(o)
                  except AttributeError:
                      r = n
              return r
        """,
    ),
    "str or bytes": Row(
        r"'code' is str or bytes, as a tensor decides .* make all of them one",
        """
        - code = "small"
        + code = "small".encode()
          if n > 1:
              code = b"large"
          return code
        """,
    ),
    "array or number": Row(
        r"'model\.weights' is left with an array, or with what is none, as a tensor decides.* an array on all ways",
        """
          class Model:
              pass

          model, zeros = Model(), np.zeros(2)
        - model.weights = 0.0
        + model.weights = np.array(0.0)

          def f(n):
              if n > 1:
                  model.weights = zeros
              return n
        """,
    ),
    "array or number in a list": Row(
        r"'model\.seen' is left with an array, or with what is none, as a tensor decides.* an array on all ways",
        """
          class Model:
              def __init__(self):
                  self.seen = []

          model, zeros = Model(), np.zeros(2)

          def f(n):
        -     model.seen.append([0.0, zeros][n % 2])
        +     model.seen.append([np.zeros(2), zeros][n % 2])
              return n
        """,
    ),
    "array or number in a list that a tensor decides about": Row(
        r"what is put into 'model\.seen' is an array, or none, as a tensor decides.* Put in an array on all ways",
        """
          class Model:
              def __init__(self):
                  self.seen = []

          model, zeros = Model(), np.zeros(2)

          def f(n):
              if n > 1:
        -         model.seen.append([0.0, zeros][n % 2])
        +         model.seen.append([np.zeros(2), zeros][n % 2].copy())
              return n
        """,
    ),
    "function or nothing": Row(
        r"'model\.seen' is left with what cannot be made anew in each run.*: leave tensors, numbers, text",
        """
          class Model:
              seen = None

          model = Model()

          def f(n):
        -     model.seen = [[lambda: 1, None][n % 2]]
        +     model.seen = [[1, None][n % 2]]
              return n
        """,
    ),
    "member or number": Row(
        r"'lamp\.size' is left with a member of Size, or with a number .* leave a member on all ways \(`Size\(",
        """
          import enum

          class Size(enum.IntEnum):
              SMALL = 1
              LARGE = 2

          class Lamp:
              size = Size.SMALL

          lamp = Lamp()

          def f(n):
              lamp.size = Size.SMALL
              if n > 1:
        -         lamp.size = 2
        +         lamp.size = Size(2)
              return lamp.size + n
        """,
    ),
    "class of a number or bool": Row(
        r"the class of a value is asked for that is bool or int, as a tensor decides .* ask `isinstance\(v, bool\)`",
        """
          found = 5
          if n > 1:
              found = True
        - return 1 if type(found) is bool else 2
        + return 1 if isinstance(found, bool) else 2
        """,
    ),
    "bytes in a text": Row(
        r"bytes of which a tensor decides .* become part of a text .* make the text, where they are known",
        """
        - code = b"large" if n > 1 else b"small"
        + code = f"{b'large'}" if n > 1 else f"{b'small'}"
          return f"{code}!"
        """,
    ),
    "text buffer": Row(
        r"'buffer' is changed inside a branch of an `if`.* or write it, outside of the statement",
        """
          buffer = io.StringIO()
        + text = ""
          if n > 1:
        -     buffer.write("large")
        - return buffer.getvalue()
        +     text = "large"
        + return text
        """,
    ),
    "set of a class of its own": Row(
        r"'seen' is changed inside a branch of an `if`.* Assign to a variable of this function",
        """
          class Bag(set):
              pass

          def f(n):
        -     seen = Bag([1])
        +     seen = set([1])
              if n > 1:
                  seen.add(2)
              return len(seen)
        """,
    ),
    "key that one branch makes": Row(
        r"d\['new'\].* must also be initialized in the else branch .* or before the `if`",
        """
          class Table(dict):
              pass

        - d = Table()
        + d = Table(new=0)
          if n > 1:
              d["new"] = n
          return d["new"] if n > 1 else 0
        """,
    ),
    "attribute that one branch makes": Row(
        r"'Box.extra' must also be initialized in the else branch.* or before the `if`",
        """
          class Box:
              pass

        + Box.extra = 0
          if n > 1:
              Box.extra = n
          return n
        """,
    ),
    "structures of branches": Row(
        r"'r' must have the same nested structure in the main and else branches",
        """
          if n > 1:
              r = (n, 1)
          else:
        -     r = [n, 1, 2]
        +     r = (n, 1 + 2)
          return r[0]
        """,
    ),
    "dtypes of branches": Row(
        r"'r' has dtype int32 in the main branch, but dtype float32 in the else branch; use runtime.cast\(r, "
        r"'float32'\) in the main branch$",
        """
          if n > 1:
        -     r = n
        +     r = tf.cast(n, tf.float32)
          else:
              r = tf.constant(0.5)
          return r
        """,
    ),
    "bool beside number": Row(
        r"the left operand of `or` is .* bool and the right operand is .* Compare the one that is no bool .`!= 0`.",
        """
        - return (n > 1) or n
        + return (n > 1) or n != 0
        """,
        same=False,
    ),
    "elements of several kinds": Row(
        r"an element of a list of 3 is replaced .* Make them so",
        """
        - items = [1, "a", 2.0]
        + items = [1, 0, 2]
          items[n % 3] = 7
          return items[0] == 7
        """,
    ),
    "generator of numbers": Row(
        r"'numbers' is changed inside a branch of an `if`.* or draw the number outside",
        """
        + number = random.Random(1).random()
        - numbers = random.Random(1)
          s = 0.0
          if n > 1:
        -     s = numbers.random()
        +     s = number
          return s
        """,
    ),
    "key that one branch removes": Row(
        r"d\['a'\].* is removed in the main branch only.* keep it, with a value that stands for `not there`",
        """
          class Table(dict):
              pass

          d = Table(a=1)
          if n > 1:
        -     d.pop("a")
        - return "a" in d
        +     d["a"] = -1
        + return d["a"] != -1
        """,
    ),
    "text of a Counter": Row(
        r"the text of 'c', of class Counter, depends on a tensor .*: write it as a dict, dict\(\.\.\.\)",
        """
          c = collections.Counter()
          if n > 1:
              c["a"] += 2
        - return len(f"{c}") > 2
        + return len(f"{dict(c)}") > 2
        """,
        same=False,
    ),
    "condition of several values": Row(
        r"use runtime.reduce_any or runtime.reduce_all to make one value of it",
        """
        - if tf.stack([n, n]) > 1:
        + if tf.reduce_any(tf.stack([n, n]) > 1):
              return 1
          return 0
        """,
        same=False,
    ),
    "objects of branches": Row(
        r"'r' is a Python object that differs between the branches.* use the same object in all branches",
        """
        + r = object()
          if n > 1:
        -     r = object()
              k = 1
          else:
        -     r = Exception()
              k = 2
          return k if r is None else k + 1
        """,
    ),
    "hash of one of several": Row(
        r"is asked for its hash, as a member of a set or a key: do that in the branches",
        """
          class Box:
              pass

          A, B = Box(), Box()

          def f(n):
              seen = {A}
        -     a = A
              if n > 1:
        -         a = B
        -     seen.add(a)
        +         seen.add(B)
        +     else:
        +         seen.add(A)
              return len(seen)
        """,
        kind=StagingTypeError,
    ),
    "dataclass that contains itself": Row(
        "an object of the class 'Node' contains itself .* a class that is no dataclass",
        """
        - @dataclasses.dataclass(eq=False)
          class Node:
        -     v: int
        +     def __init__(self, v):
        +         self.v = v

          class Chain:
              first = Node(0)

          def f(n):
              if n > 0:
                  node = Node(n)
                  node.next = node
                  Chain.first = node
              return n
        """,
    ),
}
