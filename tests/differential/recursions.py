"""Programs with functions that call themselves and make, fill or carry lists: what they are given are tensors.

    print(recursive_program(7).text)
    check_values(recursive_program(7))      # of `values`: compares results and exceptions with Python's own

Some return a list that grows on the way back, some carry a path (`p + [w]`, or `p.append` and `p.pop`) and put what
they find into a list of the caller, some write to a list or table that all calls share.
"""

from __future__ import annotations

from random import Random

from .grammar import Program

__all__ = ["recursive_program"]

BASES = ("v <= 0", "v <= {d}", "v <= 0 or v % 7 == 6", "v < 1 or v > 40", "not v > 0")

RETURNED = (
    ("[]", "grow(v - {d}) + [v % {m}]"), ("[v]", "[v % {m}] + grow(v - {d})"),
    ("[0, v]", "grow(v - {d}) + grow(v - {e})"),
    ("[1]", "[w + v % {m} for w in grow(v - {d})]"), ("[]", "grow(v - {d}) + [v] * (v % 3)"),
    ("[v, 1]", "grow(v - {d})[::-1] + [v]"), ("[]", "[v] + grow(v - {d}) if v % 2 else grow(v - {d})"),
    ("[]", "grow(v - {d}) if v % {m} == 1 else grow(v - {e}) + [v, {d}]"), ("[2]", "sorted([v % {m}] + grow(v - {d}))"),
)  # fmt: skip
"""What a function returns that makes a list: at the end, and before."""

CARRIED = (("p", "grow(v - {d}, p + [v % {m}])"), ("p + [v]", "grow(v - {d}, [v % {m}] + p)"),
           ("p[:3]", "grow(v - {d}, p + [v, {d}])"), ("[len(p)] + p", "grow(v - {e}, p + [v])"),
           ("p", "grow(v - {d}, p + [v] if v % 2 else p)"), ("p", "grow(v - {d}, p if v % {m} else [v] + p)"),
           ("len(p) + sum(p)", "grow(v - {d}, p + [v % {m}]) + sum(p)"))  # fmt: skip
"""The same of one that carries a list."""

FOUND = ("len(p)", "sum(p)", "p[0] if p else 9", "v % {m}", "p[-1] * 2 if p else v", "max(p + [v])")
"""What goes into the list of the caller."""

STEPS = (
    "for w in range(v % {m}):\n        grow(v - {d} - w, p + [w], out)",
    "p.append(v % {m})\n    grow(v - {d}, p, out)\n    p.pop()",
    "grow(v - {d}, p + [v % {m}], out)\n    grow(v - {e}, p, out)",
    "if v % 2:\n        grow(v - {d}, p, out)\n    else:\n        out.append(v)\n        grow(v - {e}, p + [v], out)",
    "p.append(v)\n    if v % {m} == 0:\n        out.append(sum(p))\n    grow(v - {d}, p, out)",
)

SHARED = (
    "s[v % 3] += v\n    grow(v - {d}, s)\n    s[0] = s[0] % 1000",
    "grow(v - {d}, s)\n    s[v % 3], s[0] = s[0], s[v % 3]",
    "s[v % 3] = v\n    grow(v - {d}, s)\n    if s[0] > {m}:\n        s[1] += 1",
    "s.reverse()\n    grow(v - {e}, s)\n    s[1] += v",
    "for w in range(3):\n        s[w] += v % {m}\n    grow(v - {d}, s)",
)  # fmt: skip


def recursive_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"recursive {seed}")
    numbers = {"d": rng.randint(1, 2), "e": rng.randint(2, 3), "m": rng.randint(2, 5)}
    kind = rng.choice((_returning, _carrying, _filling, _sharing))
    text = kind(rng)
    for name, number in numbers.items():
        text = text.replace(f"{{{name}}}", str(number))
    values = (0, 1, -1, 2, 3, 5, 4, 6)
    inputs = tuple((rng.choice(values), rng.choice(values), rng.choice((1.5, -2.25))) for _ in range(3))
    return Program(seed, text, inputs)


def _ends(rng: Random, result: str) -> str:
    """What is done with the result: used as it is, in a branch or in a loop."""
    return rng.choice((
        f"    return {result}, b\n",
        f"    r = {result}\n    if k > 2:\n        b = len(r)\n    return r, b\n",
        f"    for i in range(abs(k) % 3):\n        b += len({result}) + i\n    return b\n",
        f"    r = [0]\n    if n > k:\n        r = {result}\n    return r, b\n",
        f"    return sum({result}) % 1009, b\n",
    ))  # fmt: skip


def _head(rng: Random, arguments: str, leaf: str, indent: str = "        ") -> str:
    return f"def grow({arguments}):\n    if {rng.choice(BASES)}:\n{indent}{leaf}\n"


def _returning(rng: Random) -> str:
    leaf, step = rng.choice(RETURNED)
    body = f"{_head(rng, 'v', f'return {leaf}')}    return {step}\n"
    return f"{body}\ndef program(n, k, x):\n    b = 3\n{_ends(rng, 'grow(abs(n) % 6)')}"


def _carrying(rng: Random) -> str:
    leaf, step = rng.choice(CARRIED)
    body = f"{_head(rng, 'v, p', f'return {leaf}')}    return {step}\n"
    call = f"grow(abs(n) % 6, {rng.choice(('[]', '[k]', '[k, 2]'))})"
    end = f"    return {call}, b\n" if leaf.startswith("len") else _ends(rng, call)
    return f"{body}\ndef program(n, k, x):\n    b = 3\n{end}"


def _filling(rng: Random) -> str:
    found = rng.choice(FOUND)
    body = _head(rng, "v, p, out", f"out.append({found})\n        return") + f"    {rng.choice(STEPS)}\n"
    first = rng.choice(("[]", "[k % 5]"))
    return f"{body}\ndef program(n, k, x):\n    b, r = 3, {first}\n    grow(abs(n) % 5, [], r)\n{_ends(rng, 'r')}"


def _sharing(rng: Random) -> str:
    body = _head(rng, "v, s", "return") + f"    {rng.choice(SHARED)}\n"
    return f"{body}\ndef program(n, k, x):\n    b, r = 3, [k, 1, 4]\n    grow(abs(n) % 6, r)\n{_ends(rng, 'r')}"
