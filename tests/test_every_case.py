"""A test over many cases names each that fails, and runs those behind it."""

from __future__ import annotations

import pytest

from tests.every_case import every_case


def test_each_case_that_fails_is_named() -> None:
    ran = []

    @every_case([3, 0, 5, 0.5], ids=lambda case: f"case {case}")
    def check(case: float) -> None:
        """A fact."""
        ran.append(case)
        if case == 0.5:
            with pytest.raises(ZeroDivisionError):
                pass
        assert 1 / case < 1

    with pytest.raises(BaseExceptionGroup, match=r"2 of 4 cases: case 0, case 0\.5") as caught:
        check()
    assert ran == [3, 0, 5, 0.5]
    assert [error.__notes__ for error in caught.value.exceptions] == [["in the case case 0"], ["in the case case 0.5"]]
    assert check.__doc__ == "A fact."


def test_cases_with_several_arguments() -> None:
    found = []

    @every_case([pytest.param(1, 2, id="first"), pytest.param(3, 4, id="second")])
    def check(one: int, other: int) -> None:
        found.append(one * other)

    check()
    assert found == [2, 12]


def test_no_cases_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        every_case([])
