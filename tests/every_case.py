"""One test over many cases, for small facts of which there are hundreds: each as a test of its own takes pytest longer.

    @every_case(failures())
    def test_errors(op: Op, failure: Failure) -> None: ...

All cases run, also behind one that fails; the error names each that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

__all__ = ["every_case"]


def every_case(
    cases: Iterable[Any], ids: Callable[[Any], str] | None = None
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """As `pytest.mark.parametrize`, in one test. cases: `pytest.param(...)`, or one argument each, named by `ids`.

    Raises, in that test, an ExceptionGroup of all that the cases raised, each with a note that names its case.
    """
    known = [(case.id, case.values) if ids is None else (ids(case), (case,)) for case in cases]
    assert known, "no cases"

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failed: dict[str, BaseException] = {}
            for name, values in known:
                try:
                    check(*values)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {name}")
                    failed[name] = error
            if failed:
                summary = f"{len(failed)} of {len(known)} cases: {', '.join(failed)}"
                raise BaseExceptionGroup(summary, list(failed.values()))

        test.__name__, test.__qualname__, test.__doc__ = check.__name__, check.__qualname__, check.__doc__
        test.__module__ = check.__module__
        return test

    return decorate
