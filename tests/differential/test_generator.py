"""The generator by itself: valid, deterministic, terminating, lively programs, and every pair of constructs."""

from __future__ import annotations

import hashlib
import linecache
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from .author import FLOATS, INTEGERS
from .containers import container_program
from .forms import Filler
from .grammar import Program, program
from .oracle import Endless, codes, loaded, observe, reached_lines, telling_inputs
from .pairs import CONTAINER_PAIRS, PYTHON_PAIRS, STAGED_PAIRS, Layout, pairs, rare, table
from .shrink import shrink
from .staged_grammar import LANGUAGE, staged_program

DIGEST = "import hashlib; from tests.differential.grammar import program; "
DIGEST += "print(hashlib.sha256(repr([program(seed) for seed in range(200)]).encode()).hexdigest())"


def test_a_seed_gives_the_same_program_under_another_hash_seed() -> None:
    here = hashlib.sha256(repr([program(seed) for seed in range(200)]).encode()).hexdigest()
    run = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == here


def test_the_families_differ_in_their_numbers() -> None:
    assert "% 97" in program(3).text and "% 64.0" not in program(3).text
    assert "% 64.0" in program(3, FLOATS).text and "% 97" not in program(3, FLOATS).text


def test_programs_end_and_reach_most_of_their_lines() -> None:
    reached = total = errors = runs = 0
    for seed in range(300):
        given = program(seed, FLOATS if seed % 4 == 0 else INTEGERS)
        filename = f"<generator test {seed}>"
        with loaded(given.text, filename) as namespace:
            inputs = telling_inputs(given, filename, namespace)
            lines: set[int] = set()
            for values in inputs:
                outcome = observe(namespace["program"], values, filename, namespace)
                assert Endless.__name__ not in outcome.error
                assert len(outcome.events) < 20_000
                errors += bool(outcome.error)
                runs += 1
                lines |= reached_lines(namespace["program"], values, filename, namespace)
            own = {
                line
                for code in codes(namespace["program"].__code__)
                for *_, line in code.co_lines()
                if line and line != code.co_firstlineno
            }
        assert filename not in linecache.cache
        reached += len(lines & own)
        total += len(own)
    assert reached / total > 0.6
    assert 0.05 < errors / runs < 0.35


def test_a_run_is_repeatable() -> None:
    for seed in range(50):
        given = program(seed)
        with loaded(given.text, "<repeat>") as namespace:
            first, second = [observe(namespace["program"], given.candidates[0], "<repeat>", namespace) for _ in "ab"]
        assert first == second


@pytest.mark.parametrize(
    ("write", "layout"),
    [
        (program, PYTHON_PAIRS),
        (partial(staged_program, grammar=LANGUAGE), STAGED_PAIRS),
        (container_program, CONTAINER_PAIRS),
    ],
)
def test_every_construct_stands_in_every_other(write: Callable[[int], Program], layout: Layout) -> None:
    """Somewhere in 2,000 programs, of which most need not be written to see it."""
    counts: Counter[tuple[str, str]] = Counter()
    for seed in range(2000):
        counts.update(pairs(write(seed).text))
        if seed % 50 == 49 and not rare(counts, 200, layout):
            return
    raise AssertionError(table(counts, layout))


def test_pairs_stop_at_a_function() -> None:
    found = pairs("for i in x:\n    def f():\n        if i:\n            return 1\n")
    assert found == {("for", "def"): 1, ("def", "if"): 1, ("def", "return"): 1, ("if", "return"): 1}


def test_the_shrinker_keeps_only_what_fails() -> None:
    loop = "        for i in x:\n            b = 2\n            bug()\n"
    text = f"def f(x):\n    a = 1\n    if x:\n{loop}    else:\n        c = 3\n    return a\n"
    assert shrink(text, lambda candidate: "bug" in candidate) == "def f(x):\n    bug()\n"


def test_the_shrinker_returns_the_text_if_it_does_not_fail() -> None:
    assert shrink("a = 1\nb = 2\n", lambda candidate: False) == "a = 1\nb = 2\n"


def test_a_hole_behind_a_brace_keeps_the_brace_of_what_fills_it() -> None:
    filler = Filler(Random(0), {"D": ("{{1: 2}}",)}, "")
    assert filler.fill("{{{D}[1], 2}}") == "{{1: 2}[1], 2}"
