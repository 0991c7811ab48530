"""What arrays of numpy are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "view of what other code made": Row(
        r"which code without conversion made, is written to .* as np.array\(a\) does",
        """
          import pickle
        - v = pickle.loads(pickle.dumps({"a": np.zeros(2)}))["a"]
        + v = np.array(pickle.loads(pickle.dumps({"a": np.zeros(2)}))["a"])
          u = v.reshape(2, 1)
          u += n
          return v
        """,
        same=False,
    ),
    "view that turns": Row(
        r"'v' is another view of an array after each iteration.* bind a copy \(a\[::-1\].copy\(\)\)",
        """
          v = np.arange(4.0)
          for i in range(n):
        -     v = v[::-1]
        +     v = v[::-1].copy()
              v[0] = i
          return v
        """,
        same=False,
    ),
    "one of several arrays in a list that grows": Row(
        r"one of several arrays.* is an element of a list that grows.* Put a copy into the list",
        """
          v = np.zeros(3)
          rows = []
          for i in range(n):
              if i % 2 == 0:
                  v = np.zeros(3)
        -     rows.append(v)
        +     rows.append(v.copy())
          rows[0][0] = 7.0
          return [row[0] for row in rows]
        """,
        (3, 1, 2),
        same=False,
    ),
    "view in a tuple": Row(
        r"'b' is one of several arrays in a loop.*of which the graph has a copy.* bind copies \(array.copy\(\)\)",
        """
          a = np.arange(4.0)
          b, s = (a[1:],), a[0] * 0
        + b = (a[1:].copy(),)
          for _ in range(n):
              a[1] += 1
              s += b[0][0]
              b = (np.append(b[0], 1.0),)
          return s
        """,
        same=False,
    ),
    "array of another shape": Row(
        r"copies|copy",
        """
          a = np.arange(5.0)
          m = a
          for i in range(n):
              for j in range(n):
        -         m = a[i % 2 :]
        +         m = a[i % 2 :].copy()
                  m[0] += j
        - m[0] = 1.0
          return a.sum()
        """,
        same=False,
    ),
    "write in a function given to map_fn": Row(
        r"'TABLE' is written to in a function that is given to cond.* or write to the array in an `if` or `for` "
        r"statement",
        """
          TABLE = np.zeros(3)

          def f(n):
        -     def put(i):
        -         TABLE[0] += 1.0
        -         return i
        -     tf.map_fn(put, tf.range(n))
        +     for i in range(n):
        +         TABLE[0] += 1.0
              return n
        """,
        same=False,
    ),
    "tensor that a helper writes to": Row(
        r"a tensor is written to in a function that was called with it .* Return it \(`x = f\(x\)`\)",
        """
          def put(x):
              x[0] = 7
        +     return x

          def f(v):
        -     put(v)
        +     v = put(v)
              return v[0] + v[1]
        """,
        given=([1, 2], [3, 4]),
        same=False,
    ),
    "windows that meet": Row(
        r"elements of a view that lie at the same place are written to at once.* or to the array itself",
        """
          a = np.arange(4.0)
          w = np.lib.stride_tricks.as_strided(a, (3, 2), (8, 8))
        - w[n % 3, 0] = 5.0
        + a[n % 3] = 5.0
          return w * 1
        """,
    ),
    "strides outside of the array": Row(
        r"as_strided would reach memory outside of the array",
        """
          a = np.arange(4.0)
          a[0] = n
        - w = np.lib.stride_tricks.as_strided(a, (9,), (8,))
        + w = np.lib.stride_tricks.as_strided(a, (4,), (8,))
          return w * 1
        """,
        same=False,
    ),
    "strides between elements": Row(
        r"as_strided with strides of \(4,\) bytes: an element of float64 has 8",
        """
          a = np.arange(4.0)
          a[0] = n
        - w = np.lib.stride_tricks.as_strided(a, (2,), (4,))
        + w = np.lib.stride_tricks.as_strided(a, (2,), (8,))
          return w * 1
        """,
        same=False,
    ),
    "array of text": Row(
        r"the array 'NAMES' .of dtype <U2. is written to, and is no memory of a graph: keep what is in it in a list",
        """
        - NAMES = np.array(["aa", "bb"])
        + NAMES = ["aa", "bb"]

          def f(n):
              if n > 1:
                  NAMES[0] = "zz"
              return n
        """,
    ),
    "structured array": Row(
        r"the array 'PAIRS' .* is written to, and is no memory of a graph: keep what is in it in a list",
        """
        - PAIRS = np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
        + PAIRS = [[1, 2.0]]

          def f(n):
              if n > 1:
        -         PAIRS["a"][0] = 5
        +         PAIRS[0][0] = 5
              return n
        """,
    ),
    "array in an array of objects": Row(
        r"the array 'OBJECTS.flat\[0\]' is written to .* or keep it in a global, an attribute, a list or a dict",
        """
        - OBJECTS = np.array([np.zeros(2), None], object)
        + OBJECTS = [np.zeros(2), None]

          def f(n):
              OBJECTS[0][0] = n
              return n
        """,
    ),
    "ravel of a part that the run knows": Row(
        r"np.ravel of an array of which only the run knows the strides .*write a\.copy\(\)",
        """
          a = np.arange(12.0).reshape(3, 4)
        - part = a[n % 2 :, 1:].ravel()
        + part = a[n % 2 :, 1:].copy().ravel()
          part[0] = 7.0
          return a.sum()
        """,
    ),
    "strides of a part": Row(
        r"as_strided needs to know where the elements lie: pass an array in C order of a known shape",
        """
          a = np.arange(4.0)
          a[n % 3] = 1
        - w = np.lib.stride_tricks.as_strided(a[n % 2 :], (1,), (8,))
        + w = np.lib.stride_tricks.as_strided(np.ascontiguousarray(a[1:]), (1,), (8,))
          return w.sum()
        """,
        same=False,
    ),
    "split of a part": Row(
        r"np.split needs to know the shape .* give it a copy in a shape of Python's numbers, a.reshape\(3, "
        r"4\).copy\(\)",
        """
          a = np.arange(16.0).reshape(4, 4)
          a[0, 0] = n
          i = n % 2
          b = a[i : i + 3]
        + b = b.reshape(3, 4).copy()
          return np.split(b, 3)[1].sum()
        """,
    ),
    "attribute of an array": Row(
        r"a.tofile of an array that a graph works on has no operation",
        """
          a = np.arange(3.0)
          a[0] = n
        - a.tofile("/dev/null")
          return a
        """,
    ),
    "large array": Row(
        r"the array 'BIG', which has 3000000 elements, is written to while the function is traced: pass it as "
        r"an argument",
        """
          BIG = np.zeros(3_000_000)

        - def f(n):
        -     BIG[0] = 1
        + def write(BIG):
        +     BIG[0] = 1
        +
        + STAGED = tf.function(write)
        +
        + def f(n):
        +     if tf.executing_eagerly():
        +         STAGED(BIG)
              return n
        """,
        same=False,
    ),
    "buffer on some ways only": Row(
        r"binds a variable to 'm', a memoryview, or to another value: write np.asarray\(...\) before the statement",
        """
        + m, k = np.asarray(m), np.asarray(k)
          if n > 1:
              s = m
          else:
              s = k
          return s[0] * 1
        """,
        given=((memoryview(b"ab"), memoryview(b"cd"), 3), (memoryview(b"ab"), memoryview(b"cd"), 0)),
        parameters="m, k, n",
    ),
    "text array of which a part was taken": Row(
        r"an array of <U1 is written to after a part of it was taken .* keep what is in it in a list",
        """
        - names = np.array(["a", "b", "c"])
        + names = ["a", "b", "c"]
          part = names[n:]
          names[2] = "z"
          return len(part)
        """,
    ),
    "ravel that is read after a write": Row(
        r"np.ravel of an array of which only the run knows the strides .*write a\.copy\(\)",
        """
          a = np.ones((3, 4))
        - part = a[n:, n:].ravel()
        + part = a[n:, n:].copy().ravel()
          a[2, 2] = 7.0
          return part.sum()
        """,
        given=(1, 0, 2),
        same=False,
    ),
    "strides of a row that the run knows": Row(
        r"as_strided needs to know where the elements lie: pass an array in C order of a known shape",
        """
          a = np.arange(6.0).reshape(2, 3)
          a[0, 0] = n
        - w = np.lib.stride_tricks.as_strided(a[n % 2], (2,), (8,))
        + w = np.lib.stride_tricks.as_strided(a[n % 2].copy(), (2,), (8,))
          return w.sum()
        """,
    ),
    "array that is made elsewhere and given to a Function": Row(
        r"inner\(\) writes to 'a', an array of numpy that the function around it takes from elsewhere: pass it "
        r".* or a copy",
        """
          @tf.function
          def inner(a):
              a[0] = 5.0
              return a[0]

          @tf.autograph.do_not_convert
          def made():
              a = np.zeros(2)
        -     return inner(a)
        +     return a

          def f(n):
        -     return made()
        +     return inner(made())
        """,
        same=False,
    ),
    "tensor of an outer function": Row(
        r"'x' cannot be assigned here. Assign the tensor to a local variable first",
        """
          def f(n):
              x = tf.stack([n, n])

              def put():
        -         x[0] = 7
        -         return x
        +         y = x
        +         y[0] = 7
        +         return y

              return put()[0]
        """,
        answers=(7,) * 4,
    ),
    "texts that a loop makes an array of": Row(
        r"TABLE\['a'\].* is left with an array of texts .* bind arrays that are there before the function is called",
        """
          TABLE = {"a": np.array(["one", "two"]), "b": np.array(["three", "four"])}

          def f(n):
              best = TABLE["a"]
              for i in range(n):
        -         best = np.array(["three", "four"])
        +         best = TABLE["b"]
              TABLE["a"] = best
              return n
        """,
    ),
}
