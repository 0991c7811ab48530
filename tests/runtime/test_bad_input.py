"""Functions that runtime.function cannot convert: each is refused with its file and line, the reason and a remedy."""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from autograph import ConversionWarning, SourceUnavailableError, StaleSourceError, UnsupportedSyntaxError

ROOT = Path(__file__).parents[2]
BRANCH = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
three = tf.constant(3)


def executed() -> Any:
    namespace: dict[str, Any] = {}
    exec(BRANCH, namespace)
    return namespace["f"]


def test_functions_of_exec() -> None:
    with pytest.raises(SourceUnavailableError, match=r"<string>:1: the source of 'f' .*into a file.*do_not_convert"):
        tf.function(executed())(three)


def test_a_callee_without_source_is_told_of_before_it_fails() -> None:
    callee = executed()

    def caller(x):
        return callee(x)

    with (
        pytest.warns(ConversionWarning, match=r"'f' runs as plain Python.*<string>:1"),
        pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"<string>:2 in f.*not converted"),
    ):
        tf.function(caller)(three)


@pytest.mark.parametrize("function", [len, math.sqrt])
def test_functions_written_in_c(function: Any) -> None:
    words = f"{function.__name__}.* written in C.*convert the Python function"
    with pytest.raises(SourceUnavailableError, match=words):
        tf.function(function)(three)


def test_a_class_written_in_c_has_no_known_parameters() -> None:
    with pytest.raises(TypeError, match="parameters of <class 'int'> are not known.*decorate a Python function"):
        tf.function(int)(three)


@pytest.mark.parametrize("arguments", [["-i", "-q"], ["-"]], ids=["prompt", "stdin"])
def test_functions_typed_at_a_prompt(arguments: list[str]) -> None:
    """Before Python 3.13 nobody keeps what was typed; since then the prompt does."""
    program = f"import runtime as tf\n{BRANCH}\nprint(int(tf.function(f)(tf.constant(-3))) + 4000)\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, *arguments], input=program, capture_output=True, text=True, timeout=60, env=environment
    )
    found = "4003" in run.stdout
    refused = "SourceUnavailableError: <stdin>" in run.stderr and "typed at a prompt" in run.stderr
    assert found != refused, run.stderr
    assert found or sys.version_info < (3, 13) or arguments == ["-"], run.stderr


def test_source_that_changed_after_the_import(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(BRANCH)
    spec = importlib.util.spec_from_file_location("model_that_changes", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text(BRANCH.replace("-x", "x * 100"))
    with pytest.raises(StaleSourceError, match=r"model\.py:1: the source of 'f' .*changed.*reload"):
        tf.function(module.f)(three)


def test_asserts_that_pytest_has_rewritten_are_converted() -> None:
    def checked(x):
        if x > 5:
            x = x - 1
        assert x < 5, "x is too large"
        return x

    assert "@py_assert" in " ".join(checked.__code__.co_varnames) or "_call_assertion_pass" in str(
        checked.__code__.co_names
    ), "pytest rewrites the asserts of its test modules; this test would say nothing otherwise"
    assert int(tf.function(checked)(three)) == 3
    with pytest.raises(AssertionError, match="x is too large"):
        tf.function(checked)(tf.constant(7))


async def waits(x):
    return x


async def waits_and_yields(x):
    yield x


@pytest.mark.parametrize(
    ("function", "kind"),
    [(waits, "async function"), (waits_and_yields, "async generator function")],
)
def test_functions_whose_call_does_not_run_them(function: Any, kind: str) -> None:
    place = rf"test_bad_input\.py:{function.__code__.co_firstlineno}"
    with pytest.raises(UnsupportedSyntaxError, match=rf"{place}: '{function.__name__}' \(an? {kind}\)"):
        tf.function(function)(three)


def test_two_lambdas_on_a_line() -> None:
    # fmt: off
    up, down = tf.function(lambda x: x + 1 if x > 0 else x), tf.function(lambda x: x - 1 if x > 0 else x)
    # fmt: on
    assert (int(up(three)), int(down(three))) == (4, 2)


@pytest.mark.parametrize(
    ("use", "kind", "words"),
    [
        (lambda x: bool(x > 1), "bool", "not converted"), (lambda x: [0, 1, 2, 3][x], "index", "runtime.gather"),
        (lambda x: list(x), "iterated", "runtime.unstack"), (lambda x: math.floor(x), "float", "runtime.math"),
    ],
)  # fmt: skip
def test_python_values_of_symbolic_tensors_without_conversion(use: Any, kind: str, words: str) -> None:
    function = tf.function(use, autograph=False)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=kind) as caught:
        function(three)
    assert words in str(caught.value) and f"{__file__}:" in str(caught.value)


def test_nothing_is_left_behind_by_a_refusal() -> None:
    refused = tf.function(executed())
    for _ in range(2):
        with pytest.raises(SourceUnavailableError):
            refused(three)
    assert refused.experimental_get_tracing_count() == 0
