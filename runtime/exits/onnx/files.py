"""A model as a file, whole or not at all; weights over the limit of the format go into a second file beside it."""

from __future__ import annotations

import os
from typing import Any, Final

from runtime.checkpoint.atomic import replacing
from runtime.exits.onnx.library import onnx_library

__all__ = ["write_model"]

LIMIT: Final = 1_800_000_000
"""So many bytes may a file have; messages end at two gigabytes."""
ALIGNED: Final = 4096
"""Weights in the second file begin at such places, so that they can be mapped."""


def write_model(model: Any, path: str) -> None:
    """Writes the message. The same message gives the same bytes."""
    size = sum(len(tensor.raw_data) for tensor in model.graph.initializer)
    if size > LIMIT:
        _write_weights(model, path)
    with replacing(path) as file:
        file.write(model.SerializeToString(deterministic=True))


def _write_weights(model: Any, path: str) -> None:
    onnx, name, place = onnx_library(), os.path.basename(path) + ".data", 0
    with replacing(os.path.join(os.path.dirname(path), name)) as file:
        for tensor in model.graph.initializer:
            content = tensor.raw_data
            for key, value in (("location", name), ("offset", str(place)), ("length", str(len(content)))):
                tensor.external_data.append(onnx.StringStringEntryProto(key=key, value=value))
            tensor.data_location = onnx.TensorProto.EXTERNAL
            tensor.ClearField("raw_data")
            padding = -len(content) % ALIGNED
            for part in (content, bytes(padding)):
                file.write(part)
            place += len(content) + padding
