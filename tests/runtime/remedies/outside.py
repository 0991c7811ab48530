"""What code that is not converted, and what is outside of the program, are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

import numpy as np

from autograph import StagingTypeError
from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "view that is kept": Row(
        r"is bound to an array that only the run can find.* or leave a copy of it there",
        """
          kept = {"v": None}

          def f(x):
        -     kept["v"] = x
        +     kept["v"] = np.array(x)
              return x[0] * 2
        """,
        given=(memoryview(np.ones(3)), memoryview(np.zeros(2))),
    ),
    "items of an iterator": Row(
        r"items of the iterator of the variable 'numbers' are taken while .*: take them outside of the function",
        """
          numbers = iter([1.0, 2.0, 3.0])
        + first = next(numbers)

          def f(n):
              a = np.zeros(2)
        -     a[0] = next(numbers) * n
        +     a[0] = first * n
              return a.sum()
        """,
    ),
    "weak dictionary that is left": Row(
        r"kept.* is left with a weak dictionary .* make it outside of the function",
        """
          class Item:
              def __init__(self, v):
                  self.v = v

          first, second = Item(1), Item(2)
          kept = {"now": None}
        + table = weakref.WeakValueDictionary(a=first)

          def f(n):
        -     table = weakref.WeakValueDictionary(a=first)
        +     table["a"] = first
              kept["now"] = table
              if n > 1:
                  table["a"] = second
              return table["a"].v
        """,
        same=False,
    ),
    "dict that is given to C": Row(
        r"the dict 'space' is given to 'exec', which is not converted.*: it takes one .* Write what it does",
        """
          space = {"k": 1}
          if n > 1:
        -     exec("k = 2", space)
        +     space["k"] = 2
          return n * space["k"]
        """,
    ),
    "attribute by a name of the run": Row(
        r"the name that is given to 'getattr' depends on a tensor.*: write an `if` with one attribute in each branch",
        """
          import types

          box = types.SimpleNamespace(small=1, large=5)

          def f(n):
        -     name = "large" if n > 1 else "small"
        -     return n * getattr(box, name)
        +     if n > 1:
        +         return n * box.large
        +     return n * box.small
        """,
        kind=StagingTypeError,
    ),
    "text that a library makes": Row(
        r"'pformat', which is not converted, makes text of Tensor.*, which has no value .* return the value and call",
        """
          import pprint

          def f(n):
        -     return pprint.pformat([n, 1])
        +     return f"{[n, 1]}"
        """,
    ),
    "setting of the process": Row(
        r"sys.setrecursionlimit changes something of the whole process inside a branch",
        """
        + sys.setrecursionlimit(sys.getrecursionlimit())
          if n > 1:
        -     sys.setrecursionlimit(sys.getrecursionlimit())
              n = n + 1
          return n
        """,
    ),
    "file that is closed": Row(
        r"'held' is closed by its method 'close'",
        """
          held = io.StringIO()

          def f(n):
              if n > 1:
        -         held.close()
                  n = n + 1
        +     held.close()
              return n
        """,
    ),
    "file that is written": Row(
        r"'log' is changed for good by its method 'write' inside a branch .* Do it outside of the statement",
        """
          log = io.TextIOWrapper(io.BytesIO())

          def f(n):
              if n > 1:
        -         log.write("large")
                  n = n + 1
        +     log.write("called")
              return n
        """,
    ),
    "file that is given away": Row(
        r"'log', a file that can be written to, is given to 'print' inside a branch .* Do it outside of the statement",
        """
          log = io.TextIOWrapper(io.BytesIO())

          def f(n):
              if n > 1:
        -         print("large", file=log)
                  n = n + 1
        +     print("called", file=log)
              return n
        """,
    ),
    "clock in a loop": Row(
        r"'time.time' is called in the body of a loop .* Use ",
        """
          s = 0
        + t = time.time()
          for i in range(n):
        -     s += 1 if time.time() > 0 else 2
        +     s += 1 if t > 0 else 2
          return s
        """,
    ),
    "file that is opened": Row(
        r"the file '/dev/null' is opened for writing in a statement that depends on a tensor",
        """
          if n > 1:
        -     open("/dev/null", "w").close()
              n = n + 1
        + open("/dev/null", "w").close()
          return n
        """,
    ),
    "print to a file": Row(
        r"print\(\) of .* to a file: it would be written once.* or print to sys.stdout",
        """
        - print(n, file=io.StringIO())
        + text = f"{n}"
          return n
        """,
    ),
    "object of C": Row(
        r"'digest' is used by its method 'update' inside a branch of an `if`.* Do it outside of the statement",
        """
          import hashlib
          digest = hashlib.sha256()
        + digest.update(b"p")
          if n > 1:
        -     digest.update(b"p")
              n = n + 1
          return n
        """,
    ),
    "object of C that is given away": Row(
        r"'digest' is given to 'methodcaller', which is not converted, inside a branch.* Do it outside of the "
        r"statement",
        """
          import hashlib
          digest = hashlib.sha256()
        + operator.methodcaller("update", b"p")(digest)
          if n > 1:
        -     operator.methodcaller("update", b"p")(digest)
              n = n + 1
          return n
        """,
    ),
    "code that is not converted adds": Row(
        r"code that is not converted adds to a list .*Let the function be converted",
        """
        - @tf.autograph.do_not_convert
          def extend(items, more):
              items += more
              return items

          def f(n):
              return len(extend([1], [i for i in range(n)]))
        """,
    ),
    "key that code of the library reads": Row(
        r"whether 'a' is there depends on a tensor, and '__getitem__', which is not converted, reads it .* Give it a"
        r" value before the statement",
        """
          def f(n):
              m = collections.ChainMap({}, {"a": 1})
        +     m["a"] = m["a"]
              if n > 1:
                  m["a"] = n
              return m["a"]
        """,
    ),
    "errors of floats": Row(
        r"np.errstate\(divide='raise'\) holds here.* a graph gives inf and nan .* \(`if not np.isfinite\(y\): ...`\)",
        """
          def f(n):
              x = np.float64(n) - 2
              try:
        -         with np.errstate(divide="raise"):
        -             y = 1.0 / x
        +         y = 1.0 / x
        +         if not np.isfinite(y):
        +             raise FloatingPointError("divide")
              except FloatingPointError:
                  y = 0.5
              return y
        """,
    ),
}
