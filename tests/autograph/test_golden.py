"""Every golden case: the expected text, and what must hold for any generated text."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import types
from collections.abc import Iterator

import pytest

import autograph
from autograph.rules import is_own_code

from .golden import MARK, Case, generated_text, load_cases, run

CASES = load_cases()
CONVERTED = [case for case in CASES if not case.expected.startswith("# UnsupportedSyntaxError")]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
every_converted_case = pytest.mark.parametrize("case", CONVERTED, ids=lambda case: case.name)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


@every_case
def test_the_generated_text_is_the_expected_one(case: Case) -> None:
    assert case.expected, f"{case.name} has no expected text; see golden.py"
    assert generated_text(case) == case.expected


@every_converted_case
def test_the_text_parses_and_printing_it_again_changes_nothing(case: Case) -> None:
    text = generated_text(case)
    again = ast.unparse(ast.parse(text)) + "\n"
    assert ast.dump(ast.parse(again)) == ast.dump(ast.parse(text))
    assert text.strip() == again.strip()


@every_converted_case
def test_every_line_of_the_code_is_a_line_of_the_function(case: Case) -> None:
    names = case.namespace()
    original = case.entity(names).__code__
    converted = case.apply(autograph.to_graph, names).__code__
    allowed = {line for code in codes(original) for *_, line in code.co_lines() if line}
    first = min(allowed)
    last = max([line for code in codes(original) for *_, line, _, _ in code.co_positions() if line])
    assert first - 1 <= converted.co_firstlineno <= last
    for code in codes(converted):
        if is_own_code(code.co_filename):  # get_state and set_state, where no breakpoint of the user's may stop
            assert code.co_filename.endswith("generated")
        else:
            assert code.co_filename == original.co_filename
        lines = {line for *_, line in code.co_lines() if line}
        assert all(first <= line <= last for line in lines), (code.co_name, sorted(lines - allowed))


@every_converted_case
def test_original_and_converted_agree(case: Case) -> None:
    assert case.calls, f"{case.name} has no line `# calls:`"
    for position in range(len(eval(case.calls, case.namespace()))):
        outcomes = []
        for choose in (Case.entity, lambda case, names: case.apply(autograph.to_graph, names)):
            names = case.namespace()  # fresh globals and closures for each call
            outcomes.append(run(choose(case, names), eval(case.calls, names)[position]))
        assert outcomes[0] == outcomes[1]


def test_the_text_is_the_same_under_another_hash_seed() -> None:
    digests = []
    for seed in ("1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-m", "tests.autograph.golden", "--digest"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.append(done.stdout)
    assert digests[0] == digests[1]
    assert digests[0].count("\n") == len(CASES)


def test_there_are_enough_cases_and_each_has_one_mark() -> None:
    assert len(CASES) >= 100
    for case in CASES:
        assert case.path.read_text(encoding="utf-8").count(MARK) == 1
