"""Functions that the behaviour tests convert: a plain module, so that pytest does not rewrite their code.

Example: `to_graph(programs.counter_pair)` in test_behaviour.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any


def counter_pair() -> tuple[Callable[[int], int], Callable[[], int]]:
    """Two closures over one variable."""
    count = 0

    def bump(by: int) -> int:
        nonlocal count
        if by > 0:
            count += by
        return count

    def read() -> int:
        return count

    return bump, read


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def signature(a, /, b: int = 2, *rest: int, c: str, d: float = 4.0, **more: Any) -> list:
    """Doc of signature."""
    if b:
        return [a, b, rest, c, d, more]
    return []


def collect(item, seen=[]):
    if item is not None:
        seen.append(item)
    return seen


def keyword_collect(*, item, seen={}):
    if item is not None:
        seen[item] = len(seen)
    return seen


def numbers(n):
    for i in range(n):
        yield i


async def waits(x):
    return x


def uses_generator(n):
    total = 0
    for i in numbers(n):
        if i == 3:
            break
        total += i
    return total


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if args:
            return ["logged", function(*args, **kwargs)]
        return ["no arguments", function()]

    return wrapper


@logged
def decorated(x=1):
    if x > 0:
        return x
    return -x


def raises_deep(x):
    total = 0
    for i in range(3):
        if i == x:
            while True:
                total += 1
                if total > 2:
                    raise_it(
                        i,
                        total,
                    )
    return total


def raise_it(i, total):
    if total > 0:
        try:
            return [][i]
        except IndexError as error:
            raise KeyError(total) from error


def divides(a, b):
    x = 1

    if a:
        x = (
            a
            // b
        )
    return x


def sees_globals():
    if globals()["__name__"]:
        return globals()["__name__"]


def evaluates(x):
    y = 2
    if x:
        y = x
    return eval("x + y"), eval("y", {"y": 5})


def sees_locals(x):
    y = 2
    if x:
        y = 3
    return sorted(locals())


def leaves_iterator(iterator):
    for item in iterator:
        if item == 2:
            break
    return list(iterator)


def stops_inside(iterator):
    out = []
    for item in [1, 2, 3]:
        out.append(next(iterator))
    return out


def grows(items):
    for item in items:
        if len(items) < 6:
            items.append(item * 10)
    return items


def order_of_evaluation(note):
    table = {}
    table[note("key")], note("object").__dict__["x"] = note("left"), note("right")
    note("f")(note("a"), *note([1]), k=note("k"), **note({"m": 1})) if note(callable) is None else None
    return note(1) + note(2) * note(3) < note(4) <= note(5) < note(0) < note(6)


def inner_generator(n):
    def squares():
        for i in range(n):
            if i % 2:
                yield i * i

    total = 0
    for value in squares():
        total += value
    return total, list(squares())


def finally_after_return(x, out):
    for i in range(3):
        try:
            if i == x:
                return "from try"
            out.append(i)
        finally:
            if x == 1:
                out.append("finally")
    return out


def handles_anything(x):
    try:
        try:
            10 // x
        except ZeroDivisionError as error:
            raise KeyError(x) from error
        except:
            x = 1
        return x
    except:
        pass
    return "handled"


def reraises(x):
    try:
        if x:
            raise ValueError(x)
    except ValueError:
        if x > 1:
            raise
        return "handled"
    finally:
        x = 0
    return "none"


def unbound_local(x):
    if x:
        value = 1
    return value


def unbound_free(x):
    def read():
        return value

    if x:
        value = 1
    return read()


def unbound_after_del(x):
    value = 1
    if x:
        del value
    return value


def unbound_global():
    return name_that_is_nowhere  # noqa: F821


def late_binding(n):
    thunks = []
    for i in range(n):
        if i >= 0:
            thunks.append(lambda: i)
    return [thunk() for thunk in thunks]


def lines_of_everything(x, items):
    total = 0
    if x > 2:
        total += 1
    elif x > 1:
        total += 2
    else:
        total += 3
    while total < 6:
        total += 2
        if total == 5:
            continue
        total += 0
    else:
        total += 1
    for item in items:
        try:
            if item == 0:
                break
            total += 10 // (item - 1)
        except ZeroDivisionError:
            total -= 1
        finally:
            total += 0
    else:
        total += 100
    with_lambda = lambda y: y + 1
    if (total and x) or items:
        return with_lambda(
            total
        )
    return 0


def else_of_try(x):
    total = 0
    items = [1, 2]
    try:
        if x > 1:
            return 0
        total = 10 // x
    except ZeroDivisionError:
        return 1
    else:
        items[1] += 1
    for _ in range(x):
        total += 2
    else:
        total += 3
    if x:
        total += 4
    return total


def else_without_effect(x):
    for _ in (1, 2):
        if x > 5:
            break
        continue
    if x > 5:
        x = 0
    return x


def chain_of_calls(items):
    return sorted([*items], key=lambda item: -item if item > 1 else item)[0:2]


def partial_target(a, b, c=3):
    if a > b:
        return a, b, c
    return c, b, a


partial_call = functools.partial(partial_target, 5, c=9)


def iterates(n) -> Iterator[int]:
    if n:
        return iter(range(n))
    return iter(())


def format_with_control_flow(x):
    return f"{x if x > 0 else -x:>{abs(x) + 1}} {'yes' if x and not x > 5 else 'no'!r} {{literal}} {x=}\t"
