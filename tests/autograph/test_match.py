"""match against Python's own: which case is taken, what is bound, in which order everything is looked at, errors."""

from __future__ import annotations

import collections.abc
from typing import Any

import pytest

import autograph
from autograph.operators import pattern
from autograph.operators.patterns import SequencePattern
from tests.autograph.comparing import assert_same, code, module, outcome
from tests.autograph.matched import CLASSES
from tests.autograph.recording_stager import RecordingStager
from tests.one_in import one_in

SUBJECTS = """
0
1
2
-1
1.5
1j
True
False
None
'a'
'ab'
b'ab'
bytearray(b'ab')
()
(0,)
[0, 1]
(1, 0)
[0, 0]
[1, 2, 3]
[[0, 1], 2]
[1, [2, [3, 4]]]
{}
{'a': 1}
{'a': 0, 'b': 2}
{'b': 2, 1: 3}
Table(a=0, b=1)
Row(0, 1)
Row(0, 1, 2)
Liar(0, 1, 2)
Liar(0)
Point(0, 1)
Point(1, 1)
Point(Seen('s', 0), Seen('t', 2))
[Point(0, 0), 1]
Bare()
7
Seen('s', 0)
(Seen('s', 1), Seen('t', 2))
Color.RED
Twice()
range(2)
{1, 2}
"""

CASES = """
0
-1
1.5
1+2j
'a'
b'ab'
None
True
False
x
_
0 | 1
0 | 1 | _
None | False | 'a'
0 as x
0 | 1 as x
(1 | 2) as x
x if probe(x) == 1
x if (y := probe(x)) == 1
0 | 1 if probe('guard')
0 as x if probe(x)
Color.RED
names.zero
names.zero | Color.BLUE
[]
[x]
[0, x]
[x, y]
(x, 0)
[_, _]
[*x]
[*_]
[0, *_]
[0, *x]
[*x, 0]
[x, *_, y]
[x, *y, 0]
[_, x, *_]
[[x, y], _]
[x, [y, [z, *w]]]
[x, y] if probe(x, y)
[x, y] if (x := probe(y))
[0, x] | [x, 0]
[0, x] | [x, 0] as y
[(0 | 1) as x, y]
[x, y] as z
[1 | 2 as x, 2 as y]
{}
{'a': x}
{'a': 0, 'b': x}
{'a': 0, **x}
{**x}
{'a': 0 | 1 as x, **y}
{'b': _, 1: x}
{Color.RED: x}
{'a': x, names.zero: y}
{1: x, names.one: y}
int()
int(x)
str(x) | bytes(x)
bool() | float()
int(0) | float()
dict()
list([x, y])
Point()
Point(0)
Point(0, x)
Point(x=0, y=y)
Point(x, y=1)
Point(x=x) if probe(x)
Point(0, 1) | Point(1, 1)
Point(x, y, z)
Point(x, x=y)
Bare()
Bare(x)
Bare(missing=x)
int(x, y)
WrongArgs()
WrongArgs(x)
NumberArgs(x)
Twice(x, y)
Seven()
names.zero()
missing()
missing.name
[Point(x=x), y]
[Point(0, _) as x, 1 | 2]
"""

PROGRAM = """
def f(subject):
    x = y = z = w = 'unset'
    taken = 'none'
    match probe(subject()):
        case CASE:
            taken = 'first'
            log('body', x, y)
        case OTHER:
            taken = 'second'
    return taken, x, y, z, w
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


MAKERS = "makers = [" + ", ".join(f"lambda: {subject}" for subject in lines(SUBJECTS)) + "]\n"


@pytest.mark.parametrize("case", one_in(2, lines(CASES)))
def test_each_pattern_takes_binds_and_looks_as_in_python(case: str) -> None:
    program = PROGRAM if case not in ("x", "_", "0 | 1 | _") else PROGRAM[: PROGRAM.index("        case OTHER")]
    text = CLASSES + MAKERS + program.replace("CASE", case).replace("OTHER", "[x, y] | {'a': x, **y}")
    if program is not PROGRAM:
        text += "    return taken, x, y, z, w\n"
    with module(text) as original, module(text) as namespace:
        converted = autograph.to_graph(namespace["f"])
        for number, subject in enumerate(lines(SUBJECTS)):
            expected = outcome(original["f"], original, (original["makers"][number],))
            assert outcome(converted, namespace, (namespace["makers"][number],)) == expected, subject


@pytest.mark.parametrize("number", [0, 1, 14, 17, 34])
def test_chains_of_any_length(number: int) -> None:
    cases = "\n".join(f"        case {n}:\n            r = {n} + 100" for n in range(number))
    guarded = "\n".join(f"        case [{n}, x] if x > {n}:\n            r = x * 1000 + {n}" for n in range(number))
    last = "        case _ if v:\n            r = v"
    text = f"def f(v):\n    r = 'none'\n    match v:\n{cases}\n{guarded}\n{last}\n    return r"
    inputs: list[Any] = [0, 1, number, number - 1, 15, 16, 17, 31, 32, 40]
    inputs += [(1, 0), (1, 2), (20, 30), (16, 17), (15, 16), ()]
    assert_same(text, *((value,) for value in inputs))
    assert max(len(line) - len(line.lstrip()) for line in code(text).splitlines()) < 100 * 4


SYMBOLIC = """
def f(x):
    r = 0
    match x:
        case 1:
            r = 1
        case 2 | 3 as k if k > r:
            r = k
        case None | True:
            r = 4
        case [a, b]:
            r = 5
        case {}:
            r = 6
    return r
"""


def test_a_symbol_is_held_against_every_pattern() -> None:
    with module(SYMBOLIC) as namespace:
        recorder = RecordingStager()
        converted = autograph.to_graph(
            namespace["f"], experimental_optional_features=autograph.experimental.Feature.EQUALITY_OPERATORS
        )
        converted(recorder.symbol("x"))
    tests = [line.strip() for line in recorder.lines if "if" in line]
    assert tests[:3] == ["if (x == 1)", "if ((x == 2) or (x == 3))", "if (x > 0)"]
    assert "if (x is True)" in tests


def test_a_pattern_sequence_is_no_sequence_elsewhere() -> None:
    class Rows:
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> int:
            return [5, 6][index]

    SequencePattern.register(Rows)
    match Rows():
        case [a, b]:
            found = (a, b)
    assert found == (5, 6)
    assert not isinstance(Rows(), collections.abc.Sequence)


LIKE_CONSTANTS = """
class Picky:
    def __init__(self, *items): self.items = items
    def __eq__(self, other): return (type(other).__name__, repr(other)) == self.items

def f(x):
    match x:
        case [1]: return "int"
        case [1.0]: return "float"
        case [True]: return "bool"
        case [0.0]: return "zero"
        case [-0.0]: return "negative zero"
        case [0]: return "no"
        case [False]: return "never"
        case [b"a"]: return "bytes"
        case ["a"]: return "text"
        case [1j]: return "complex"
        case [[a, 1] | [1, a]] : return "nested", a
        case [[a, *rest], *_]: return a, rest
"""


def test_constants_that_are_equal_are_not_mistaken_for_one_another() -> None:
    """What a pattern is made of is remembered between its uses."""
    with module(LIKE_CONSTANTS) as namespace:
        converted = autograph.to_graph(namespace["f"])
        values = [1, 1.0, True, 0.0, -0.0, 0, False, b"a", "a", 1j]
        subjects: list[Any] = [[namespace["Picky"](type(v).__name__, repr(v))] for v in values]
        subjects += [[v] for v in values] + [[[2, 1]], [[1, 2]], [[3, 4, 5], 6], [[]], []]
        for _ in range(2):
            for subject in subjects:
                assert converted(subject) == namespace["f"](subject)


def test_patterns_are_remembered_and_forgotten() -> None:
    first = pattern.sequence(pattern.capture("a"), pattern.constant(1))
    assert pattern.sequence(pattern.capture("a"), pattern.constant(1)) is first
    assert pattern.sequence(pattern.capture("b"), pattern.constant(1)) is not first
    evaluated = [pattern.sequence(pattern.value(lambda: 1)) for _ in range(2)]
    assert evaluated[0] is not evaluated[1], "what a pattern evaluates belongs to one run of the statement"
    for number in range(2_000):
        pattern.capture(f"name_{number}")
    assert pattern.sequence(pattern.capture("a"), pattern.constant(1)) is not first
