"""The texts that programs about containers and shared names are made of, with letters in braces for parts of a kind.

    "{a}[{I}] = {n}"      may become      left[abs(x) % 2] = (y + 3) % 97

NAMES says which letters stand for names, FORMS which stand for texts that are made of others; `n` is a number, `c` a
condition, `#` the number of a loop or function.
"""

from __future__ import annotations

__all__ = ["ENTERED", "FORMS", "FUNCTIONS", "HELPERS", "MADE", "MAKE", "NAMES", "NUMBERS", "SEEN", "SIMPLE", "WORK"]

HELPERS = '''
from enum import Enum, IntEnum
class Level(IntEnum):
    LOW, MIDDLE, HIGH = 1, 2, 5
    def other(self):
        return Level.HIGH if self is Level.LOW else Level.LOW
class Color(str, Enum):
    RED, BLUE = 'red', 'bl'
class Node:
    def __init__(self, v, items, next=None):
        self.v, self.items, self.next = v, items, next
    def bump(self, n):
        self.v = (self.v + n) % 97
        return self
    def put(self, n):
        self.items[0] = n
        return self.items
def same(p):
    return p
def first_of(p, q, n):
    return p if n > 3 else q
def set_first(p, n):
    p[0] = n
    return p
def add_to(p, n):
    if n > 3:
        p.append(n)
    return p
def swap(p, q):
    p[0], q[-1] = q[-1], p[0]
    return q, p
def rename(p, q, n):
    p, q = q, p
    if n > 3:
        p[0] += 1
    return p
def show_list(name, p):
    show(name)
    log(len(p))
    for t in p:
        log(t)
def show_rows(name, p):
    show(name)
    for t in p:
        show_list('row', t)
def show_dict(name, p):
    show(name)
    for k, v in p.items():
        show(k)
        log(v)
def show_node(name, p):
    show(name)
    log(p.v)
    log(getattr(p, 'w', -1))
    show_list('items', p.items)
    if p.next is None:
        show('end')
    else:
        log(p.next.v)
def show_member(name, p):
    show(name)
    log(p.value if isinstance(p, int) else len(p))
    log(len(p.name))
    log(1 if p is Level.HIGH or p is Color.RED else 0)
def show_same(name, p, q):
    show(name)
    log(1 if p is q else 0)
'''
"""What the programs call: a class, functions that change what they are given, and functions that show it."""

NAMES = {
    "a": ("left", "right", "spare"),
    "g": ("rows", "grid"),
    "d": ("counts", "more"),
    "e": ("groups",),
    "o": ("node", "peer"),
    "m": ("found",),
    "s": ("marks",),
    "l": ("level", "stage"),
    "h": ("color",),
    "k": ("'p'", "'q'"),
    "i": ("0", "1", "-1"),
}
"""Kinds whose texts are names or constants: lists, lists of lists, dicts, dicts of lists, objects, lists or None,
members of enumerations of numbers and of texts."""

FORMS = {
    "A": ("{a}",) * 6 + (
        "{g}[{I}]", "{e}[{k}]", "{o}.items", "({a} if {c} else {a})", "same({A})", "first_of({a}, {A}, {n})",
        "{o}.put({n})", "({m} or {a})", "({a} if {m} is None else {m})", "{e}.get({k}, {a})", "{e}.get('r', {a})",
        "set_first({A}, {n})", "{g}[{n} % 2]", "(lambda: {a})()", "rename({a}, {A}, {n})", "[{a}, {a}][{i}]",
        "({a}, {a})[{n} % 2]",
    ),
    "F": (
        "[{n}, {n}]", "list({A})", "{A}[:]", "{A}.copy()", "({A} + [{n}])", "[t + 1 for t in {A}]", "{A}[::-1]",
        "sorted({A})", "[{n}] * 2", "list(reversed({A}))", "[*{A}, {n}]",
    ),
    "V": ("{A}", "{A}", "{A}", "{F}"),
    "G": (
        "{g}", "{g}", "({g} if {c} else {g})", "same({g})", "[{A}, {V}]", "[{A}] * 2", "[list(t) for t in {g}]",
        "{g}[:]", "list({g})", "[{A} for _ in range(2)]", "[t for t in {g}]",
    ),
    "D": (
        "{d}", "{d}", "({d} if {c} else {d})", "same({d})", "dict({d})", "{d}.copy()", "{{'p': {n}, 'q': {n}}}",
        "{{**{d}, {k}: {n}}}",
    ),
    "E": ("{e}", "dict({e})", "{{'p': {A}, 'q': {V}}}"),
    "O": (
        "{o}", "{o}", "same({o})", "({o} if {c} else {o})", "Node({n}, {V})", "{o}.bump({n})", "Node({n}, {A}, {o})",
    ),
    "M": ("None", "{V}", "{m}", "({V} if {c} else None)", "({m} if {c} else None)"),
    "I": ("{i}", "{i}", "{n} % 2"),
    "L": (
        "{l}", "{l}", "Level.LOW", "Level.HIGH", "Level.MIDDLE", "({L} if {c} else {L})", "{l}.other()", "same({L})",
        "[Level.LOW, Level.MIDDLE, Level.HIGH][{n} % 3]", "max({l}, {l})", "Level({L})",
    ),
    "H": ("{h}", "Color.RED", "Color.BLUE", "({H} if {c} else {H})", "[Color.BLUE, Color.RED][{n} % 2]"),
    "S": (
        "left is right", "spare is left", "node is peer", "rows is grid", "counts is more", "{a} is {a}",
        "{a} == {a}", "{m} is None", "{m} is None", "{m} is not None", "{n} in {A}", "{m} is {a}",
        "node.next is None", "not {a}", "'r' in {d}", "'r' not in {d}", "hasattr({o}, 'w')", "{n} % 3 in {s}",
        "'x' in {s}", "{l} is {L}", "{l} == {L}", "{l} < {L}", "{l} in (Level.LOW, Level.HIGH)", "{h} is {H}",
        "{h} == 'red'", "isinstance({l}, Level)", "level is stage",
    ),
}  # fmt: skip
"""Kinds whose texts are made of others: aliases of lists, new lists, both, and so on; S are conditions."""

NUMBERS = (
    "{A}[{I}]", "{A}[{I}]", "len({A})", "sum({A}) % 97", "{d}[{k}]", "{o}.v", "{g}[{I}][{I}]",
    "{o}.next.v if {o}.next is not None else 0", "max({a})", "{d}.get('r', {n})",
    "{d}.get('r', {n})", "getattr({o}, 'w', {n})", "len({s})", "len({d})", "{d}.pop('r', {n})",
    "{d}.setdefault('r', {n})", "({L} + {n})", "{l}.value", "len({l}.name)", "int({l})", "[3, 4, 5, 6, 7, 8][{L}]",
    "len({h}.value)", "len({h}.name)",
)  # fmt: skip

SIMPLE = (
    (10, "{a} = {V}"), (4, "{a}, {a} = {A}, {A}"), (2, "{a} = {a} = {V}"), (8, "{A}[{I}] = {n}"),
    (6, "{A}[{I}] += {n}"), (4, "{A}[{I}], {A}[{I}] = {A}[{I}], {A}[{I}]"), (4, "{a} += [{n}]"),
    (2, "{a} = {a} + [{n}]"), (1, "{a} *= 2"), (1, "{a} = {a} * 2"), (4, "{A}.append({n})"),
    (1.5, "{a}.append({n}); {A}.pop()"), (1.5, "{a}.insert({i}, {n})"), (1.5, "{a}.extend({V})"),
    (1, "{A}.reverse()"), (1.5, "{a} = sorted({a})"), (1, "{a}.clear(); {a}.append({n}); {a}.append({n})"),
    (2, "{a}[:] = [{n}, {n}]"), (1, "{a}[:1] = [{n}, {n}]"), (1, "{a}.append({n}); del {A}[0]"),
    (1, "{a}[1:] = {V}"), (4, "{g} = {G}"), (2, "{g}, {g} = {G}, {G}"), (5, "{g}[{I}] = {V}"),
    (2, "{g}[{i}], {g}[{i}] = {g}[{i}], {g}[{i}]"), (2, "{g}[{I}][{I}] = {n}"), (2, "{g}[{I}][{I}] += {n}"),
    (1.5, "{g}.append({V})"), (1.5, "{g}[{I}] += [{n}]"), (1, "{g}.reverse()"), (0.7, "{g}.append({V}); {g}.pop(0)"),
    (3, "{d} = {D}"), (1, "{d}, {d} = {D}, {D}"), (3, "{d}[{k}] = {n}"), (3, "{d}[{k}] += {n}"),
    (1, "{d}.update(p={n})"), (1, "{d}.update({d})"), (1, "log({d}.setdefault({k}, {n}))"),
    (0.7, "{d}['q'] = {n} + {d}.pop('q', 0)"), (0.7, "{d} |= {D}"), (2, "{e} = {E}"), (3, "{e}[{k}] = {V}"),
    (2, "{e}[{k}][{I}] = {n}"), (2, "{e}[{k}] += [{n}]"), (1, "{e}.setdefault({k}, []).append({n})"),
    (4, "{o} = {O}"), (2, "{o}, {o} = {O}, {O}"), (3, "{o}.v = {n}"), (2, "{o}.v += {n}"), (4, "{o}.items = {V}"),
    (2, "{o}.items += [{n}]"), (2, "{o}.items[{I}] = {n}"), (1.5, "{o}.next = {o}"), (1, "{o}.bump({n})"),
    (0.7, "{o}.next = None"), (1, "{o}.items, {a} = {a}, {o}.items"), (5, "{m} = {M}"), (2, "{a} = {A}; {m} = {a}"),
    (2, "set_first({A}, {n})"), (2, "add_to({A}, {n})"), (2, "{a}, {a} = swap({A}, {A})"),
    (1, "rename({A}, {A}, {n})"), (1, "{a}[0], {d}[{k}] = {n}, {A}[{I}]"),
    (1, "for {a}[0] in ({n}, 5): log({A}[0])"), (0.5, "show_same('same', {A}, {A})"), (2, "log(1 if {S} else 0)"),
    (2, "log({n})"), (3, "b = {n}"), (1, "[{a}, {a}] = {g}[:2]"), (1, "show_list('list', {A})"),
    (0.7, "{g} += [{V}]"), (1, "{a}[{I}] = {a}[{I}] = {n}"), (1, "{g}[{i}] = {g}[{i}] = {V}"), (2.5, "{a}[:] = {A}"),
    (1, "{a} = [*{A}, {n}]"), (2, "{a} += {V}"), (1, "{o}.items += {V}"),
    (1, "{e}[{k}] += {V}"), (1, "{g}[{I}] += {V}"), (0.5, "del {a}[:1]; {a}.append({n})"),
    (0.5, "log(sum([len(t) for t in [{a}, add_to({A}, {n}), {a}]]))"), (0.3, "log(len({A}) * len(add_to({a}, {n})))"),
    (2, "{d}['r'] = {n}"), (1, "{d}.pop('r', 0)"), (1, "{d}.update(r={n})"), (0.3, "del {d}['r']"),
    (0.3, "{d}['r'] += {n}"), (2, "{o}.w = {n}"), (0.3, "{o}.w += {n}"), (0.3, "del {o}.w"), (2, "{s}.add('x')"),
    (1, "{s}.add(1)"), (1, "{s}.discard(1)"), (0.3, "{s}.remove('x')"),
    (0.3, "show_same('operands', {A}, add_to({A}, {n}))"), (0.3, "{a}, {a} = {A}, add_to({A}, {n})"),
    (3, "spare = left; left = [{n}, {n}]"), (2, "right = {a}; {a} = [{n}]"), (2, "{g}.append(left); left = [{n}, {n}]"),
    (2, "left, spare = spare, left"), (2, "{m} = left; left = [{n}]"), (2, "right, left = left, [{n}, {n}]"),
    (4, "{l} = {L}"), (1, "{l}, {l} = {L}, {L}"), (2, "{h} = {H}"), (1, "{o}.v = {L}.value"), (1, "{d}[{k}] = {L} + 1"),
    (1, "log({{Level.LOW: 3, Level.MIDDLE: 4, Level.HIGH: 5}}[{L}])"), (1, "log({L} * {n} % 97)"),
    (2, "more = counts; counts = {{'p': {n}, 'q': {n}}}"), (1, "peer = node; node = Node({n}, {V})"),
)  # fmt: skip
"""Statements, with weights; `; ` parts those that stand below each other."""

ENTERED = (
    (4, "if {m} is not None:", "{m}[{I}] = {n}"),
    (2, "if 'r' not in {d}:", "{d}['r'] = {n}"),
    (2, "if 'r' in {d}:", "{d}['r'] += {n}"),
    (1, "if 'r' in {d}:", "del {d}['r']"),
    (2, "if not hasattr({o}, 'w'):", "{o}.w = {n}"),
    (2, "if hasattr({o}, 'w'):", "{o}.w += {n}"),
    (1, "if hasattr({o}, 'w'):", "del {o}.w"),
    (1, "if 'x' not in {s}:", "{s}.add('x')"),
    (2, "if {m} is not None:", "{m}.append({n})"),
    (2, "if {m} is None:", "{m} = {V}"),
    (3, "if {S}:", ""),
    (2, "if {l} is {L}:", "{l} = {L}"),
    (1, "while {l} is not Level.HIGH:", "{l} = Level.HIGH if {l} is not Level.LOW else Level.MIDDLE"),
    (3, "if len({a}) > len({a}):", "{a} = {a}"),
    (1, "if len({a}) > 3:", "{a} = [{n}]"),
    (1, "if sum({a}) > sum({a}):", "{m} = {a}"),
    (3, "for t{#} in {g}[:3]:", "t{#}[{I}] = {n}"),
    (1, "for t{#} in {g}[:3]:", "{a} = t{#}"),
    (1, "for t{#} in {g}[:3]:", "t{#}.append({n})"),
    (1, "for t{#}, u{#} in zip({g}[:3], {g}[:3]):", "t{#}[0], u{#}[1] = u{#}[1], t{#}[0]"),
    (1, "for t{#}, u{#} in enumerate({g}[:3]):", "u{#}[0] += t{#}"),
    (1, "for t{#}, u{#} in {d}.items():", "{d}[t{#}] = u{#} + {n}"),
    (1, "for t{#}, u{#} in {e}.items():", "u{#}[{I}] = {n}"),
    (1, "for t{#} in {e}.values():", "t{#} += [{n}]"),
    (1, "for t{#} in ({o}, {o}):", "t{#}.v += {n}"),
    (1, "for t{#} in ({A}, {A}):", "t{#}[{I}] += {n}"),
    (1, "for t{#} in {a}[:2]:", "{A}[0] = t{#}"),
)
"""Compound statements: their heads, and a form that their bodies begin with. No loop is over what it makes longer."""

FUNCTIONS = (
    ("def f{#}(n, z={A}):", "z[{I}] = n", "return z", "f{#}({n})"),
    ("def f{#}(n):", "{A}[{I}] += n", "return {A}", "f{#}({n})"),
    ("def f{#}(n):", "nonlocal_ {a}", "return {A}", "f{#}({n})"),
    ("def f{#}(z, n):", "z += [n]", "return z", "f{#}({A}, {n})"),
    ("def f{#}(z, n):", "z = z + [n]", "return z", "f{#}({A}, {n})"),
    ("def f{#}(n, *z):", "z[0][0] = n", "return z[-1]", "f{#}({n}, {A}, {A})"),
    ("def f{#}(n, **z):", "z['p'][0] = n", "return z['p']", "f{#}({n}, p={A})"),
)
"""Inner functions: their heads, what they change, what they return, and how they are called."""

WORK = "left, right, spare, rows, grid, counts, more, groups, node, peer, found, marks, level, stage, color"
"""What `work` is given, besides two numbers."""

MAKE = (
    "left, right = [x, 2], [y, 5, 1]", "spare = {a2}", "rows = {g0}", "grid = {g1}", "counts = {{'p': x, 'q': 1}}",
    "more = {d1}", "groups = {{'p': {a3}, 'q': [7, x]}}", "node = Node(x, {a3})", "peer = {o1}", "found = {m1}",
    "marks = {{2}}", "level, stage, color = Level.LOW, {l1}, {h1}",
)  # fmt: skip
"""How `program` makes that; MADE says what a letter with a number stands for."""

MADE = {
    "a2": ("left", "right", "[4, y]"),
    "a3": ("left", "right", "spare", "[x, y]", "rows[0]"),
    "g0": ("[left, right]", "[[1, x], [y, 2]]", "[left, [3, y]]", "[[x, 1]] * 2"),
    "g1": ("rows", "[right, left]", "[list(t) for t in rows]", "rows[::-1]"),
    "d1": ("counts", "{'p': 3, 'q': y}"),
    "o1": ("node", "Node(y, left, node)", "Node(2, [x, 4])"),
    "l1": ("Level.LOW", "Level.HIGH", "Level.HIGH if x > 3 else Level.LOW"),
    "h1": ("Color.RED", "Color.BLUE if x > 3 else Color.RED"),
    "m1": ("None", "None", "left", "[x, x]"),
}

_COMPARED = (
    ("left", "right"), ("spare", "left"), ("right", "spare"), ("rows[0]", "left"), ("rows[0]", "rows[1]"),
    ("rows", "grid"), ("grid[1]", "right"), ("counts", "more"), ('groups["p"]', "left"), ("node", "peer"),
    ("node.items", "spare"), ("node.items", "peer.items"),
)  # fmt: skip

SEEN = (
    *(f"show_list('{name}', {name})" for name in NAMES["a"]),
    *(f"show_rows('{name}', {name})" for name in NAMES["g"]),
    *(f"show_dict('{name}', {name})" for name in NAMES["d"]),
    "for t in groups.values(): show_list('group', t)",
    *(f"show_node('{name}', {name})" for name in NAMES["o"]),
    "if found is None:\n        show('none')\n    else:\n        show_list('found', found)",
    "log(len(marks) + (10 if 1 in marks else 0) + (20 if 'x' in marks else 0))",
    *(f"show_member('{name}', {name})" for name in (*NAMES["l"], *NAMES["h"])),
    *(f"show_same('{first} {second}', {first}, {second})" for first, second in _COMPARED),
)
"""Statements that look at all of it."""
