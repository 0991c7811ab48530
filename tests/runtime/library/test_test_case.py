"""`runtime.test.TestCase`: each assertion holds, and fails with what differs, as TensorFlow's do."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

ROOT = Path(__file__).resolve().parents[3]
RAGGED = tf.ragged.constant([[1], [2, 3]])


@pytest.fixture
def case() -> Any:
    made = tf.test.TestCase()
    made.setUp()
    yield made
    made.doCleanups()


HOLD: dict[str, Callable[[Any], Any]] = {
    "equal": lambda c: c.assertAllEqual([1, 2], tf.Variable([1, 2])),
    "equal dtypes": lambda c: c.assertAllEqual([1], [1.0]),
    "equal nan": lambda c: c.assertAllEqual([np.nan, 1.0], tf.constant([np.nan, 1.0])),
    "equal texts": lambda c: c.assertAllEqual(["a", "é"], tf.constant(["a", "é"])),
    "equal empty": lambda c: c.assertAllEqual(tf.zeros([0, 2]), np.zeros([0, 2])),
    "equal rows": lambda c: c.assertAllEqual(RAGGED, [[1], [2, 3]]),
    "equal list of tensors": lambda c: c.assertAllEqual([tf.constant(1), tf.constant(2)], [1, 2]),
    "not equal": lambda c: c.assertNotAllEqual([1, 2], [1, 3]),
    "not equal shapes": lambda c: c.assertNotAllEqual([1], [[1]]),
    "close": lambda c: c.assertAllClose(tf.constant([1.0, 2.0]), [1.0, 2.000001]),
    "close nan": lambda c: c.assertAllClose([np.nan, np.inf], [np.nan, np.inf]),
    "close structures": lambda c: c.assertAllClose({"a": [[1.0], 2.0]}, {"a": (tf.ones([1]), 2.0)}),
    "close list and tensor": lambda c: c.assertAllClose([1.0, 2.0], tf.constant([1.0, 2.0])),
    "close dicts in lists": lambda c: c.assertAllClose([{"a": 1.0}], [{"a": 1.0}]),
    "close rows": lambda c: c.assertAllClose(RAGGED, [[1.0], [2.0, 3.0]]),
    "close complex": lambda c: c.assertAllClose([1 + 1j], tf.constant([1 + 1j])),
    "close halves": lambda c: c.assertAllCloseAccordingToType(np.float16([1.0]), np.float32([1.0009])),
    "not close": lambda c: c.assertNotAllClose([1.0], [1.1]),
    "dtype": lambda c: c.assertDTypeEqual(tf.constant(1), "int32"),
    "dtype of array": lambda c: c.assertDTypeEqual(np.float32(1), tf.float32),
    "shape": lambda c: c.assertShapeEqual(np.ones([2, 3]), tf.ones([2, 3])),
    "range": lambda c: c.assertAllInRange([1.0, 2.0], 1.0, 2.0),
    "set": lambda c: c.assertAllInSet(tf.constant([[1, 2], [2, 1]]), {1, 2}),
    "greater": lambda c: c.assertAllGreater([2, 3], 1),
    "greater equal": lambda c: c.assertAllGreaterEqual([1, 3], 1),
    "less": lambda c: c.assertAllLess([0, -1], 1),
    "less equal": lambda c: c.assertAllLessEqual([1, 0], 1),
    "near": lambda c: c.assertNear(tf.constant(1.0), 1.1, 0.2),
    "arrays near": lambda c: c.assertArrayNear([1.0, 2.0], [1.1, 2.1], 0.2),
    "len": lambda c: c.assertLen(tf.constant([1, 2]), 2),
}

FAIL: dict[str, tuple[Callable[[Any], Any], str]] = {
    "equal": (lambda c: c.assertAllEqual([1, 2], tf.constant([1, 5])), r"1 of 2 elements differ:\n  \[1\]: .* and .*5"),
    "equal shapes": (lambda c: c.assertAllEqual([1, 2], [[1, 2]]), r"shapes differ: \(2,\) and \(1, 2\)"),
    "equal no broadcast": (lambda c: c.assertAllEqual(1, [1, 1]), r"shapes differ: \(\) and \(2,\)"),
    "equal texts": (lambda c: c.assertAllEqual(["a"], ["b"]), "b'a' and b'b'"),
    "equal rows": (lambda c: c.assertAllEqual(RAGGED, [[1], [2, 4]]), "First differing element 1"),
    "not equal": (lambda c: c.assertNotAllEqual([1], [1.0]), "all elements are equal"),
    "close": (lambda c: c.assertAllClose([1.0, 2.0], [1.0, 2.1]), r"1 of 2 elements differ \(rtol=1e-06, atol=1e-06\)"),
    "close nan": (lambda c: c.assertAllClose([np.nan], [1.0]), "1 of 1"),
    "close large": (lambda c: c.assertAllClose([2**53 + 1], [2**53], rtol=0, atol=0), "1 of 1"),
    "close places": (lambda c: c.assertAllClose({"a": [[1.0], 2.0]}, {"a": [[3.0], 2.0]}), r"differ at \['a'\]\[0\]"),
    "close rows": (lambda c: c.assertAllClose([[1.0], [2.0, 4.0]], RAGGED), r"differ at \[1\]"),
    "close keys": (lambda c: c.assertAllClose({"a": 1.0}, {"b": 1.0}), "keys differ"),
    "close lengths": (lambda c: c.assertAllClose([[1.0], 2.0], 3.0), "lengths differ: 2 and None"),
    "close shapes": (lambda c: c.assertAllClose([1.0], [1.0, 1.0]), "shapes differ"),
    "close halves": (lambda c: c.assertAllCloseAccordingToType(np.float32([1.0]), np.float32([1.0009])), "1 of 1"),
    "not close": (lambda c: c.assertNotAllClose([1.0], [1.0]), "close at all elements"),
    "dtype": (lambda c: c.assertDTypeEqual(tf.constant(1), tf.float32), "the dtype is int32, not float32"),
    "shape": (lambda c: c.assertShapeEqual(np.ones(3), tf.ones([4])), r"\(3,\) and \(4,\)"),
    "range": (lambda c: c.assertAllInRange([1.0, 7.0], 1, 2), r"1 of 2 elements are outside of \[1, 2\]:\n.*7"),
    "range open": (lambda c: c.assertAllInRange([1.0, 2.0], 1, 2, True, True), r"2 of 2 .*outside of \(1, 2\)"),
    "range nan": (lambda c: c.assertAllInRange([np.nan], 1, 2), "outside"),
    "range of texts": (lambda c: c.assertAllInRange(["a"], 1, 2), "only real numbers"),
    "set": (lambda c: c.assertAllInSet([1, 9], {1, 2}), r"1 of 2 elements are not among"),
    "greater": (lambda c: c.assertAllGreater([1, 2], 1), "1 of 2 elements are not greater than 1"),
    "greater equal": (lambda c: c.assertAllGreaterEqual([0, 2], 1), "less than 1"),
    "less": (lambda c: c.assertAllLess([1, 0], 1), "not less than 1"),
    "less equal": (lambda c: c.assertAllLessEqual([2, 0], 1), "greater than 1"),
    "near": (lambda c: c.assertNear(1.0, 1.1, 0.05), "more than 0.05"),
    "near nan": (lambda c: c.assertNear(float("nan"), 1.1, 0.05), "nan"),
    "arrays near": (lambda c: c.assertArrayNear([1.0], [1.0, 2.0], 1), "length is 1, not 2"),
    "len": (lambda c: c.assertLen([1], 2), r"length is 1, not 2: \[1\]"),
    "many": (lambda c: c.assertAllEqual(np.zeros(20), np.ones(20)), r"\[9\].*\n  \.\.\."),
    "message": (lambda c: c.assertAllEqual([1], [2], msg="mine"), "mine"),
}  # fmt: skip


@pytest.mark.parametrize("check", HOLD.values(), ids=HOLD)
def test_what_holds(case: Any, check: Callable[[Any], Any]) -> None:
    check(case)


@pytest.mark.parametrize(("check", "words"), FAIL.values(), ids=FAIL)
def test_what_does_not_hold(case: Any, check: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check(case)


def test_errors(case: Any) -> None:
    with case.assertRaisesOpError("zero"):
        tf.constant(1) // 0
    with case.assertRaisesWithPredicateMatch(ValueError, lambda error: "literal" in str(error)):
        int("a")
    with pytest.raises(AssertionError, match="OpError was not raised"), case.assertRaisesOpError("zero"):
        pass
    with pytest.raises(AssertionError, match="ValueError was raised in the place of OpError that matches 'a'"):
        with case.assertRaisesOpError("a"):
            int("a")
    with pytest.raises(AssertionError, match="in the place of"), case.assertRaisesOpError("no such words"):
        tf.constant(1) // 0


def test_values(case: Any) -> None:
    assert [row.tolist() for row in case.evaluate(RAGGED)] == [[1], [2, 3]]
    found = case.evaluate({"a": [tf.constant(1), tf.Variable([2.0])], "b": None})
    assert found["a"][0] == 1 and found["a"][1].tolist() == [2.0] and found["b"] is None
    assert isinstance(found["a"][1], np.ndarray)
    with pytest.raises(ValueError, match="got 3"):
        case.evaluate([3])


def test_directory(case: Any) -> None:
    name = case.get_temp_dir()
    assert os.path.isdir(name) and case.get_temp_dir() == name
    case.doCleanups()
    assert not os.path.exists(name)


def test_each_test_begins_with_the_same_seeds() -> None:
    found = []

    class Draws(tf.test.TestCase):
        def test_first(self) -> None:
            found.append((float(tf.random.uniform([])), np.random.rand()))

        test_second = test_first

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Draws).run(result)
    assert result.wasSuccessful() and len(found) == 2
    assert found[0] == found[1]


@pytest.mark.parametrize(("value", "code", "words"), [(2, 0, "OK"), (3, 1, "1 of 1 elements differ")])
def test_main(value: int, code: int, words: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import runtime\n"
        "class T(runtime.test.TestCase):\n"
        f"    def test_it(self): self.assertAllEqual(runtime.constant(1) + 1, {value})\n"
        "runtime.test.main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env=environment)
    assert done.returncode == code and words in done.stderr
