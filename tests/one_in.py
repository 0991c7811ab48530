"""A share of a large table of cases in each run of the tests, the others with the slow ones.

    @pytest.mark.parametrize("row", one_in(3, TABLE), ids=str)

Which ones does not change from run to run. `first` moves on by as many, so that tests over one table take turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["one_in"]


def one_in(count: int, cases: Iterable[Any], first: int = 0, several: bool = False) -> list[Any]:
    """The cases for `pytest.mark.parametrize`; all but each `count`-th of them are slow. several: a case is several
    arguments, else one, also where it is a tuple.
    """
    known = list(cases)
    assert len(known) > first
    return [
        case if number % count == first else pytest.param(*(case if several else (case,)), marks=pytest.mark.slow)
        for number, case in enumerate(known)
    ]
