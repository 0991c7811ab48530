"""Graphs to be drawn: of a program with a loop and a branch, of names that mean something where they are written."""

import runtime as tf
from runtime.graph.graph import Graph

HOSTILE = (
    '"];a-->b', "<script>alert(1)</script>", "]]></svg>&amp;", "a\x00b\u202e\ud800", "back\\slash\\", "1. list", "end",
    "`x`", "#quot;", "%%{init}%%", "n0 -> n1;", "}",
)  # fmt: skip


@tf.function
def steps(n, x):
    count = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    tf.print("count", count)
    tf.print("n", n)
    return count, x * 2.0


def steps_trace():
    return steps.get_concrete_function(tf.TensorSpec([], tf.int32), tf.TensorSpec([2, None], tf.float32))


def hostile() -> Graph:
    """A sum of inputs with such names."""
    graph = Graph('gr"a<p>h\\')
    with graph.as_default():
        total = None
        for name in HOSTILE:
            given = graph.placeholder(tf.float32, [], name)
            total = given if total is None else tf.add(total, given, name=name)
        graph.outputs = [total]
    return graph


def chain(length: int) -> Graph:
    """One operation after the other."""
    graph = Graph("chain")
    with graph.as_default():
        x = graph.placeholder(tf.float32, [], "x")
        for _ in range(length):
            x = tf.sin(x)
        graph.outputs = [x]
    return graph


def nest(depth: int) -> Graph:
    """A branch in a branch, so many times."""
    graph = Graph("nest")
    with graph.as_default():
        x = graph.placeholder(tf.float32, [], "x")

        def branch(level):
            return lambda: x + 1.0 if not level else tf.cond(x > 0.0, branch(level - 1), lambda: x)

        graph.outputs = [branch(depth)()]
    return graph
