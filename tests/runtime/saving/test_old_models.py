"""Models that earlier versions saved: they load for ever, and give the same numbers.

`python -m tests.runtime.saving.test_old_models` writes a file for a new version of the format; those of the old ones
stay as they are.
"""

from pathlib import Path

import pytest

import runtime as tf
from runtime.saved_model.loading import VERSION
from tests.runtime.comparing import plain
from tests.runtime.saving.models import Model

FILES = Path(__file__).parent / "files"

VERSIONS = ["1"]


def test_there_is_a_file_of_this_version() -> None:
    assert VERSIONS[-1] == VERSION and sorted(p.name for p in FILES.iterdir()) == [f"version_{v}" for v in VERSIONS]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_model_of_this_version_loads(version: str) -> None:
    loaded = tf.saved_model.load(FILES / f"version_{version}")
    assert plain(loaded.step(tf.constant([1.0, 1.0, 1.0]))) == ([1.0, 4.0, 9.0], {"share": 10, "sum": 3160.0}, 8.0)
    assert plain(loaded.step(tf.constant([-9.0, 0.0, 0.0]), times=1))[0] == [-8.0, 1.0, 1.0]
    assert loaded.parts[0].numpy() == 6 and loaded.parts[1]["deep"][0].numpy() == b"text" and loaded.size == 3
    assert plain(loaded(tf.ones([2, 3]))) == [[6.0], [6.0]]
    assert plain(loaded.signatures["serving_default"](x=tf.ones([1, 3]))) == {"output_0": [[6.0]]}
    with pytest.raises(AssertionError, match="too large"):
        loaded.step(tf.constant([2000.0, 0.0, 0.0]), times=1)
    with tf.GradientTape() as tape:
        loss = loaded(tf.ones([1, 3]))
    assert plain(tape.gradient(loss, loaded.w)) == [1.0, 1.0, 1.0]


def write() -> None:
    """Saves the model of the tests for the present version."""
    model = Model()
    model.step(tf.constant([1.0, 1.0, 1.0]))
    model.step(tf.constant([-9.0, 0.0, 0.0]), times=1)
    tf.saved_model.save(model, FILES / f"version_{VERSION}")


if __name__ == "__main__":
    write()
