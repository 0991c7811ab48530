"""What needs the library of an extra says which one, where it is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

NEEDS: dict[str, list[Callable[[], Any]]] = {
    "dask": [
        lambda: tf.data.Dataset.from_dask(np.ones(3)),
        lambda: tf.data.Dataset.range(3).to_dask(2),
        lambda: tf.distribute.map_blocks(lambda x: x, np.ones(3)),
        lambda: tf.distribute.DaskStrategy(None),
    ],
    "images": [
        lambda: tf.image.decode_png(b""),
        lambda: tf.image.encode_jpeg(tf.zeros([1, 1, 3], tf.uint8)),
    ],
    "jax": [
        lambda: tf.distribute.JaxStrategy(),
        lambda: tf.distribute.Mesh({"data": 1}),
        lambda: tf.to_jax(lambda x: x),
    ],
    "onnx": [lambda: tf.export.onnx(lambda: 1.0, "x.onnx", input_signature=[])],
}
LIBRARIES = ("dask", "dask.array", "dask.bag", "dask.delayed", "distributed", "jax", "onnx", "PIL.Image")


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in NEEDS.items() for call in calls])
def test_a_missing_library_is_named_with_its_extra(
    name: str, call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in LIBRARIES:
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"not installed; install it with `pip install autograph-runtime\[{name}\]`"):
        call()
