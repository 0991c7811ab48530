"""The programs of tests/runtime/test_public_forms.py with TensorFlow in the place of this project: the same results."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

from tests.runtime import test_public_forms as programs

OTHERWISE = {"shape_n": "TensorFlow wants tensors of one dtype"}
"""Programs that TensorFlow does not run, and why."""

ROWS = [row for row in programs.ROWS if row[0] not in OTHERWISE]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_program_gives_the_same_with_tensorflow(row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, function, reference, arrays = row
    monkeypatch.setattr(programs, "tf", tf)
    if getattr(function, "__module__", "").startswith("runtime"):
        function = getattr(tf.linalg, function.__name__, None) or getattr(tf.math, function.__name__)
    programs.compare(function(*[tf.constant(a) for a in arrays]), reference(*arrays))
