"""All programs, by the guide that they are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.guides import files, images, models, names, training, types, windows

__all__ = ["GUIDES"]

Program = Callable[[Any], Any]
"""A function of a module, `runtime` or `tensorflow`."""

GUIDES: Final[dict[str, dict[str, Program]]] = {
    "files": files.PROGRAMS,
    "images": images.PROGRAMS,
    "models": models.PROGRAMS,
    "names": names.PROGRAMS,
    "training": training.PROGRAMS,
    "types": types.PROGRAMS,
    "windows": windows.PROGRAMS,
}
