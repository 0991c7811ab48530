"""What functions that call themselves, or keep their results, are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

import numpy as np

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "many objects in an order": Row(
        r"sorting 70 objects by comparisons that depend on tensors .* give a key= that makes a number",
        """
          class Weight:
              def __init__(self, kg):
                  self.kg = kg

              def __lt__(self, other):
                  return self.kg < other.kg

          def f(n):
              weights = [Weight(n * i % 7) for i in range(70)]
        -     return sorted(weights)[0].kg
        +     return sorted(weights, key=lambda w: w.kg)[0].kg
        """,
    ),
    "changed where it may raise": Row(
        r"changes .* inside a `try`: .* Let it return the new value, or what went wrong",
        """
        - counts = [0]

          def go(k):
        -     counts[0] += 1
              if k <= 0:
        -         return 1
        -     try:
        -         return go(k - 1) + 10 // (k - 2)
        -     except ZeroDivisionError:
        -         return 0
        +         return 1, 1
        +     value, count = go(k - 1)
        +     value = 0 if k == 2 else value + 10 // (k - 2)
        +     return value, count + 1

        - return go(n), counts[0]
        + return go(n)
        """,
    ),
    "one of several lists": Row(
        r"the argument 'items' is changed inside the function 'fill'.* a tensor decides which .*: pass a copy",
        """
          def fill(items, k):
              items[k % 2] += k
              if k > 0:
                  fill(items, k - 1)

          a, b = [1, 2], [3, 4]
        - fill(a if n % 2 else b, n)
        + c = list(a if n % 2 else b)
        + fill(c, n)
        - return (a if n % 2 else b)[0]
        + return c[0]
        """,
    ),
    "view of a view": Row(
        r"is a view that it writes to, and it asks for .* \(ravel, reshape\): pass a copy, and write that back",
        """
          def flat(v, k):
              if k > 0:
                  v[0, 0] += 1
                  s = v.ravel()
                  s[1] = k
                  flat(v, k - 1)

          a = np.zeros((2, 2))
        - flat(a.T, n)
        + b = a.T.copy()
        + flat(b, n)
        + a.T[...] = b
          return a
        """,
        same=False,
    ),
    "argument that is returned": Row(
        r"returns its argument 'state' or another object",
        """
          def counted(state, k):
              if k <= 0:
                  return state
              return [state[0] + 1, counted(state, k - 1)[1]]

          state = [0, 1]
          found = counted(state, n)
        + found = list(found)
          found[1] = 7
          return found[0]
        """,
    ),
    "no case that ends": Row(
        r"no way through it returns without doing so.* Give it a case that returns a value",
        """
          def search(k):
        +     if k == 10:
        +         return k
              if k > 10:
                  return search(k - 1)
              return search(k + 1)

          return search(n)
        """,
        same=False,
    ),
    "reached and given": Row(
        r"changes .*, and is given it as an argument, too: use it under one name",
        """
          TABLE = [0, 0]

          def go(items, k):
              TABLE[0] += k
        -     return items[1] if k <= 0 else go(items, k - 1)
        +     return TABLE[1] if k <= 0 else go(items, k - 1)

          def f(n):
        -     return go(TABLE, n)
        +     return go(0, n)
        """,
        same=False,
    ),
    "cache in a branch": Row(
        r"'counted' keeps its results .* and is called .* Call it before the statement",
        """
          CALLS = [0]

          @functools.lru_cache
          def counted(name):
              CALLS[0] += 1
              return 5

          def f(n):
        +     found = counted("a")
              s = 0
              if n > 1:
        -         s = counted("a")
        +         s = found
              return s
        """,
    ),
    "cache that would keep a tensor": Row(
        r"'constant' keeps its results .* and returns a tensor of this trace.* Return a NumPy array or a Python value",
        """
          @functools.lru_cache
          def constant(k):
        -     return tf.constant(k) * 2
        +     return k * 2

          def f(n):
              return n + constant(3)
        """,
        same=False,
    ),
    "generator that goes through itself": Row(
        r"'.*walk' goes through itself .* collect the items in a list that a recursive function returns",
        """
          def walk(k):
              if k > 0:
        -         yield k
        -         yield from walk(k - 1)
        +         return [k] + walk(k - 1)
        +     return []

          return sum(walk(n))
        """,
    ),
    "one array under two names": Row(
        r"is changed inside the function 'swap'.* under another name as well: pass a copy",
        """
          def swap(v, w, k):
              if k > 0:
                  v[0] = w[1] + 1
                  swap(v, w, k - 1)

          v = np.arange(4.0)
        - swap(v, v, n)
        + swap(v, v.copy(), n)
          return v
        """,
    ),
    "global list that grows": Row(
        r"'CALLS', which is there before .*, refers to it too; change a copy .*, and return that",
        """
          CALLS = []

          def remembers(k, calls):
        -     CALLS.append(1)
        -     return 0 if k == 0 else remembers(k - 1, calls)
        +     return calls + [1] if k == 0 else remembers(k - 1, calls + [1])

          def f(n):
        -     remembers(n, [])
        -     return len(CALLS)
        +     return len(remembers(n, []))
        """,
    ),
    "text that a recursion writes": Row(
        r"'buffer'.* is changed inside the function 'go'.* Pass the value on as an argument, and return it",
        """
        - buffer = io.StringIO()

        - def go(k):
        + def go(k, text):
        -     buffer.write("a")
        -     return 0 if k <= 0 else go(k - 1)
        +     text += "a"
        +     return text if k <= 0 else go(k - 1, text)

        - go(n)
        - return buffer.getvalue()
        + return go(n, "")
        """,
    ),
    "results of no one type": Row(
        r"the function 'go' .* calls itself depending on a tensor, and what it returns has no one type",
        """
          def go(k):
        -     return object() if k <= 0 else go(k - 1)
        +     return 1 if k <= 0 else go(k - 1)

          go(n)
          return n
        """,
    ),
    "array that is given back": Row(
        r"returns an array that it was given, or a view of one.* Return a copy \(a.copy\(\)\)",
        """
          def back(v, k):
        -     return v[1:] if k < 1 else back(v, k - 1)
        +     return v[1:].copy() if k < 1 else back(v, k - 1)

          def f(v, k):
              return back(v, k)
        """,
        given=((np.arange(4.0), 3), (np.arange(4.0), 0)),
        parameters="v, k",
    ),
    "arguments that are other objects": Row(
        r"'grows' calls itself .* 64 times within each other .* Pass tensors, or a runtime.autograph.tensor_list",
        """
          def grows(k, done):
              if k == 0:
                  return k
        -     return grows(k - 1, object())
        +     return grows(k - 1, done + 1)

        - return grows(n, object())
        + return grows(n, n)
        """,
    ),
}
