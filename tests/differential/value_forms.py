"""What programs on numbers, texts and tables of Python are made of: texts with holes (forms.py).

{I} an integer, {F} a float, {C} a condition, {S} a text, {G} a list of integers, {D} a table with three rows of four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["EXTRA", "FORMS", "SIMPLE"]

Forms = Mapping[str, Sequence[str]]

FORMS: Forms = {
    "I": (
        "n", "k", "a", "b", "3", "-2", "({I} + {I})", "({I} - {I})", "({I} * {I} % 1009)", "({I} // ({I} % 5 + 1))",
        "({I} % 7)", "abs({I})", "min({I}, {I})", "max({I}, {I}, 2)", "int({F} % 50)", "round({F} % 50)", "-{I}",
        "divmod({I}, 7)[1]", "({I} % 10) ** 3", "pow(abs({I}), 5, 13)", "math.gcd({I}, {I})", "math.isqrt(abs({I}))",
        "math.floor({F} % 90)", "math.ceil({F} % 90)", "({I} & {I})", "({I} | 5)", "({I} ^ 6)", "(~{I} % 100)",
        "(({I} % 50) << 2)", "({I} >> 1)", "({I}).bit_length()", "sum(range(abs({I}) % 9))", "int({C})", "t[{I} % 4]",
        "(({I}) if {C} else ({I}))", "sum(v for v in t)", "sum(v * 2 for v in t if v > {I})", "max(t)", "t.count({I})",
        "len([v for v in t if v != {I}])", "math.comb(6, {I} % 6)", "operator.mod({I}, 9)", "t[-1]",
    ),
    "F": (
        "x", "y", "0.5", "-1.25", "({F} + {F})", "({F} * 0.25)", "({F} - float({I}))", "({I} / 4)", "({I} * 0.5)",
        "abs({F})", "float({I})", "math.sqrt(abs({F}))", "math.sin({F})", "math.hypot({F}, 1)", "math.atan2({F}, {F})",
        "round({F} % 100, 2)", "({F} % 1.5)", "({F} // 0.5) * 0.01", "max({F}, {F})", "min({F}, 2.5)", "math.pi",
        "math.exp(-abs({F}))", "math.log(abs({F}) + 1)", "math.fabs({F})", "(({F}) if {C} else ({F}))",
        "math.fmod({F}, 2)", "statistics.mean([{F}, 1.5])", "sum([{F}, {F}, 0.5])", "math.copysign(1.5, {F})",
        "math.radians({F})", "({I} / ({I} % 3 + 4))",
    ),
    "C": (
        "{I} > {I}", "{F} < {F}", "{I} % 2 == 0", "not {I} > {I}", "({I} > 1 and {F} > 0)", "({I} == {I} or {F} < {F})",
        "{I} in (1, 2, 3)", "{I} in t", "({I} > 2) is True", "math.isclose({F}, {F})", "-5 < {I} < 10", "bool({I} % 3)",
        "any(v > {I} for v in t)", "all(v > {I} for v in t)", "{I} != {I}", "isinstance({I}, int)", "{F} == float({I})",
    ),
    "S": (
        "s", "u", "str({I} % 997)", "str({I} % 997)[::-1]", "({S} + {S})[:9]", "{S}[1:]", "{S}[:{I} % 5]",
        "({S} * 2)[:9]", "{S}.upper()", "('ab' * ({I} % 3))", "{S}.replace('1', '25')", "f'{{n}}:{{a}}'",
        "format({I} % 100, '04d')",
        "('%d' % ({I} % 100))", "{S}.zfill(4)", "{S}.strip('0')", "''.join(sorted({S}))", "{S}.rjust(5, '*')",
        "''.join(c for c in {S} if c > '4')", "hex({I} % 99)", "bin({I} % 16)[2:]", "chr(97 + {I} % 26)", "{S}.lower()",
        "'-'.join([{S}, {S}])[:9]", "{S}.center(7)", "({S} if {C} else {S})", "''.join(reversed({S}))", "{S}.title()",
        "{S}.removeprefix('1')", "{S}[::2]", "repr({I} % 50)", "max({S} + 'a', {S})[:5]", "{S}.swapcase()",
    ),
    "G": (
        "g", "h", "[{I}, {I}]", "sorted({G})", "{G}[::-1]", "[v + {I} for v in {G}]", "({G} + {G})[:6]", "list({G})",
        "[v for v in {G} if v > {I}]", "{G}[1:]", "([{I}] * 3)", "list(map(abs, {G}))", "list(range(abs({I}) % 5))",
        "[v * i for i, v in enumerate({G})]", "[p * q for p, q in zip({G}, {G})]", "[*{G}, {I}][:6]", "d[1][:]",
        "[row[0] for row in d]", "list(reversed({G}))", "{G}.copy()",
    ),
}  # fmt: skip

SIMPLE = (
    "a = {I} % 1000", "b = {I} % 1000", "b += {I} % 11", "a, b = b % 1000, {I} % 1000",
    "x = {F} % 1000", "y -= {F} * 0.5", "y = {F} % 1000", "a -= {I} % 17", "b //= 2", "y /= 1 + abs({F})",
)  # fmt: skip

EXTRA: dict[str, tuple[Forms, tuple[str, ...]]] = {
    "numbers": ({}, ()),
    "text": (
        {
            "I": ("len({S})", "{S}.count('1')", "{S}.find('3')", "ord(({S} + 'z')[0])", "int('1' + str(abs({I}))[:4])",
                  "sum(int(c) for c in str(abs({I}) % 9999))", "{S}.rfind('2')", "sum(1 for c in {S} if c == '1')"),
            "C": ("{S} == {S}", "{S} < {S}", "'1' in {S}", "{S}.isdigit()", "{S}.startswith('1')", "{S}.isalpha()",
                  "{S}.endswith({S})", "bool({S})", "all(c != '2' for c in {S})"),
        },
        ("s = {S}[:12]", "u = {S}[:12]", "s += str({I} % 10)", "u = s + u[:3]", "s, u = u[:9], s[:9]", "s = {S}[:12]"),
    ),
    "tables": (
        {
            "I": ("d[{I} % 3][{I} % 4]", "(g + [0])[0]", "sum({G})", "len({G})", "sum(map(sum, d))",
                  "max(max(r) for r in d)", "sum(r[{I} % 4] for r in d)", "({G} + [1])[-1]"),
            "C": ("{I} in {G}", "{G} == {G}", "len({G}) > 2", "bool({G})", "any(v > {I} for v in {G})"),
        },
        ("d[{I} % 3][{I} % 4] = {I} % 1000", "d[{I} % 3][{I} % 4] += {I} % 10", "g = {G}[:6]", "h = {G}[:6]",
         "g.append({I} % 1000)", "g = g + [{I} % 1000]", "h = g[:]", "d[{I} % 3] = [{I} % 9, 1, 2, {I} % 9]",
         "g.sort()", "g.reverse()", "h.extend(g[:2])", "d[0], d[1] = d[1], d[0]", "g[0:1] = [{I} % 9]",
         "g.insert(0, {I} % 9)",
         "h += range({I} % 4)", "h.extend(v + 1 for v in {G}[:3])", "h += (v for v in g[:2])",
         "h.extend(reversed(g[:2]))",
         "g[::2] = [{I} % 9 for _ in g[::2]]", "del h[1::2]", "g[:1] = range({I} % 3)", "h = copy.copy(g)",
         "d = copy.deepcopy(d)", "d[a % 3], d[b % 3] = d[b % 3], d[a % 3]", "h = copy.deepcopy({G})",
         "d = [[v % 1000 + {I} % 9 for v in row] for row in d]", "d = [list(row) for row in d]", "(g or [0])[0]"),
    ),
    "keyed": (
        {
            "I": ("m.get({I} % 9, 3)", "len(m)", "len(w)", "sum(w)", "c[{I} % 9]", "len(q)", "sum(m.values()) % 1009",
                  "(max(m) if m else 2)", "c.total()", "(min(w) if w else 0)", "sum(c.elements()) % 97", "len(+c)",
                  "sum(takewhile(lambda v: v < {I}, t))", "sum(islice(t, abs({I}) % 5))", "sum(q) % 1009",
                  "len([len(list(r)) for _, r in groupby(t)])", "max(c.values(), default=4)",
                  "len({{n, k, {I} % 5}})", "{{n: 1, 2: 3}}.get({I} % 9, 0)", "q.count({I} % 9)",
                  "sum(v for v in w)", "sum(k * v for k, v in m.items()) % 1009", "len(w & set(m))",
                  "len(w ^ {{n, 2}})", "len(m.keys() | w)", "e.get((n % 3, {I} % 3), 7)", "len(p)",
                  "sum(i * j for i, j in p)", "len(e)",
                  "sum(e.values()) % 1009", "max(m.values(), default=1) % 1009", "sum(1 for v in q if v in w)",
                  "min(m, key=lambda i: m[i], default=2)", "len(o)",
                  "sum(o.values()) % 1009", "(next(iter(o)) if o else 3)",
                  "o.get({I} % 9, 4)", "(c.most_common(1)[0][1] if c else 0)"),
            "C": ("{I} % 9 in m", "{I} % 9 in w", "w <= {{1, 2, 3}}", "bool(q)", "c == Counter(t)", "bool(w)",
                  "{I} % 9 not in c", "m == {{1: 2, n: k}}", "w == {{n, k}}", "{I} % 9 in q",
                  "({I} % 3, {I} % 3) in p", "(n % 3, {I} % 3) in e", "w.isdisjoint({{{I} % 9, 2}})", "w.issubset(m)",
                  "any(v > {I} for v in m.values())", "all(v in m for v in w)"),
            "G": ("list(m)", "sorted(w)", "list(m.values())", "sorted(c)", "list(q)",
                  "list(dropwhile(lambda v: v < {I}, t))"),
        },
        ("m[{I} % 9] = {I} % 1000", "m[{I} % 9] = m.get({I} % 9, 0) + 1", "w.add({I} % 9)", "w.discard({I} % 9)",
         "q.append({I} % 9)", "q.appendleft({I} % 9)", "c[{I} % 9] += 1", "c.update([{I} % 5, 2])",
         "c.subtract([{I} % 5])", "m.pop({I} % 9, 0)", "w |= {{{I} % 9}}", "w = w - {{{I} % 5}}", "w = set(t) & w",
         "m = {{**m, {I} % 9: 1}}", "c = c + Counter([{I} % 5])", "c = c - Counter([{I} % 5])", "q.rotate({I} % 3)",
         "m = {{v % 9: v for v in t}}", "b = (b + m.setdefault({I} % 9, 5)) % 1000", "q.extend({G}[:2])",
         "m.update({{{I} % 9: 4}})", "w.update({G}[:3])", "g = {G}[:6]", "c = Counter({G}[:5])",
         "e[n % 3, {I} % 3] = {I} % 100", "e[(n % 3, {I} % 3)] = e.get((n % 3, {I} % 3), 0) + 1",
         "p.add(({I} % 3, {I} % 3))",
         "p.discard(({I} % 3, {I} % 3))", "p = p | {{(n % 3, {I} % 3)}}", "w ^= {{{I} % 5, 3}}", "w -= {{{I} % 5}}",
         "w |= {{(v + {I}) % 9 for v in (1, 2)}}", "w = {{(v + {I}) % 9 for v in w}}", "q = copy.deepcopy(q)",
         "m = {{({I} + v) % 9: v for v in range(3)}}", "w = copy.copy(w)", "m = copy.deepcopy(m)", "g += w",
         "w = {{v % 5 for v in q}}", "o[{I} % 9] = {I} % 1000", "o.pop({I} % 9, 0)",
         "o.move_to_end(next(iter(o))) if o else 0", "o.popitem(last=False) if len(o) > 2 else 0",
         "m.popitem() if len(m) > 2 else 0",
         "m = {{v: i for i, v in enumerate(sorted(w))}}", "m = dict(zip(sorted(w), t))",
         "w.intersection_update({G})", "w.remove({I} % 9) if {I} % 9 in w else w.add(1)", "q = deque({G}[:4])"),
    ),
}  # fmt: skip
"""By family: further forms, and further statements."""
