"""What lists, dicts and sets of the graph are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "list that changes its length in a loop over it": Row(
        r"list of the variable 'items' .* but a loop around goes through it; go through a copy \(`items\[:\]`\)",
        """
          items = [1, 2, 3]
        - for item in items:
        + for item in items[:]:
              if item > n:
                  items.remove(item)
          return items
        """,
        same=False,
    ),
    "repeated tuple": Row(
        r"a tuple is repeated .* Repeat a list, as in `list\(t\) \* n`",
        """
        - t = (1, 2) * n
        + t = list((1, 2)) * n
          return len(t)
        """,
    ),
    "bools and numbers in one list": Row(
        r"some elements of a list .* are bools, and others are numbers .* Write numbers \(`int\(flag\)`\)",
        """
          items = [5]
          for i in range(n):
        -     items.append(True)
        +     items.append(int(True))
          return sum(items)
        """,
    ),
    "a number or bool in a list": Row(
        r"some elements of a list .* are bools, and others are numbers .* Write numbers \(`int\(flag\)`\)",
        """
          found, items = 5, [5]
          if n > 1:
              found = True
          for i in range(n):
        -     items.append(found)
        +     items.append(int(found))
          return sum(items)
        """,
    ),
    "tuples among numbers": Row(
        r"some elements of a list .* are int64\(\), and one is a tuple. Keep those in a list of their own",
        """
          items = [5]
        + pairs = []
          for i in range(n):
        -     items.append((i, 1))
        +     pairs.append((i, 1))
        - return len(items)
        + return len(items) + len(pairs)
        """,
    ),
    "members among numbers": Row(
        r"some elements of a list .* are members of Size, and others are none .* put in members alone \(`Size\(",
        """
          import enum

          class Size(enum.IntEnum):
              SMALL = 1
              LARGE = 2

          def f(n):
        -     items = [2]
        +     items = [Size(2)]
              for i in range(n):
                  items.append(Size.SMALL)
              return len(items)
        """,
    ),
    "elements with nothing in them": Row(
        r"an element of a list that grows in the graph is \(\), which holds nothing that a graph could keep",
        """
          items = []
          for _ in range(n):
        -     items.append(())
        +     items.append(0)
          return len(items)
        """,
    ),
    "key of several numbers": Row(
        r"a key of a dict, or a member of a set, is a tensor of several numbers",
        """
          s = set()
          for i in range(n):
        -     s.add(tf.stack([i, i]))
        +     s.add((i, i))
          return len(s)
        """,
        same=False,
    ),
    "objects that cannot be collected": Row(
        r"the list of the variable 'items' is changed inside a branch",
        """
        - items = [print]
        + items = [0]
          if n > 0:
        -     items.append(len)
        +     items.append(1)
          return len(items)
        """,
    ),
    "list of objects made anew": Row(
        r"length of the list 'items' depends on a tensor.*cannot be tensors of one kind",
        """
        - items = [print]
        + items = [0]
          for _ in range(n):
        -     items = items + [print]
        +     items = items + [0]
          return len(items)
        """,
    ),
    "list in a tuple that is changed and replaced": Row(
        r"'rows' is changed in place and bound to another object in the body of a loop.* Make a copy before the loop",
        """
          a = [1]
        - rows = (a, [0])
        + rows = (a.copy(), [0])
          for i in range(n):
              rows[0][0] += 1
              rows = ([i], [i])
          return a
        """,
        same=False,
    ),
    "method that was kept": Row(
        r"the list 'a' takes in elements of which only the run knows how many",
        """
          a = [n]
        - put = [a.append]
          a += [i for i in range(n)]
        - put[0](5)
        + a.append(5)
          return a
        """,
    ),
    "list that a loop goes through": Row(
        r"a loop around goes through it",
        """
          a = [n]
          found = []
          for row in [a, a]:
              if not found and n > 1:
        -         row.append(7)
        +         a = a + [7]
        -     found.append(len(row))
        +     found.append(len(a))
          return found
        """,
    ),
    "starred target of a list": Row(
        r"this one grows in the graph; name them by slices",
        """
        - first, *rest = [i for i in range(n + 1)]
        + items = [i for i in range(n + 1)]
        + first, rest = items[0], items[1:]
          return first + len(rest)
        """,
    ),
    "list that was replaced, and has another name": Row(
        r"a list or dict was replaced by another one in a branch, loop or `try` .*under a name of the old object",
        """
        - first = items = [1]
        + first = [1]
        + items = list(first)
          for i in range(n):
              items = items + [i]
          items.append(5)
          return first
        """,
        same=False,
    ),
    "dtype of what is stacked": Row(
        r"incompatible dtype; specified: float32, inferred from elements: int32",
        """
          x = tf.constant(1) + n
        - return tf.autograph.stack([x, x], tf.float32)
        + return tf.autograph.stack([x, x], tf.int32)
        """,
        same=False,
    ),
    "what cannot be stacked": Row(
        r"must be stackable when strict=True: a list of tensors or a tensor",
        """
          x = tf.constant(1) + n
        - return tf.autograph.stack(3)
        + return tf.autograph.stack([x, x])
        """,
        same=False,
    ),
    "set of tuples of several kinds": Row(
        r"their order is not known then. Go through `sorted\(s\)`",
        """
          s, total = set(), 0.0
          for i in range(n):
              s.add((i, i * 0.5))
        - for a, b in s:
        + for a, b in sorted(s):
              total += b
          return total
        """,
    ),
    "elements of which nothing is known": Row(
        r"cannot pop from a list without knowing its element type.* say it with runtime.autograph.set_element_type",
        """
          a = tf.autograph.tensor_list([])
        + tf.autograph.set_element_type(a, tf.int32, [])
          return a.pop() if n > 5 else 0
        """,
        same=False,
    ),
    "type of the elements": Row(
        r"'values' does not keep the type of its elements",
        """
          values = tf.autograph.tensor_list([tf.constant(1.5)])
          for i in range(n):
        -     values = tf.autograph.tensor_list([tf.constant(1)])
        +     values = tf.autograph.tensor_list([tf.constant(1.0)])
          return values[0]
        """,
        same=False,
    ),
    "list given to what is not converted": Row(
        r"'list.sort', which is not converted, takes no list that grows in the graph .* Write what it does as a loop",
        """
          a = [n - i for i in range(n)]
          if n > 1:
        -     list.sort(a)
        +     for j in range(1, len(a)):
        +         i = j
        +         while i > 0 and a[i - 1] > a[i]:
        +             a[i - 1], a[i] = a[i], a[i - 1]
        +             i -= 1
          return a
        """,
    ),
    "class of dicts with keys of the run": Row(
        r"put into an object of Table: .* derive the class from collections\.UserDict",
        """
        - class Table(dict):
        + class Table(collections.UserDict):
              pass

          def f(n):
              found = Table()
              for i in range(n):
                  found[i] = i * 2
              return len(found)
        """,
    ),
    "list that is added to an array": Row(
        r"a list that grows in the graph is added to an ndarray.* Write np.array\(the list\) \+ the array",
        """
          items = [i for i in range(n)]
        - return (items + np.array([1])).sum()
        + return (np.array(items) + np.array([1])).sum()
        """,
        given=(3, 1, 2),
    ),
    "text of a set": Row(
        r"the text of a set is made .* whose members are only known when the graph runs, .* write a list of them",
        """
          seen = set()
          for i in range(n):
              seen.add(i * 7 % 5)
        - return len(f"{seen}")
        + return len(f"{sorted(seen)}")
        """,
        given=(3, 1, 2),
    ),
}
