"""What handlers and managers around staged code are refused for, with the remedies."""

from __future__ import annotations

from typing import Final

from tests.runtime.remedies.row import Row

__all__ = ["ROWS"]

ROWS: Final[dict[str, Row]] = {
    "list at the exception": Row(
        r"'v' is read after a `try` whose handler does not assign it.*assign it in the handler",
        """
          v = [0]
          try:
              v = [1]
              k = 10 // n
              v = [1, 2]
          except ZeroDivisionError:
              k = 0
        +     v = [1]
          return len(v) + k
        """,
    ),
    "groups of exceptions": Row(
        r"a `try` with `except\*` around staged code .* Write `except` in the place of `except\*`",
        """
          try:
              n = 10 // n
        - except* ZeroDivisionError:
        + except ZeroDivisionError:
              n = n - 1
          return n
        """,
    ),
    "row that a try changes": Row(
        r"'rows' is changed in place inside the body of a `try` around staged code",
        """
          rows = [[1], [2]]
          try:
        -     rows[0] = [n]
              if n > 1:
                  raise ValueError("large")
          except ValueError:
              n = -n
        + rows[0] = [n]
          return rows[0][0] + n
        """,
        same=False,
    ),
    "class of an exception": Row(
        r"it may be any of ValueError, KeyError. Its class cannot be asked for .* or write a handler for each class",
        """
          try:
              if n > 2:
                  raise ValueError("large")
              if n < 1:
                  raise KeyError("small")
        - except Exception:
        -     return sys.exc_info()[0] is ValueError
        + except ValueError:
        +     return True
        + except KeyError:
        +     return False
          return False
        """,
    ),
    "class below another one": Row(
        r"raises DivisionByZeroError, which is a class below .*ask issubclass|isinstance",
        """
          try:
              n = 10 // n
          except Exception as error:
        -     return type(error) is ZeroDivisionError
        +     return isinstance(error, ZeroDivisionError)
          return False
        """,
    ),
    "exception in a loop over a generator": Row(
        r"an exception may come when the graph runs \(from the operation 'floordiv'",
        """
          def closing(k):
        -     try:
        -         for i in range(k):
        -             yield i
        -     finally:
        -         k = 0
        +     for i in range(k):
        +         yield i

          total = 0
          for k in closing(3):
              total += k // (n + 1)
          return total
        """,
    ),
    "generator that is left": Row(
        r"the loop over the generator '.*closing' is left depending on a tensor, but it runs as plain Python",
        """
          def closing(k):
        -     try:
        -         for i in range(k):
        -             yield i
        -     finally:
        -         k = 0
        +     for i in range(k):
        +         yield i

          for k in closing(3):
              if k > n:
                  return k
          return n
        """,
    ),
    "items that are made with an effect": Row(
        r"the loop over what runs '.*shown' is left depending on a tensor, but its items are made by plain Python",
        """
          def shown(k):
              tf.print("", end="")
              return k

        - for k in map(shown, [2, 4, 6]):
        + for v in [2, 4, 6]:
        +     k = shown(v)
              if k > n:
                  break
          return k
        """,
    ),
    "stack of managers": Row(
        r"an ExitStack calls what it holds only once, but an exception that comes when the graph runs",
        """
        - with contextlib.ExitStack() as managers:
        -     managers.enter_context(contextlib.suppress(ValueError))
        + with contextlib.suppress(ValueError):
              if n > 1:
                  raise ValueError("large")
          return n
        """,
    ),
    "exception that is changed": Row(
        r"the exception \(ValueError\) that comes when the graph runs is changed in its handler.* raise a new "
        r"exception",
        """
          try:
              if n > 5:
                  raise ValueError("large")
          except ValueError as error:
        -     error.add_note("too large for this")
        -     raise
        +     raise ValueError("large, too large for this") from error
          return n
        """,
    ),
    "manager with the name of another": Row(
        r"has the name of one that lets exceptions pass, but is code of yours: in a staged function give it "
        r"another name",
        """
        - class GradientTape:
        + class Tape:
              def __enter__(self):
                  return self

              def __exit__(self, *exc):
                  return False

          def f(n):
        -     with GradientTape():
        +     with Tape():
                  if n > 5:
                      raise ValueError("large")
              return n
        """,
    ),
    "handler around a refusal": Row(
        r"'f' caught an exception that left a staged part of it.* let the exception pass, or test the condition before",
        """
        - try:
        -     for i in range(n):
        -         n = n + "text"
        - except TypeError:
        -     n = -1
        + if n > 0:
        +     n = -1
          return n
        """,
        same=False,
    ),
    "refusals that are handled": Row(
        r"a `try` with `except\*` does not handle what staging refuses: do what that error says",
        """
          k = n - 1
          try:
        -     k = len(float.hex(k))
        +     k = k + 1
          except* Exception:
              k = 0
          return k
        """,
        same=False,
    ),
    "getattr with a default and a method that raises": Row(
        r"a method that 'getattr' calls raises AttributeError in some runs .* Write what it does in the program",
        """
          class Lazy:
              def __init__(self, held):
                  self.held = held

              def __getattr__(self, name):
                  if self.held > 1:
                      raise AttributeError(name)
                  return self.held

          def f(n):
              lazy = Lazy(n)
        -     return getattr(lazy, "value", 7)
        +     try:
        +         return lazy.value
        +     except AttributeError:
        +         return 7
        """,
    ),
}
