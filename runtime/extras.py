"""Libraries of extras: imported where they are used, and missed by an error that says how to get them.

    extra("dask.array", "dask", "Dataset.from_dask needs")
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["extra"]


def extra(module: str, name: str, words: str) -> Any:
    """A module of a library that an extra installs. name: that of the extra; words: who needs it, for the error.

    Raises ImportError, which names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(
            f"{words} the library {module.partition('.')[0]}, which is not installed; install it with"
            f" `pip install autograph-runtime[{name}]`"
        ) from None
