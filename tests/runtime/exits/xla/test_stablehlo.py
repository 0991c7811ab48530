"""runtime.export.stablehlo: programs of XLA as files, and the command line that writes and shows them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from jax import export

import runtime as tf
from runtime.__main__ import main
from runtime.errors import NotExportableError
from tests.runtime.exits.export.test_saved_models import Line

pytestmark = pytest.mark.filterwarnings("ignore")

SPEC = [tf.TensorSpec([2, 2], tf.float32)]
X = np.array([[1, 2], [3, 4]], np.float32)


def called(path: Path, *arrays: np.ndarray) -> list[np.ndarray]:
    return [np.asarray(part) for part in export.deserialize(bytearray(path.read_bytes())).call(*arrays)]


def test_weights_are_in_the_file_and_state_goes_through(tmp_path: Path) -> None:
    weights, count = tf.Variable([2.0, 3.0]), tf.Variable(0, name="count")

    def step(x):
        count.assign_add(1)
        if tf.reduce_sum(x) > 0:
            x = x * weights
        return {"sum": tf.reduce_sum(x, 1), "count": count + 0}

    path = tmp_path / "step.stablehlo"
    tf.export.stablehlo(step, path, SPEC)
    first = path.read_bytes()
    tf.export.stablehlo(step, path, SPEC)
    assert path.read_bytes() == first and str(Path(tf.__file__).parent.parent).encode() not in first
    weights.assign([0.0, 0.0])
    found = called(path, X, np.int32(6))
    assert [part.tolist() for part in found] == [7, [8, 18], 7]
    assert export.deserialize(bytearray(first)).platforms == ("cpu", "cuda", "tpu")


def test_a_saved_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tf.saved_model.save(Line(), tmp_path / "line")
    path = tmp_path / "line.stablehlo"
    assert main(["export", str(tmp_path / "line"), str(path)]) == 1
    assert "its shape (None, 2) is open" in capsys.readouterr().err and not path.exists()
    assert main(["export", str(tmp_path / "line"), str(path), "--shape", "2,2"]) == 0
    assert called(path, X)[0].tolist() == [8, 18] and called(path, -X)[0].tolist() == [-3, -7]


@pytest.mark.parametrize(
    ("program", "words"),
    [(lambda x: tf.print(x) or x, "print: it prints"), (lambda x: tf.strings.as_string(x), "texts")],
)
def test_what_cannot_leave(program, words: str, tmp_path: Path) -> None:
    with pytest.raises(NotExportableError, match=words):
        tf.export.stablehlo(program, tmp_path / "f.stablehlo", SPEC)
    assert not [*tmp_path.iterdir()]


def test_a_loaded_file_needs_no_code_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "f.stablehlo"
    tf.export.stablehlo(lambda x: tf.linalg.inv(x) @ x, path, SPEC)
    assert b"runtime" not in path.read_bytes()
    np.testing.assert_allclose(called(path, X)[0], np.eye(2), atol=1e-5)


PROGRAM = """
import runtime as tf

def step(x):
    total = 0.0
    for i in tf.range(4):
        total += x[i]
    return total
"""


@pytest.mark.parametrize(("to", "words"), [("text", "graph step("), ("stablehlo", "stablehlo.while"),
                                           ("onnx", "Loop"), ("native", "step")])  # fmt: skip
def test_what_a_function_becomes(to: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.py"
    path.write_text(PROGRAM)
    assert main(["lower", f"{path}:step", "--to", to, "--arg", "float32[4]"]) == 0
    assert words in capsys.readouterr().out
    assert main(["lower", f"{path}:stop", "--to", to]) == 1
    assert "it has step" in capsys.readouterr().err


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r"autograph-runtime\[jax\]"):
        tf.export.stablehlo(lambda x: x, tmp_path / "f.stablehlo", SPEC)
