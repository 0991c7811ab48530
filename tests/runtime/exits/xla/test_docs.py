"""The examples of docs/exports.md about JAX print what stands below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.extra_examples import check, examples

FOUND = examples("JAX")


@pytest.mark.parametrize(("program", "output"), FOUND)
def test_an_example(program: str, output: str, tmp_path: Path) -> None:
    check(program, output, tmp_path)


def test_there_are_examples() -> None:
    assert FOUND
