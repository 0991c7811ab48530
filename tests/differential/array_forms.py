"""What programs on arrays are made of: texts with holes.

{V} a vector of four, {M} a matrix of two rows of three, {W} a view or vector of any length, {S} a number, {E} an
expression that is a vector of four, {C} a condition, {I} an index of a vector, {R} and {K} of a row and a column.
"""

from __future__ import annotations

__all__ = ["FORMS", "HEADER", "SHARED", "SIMPLE"]

HEADER = '''\
import numpy as np

TOTAL = np.zeros(4)
GRID = np.arange(6.0).reshape(2, 3)

class Holder:
    def __init__(self):
        self.v = np.ones(4)

HOLDER = Holder()

class Scope:
    def __enter__(self):
        return self
    def __exit__(self, *error):
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
'''

FORMS = {
    "V": ("a", "b", "c", "a", "b", "c", "TOTAL", "HOLDER.v"),
    "N": ("a", "b", "c"),
    "M": ("m", "m", "GRID"),
    "W": ("w",),
    "I": ("0", "1", "2", "3", "-1", "n % 4"),
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
)  # fmt: skip

SHARED = (
    "v[:4], v[1:5]", "v[:4], v[3::-1]", "v[:4], v[:4]", "v[::2], v[:4]", "v[4:], v[:4]", "v[:4], np.frombuffer(v)[2:6]",
)  # fmt: skip
"""What `a` and `b` are of one array, where the arguments share memory."""
