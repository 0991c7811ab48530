"""The breaks of tests/mutations are of lines that exist, and each is of one line only."""

from pathlib import Path

import pytest

from tests.mutations import LISTS, Break

ROOT = Path(__file__).resolve().parent.parent
BREAKS = [mutation for mutations in LISTS.values() for mutation in mutations]


@pytest.mark.parametrize("mutation", BREAKS, ids=lambda m: f"{m.file}: {m.new.strip()[:40]}")
def test_the_line_to_break_stands_once(mutation: Break) -> None:
    assert (ROOT / mutation.file).read_text(encoding="utf-8").count(mutation.old) == 1
    assert all((ROOT / name).exists() for name in mutation.tests.split())
    assert mutation.old != mutation.new
