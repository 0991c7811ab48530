"""What errors say of names that a module does not have."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import traceback

import pytest

import runtime
from docs import tensorflow_names_page
from runtime.names import elsewhere
from runtime.names import tensorflow as tensorflow_names


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        ("runtime", "mul", "Use runtime.multiply"),
        ("runtime", "concatenate", "Use runtime.concat"),
        ("runtime", "erf", "Use runtime.math.erf"),
        ("runtime", "svd", "Use runtime.linalg.svd"),
        ("runtime", "Dense", "Use runtime.layers.Dense"),
        ("runtime", "relu6", "Use runtime.nn.relu6"),
        ("runtime", "reduce_summ", "Use runtime.reduce_sum"),
        ("runtime", "Session", "there are no sessions: write a runtime.function"),
        ("runtime", "compat", "its first version is not provided"),
        ("runtime.math", "svd", "Use runtime.linalg.svd"),
        ("runtime.keras", "applications", "not provided"),
        ("runtime.keras.layers", "LTSM", "Use runtime.keras.layers.LSTM"),
        ("runtime.data.experimental", "make_csv_datasets", "Use runtime.data.experimental.make_csv_dataset"),
        ("runtime.nn", "reduce_sum", "Use runtime.reduce_sum"),
        ("runtime", "load_model", "Use runtime.keras.models.load_model"),
        ("runtime", "njit", "Use runtime.function"),
        ("runtime", "lax", "write Python's `if`, `while` and `for`"),
        ("runtime.math", "sum", "Use runtime.reduce_sum"),
        ("runtime.linalg", "dot", "Use runtime.matmul"),
        ("runtime.nn", "Linear", "Use runtime.layers.Dense"),
        ("runtime.nn", "Parameter", "Use runtime.Variable"),
    ],
)
def test_names_that_are_elsewhere(module: str, name: str, words: str) -> None:
    found: object = runtime
    for step in module.split(".")[1:]:
        found = getattr(found, step)
    with pytest.raises(AttributeError) as caught:
        getattr(found, name)
    message = str(caught.value)
    assert message.startswith(f"module {module!r} has no attribute {name!r}") and words in message
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(copy.copy(caught.value)) == message
    assert traceback.format_exception_only(caught.value) == [f"AttributeError: {message}\n"]
    assert type(caught.value).__name__ == "AttributeError"


def test_what_is_recommended_is_there() -> None:
    for name, use in (*elsewhere._OF_RUNTIME.items(), *elsewhere._OF_NN.items()):
        assert name in elsewhere._OF_NN or not hasattr(runtime, name), name
        found: object = runtime
        for step in use.split("."):
            found = getattr(found, step)
    for name in elsewhere._MODULES:
        importlib.import_module(f"runtime.{name}")


def test_other_names_are_unknown_and_cost_nothing() -> None:
    with pytest.raises(AttributeError, match="^module 'runtime' has no attribute 'zzzzzz'$"):
        _ = runtime.zzzzzz
    program = "import runtime, sys; hasattr(runtime, 'mul'); print('runtime.library.layers' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_page_of_tensorflows_names_is_up_to_date() -> None:
    assert tensorflow_names_page.PAGE.read_text(encoding="utf-8") == tensorflow_names_page.page(), (
        "run: python docs/tensorflow_names_page.py"
    )


def test_every_public_name_of_tensorflow_is_here_or_answers() -> None:
    said = tensorflow_names_page.answers()
    assert len(said) > 700
    assert [name for name, text in said.items() if text and not text.startswith((". Use runtime.", ": "))] == []
    for text in said.values():
        if text.startswith(". Use "):
            tensorflow_names_page.found(text.removeprefix(". Use runtime."))


def test_names_of_tensorflow_are_not_told_twice() -> None:
    for module, table in tensorflow_names._TABLES.items():
        here = set(dir(importlib.import_module(module)))
        assert not here & set(tensorflow_names._rows(table)), f"rows for names that {module} has"
