"""Conditions ask each of their operands for its truth exactly as often as Python does, and in its order."""

from __future__ import annotations

from itertools import product

import pytest

from tests.autograph.comparing import assert_same, outcome
from tests.autograph.comparing import module as run_module

ASKED = """
    class Asked:
        def __init__(self, name, truth):
            self.name, self.truth = name, truth

        def __bool__(self):
            log(self.name)
            return self.truth

        def __lt__(self, other):
            return Asked(f'{self.name} < {other.name}', self.truth)

        def __repr__(self):
            return self.name

    def f(*truths):
        return run(*(Asked(name, truth) for name, truth in zip('abc', truths)))
"""

PROGRAMS = {
    "if or": "if a or b: return 1\n        return 2",
    "if and, or": "if a and b or c: return 1\n        return 2",
    "if a walrus": "if (y := a or b) and c: return y\n        return 3",
    "if many": "if a and 1 and b or c and 0 or not c or a and b and a and b and a and b and a and b: return 1",
    "not of or": "return 1 if not (a or b) else 2",
    "ternary": "return 1 if (a or b) and c else 2",
    "ternary in a test": "return 1 if (a and b if c else b or a) else 2",
    "while": "n = 0\n        while a and b and n < 1: n += 1\n        return n",
    "while of a chain": "while not (a < b < c): return 1",
    "while with break": "while a or b:\n            if c and a: break\n            return 1\n        return 2",
    "for": "for i in (1, 2):\n            if a or b: break\n            if c and a: continue\n        else: return 1",
    "assert": "assert a and b, 'no'",
    "chain": "return 1 if a < b < c else 2",
    "value of a chain": "return a < b < c",
    "value": "return a or b and c, not (a or b), (a and b) is a, bool(b or c)",
    "list comprehension": "return [x for x in (1, 2) if a or b]",
    "other comprehensions": "return {x: 1 for x in (1, 2) if a and b}, {x for x in (1,) if not (a or c)}",
    "generator expression": "return list(x for x in (1, 2) if a or b if b and c)",
    "generator": "\n        def g():\n            if a or b: yield 1\n        return list(g())",
    "class body": "\n        class K:\n            if a or not (b and c): z = 1\n        return 'z' in vars(K)",
    "guard": "\n        match 1:\n            case 1 if a or b: return 1\n        return 2",
    "lambda": "return (lambda: 1 if a and b else 2)()",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_operands_are_asked_as_often_as_in_python(name: str) -> None:
    assert_same(f"{ASKED}\n    def run(a, b, c):\n        {PROGRAMS[name]}\n", *product([True, False], repeat=3))


def test_what_is_compared_tells_how_often_an_operand_is_asked() -> None:
    """Python asks for the truth of `a or b` again where its value is wanted, and not where only its truth is."""
    with run_module(f"{ASKED}\n    def run(a, b, c):\n        return 1 if a or b else 2\n") as namespace:
        once = outcome(namespace["f"], namespace, (True, True, True))
    with run_module(f"{ASKED}\n    def run(a, b, c):\n        y = a or b\n        return 1 if y else 2\n") as namespace:
        twice = outcome(namespace["f"], namespace, (True, True, True))
    assert (once, twice) == (("('a',)", "1"), ("('a',)", "('a',)", "1"))
