"""Reads what a program prints while it is traced (`print`) and while its graph runs (`tf.print`) as one text, in order.

    @reading_prints
    def test_it(printed):
        tf.function(f)()
        assert printed.getvalue() == "tracing\\nrunning\\n"

It is no fixture: pytest puts its own streams in place between the setting up of fixtures and the test.
"""

import contextlib
import functools
import io
from collections.abc import Callable

__all__ = ["reading_prints"]


def reading_prints(test: Callable[[io.StringIO], None]) -> Callable[[], None]:
    """The test with both standard streams in one text, which is its argument."""

    @functools.wraps(test)
    def run() -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            test(printed)

    del run.__wrapped__  # pytest would take `printed` for a fixture
    return run
