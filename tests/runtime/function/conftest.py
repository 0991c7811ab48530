"""The makers of short calls, for the tests of those."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from runtime.engine import short_calls
from runtime.engine.short_calls import in_python

MAKERS = ["python"] + ["machine code"] * (importlib.util.find_spec("llvmlite") is not None)


@pytest.fixture(params=MAKERS)
def maker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Short calls are made by it; it gives the name of their type."""
    if request.param == "python":
        monkeypatch.setattr(short_calls, "_maker", in_python)
        yield "function"
    else:
        from runtime.native.caller import short_call

        monkeypatch.setattr(short_calls, "_maker", short_call)
        yield "builtin_function_or_method"
