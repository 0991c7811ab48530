"""Liveness and state: what a statement carries, where placeholders go, which reads are checked."""

from __future__ import annotations

from typing import Any

import gast
import pytest

from autograph.analysis.reader import read_units
from autograph.analysis.scopes import find_scopes
from autograph.analysis.state import Facts, State, find_state
from autograph.converters.jumps import lower_jumps
from autograph.naming import Namer
from autograph.syntax import children, parse_module


def analysed(text: str) -> tuple[Any, Facts]:
    node = parse_module(text, "text.py").body[0]
    scopes = find_scopes(node)
    jumps = lower_jumps(node, scopes, Namer(scopes.names), "ag__")
    return node, find_state(read_units(node, scopes, jumps).values())


def walk(node: Any) -> list[Any]:
    pending, found = [node], []
    while pending:
        current = pending.pop(0)
        found.append(current)
        pending += children(current)
    return found


def state_of(text: str, kind: type = gast.If) -> State:
    """The state of the first statement of a kind in the program."""
    node, facts = analysed(text)
    return facts.states[next(found for found in walk(node) if isinstance(found, kind))]


def checked(text: str) -> list[tuple[str, int]]:
    """Names and lines of the reads that are checked."""
    _, facts = analysed(text)
    return sorted((node.id, node.lineno) for node in facts.checked)


@pytest.mark.parametrize(
    ("program", "outputs", "inputs"),
    [
        ("def f(a):\n  if a:\n    y = 1\n  return y", ("y",), ()),
        ("def f(a):\n  y = 0\n  if a:\n    y = 1\n  return a", (), ()),
        ("def f(a, y):\n  if a:\n    y += 1\n    g(y)", (), ("y",)),
        ("def f(a):\n  if a:\n    y = 1\n  y = 2\n  return y", (), ()),
        ("def f(a, b):\n  if a:\n    z = 1\n    a = 2\n    g(b)\n  return a, z", ("a", "z"), ()),
        ("def f(a):\n  y = 0\n  g = lambda: y\n  if a:\n    y = 1\n  return g", ("y",), ()),
        ("def f(a):\n  y = 0\n  g = (y for _ in a)\n  if a:\n    y = 1\n  return g", ("y",), ()),
        ("def f(a):\n  y = 0\n  g = [y for _ in a]\n  if a:\n    y = 1\n  return g", (), ()),
        ("def f(a):\n  global y\n  if a:\n    y = 1", ("y",), ()),
        ("def f(a):\n  if a:\n    y = 1\n  try:\n    g()\n  except E:\n    g(y)", ("y",), ()),
        ("def f(a):\n  if a:\n    y = 1\n  for y in a:\n    pass\n  return 1", (), ()),
        ("def f(a):\n  if a:\n    y = 1\n  for y in a:\n    pass\n  return y", ("y",), ()),
        ("def f(a):\n  if a:\n    def y(): pass\n    import z\n  return y, z", ("y", "z"), ()),
        ("def f(a):\n  if a:\n    class y: pass\n  return y", ("y",), ()),
    ],
)
def test_names_that_an_if_carries(program: str, outputs: tuple[str, ...], inputs: tuple[str, ...]) -> None:
    state = state_of(program)
    flags = {"do_return", "retval_"}
    assert (tuple(name for name in state.outputs if name not in flags), state.inputs) == (outputs, inputs)


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("def f(a):\n  for i in a:\n    t = i\n    g(t)", ()),
        ("def f(a):\n  for i in a:\n    t = i\n  return t", ("t",)),
        ("def f(a):\n  for i in a:\n    g(t)\n    t = i", ("t",)),
        ("def f(a):\n  for i in a:\n    if i:\n      t = 1\n    g(t)", ("t",)),
        ("def f(a):\n  s = 0\n  for i in a:\n    for j in a:\n      s += j\n  return s", ("s",)),
        ("def f(a):\n  for i in a:\n    a = i\n", ()),
    ],
)
def test_names_that_a_loop_carries(program: str, names: tuple[str, ...]) -> None:
    state = state_of(program, gast.For)
    assert tuple(name for name in state.outputs + state.inputs if name not in ("do_return", "retval_")) == names


def test_a_with_that_may_swallow_makes_names_nonlocal_but_not_state() -> None:
    state = state_of("def f(a):\n  for i in a:\n    with c:\n      t = i\n    g(t)\n", gast.For)
    assert state.outputs == () and state.nonlocals == ("t",)


@pytest.mark.parametrize(
    ("assignment", "composites"),
    [
        ("o.v = 1", ("o.v",)),
        ("o.v.w += 1", ("o.v.w",)),
        ("o['k'] = o[0] = o[-1] = o[a] = 1", ("o['k']", "o[-1]", "o[0]", "o[a]")),
        ("del o.v", ("o.v",)),
        ("o, o.v = a", ()),
        ("g().v = 1", ()),
        ("o[1:2] = o[a + 1] = 1", ()),
        ("p = o\n    p.v = 1", ()),
        ("G.v = 1", ("G.v",)),
        ("for o.v in a: pass", ("o.v",)),
    ],
)
def test_attributes_and_elements_that_an_if_carries(assignment: str, composites: tuple[str, ...]) -> None:
    state = state_of(f"def f(a, o):\n  if a:\n    {assignment}\n")
    assert tuple(sorted(state.composites)) == composites


@pytest.mark.parametrize(
    ("program", "reads"),
    [
        ("def f(a):\n  if a:\n    y = 1\n  else:\n    y = 2\n  g(y)", []),
        ("def f(a):\n  if a:\n    y = 1\n  g(y)", [("y", 4)]),
        ("def f(a):\n  if a:\n    y = 1\n  else:\n    raise E\n  g(y)", []),
        ("def f(a):\n  for y in a:\n    g(y)\n  g(y)", [("y", 4)]),
        ("def f(a):\n  y = 0\n  for y in a:\n    g(y)\n  g(y)", []),
        ("def f(a):\n  y = 0\n  if a:\n    del y\n  g(y)", [("y", 5)]),
        ("def f(a):\n  while (y := g(a)):\n    g(y)\n  g(y)", []),
        ("def f(a):\n  try:\n    y = g()\n  except E:\n    pass\n  g(y)", [("y", 6)]),
        ("def f(a):\n  try:\n    y = g()\n  except E:\n    pass\n  if a:\n    g(y)", [("y", 7)]),
        ("def f(a):\n  if a:\n    y = 1\n  return lambda: y", [("y", 4)]),
        ("def f(a):\n  if a:\n    y = 1\n  y += 1\n  g(y)", [("y", 4)]),
        ("def f(a):\n  def h():\n    return a\n  del a\n  return h", [("a", 3)]),
    ],
)
def test_reads_that_are_checked(program: str, reads: list[tuple[str, int]]) -> None:
    assert checked(program) == reads


def test_placeholders_stand_before_the_statement_or_at_the_start_of_the_function() -> None:
    node, facts = analysed("def f(a):\n  if a:\n    y = 1\n  g(y)")
    assert facts.inits == {node.body[0]: ["y"]} and facts.starts == {}
    node, facts = analysed("def f(a):\n  try:\n    y = g()\n  except E:\n    pass\n  g(y)")
    assert facts.inits == {node.body[0]: ["y"]} and facts.starts == {}
    node, facts = analysed("def f(a):\n  try:\n    y = g()\n  except* E:\n    pass\n  if a:\n    g(y)")
    assert facts.inits == {} and facts.starts == {(node, "body"): ["y"]}


def test_a_name_of_a_block_is_a_local_of_its_body_and_gets_its_placeholder_there() -> None:
    node, facts = analysed("def f(a):\n  if a:\n    if g():\n      y = 1\n    else:\n      y = 2\n    g(y)\n")
    outer = node.body[0]
    assert facts.states[outer].nonlocals == ()
    assert facts.inits == {outer.body[0]: ["y"]}


def test_nested_loops_take_linear_time() -> None:
    depth = 60
    lines = [f"{'  ' * level}for i{level} in a:" for level in range(1, depth)]
    text = "def f(a):\n  s = 0\n" + "\n".join(lines) + f"\n{'  ' * depth}s += 1\n  return s\n"
    # Two walks for each loop around would be 2 ** 60.
    assert state_of(text, gast.For).outputs == ("s",)
