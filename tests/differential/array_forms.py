"""What programs on arrays are made of: texts with holes.

{V} a vector of four, {M} a matrix of two rows of three, {W} a view or vector of any length, {S} a number, {E} an
expression that is a vector of four, {C} a condition, {I} an index of a vector, {R} and {K} of a row and a column, {P} a
view of a vector, {Q} one of a matrix, which has at least one element.
"""

from __future__ import annotations

__all__ = ["FORMS", "HEADER", "SHARED", "SIMPLE"]

HEADER = '''\
import numpy as np

TOTAL = np.zeros(4)
GRID = np.arange(6.0).reshape(2, 3)

class Holder:
    shared = np.zeros(4)
    def __init__(self):
        self.v = np.ones(4)
    def put(self, k):
        self.v[0] = k
        return self.v
    def part(self, k):
        if k > 0:
            return self.v[1:]
        return self.shared[:3]

HOLDER = Holder()

class Scope:
    def __init__(self, v=None):
        self.v = v
    def __enter__(self):
        return self
    def __exit__(self, *error):
        if self.v is not None:
            self.v[3] += 1.0
        return False

def bump(v, k):
    v[0] += k

def swap(v, w):
    saved = v.copy()
    v[:] = w
    w[:] = saved

def part_of(v):
    return v[1:3]

def set_row(grid, r, k):
    for j in range(3):
        grid[r, j] = grid[r, j] * 0.5 + k

def pick(v, w, k):
    if k > 0:
        return v
    return w

def halves(v):
    if len(v) > 1:
        v[0] += v[-1]
        halves(v[: len(v) // 2])
        halves(v[len(v) // 2 :])

def moved(v, k):
    if k > 0.5:
        v = v * 0.5
    v[1] = k
    return v

def found(v, w, k):
    for i in range(4):
        if v[i] > k:
            return v, i
    return w, 0

def view_or_none(v, k):
    for i in range(3):
        if v[i] > k:
            return v[i:]
    return None

def pair_of(v, w, k):
    if k > 0.5:
        return v[1:], w[:3]
    return w[1:], v[:3]

def cached(k, seen=np.zeros(2)):
    seen[0] += k
    return seen

def guarded(v, k):
    try:
        v[0] = k
        if k > 0:
            return v[:2]
    finally:
        v[1] *= 0.5
    return v[2:]

def halved(v, depth):
    if depth == 0:
        return v
    v[depth] *= 0.5
    return halved(v, depth - 1)

def both(v, k):
    v[0] = k
    yield v[1:]
    v[1] = k
    yield v
'''

FORMS = {
    "V": ("a", "b", "c", "a", "b", "c", "TOTAL", "HOLDER.v"),
    "N": ("a", "b", "c"),
    "M": ("m", "m", "GRID"),
    "W": ("w",),
    "I": ("0", "1", "2", "3", "-1", "n % 4"),
    "P": ("{V}[1:]", "{V}[::-1]", "{V}[::2]", "{V}[1:][::-1]", "{V}[::-1][1:3]", "{V}.reshape(2, 2)[{R}]",
          "{V}.reshape(2, 2).T[{R}]", "{V}[None][0]", "{V}.view()", "np.squeeze({V}[None])", "np.asarray({V})",
          "np.atleast_2d({V})[0]", "{V}.astype(float, copy=False)", "np.flip({V})", "{V}.reshape(-1, 2).ravel()",
          "np.expand_dims({V}, 1)[:, 0]", "{V}.real", "np.array_split({V}, 3)[{R}]", "{V}[..., 1:]", "{V}.T",
          "{V}.reshape(2, 2).T.ravel()", "{V}.copy()[1:]", "{V}.flatten()", "np.ascontiguousarray({V}[::2])"),
    "Q": ("{M}.T[{K}]", "{M}[:, {K}]", "{M}[{R}][::-1]", "{M}[::-1][{R}]", "{M}.swapaxes(0, 1)[{K}]", "{M}.ravel()[1:]",
          "np.swapaxes({M}, 0, 1)[1:, {R}]", "{M}.reshape(3, 2)[{K}]", "{M}.reshape(3, 2).T[{R}]",
          "np.moveaxis({M}, 0, 1)[{K}]",
          "{M}.transpose()[{K}]", "{M}[:, 1:].T[0]", "np.ravel({M}.T)", "{M}[{R}:][0]", "np.flipud({M})[{R}]",
          "np.fliplr({M})[{R}]", "np.rot90({M})[{K}]", "np.vsplit({M}, 2)[{R}][0]", "np.hsplit({M}, 3)[{K}][:, 0]",
          "{M}[None, ..., {K}][0]", "{M}.T.reshape(-1)", "np.transpose({M})[{K}]", "{M}[:, ::2][{R}]"),
    "R": ("0", "1", "-1", "n % 2"),
    "K": ("0", "1", "2", "-1", "n % 3"),
    "S": ("x", "1.5", "-2.0", "0.25", "{V}[{I}]", "{V}.sum() * 0.1", "{M}[{R}, {K}]", "{V}.max()", "w[0]", "s",
          "x * 0.5", "np.abs({V}[{I}])"),
    "E": ("{V}", "{V} * 0.5", "{V} + {V}", "{V} - {S}", "np.where({V} > {S}, {V}, {S})", "{V}[::-1]", "np.sort({V})",
          "np.concatenate([{V}[:2], {V}[2:]])", "np.abs({V})", "{V}.copy()", "np.zeros(4)", "np.full(4, {S})",
          "np.minimum({V}, {V})", "np.roll({V}, 1)", "{V}.reshape(2, 2).T.ravel()", "np.cumsum({V}) * 0.25"),
    "C": ("x > 0", "x < 0.5", "{V}[{I}] > {S}", "{V}.sum() > {S}", "n > 1", "n % 2 == 0", "True", "(m > {S}).any()"),
}  # fmt: skip

SIMPLE = (
    (6, "{V}[{I}] = {S}"),
    (5, "{V}[{I}] += {S}"),
    (3, "{V}[1:3] = {S}"),
    (3, "{V}[1:] += {V}[:-1]"),
    (2, "{V}[::-1][0] = {S}"),
    (2, "{V}[::2] *= 0.5"),
    (2, "{V}[[0, 2]] = {S}"),
    (2, "{V}[{V} > {S}] = {S}"),
    (3, "{V}[:] = {E}"),
    (3, "{V} += {E}"),
    (2, "{V} *= 0.5"),
    (2, "{V}[{I}], {V}[{I}] = {V}[{I}], {S}"),
    (3, "{M}[{R}] = {S}"),
    (3, "{M}[{R}, {K}] += {S}"),
    (2, "{M}[:, {K}] = {S}"),
    (2, "{M}.T[{K}] = {S}"),
    (2, "{M}.ravel()[{I}] = {S}"),
    (2, "{M}.reshape(3, 2)[{K}, 1] = {S}"),
    (1, "{M}.flat[{I}] = {S}"),
    (1, "{M}[...] = {M}[::-1]"),
    (1, "np.split({V}, 2)[{R}][1] = {S}"),
    (1, "np.flip({V})[0] = {S}"),
    (2, "np.add({V}, {V}, out={V})"),
    (1, "np.multiply({V}, 0.5, out={V}, where={V} > {S})"),
    (1, "np.copyto({V}, {V}, where={V} > {S})"),
    (1, "np.put({V}, [0, 3], {S})"),
    (1, "np.putmask({V}, {V} > {S}, {S})"),
    (1, "np.place({V}, {V} > {S}, [{S}])"),
    (1, "np.fill_diagonal({M}, {S})"),
    (1, "np.add.at({V}, [0, 0, {I}], {S})"),
    (1, "{V}.sort()"),
    (1, "{V}.fill({S})"),
    (1, "{V}.put([1], {S})"),
    (1, "z = {V} + 1j * {V}; z.real[0] = {S}; z.imag[1:] = {S}; {V}[:] = z.real - z.imag"),
    (4, "w = {V}[1:]"),
    (2, "w = {V}[::-1]"),
    (2, "w = {M}[{R}]"),
    (1, "w = {M}.T[{K}]"),
    (1, "w = {M}.ravel()"),
    (1, "w = {V}"),
    (5, "w[0] = {S}"),
    (4, "w += {S}"),
    (2, "w[1:] *= 0.5"),
    (4, "{N} = {E}"),
    (4, "{N} = {V}"),
    (3, "{N}, {N} = {V}, {V}"),
    (3, "a, b = b, a"),
    (3, "{N} = {V} if {C} else {V}"),
    (1, "{N} = {N} * 0.5"),
    (2, "pair = [{V}, {V}]; pair[1][{I}] = {S}"),
    (1, "pair = [{V}, {V}]; pair[0], pair[1] = pair[1], pair[0]; pair[0][{I}] += {S}"),
    (1, "table = {{'k': {V}}}; table['k'][{I}] += {S}"),
    (1, "both = ({V}, {V}); both[1][{I}] = {S}"),
    (1, "HOLDER.v[{I}] = {S}"),
    (2, "bump({V}, {S})"),
    (2, "bump({V}[1:], {S})"),
    (1, "swap({V}, {V})"),
    (1, "part_of({V})[0] = {S}"),
    (1, "set_row({M}, {R}, {S})"),
    (1, "pick({V}, {V}, {S})[{I}] = {S}"),
    (1, "swap({V}[1:], {V}[:-1])"),
    (1, "halves({V})"),
    (1, "bins = [{V}, {V}[1:], w]; bins[{R}][0] += {S}"),
    (1, "w = {V}[1:] if {C} else {V}"),
    (1, "w = {M}[n % 2] if {C} else {V}"),
    (1, "{N} = moved({V}, {S})"),
    (1, "{N} = np.array([{S}, {S}, 0.0, 1.0])"),
    (2, "s = {S}"),
    (1, "s = sum([row[0] for row in {M}])"),
    (1, "rows = [row for row in {M}]; rows[{R}][1] = {S}"),
    (1, "a, b, c = sorted([a, b, c], key=len)"),
    (8, "{P}[0] = {S}"),
    (4, "{P}[-1] += {S}"),
    (8, "{Q}[0] = {S}"),
    (4, "{Q}[-1] *= 0.5"),
    (5, "w = {P}"),
    (5, "w = {Q}"),
    (3, "w = {P} if {C} else {Q}"),
    (2, "w[...] = {S}"),
    (2, "w = w[::-1]"),
    (1, "bump({P}, {S})"),
    (2, "p = {P}; np.add(p, {S}, out=p)"),
    (2, "p = {Q}; np.multiply(p, 0.5, out=p)"),
    (2, "np.clip({V}, -1.0, {S} ** 2, out={V})"),
    (1, "np.cumsum({V}, out={V})"),
    (1, "np.maximum.accumulate({V}, out={V})"),
    (1, "np.subtract({V}[1:], {V}[:-1], out={V}[1:])"),
    (1, "np.copyto({P}, {S})"),
    (2, "{V}[[{I}, {I}]] += {S}"),
    (2, "{V}[np.array([0, 2])] *= {S}"),
    (1, "{V}[[True, False, True, False]] -= {S}"),
    (2, "{V}[{V}.argmax()] = {S}"),
    (1, "{V}[np.argsort({V})] = {V}"),
    (1, "{M}[[0, 1], [{K}, {K}]] = {S}"),
    (1, "{M}[np.ix_([0, 1], [0, 2])] += {S}"),
    (1, "{M}[:, [0, 2]] = {S}"),
    (1, "{M}[{M} < {S}] *= 0.5"),
    (1, "{M}[{R}], {M}[{R}] = {M}[{R}].copy(), {S}"),
    (2, "for row in {M}: row *= 0.5"),
    (2, "for row in {M}.T: row[0] += {S}"),
    (2, "for j, row in enumerate({M}): row[j] = {S}"),
    (2, "for row, k in zip({M}, {V}): row[1:] -= k"),
    (1, "for j in range(3): {V}[j + 1] += {V}[j]"),
    (1, "for part in ({V}, {P}): part[0] = {S}"),
    (1, "for part in np.split({V}, 2): part[1] += {S}"),
    (1, "for j, k in np.ndenumerate({M}): {M}[j] = k * 0.5"),
    (1, "first, second = {M}; first[0] = {S}; second[:] = first"),
    (1, "first, *others = {V}; {V}[0] = others[1]"),
    (2, "views = [{V}[j:] for j in range(3)]; views[{R}][0] = {S}"),
    (1, "views = {{'p': {P}, 'q': {Q}}}; views['p'][0] = {S}; views['q'] += {S}"),
    (2, "put = lambda v: v.fill({S}); put({P})"),
    (2, "p, q = ({V}, {P}) if {C} else ({P}, {V}); p[0] = {S}; q[-1] = {S}"),
    (2, "both_of = ({V}, 1) if {C} else ({V}, 2); both_of[0][{I}] += {S} * both_of[1]"),
    (2, "p, j = found({V}, {V}, {S}); p[j] = {S}"),
    (2, "p = view_or_none({V}, {S}); s = s if p is None else p[0]"),
    (1, "p = view_or_none({V}, {S}); p = {V} if p is None else p.copy(); p[0] = {S}"),
    (2, "p, q = pair_of({V}, {V}, {S}); p[0] = {S}; q[1] += p[2]"),
    (1, "p = cached({S}); p[1] = {S}; s = p[0]"),
    (2, "p = guarded({V}, {S}); p[0] += {S}"),
    (1, "p = halved({P}, 1); p[0] = {S}"),
    (1, "for p in both({V}, {S}): p[-1] *= 0.5"),
    (1, "HOLDER.put({S})[{I}] += {S}"),
    (1, "HOLDER.part({S})[0] = {S}"),
    (1, "Holder.shared[{I}] = {S}"),
    (1, "HOLDER.shared[1:] = {S}"),
    (1, "GRID[...] = {M} * 0.5"),
    (2, "p = q = {P}; p[0] = {S}; s = q[0]"),
    (2, "pair = [np.array([{S}, {S}]), w]; pair[0][1] += {S}; pair[1][0] = pair[0][1]"),
    (2, "p = np.array([{S}, 1.0, {S}]); q = p[1:]; q[0] += {S}; {V}[:3] = p"),
    (1, "p = np.stack([{V}, {V}]); p[0, 1] = {S}; {V}[:] = p[0]"),
    (1, "records = np.zeros(2, [('u', float), ('v', float)]); records['u'][0] = 1.5; {V}[0] = records['u'][0]"),
    (1, "k = np.zeros(3, int); k[{R}] += 2; k[1:] *= n; {V}[:3] += k"),
    (1, "mask = {V} > {S}; mask[0] = True; {V}[mask] = {S}"),
    (1, "{V}[{R}:{R} + 2] = {V}[2:]"),
    (1, "{V}[: n % 3] = {S}"),
    (1, "p = {V}[n % 3 :]; p[0] = {S}"),
    (1, "{M}[{R}].sort()"),
    (1, "s = max({P}, key=abs)"),
    (1, "total = np.zeros_like({V}); total += {V}; total[0] = {S}; {V}[:] = total"),
    (1, "p = {V} + 1j; p.imag[1:] = {S}; {V}[:] = p.imag"),
)  # fmt: skip

SHARED = (
    "v[:4], v[1:5]", "v[:4], v[3::-1]", "v[:4], v[:4]", "v[::2], v[4:]", "v[4:], v[:4]", "v[:4], np.frombuffer(v)[2:6]",
)  # fmt: skip
"""What `a` and `b` are of one array, where the arguments share memory.

Not `v[::2], v[:4]`: of vectors with other strides from one start, numpy's `a[:] = b` reads what it has just written.
"""
