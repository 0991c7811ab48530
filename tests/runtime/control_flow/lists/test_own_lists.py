"""Lists that a plan holds as Python's and changes in place: where nobody else can tell, and only there."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.interpreter import run_graph
from runtime.engine.own_lists import own_lists
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.kernels.list_value import unboxed
from runtime.passes import optimize

ELEMENT = "{element_dtype=int32, element_shape=shape[]}"


def told(array: Any) -> Any:
    return [int(x) for x in unboxed(array)] if array.dtype.hasobject else array.tolist()


def agree(text: str, *given: int) -> int:
    """How many handles are the plan's own; it gives what the interpreter gives, twice."""
    graph = Graph.from_text(text)
    verify(graph)
    arrays = [np.asarray(x, np.int32) for x in given]
    wanted = [told(x) for x in run_graph(graph, arrays)]
    for program in (graph, optimize(graph, verified=True)):
        plan = compile_plan(program)
        for _ in range(2):
            assert [told(x) for x in plan.run(arrays)] == wanted, plan.source
    return len(own_lists(graph))


def straight(*lines: str, gives: str) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"""
graph main(%n: int32[]) -> ({gives}) {{
  %a = list_new(%n, %n) {ELEMENT} : variant[]
  %one = constant() {{value=array int32[] [1]}} : int32[]
{body}
}}
"""


PUSHED = f"%b = list_push(%a, %one) {ELEMENT} : variant[]"
STACKED = f"%s = list_stack(%b) {ELEMENT} : int32[?]"


@pytest.mark.parametrize(
    ("lines", "gives", "own"),
    [
        ((PUSHED, STACKED), "%s", True),
        ((PUSHED,), "%b", True),
        ((PUSHED, STACKED, f"%t = list_stack(%a) {ELEMENT} : int32[?]"), "%s, %t", False),
        ((PUSHED,), "%a, %b", False),
        ((PUSHED, f"%c = list_push(%a, %n) {ELEMENT} : variant[]"), "%b, %c", False),
        ((PUSHED, "%c = list_concat(%b, %b) : variant[]"), "%c", False),
        ((f"%t = list_stack(%a) {ELEMENT} : int32[?]", PUSHED, STACKED), "%s, %t", True),
        (("%z = list_length(%a) : int32[]", PUSHED, "%y = list_length(%b) : int32[]"), "%z, %y", True),
    ],
    ids=["read", "given", "read again", "given too", "twice", "to itself", "read before", "lengths"],
)
def test_a_list_is_the_plans_own_if_nothing_reads_it_later(lines: Any, gives: str, own: bool) -> None:
    assert bool(agree(straight(*lines, gives=gives), 5)) is own


LOOP = """
graph main(%n: int32[]) -> ({gives}) {{
  %zero = constant() {{value=array int32[] [0]}} : int32[]
  %a = list_new(%n) {element} : variant[]
  %b = list_new(%zero) {element} : variant[]
  %while = while(%zero, {operands}, %n) {{cond_graph=@test, body_graph=@body, maximum_iterations=None}} : {types}
}}
graph test(%i: int32[], %a: variant[], %b: variant[], %n: int32[]) -> (%less) {{
  %less = less(%i, %n) : bool[]
}}
graph body(%i: int32[], %a: variant[], %b: variant[], %n: int32[]) -> (%next, {ends}) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
  %next = add(%i, %one) : int32[]
  %c = list_push(%a, %i) {element} : variant[]
}}
"""


@pytest.mark.parametrize(
    ("operands", "types", "gives", "ends", "own"),
    [
        ("%a, %b", "variant[], variant[]", "%while:1, %while:2", "%c, %b", True),
        ("%a, %b", "variant[], variant[]", "%while:1, %while:2", "%b, %c", True),
        ("%a, %b", "variant[], variant[]", "%while:1, %while:2", "%c, %c", False),
        ("%a, %b", "variant[], variant[]", "%while:1, %while:2, %a", "%c, %b", False),
        ("%a, %a", "variant[], variant[]", "%while:1, %while:2", "%c, %b", False),
        ("%a, %b", "variant[]", "%while:1, %b", "%c", True),
        ("%a, %b", "variant[]", "%while:1", "%b", False),
    ],
    ids=["kept", "swapped", "one for two", "read later", "one under two names", "only read", "an invariant"],
)
@pytest.mark.parametrize("n", (0, 1, 5))
def test_loops(operands: str, types: str, gives: str, ends: str, own: bool, n: int) -> None:
    text = LOOP.format(operands=operands, types=f"int32[], {types}", gives=gives, ends=ends, element=ELEMENT)
    assert bool(agree(text, n)) is own


def test_what_a_loop_only_reads_is_not_changed_in_it() -> None:
    """Each turn would see what the turn before has made of it."""
    pushing = LOOP.replace("%c = list_push(%a, %i)", "%d = list_push(%b, %i)")
    text = pushing.format(operands="%b, %a", types="int32[], variant[]", gives="%while:1", ends="%d", element=ELEMENT)
    assert agree(text, 3) == 0


STEPS = {
    "push": ["{made} = list_push({list}, {n}) {kind} : variant[]"],
    "insert": ["{made} = list_insert({list}, {made}1, {n}) {kind} : variant[]"],
    "set": [
        "{made}p = list_push({list}, {n}) {kind} : variant[]",
        "{made} = list_set({made}p, {made}1, {made}2) {kind} : variant[]",
    ],
    "pop": [
        "{made}p = list_push({list}, {n}) {kind} : variant[]",
        "{made} = list_pop({made}p, {made}0) {kind} : variant[], int32[]",
    ],
    "read": ["{made}l = list_length({list}) : int32[]", "{made}n = add({made}l, {n}) : int32[]"],
    "slice": ["{made} = list_slice({list}, {made}2, {made}2, {made}0) {{has_start=False, has_stop=False}} : variant[]"],
    "rest": ["{made} = list_slice({list}, {made}2, {made}2, {made}2) {{has_start=True, has_stop=False}} : variant[]"],
    "concat": ["{made} = list_concat({list}, {other}) : variant[]"],
    "new": ["{made} = list_new({n}, {made}2) {kind} : variant[]"],
}
"""Steps of a random graph: %made0, %made1 and %made2 are -1, 0 and 1."""


class Random:
    """A random graph on handles of lists, in which old handles are read now and then."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.graphs: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%x{self.count}v"

    def text(self) -> str:
        start = [f"%a = list_new(%n) {ELEMENT} : variant[]", f"%b = list_new(%n, %n) {ELEMENT} : variant[]"]
        lines, handles, number = self.block(["%a", "%b"], 0)
        gives = [*handles, number]
        for handle in handles:
            gives.append(self.name())
            lines.append(f"{gives[-1]} = list_stack({handle}) {ELEMENT} : int32[?]")
        body = "\n".join(f"  {line}" for line in start + lines)
        return f"graph main(%n: int32[]) -> ({', '.join(gives)}) {{\n{body}\n}}\n" + "".join(self.graphs)

    def block(self, handles: list[str], depth: int) -> tuple[list[str], list[str], str]:
        """Operations on two lists; the handles that they have at the end, and a number."""
        rng, now, old, number = self.rng, [*handles], [*handles], "%n"
        lines: list[str] = []
        for _ in range(rng.randrange(1, 5)):
            place = rng.randrange(2)
            handle = rng.choice(old) if rng.random() < 0.05 else now[place]
            kind = rng.choice((*STEPS, "swap", "if", "while"))
            made = self.name()
            if kind == "swap":
                now.reverse()
            elif kind in STEPS:
                words = {"made": made, "list": handle, "other": now[1 - place], "n": number, "kind": ELEMENT}
                lines += [f"{made}{i} = constant() {{value=array int32[] [{i - 1}]}} : int32[]" for i in range(3)]
                lines += [line.format(**words) for line in STEPS[kind]]
                number = {"pop": f"{made}:1", "read": f"{made}n"}.get(kind, number)
                now[place] = made if kind != "read" else now[place]
            elif depth < 3:
                write = self.branch if kind == "if" else self.loop
                lines += write(made, now, number, depth, rng.choice(old))
                now = [f"{made}:1", f"{made}:2"]
                number = f"{made}:0"
            old += now
        return lines, now, number

    def graph(self, takes: str, handles: list[str], depth: int, loops: bool) -> str:
        name = f"g{self.name()[1:]}"
        lines, now, number = self.block(handles, depth + 1)
        if loops:
            lines += ["%step = constant() {value=array int32[] [1]} : int32[]", "%next = add(%i, %step) : int32[]"]
            number = "%next"
        body = "\n".join(f"  {line}" for line in lines)
        self.graphs.append(f"graph {name}({takes}) -> ({', '.join([number, *now])}) {{\n{body}\n}}\n")
        return name

    def branch(self, made: str, now: list[str], number: str, depth: int, kept: str) -> list[str]:
        takes = "%a: variant[], %b: variant[], %n: int32[]"
        one, two = (self.graph(takes, ["%a", "%b"], depth, False) for _ in range(2))
        graphs = f"{{then_graph=@{one}, else_graph=@{two}}}"
        return [
            f"{made}c = constant() {{value=array int32[] [{self.rng.randrange(4)}]}} : int32[]",
            f"{made}p = less({number}, {made}c) : bool[]",
            f"{made} = cond({made}p, {', '.join(now)}, {number}) {graphs} : int32[], variant[], variant[]",
        ]

    def loop(self, made: str, now: list[str], number: str, depth: int, kept: str) -> list[str]:
        takes = "%i: int32[], %a: variant[], %b: variant[], %kept: variant[], %n: int32[]"
        body = self.graph(takes, self.rng.choice((["%a", "%b"], ["%a", "%b"], ["%a", "%kept"])), depth, True)
        test = f"t{self.name()[1:]}"
        self.graphs.append(
            f"graph {test}({takes}) -> (%less) {{\n  %end = constant() {{value=array int32[] [2]}} : int32[]\n"
            "  %less = less(%i, %end) : bool[]\n}\n")  # fmt: skip
        graphs = f"{{cond_graph=@{test}, body_graph=@{body}, maximum_iterations=None}}"
        return [
            f"{made}z = constant() {{value=array int32[] [0]}} : int32[]",
            f"{made} = while({made}z, {', '.join([*now, kept, number])}) {graphs} : int32[], variant[], variant[]",
        ]


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_on_lists(seed: int) -> None:
    agree(Random(seed).text(), seed % 4)


def test_many_of_the_random_graphs_have_lists_of_the_plans_own() -> None:
    own = sum(bool(own_lists(Graph.from_text(Random(seed).text()))) for seed in range(40))
    assert 10 < own < 40


def counted(a: Any, n: Any) -> Any:
    found, places = [], []
    for i in range(n):
        if a[i] > 1:
            found.append(a[i])
            places.append(i)
        elif found:
            places[-1] += 1
            found.insert(0, found.pop())
    return np.array(found), np.array(places), len(found)


def shared(a: Any, n: Any) -> Any:
    """A copy of a list is a list of its own."""
    first = [a[0], a[1]]
    for i in range(n):
        first.append(a[i])
    second = first[:]
    for i in range(n):
        first.append(a[i])
        if i > 1:
            second[-1] = first[i]
    return np.array(first), np.array(second)


def rows(a: Any, n: Any) -> Any:
    """A list of each turn, and a list of rows that are arrays."""
    total, all_rows = 0, []
    for i in range(n):
        row = [a[0]]
        for j in range(i):
            row.append(a[j])
        total += len(row)
        if i > 2:
            all_rows.append(a[:2] + row[-1])
    return total, np.array(all_rows)


@pytest.mark.parametrize("program", [counted, shared, rows])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32, np.uint8])
def test_programs(program: Callable[..., Any], dtype: Any) -> None:
    a = (np.arange(70) * 7 % 5).astype(dtype)
    function = tf.function(program, backend="numpy")
    for n in (70, 5):
        for one, other in zip(function(a, tf.constant(n)), program(a, n), strict=True):
            np.testing.assert_array_equal(one, other)
            if isinstance(other, np.ndarray):
                assert np.asarray(one).dtype == other.dtype
    source = function.get_concrete_function(a, tf.constant(5)).plan.source
    assert ".append(" in source and ".push(" not in source


def test_two_empty_lists_are_two_lists() -> None:
    def pairs(a: Any) -> Any:
        one, other = [], []
        for x in a:
            if x > 1:
                one.append(x)
            else:
                other.append(x)
        return np.array(one), np.array(other)

    a = np.arange(70) % 4
    function = tf.function(pairs, backend="numpy")
    for given, wanted in zip(function(a), pairs(a), strict=True):
        np.testing.assert_array_equal(given, wanted)
    assert ".push(" not in function.get_concrete_function(a).plan.source


@pytest.mark.parametrize(("n", "words"), [(0, "list index out of range"), (1, "pop from empty"), (2, "assignment")])
def test_a_wrong_place_is_the_error_of_a_list(n: int, words: str) -> None:
    def wrong(a: Any, n: Any) -> Any:
        found = [a[0]]
        for x in a:
            if x > 0:
                found.append(x)
        if n == 0:
            return found[100]
        if n == 2:
            found[100] = a[0]
        while n == 1:
            found.pop()
        return np.array(found)

    a = np.arange(70) % 2
    function = tf.function(wrong, backend="numpy")
    with pytest.raises(IndexError, match=words) as caught:
        function(a, np.int64(n))
    assert "test_own_lists.py:" in caught.value.__notes__[0]
