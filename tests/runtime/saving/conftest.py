"""What holds after each test of saving."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from runtime.state.expected import WAITING


@pytest.fixture(autouse=True)
def nothing_waits_after_a_test() -> Any:
    yield
    gc.collect()
    assert not WAITING
