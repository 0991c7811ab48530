"""Random programs as Functions and as what is loaded of them: values, gradients, effects and errors are the same."""

from __future__ import annotations

import contextlib
import io
import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.programs import program as with_gradients
from tests.runtime.autodiff.rich_programs import HEADER, rich_program
from tests.runtime.autodiff.ways import gradient, second
from tests.runtime.comparing import plain
from tests.runtime.saving.models import holder
from tests.runtime.state.random_programs import INPUTS
from tests.runtime.state.random_programs import program as with_state

QUICK, ALL = 4, 600
GRADIENTS = 2
"""Programs with gradients take many times as long as those with effects."""

ERRORS = (tf.errors.OpError, ValueError, TypeError, ArithmeticError, LookupError, AssertionError, NameError)
"""What a program may raise. What staging refuses is among them: then there is nothing to save."""


def executed(text: str, name: str) -> dict[str, Any]:
    """The globals of a program that was run; autograph finds its text."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": "a_program"}
    exec(compile(text, name, "exec"), space)
    return space


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return plain(call())
    except ERRORS as error:
        return type(error).__name__, str(error)


def results(function: Any, args: list[Any]) -> list[Any]:
    """The value, and the gradients of first and second order."""
    ways = (lambda f, *args: f(*args), gradient, second)
    return [outcome(lambda w=way: w(function, *args)) for way in ways]


def check_gradients(seed: int, text: str, directory: Path) -> bool:
    """Whether the program can be saved; if so, compares values and gradients of first and second order, to the bit."""
    f = tf.function(executed(text, f"<program {seed}>")[f"program_{seed}"])
    numbers = np.random.default_rng(seed)
    args = [tf.constant(numbers.uniform(-1, 1, shape)) for shape in ((), (), 3)]
    args.append(tf.constant(int(numbers.integers(0, 4))))
    f(*args)
    try:
        tf.saved_model.save(holder(f=f), directory)
    except ValueError as error:
        assert "cannot be saved: it " in str(error)
        return False
    loaded = tf.saved_model.load(directory).f
    found, wanted = results(loaded, args), results(f, args)
    if "does not hold its rule" in str(found):  # a custom gradient that no graph holds
        found, wanted = found[:1], wanted[:1]
    assert str(found) == str(wanted), text
    return True


@pytest.mark.parametrize(("write", "header"), [(with_gradients, "import runtime as tf\n"), (rich_program, HEADER)])
def test_gradients(write: Callable[[int], str], header: str, tmp_path: Path) -> None:
    saved = [check_gradients(seed, header + write(seed), tmp_path) for seed in range(GRADIENTS)]
    assert sum(saved) > GRADIENTS // 2


def effects(main: Any, variables: dict[str, Any]) -> list[Any]:
    """What a program does, call by call."""
    seen = []
    for (x, y), given in zip(INPUTS, "adbd", strict=True):
        out = io.StringIO()
        with contextlib.redirect_stderr(out):
            result = outcome(lambda a=x, b=y, v=variables[given]: main(tf.constant(a), tf.constant(b), v))
        seen.append((result, out.getvalue(), [plain(v.value()) for v in variables.values()]))
    return seen


def check_effects(seed: int, directory: Path) -> bool:
    """Whether the program can be staged; if so, compares all that it does to its Variables."""
    text = with_state(seed)
    space = executed(text, f"<program {seed} of state>")
    variables = {name: space[name] for name in ("a", "b", "c", "d", "spare")}
    main = tf.function(space["main"])
    try:
        main.get_concrete_function(tf.constant(1), tf.constant(2), space["a"])
    except Exception:
        return False
    tf.saved_model.save(holder(main=main, **variables), directory)
    loaded = tf.saved_model.load(directory)
    found = effects(loaded.main, {name: getattr(loaded, name) for name in variables})
    assert found == effects(main, variables), text
    return True


def test_effects(tmp_path: Path) -> None:
    assert sum(check_effects(seed, tmp_path) for seed in range(QUICK)) > QUICK // 2


@pytest.mark.slow
def test_many_programs(tmp_path: Path) -> None:
    for seed in range(GRADIENTS, ALL):
        check_gradients(seed, "import runtime as tf\n" + with_gradients(seed), tmp_path)
        check_gradients(seed, HEADER + rich_program(seed), tmp_path)
        check_effects(seed, tmp_path)
