"""The libraries of the extra `onnx`, imported where they are used."""

from __future__ import annotations

from typing import Any

from runtime.extras import extra

__all__ = ["onnx_library"]


def onnx_library() -> Any:
    """The library `onnx`. Raises ImportError, which names the extra."""
    return extra("onnx", "onnx", "files of ONNX need")
