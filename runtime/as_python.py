"""Raises what the program itself raises, from a place of the runtime where most errors are about staging.

    raise_as_python(KeyError(key))      # an `except KeyError` of the program takes it

Nothing is left on the exception that the program could see, neither an attribute nor a note: what tells the two kinds
apart is the module whose frame raised it (see `runtime.control_flow.tries.raised`).
"""

from __future__ import annotations

from typing import Final, NoReturn

__all__ = ["raise_as_python"]

IS_PYTHON: Final = True  # see runtime.control_flow.tries.raised


def raise_as_python(error: BaseException) -> NoReturn:
    """Raise an exception, perhaps one that has just been caught, as the program's own."""
    raise error.with_traceback(None)
