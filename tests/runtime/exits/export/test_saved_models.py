"""Saved models leave without the code that made them, by a call and by the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.__main__ import main
from tests.runtime.exits.export.running import run, session, written


class Line(tf.Module):
    def __init__(self) -> None:
        self.slope = tf.Variable([2.0, 3.0], name="slope")

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        if tf.reduce_sum(x) > 0:
            return tf.reduce_sum(x * self.slope, 1)
        return tf.reduce_sum(x, 1)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "line"
    tf.saved_model.save(Line(), path)
    return path


X = np.array([[1, 2], [3, 4]], np.float32)


def test_what_is_loaded_and_where_it_is(saved: Path, tmp_path: Path) -> None:
    for model in (tf.saved_model.load(saved), saved, saved / "saved_model.safetensors"):
        assert run(written(model, tmp_path / "f.onnx"), [X])[0].tolist() == [8, 18]
        assert run(session(str(tmp_path / "f.onnx")), [-X])[0].tolist() == [-3, -7]
    with pytest.raises(ValueError, match="no signature 'other'; it has 'serving_default'"):
        tf.export.onnx(saved, tmp_path / "g.onnx", signature="other")


def test_the_command_line(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(saved), str(tmp_path / "f.onnx")]) == 0
    assert run(session(str(tmp_path / "f.onnx")), [X])[0].tolist() == [8, 18]
    assert main(["export", str(tmp_path / "nothing"), str(tmp_path / "g.onnx")]) == 1
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(b"no model")
    assert main(["export", str(damaged), str(tmp_path / "g.onnx")]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2 and all(line.startswith("python -m runtime: ") for line in errors)
    assert not (tmp_path / "g.onnx").exists()


def test_the_module_runs_as_a_program(saved: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "runtime", "export", str(saved), str(tmp_path / "f.onnx")]
    subprocess.run(command, check=True, cwd=Path(tf.__file__).parent.parent)
    assert run(session(str(tmp_path / "f.onnx")), [X])[0].tolist() == [8, 18]
