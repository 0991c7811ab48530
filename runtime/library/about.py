"""What this installation is: `python -m runtime --info`, the first thing that a report of a defect should hold.

    print(about())      # the versions, the machine, and for each extra whether its library is there
"""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import autograph

__all__ = ["about"]

_EXTRAS: Final = {
    "native": ("llvmlite",), "onnx": ("onnx", "onnxruntime"), "jax": ("jax",), "dask": ("dask", "distributed"),
    "special": ("scipy",), "records": ("google-crc32c",), "threads": ("threadpoolctl",), "bfloat16": ("ml_dtypes",),
    "images": ("pillow",), "tensorboard": ("tensorboard",),
}  # fmt: skip
"""What each extra brings."""


def about() -> str:
    """Lines of text; nothing is imported to find out."""
    needs = ", ".join(f"{name} {_version(name)}" for name in ("numpy", "gast", "astunparse"))
    extras = [f"  {extra}: {', '.join(map(_there, names))}" for extra, names in _EXTRAS.items()]
    return "\n".join([
        f"autograph-runtime {autograph.__version__}, in {os.path.dirname(os.path.dirname(autograph.__file__))}",
        f"{platform.python_implementation()} {platform.python_version()} on {platform.platform()}",
        f"{os.cpu_count()} cores",
        f"executable {sys.executable}",
        f"needs {needs}",
        "extras",
        *extras,
    ])  # fmt: skip


def _there(name: str) -> str:
    return f"{name} {_version(name)}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is not installed"
