"""Without Dask, which the extra `test` does not have, there is nothing to run; then these tests are not collected.

Without `slow` they need no cluster: Dask computes in this thread.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("dask") else ["*.py"]


@pytest.fixture(autouse=True)
def synchronous() -> Iterator[Any]:
    """Dask computes here where no client says otherwise."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield
