"""What programs on objects with state are made of: texts with holes, as in array_forms.

In a method `b` is the caller's array, `x` a number, `n` an integer; `a`, `c`, `m`, `w` are names of arrays that the
object or its caller has, too. {V} is a vector of four, {N} a place for one, {Y} such a place of an object or module,
{O} an object with a vector, {F} a view of
one that is one, {L} a list of vectors, {U} a place for a number.
"""

from __future__ import annotations

from tests.runtime.heap.samples import SAMPLES

from . import array_forms

__all__ = ["BETWEEN", "CLASSES", "FORMS", "HEADER", "KINDS", "MADE", "PARTS", "SIMPLE", "STARTS"]

HEADER = (
    array_forms.HEADER
    + '''
import array, collections, dataclasses, functools, types

class Slotted:
    __slots__ = ("v",)
    def __init__(self, v): self.v = v

class Guarded:
    def __init__(self): self._v = 1.0
    @property
    def v(self): return self._v
    @v.setter
    def v(self, value): self._v = value

@dataclasses.dataclass
class Data:
    v: float

class Box:
    def __init__(self, v): self.v = v
    def add(self, d): self.v = self.v + d

Pair = collections.namedtuple("Pair", "a b")

def tally(size):
    total = np.zeros(size)
    def add(v):
        nonlocal total
        total = total + v
        return total
    return add

def remember(v, held={"last": np.zeros(4)}):
    before, held["last"] = held["last"], v
    return before

def link(o, v):
    o.next = Part(v, o)
    return o.next.v
'''
)

PARTS = (
    """
class Part:
    def __init__(self, v, next=None):
        self.v, self.next = v, next
    def bump(self, k):
        self.v[0] += k
        return self.v
    def renew(self, v):
        self.v = v
        return self
""",
    """
class Part:
    __slots__ = ("v", "next", "__weakref__")
    def __init__(self, v, next=None):
        self.v = v
        self.next = next
    def bump(self, k):
        self.v = self.v + k
        return self.v
    def renew(self, v):
        before, self.v = self.v, v
        self.next = Part(before)
        return self
""",
    """
@dataclasses.dataclass(eq=False)
class Part:
    v: np.ndarray
    next: object = None
    def bump(self, k):
        if self.v[1] > k:
            self.v[1:] *= 0.5
            return self.v
        self.v = np.full(4, k)
        return self.v
    def renew(self, v):
        self.v[:] = v
        return self
""",
)
"""Classes of the objects in objects."""

CLASSES = (
    """
class Base:
    shared = np.zeros(4)
    @property
    def view(self):
        return self.b
    @view.setter
    def view(self, v):
        self.b, self.c = v, self.b
    def put(self, v, k):
        self.a[0] = k
        self.b = v
        return self.a
    def __call__(self, v):
        self.c, before = v, self.c
        return before
""",
    """
class Base:
    shared = np.ones(4)
    @property
    def view(self):
        return self.a[::-1]
    @view.setter
    def view(self, v):
        self.a[:] = v
    def put(self, v, k):
        if k > 0.5:
            self.c = v
        else:
            self.c = self.c * 0.5
        return self.c
    def __call__(self, v):
        self.a += v
        return self.part.renew(v).v
""",
)

MADE = {
    "a": ("np.array([3.0, 1.0, 4.0, 1.5])", "np.ones(4)", "np.arange(8.0)[::2]", "v"),
    "b": ("self.a", "self.a[::-1]", "np.zeros(4)", "self.m.ravel()[1:5]", "self.a.copy()", "v"),
    "c": ("self.b", "np.arange(4.0)", "self.a", "self.m.reshape(-1)[:4]", "v[::-1]"),
    "z": ("None",),
    "row": ("self.m[0]", "self.a[1:]", "self.m.T[1]", "v[::2]", "np.zeros(3)"),
    "items": ("[self.a, self.b]", "[np.ones(4), self.c]", "[self.c.copy(), v]", "[np.zeros(4) for _ in range(3)]"),
    "queue": ("collections.deque([self.a, np.ones(4)], maxlen=2)", "collections.deque([self.b])"),
    "table": ("{'p': self.a, 'q': np.zeros(4)}", "{'p': np.ones(4)}", "{'p': v, 'q': [self.c]}"),
    "part": ("Part(self.a)", "Part(np.zeros(4))", "Part(v, Part(self.b))"),
    "other": ("self.part", "Part(self.c.copy(), self.part)", "Part(self.b)"),
    "pair": ("(self.a, self.c)", "(np.zeros(4), [self.b])"),
    "add": ("tally(4)",),
    "t": ("T(0.5)", "T(-1.0)"),
    "numbers": ("[T(1.0), T(2.0)]",),
    "names": ("np.array(['p', 'q'])", "np.array([b'u', b'w'])", "np.array([None, 2], object)"),
    "others": ("self.names", "np.array(['r', 's'])", "self.names.copy()"),
}
"""What the attributes are at first."""

VECTORS = (
    "self.a", "self.b", "self.c", "self.a", "a", "b", "c", "self.items[0]", "self.items[-1]", "self.table['p']",
    "self.part.v", "self.other.v", "self.view", "self.shared", "TOTAL", "self.pair[0]", "self.queue[0]",
)  # fmt: skip

FORMS = {
    **array_forms.FORMS,
    "V": VECTORS,
    "Y": (
        "self.a", "self.b", "self.c", "self.items[0]", "self.items[-1]", "self.table['p']", "self.table['r']",
        "self.part.v", "self.other.v", "self.view", "self.z", "self.queue[-1]", "type(self).shared", "TOTAL",
    ),
    "N": ("a", "b", "c", "self.a", "self.b", "self.c", "self.part.v", "self.table['p']"),
    "M": ("m", "self.m", "self.m", "GRID"),
    "O": ("self.part", "self.other", "self.part", "Part({V})", "self.part.renew({V})"),
    "F": (
        "{V}[::-1]", "{V}.view()", "{V}.T", "np.asarray({V})", "{V}[...]", "np.flip({V})", "self.m.ravel()[1:5]",
        "{V}.reshape(2, 2).reshape(4)", "{V}.reshape(2, 2).T.ravel()", "{V}[None][0]",
        "{V}.reshape(2, 2).T.reshape(-1)",
    ),
    "L": ("self.items", "self.items", "list(self.items)", "[{V}, {V}]"),
    "U": ("self.t", "self.numbers[0]", "self.numbers[-1]", "self.t"),
    "S": (*array_forms.FORMS["S"], "self.t", "self.numbers[0]"),
    "E": (*array_forms.FORMS["E"], "sum(self.items)", "np.stack(self.items)[0]", "self.add({V})"),
    "C": (*array_forms.FORMS["C"], "self.z is None", "self.part is self.other", "self.a is self.b", "self.t > {S}"),
}  # fmt: skip

OWN = (
    (8, "{Y} = {V}"),
    (8, "{Y} = {E}"),
    (8, "{Y} = {F}"),
    (3, "self.row = {P}"),
    (3, "self.row = {Q}"),
    (2, "self.row[0] = {S}"),
    (1, "self.row = self.row[::-1]"),
    (1, "w = self.row"),
    (5, "{Y} = b"),
    (5, "self.a, self.b = self.b, self.a"),
    (3, "{N}, {Y} = {V}, {E}"),
    (2, "{Y} = {Y} = {E}"),
    (4, "{Y} = {V} if {C} else {E}"),
    (4, "self.a = self.a + {V}"),
    (4, "self.b += {E}"),
    (2, "self.a = self.a[::-1]"),
    (2, "self.m = self.m * 0.5"),
    (2, "self.b = self.m[{R}, :1] * np.ones(4)"),
    (4, "{U} = {S}"),
    (4, "{U} += {S}"),
    (2, "self.t, self.numbers[0] = self.numbers[0], self.t"),
    (2, "self.numbers.append({U} + x)"),
    (4, "self.items.append({E})"),
    (3, "self.items.append({V})"),
    (2, "self.items.insert(0, {V})"),
    (2, "self.items.append({E}); self.items.pop(0)"),
    (2, "self.items[0], self.items[-1] = self.items[-1], self.items[0]"),
    (2, "self.items.reverse()"),
    (2, "self.items = {L}"),
    (1, "self.items = self.items + [{E}]"),
    (1, "self.items += [{V}]"),
    (1, "self.items[:] = [{V}, {E}]"),
    (3, "self.queue.append({V})"),
    (2, "self.queue.appendleft({E})"),
    (2, "self.queue.rotate(1)"),
    (1, "c = self.queue.popleft(); self.queue.append(c)"),
    (3, "self.table['r'] = {V}"),
    (2, "self.table['r'] = {E}"),
    (1, "self.table.update(p={E}, s={V})"),
    (1, "c = self.table.pop('r', self.a)"),
    (1, "c = self.table.setdefault('s', {V})"),
    (1, "del self.table['p']; self.table['p'] = {V}"),
    (1, "self.table = {{'p': {V}, 'r': {E}}}"),
    (1, "self.table = dict(self.table)"),
    (3, "self.part = {O}"),
    (3, "self.part, self.other = self.other, self.part"),
    (2, "self.other = self.part"),
    (2, "self.part.next = {O}"),
    (1, "self.part = self.part.next or self.other"),
    (3, "{O}.bump({S})"),
    (2, "c = {O}.bump({S})"),
    (2, "{O}.v[{I}] = {S}"),
    (2, "{O}.v = {E}"),
    (1, "link(self.part, {V})[0] = {S}"),
    (2, "self.pair = ({V}, {E})"),
    (1, "self.pair = self.pair[::-1][1:] + ({V},)"),
    (2, "self.extra = {E}"),
    (2, "self.extra = {V}"),
    (2, "{N} = getattr(self, 'extra', {V})"),
    (2, "setattr(self, 'a', {E})"),
    (1, "vars(self)['b'] = {V}"),
    (1, "object.__setattr__(self, 'c', {V})"),
    (2, "c = self.put({V}, {S})"),
    (2, "c = self({V})"),
    (2, "{N} = self.add({E})"),
    (1, "{N} = remember({V})"),
    (2, "TOTAL = {E}"),
    (1, "TOTAL = TOTAL + {E}"),
    (2, "old = self.a; self.a = {E}; old[{I}] += {S}"),
    (2, "self.z = {V} if self.z is None else self.z + {E}"),
    (2, "c = self.z if self.z is not None else {V}"),
    (1, "self.z = None"),
    (2, "if {C}: raise ValueError('no')"),
    (1, "self.items[n][{I}] = {S}"),
    (1, "self.record = Pair({V}, {E})"),
    (2, "self.names, self.others = self.others, self.names"),
    (2, "self.names = self.others if {C} else self.names"),
    (1, "self.others = self.names; c = {V} if len(self.names) > 1 else {E}"),
    (2, "self.items.append({E}); self.items = self.items[-2:]"),
    (1, "self.items[0] = {V}; self.items = [{V}, {E}]"),
    (1, "self.table['r'] = {E}; self.table = {{'p': {V}}}"),
    (2, "self.queue = collections.deque([{V}, {E}], 2)"),
    (2, "self.pair = ({V}, self.pair[0]); {Y} = self.pair[1]"),
    (1, "np.add({V}, {E}, out=self.a)"),
    (1, "self.b = np.multiply({V}, {S}, out=self.c)"),
)

SIMPLE = (*((weight * 0.5, text) for weight, text in array_forms.SIMPLE), *OWN)

KINDS = (
    "list", "dict", "set", "collections.deque", "collections.OrderedDict", "collections.defaultdict",
    "collections.Counter", "collections.ChainMap", "collections.UserDict", "collections.UserList", "bytearray",
    "array.array", "object", "slots", "property", "dataclass", "types.SimpleNamespace", "namedtuple", "tuple",
)  # fmt: skip
"""Kinds of the heap's table of which an object has one more attribute."""

STARTS = ("self.a", "self.b", "b", "self.items[0]", "self.table['p']", "np.zeros(4)", "self.c", "self.part.v")
"""What a method's own names stand for at first."""

BETWEEN = (
    "o.a = np.ones(4)", "o.a[0] = 9.0", "o.b = o.a", "o.b = o.a[::-1]", "o.a, o.b = o.b, o.a", "o.items.append(a)",
    "o.items[0] = o.c", "o.z = None", "o.z = np.full(4, 2.0)", "o.table['r'] = b", "o.table['p'] = np.zeros(4)",
    "o.part = Part(np.arange(4.0))", "o.other = o.part", "o.part.v[1] = 5.0", "o.part.v = o.a", "o.c = a",
    "o.m = np.ones((2, 3))", "o.m[0] = 7.0", "o.t = T(2.5)", "o.queue.append(b)", "kept.append(o.a)",
    "kept.append(o.items)", "kept.append(o.part)", "kept.append(o.table['p'])", "kept.append(o.m[0])", "a[2] = 8.0",
    "a = o.a", "b = o.b", "a = a.copy()", "o.shared[1] = 4.0", "TOTAL[0] = 6.0", "o, p = p, o", "p.a = o.a",
    "p.part = o.part", "p.items = o.items", "o.items = [np.ones(4), o.a]", "kept.append(o.queue)",
    "o.c = o.m.ravel()[1:5]",
    "o = copy.deepcopy(o)", "o.extra = np.ones(4)", "o.b = np.array([1.0, 2.0, 3.0, 4.0], np.float32)",
    "p.table = o.table", "o.pair = (o.b, o.a)", "o.names = o.others",
    "o.others = np.array(['x', 'y'])",
)  # fmt: skip
"""What the caller does between two calls."""

TABLE = {sample.kind: sample for sample in SAMPLES}
