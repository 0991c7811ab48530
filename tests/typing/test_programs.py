"""Type checkers say of the programs in tests/typing/programs what these say themselves.

mypy reads both packages for that, which takes 20 seconds of the processor when it has not done so before.
"""

from __future__ import annotations

import re

import pytest

from tests.typing.checking import CHECKERS, is_installed, of_the_package, program_files, said, written


def test_there_are_programs_with_messages_of_each_checker() -> None:
    programs = program_files()
    assert len(programs) >= 30
    for checker in CHECKERS:
        quoted = {message.program for message in written(checker)}
        assert quoted == {path.name for path in programs}, checker


def test_types_are_known() -> None:
    """What the programs ask for is `Any` only where they name that on purpose."""
    unknown = [m for m in written("mypy") if re.search(r'Revealed type is "Any"', m.text)]
    assert {message.program for message in unknown} <= {"conditions.py", "conversions.py"}


@pytest.mark.slow
@pytest.mark.parametrize("checker", [*filter(is_installed, CHECKERS)])
def test_checkers_say_what_the_programs_quote(checker: str) -> None:
    assert said(checker) == written(checker)


@pytest.mark.slow
@pytest.mark.skipif(not is_installed("pyright"), reason="pyright is an extra")
def test_pyright_finds_nothing_in_the_packages() -> None:
    assert of_the_package() == ""
