"""What a call costs more in converted code: `ag__.converted_call` of a function that is converted already.

Two loops make the same calls, one in plain Python and one converted; an empty loop of each is taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import autograph
from autograph.operators.as_written import converted_statements
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


def one(x: int) -> int:
    return x


class Holder:
    def method(self, x: int) -> int:
        return x


HOLDER = Holder()


def call_function(count: range) -> None:
    for i in count:
        one(i)


def call_method(count: range) -> None:
    for i in count:
        HOLDER.method(i)


def call_builtin(count: range) -> None:
    for i in count:
        abs(i)


def call_nothing(count: range) -> None:
    for _ in count:
        pass


def per_call(caller: Callable[[range], None], scale: Scale) -> tuple[float, float]:
    """Seconds of one call made by `caller`: in plain Python, and converted."""
    count = range(scale.loops)
    versions = [caller, autograph.to_graph(caller), call_nothing, autograph.to_graph(call_nothing)]
    with converted_statements():
        for version in versions:
            version(count)  # the first call converts the callee
        plain, made, plain_loop, made_loop = best_of_each(
            [lambda version=version: version(count) for version in versions], 9 * scale.repeats
        )
    return (plain - plain_loop) / scale.loops, (made - made_loop) / scale.loops


def rows(scale: Scale) -> Iterator[Row]:
    for name, caller, target in (
        ("a converted function", call_function, 2e-6),
        ("a converted method", call_method, 2e-6),
        ("a builtin", call_builtin, None),
    ):
        plain, made = per_call(caller, scale)
        yield Row(f"call of {name}, over the plain call", made - plain, "s", target, plain, "plain call")
