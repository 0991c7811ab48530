"""What lower rooms ask of higher ones: `runtime.late`, which knows where everything is, says here how to get it.

    HIGHER["keras.models"]().save_model(model, path)        # for `model.save(path)`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

__all__ = ["HIGHER"]

HIGHER: Final[dict[str, Callable[[], Any]]] = {}
"""By name: gives the module. It is imported when it is asked for."""
