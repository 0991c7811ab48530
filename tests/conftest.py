"""What holds for all tests: converted statements run, random numbers are the same in each run, the suite is not walked
by the collector, programs compile once.

Converted functions run the user's own statements while nothing is staged. The tests of autograph are about the others:
those in tests/runtime and tests/differential, and what is marked `as_written`, find the functions as a user does.

Collected tests, the modules of the suite, and the functions, traces and graphs that those keep are millions of objects
that live as long as the run. Walking them in each full collection, and each time that something calls `gc.collect()`,
took a fifth of the time of all tests. And where Python is told to write no bytecode, each of the hundreds of programs
that tests start would compile both packages for itself.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from autograph.operators.as_written import converted_statements


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes millions of objects that stay, and next to nothing that only the collector frees."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def left_by_others() -> None:
    """What is there before the tests of a module is freed as ever when nothing refers to it, but no longer walked."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def folder_of_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For what one process of this run finds out and the others need not."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def bytecode_of_programs(folder_of_all_workers: Path) -> Iterator[None]:
    """What is tested, and programs that are started from here, find what has been compiled: machine code by others of
    this run, bytecode also beside the source by anybody."""
    caches = folder_of_all_workers / "caches"
    caches.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(caches))
        if sys.dont_write_bytecode:
            patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
            patch.setenv("PYTHONPYCACHEPREFIX", str(folder_of_all_workers / "bytecode"))
        yield


@pytest.fixture(autouse=True)
def random_numbers(request: pytest.FixtureRequest) -> None:
    """Each test draws numbers of its own, the same in each run and in any order: what passed once passes again."""
    seed = zlib.crc32(request.node.nodeid.encode())
    random.seed(seed)
    if (arrays := sys.modules.get("numpy")) is not None:
        arrays.random.seed(seed)
    if (drawing := sys.modules.get("runtime.ops.random.random")) is not None:
        drawing.set_seed(seed)


@pytest.fixture(autouse=True)
def names_of_layers() -> None:
    """They begin anew with each test, where one has made layers."""
    if (names := sys.modules.get("runtime.library.layers.naming")) is not None:
        names.clear_session()


@pytest.fixture(autouse=True)
def statements(request: pytest.FixtureRequest) -> Iterator[None]:
    """Plain values are to go through the converted statements, too."""
    if "as_written" in request.keywords or not {"differential", "runtime"}.isdisjoint(request.path.parts):
        yield
    else:
        with converted_statements():
            yield
