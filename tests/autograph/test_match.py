"""match against Python's own: which case is taken, what is bound, in which order everything is looked at, errors."""

from __future__ import annotations

import collections.abc
from typing import Any

import pytest

import autograph
from autograph.operators.patterns import SequencePattern
from tests.autograph.comparing import assert_same, code, module, outcome
from tests.autograph.recording_stager import RecordingStager

CLASSES = """
class Seen:
    '''A value that logs how it is looked at.'''
    def __init__(self, name, value):
        self.name, self.value = name, value
    def __eq__(self, other):
        log(self.name, '==', other)
        return self.value == other
    __hash__ = object.__hash__
    def __repr__(self):
        return f'Seen({self.name})'

class Truth:
    '''The result of a comparison, which logs that it is asked for its truth.'''
    def __init__(self, value):
        self.value = value
    def __bool__(self):
        log('bool', self.value)
        return self.value
    def __repr__(self):
        return f'Truth({self.value})'

class Odd:
    '''Compares to something that is no bool.'''
    def __eq__(self, other):
        return Truth(other == 1)
    __hash__ = None
    def __repr__(self):
        return 'Odd()'

class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        self._x, self._y = x, y
    @property
    def x(self):
        log('x')
        return self._x
    @property
    def y(self):
        log('y')
        return self._y
    def __repr__(self):
        return f'Point({self._x}, {self._y})'

class Bare:
    def __repr__(self):
        return 'Bare()'

class WrongArgs:
    __match_args__ = ['x']

class NumberArgs:
    __match_args__ = (1,)

class Twice:
    __match_args__ = ('x', 'x')
    x = 1
    def __repr__(self):
        return 'Twice()'

class Meta(type):
    def __instancecheck__(cls, value):
        log('isinstance', value)
        return value == 7

class Seven(metaclass=Meta):
    pass

import collections.abc
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Row(collections.abc.Sequence):
    '''A sequence that logs what is asked of it.'''
    def __init__(self, *items):
        self.items = items
    def __len__(self):
        log('len')
        return len(self.items)
    def __getitem__(self, index):
        log('item', index)
        return self.items[index]
    def __repr__(self):
        return f'Row{self.items}'

class Liar(Row):
    '''A sequence that says another length than it has.'''
    def __len__(self):
        return 2
    def __getitem__(self, index):
        return self.items[index]

class Table(collections.abc.Mapping):
    '''A mapping that logs what is asked of it.'''
    def __init__(self, **items):
        self.items_ = items
    def __len__(self):
        log('len')
        return len(self.items_)
    def __iter__(self):
        log('iter')
        return iter(self.items_)
    def __getitem__(self, key):
        log('key', key)
        return self.items_[key]
    def __repr__(self):
        return f'Table{self.items_}'

class Names:
    @property
    def zero(self):
        log('names.zero')
        return 0
    one = 1

names = Names()
one = 1

def probe(*values):
    log(*values)
    return values[-1]
"""

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


@pytest.mark.parametrize("case", lines(CASES))
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


@pytest.mark.parametrize("number", range(0, 60, 7))
def test_chains_of_any_length(number: int) -> None:
    cases = "\n".join(f"        case {n}:\n            r = {n} + 100" for n in range(number))
    guarded = "\n".join(f"        case [{n}, x] if x > {n}:\n            r = x * 1000 + {n}" for n in range(number))
    last = "        case _ if v:\n            r = v"
    text = f"def f(v):\n    r = 'none'\n    match v:\n{cases}\n{guarded}\n{last}\n    return r"
    inputs: list[Any] = [0, 1, number, number - 1, 15, 16, 17, 31, 32, 40]
    inputs += [(1, 0), (1, 2), (20, 30), (16, 17), (15, 16), ()]
    assert_same(text, *((value,) for value in inputs))
    assert max(len(line) - len(line.lstrip()) for line in code(text).splitlines()) < 100 * 4


PROGRAMS = {
    "break and continue in arms": """
        def f(n):
            found = []
            for item in [1, 'a', [2, 3], 4, 'stop', 5]:
                match item:
                    case int(x) if x > n:
                        continue
                    case 'stop':
                        break
                    case [a, *_]:
                        found.append(a)
                found.append(item)
            else:
                found.append('all')
            return found
        """,
    "return in arms, and what follows": """
        def f(n):
            match n:
                case 0:
                    return 'zero'
                case 1 | 2:
                    pass
                case x if x > 3:
                    return x
            n += 10
            match n:
                case 11:
                    return 'eleven'
                case _:
                    return n
        """,
    "different variables in the arms": """
        def f(n):
            match n:
                case 0:
                    a = 1
                case 1:
                    b = 2
                case [a, b]:
                    pass
            log(a if n == 0 else 'no a')
            return b
        """,
    "no case takes it": """
        def f(n):
            kind = 'old'
            match n:
                case 100:
                    kind = 'new'
            return kind
        """,
    "bound by a pattern whose guard fails": """
        def f(n):
            match (n, n + 1):
                case (a, b) if a > 2:
                    kind = 'big'
                case (c, _) if log(a, b) and False:
                    kind = 'never'
                case _:
                    kind = 'small'
            return kind, a, b, c
        """,
    "not bound by a pattern that fails": """
        def f(n):
            match [n, 5]:
                case [a, 6]:
                    pass
                case [1, b]:
                    pass
            return a
        """,
    "the subject is evaluated once": """
        def f(n):
            match log(n), log(n + 1):
                case (1, _):
                    return 'one'
                case (_, 1):
                    return 'other'
                case whole:
                    return whole
        """,
    "a pattern binds the name of its subject": """
        def f(x):
            match x:
                case [x] | x if x == 1:
                    return 'one', x
                case 2 as y:
                    return 'two', x, y
                case x:
                    return 'rest', x
        """,
    "a guard changes the subject": """
        def f(x):
            def change():
                nonlocal x
                x = 3
                return False
            match x:
                case 1 if change():
                    pass
                case 3:
                    return 'new'
                case 1:
                    return 'old'
            return x
        """,
    "a guard changes what was captured": """
        def f(n):
            def change():
                nonlocal a
                a += 10
                return True
            a = 0
            match [n]:
                case [a] if change():
                    return a
        """,
    "a nested match": """
        def f(n):
            match [n, [n, n * 2]]:
                case [a, [b, c]] if a == b:
                    match c:
                        case 0:
                            r = 'zero'
                        case 2 | 4:
                            r = 'few'
                        case _:
                            r = 'many'
                    return r, a
        """,
    "in try, with, while and nested functions": """
        def f(n):
            def inner(v):
                match v:
                    case 0:
                        raise ValueError('zero')
                    case [*_, last]:
                        return last
                return v
            out = []
            while n < 4:
                try:
                    match n:
                        case 1:
                            continue
                        case 2:
                            out.append(inner([1, n]))
                        case _:
                            out.append(inner(n))
                except ValueError as error:
                    out.append(str(error))
                finally:
                    n += 1
            return out
        """,
    "in a class body and in a generator": """
        def f(n):
            class K:
                match n:
                    case 0 | 1:
                        kind = 'few'
                    case x:
                        kind = 'many'
            def numbers():
                match n:
                    case 0:
                        yield 'zero'
                    case [a] | a:
                        yield a
            return K.kind, sorted(k for k in vars(K) if k == 'x'), list(numbers())
        """,
    "globals and nonlocals as captures": """
        g = 'old'
        def f(n):
            global g
            h = 'outer'
            def inner():
                nonlocal h
                match [n, n]:
                    case [h, 1]:
                        return 'one'
                    case [1 | 2 as h, _] if h:
                        return 'few'
            def read():
                return g
            match n:
                case 0 as g:
                    pass
                case g if read() > 2:
                    pass
            return inner(), h, g
        """,
    "a value whose comparison has a truth of its own": CLASSES + """
def f(n):
    match [Odd(), n]:
        case [0, _]:
            return 'zero'
        case [1, x] if x:
            return x
        case [1 | 2, x]:
            return 'few', x
""",
    "lambdas and comprehensions over captures": """
        def f(n):
            match [n, n + 1, n + 2]:
                case [a, *rest] if any(x > a for x in rest):
                    g = lambda: [a + x for x in rest]
                    a += 1
                    return g()
        """,
    "private names": """
        class K:
            __zero = 0
            def m(self, n):
                match n:
                    case K.__zero:
                        return 'zero'
                    case [__a, K(_K__b=__c)]:
                        return __a, __c
            def __init__(self):
                self.__b = 5
        def f(n):
            return K().m(n), K().m([n, K()])
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    assert_same(PROGRAMS[name], *((n,) for n in (0, 1, 2, 3, 4, 7)))


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
