"""What iterators and built-in functions are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "generator for one of several lists": Row(
        r"a generator is given to an operation on one of several lists.* Give a list of its items",
        """
          a, b = [2, 7, 1], [0, 0]
          if n > 1:
              b = a.copy()
        - b.extend(i for i in range(n))
        + b.extend(list(i for i in range(n)))
          return len(b)
        """,
    ),
    "next in the loop over it": Row(
        r"'items' is changed inside a branch of an `if`",
        """
        - items, s = iter([1, 2, 3, 4]), 0
        - for v in items:
        -     if v > n:
        -         s += next(items, 0)
        + items, s, i = [1, 2, 3, 4], 0, 0
        + while i < len(items):
        +     i += 1
        +     if items[i - 1] > n and i < len(items):
        +         s += items[i]
        +         i += 1
          return s
        """,
    ),
    "iterator that was left": Row(
        r"cannot be gone on with: .* Make a list of the items first",
        """
        - items = iter([1, 2, 3, 4])
        - for v in items:
        -     if v > n:
        + items, i = list(iter([1, 2, 3, 4])), 0
        + while i < 4:
        +     i += 1
        +     if items[i - 1] > n:
                  break
        - return sum(items)
        + return sum(items[i:])
        """,
    ),
    "padded text of a dict": Row(
        r"the text of 'd' depends on a tensor, and is cut or padded",
        """
          d = {}
          if n > 1:
              d["a"] = 1
        - return f"{d!s:>9}"
        + return f"{d}"
        """,
        same=False,
    ),
    "format that depends on a tensor": Row(
        r"a format spec that depends on a tensor is for numbers and text; got a value of type 'list'",
        """
        - return f"{[1]!s:>{n}}"
        + return f"{'[1]':>{n}}"
        """,
    ),
    "iterator in another one": Row(
        r"this 'enumerate' is a part of a 'zip' over tensors, which takes its items; go through one of the two",
        """
          a = enumerate(range(n))
        - b = zip(a, range(n))
          s = 0
          for i, v in a:
              s += i * v
        - return s + len(list(b))
        + return s + len([])
        """,
    ),
    "groups without end": Row(
        r"groupby\(\) of an iterator without end .* write the loop, with `break`",
        """
        - for key, group in itertools.groupby(itertools.count(n)):
        + for key in itertools.count(n):
              if key > 4:
                  break
          return key
        """,
    ),
    "filter without end": Row(
        r"dropwhile\(\) of an iterator without end has no end: leave the loop by `break`",
        """
          s = 0
          for v in itertools.dropwhile(lambda v: v < 2, itertools.count(n)):
              s += v
        +     if v > 5:
        +         break
          return s
        """,
        same=False,
    ),
    "rows looked for in a list": Row(
        r"is no scalar: which elements are equal is not defined. Compare in a `for` statement",
        """
          rows = []
          for i in range(n):
              rows.append(np.array([i, i]))
        - return rows.index(np.array([1, 1])) if n > 1 else 0
        + found = 0
        + for k, row in enumerate(rows):
        +     if (row == 1).all():
        +         found = k
        + return found
        """,
        same=False,
    ),
    "strict zip without end": Row(
        r"zip\(..., strict=True\) with an iterator without end raises at its end; leave strict out",
        """
          s = 0
        - for a, b in zip(range(n), itertools.count(), strict=True):
        + for a, b in zip(range(n), itertools.count()):
              s += a * b
          return s
        """,
        same=False,
    ),
    "strict zip of one iterator": Row(
        r"zip\(..., strict=True\) over one iterator in several places is not staged; leave strict out",
        """
          s, it = 0, iter(range(2 * n))
        - for a, b in zip(it, it, strict=True):
        + for a, b in zip(it, it):
              s += a * b
          return s
        """,
    ),
    "strict zip of datasets": Row(
        r"zip\(..., strict=True\) over datasets is not staged",
        """
          s = 0
        - for a, b in zip(tf.data.Dataset.range(3), range(n), strict=True):
        + for a, b in zip(tf.data.Dataset.range(3), range(n)):
              s += a * b
          return s
        """,
        same=False,
    ),
    "zip of iterators of one": Row(
        r"several iterators that take their items from one another is not staged; go through one of them",
        """
          a = iter(range(n))
        - s = 0
        - for (i, v), w in zip(enumerate(a), a):
        -     s += i * v * w
        + s = i = 0
        + while i < n // 2:
        +     s += i * (2 * i) * (2 * i + 1)
        +     i += 1
          return s
        """,
    ),
    "strict zip in another": Row(
        r"as a part of another iterator is not staged; zip all at once",
        """
          s = 0
        - for (a, b), c in zip(zip(range(n), range(n), strict=True), range(n)):
        + for a, b, c in zip(range(n), range(n), range(n), strict=True):
              s += a * b * c
          return s
        """,
    ),
    "cycle of a list that changes": Row(
        r"itertools.cycle goes through is changed while it does; give it a copy, cycle\(list\(items\)\)",
        """
          items, s = [1, 2], 0
        - for v in itertools.cycle(items):
        + for v in itertools.cycle(list(items)):
              items[0] = 5
              s += v
              if s > n:
                  break
          return s
        """,
        same=False,
    ),
    "text of a list that is padded": Row(
        r"the text of a value of type 'list' depends on tensors in it, and is cut or padded \('%9s'\).*Format "
        r"the tensors",
        """
        - return "%9s" % [n]
        + return "%7s" % f"[{n}]"
        """,
        same=False,
    ),
    "pairs of a dataset": Row(
        r"zip over one iterator in several places is not staged; use dataset.batch for pairs",
        """
          s = tf.cast(n, tf.int64)
        - it = iter(tf.data.Dataset.range(4))
        - for a, b in zip(it, it):
        -     s += a * b
        + for pair in tf.data.Dataset.range(4).batch(2):
        +     s += pair[0] * pair[1]
          return s
        """,
        same=False,
    ),
    "iterator that its own loop takes from": Row(
        r"the generator '.*told' is gone through by a loop that is staged, and its body takes items from it, "
        r"too: make a list",
        """
          class Told:
              def __iter__(self):
                  i = 0
                  while i < 4:
                      yield i
                      i += 1

          def told():
              yield from Told()

          def f(n):
              total = i = 0
        -     items = told()
        -     for item in items:
        -         total += item * n
        +     items = list(told())
        +     while i < len(items):
        +         item = items[i]
        +         total += item * n
        +         i += 1
                  if item == 1:
        -             total += next(items, 50)
        +             total += items[i]
        +             i += 1
              return total
        """,
    ),
    "iterator that ends where a tensor says": Row(
        r"where 'Steps' ends depends on a tensor, and Python takes its items here.* Write `__iter__` as a generator",
        """
          class Steps:
              def __init__(self, n):
                  self.i, self.n = 0, n

              def __iter__(self):
        -         return self
        -
        -     def __next__(self):
        -         if self.i >= self.n:
        -             raise StopIteration
        -         self.i += 1
        -         return self.i
        +         while self.i < self.n:
        +             self.i += 1
        +             yield self.i

          def f(n):
              total = n * 0
              for item in Steps(n):
                  total += item
              return total
        """,
    ),
    "iterator of a class whose end is taken by `next`": Row(
        r"where 'Steps' ends depends on a tensor, .* or a `while` around `next\(iterator\)` in `try`",
        """
          class Steps:
              def __init__(self, n):
                  self.i, self.n = 0, n

              def __iter__(self):
                  return self

              def __next__(self):
                  if self.i >= self.n:
                      raise StopIteration
                  self.i += 1
                  return self.i

          def f(n):
              total = n * 0
              steps = Steps(n)
        -     for item in steps:
        -         total += item
        +     go_on = True
        +     while go_on:
        +         try:
        +             total += next(steps)
        +         except StopIteration:
        +             go_on = False
              return total
        """,
    ),
    "nditer that writes to a tensor": Row(
        r"np.nditer would write to a tensor.* give it an array \(a = np.zeros\(x.shape\); a\[...\] = x\)",
        """
        - a = x
        + a = np.zeros(2)
        + a[...] = x
          for v in np.nditer(a, op_flags=["readwrite"]):
              v[...] = v * 2
          return a
        """,
        [([1, 2],), ([3, 4],)],
        same=False,
        parameters="x",
    ),
    "nditer that writes through a buffer": Row(
        r"through a buffer of int64: leave `op_dtypes` out",
        """
          a = np.arange(4.0) + float(n)
        - for v in np.nditer(a, ["buffered"], [["readwrite"]], ["int64"], casting="unsafe"):
        + for v in np.nditer(a, ["buffered"], [["readwrite"]], casting="unsafe"):
              v[...] = v * 2
          return a
        """,
    ),
    "nditer that writes to one element in a chunk": Row(
        r"writes to one element many times at once: loop over np.ndindex\(a.shape\)",
        """
          a, b = np.arange(6.0).reshape(2, 3) + float(n), np.zeros(2)
        - flags, kinds = ["reduce_ok", "external_loop"], [["readonly"], ["readwrite"]]
        - for u, v in np.nditer([a, b], flags, kinds, op_axes=[[0, 1], [0, -1]]):
        -     v[...] += u
        + for i, j in np.ndindex(a.shape):
        +     b[i] += a[i, j]
          return b
        """,
        same=False,
    ),
    "nditer in chunks that are copies": Row(
        r"np.nditer with 'external_loop' has to copy elements.* loop over np.ndindex\(a.shape\)",
        """
          a, s = np.arange(12.0).reshape(4, 3)[:, :2] + float(n), 0.0
          a = a.T
          b = np.zeros((3, 4))[:2] + a
        - for v in np.nditer(b[:, ::2], ["external_loop", "buffered"], order="F"):
        -     s += np.sum(v)
        + for i, j in np.ndindex(b[:, ::2].shape):
        +     s += b[:, ::2][i, j]
          return s
        """,
    ),
}
