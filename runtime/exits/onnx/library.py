"""The libraries of the extra `onnx`, imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["onnx_library"]


def onnx_library() -> Any:
    """The library `onnx`. Raises ImportError, which names the extra."""
    try:
        return importlib.import_module("onnx")
    except ImportError:
        raise ImportError(
            "files of ONNX need the library onnx, which is not installed; install it with"
            " `pip install autograph-runtime[onnx]`"
        ) from None
