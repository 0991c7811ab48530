"""Programs that leave a value somewhere: which value, where, and in which statement, each drawn from a list of its own.

    print(left_program(7).text)
    check_left(left_program(7))       # compares all that can be reached after each call with Python's own

`program(o, x, n)` is called several times with an object, a float and an integer, which are tensors in the graph. What
it leaves must be of Python's classes: a text is a str, one of two objects is that very object.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random
from typing import Any, Final

import runtime
from runtime.errors import TraceEffectWarning

from .grammar import Program
from .oracle import Endless, Verdict, limited, loaded
from .reachable import Seen, difference, seen
from .staged import DOCUMENTED, TRACING, reason_of

__all__ = ["check_left", "left_program"]

HEADER = '''
import collections, dataclasses, datetime, enum, fractions, functools, pathlib, re, types
import numpy as np

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Size(enum.IntEnum):
    BIG = 1
    SMALL = 2

class Kind(str, enum.Enum):
    A = "a"
    B = "b"

@dataclasses.dataclass
class Point:
    a: object
    b: object

@dataclasses.dataclass(frozen=True)
class Frozen:
    a: object

Pair = collections.namedtuple("Pair", "a b")

class Slotted:
    __slots__ = ("v",)
    def __init__(self, v): self.v = v

class Owner:
    attr = 0.5
    def __init__(self):
        self.a, self.e, self.lst, self.d = np.arange(3.0), np.arange(2.0), ["a", "b"], {"k": 1.5, 0: "zero"}
        self.v, self.w, self.none, self.t, self.q = 0.5, "w", None, (1.5, "t"), collections.deque(["a"])
        self.part, self.sl, self.s, self.text = Point(1.5, ["a"]), Slotted(0.5), {1}, "text"
        self.points, self.nest = [Point(1.5, 2.5), Point(3.5, 4.5)], {"p": {"q": ["a", "b"]}}
    def method(self): return 1.5

HELD = {"v": 0.5}
COMMON, LAST = 0.5, "last"

def helper(q=1.5): return q
def other(q=2.5): return q + 1

helper.mark = 0.5
'''

FLOATS: Final = "1.5|-2.5|x|x + 1|o.d['k']|float(x)|abs(-1.5)|o.part.a|max(1.5, x)|x * n|o.points[0].a".split("|")
OTHERS: Final = (
    "True|None|'a'|b'b'|(1.5, 'c')|['a', 'c']|{'k': 1.5}|{1, 2}|frozenset({1})|[x]|(x, 'c')|{'k': x}|o.a|o.a[1:]|"
    "np.zeros(2)|o.lst|o.d|o.part|o.part.b|o.t|o.q|o.s|o.text|o.e|o.a[0]|o.a.sum()|o.lst[0]|o.lst[-1]|o.nest['p']|"
    "o.points[0]|o.none|Color.RED|Color.BLUE|Size.BIG|Size.SMALL|Kind.A|Kind.B|Point(1.5, 2.5)|Point(x, 2.5)|"
    "Frozen(1.5)|Frozen(x)|Pair(1.5, 'c')|Pair(x, 'c')|len|helper|other|lambda: 1|int|Owner|range(3)|slice(1)|"
    "collections.deque(['a'])|collections.Counter('ab')|collections.defaultdict(list)|"
    "collections.OrderedDict(a=1.5)|bytearray(b'q')|fractions.Fraction(1, 2)|datetime.date(2020, 1, 1)|"
    "np.dtype('f4')|...|ValueError('x')|re.compile('a')|pathlib.PurePosixPath('p')|type(o)|o.method|"
    "functools.partial(len)|types.SimpleNamespace(q=1.5)|Slotted(x)|o.sl|f'{x}'|f'v{n}'|str(x)|f'{o.text}{n}'|"
    "x > 0|x > 5|[*o.lst, 'c']|o.lst[:]|o.lst + ['c']|list(o.d)|dict(o.d)|[v for v in o.lst]|[x, None]|(None, x)|"
    "{'k': [x]}|np.bool_(True)|''|()|[]|{}|[{1}, 'c']"
).split("|")  # fmt: skip
PLACES: Final = (
    "o.v = {e}|o.w = {e}|o.text = {e}|o.d['q'] = {e}|o.d[0] = {e}|o.lst.append({e})|o.lst[0] = {e}|"
    "o.lst = [*o.lst, {e}]|o.t = (1.5, {e})|o.part.a = {e}|HELD['v'] = {e}|setattr(o, 'v', {e})|o.v = [{e}]|"
    "o.v = {{'z': {e}}}|o.lst.insert(0, {e})|o.q.append({e})|o.d.update(q={e})|o.d.setdefault('q', {e})|"
    "Owner.attr = {e}|o.part = {e}|o.sl.v = {e}|o.points[0].a = {e}|o.points.append({e})|o.nest['p']['q'] = {e}|"
    "o.nest['p']['q'].append({e})|o.v, o.w = {e}, 'c'|o.v = Point({e}, 0.5)|o.lst += [{e}]|o.lst[:1] = [{e}]|"
    "o.q.appendleft({e})|o.lst = [{e}] * 2|helper.mark = {e}|o.v = o.w = {e}|o.v = isinstance({e}, str)|"
    "o.v = [{e} for _ in range(2)]|o.v = ({e},)[0]|o.v = dict(z={e})|o.v = {e} is None|o.v = type({e}).__name__|"
    "COMMON = {e}|LAST = {e}|COMMON, LAST = {e}, 'c'|LAST = [{e}, 'c']"
).split("|")  # fmt: skip
STATEMENTS: Final = (
    ("if x > 0:", "    {A}", "else:", "    {B}"),
    ("if x > 0:", "    {A}"),
    ("if x > 5:", "    {A}", "elif x > 0:", "    {B}"),
    ("u = {a} if x > 0 else {b}", "{V}"),
    ("u = {a}", "if x > 0:", "    u = {b}", "{V}"),
    ("if x > 0:", "    {A}", "    return 1", "{B}", "return 2"),
    ("for i in range(n):", "    {A}"),
    ("for i in range(n):", "    if x > 0:", "        {A}", "    else:", "        {B}"),
    ("u = {a}", "for i in range(n):", "    u = {b}", "{V}"),
    ("k = n", "while k > 0:", "    {A}", "    k -= 1"),
    ("for i in range(n):", "    {A}", "    if x > 0:", "        break", "    {B}"),
    ("try:", "    if x > 0:", "        raise ValueError('q')", "    {A}", "except ValueError:", "    {B}"),
    ("try:", "    if x > 0:", "        {A}", "finally:", "    {B}"),
    ("def pick():", "    if x > 0:", "        return {a}", "    return {b}", "u = pick()", "{V}"),
    ("def put(u):", "    {V}", "if x > 0:", "    put({a})", "else:", "    put({b})"),
    ("u = [{a}, {b}][n % 2]", "{V}"),
    ("u = {{0: {a}, 1: {b}}}[n % 2]", "{V}"),
    ("match n:", "    case 0:", "        {A}", "    case _:", "        {B}"),
    ("for u in [{a}, {b}]:", "    if x > 0:", "        {V}"),
    ("{A}",),
)
CALLS: Final = ((1.0, 1), (-1.0, 2), (2.0, 0), (-2.0, 3), (6.0, 2))


def left_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"left {seed}")
    values = FLOATS if rng.random() < 0.2 else OTHERS  # of numbers of several kinds the widest is left
    a, b = (f"({rng.choice(values)})" for _ in range(2))
    if "(True)" in (a, b) and not {a, b}.isdisjoint(("(o.a[0])", "(o.a.sum())")):
        b = a  # a bool beside a number of NumPy's is left as one
    first, second = rng.choice(PLACES), rng.choice(PLACES)
    b, second = (a if rng.random() < 0.15 else b), (first if rng.random() < 0.6 else second)
    parts = {"A": first.format(e=a), "B": second.format(e=b), "V": first.format(e="u"), "a": a, "b": b}
    lines = ["global COMMON, LAST", *(line.format(**parts) for line in rng.choice(STATEMENTS))]
    return Program(seed, "\n".join(["def program(o, x, n):", *(f"    {line}" for line in lines)]) + "\n", ((),))


def check_left(program: Program) -> Verdict:
    """Compares what a Function leaves with what the function leaves."""
    file = f"<left program {program.seed}>"
    wanted, error = _run(program.text, file, lambda function: function, lambda value: value)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", TraceEffectWarning)
        found, raised = _run(program.text, file, runtime.function, runtime.constant)
    told = any(issubclass(warning.category, TraceEffectWarning) for warning in caught)
    for call, (mine, theirs) in enumerate(zip(wanted, found, strict=False)):
        if parted := difference(mine, theirs):
            return Verdict("refused", "warned") if told else Verdict("differs", f"{parted} after call {call}")
    if raised is None and error is None:
        return Verdict("same")
    if isinstance(raised, DOCUMENTED) and type(raised) is not type(error):
        return Verdict("refused", reason_of(raised))
    if type(raised) is type(error) and len(wanted) == len(found):
        return Verdict("same")
    if told:
        return Verdict("refused", "warned")
    return Verdict("differs", f"error is {raised!r}, not {error!r}")


def _run(
    text: str, file: str, function: Callable[[Any], Any], number: Callable[[Any], Any]
) -> tuple[list[Seen], BaseException | None]:
    """What was seen after each call, and the exception that ended them."""
    calls: list[Seen] = []
    with loaded(f"{HEADER}\n{text}", file) as names:
        owner, program = names["Owner"](), function(names["program"])
        for x, n in CALLS:
            try:
                with limited(TRACING):
                    program(owner, number(x), number(n))
            except (Exception, Endless) as raised:
                return calls, raised
            around = names["Owner"].attr, names["HELD"]["v"], names["COMMON"], names["LAST"], names["helper"].mark
            calls.append(seen([None, owner, *around]))
    return calls, None
