"""How long the first call of a Function takes: tracing its Python code, the passes, and the code of the plan."""

from __future__ import annotations

from collections.abc import Iterator

import runtime
from benchmarks.measure import Row, Scale, processor_seconds
from benchmarks.programs import module, straight_line

__all__ = ["rows"]


def first_calls(cases: list[tuple[int, bool]], rounds: int) -> list[float]:
    """For each case (number of operations, converted by autograph?) the time of the first call of a new Function."""
    argument = runtime.constant([1.0, 2.0])
    least = [float("inf")] * len(cases)
    for _ in range(rounds):
        for index, (operations, converted) in enumerate(cases):
            with module(straight_line(operations)) as fresh:
                function = runtime.function(fresh(), autograph=converted)
                call = lambda function=function: function(argument, argument)
                least[index] = min(least[index], processor_seconds(call))
    return least


class Node:
    def __init__(self, weight: float) -> None:
        self.weight = weight


class Model:
    """Nodes that staged code can reach and leaves alone."""

    def __init__(self, count: int) -> None:
        self.nodes = [Node(0.5) for _ in range(count)]
        self.total = 0.0


def many_statements(statements: int, objects: int, rounds: int) -> tuple[float, float]:
    """The time of a trace with so many `if`s, over so many objects that each can reach, and over one object."""
    source = "def f(x):\n" + "    if x > 0.0:\n        x = x * model.nodes[0].weight\n" * statements + "    return x\n"
    argument = runtime.constant(1.0)
    least = [float("inf")] * 2
    with module(source) as fresh:
        for _ in range(rounds):
            for index, count in enumerate((objects, 1)):
                function = fresh()
                function.__globals__["model"] = Model(count)
                staged = runtime.function(function)
                trace = lambda staged=staged: staged.get_concrete_function(argument)
                least[index] = min(least[index], processor_seconds(trace))
    return least[0], least[1]


def rows(scale: Scale) -> Iterator[Row]:
    count = scale.of(1000)
    once, converted, twice = first_calls([(count, False), (count, True), (2 * count, False)], scale.repeats)
    yield Row(f"trace + plan of {count:,} operations in a straight line", once, "s", target=0.120)
    yield Row(f"the same with the conversion of its {count:,} lines", converted, "s")
    statements, objects = scale.of(300), scale.of(1000)
    over_many, over_one = many_statements(statements, objects, scale.repeats)
    name = f"{statements:,} ifs that reach {objects:,} objects, over the same that reach one"
    yield Row(name, over_many / over_one, "times", target=2.5)
    yield Row(f"{2 * count:,} operations over {count:,}", twice / once, "times")
