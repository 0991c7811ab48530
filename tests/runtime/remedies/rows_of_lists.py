"""What lists in lists, or in attributes, that the graph grows are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "element of a list in an attribute": Row(
        r"an array, list or object is an element of 'log.rows', .* has another name .* put a copy into the list",
        """
          class Log:
              def __init__(self):
                  self.rows, self.last = [], None

          log = Log()

          def f(n):
              row = [n]
              if n > 1:
        -         log.rows.append(row)
        +         log.rows.append(row.copy())
              log.last = row
              return n
        """,
    ),
    "list in an attribute that is read": Row(
        r"'log.rows' gets longer as a tensor decides, and is not only appended to .* Append to it alone",
        """
          class Log:
              first = [1]

              def __init__(self):
                  self.rows = [self.first]

          log = Log()

          def f(n):
              if n > 1:
                  log.rows.append([n])
        -     return n + log.rows[0][0]
        +     return n + log.first[0]
        """,
    ),
    "keys of several kinds in an attribute": Row(
        r"tensors are keys or members of the dict 'log.seen' .* Keep others in a dict or set of their own",
        """
          class Log:
              def __init__(self):
        -         self.seen = {"first": 1, 2: 3}
        +         self.seen = {2: 3}

          log = Log()

          def f(n):
              log.seen[n] = 1
              return n
        """,
    ),
    "a set that has lost members is gone through": Row(
        r"the set 'log.seen' is gone through .* has lost members .* Go through `sorted\(s\)`",
        """
          class Log:
              def __init__(self):
                  self.seen = {*range(100)}
                  self.seen -= {0, *range(2, 64), *range(65, 100)}

          log = Log()

          def f(n):
              log.seen.add(64 if n > 0 else 1)
              found = 0
        -     for number in log.seen:
        +     for number in sorted(log.seen):
                  found = found * 100 + number
              return found
        """,
    ),
    "a float beside keys that are ints": Row(
        r"a key or member of the dict 'log.seen' is of kind float .* others are of kind int.* Write `float\(key\)`",
        """
          class Log:
              def __init__(self):
                  self.seen = {2: 3}

          log = Log()

          def f(n):
        -     log.seen[n / 2] = 1
        +     log.seen[int(n / 2)] = 1
              return n
        """,
    ),
    "None in a list that grows": Row(
        r"got None. Keep a number that stands for None \(-1, nan\)",
        """
          items = []
          for _ in range(n):
        -     items.append(None)
        +     items.append(-1)
          return len(items)
        """,
    ),
    "tuple that grows": Row(
        r"must have the same nested structure",
        """
        - items = (0,)
        + items = [0]
          for i in range(n):
              if i > 1:
        -         items = (*items, i)
        +         items = [*items, i]
          return len(items)
        """,
    ),
    "row that was read": Row(
        r"where the graph has a copy of it. Change it where it is \(`rows\[i\].append\(x\)`\)",
        """
          rows = []
          for i in range(n + 1):
              rows.append([j for j in range(i)])
          row = rows.pop()
        + row = row[:]
          row.append(7)
          return len(row)
        """,
    ),
    "rows of lengths of their own": Row(
        r"lists of lengths of their own .* make no tensor. Go through them in a `for` statement",
        """
          rows = []
          for i in range(n):
              rows.append([j for j in range(i)])
        - return np.sum(rows)
        + total = 0
        + for row in rows:
        +     total += sum(row)
        + return total
        """,
        same=False,
    ),
    "row of rows that is changed": Row(
        r"is changed in place .at .*, and such a list has another name.* Give that a copy",
        """
          rows = []
          for i in range(n + 1):
              rows.append([j for j in range(i)])
        - longest = rows[0]
        + longest = rows[0][:]
          for i in range(n):
              if len(rows[i]) > len(longest):
        -         longest = rows[i]
        +         longest = rows[i][:]
          rows[-1].append(n)
          return len(longest)
        """,
        same=False,
    ),
    "method of a dict that grows": Row(
        r"the dict 'd' has no method 'fromkeys' here: .* Go through it in a `for` statement",
        """
          d = {}
          for i in range(n):
              d[i] = 1
        - return len(d.fromkeys(d)) + 1
        + k = 1
        + for _ in d:
        +     k += 1
        + return k
        """,
    ),
    "rows that are used where others move": Row(
        r"is used in a statement that depends on a tensor .* Read it in the statement \(`row = rows\[i\]`\)",
        """
          rows = [[j for j in range(i)] for i in range(n + 1)]
          total = 0
          for i in range(n):
        -     row = rows[0]
              if i > 0:
        +         row = rows[0]
                  total += len(row)
                  rows.pop()
          return total
        """,
    ),
    "lists of tuples": Row(
        r"of which the first one has shown too late what they are. Keep each part of the tuples in lists of its own",
        """
        - rows = []
        + rows, halves = [], []
          for i in range(n):
              rows.append([])
        +     halves.append([])
          for i in range(n):
        -     rows[i].append((1, i * 0.5))
        +     rows[i].append(1)
        +     halves[i].append(i * 0.5)
          return len(rows)
        """,
    ),
    "list in itself": Row(
        r"'items' depends on a tensor, .* got another such list. Keep one list of all items and the number of the row",
        """
        - items = [n]
        + items, rows = [n], [0]
          for i in range(n):
        -     items = [items, i]
        - return len(items)
        +     rows += [len(items)]
        +     items += [i]
        + return 2 if len(rows) > 1 else 1
        """,
    ),
    "array in two places of a list": Row(
        r"such an array has another name or is in another place, too .* Put copies into lists \(`rows.append\(row.copy",
        """
          rows, row = [], np.zeros(2)
          for i in range(n + 2):
        -     rows.append(row)
        +     rows.append(row.copy())
          rows[0][0] = 7
          return rows[-1][1]
        """,
    ),
    "array that was put into a list": Row(
        r"an array is read that was put into a list that grows .* put a copy into the list \(a.copy\(\)\)",
        """
          a, rows = np.zeros(2), []
        - rows.append(a)
        + rows.append(a.copy())
          for i in range(n):
              rows.append(np.ones(2))
          rows[0][0] = 7
          return a[1]
        """,
    ),
    "array that was read from a list": Row(
        r"an array that was read from a list that grows .* Write to a copy \(`row = rows\[i\].copy\(\)`\), and put",
        """
          a = np.ones((4, 2))
          rows = list(a[n % 2 :])
        - rows[0][0] = 7
        + row = rows[0].copy()
        + row[0] = 7
        + rows[0] = row
          return rows[0][1]
        """,
    ),
}
