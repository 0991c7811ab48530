"""What holds for all tests: the suite itself is not walked by the garbage collector, and programs are compiled once.

Twenty thousand collected tests and the modules of the suite are half a million objects that live as long as the run.
Walking them each time that something calls `gc.collect()` was a third of the time of many tests. And where Python is
told to write no bytecode, each of the hundreds of programs that tests start would compile both packages for itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


def pytest_collection_finish() -> None:
    """What is there now stays until the end: it is freed as ever when nothing refers to it, but no longer walked."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def bytecode_of_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Programs that are started from here find what others of them have compiled, in a folder of this run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        yield
