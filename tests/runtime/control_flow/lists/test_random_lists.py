"""Random graphs over handles and arrays: the interpreter agrees with the plan, which reuses every buffer it may."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import TensorShape, float32
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.ops.lists import lists
from tests.one_in import one_in
from tests.runtime.oracle import assert_agrees

ROWS: dict[str, Any] = {"element_dtype": float32, "element_shape": TensorShape([2])}


KINDS = ("push", "push", "set", "get", "pop", "concat", "insert", "slice", "add", "multiply", "cond", "while")


class Author:
    """Writes a graph: some handles and some arrays, to which each step adds one."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)

    def step(self, handles: list[Any], arrays: list[Any], flag: Any, depth: int) -> None:
        pick, handle, array = self.choose.choice, self.choose.choice(handles), self.choose.choice(arrays)
        kind = pick(KINDS)
        if kind in ("push", "insert", "set"):
            before = {"push": (), "insert": (pick([-1, 0, 9]),), "set": (pick([0, -1]),)}[kind]
            grown = lists.list_push(handle, array, **ROWS) if kind == "set" else handle  # so that it is not empty
            handles.append(getattr(lists, f"list_{kind}")(grown, *before, array, **ROWS))
        elif kind == "get":
            arrays.append(lists.list_get(lists.list_push(handle, array, **ROWS), pick([0, -1]), **ROWS))
        elif kind == "pop":
            rest, element = lists.list_pop(lists.list_push(handle, array, **ROWS), pick([0, -1]), **ROWS)
            handles.append(rest)
            arrays.append(element)
        elif kind == "concat":
            handles.append(lists.list_concat(handle, pick(handles)))
        elif kind == "slice":
            handles.append(lists.list_slice(handle, 1, 0, pick([1, 2, -1]), has_stop=False))
        elif kind == "add":
            arrays.append(array + pick(arrays))
        elif kind == "multiply":
            arrays.append(array * 0.5)
        elif depth < 2:
            self.control(kind, handles, arrays, flag, depth)

    def control(self, kind: str, handles: list[Any], arrays: list[Any], flag: Any, depth: int) -> None:
        def part(given: list[Any]) -> list[Any]:
            inner_handles, inner_arrays = [*handles, *given[:2]], [*arrays, *given[2:]]
            for _ in range(4):
                self.step(inner_handles, inner_arrays, flag, depth + 1)
            return [*inner_handles[-2:], *inner_arrays[-2:]]

        start = [handles[-1], handles[0], arrays[-1], arrays[0]]
        if kind == "cond":
            made = runtime.cond(flag, lambda: part(start), lambda: part(start[:2] + start[:1:-1]))
        else:
            turns = self.choose.randrange(4)
            _, *made = runtime.while_loop(
                lambda i, *values: i < turns, lambda i, *values: [i + 1, *part(list(values))], [0, *start]
            )
        handles += made[:2]
        arrays += made[2:]

    def graph(self) -> Graph:
        graph = Graph("lists")
        x, flag = graph.placeholder(float32, [2], "x"), graph.placeholder(runtime.bool, [], "flag")
        with graph.as_default():
            handles, arrays = [lists.list_new([], **ROWS), lists.list_new([x, x * 2.0], **ROWS)], [x, x + 1.0]
            for _ in range(12):
                self.step(handles, arrays, flag, 0)
            stacked = [lists.list_stack(h, **ROWS) for h in handles]
            graph.outputs = [*stacked, *(runtime.identity(a) for a in arrays[2:])]
        return graph


@pytest.mark.parametrize("seed", one_in(2, range(30)))
def test_random_lists(seed: int) -> None:
    graph = Author(seed).graph()
    assert any(t.dtype is variant for o in graph.operations for t in o.outputs)
    for flag in (False, True):
        assert assert_agrees(graph, [np.array([1.5, -2.0], np.float32), np.array(flag)])
